//! Fields of a binary frame, one after the other, as postcard writes them.
//!
//! Fields are only ever appended. So a reader takes those it knows and leaves the rest, and asks at
//! the end of an older writer's fields with [`Fields::or`] for a default.

use serde::{Deserialize, Serialize};

/// A field that is cut off, or holds what it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadField(pub &'static str);

/// Fields still to be read.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// A field every version has.
    pub fn take<T: Deserialize<'a>>(&mut self, field: &'static str) -> Result<T, BadField> {
        let (value, rest) = postcard::take_from_bytes(self.0).map_err(|_| BadField(field))?;
        self.0 = rest;
        Ok(value)
    }

    /// A field that older writers do not have.
    pub fn or<T: Deserialize<'a>>(&mut self, field: &'static str, default: T) -> Result<T, BadField> {
        if self.0.is_empty() { Ok(default) } else { self.take(field) }
    }

    /// A length-prefixed block of fields of its own; empty where an older writer has none.
    pub fn block(&mut self, field: &'static str) -> Result<Fields<'a>, BadField> {
        let len: u32 = self.or(field, 0)?;
        let len = usize::try_from(len).map_err(|_| BadField(field))?;
        let (block, rest) = self.0.split_at_checked(len).ok_or(BadField(field))?;
        self.0 = rest;
        Ok(Fields(block))
    }
}

/// Where a frame is written; `None` once something does not fit.
pub struct Out<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl<'a> Out<'a> {
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, len: 0 }
    }

    pub fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub fn raw(&mut self, bytes: &[u8]) -> Option<()> {
        self.bytes.get_mut(self.len..self.len + bytes.len())?.copy_from_slice(bytes);
        self.len += bytes.len();
        Some(())
    }

    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Option<()> {
        let written = postcard::to_slice(value, &mut self.bytes[self.len..]).ok()?.len();
        self.len += written;
        Some(())
    }

    /// A length-prefixed block. All of ours are shorter than 128 bytes, so the prefix is one byte.
    pub fn block(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let prefix = self.len;
        self.raw(&[0])?;
        write(self)?;
        let len = self.len - prefix - 1;
        if len > 127 {
            return None;
        }
        self.bytes[prefix] = len as u8;
        Some(())
    }
}
