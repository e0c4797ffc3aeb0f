//! Fields of a binary frame, one after the other, written as postcard writes them.
//!
//! Fields are only ever appended. So a reader takes those it knows and leaves the rest, and at the end of an older
//! writer's fields finds that there is no [`Fields::more`]. The first fault is kept beside in place of being handed up
//! at every step, and a value has one way of being read and written, not one for each type: serde's way would cost a
//! small controller 4 KB. That the two agree, a test holds.

use crate::error::words;

/// A field that is cut off, or holds what it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadField(pub &'static str);

/// Bits of a byte that hold a part of a number; the last one says that more follow.
const PART: u32 = 7;
const MORE: u8 = 0x80;

/// Fields still to be read. After a fault nothing follows, and what is given has no meaning.
pub struct Fields<'a> {
    rest: &'a [u8],
    fault: Option<BadField>,
}

impl<'a> Fields<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, fault: None }
    }

    /// What was read, if no fault was found.
    pub fn or_fault<T>(&self, read: T) -> Result<T, BadField> {
        self.fault.map_or(Ok(read), Err)
    }

    /// Whether another field stands there.
    pub const fn more(&self) -> bool {
        !self.rest.is_empty()
    }

    /// `field` is not what it should be.
    #[inline(never)]
    pub fn wrong(&mut self, field: &'static str) {
        self.fault.get_or_insert(BadField(words(field)));
        self.rest = &[];
    }

    /// So many bytes.
    fn bytes(&mut self, len: usize, field: &'static str) -> &'a [u8] {
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            self.wrong(field);
            return &[];
        };
        self.rest = rest;
        bytes
    }

    /// A plain byte.
    pub fn byte(&mut self, field: &'static str) -> u8 {
        self.bytes(1, field).first().copied().unwrap_or(0)
    }

    /// A number of at most so many bits.
    #[inline(never)]
    fn bits(&mut self, bits: u32, field: &'static str) -> u64 {
        let mut number = 0;
        let mut place = 0;
        while place < bits {
            let byte = self.byte(field);
            let fits = bits - place >= u8::BITS || byte >> (bits - place) == 0;
            if !fits {
                break;
            }
            number |= u64::from(byte & !MORE) << place;
            if byte & MORE == 0 {
                return number;
            }
            place += PART;
        }
        self.wrong(field);
        0
    }

    /// A number of 64 bits.
    pub fn long(&mut self, field: &'static str) -> u64 {
        self.bits(64, field)
    }

    /// A number of 32 bits.
    #[inline(never)]
    pub fn number(&mut self, field: &'static str) -> u32 {
        self.bits(32, field) as u32
    }

    /// A number of 16 bits.
    #[inline(never)]
    pub fn small(&mut self, field: &'static str) -> u16 {
        self.bits(16, field) as u16
    }

    /// A number that may be below zero: its sign stands in its lowest bit.
    #[inline(never)]
    pub fn signed(&mut self, field: &'static str) -> i64 {
        let folded = self.long(field);
        (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed())
    }

    /// Yes or no; also whether a field that may be left out is there.
    #[inline(never)]
    pub fn flag(&mut self, field: &'static str) -> bool {
        let byte = self.byte(field);
        if byte > 1 {
            self.wrong(field);
        }
        byte == 1
    }

    /// A text.
    pub fn text(&mut self, field: &'static str) -> &'a str {
        let bytes = self.piece(field);
        core::str::from_utf8(bytes).unwrap_or_else(|_| {
            self.wrong(field);
            ""
        })
    }

    /// Bytes with their number before them.
    #[inline(never)]
    pub fn piece(&mut self, field: &'static str) -> &'a [u8] {
        let len = self.number(field) as usize;
        self.bytes(len, field)
    }

    /// A number that older writers do not have.
    #[inline(never)]
    pub fn number_or(&mut self, field: &'static str, unsaid: u32) -> u32 {
        if self.more() { self.number(field) } else { unsaid }
    }

    /// The same for yes or no.
    #[inline(never)]
    pub fn flag_or(&mut self, field: &'static str, unsaid: bool) -> bool {
        if self.more() { self.flag(field) } else { unsaid }
    }

    /// A number that may be left out, and that older writers do not have.
    #[inline(never)]
    pub fn maybe(&mut self, field: &'static str) -> Option<u32> {
        self.flag_or(field, false).then(|| self.number(field))
    }

    /// A length-prefixed block of fields of its own; empty where an older writer has none. What `read` finds wrong is
    /// wrong here too, and what it leaves is passed over.
    pub fn block<T>(&mut self, field: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        let block = if self.more() { self.piece(field) } else { &[] };
        let after = core::mem::replace(&mut self.rest, block);
        let read = read(self);
        self.rest = if self.fault.is_none() { after } else { &[] };
        read
    }
}

/// Where a frame is written. What does not fit is left out, and then nothing counts.
pub struct Out<'a> {
    bytes: &'a mut [u8],
    len: usize,
    full: bool,
}

