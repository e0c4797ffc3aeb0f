//! Records in order, in pages; as they stand, or each checked against the one before.

use std::collections::VecDeque;

use crate::chain::{self, Head, Link};
use crate::error::ReadError;
use crate::reader::{Reader, signed};
use crate::record::{Kind, Record};
use crate::tail::Tail;
use crate::verify::{Break, BrokenAt, Own};

/// Records fetched at a time.
const PAGE: i64 = 256;

pub(crate) type Fetched = VecDeque<Result<Record, ReadError>>;

/// Records in order. After an error it ends.
#[derive(Debug)]
pub struct Records<'a> {
    reader: &'a Reader,
    kind: Option<Kind>,
    next: i64,
    page: Fetched,
    done: bool,
}

impl<'a> Records<'a> {
    pub(crate) fn new(reader: &'a Reader, from_n: u64, kind: Option<Kind>) -> Self {
        Records { reader, kind, next: signed(from_n), page: Fetched::new(), done: false }
    }

    fn fetch(&mut self) -> Result<Fetched, ReadError> {
        match &self.kind {
            None => self.reader.page("WHERE n >= ?1 ORDER BY n LIMIT ?2", [self.next, PAGE]),
            Some(kind) => self.reader.page(
                "WHERE n >= ?1 AND kind = ?3 ORDER BY n LIMIT ?2",
                rusqlite::params![self.next, PAGE, kind.as_str()],
            ),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty() && !self.done {
            match self.fetch() {
                Ok(page) => self.page = page,
                Err(error) => self.page.push_back(Err(error)),
            }
        }
        let item = self.page.pop_front();
        match &item {
            Some(Ok(record)) => match signed(record.n).checked_add(1) {
                Some(next) => self.next = next,
                None => self.done = true,
            },
            Some(Err(_)) | None => {
                self.done = true;
                self.page.clear();
            }
        }
        item
    }
}

/// Records in order, each checked against the one before. After an error it ends.
#[derive(Debug)]
pub struct Checked<'a> {
    records: Records<'a>,
    before: Option<(Head, Tail)>,
    from: u64,
    done: bool,
}

impl<'a> Checked<'a> {
    pub(crate) fn new(reader: &'a Reader, from_n: u64) -> Self {
        let from = from_n.max(1);
        Checked { records: Records::new(reader, from, None), before: None, from, done: false }
    }

    fn broken(&self, n: u64, what: Break) -> ReadError {
        ReadError::Broken { file: self.records.reader.file.clone(), broken: BrokenAt { n, what } }
    }

    /// What the first record asked for must follow.
    fn begin(&mut self) -> Result<(Head, Tail), ReadError> {
        let reader = self.records.reader;
        if self.from > 1 {
            let n = self.from - 1;
            let before = reader.record(n)?.ok_or_else(|| self.broken(n, Break::Missing))?;
            // From the end of that index: the planner would rather go through all records.
            let sql = "SELECT seq FROM record INDEXED BY record_seq WHERE seq IS NOT NULL AND n <= ?1
                       ORDER BY seq DESC LIMIT 1";
            let seq = reader.one(sql, [signed(n)], |row| row.get::<_, i64>(0))?;
            let seq = seq.and_then(|seq| u64::try_from(seq).ok()).unwrap_or(0);
            return Ok((Head { n, hash: before.hash }, Tail { n, at_ms: before.at_ms, seq }));
        }
        let first = reader.record(1)?.ok_or_else(|| self.broken(1, Break::Missing))?;
        let own = (first.kind == Kind::Journal).then(|| Own::parse(&first.body).ok()).flatten();
        let own =
            own.filter(|own| own.continues.is_none()).ok_or_else(|| self.broken(1, Break::NoBeginning))?;
        Ok((Head { n: 0, hash: chain::root(&own.id) }, Tail::default()))
    }

    fn check(&mut self, record: &Record) -> Result<(), ReadError> {
        let (head, tail) = match self.before {
            Some(before) => before,
            None => self.begin()?,
        };
        let n = head.n + 1;
        if record.n != n {
            return Err(self.broken(n, Break::Missing));
        }
        let Record { at_ms, kind, seq, body, hash, .. } = record;
        if chain::follow(&head.hash, &Link { n, at_ms: *at_ms, kind, seq: *seq, body }) != *hash {
            return Err(self.broken(n, Break::Changed));
        }
        if *at_ms < tail.at_ms {
            return Err(self.broken(n, Break::TimeWentBack { at_ms: *at_ms, last_ms: tail.at_ms }));
        }
        if let Some(seq) = *seq
            && seq != tail.seq + 1
        {
            return Err(self.broken(n, Break::SeqOutOfStep { seq, last: tail.seq }));
        }
        let tail = Tail { n, at_ms: *at_ms, seq: seq.unwrap_or(tail.seq) };
        self.before = Some((Head { n, hash: *hash }, tail));
        Ok(())
    }

    /// The end of what was checked so far.
    pub(crate) fn reached(&self) -> Option<(Head, Tail)> {
        self.before
    }
}

impl Iterator for Checked<'_> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.records.next()?.and_then(|record| self.check(&record).map(|()| record));
        self.done = item.is_err();
        Some(item)
    }
}
