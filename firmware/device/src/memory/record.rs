//! A record of 176 bytes: what it is, its fields, a check.

use flagfall_clock::crc32;

/// Length of a record, in bytes.
pub(super) const LENGTH: usize = 176;
const CHECK: usize = LENGTH - 4;

/// Fields one after the other; what was not written is 0.
pub(super) struct Fields {
    bytes: [u8; LENGTH],
    place: usize,
}

impl Fields {
    pub(super) fn new(layout: [u8; 4]) -> Self {
        let mut fields = Self { bytes: [0; LENGTH], place: 0 };
        fields.put(&layout);
        fields
    }

    pub(super) fn put(&mut self, value: &[u8]) {
        let end = self.place + value.len();
        debug_assert!(end <= CHECK, "{end} bytes before the check");
        if let Some(place) = self.bytes.get_mut(self.place..end) {
            place.copy_from_slice(value);
        }
        self.place = end;
    }

    pub(super) const fn skip_to(&mut self, place: usize) {
        self.place = place;
    }

    pub(super) fn get<const N: usize>(&mut self) -> [u8; N] {
        let value = self.bytes.get(self.place..self.place + N).and_then(|bytes| bytes.try_into().ok());
        self.place += N;
        value.unwrap_or([0; N])
    }
}

/// With its check, ready to be written.
#[inline(never)]
pub(super) fn sealed(fields: Fields) -> [u8; LENGTH] {
    let mut bytes = fields.bytes;
    let check = crc32(&bytes[..CHECK]).to_le_bytes();
    bytes[CHECK..].copy_from_slice(&check);
    bytes
}

/// None where the check does not fit, or it is something else.
#[inline(never)]
pub(super) fn opened(bytes: &[u8; LENGTH], layout: [u8; 4]) -> Option<Fields> {
    (bytes[..4] == layout && crc32(&bytes[..CHECK]).to_le_bytes() == bytes[CHECK..])
        .then_some(Fields { bytes: *bytes, place: 4 })
}
