//! What `flagfall clock` takes: a technician's tool, at one clock on one line.

use crate::commands::Place;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use flagfall_clock::{ClockId, Encoding, MAX_TRIM_PPM};
use std::path::PathBuf;
use std::time::Duration;

/// `flagfall clock`.
#[derive(Debug, Subcommand)]
pub enum ClockCommand {
    /// Ask a clock who it is: name, seal, how it writes, trim, firmware
    Ask(AskArgs),
    /// Give a clock its name and key, once
    Provision(ProvisionArgs),
    /// Measure a clock's crystal against this host's clock
    Trim(TrimArgs),
}

/// Where the clock is.
#[derive(Debug, Args)]
pub struct LineArgs {
    /// The clock's port, best by /dev/serial/by-id/..., or a serial server as tcp:HOST:PORT
    #[arg(long, value_name = "PORT")]
    pub port: Place,
    /// The port's speed; a serial server has its own
    #[arg(long, default_value_t = 115_200, value_parser = clap::value_parser!(u32).range(300..=4_000_000))]
    pub baud: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `flagfall clock ask`.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// Where
    #[command(flatten)]
    pub line: LineArgs,
}

/// `flagfall clock provision`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("seal").args(["key_file", "new_key", "no_key"]).required(true)))]
pub struct ProvisionArgs {
    /// Where
    #[command(flatten)]
    pub line: LineArgs,
    /// Its name from now on: 1 to 16 of A-Z a-z 0-9 . _ -
    #[arg(long, value_parser = name)]
    pub name: ClockId,
    /// Its key: a file of 32 to 128 hex digits, or a keys file that has the name
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Make a key and add it to this keys file, the venue file's `keys_file`
    #[arg(long, value_name = "FILE")]
    pub new_key: Option<PathBuf>,
    /// No key: nothing it says is sealed, and anybody may command it
    #[arg(long)]
    pub no_key: bool,
    /// How it writes
    #[arg(long, value_enum, default_value_t = Writes::Json)]
    pub encoding: Writes,
    /// By how many millionths its crystal is fast: see `flagfall clock trim`
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i16).range(i64::from(-MAX_TRIM_PPM)..=i64::from(MAX_TRIM_PPM))
    )]
    pub trim_ppm: i16,
    /// Sound for 2 s at a flag; not in tournaments
    #[arg(long)]
    pub sound: bool,
}

/// `flagfall clock trim`.
#[derive(Debug, Args)]
pub struct TrimArgs {
    /// Where
    #[command(flatten)]
    pub line: LineArgs,
    /// For how many minutes, as 30 or 0.5; longer is surer
    #[arg(long, value_name = "N", value_parser = minutes)]
    pub minutes: Duration,
}

/// How a clock writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Writes {
    /// Lines of JSON.
    Json,
    /// Frames.
    Binary,
}

impl From<Writes> for Encoding {
    fn from(writes: Writes) -> Self {
        match writes {
            Writes::Json => Self::Json,
            Writes::Binary => Self::Binary,
        }
    }
}

fn name(text: &str) -> Result<ClockId, String> {
    match text.parse::<ClockId>() {
        Ok(name) if name == ClockId::NAMELESS => Err("so a clock without a name calls itself".into()),
        Ok(name) => Ok(name),
        Err(error) => Err(error.to_string()),
    }
}

fn minutes(text: &str) -> Result<Duration, &'static str> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.02..=2_880.0).contains(minutes));
    minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0)).ok_or("possible: 0.02 to 2880")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn read(arguments: &[&str]) -> Result<ClockCommand, String> {
        let all = ["flagfall", "clock"].iter().chain(arguments);
        match Cli::try_parse_from(all).map_err(|error| error.to_string())?.command {
            Command::Clock(command) => Ok(command),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn whether_it_seals_is_said_and_said_once() {
        let given =
            |more: &[&str]| read(&[&["provision", "--port", "/dev/ttyUSB0", "--name", "A01"], more].concat());
        assert!(given(&[]).unwrap_err().contains("--no-key"));
        assert!(given(&["--no-key", "--new-key", "keys.toml"]).is_err());
        let Ok(ClockCommand::Provision(args)) = given(&["--no-key", "--trim-ppm", "-12"]) else { panic!() };
        assert_eq!((args.trim_ppm, args.line.baud, args.encoding), (-12, 115_200, Writes::Json));
        assert!(given(&["--no-key", "--trim-ppm", "501"]).is_err());
    }

    #[test]
    fn what_is_no_name_no_place_and_no_time_is_refused() {
        for name in ["-", "", "A 01", "A0123456789012345"] {
            assert!(read(&["provision", "--no-key", "--port", "x", "--name", name]).is_err(), "{name}");
        }
        assert!(read(&["ask", "--port", "tcp:10.0.0.7"]).is_err());
        assert!(read(&["ask", "--port", "tcp:10.0.0.7:4001"]).is_ok());
        for minutes in ["0", "-1", "soon", "nan", "inf", "3000"] {
            let long = format!("--minutes={minutes}");
            assert!(read(&["trim", "--port", "x", &long]).is_err(), "{minutes}");
        }
    }
}
