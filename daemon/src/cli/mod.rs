//! The command line: what may be typed, where logs go, and with what code the program ends.
//!
//! Answers go to stdout, logs and complaints to stderr. A command that is not wired is not listed.

mod clock;
mod exit;
mod logging;
#[cfg(feature = "simulator")]
mod simulated;

use crate::commands;
use crate::tls::Host;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use flagfall_arbiter::Role;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

pub use clock::{AskArgs, ClockCommand, LineArgs, ProvisionArgs, TrimArgs, Writes};
pub use exit::{Exit, Failure};
pub use logging::{LogFormat, LogLevel};
#[cfg(feature = "simulator")]
pub use simulated::{DemoArgs, RehearseArgs};

/// Reads the clocks of a chess or xiangqi hall, applies the regulations, keeps proof, tells the arbiters.
#[derive(Debug, Parser)]
#[command(name = "flagfall", version, max_term_width = 110, after_help = exit::HELP)]
pub struct Cli {
    /// How logs are written, on stderr
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// What is logged: error, warn, info, debug, trace, or finer, as `info,flagfall::links=debug`
    #[arg(long, global = true, default_value = "info", value_name = "LEVEL")]
    pub log_level: LogLevel,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show a simulated hall: real daemon, real serial ports, nothing to install or configure
    #[cfg(feature = "simulator")]
    Demo(DemoArgs),
    /// Run the daemon
    Serve(ServeArgs),
    /// Say whether a venue file is right, what is in force, and where each value comes from
    Check(CheckArgs),
    /// List the regulations that are built in, print one of them as a file, or every key there is
    Regulations(RegulationsArgs),
    /// List serial ports: USB ids, lasting names, who may open them, who holds them, what answers
    Ports(PortsArgs),
    /// Ask one clock who it is, name it, or measure its crystal: for a technician with a box of clocks
    #[command(subcommand)]
    Clock(ClockCommand),
    /// Check, export or decide again a journal
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Print players and teams in order, over all rounds of a journal
    Standings(StandingsArgs),
    /// Make a token for a user of the desk
    Token(TokenArgs),
    /// Make a certificate for the desk, and a local authority for tablets to believe; nothing is overwritten
    Certificate(CertificateArgs),
    /// Play a scenario in virtual time and check what it expects
    #[cfg(feature = "simulator")]
    Rehearse(RehearseArgs),
}

/// `flagfall serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The venue file
    #[arg(long, default_value = "venue.toml", value_name = "FILE")]
    pub config: PathBuf,
}

/// `flagfall check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The venue file
    #[arg(default_value = "venue.toml")]
    pub file: PathBuf,
    /// One page of how the event reads its regulations, in Chinese and English, to be signed
    #[arg(long)]
    pub readings: bool,
}

/// `flagfall regulations`.
#[derive(Debug, Args)]
pub struct RegulationsArgs {
    /// Print these as a file, to be copied and changed
    pub name: Option<String>,
    /// Print every key with its unit, range, default, article and meaning
    #[arg(long, conflicts_with = "name")]
    pub keys: bool,
}

/// `flagfall ports`.
#[derive(Debug, Args)]
pub struct PortsArgs {
    /// Only these ports
    pub ports: Vec<PathBuf>,
    /// Open them and report for so many seconds what answers; opening may restart a clock
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub listen: Option<u64>,
}

/// `flagfall journal`.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Check that nothing in it was changed, removed or put in
    Verify {
        /// The journal
        file: PathBuf,
        /// A head noted elsewhere, as N:HASH; may be repeated
        #[arg(long, value_name = "N:HASH")]
        noted: Vec<commands::Noted>,
    },
    /// Write its records as JSON to stdout
    Export {
        /// The journal
        file: PathBuf,
        /// Lines of objects, or one array
        #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
        format: ExportFormat,
        /// Only records that tell an event
        #[arg(long)]
        events: bool,
    },
    /// Run its inputs through fresh rules and compare every decision
    Replay {
        /// The journal
        file: PathBuf,
    },
}

