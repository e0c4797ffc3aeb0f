//! The journal of a rehearsal: whole and verifiable, without waiting for the disk.

use crate::cli::{Exit, Failure};
use flagfall_hall::{Hall, Record};
use flagfall_journal::{Broken, Durability, Journal, NewRecord, Options};
use flagfall_rules::Venue;
use std::path::Path;

/// Records written in one transaction.
const BATCH: usize = 4_096;

/// The journal.
pub(super) struct Book {
    journal: Journal,
    batch: Vec<NewRecord>,
    records: u64,
}

impl Book {
    pub(super) fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let begin =
            serde_json::json!({ "rehearsal": true, "version": env!("CARGO_PKG_VERSION") }).to_string();
        let journal = match file {
            Some(file) => {
                let options =
                    Options { durability: Durability::None, broken: Broken::Refuse, ..Options::default() };
                Journal::create(file, &begin, options).map(|(journal, _)| journal)
            }
            None => Journal::in_memory(&begin),
        };
        let journal = journal.map_err(|error| Failure::new(Exit::Io, error))?;
        Ok(Self { journal, batch: Vec::with_capacity(BATCH), records: 0 })
    }

    pub(super) fn write(&mut self, record: Record) -> Result<(), Failure> {
        self.records += 1;
        let kind = record.kind.parse().map_err(|error| Failure::new(Exit::Failed, error))?;
        self.batch.push(NewRecord { at_ms: record.at.0, kind, seq: record.seq, body: record.body });
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.journal.append(&self.batch).map_err(|error| Failure::new(Exit::Io, error))?;
        self.batch.clear();
        Ok(())
    }

    /// The hall as the journal leaves it, and when that was.
    pub(super) fn as_left(&mut self) -> Result<(Hall, Venue), Failure> {
        self.flush()?;
        let left = crate::shell::left(&self.journal).map_err(|error| Failure::new(Exit::Failed, error))?;
        left.map_err(|error| Failure::new(Exit::Failed, error))
    }

    pub(super) fn close(&mut self) -> Result<u64, Failure> {
        self.flush()?;
        Ok(self.records)
    }
}
