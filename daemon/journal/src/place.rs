//! Where a journal lies: the files beside it, the lock, and which file it is.
//!
//! **The lock** is an advisory lock (`flock`) on `NAME.lock`, held while a process writes; the kernel lets go of it
//! when the process ends, however it ends. It is on a file of its own because closing any other handle on the database
//! would drop the locks SQLite itself holds there, and because readers must get through. The file stays; its content
//! (the writer's pid) only serves the message. One file under two names (hard links) is not seen as one.
//!
//! **Which file it is**: the time the file was born, where the file system keeps it, else its inode. A copy is born
//! anew, a renamed or rebooted journal is not. Device numbers change over reboots and say nothing. A clone of a whole
//! disk or a snapshot cannot be told from its original: say so with `Options::as_copy`.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::error::OpenError;

/// A file that was moved out of the way, with what lay beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutAside {
    /// Where it lies now.
    pub to: PathBuf,
    /// What was wrong with it.
    pub why: String,
}

/// The path with symbolic links followed, so that one file has one lock. The file itself need not exist.
pub(crate) fn settle(path: &Path) -> Result<PathBuf, OpenError> {
    let wrong = |error| OpenError::io(path, "find", error);
    match fs::canonicalize(path) {
        Ok(path) => return Ok(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(wrong(error)),
    }
    let name = path.file_name().ok_or_else(|| wrong(io::ErrorKind::InvalidFilename.into()))?;
    Ok(fs::canonicalize(folder(path)).map_err(wrong)?.join(name))
}

pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Makes names just given or taken away in the file's folder durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), OpenError> {
    let folder = folder(path);
    File::open(folder).and_then(|dir| dir.sync_all()).map_err(|error| OpenError::io(folder, "sync", error))
}

/// Becomes the one process that writes `path`, until the file returned is closed.
pub(crate) fn lock(path: &Path) -> Result<File, OpenError> {
    let name = beside(path, ".lock");
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(|error| OpenError::io(&name, "create", error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let pid = file.take(20).read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
            return Err(OpenError::Locked { file: path.to_owned(), pid });
        }
        Err(TryLockError::Error(error)) => return Err(OpenError::io(&name, "lock", error)),
    }
    // For the message only: a full disk must not keep a journal from being opened and read.
    let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(file)
}

/// Which file this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    pub inode: u64,
    /// Nanoseconds since 1970, in decimal.
    pub born: Option<String>,
}

impl Home {
    pub fn of(path: &Path) -> io::Result<Home> {
        let about = fs::metadata(path)?;
        let born = about.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Ok(Home { inode: about.ino(), born: born.map(|since| since.as_nanos().to_string()) })
    }

    pub fn same_file(&self, other: &Home) -> bool {
        match (&self.born, &other.born) {
            // FAT gives out inodes anew at every mount, so they are not asked where there is something better.
            (Some(a), Some(b)) => a == b,
            _ => self.inode == other.inode,
        }
    }
}

/// Moves `path` and its `-wal` to the first free `NAME.broken-K`, and drops its `-shm`, which holds nothing of its own.
pub(crate) fn put_aside(path: &Path, why: String) -> Result<PutAside, OpenError> {
    let to = free_name(path, ".broken-");
    let wal = beside(path, "-wal");
    // The -wal first: were the power cut between the two, a next start would find the broken file without it, not a
    // new journal with a strange one.
    rename_if_there(&wal, &beside(&to, "-wal"))?;
    rename_if_there(path, &to)?;
    remove_if_there(&beside(path, "-shm"))?;
    sync_folder(path)?;
    Ok(PutAside { to, why })
}

/// Moves a `-wal` that does not belong to `path` to the first free `NAME.stray-K-wal`.
pub(crate) fn put_wal_aside(path: &Path, why: String) -> Result<PutAside, OpenError> {
    let to = beside(&free_name(path, ".stray-"), "-wal");
    rename_if_there(&beside(path, "-wal"), &to)?;
    remove_if_there(&beside(path, "-shm"))?;
    sync_folder(path)?;
    Ok(PutAside { to, why })
}

fn free_name(path: &Path, suffix: &str) -> PathBuf {
    let taken =
        |name: &PathBuf| name.symlink_metadata().is_ok() || beside(name, "-wal").symlink_metadata().is_ok();
    let mut k = 1_u64;
    loop {
        let name = beside(path, &format!("{suffix}{k}"));
        if !taken(&name) {
            return name;
        }
        k += 1;
    }
}

fn rename_if_there(from: &Path, to: &Path) -> Result<(), OpenError> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(OpenError::io(from, "put aside", error)),
        _ => Ok(()),
    }
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), OpenError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(OpenError::io(path, "remove", error)),
        _ => Ok(()),
    }
}

/// Whether all of the file is NULs, and if not, whether its first 16 bytes are.
pub(crate) fn nulls(path: &Path) -> io::Result<(bool, bool)> {
    let mut file = File::open(path)?;
    let mut block = vec![0; 1 << 16];
    let mut head = true;
    let mut at = 0_u64;
    loop {
        let got = match file.read(&mut block) {
            Ok(0) => return Ok((at > 0, head)),
            Ok(got) => got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if let Some(first) = block[..got].iter().position(|byte| *byte != 0) {
            head &= at + first as u64 >= 16;
            return Ok((false, head));
        }
        at += got as u64;
    }
}
