//! What may follow. A [`Tail`] is the end of a journal as far as the next record must fit it; whoever queues records
//! keeps one, so that an unfit record is refused where it was made and never reaches the disk's queue.

use serde::de::IgnoredAny;

use crate::record::{Kind, NewRecord};

/// The longest body taken, in bytes.
pub const MAX_BODY: usize = 16 << 20;

/// SQLite counts in signed 64 bits.
const MAX_NUMBER: u64 = i64::MAX as u64;

/// The end of a journal: what the next record must follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// Number of the last record.
    pub n: u64,
    /// Its venue time in milliseconds.
    pub at_ms: u64,
    /// Number of the last event told; 0 before the first.
    pub seq: u64,
}

/// Why a record cannot follow. `n` is the number it would have got.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Its time is before that of the record before, or beyond all counting.
    #[error(
        "record {n}: its time {at_ms} ms is before {last_ms} ms, that of the record before, or out of range"
    )]
    Time {
        /// Number it would have got.
        n: u64,
        /// Its time.
        at_ms: u64,
        /// Time of the record before.
        last_ms: u64,
    },
    /// Its event number is not one more than the last.
    #[error("record {n}: event {seq} does not follow event {last}")]
    Seq {
        /// Number it would have got.
        n: u64,
        /// Its event number.
        seq: u64,
        /// The last one.
        last: u64,
    },
    /// Its body is not one JSON value.
    #[error("record {n}: its body is not one JSON value: {why}")]
    NotJson {
        /// Number it would have got.
        n: u64,
        /// What the parser said.
        why: String,
    },
    /// Its body has a line break, which would make two lines of it in an export.
    #[error("record {n}: its body has a line break")]
    LineBreak {
        /// Number it would have got.
        n: u64,
    },
    /// Its body is longer than [`MAX_BODY`].
    #[error("record {n}: its body of {bytes} bytes is longer than {MAX_BODY}")]
    TooLong {
        /// Number it would have got.
        n: u64,
        /// Its length.
        bytes: usize,
    },
    /// Only the journal itself writes records of kind `journal`.
    #[error("record {n}: kind `journal` is the journal's own")]
    OwnKind {
        /// Number it would have got.
        n: u64,
    },
}

impl Tail {
    /// The tail after `batch`, if each of it fits; else what is wrong with the first that does not.
    pub fn after(self, batch: &[NewRecord]) -> Result<Tail, Unfit> {
        batch.iter().try_fold(self, |tail, record| {
            if record.kind == Kind::Journal {
                Err(Unfit::OwnKind { n: tail.n + 1 })
            } else {
                tail.step(record)
            }
        })
    }

    /// As [`Tail::after`] for one record, the journal's own included.
    pub(crate) fn step(self, record: &NewRecord) -> Result<Tail, Unfit> {
        let n = self.n + 1;
        let NewRecord { at_ms, seq, body, .. } = record;
        if *at_ms < self.at_ms || *at_ms > MAX_NUMBER {
            return Err(Unfit::Time { n, at_ms: *at_ms, last_ms: self.at_ms });
        }
        if let Some(seq) = *seq
            && seq != self.seq + 1
        {
            return Err(Unfit::Seq { n, seq, last: self.seq });
        }
        if body.len() > MAX_BODY {
            return Err(Unfit::TooLong { n, bytes: body.len() });
        }
        if body.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return Err(Unfit::LineBreak { n });
        }
        if let Err(error) = serde_json::from_str::<IgnoredAny>(body) {
            return Err(Unfit::NotJson { n, why: error.to_string() });
        }
        Ok(Tail { n, at_ms: *at_ms, seq: seq.unwrap_or(self.seq) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(at_ms: u64, seq: Option<u64>, body: &str) -> NewRecord {
        NewRecord { at_ms, kind: Kind::Input, seq, body: body.into() }
    }

    #[test]
    fn what_does_not_follow_is_refused_by_number() {
        let tail = Tail { n: 4, at_ms: 100, seq: 2 };
        let refused = |r: NewRecord| tail.after(&[record(100, None, "{}"), r]).expect_err("unfit");
        assert_eq!(refused(record(99, None, "{}")), Unfit::Time { n: 6, at_ms: 99, last_ms: 100 });
        assert!(matches!(refused(record(u64::MAX, None, "{}")), Unfit::Time { n: 6, .. }));
        assert_eq!(refused(record(100, Some(2), "{}")), Unfit::Seq { n: 6, seq: 2, last: 2 });
        assert_eq!(refused(record(100, Some(4), "{}")), Unfit::Seq { n: 6, seq: 4, last: 2 });
        assert_eq!(refused(record(100, None, "{\n}")), Unfit::LineBreak { n: 6 });
        for body in ["", "{", "{} {}", "nul", "{\"a\":}"] {
            assert!(matches!(refused(record(100, None, body)), Unfit::NotJson { n: 6, .. }), "{body:?}");
        }
        let own = NewRecord { kind: Kind::Journal, ..record(100, None, "{}") };
        assert_eq!(refused(own), Unfit::OwnKind { n: 6 });
        let long = format!("\"{}\"", "x".repeat(MAX_BODY));
        assert!(matches!(refused(record(100, None, &long)), Unfit::TooLong { n: 6, .. }));
    }

    #[test]
    fn what_follows_moves_the_tail() {
        let batch = [record(7, Some(1), "1"), record(7, None, "null"), record(9, Some(2), "\"a\"")];
        assert_eq!(Tail::default().after(&batch), Ok(Tail { n: 3, at_ms: 9, seq: 2 }));
        assert_eq!(Tail::default().after(&[]), Ok(Tail::default()));
    }
}
