//! Whether a journal is what was written.
//!
//! Found: a record changed in any part, missing, put in or out of place, times or events out of step, a strange beginning,
//! an id that changed without saying so, a damaged file. **Not found**, by this or anything else in the file: a tail cut
//! off at a whole record, and a chain computed anew from some record on by somebody who has this program. Both show
//! against a [`Head`] noted or signed elsewhere in time: on the printed sheets of a round, in the arbiters' system, in
//! another daemon's journal. Give those to [`verify_against`].

use std::path::Path;

use serde::Deserialize;

use crate::chain::{Head, JournalId};
use crate::error::{OpenError, ReadError};
use crate::reader::{Reader, wal_waits};
use crate::record::Kind;

/// A journal that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its present id.
    pub id: JournalId,
    /// How many records it has.
    pub records: u64,
    /// How many of them tell an event.
    pub events: u64,
    /// The last record's number and hash.
    pub head: Head,
    /// Venue time of the last record, in milliseconds.
    pub at_ms: u64,
    /// Where a copy went on under a new id.
    pub continued: Vec<Continuation>,
}

/// A copy of a journal that went on: events of the old id end at record `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The id until then.
    pub from: JournalId,
    /// The last record written under it.
    pub n: u64,
}

/// The first record that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("broken at record {n}: {what}")]
pub struct BrokenAt {
    /// Its number.
    pub n: u64,
    /// What is wrong with it.
    pub what: Break,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Break {
    #[error("its content or its place was changed: its hash does not follow from the record before")]
    Changed,
    #[error("it is missing")]
    Missing,
    #[error("its number is below 1: it was put in")]
    PutIn,
    #[error("it does not say what journal this is")]
    NoBeginning,
    #[error("its time {at_ms} ms is before that of the record before, {last_ms} ms")]
    TimeWentBack { at_ms: u64, last_ms: u64 },
    #[error("event {seq} does not follow event {last}")]
    SeqOutOfStep { seq: u64, last: u64 },
    #[error("it does not say rightly what journal this goes on from")]
    Continuation,
    #[error("its hash is not the one noted elsewhere: it or something before it was rewritten")]
    NotAsNoted,
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    #[error("it is the last, and the file's own structure is damaged: {0}")]
    Structure(String),
}

/// Why a journal could not be found whole.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum VerifyError {
    #[error(transparent)]
    Broken(#[from] BrokenAt),
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// The body of a record of kind `journal`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "OwnText")]
pub(crate) struct Own {
    pub id: JournalId,
    pub continues: Option<Continuation>,
}

#[derive(Deserialize)]
struct OwnText {
    id: String,
    #[serde(default)]
    continues: Option<ContinuesText>,
}

#[derive(Deserialize)]
struct ContinuesText {
    id: String,
    n: u64,
}

impl TryFrom<OwnText> for Own {
    type Error = crate::chain::NotHex;

    fn try_from(text: OwnText) -> Result<Self, Self::Error> {
        let continues =
            text.continues.map(|c| Ok(Continuation { from: c.id.parse()?, n: c.n })).transpose()?;
        Ok(Own { id: text.id.parse()?, continues })
    }
}

impl Own {
    pub fn parse(body: &str) -> Result<Own, String> {
        serde_json::from_str(body).map_err(|error| error.to_string())
    }

    pub fn body(&self) -> String {
        let id = self.id;
        // Hex digits and a number need no escapes.
        match self.continues {
            None => format!(r#"{{"id":"{id}"}}"#),
            Some(Continuation { from, n }) => {
                format!(r#"{{"id":"{id}","continues":{{"id":"{from}","n":{n}}}}}"#)
            }
        }
    }
}

/// Checks every record of a journal, or of a copy of one. Reads only.
pub fn verify(path: impl AsRef<Path>) -> Result<Verified, VerifyError> {
    verify_against(path, &[])
}

/// As [`verify`], and against heads noted elsewhere: a record at each of their numbers must be there with that hash.
pub fn verify_against(path: impl AsRef<Path>, noted: &[Head]) -> Result<Verified, VerifyError> {
    let path = path.as_ref();
    let quiet = !wal_waits(path);
    match check(&Reader::open_offline(path)?, noted) {
        // It was read without locks because nobody seemed to write. If somebody began meanwhile, that proves nothing.
        Err(_) if quiet && wal_waits(path) => Ok(check(&Reader::open(path)?, noted)?),
        result => Ok(result?),
    }
}

fn check(reader: &Reader, noted: &[Head]) -> Result<Verified, BrokenAt> {
    let mut checked = reader.read_checked(1);
    let mut own: Option<Own> = None;
    let mut continued = Vec::new();
    let mut next = 1;
    // SQLite counts from far below 0.
    if let Ok(Some(Some(n))) = reader.one("SELECT min(n) FROM record", [], |row| row.get::<_, Option<i64>>(0))
        && n < 1
    {
        return Err(BrokenAt { n: 0, what: Break::PutIn });
    }
    for record in checked.by_ref() {
        let record = record.map_err(|error| broken(error, next))?;
        let n = record.n;
        if record.kind == Kind::Journal {
            let said =
                Own::parse(&record.body).map_err(|why| BrokenAt { n, what: Break::Unreadable(why) })?;
            if let Some(before) = own {
                match said.continues {
                    Some(from) if from.from == before.id && from.n == n - 1 => continued.push(from),
                    _ => return Err(BrokenAt { n, what: Break::Continuation }),
                }
            }
            own = Some(said);
        }
        if noted.iter().any(|head| head.n == n && head.hash != record.hash) {
            return Err(BrokenAt { n, what: Break::NotAsNoted });
        }
        next = n + 1;
    }
    let (Some((head, tail)), Some(own)) = (checked.reached(), own) else {
        return Err(BrokenAt { n: 1, what: Break::Missing });
    };
    if noted.iter().any(|noted| noted.n > head.n) {
        return Err(BrokenAt { n: next, what: Break::Missing });
    }
    structure(reader).map_err(|why| BrokenAt { n: head.n, what: Break::Structure(why) })?;
    Ok(Verified { id: own.id, records: head.n, events: tail.seq, head, at_ms: tail.at_ms, continued })
}

/// The indexes say the same as the table, and pages hang together.
fn structure(reader: &Reader) -> Result<(), String> {
    let said = reader.conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    match said {
        Ok(said) if said == "ok" => Ok(()),
        Ok(said) => Err(said),
        Err(error) => Err(error.to_string()),
    }
}

/// `next` is the record that was being read.
fn broken(error: ReadError, next: u64) -> BrokenAt {
    match error {
        ReadError::Broken { broken, .. } => broken,
        ReadError::Unreadable { n, why, .. } => {
            BrokenAt { n: u64::try_from(n).unwrap_or(next), what: Break::Unreadable(why) }
        }
        ReadError::Sqlite { source, .. } => BrokenAt { n: next, what: Break::Unreadable(source.to_string()) },
    }
}
