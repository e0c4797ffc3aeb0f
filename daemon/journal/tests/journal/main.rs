//! The journal as its users see it: real SQLite files in folders of their own.

mod append;
mod broken;
mod crash;
mod disk;
mod many;
mod place;
mod tamper;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_journal::{Journal, Kind, NewRecord, Options, Record};

const BEGIN: &str = r#"{"event":"2012 武工杯"}"#;

fn input(at_ms: u64, body: impl Into<String>) -> NewRecord {
    NewRecord { at_ms, kind: Kind::Input, seq: None, body: body.into() }
}

fn event(at_ms: u64, seq: u64) -> NewRecord {
    NewRecord { at_ms, kind: Kind::Decision, seq: Some(seq), body: format!(r#"{{"event":{seq}}}"#) }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn create(path: &Path) -> Journal {
    Journal::create(path, BEGIN, Options::default()).expect("created").0
}

/// A journal of `inputs` inputs after its first two records, at 10, 20, 30 ... ms, closed.
fn closed(path: &Path, inputs: u64) {
    let mut journal = create(path);
    let batch: Vec<_> = (1..=inputs).map(|i| input(i * 10, i.to_string())).collect();
    journal.append(&batch).expect("appended");
    journal.close().expect("closed");
}

fn all(journal: &Journal) -> Vec<Record> {
    journal.read_checked(1).collect::<Result<_, _>>().expect("whole")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

/// What a power cut would leave of a journal that is open: its files as they are now, elsewhere.
fn image(path: &Path, to: &Path) {
    fs::copy(path, to).expect("copied");
    fs::copy(beside(path, "-wal"), beside(to, "-wal")).expect("copied");
}
