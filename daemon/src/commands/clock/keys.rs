//! Keys on their way into a clock: read from a file, or made and added to the venue's keys file.
//!
//! The file has the key before the clock has it, so that no clock ever seals with a key that nobody knows; it is taken
//! out again where the clock refused it. Nothing said of a file contains what stands in it.

use crate::cli::{Exit, Failure};
use flagfall_clock::{ClockId, Key};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Bytes of a new key.
const NEW: usize = 32;

fn fault(exit: Exit, path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::new(exit, format!("{}: {what}", path.display()))
}

/// The key in a file: hex digits alone, or a keys file that has this clock.
pub(super) fn read(path: &Path, clock: ClockId) -> Result<Key, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| fault(Exit::Io, path, format!("cannot be read: {error}")))?;
    let bare = text.trim();
    if bare.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return bare.parse().map_err(|error| fault(Exit::Usage, path, error));
    }
    let table = table(path, &text)?;
    let key = table.get(clock.as_str()).ok_or_else(|| {
        fault(Exit::Usage, path, format!("has no key of {clock}; --new-key makes one and adds it"))
    })?;
    let key = key
        .as_str()
        .ok_or_else(|| fault(Exit::Usage, path, format!("the key of {clock} is no text in quotes")))?;
    key.parse().map_err(|error| fault(Exit::Usage, path, format!("the key of {clock}: {error}")))
}

/// A keys file as the daemon reads it. The reader's own words would show the line, and with it the key.
fn table(path: &Path, text: &str) -> Result<toml::Table, Failure> {
    let table = text.trim_start_matches('\u{feff}').parse::<toml::Table>().map_err(|error| {
        let line =
            error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        fault(
            Exit::Usage,
            path,
            format!("is no keys file, see its line {line}; a line is NAME = \"hex digits\""),
        )
    })?;
    match table.iter().find(|(_, value)| !value.is_str()) {
        Some((name, _)) => {
            Err(fault(Exit::Usage, path, format!("is no keys file: `{name}` is no text in quotes")))
        }
        None => Ok(table),
    }
}

/// A keys file that is to have one key more, ours alone meanwhile.
#[derive(Debug)]
pub(super) struct KeysFile {
    path: PathBuf,
    file: File,
    /// Its length before anything was added, where something was.
    before: Option<u64>,
    text: String,
    created: bool,
}

