//! The writing side: one batch, one transaction.

use std::fs::File;
use std::path::Path;

use rusqlite::{OptionalExtension, Transaction, TransactionBehavior};

use crate::chain::{self, Hash, Head, JournalId, Link};
use crate::error::{AppendError, OpenError};
use crate::reader::{Reader, signed};
use crate::record::NewRecord;
use crate::records::{Checked, Records};
use crate::tail::Tail;

/// A journal open for appending. No other process can open it so until this one drops it or ends.
#[derive(Debug)]
pub struct Journal {
    // Closed before the lock is let go: fields are dropped in this order.
    pub(crate) reader: Reader,
    pub(crate) lock: Option<File>,
    pub(crate) id: JournalId,
    pub(crate) head: Head,
    pub(crate) tail: Tail,
}

impl Journal {
    /// Its present id: events are counted within it.
    pub fn id(&self) -> JournalId {
        self.id
    }

    /// The last record's number and hash.
    pub fn head(&self) -> Head {
        self.head
    }

    /// What the next record must follow.
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// The journal's file.
    pub fn file(&self) -> &Path {
        &self.reader.file
    }

    /// To read with; for another thread, [`Reader::open`] one of its own.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// All records from `from_n` on, in order.
    pub fn read(&self, from_n: u64) -> Records<'_> {
        self.reader.read(from_n)
    }

    /// As [`Journal::read`], each checked against the one before.
    pub fn read_checked(&self, from_n: u64) -> Checked<'_> {
        self.reader.read_checked(from_n)
    }

    /// Appends all of `batch`, or nothing, in one transaction, and returns the last record's number. On return it is
    /// as durable as the journal was opened for.
    ///
    /// After an error nothing of it was written, and the same batch may be tried again.
    pub fn append(&mut self, batch: &[NewRecord]) -> Result<u64, AppendError> {
        let tail = self.tail.after(batch);
        let tail = tail.map_err(|unfit| AppendError::Unfit { file: self.reader.file.clone(), unfit })?;
        self.write(batch, tail)
    }

    /// Closes it, its `-wal` moved into the file. Dropping does the same, but says nothing if it fails.
    pub fn close(self) -> Result<(), OpenError> {
        let Reader { conn, file } = self.reader;
        conn.close().map_err(|(_, error)| OpenError::sqlite(&file, error))
    }

    /// Writes records already found to fit; `tail` is the tail after them.
    pub(crate) fn write(&mut self, batch: &[NewRecord], tail: Tail) -> Result<u64, AppendError> {
        if batch.is_empty() {
            return Ok(self.head.n);
        }
        match insert(&self.reader, self.head, batch) {
            Ok(Ok(head)) => {
                (self.head, self.tail) = (head, tail);
                Ok(head.n)
            }
            Ok(Err(found)) => {
                Err(AppendError::Disturbed { file: self.reader.file.clone(), found, left: self.head.n })
            }
            Err(error) => Err(AppendError::sqlite(&self.reader.file, error)),
        }
    }
}

/// The head after `batch`; or, if the journal does not end at `head`, the number at which it does.
fn insert(reader: &Reader, head: Head, batch: &[NewRecord]) -> rusqlite::Result<Result<Head, u64>> {
    let conn = &reader.conn;
    // Rolled back when dropped without a commit.
    let all = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let there = conn
        .prepare_cached("SELECT n, hash FROM record ORDER BY n DESC LIMIT 1")?
        .query_row([], |row| Ok(Head { n: row.get::<_, i64>(0)?.cast_unsigned(), hash: Hash(row.get(1)?) }))
        .optional()?;
    let links = batch.iter().zip(head.n + 1..).map(|(record, n)| {
        let NewRecord { at_ms, kind, seq, body } = record;
        Link { n, at_ms: *at_ms, kind, seq: *seq, body }
    });
    match there {
        Some(there) if there == head => {}
        None if head.n == 0 => {}
        there => {
            // A commit that failed and yet came to be: this same batch, tried again.
            let after =
                links.fold(head, |head, link| Head { n: link.n, hash: chain::follow(&head.hash, &link) });
            return Ok(if there == Some(after) { Ok(after) } else { Err(there.map_or(0, |there| there.n)) });
        }
    }
    let sql = "INSERT INTO record (n, at_ms, kind, seq, body, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut statement = conn.prepare_cached(sql)?;
    let mut hash = head.hash;
    let mut last = head.n;
    for link in links {
        hash = chain::follow(&hash, &link);
        last = link.n;
        let Link { n, at_ms, kind, seq, body } = link;
        statement.execute((signed(n), signed(at_ms), kind.as_str(), seq.map(signed), body, &hash.0[..]))?;
    }
    drop(statement);
    all.commit()?;
    Ok(Ok(Head { n: last, hash }))
}
