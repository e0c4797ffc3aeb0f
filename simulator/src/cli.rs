//! What `flagfall-sim` is told on its command line. Carries only.

use clap::{Args, Parser, Subcommand, ValueEnum};
use flagfall_clock::{ClockId, Encoding, TimeControl};
use flagfall_firmware::Setup;
use flagfall_simulator::conformance::Contact;
use flagfall_simulator::live::{Encodings, Transport};
use std::path::PathBuf;

/// Halls of virtual clocks with players, arbiters and faults, to play at a real daemon.
#[derive(Debug, Parser)]
#[command(name = "flagfall-sim", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// How logs are written, on standard error
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub log_format: LogFormat,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Plays a scenario at a live daemon; with a desk it acts as the scenario's arbiter and checks its expectations
    Run(Run),
    /// Clocks for a person to play with: words on standard input, such as `A01 left`
    Clocks(Clocks),
    /// Plays a recorded byte capture, with its times, through a pseudo terminal
    Replay(Replay),
    /// Prints the venue file of a scenario, for the daemon
    Venue(Venue),
    /// Tests how a clock behaves, case by case (docs/hardware/conformance.md)
    Conformance(Conformance),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Lines {
    /// A pseudo terminal for each clock: DIR/A01, DIR/A02, ...
    #[arg(long, value_name = "DIR")]
    pub pty: Option<PathBuf>,
    /// A broker: mqtt://[user:password@]host[:port]
    #[arg(long, value_name = "URL")]
    pub mqtt: Option<String>,
    /// One TCP server that carries all clocks behind a hub
    #[arg(long, value_name = "HOST:PORT")]
    pub tcp: Option<String>,
    /// A TCP server for each clock, from this port upwards
    #[arg(long, value_name = "HOST:PORT")]
    pub tcp_each: Option<String>,
}

impl Lines {
    pub(crate) fn transport(&self) -> Transport {
        if let Some(folder) = &self.pty {
            Transport::Pty(folder.clone())
        } else if let Some(url) = &self.mqtt {
            Transport::Mqtt(url.clone())
        } else if let Some(address) = &self.tcp {
            Transport::Tcp(address.clone())
        } else {
            // The group asks for exactly one.
            Transport::TcpEach(self.tcp_each.clone().unwrap_or_default())
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Writing {
    Json,
    Binary,
    Mixed,
}

impl From<Writing> for Encodings {
    fn from(writing: Writing) -> Self {
        match writing {
            Writing::Json => Self::Json,
            Writing::Binary => Self::Binary,
            Writing::Mixed => Self::Mixed,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The scenario's file
    pub scenario: PathBuf,
    #[command(flatten)]
    pub lines: Lines,
    /// The desk, such as ws://127.0.0.1:8470
    #[arg(long, value_name = "URL", requires = "token")]
    pub desk: Option<String>,
    /// A chief arbiter's token
    #[arg(long, requires = "desk")]
    pub token: Option<String>,
    /// So many times as fast as the wall's clock; the daemon must say the same
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub speed: u32,
    /// Chance's seed; the scenario's own where left out
    #[arg(long)]
    pub seed: Option<u64>,
    /// How the clocks write
    #[arg(long, value_enum, default_value = "mixed")]
    pub encoding: Writing,
}

/// A control as the keys of a regulations file have it, on one line.
fn control(said: &str) -> Result<TimeControl, String> {
    #[derive(serde::Deserialize)]
    struct Said {
        control: TimeControl,
    }
    let said = toml::from_str::<Said>(&format!("control = {{ {said} }}"));
    let control = said.map_err(|error| error.message().to_owned())?.control;
    if (Setup { control, ..Setup::default() }).in_range() {
        Ok(control)
    } else {
        Err("it makes no sense, or is more than a clock can hold".into())
    }
}

#[derive(Debug, Args)]
pub(crate) struct Clocks {
    /// How many
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub number: u32,
    #[command(flatten)]
    pub lines: Lines,
    /// What they come up set to, such as 'kind = "byoyomi", base_ms = 600000, increment_ms = 0, overtime_ms = 30000, overtime_count = 3'
    #[arg(long, default_value = "base_ms = 3000000, increment_ms = 15000", value_parser = control)]
    pub control: TimeControl,
    /// How the clocks write
    #[arg(long, value_enum, default_value = "json")]
    pub encoding: Writing,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The capture's file
    pub capture: PathBuf,
    /// The pseudo terminal's path; its last part is 1 to 16 of A-Z a-z 0-9 . _ -
    #[arg(long, value_name = "PATH")]
    pub pty: PathBuf,
    /// Milliseconds for a reader to open it before the first byte
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    pub wait: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Venue {
    /// The scenario's file
    pub scenario: PathBuf,
    #[command(flatten)]
    pub lines: Lines,
    /// The journal's file
    #[arg(long, default_value = "hall.journal")]
    pub journal: PathBuf,
    /// Where the desk listens
    #[arg(long, default_value = "127.0.0.1:8470")]
    pub listen: String,
    /// A user of the desk, as NAME:ROLE:SHA256-OF-HIS-TOKEN
    #[arg(long = "user", value_name = "USER")]
    pub users: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Wording {
    Json,
    Binary,
}

impl From<Wording> for Encoding {
    fn from(wording: Wording) -> Self {
        match wording {
            Wording::Json => Self::Json,
            Wording::Binary => Self::Binary,
        }
    }
}

fn contact(name: &str) -> Result<Contact, String> {
    Contact::named(name).ok_or_else(|| "it is none of left, right, stop, key".into())
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Examined {
    /// The reference: the firmware on this host, in virtual time
    #[arg(long)]
    pub core: bool,
    /// The clock's line: a serial port or pseudo terminal, or host:port
    #[arg(long, value_name = "PORT")]
    pub port: Option<String>,
    /// Only says which cases there are, and what they need
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    #[command(flatten)]
    pub examined: Examined,
    /// The clock's name, where several are on the line
    #[arg(long, value_name = "NAME")]
    pub clock: Option<ClockId>,
    /// Of a serial port
    #[arg(long, default_value_t = 115_200)]
    pub baud: u32,
    /// The clock's key, in hexadecimal digits
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// How commands are written; left out: as the clock writes
    #[arg(long, value_enum)]
    pub encoding: Option<Wording>,
    /// Who presses: `ask` tells a person here, else the line of a jig; left out: nobody
    #[arg(long, value_name = "ask|PORT", requires = "port")]
    pub hands: Option<String>,
    /// A contact that the clock does not have: left, right, stop or key; may be said more than once
    #[arg(long, value_name = "CONTACT", value_parser = contact)]
    pub without: Vec<Contact>,
    /// A jig presses at most so many milliseconds before or after it is told
    #[arg(long, value_name = "MS", default_value_t = 30)]
    pub exact: u32,
    /// The clock keeps no game over a power cut
    #[arg(long)]
    pub no_memory: bool,
    /// The clock reads commands in both encodings
    #[arg(long)]
    pub both_encodings: bool,
    /// Only cases whose name holds this; may be said more than once
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// The long cases too, which take hours in real time
    #[arg(long)]
    pub all: bool,
    /// One object a line
    #[arg(long)]
    pub json: bool,
    /// Also where the clock has a game, which is lost
    #[arg(long)]
    pub yes: bool,
}