impl Drop for KeysFile {
    fn drop(&mut self) {
        if self.created && self.before.is_none() {
            // it came into being for nothing
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl KeysFile {
    /// Opens it, or makes one that its owner alone may read; refuses where the clock has a key there already.
    pub(super) fn open(path: &Path, clock: ClockId) -> Result<Self, Failure> {
        let io = |error: std::io::Error| fault(Exit::Io, path, format!("cannot be opened: {error}"));
        let mut options = OpenOptions::new();
        options.read(true).append(true).mode(0o600);
        let (mut file, created) = match options.clone().create_new(true).open(path) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                (options.open(path).map_err(io)?, false)
            }
            Err(error) => return Err(io(error)),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(fault(
                    Exit::Unavailable,
                    path,
                    "another clock is being given its key; try again then",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let keys = Self { path: path.to_owned(), file, before: None, text, created };
        if table(path, &keys.text)?.contains_key(clock.as_str()) {
            return Err(fault(
                Exit::Failed,
                path,
                format!(
                    "has a key of {clock} already: give that one with --key-file, or take its line out first"
                ),
            ));
        }
        Ok(keys)
    }

    /// Adds a new key; it is on the disk when this ends.
    pub(super) fn add(&mut self, clock: ClockId) -> Result<Key, Failure> {
        let mut bytes = [0; NEW];
        getrandom::fill(&mut bytes).map_err(|error| {
            Failure::new(Exit::Unavailable, format!("no random bytes from the system: {error}"))
        })?;
        let key = Key::new(&bytes).map_err(|error| Failure::new(Exit::Failed, error))?;
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let ended = self.text.is_empty() || self.text.ends_with('\n');
        // a dot would make a table of it
        let quote = if clock.as_str().contains('.') { "\"" } else { "" };
        let line = format!("{}{quote}{clock}{quote} = \"{hex}\"\n", if ended { "" } else { "\n" });
        self.before = Some(self.text.len() as u64);
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_all());
        if let Err(error) = written {
            let _ = self.withdraw();
            return Err(fault(Exit::Io, &self.path, format!("cannot be written: {error}")));
        }
        Ok(key)
    }

    /// Takes the key out again: the clock did not take it.
    pub(super) fn withdraw(&mut self) -> std::io::Result<()> {
        match self.before.take() {
            Some(before) => self.file.set_len(before).and_then(|()| self.file.sync_all()),
            None => Ok(()),
        }
    }

    /// Who else may read it, if anybody may.
    pub(super) fn open_to_others(&self) -> Option<String> {
        let mode = self.file.metadata().ok()?.permissions().mode() & 0o777;
        (mode & 0o077 != 0)
            .then(|| format!("others may read it ({mode:04o}): chmod 600 {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ClockId {
        text.parse().unwrap()
    }

    #[test]
    fn a_key_is_added_as_the_daemon_reads_it_and_taken_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        let first = KeysFile::open(&path, name("A01")).unwrap().add(name("A01")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let before = fs::read_to_string(&path).unwrap();
        assert_eq!(read(&path, name("A01")).unwrap().bytes(), first.bytes());

        // a last line without an end, and a name with a dot
        fs::write(&path, before.trim_end()).unwrap();
        let mut keys = KeysFile::open(&path, name("A.2")).unwrap();
        let second = keys.add(name("A.2")).unwrap();
        assert_ne!(first.bytes(), second.bytes());
        assert_eq!(read(&path, name("A.2")).unwrap().bytes(), second.bytes());
        assert_eq!(read(&path, name("A01")).unwrap().bytes(), first.bytes());
        keys.withdraw().unwrap();
        drop(keys);
        assert_eq!(fs::read_to_string(&path).unwrap(), before.trim_end());
    }

    #[test]
    fn what_is_there_already_is_not_written_over_and_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        let secret = "00112233445566778899aabbccddeeff";
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            let failure = KeysFile::open(&path, name("A01")).unwrap_err();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            let message = failure.message().unwrap();
            assert!(!message.contains(secret), "{message}");
            (failure.exit(), message)
        };
        let (exit, message) = refused(&format!("A01 = \"{secret}\"\n"));
        assert!(exit == Exit::Failed && message.contains("has a key of A01 already"), "{message}");
        let (exit, message) = refused(&format!("A02 = 5\nA03 = \"{secret}\n"));
        assert!(exit == Exit::Usage && message.contains("see its line 2"), "{message}");
        assert_eq!(refused(&format!("[A]\n1 = \"{secret}\"\n")).0, Exit::Usage);
        fs::write(&path, "").unwrap();
        let _held = KeysFile::open(&path, name("A01")).unwrap();
        assert_eq!(KeysFile::open(&path, name("A02")).unwrap_err().exit(), Exit::Unavailable);
    }

    #[test]
    fn a_file_made_for_nothing_is_gone_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        drop(KeysFile::open(&path, name("A01")).unwrap());
        assert!(!path.exists());
        let mut keys = KeysFile::open(&path, name("A01")).unwrap();
        keys.add(name("A01")).unwrap();
        keys.withdraw().unwrap();
        drop(keys);
        assert!(!path.exists());
    }

    #[test]
    fn a_key_alone_in_a_file_is_read_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a01.key");
        fs::write(&path, "00112233445566778899aabbccddeeff\n").unwrap();
        assert_eq!(read(&path, name("A01")).unwrap().bytes().len(), 16);
        for (text, why) in [
            ("0011", "16 to 64"),
            ("", "16 to 64"),
            ("A02 = \"00\"", "has no key of A01"),
            ("A01 = \"0x\"", "the key of A01"),
        ] {
            fs::write(&path, text).unwrap();
            let failure = read(&path, name("A01")).unwrap_err();
            assert!(failure.message().unwrap().contains(why), "{text}: {failure}");
        }
        assert_eq!(read(&folder.path().join("none"), name("A01")).unwrap_err().exit(), Exit::Io);
    }
}
