//! Messages as JSON. Carries; the shape of the members is that of `docs/api/clocks.md`.
//!
//! Commands are written with serde-json-core, what a clock says with our own [`write`]. Read with our own [`read`], because
//! clocks are made by third parties and serde-json-core refuses legal JSON they may send (`1e3`, surrogate pairs) and
//! recurses on what it skips, which hostile input turns into a stack overflow.

mod action;
mod event;
mod members;
mod names;
mod read;
mod value;
mod write;

pub(crate) use action::read_command;
pub(crate) use members::{FirstFault, MOST, Members, Named, members};
pub(crate) use read::Fault;
pub use read::{JsonError, Reason};
pub(crate) use write::{Out, report as write_report};

use serde::{Deserialize, Serialize};

/// Reads one JSON value that fills `text` but for white space.
pub fn from_slice<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, JsonError> {
    let mut reader = read::Reader::new(text)?;
    let value = T::deserialize(&mut reader).map_err(|error| error.at(reader.at()))?;
    reader.end()?;
    Ok(value)
}

/// Writes into `out`; `None` where it does not fit.
pub(crate) fn to_slice<T: Serialize>(value: &T, out: &mut [u8]) -> Option<usize> {
    serde_json_core::to_slice(value, out).ok()
}
