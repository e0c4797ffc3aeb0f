//! What can go wrong, one enum per act. Each message names the file.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::tail::Unfit;
use crate::verify::BrokenAt;

/// Why a journal could not be created or opened. A file that is refused is left as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OpenError {
    #[error("journal {file} does not exist")]
    Missing { file: PathBuf },
    #[error("journal {file} exists already")]
    Exists { file: PathBuf },
    #[error("journal {file} is in use by another process{}", pid.map(|p| format!(" (pid {p})")).unwrap_or_default())]
    Locked { file: PathBuf, pid: Option<u32> },
    #[error("{file} is no journal of ours: {why}")]
    NotAJournal { file: PathBuf, why: &'static str },
    #[error("journal {file} has zero bytes: nothing is left of it")]
    Empty { file: PathBuf },
    #[error("journal {file} is {bytes} bytes of NULs: nothing is left of it")]
    Nulls { file: PathBuf, bytes: u64 },
    #[error("journal {file} is damaged: {why}")]
    Damaged { file: PathBuf, why: String },
    #[error("journal {file}: {broken}")]
    Broken { file: PathBuf, broken: BrokenAt },
    #[error("{wal} does not belong to journal {file}: {why}")]
    StrangeWal { file: PathBuf, wal: PathBuf, why: String },
    #[error("journal {file} was written by a newer version (format {found}, known up to {known})")]
    Newer { file: PathBuf, found: i64, known: i64 },
    #[error(
        "journal {file} has a -wal beside it, and its folder cannot be written: copy both to where it can"
    )]
    WalUnreadable { file: PathBuf },
    #[error("journal {file}: the body it begins with does not fit: {unfit}")]
    Unfit {
        file: PathBuf,
        #[source]
        unfit: Unfit,
    },
    #[error("no permission for journal {file}, or it is on a read-only disk")]
    Permission { file: PathBuf },
    #[error("journal {file}: the disk is full")]
    DiskFull { file: PathBuf },
    #[error("cannot {act} {file}: {source}")]
    Io { file: PathBuf, act: &'static str, source: io::Error },
    #[error("journal {file}: {source}")]
    Sqlite { file: PathBuf, source: rusqlite::Error },
}

/// Why a batch was not appended. None of it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AppendError {
    #[error("journal {file}: {unfit}")]
    Unfit {
        file: PathBuf,
        #[source]
        unfit: Unfit,
    },
    #[error("journal {file}: the disk is full")]
    DiskFull { file: PathBuf },
    #[error("journal {file} cannot be written: no permission, or a read-only disk")]
    ReadOnly { file: PathBuf },
    #[error("journal {file}: its end was moved by someone else (record {found}, left at {left})")]
    Disturbed { file: PathBuf, found: u64, left: u64 },
    #[error("journal {file} cannot be written: {source}")]
    Sqlite { file: PathBuf, source: rusqlite::Error },
}

/// Why records could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReadError {
    #[error("journal {file}: {broken}")]
    Broken { file: PathBuf, broken: BrokenAt },
    #[error("journal {file}: record {n} cannot be read: {why}")]
    Unreadable { file: PathBuf, n: i64, why: String },
    #[error("journal {file} cannot be read: {source}")]
    Sqlite { file: PathBuf, source: rusqlite::Error },
}

fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    match error.sqlite_error() {
        // The shared index beside the -wal could not grow.
        Some(error) if error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE => {
            Some(ErrorCode::DiskFull)
        }
        error => error.map(|error| error.code),
    }
}

impl OpenError {
    pub(crate) fn io(file: &Path, act: &'static str, source: io::Error) -> Self {
        let file = file.to_owned();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                OpenError::Permission { file }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OpenError::DiskFull { file },
            _ => OpenError::Io { file, act, source },
        }
    }

    pub(crate) fn sqlite(file: &Path, source: rusqlite::Error) -> Self {
        let file = file.to_owned();
        match code(&source) {
            Some(ErrorCode::NotADatabase) => OpenError::NotAJournal { file, why: "it is no SQLite file" },
            Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { file, why: source.to_string() },
            Some(ErrorCode::DiskFull) => OpenError::DiskFull { file },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => OpenError::Permission { file },
            _ => OpenError::Sqlite { file, source },
        }
    }

    pub(crate) fn append(error: AppendError) -> Self {
        match error {
            AppendError::DiskFull { file } => OpenError::DiskFull { file },
            AppendError::ReadOnly { file } => OpenError::Permission { file },
            AppendError::Sqlite { file, source } => OpenError::Sqlite { file, source },
            AppendError::Unfit { file, unfit } => OpenError::Unfit { file, unfit },
            AppendError::Disturbed { file, found, left } => OpenError::Damaged {
                why: format!("its end was moved by someone else (record {found}, left at {left})"),
                file,
            },
        }
    }

    pub(crate) fn read(error: ReadError) -> Self {
        match error {
            ReadError::Broken { file, broken } => OpenError::Broken { file, broken },
            ReadError::Unreadable { file, n, why } => {
                OpenError::Damaged { file, why: format!("record {n} cannot be read: {why}") }
            }
            ReadError::Sqlite { file, source } => OpenError::sqlite(&file, source),
        }
    }
}

impl AppendError {
    pub(crate) fn sqlite(file: &Path, source: rusqlite::Error) -> Self {
        let file = file.to_owned();
        match code(&source) {
            Some(ErrorCode::DiskFull) => AppendError::DiskFull { file },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => AppendError::ReadOnly { file },
            _ => AppendError::Sqlite { file, source },
        }
    }
}

impl ReadError {
    pub(crate) fn sqlite(file: &Path, source: rusqlite::Error) -> Self {
        ReadError::Sqlite { file: file.to_owned(), source }
    }
}
