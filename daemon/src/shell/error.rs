//! Why the daemon cannot run, or ended.

use crate::links::LinksError;
use flagfall_hall::RecoverError;
use flagfall_journal::{OpenError, ReadError};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why the daemon cannot run, or ended otherwise than it was told to.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// The journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The journal's records do not make a hall.
    #[error("journal {file} cannot be gone on with: {error}")]
    Recovery {
        /// The journal's file.
        file: PathBuf,
        /// Why.
        error: RecoverError,
    },
    /// The journal's thread cannot be started, or ended by itself.
    #[error("the journal's writer {0}")]
    Writer(String),
    /// Records were lost on stopping.
    #[error("{records} records could not be written before the end: {why}")]
    Unwritten {
        /// How many.
        records: usize,
        /// Why.
        why: String,
    },
    /// The desk's address cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// A line that this program does not have.
    #[error(transparent)]
    Links(#[from] LinksError),
}

impl RunError {
    /// The exit code of sysexits that says it best.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Links(_) => 64,
            Self::Listen { .. } => 69,
            Self::Journal(OpenError::Locked { .. }) => 69,
            Self::Journal(_)
            | Self::Read(_)
            | Self::Recovery { .. }
            | Self::Writer(_)
            | Self::Unwritten { .. } => 74,
        }
    }
}