impl<'a> Out<'a> {
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, len: 0, full: false }
    }

    /// What was written; none where it did not fit.
    pub fn written(&self) -> Option<&[u8]> {
        if self.full { None } else { self.bytes.get(..self.len) }
    }

    #[inline(never)]
    pub fn byte(&mut self, byte: u8) {
        match self.bytes.get_mut(self.len) {
            Some(place) => {
                *place = byte;
                self.len += 1;
            }
            None => self.full = true,
        }
    }

    #[inline(never)]
    pub fn raw(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.byte(*byte);
        }
    }

    #[inline(never)]
    pub fn long(&mut self, mut number: u64) {
        while number > u64::from(!MORE) {
            self.byte(number as u8 | MORE);
            number >>= PART;
        }
        self.byte(number as u8);
    }

    #[inline(never)]
    pub fn number(&mut self, number: u32) {
        self.long(u64::from(number));
    }

    #[inline(never)]
    pub fn signed(&mut self, number: i64) {
        self.long((number << 1 ^ number >> 63).cast_unsigned());
    }

    pub fn flag(&mut self, yes: bool) {
        self.byte(u8::from(yes));
    }

    #[inline(never)]
    pub fn maybe(&mut self, number: Option<u32>) {
        self.flag(number.is_some());
        if let Some(number) = number {
            self.number(number);
        }
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.raw(text.as_bytes());
    }

    /// A length-prefixed block. All of ours are shorter than 128 bytes, so the prefix is one byte.
    pub fn block(&mut self, write: impl FnOnce(&mut Self)) {
        let prefix = self.len;
        self.byte(0);
        write(self);
        match self.bytes.get_mut(prefix) {
            Some(place) if self.len - prefix - 1 < usize::from(MORE) => {
                *place = (self.len - prefix - 1) as u8
            }
            _ => self.full = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..64_u32).prop_map(|(number, shift)| number >> shift)
    }

    /// What postcard takes from `bytes`, and how many it leaves.
    fn theirs<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Option<(T, usize)> {
        postcard::take_from_bytes(bytes).ok().map(|(value, rest)| (value, rest.len()))
    }

    fn ours<'a, T>(bytes: &'a [u8], read: impl FnOnce(&mut Fields<'a>) -> T) -> Option<(T, usize)> {
        let mut fields = Fields::new(bytes);
        let value = read(&mut fields);
        fields.or_fault((value, fields.rest.len())).ok()
    }

    proptest! {
        #[test]
        fn whatever_stands_there_is_read_as_postcard_reads_it(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0x80), Just(0xff), 0..4_u8], 0..12)
        ) {
            prop_assert_eq!(ours(&bytes, |own| own.long("")), theirs(&bytes));
            prop_assert_eq!(ours(&bytes, |own| own.number("")), theirs(&bytes));
            prop_assert_eq!(ours(&bytes, |own| own.small("")), theirs(&bytes));
            prop_assert_eq!(ours(&bytes, |own| own.signed("")), theirs(&bytes));
            prop_assert_eq!(ours(&bytes, |own| own.flag("")), theirs(&bytes));
            prop_assert_eq!(ours(&bytes, |own| own.byte("")), theirs(&bytes));
            if !bytes.is_empty() {
                prop_assert_eq!(ours(&bytes, |own| own.maybe("")), theirs(&bytes));
            }
        }

        #[test]
        fn whatever_is_written_is_written_as_postcard_writes_it(
            number in numbers(), signed in any::<i64>(), text in ".{0,8}", maybe in any::<Option<u32>>()
        ) {
            let short = number as u32;
            let mut bytes = [0; 96];
            let mut out = Out::new(&mut bytes);
            out.long(number);
            out.number(short);
            out.signed(signed >> (number % 64));
            out.flag(signed < 0);
            out.text(&text);
            out.maybe(maybe);
            let mut other = [0; 96];
            let all = (number, short, signed >> (number % 64), signed < 0, text.as_str(), maybe);
            prop_assert_eq!(out.written().unwrap(), postcard::to_slice(&all, &mut other).unwrap());
        }
    }

    #[test]
    fn after_a_fault_nothing_follows_and_the_first_one_is_told() {
        let mut fields = Fields::new(&[2, 7, 2, 1]);
        let read = fields.block("block", |own| (own.number("a"), own.flag("b"), own.number("c")));
        assert_eq!((read, fields.more()), ((7, false, 0), false));
        assert_eq!(fields.or_fault(()), Err(BadField("b")));
    }

    #[test]
    fn what_does_not_fit_counts_for_nothing() {
        let mut bytes = [0; 130];
        let mut out = Out::new(&mut bytes[..3]);
        out.raw(&[1, 2, 3]);
        assert_eq!(out.written(), Some(&[1, 2, 3][..]));
        out.byte(4);
        assert_eq!(out.written(), None);
        let mut out = Out::new(&mut bytes);
        out.block(|out| out.raw(&[5; 127]));
        assert_eq!(out.written().map(<[u8]>::len), Some(128));
        let mut out = Out::new(&mut bytes);
        out.block(|out| out.raw(&[5; 128]));
        assert_eq!(out.written(), None);
    }
}
