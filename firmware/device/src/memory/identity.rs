//! Who the clock is, as bytes.

use super::record::{self, Fields, sealed};
use embedded_storage::nor_flash::NorFlash;
use flagfall_clock::{Encoding, Identity, Key, MAX_TRIM_PPM};

const LAYOUT: [u8; 4] = *b"FID1";
const LONGEST_KEY: usize = 64;

#[inline(never)]
pub(super) fn write<F: NorFlash>(flash: &mut F, at: u32, identity: &Identity) -> Result<(), F::Error> {
    let mut fields = Fields::new(LAYOUT);
    let name = identity.clock.as_str().as_bytes();
    fields.put(&[u8::try_from(name.len()).unwrap_or(0)]);
    fields.put(name);
    fields.skip_to(24);
    let key = identity.key.as_ref().map(Key::bytes).unwrap_or_default();
    fields.put(&[u8::try_from(key.len()).unwrap_or(0)]);
    fields.put(key);
    fields.skip_to(24 + 1 + LONGEST_KEY);
    fields.put(&[u8::from(identity.encoding == Encoding::Binary), u8::from(identity.sound)]);
    fields.put(&identity.trim_ppm.to_le_bytes());
    flash.erase(at, at + u32::try_from(F::ERASE_SIZE).unwrap_or(0))?;
    flash.write(at, &sealed(fields))
}

/// None where nothing, or nothing whole, stands there.
pub(super) fn read<F: NorFlash>(flash: &mut F, at: u32) -> Result<Option<Identity>, F::Error> {
    Ok(record::read(flash, at, LAYOUT)?.and_then(parse))
}

#[inline(never)]
fn parse(mut fields: Fields) -> Option<Identity> {
    let [name_len] = fields.get();
    let name: [u8; 16] = fields.get();
    let name = name.get(..usize::from(name_len))?;
    let clock = core::str::from_utf8(name).ok()?.parse().ok()?;
    fields.skip_to(24);
    let [key_len] = fields.get();
    let key: [u8; LONGEST_KEY] = fields.get();
    let key = match key.get(..usize::from(key_len))? {
        [] => None,
        key => Some(Key::new(key).ok()?),
    };
    let [binary, sound] = fields.get();
    let trim_ppm = i16::from_le_bytes(fields.get());
    Some(Identity {
        clock,
        key,
        encoding: if binary == 1 { Encoding::Binary } else { Encoding::Json },
        trim_ppm: trim_ppm.clamp(-MAX_TRIM_PPM, MAX_TRIM_PPM),
        sound: sound == 1,
    })
}
