//! The hash chain, and the names that hang on it.
//!
//! With `u32` and `u64` big-endian and `len` counting bytes:
//!
//! ```text
//! hash(0) = SHA-256( "flagfall-journal/1" 00 || id (16 bytes) )
//! hash(n) = SHA-256( hash(n-1) || u64 n || u64 at_ms
//!                    || u32 len(kind) || kind
//!                    || 00, or 01 || u64 seq
//!                    || u64 len(body) || body )
//! ```
//!
//! Every part has a fixed length or its length before it, so no two different records give the same bytes. `id` is the
//! one the journal was begun with; it stands in the body of record 1.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::record::Kind;

/// The SHA-256 of a record and all before it; shown as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

/// A record's number and hash: whoever noted it can later prove that nothing up to it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of the record, from 1; 0 before the first.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
}

/// A journal's name: 128 random bits, shown as 32 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JournalId(pub [u8; 16]);

/// The text is not the right number of hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {digits} hex digits")]
pub struct NotHex {
    digits: usize,
}

/// What a record's hash covers besides the hash before it.
pub(crate) struct Link<'a> {
    pub n: u64,
    pub at_ms: u64,
    pub kind: &'a Kind,
    pub seq: Option<u64>,
    pub body: &'a str,
}

/// The hash before the first record.
pub(crate) fn root(id: &JournalId) -> Hash {
    let mut sha = Sha256::new();
    sha.update(b"flagfall-journal/1\0");
    sha.update(id.0);
    Hash(sha.finalize().into())
}

/// The hash of the record that follows `before`.
pub(crate) fn follow(before: &Hash, link: &Link<'_>) -> Hash {
    let kind = link.kind.as_str().as_bytes();
    let mut sha = Sha256::new();
    sha.update(before.0);
    sha.update(link.n.to_be_bytes());
    sha.update(link.at_ms.to_be_bytes());
    // A kind has at most 32 bytes.
    sha.update((kind.len() as u32).to_be_bytes());
    sha.update(kind);
    match link.seq {
        None => sha.update([0]),
        Some(seq) => {
            sha.update([1]);
            sha.update(seq.to_be_bytes());
        }
    }
    sha.update((link.body.len() as u64).to_be_bytes());
    sha.update(link.body.as_bytes());
    Hash(sha.finalize().into())
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn read_hex<const N: usize>(text: &str) -> Result<[u8; N], NotHex> {
    let wrong = NotHex { digits: 2 * N };
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return Err(wrong);
    }
    let value = |digit: u8| (digit as char).to_digit(16).ok_or(wrong);
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        // Both are below 16.
        *byte = (value(pair[0])? * 16 + value(pair[1])?) as u8;
    }
    Ok(bytes)
}

macro_rules! hex_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self.0, f)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self.0, f)
            }
        }
        impl FromStr for $name {
            type Err = NotHex;
            fn from_str(text: &str) -> Result<Self, NotHex> {
                read_hex(text).map(Self)
            }
        }
    };
}
hex_text!(Hash);
hex_text!(JournalId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_reads_back_and_refuses_the_rest() {
        let id = JournalId(*b"0123456789abcdef");
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "zz", &"g".repeat(32), &"0".repeat(31), &"0".repeat(33), &"é".repeat(16)] {
            assert!(wrong.parse::<JournalId>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_encoding_is_the_documented_one() {
        // Worked out from the module's text alone, byte by byte.
        let before = root(&JournalId([7; 16]));
        let mut bytes = Vec::new();
        bytes.extend(Sha256::digest([b"flagfall-journal/1\0".as_slice(), &[7; 16]].concat()));
        assert_eq!(before.0[..], bytes[..]);
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 5]);
        bytes.extend([0, 0, 0, 0, 0, 0, 1, 0]);
        bytes.extend([0, 0, 0, 5]);
        bytes.extend(b"input");
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 9]);
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 2]);
        bytes.extend(b"{}");
        let link = Link { n: 5, at_ms: 256, kind: &Kind::Input, seq: Some(9), body: "{}" };
        assert_eq!(follow(&before, &link).0[..], Sha256::digest(&bytes)[..]);
    }

    #[test]
    fn every_part_of_a_record_moves_its_hash() {
        let before = root(&JournalId([1; 16]));
        let link = |n, at_ms, kind, seq, body| follow(&before, &Link { n, at_ms, kind, seq, body });
        let all = [
            link(2, 1, &Kind::Input, None, "1"),
            link(3, 1, &Kind::Input, None, "1"),
            link(2, 2, &Kind::Input, None, "1"),
            link(2, 1, &Kind::Sample, None, "1"),
            link(2, 1, &Kind::Input, Some(0), "1"),
            link(2, 1, &Kind::Input, Some(1), "1"),
            link(2, 1, &Kind::Input, None, "2"),
            follow(
                &root(&JournalId([2; 16])),
                &Link { n: 2, at_ms: 1, kind: &Kind::Input, seq: None, body: "1" },
            ),
        ];
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }
}
