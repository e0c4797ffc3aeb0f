//! A fixed number of bytes, written and read one after the other, with a check at their end.

use super::SavedError;
use flagfall_clock::{Side, crc32};

/// Length of a saved game, in bytes.
pub const LENGTH: usize = 160;
/// Where the check stands.
const CHECK: usize = LENGTH - 4;

pub struct Bytes {
    bytes: [u8; LENGTH],
    place: usize,
}

impl Bytes {
    pub const fn new() -> Self {
        Self { bytes: [0; LENGTH], place: 0 }
    }

    pub fn put<const N: usize>(&mut self, value: [u8; N]) {
        for byte in value {
            if let Some(place) = self.bytes.get_mut(self.place) {
                *place = byte;
            }
            self.place += 1;
        }
    }

    /// What was put, with its check.
    pub fn sealed(mut self) -> [u8; LENGTH] {
        debug_assert!(self.place <= CHECK, "{} bytes before the check", self.place);
        let check = crc32(&self.bytes[..CHECK]).to_le_bytes();
        self.place = CHECK;
        self.put(check);
        self.bytes
    }

    /// To be read, if their check fits; of another layout where the first byte is not `layout`.
    pub fn opened(bytes: &[u8], layout: u8) -> Result<Self, SavedError> {
        let bytes: [u8; LENGTH] = bytes.try_into().map_err(|_| SavedError::Layout)?;
        if bytes[0] != layout {
            return Err(SavedError::Layout);
        }
        let mut from = Self { bytes, place: CHECK };
        if u32::from_le_bytes(from.get()) != crc32(&bytes[..CHECK]) {
            return Err(SavedError::Check);
        }
        from.place = 1;
        Ok(from)
    }

    pub fn get<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| {
            let byte = self.bytes.get(self.place).copied().unwrap_or(0);
            self.place += 1;
            byte
        })
    }

    pub fn byte(&mut self) -> u8 {
        let [byte] = self.get();
        byte
    }

    pub fn flag(&mut self) -> Result<bool, SavedError> {
        self.one_of(&[false, true])
    }

    pub fn side(&mut self) -> Result<Option<Side>, SavedError> {
        self.one_of(&SIDES)
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> Result<T, SavedError> {
        all.get(usize::from(self.byte())).copied().ok_or(SavedError::Value)
    }

    pub fn put_one_of<T: PartialEq>(&mut self, all: &[T], one: &T) {
        let place = all.iter().position(|other| other == one).and_then(|place| u8::try_from(place).ok());
        self.put([place.unwrap_or(0)]);
    }

    pub fn put_side(&mut self, side: Option<Side>) {
        self.put_one_of(&SIDES, &side);
    }
}

const SIDES: [Option<Side>; 3] = [None, Some(Side::Left), Some(Side::Right)];
