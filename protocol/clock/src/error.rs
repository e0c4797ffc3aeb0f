//! Why a message was not taken, or not written.

use crate::frame::BadField;
use crate::json::Fault;
use crate::{ClockId, JsonError, RangeError};
use core::fmt;

/// Words of an error for a person. A clock has nobody to read them, so there they are left out, and with them what would
/// hand them from function to function.
pub(crate) const fn words(said: &'static str) -> &'static str {
    if cfg!(target_os = "none") { "" } else { said }
}

/// Why bytes are no message for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// Longer than any message; dropped up to the next delimiter.
    TooLong,
    /// Neither a frame nor a line of JSON: noise, or text of a program starting up.
    Garbage,
    /// A line of JSON that cannot be read.
    Json(JsonError),
    /// A frame whose COBS does not end where the frame does, or too short.
    Cobs,
    /// A frame of a version this program does not know.
    Version(u8),
    /// A frame of a kind this program does not know.
    Kind(u8),
    /// A field of a frame is cut off or holds what it cannot.
    Field(&'static str),
    /// A value outside its range.
    Range(RangeError),
    /// A line without the CRC that it needs.
    Unchecked,
    /// The CRC does not fit: damaged on the way.
    Crc,
    /// This clock has a key, and the message no seal.
    Unsealed(ClockId),
    /// The seal does not fit: another key, another topic, or forged.
    Seal(ClockId),
    /// A command where a report was due.
    NotReport,
    /// A report where a command was due.
    NotCommand,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("longer than any message"),
            Self::Garbage => f.write_str("neither a frame nor a line of json"),
            Self::Json(error) => fmt::Display::fmt(error, f),
            Self::Cobs => f.write_str("no whole frame"),
            Self::Version(version) => write!(f, "a frame of version {version}, this program knows 1"),
            Self::Kind(kind) => write!(f, "a frame of unknown kind {kind}"),
            Self::Field(field) => write!(f, "field {field} of a frame is cut off or out of bounds"),
            Self::Range(error) => fmt::Display::fmt(error, f),
            Self::Unchecked => f.write_str("a line without its crc"),
            Self::Crc => f.write_str("the crc does not fit"),
            Self::Unsealed(clock) => write!(f, "clock {clock} has a key, but the message no seal"),
            Self::Seal(clock) => write!(f, "the seal of clock {clock} does not fit"),
            Self::NotReport => f.write_str("a command where a report was due"),
            Self::NotCommand => f.write_str("a report where a command was due"),
        }
    }
}

impl core::error::Error for DecodeError {}

impl From<BadField> for DecodeError {
    fn from(BadField(field): BadField) -> Self {
        Self::Field(field)
    }
}

impl From<RangeError> for DecodeError {
    fn from(error: RangeError) -> Self {
        Self::Range(error)
    }
}

impl From<Fault> for DecodeError {
    fn from(fault: Fault) -> Self {
        Self::Json(fault.into())
    }
}

impl From<JsonError> for DecodeError {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

/// Why a message was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The buffer is too small; [`MAX_LINE`](crate::MAX_LINE) bytes always do.
    Full,
    /// A value outside its range.
    Range(RangeError),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the buffer is too small for the message"),
            Self::Range(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl core::error::Error for EncodeError {}

impl From<RangeError> for EncodeError {
    fn from(error: RangeError) -> Self {
        Self::Range(error)
    }
}
