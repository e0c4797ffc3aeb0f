//! A fixed number of bytes, written and read one after the other, with a check at their end.

use super::SavedError;
use flagfall_clock::{Side, crc32};

/// Length of a saved game, in bytes.
pub const LENGTH: usize = 160;
/// Where the check stands.
const CHECK: usize = LENGTH - 4;

/// Written one after the other.
pub struct Bytes {
    bytes: [u8; LENGTH],
    place: usize,
}

impl Bytes {
    pub const fn new() -> Self {
        Self { bytes: [0; LENGTH], place: 0 }
    }

    /// The lowest `len` bytes of a number, the lowest first. One function for all numbers: a small controller has it once.
    #[inline(never)]
    fn put(&mut self, number: u64, len: usize) {
        for (place, byte) in self.bytes.iter_mut().skip(self.place).zip(number.to_le_bytes()).take(len) {
            *place = byte;
        }
        self.place += len;
    }

    pub fn byte(&mut self, number: u8) {
        self.put(u64::from(number), 1);
    }

    pub fn flag(&mut self, yes: bool) {
        self.byte(u8::from(yes));
    }

    pub fn small(&mut self, number: u16) {
        self.put(u64::from(number), 2);
    }

    pub fn number(&mut self, number: u32) {
        self.put(u64::from(number), 4);
    }

    pub fn signed(&mut self, number: i64) {
        self.put(number.cast_unsigned(), 8);
    }

    pub fn one_of<T: PartialEq>(&mut self, all: &[T], one: &T) {
        let place = all.iter().position(|other| other == one).and_then(|place| u8::try_from(place).ok());
        self.byte(place.unwrap_or(0));
    }

    pub fn side(&mut self, side: Option<Side>) {
        self.one_of(&SIDES, &side);
    }

    /// What was put, with its check.
    pub fn sealed(mut self) -> [u8; LENGTH] {
        debug_assert!(self.place <= CHECK, "{} bytes before the check", self.place);
        self.place = CHECK;
        self.number(crc32(&self.bytes[..CHECK]));
        self.bytes
    }
}

/// Read one after the other. The first value that is none of those which are written is kept in mind.
pub struct Opened<'a> {
    bytes: &'a [u8],
    place: usize,
    wrong: bool,
}

impl<'a> Opened<'a> {
    /// To be read, if their check fits; of another layout where the first byte is not `layout`.
    pub fn new(bytes: &'a [u8], layout: u8) -> Result<Self, SavedError> {
        if bytes.len() != LENGTH || bytes[0] != layout {
            return Err(SavedError::Layout);
        }
        let mut from = Self { bytes, place: CHECK, wrong: false };
        if from.number() != crc32(&bytes[..CHECK]) {
            return Err(SavedError::Check);
        }
        from.place = 1;
        Ok(from)
    }

    #[inline(never)]
    fn get(&mut self, len: usize) -> u64 {
        let mut number = [0; 8];
        for (byte, place) in number.iter_mut().zip(self.bytes.iter().skip(self.place)).take(len) {
            *byte = *place;
        }
        self.place += len;
        u64::from_le_bytes(number)
    }

    pub fn byte(&mut self) -> u8 {
        self.get(1) as u8
    }

    pub fn small(&mut self) -> u16 {
        self.get(2) as u16
    }

    pub fn number(&mut self) -> u32 {
        self.get(4) as u32
    }

    pub fn signed(&mut self) -> i64 {
        self.get(8).cast_signed()
    }

    pub fn flag(&mut self) -> bool {
        let byte = self.byte();
        self.must(byte <= 1);
        byte == 1
    }

    pub fn side(&mut self) -> Option<Side> {
        self.one_of(&SIDES)
    }

    pub fn one_of<T: Copy, const N: usize>(&mut self, all: &[T; N]) -> T {
        let place = usize::from(self.byte());
        self.must(place < N);
        all[place.min(N - 1)]
    }

    /// What was read is not what is written.
    pub fn must(&mut self, right: bool) {
        self.wrong |= !right;
    }

    /// What was read, if all of it is as it is written.
    pub fn or_wrong<T>(&self, read: T) -> Result<T, SavedError> {
        if self.wrong { Err(SavedError::Value) } else { Ok(read) }
    }
}

const SIDES: [Option<Side>; 3] = [None, Some(Side::Left), Some(Side::Right)];
