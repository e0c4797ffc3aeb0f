//! A record of 176 bytes: what it is, its fields, a check.

use embedded_storage::nor_flash::NorFlash;
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

    /// So many bytes; none where there are not so many.
    pub(super) fn piece(&mut self, len: usize) -> &[u8] {
        let from = self.place;
        self.place += len;
        self.bytes.get(from..self.place).unwrap_or_default()
    }

    pub(super) fn get<const N: usize>(&mut self) -> [u8; N] {
        self.piece(N).try_into().unwrap_or([0; N])
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

/// What stands at a place of the memory. None where the check does not fit, or it is something else.
#[inline(never)]
pub(super) fn read<F: NorFlash>(flash: &mut F, at: u32, layout: [u8; 4]) -> Result<Option<Fields>, F::Error> {
    let mut fields = Fields { bytes: [0; LENGTH], place: layout.len() };
    flash.read(at, &mut fields.bytes)?;
    let (covered, check) = fields.bytes.split_at(CHECK);
    let whole = covered.starts_with(&layout) && crc32(covered).to_le_bytes() == *check;
    Ok(whole.then_some(fields))
}
