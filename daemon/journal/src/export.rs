//! Records as text, for people and other programs.
//!
//! Each is `{"n":…,"at_ms":…,"kind":"…","seq":…,"body":…,"hash":"…"}`, the body exactly as it was written, so that
//! whoever has the export can compute the chain anew. `seq` is `null` where no event is told.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use crate::error::ReadError;
use crate::reader::Reader;
use crate::record::{Kind, Record};

/// How records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One object a line.
    #[default]
    JsonLines,
    /// One array of objects, one a line.
    JsonArray,
}

/// Which records are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// By number.
    pub n: RangeInclusive<u64>,
    /// Only these kinds; all if empty.
    pub kinds: Vec<Kind>,
    /// Only those that tell an event.
    pub events_only: bool,
}

impl Default for Filter {
    /// Everything.
    fn default() -> Self {
        Filter { n: 1..=u64::MAX, kinds: Vec::new(), events_only: false }
    }
}

impl Filter {
    fn takes(&self, record: &Record) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&record.kind))
            && (!self.events_only || record.seq.is_some())
    }
}

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExportError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the export cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes records to `out` and says how many. Does not check the chain; [`crate::verify()`] does.
pub fn export(
    reader: &Reader,
    out: &mut impl Write,
    format: Format,
    filter: &Filter,
) -> Result<u64, ExportError> {
    let mut written = 0;
    if format == Format::JsonArray {
        out.write_all(b"[")?;
    }
    for record in reader.read(*filter.n.start()) {
        let record = record?;
        if record.n > *filter.n.end() {
            break;
        }
        if !filter.takes(&record) {
            continue;
        }
        if format == Format::JsonArray {
            out.write_all(if written == 0 { b"\n" } else { b",\n" })?;
        }
        write_object(out, &record)?;
        if format == Format::JsonLines {
            out.write_all(b"\n")?;
        }
        written += 1;
    }
    if format == Format::JsonArray {
        out.write_all(b"\n]\n")?;
    }
    out.flush()?;
    Ok(written)
}

fn write_object(out: &mut impl Write, record: &Record) -> io::Result<()> {
    let Record { n, at_ms, kind, seq, body, hash } = record;
    // A kind needs no escapes.
    write!(out, r#"{{"n":{n},"at_ms":{at_ms},"kind":"{kind}","seq":"#)?;
    match seq {
        Some(seq) => write!(out, "{seq}")?,
        None => out.write_all(b"null")?,
    }
    write!(out, r#","body":{body},"hash":"{hash}"}}"#)
}
