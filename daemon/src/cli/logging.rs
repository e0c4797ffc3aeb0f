//! Where logs go: stderr, as text for people or as JSON for programs.

use clap::ValueEnum;
use std::io::IsTerminal;
use std::str::FromStr;
use tracing_subscriber::EnvFilter;

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object a line.
    Json,
}

/// What is logged.
#[derive(Clone, Debug)]
pub struct LogLevel(String);

impl FromStr for LogLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match EnvFilter::try_new(text) {
            Ok(_) => Ok(Self(text.to_owned())),
            Err(_) => {
                Err("possible: error, warn, info, debug, trace, or finer, as `info,flagfall::links=debug`"
                    .into())
            }
        }
    }
}

/// Begins logging. A second call changes nothing.
pub(super) fn begin(format: LogFormat, LogLevel(level): LogLevel) {
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(level))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // `try_init` fails only where somebody has begun already, as in tests
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}
