//! Why a JSON text was refused: with words for a person, or without for a small controller.

use super::Cut;
use crate::error::words;
use core::fmt::{self, Write};
use heapless::String;
use serde::de;

/// Why a JSON text was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte where it was noticed.
    pub at: usize,
    /// What was wrong.
    pub reason: Reason,
}

/// What was wrong with a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Not JSON.
    Syntax(&'static str),
    /// A field that must be there is not.
    Missing(&'static str),
    /// A field is not what it should be.
    Wrong(&'static str),
    /// JSON, but not what a field holds; cut to fit.
    Content(String<72>),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Syntax(what) => write!(f, "no json: {what} at byte {}", self.at),
            Reason::Missing(field) => write!(f, "field {field} is missing"),
            Reason::Wrong(field) => write!(f, "{field} is not what it should be at byte {}", self.at),
            Reason::Content(what) => write!(f, "{what} at byte {}", self.at),
        }
    }
}

impl core::error::Error for JsonError {}

impl JsonError {
    pub(crate) fn at(mut self, at: usize) -> Self {
        if self.at == 0 {
            self.at = at;
        }
        self
    }
}

impl de::Error for JsonError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let mut text = String::new();
        let _ = write!(Cut(&mut text), "{message}");
        Self { at: 0, reason: Reason::Content(text) }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { at: 0, reason: Reason::Missing(field) }
    }
}

/// Why a text was refused, without words of its own: three words of memory, where a [`JsonError`] has two dozen. A small
/// controller moves errors about at every step and never reads one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    at: usize,
    kind: FaultKind,
    what: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultKind {
    Syntax,
    Missing,
    Wrong,
}

impl Fault {
    /// Not JSON.
    pub fn syntax(at: usize, what: &'static str) -> Self {
        Self { at, kind: FaultKind::Syntax, what: words(what) }
    }

    /// A field is missing.
    pub const fn missing(field: &'static str, at: usize) -> Self {
        Self { at, kind: FaultKind::Missing, what: words(field) }
    }

    /// A field is not what it should be.
    pub const fn wrong(field: &'static str, at: usize) -> Self {
        Self { at, kind: FaultKind::Wrong, what: words(field) }
    }
}

impl From<Fault> for JsonError {
    fn from(fault: Fault) -> Self {
        let reason = match fault.kind {
            FaultKind::Syntax => Reason::Syntax(fault.what),
            FaultKind::Missing => Reason::Missing(fault.what),
            FaultKind::Wrong => Reason::Wrong(fault.what),
        };
        Self { at: fault.at, reason }
    }
}
