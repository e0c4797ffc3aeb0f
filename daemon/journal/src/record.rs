//! What a record is. Bodies are opaque: one JSON value on one line, written and read back byte for byte.

use std::fmt;
use std::str::FromStr;

use crate::chain::Hash;

/// A record as it stands in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 1 without holes.
    pub n: u64,
    /// Venue time: milliseconds since the journal began. Never less than that of the record before.
    pub at_ms: u64,
    /// What it is.
    pub kind: Kind,
    /// Number of the event it tells, from 1 without holes, if it tells one.
    pub seq: Option<u64>,
    /// One JSON value, without a line break.
    pub body: String,
    /// Over this record and all before it.
    pub hash: Hash,
}

/// A record to be appended; the journal gives it its number and hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecord {
    /// Venue time in milliseconds; not less than that of the record before.
    pub at_ms: u64,
    /// What it is; anything but [`Kind::Journal`].
    pub kind: Kind,
    /// If it tells an event: that event's number, one more than the last.
    pub seq: Option<u64>,
    /// One JSON value, without a line break.
    pub body: String,
}

/// What a record is, stored as a short text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The journal's own: its id, and where it goes on from. Only this crate writes it.
    Journal,
    /// What the event began with.
    Begin,
    /// Something that came from outside, or fell due.
    Input,
    /// What followed from the inputs before it.
    Decision,
    /// The merged state of all clocks, for the picture between events.
    Sample,
    /// A kind of another version: kept, and read back as it is.
    Other(OtherKind),
}

/// The name of a kind this version does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OtherKind(Box<str>);

/// The text cannot name a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kind {0:?} is not 1 to 32 of a-z, 0-9, '_', '-' and '.'")]
pub struct KindError(pub String);

impl Kind {
    /// The text it is stored as.
    pub fn as_str(&self) -> &str {
        match self {
            Kind::Journal => "journal",
            Kind::Begin => "begin",
            Kind::Input => "input",
            Kind::Decision => "decision",
            Kind::Sample => "sample",
            Kind::Other(OtherKind(name)) => name,
        }
    }
}

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let fits = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'_' | b'-' | b'.');
        match text {
            "journal" => Ok(Kind::Journal),
            "begin" => Ok(Kind::Begin),
            "input" => Ok(Kind::Input),
            "decision" => Ok(Kind::Decision),
            "sample" => Ok(Kind::Sample),
            _ if (1..=32).contains(&text.len()) && text.bytes().all(fits) => {
                Ok(Kind::Other(OtherKind(text.into())))
            }
            _ => Err(KindError(text.chars().take(64).collect())),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_back_and_strange_ones_are_kept() {
        for text in ["journal", "begin", "input", "decision", "sample", "anchor.2"] {
            assert_eq!(text.parse::<Kind>().expect("a kind").as_str(), text);
        }
        for wrong in ["", "Input", "in put", "a\"b", &"x".repeat(33), "时"] {
            assert!(wrong.parse::<Kind>().is_err(), "{wrong:?}");
        }
    }
}
