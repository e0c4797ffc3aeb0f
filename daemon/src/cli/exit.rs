//! With what code the program ends: those of sysexits.

use crate::config::ConfigError;
use std::io;
use std::process::ExitCode;

/// What `--help` says of exit codes.
pub(super) const HELP: &str = "Exit codes: 0 well, 1 checked and failed, 64 usage or configuration, 65 a broken journal, 69 unavailable, 74 input or output";

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// As it should.
    Well,
    /// What was to be checked does not hold.
    Failed,
    /// The command line or the configuration is wrong.
    Usage,
    /// A file is not what it should be.
    Data,
    /// Something it needs is held by another program, or is not there.
    Unavailable,
    /// Something could not be read or written.
    Io,
}

impl Exit {
    /// Its number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Well => 0,
            Self::Failed => 1,
            Self::Usage => 64,
            Self::Data => 65,
            Self::Unavailable => 69,
            Self::Io => 74,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The configuration is missing or wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Stdout cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// Anything else, with its code.
    #[error("{message}")]
    Other {
        /// The exit code.
        exit: Exit,
        /// One sentence that names the thing.
        message: String,
    },
}

impl Failure {
    /// With a code, and the error itself as the sentence.
    pub fn new(exit: Exit, error: impl std::fmt::Display) -> Self {
        Self::Other { exit, message: error.to_string() }
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Config(ConfigError::Unreadable { .. }) => Exit::Io,
            Self::Config(ConfigError::Missing { .. } | ConfigError::Faults(_)) => Exit::Usage,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Well,
            Self::Output(_) => Exit::Io,
            Self::Other { exit, .. } => *exit,
        }
    }

    /// What to say; nothing where whoever read us has had enough.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            other => Some(other.to_string()),
        }
    }
}
