//! What `demo` and `rehearse` take. Only they start the simulator.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// `flagfall demo`.
#[derive(Clone, Debug, Args)]
pub struct DemoArgs {
    /// How many boards [default: 48, or the scenario's own]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=999))]
    pub boards: Option<u32>,
    /// How many times as fast as the wall clock
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub speed: u32,
    /// Where the desk listens
    #[arg(long, default_value = "127.0.0.1:8470", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Play this scenario
    #[arg(long, value_name = "FILE", conflicts_with = "calm")]
    pub scenario: Option<PathBuf>,
    /// An honest hall, in which nobody misbehaves
    #[arg(long)]
    pub calm: bool,
    /// End after so many real seconds, with a summary: `kind count` a line
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub exit_after: Option<u64>,
    /// Another seed, another hall
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// `flagfall rehearse`.
#[derive(Clone, Debug, Args)]
pub struct RehearseArgs {
    /// The scenario
    pub scenario: PathBuf,
    /// Another seed, another hall
    #[arg(long)]
    pub seed: Option<u64>,
    /// Keep the journal in this file
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Demo {
        #[command(flatten)]
        args: DemoArgs,
    }

    #[test]
    fn a_demo_needs_nothing_to_be_said() {
        let args = Demo::try_parse_from(["demo"]).unwrap().args;
        assert_eq!((args.boards, args.speed, args.listen.to_string()), (None, 20, "127.0.0.1:8470".into()));
        assert!(Demo::try_parse_from(["demo", "--calm", "--scenario", "x.toml"]).is_err());
        assert!(Demo::try_parse_from(["demo", "--boards", "0"]).is_err());
    }
}
