//! What is wrong with a configuration, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// One thing that is wrong, or looks so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file it stands in.
    pub file: PathBuf,
    /// Its line, from 1, where it has one.
    pub line: Option<usize>,
    /// The key, with the tables it stands in: `desk.user.role`. Empty where the whole file is meant.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No such file.
    #[error(
        "{} does not exist; begin with a copy of venue.example.toml and see whether it is right with `flagfall check {}`",
        path.display(), path.display()
    )]
    Missing {
        /// The file asked for.
        path: PathBuf,
    },
    /// It is there and cannot be read.
    #[error("{} cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file asked for.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// It was read, and is wrong in these places, in the order of files and lines.
    #[error("{}", lines(.0))]
    Faults(Vec<Fault>),
}

impl ConfigError {
    /// From trouble with opening the file itself.
    pub(super) fn opening(path: &Path, cause: std::io::Error) -> Self {
        let path = path.to_owned();
        if cause.kind() == std::io::ErrorKind::NotFound {
            Self::Missing { path }
        } else {
            Self::Unreadable { path, cause }
        }
    }
}

fn lines(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