/// `flagfall standings`.
#[derive(Debug, Args)]
pub struct StandingsArgs {
    /// The journal, also while the daemon writes it; or a venue file that names it
    #[arg(default_value = "venue.toml")]
    pub file: PathBuf,
    /// Only these
    #[arg(long, value_enum, default_value_t = StandingsOf::All)]
    pub of: StandingsOf,
    /// Only players of this board of their teams
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub board: Option<u32>,
    /// How they are written
    #[arg(long, value_enum, default_value_t = StandingsFormat::Text)]
    pub format: StandingsFormat,
    /// The same as --format csv
    #[arg(long, conflicts_with = "format")]
    pub csv: bool,
}

/// Whose standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StandingsOf {
    /// Teams, then players.
    All,
    /// Teams.
    Teams,
    /// Players, board by board.
    Players,
}

/// How standings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StandingsFormat {
    /// Tables for people.
    Text,
    /// A line each for table programs; teams first where both are asked for.
    Csv,
    /// One object.
    Json,
}

/// How an export is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One object a line.
    Jsonl,
    /// One array.
    Json,
}

/// `flagfall token`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// The user's name
    #[arg(long, default_value = "chief", value_parser = name)]
    pub name: String,
    /// His role: chief, arbiter, results, technician, viewer
    #[arg(long, default_value = "chief", value_parser = role)]
    pub role: Role,
    /// Print a code for a tablet's camera too: of the desk's address with the token where --config is given, else of the
    /// token alone
    #[arg(long)]
    pub qr: bool,
    /// The venue file of the desk: print the whole address with the token
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// By which name or address a tablet reaches this host [default: where the desk listens, or this host's address]
    #[arg(long, value_name = "NAME_OR_ADDRESS", requires = "config")]
    pub host: Option<Host>,
}

/// `flagfall certificate`.
#[derive(Debug, Args)]
pub struct CertificateArgs {
    /// The folder they go into
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Another name or address by which tablets reach this host; may be repeated
    #[arg(long, value_name = "NAME_OR_ADDRESS")]
    pub host: Vec<Host>,
}

fn role(text: &str) -> Result<Role, String> {
    let words = crate::config::ROLES;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, role)| *role);
    found.ok_or_else(|| format!("possible: {}", words.map(|(word, _)| word).join(", ")))
}

fn name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("is empty") } else { Ok(text.to_owned()) }
}

/// Reads the command line, does what it says, and answers with the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // nothing can be done about a terminal that is gone
            let _ = error.print();
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if asked { Exit::Well } else { Exit::Usage }.into();
        }
    };
    logging::begin(cli.log_format, cli.log_level);
    let stdout = std::io::stdout();
    let mut out = std::io::BufWriter::new(stdout.lock());
    let done = run(cli.command, &mut out);
    match done.and_then(|exit| out.flush().map(|()| exit).map_err(Failure::from)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if let Some(message) = failure.message() {
                let _ = writeln!(std::io::stderr(), "{message}");
            }
            failure.exit().into()
        }
    }
}

fn run(command: Command, out: &mut dyn Write) -> Result<Exit, Failure> {
    match command {
        #[cfg(feature = "simulator")]
        Command::Demo(args) => commands::demo(&args, out),
        Command::Serve(args) => commands::serve(&args),
        Command::Check(args) => commands::check(&args, out),
        Command::Regulations(args) => commands::regulations(&args, out),
        Command::Ports(args) => commands::ports(&args, out),
        Command::Clock(command) => commands::clock(&command, out),
        Command::Journal(command) => commands::journal(&command, out),
        Command::Standings(args) => commands::standings(&args, out),
        Command::Token(args) => commands::token(&args, out),
        Command::Certificate(args) => commands::certificate(&args, out),
        #[cfg(feature = "simulator")]
        Command::Rehearse(args) => commands::rehearse(&args, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_for_all_commands_may_stand_behind_them() {
        let cli = Cli::try_parse_from(["flagfall", "check", "x.toml", "--log-format", "json"]).unwrap();
        assert_eq!(cli.log_format, LogFormat::Json);
        assert!(Cli::try_parse_from(["flagfall", "check", "--log-level", "lou=d"]).is_err());
        assert!(Cli::try_parse_from(["flagfall", "token", "--role", "boss"]).is_err());
        assert!(Cli::try_parse_from(["flagfall", "token", "--name", " "]).is_err());
    }
}
