//! The check on a message: CRC-32 against a bad line, a seal against a bad sender.
//!
//! A seal is HMAC-SHA-256 cut to 16 bytes, over the topic, a 00, and all bytes of the message
//! before it. Keys never show in `Debug` and seals are compared in constant time.

use crate::{ClockId, Topic};
use core::fmt;
use core::str::FromStr;
use crc::{CRC_32_ISO_HDLC, Crc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a seal.
pub const SEAL: usize = 16;
const MIN_KEY: usize = 16;
const MAX_KEY: usize = 64;
/// The longest key in hex digits.
pub(crate) const KEY_HEX: usize = 2 * MAX_KEY;

/// A small controller has no room for the kibibyte of the table, and few bytes to check.
#[cfg(target_os = "none")]
type Way = crc::NoTable;
#[cfg(not(target_os = "none"))]
type Way = crc::Table<1>;

static CRC: Crc<u32, Way> = Crc::<u32, Way>::new(&CRC_32_ISO_HDLC);

/// CRC-32 as in zlib and Ethernet.
#[must_use]
#[inline(never)]
pub fn crc32(bytes: &[u8]) -> u32 {
    CRC.checksum(bytes)
}

/// A clock's key, 16 to 64 bytes; 32 random ones are best.
#[derive(Clone)]
pub struct Key {
    bytes: [u8; MAX_KEY],
    len: u8,
}

/// Why something is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// Fewer than 16 bytes or more than 64.
    Length,
    /// Not pairs of hex digits.
    Hex,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "a key has 16 to 64 bytes",
            Self::Hex => "a key is written in pairs of hex digits",
        })
    }
}

impl core::error::Error for KeyError {}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// From its bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        if !(MIN_KEY..=MAX_KEY).contains(&key.len()) {
            return Err(KeyError::Length);
        }
        let mut bytes = [0; MAX_KEY];
        bytes[..key.len()].copy_from_slice(key);
        Ok(Self { bytes, len: key.len() as u8 })
    }

    /// Its bytes, for the memory it is kept in; nothing writes them anywhere else.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    fn mac(&self, topic: &Topic, bytes: &[u8]) -> Option<Hmac<Sha256>> {
        // HMAC takes a key of any length, so this is always some
        let mut mac = Hmac::<Sha256>::new_from_slice(self.bytes()).ok()?;
        mac.update(topic.text().as_bytes());
        mac.update(&[0]);
        mac.update(bytes);
        Some(mac)
    }

    /// The seal over `bytes` on `topic`.
    #[must_use]
    pub fn seal(&self, topic: &Topic, bytes: &[u8]) -> [u8; SEAL] {
        let mut seal = [0; SEAL];
        if let Some(mac) = self.mac(topic, bytes) {
            seal.copy_from_slice(&mac.finalize().into_bytes()[..SEAL]);
        }
        seal
    }

    /// Whether `seal` is that over `bytes` on `topic`, in constant time.
    #[must_use]
    pub fn fits(&self, topic: &Topic, bytes: &[u8], seal: &[u8; SEAL]) -> bool {
        self.mac(topic, bytes).is_some_and(|mac| mac.verify_truncated_left(seal).is_ok())
    }
}

impl FromStr for Key {
    type Err = KeyError;

    /// From hex digits.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let text = text.as_bytes().trim_ascii();
        if !text.len().is_multiple_of(2) {
            return Err(KeyError::Hex);
        }
        if text.len() / 2 > MAX_KEY {
            return Err(KeyError::Length);
        }
        let mut key = [0; MAX_KEY];
        let key = &mut key[..text.len() / 2];
        from_hex(text, key).ok_or(KeyError::Hex)?;
        Self::new(key)
    }
}

/// Reads pairs of hex digits into exactly `out`.
pub(crate) fn from_hex(text: &[u8], out: &mut [u8]) -> Option<()> {
    if text.len() != out.len() * 2 {
        return None;
    }
    for (pair, byte) in text.chunks_exact(2).zip(out) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high << 4 | low) as u8;
    }
    Some(())
}

/// Writes pairs of lower-case hex digits; `out` is twice as long.
pub(crate) fn to_hex(bytes: &[u8], out: &mut [u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (byte, pair) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
}

/// What a message is given to prove itself.
#[derive(Clone, Copy, Debug, Default)]
pub enum Check<'a> {
    /// Nothing. A frame has its CRC all the same.
    None,
    /// A CRC-32.
    #[default]
    Crc,
    /// A seal under this key. A frame has its CRC as well.
    Seal(&'a Key),
}

/// What a message proved itself by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Checked {
    /// Nothing.
    Not,
    /// A CRC-32.
    Crc,
    /// A seal that fits.
    Seal,
}

/// Which keys are known.
#[derive(Clone, Copy, Default)]
pub enum Keys<'a> {
    /// None: no seal is looked at.
    #[default]
    Unknown,
    /// One for all that comes, as at a clock or on a clock's own topic.
    One(&'a Key),
    /// Each clock's own, as at a line shared by several.
    Each(&'a (dyn Fn(&ClockId) -> Option<&'a Key> + Sync)),
}

impl fmt::Debug for Keys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "Unknown",
            Self::One(_) => "One(..)",
            Self::Each(_) => "Each(..)",
        })
    }
}

/// What is asked of a message that comes in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accept<'a> {
    /// JSON without a CRC is accepted: on MQTT, or on a line where a setting says so.
    pub unchecked: bool,
    /// Where there is a key for the message's clock, its seal is compulsory.
    pub keys: Keys<'a>,
}

impl<'a> Accept<'a> {
    /// JSON needs a CRC; no key is known.
    pub const CHECKED: Self = Self { unchecked: false, keys: Keys::Unknown };
    /// JSON needs no CRC; no key is known.
    pub const UNCHECKED: Self = Self { unchecked: true, keys: Keys::Unknown };

    /// A seal under `key` is compulsory.
    #[must_use]
    pub const fn sealed(key: &'a Key) -> Self {
        Self { unchecked: false, keys: Keys::One(key) }
    }

    /// With these keys.
    #[must_use]
    pub const fn with(self, keys: Keys<'a>) -> Self {
        Self { keys, ..self }
    }

    pub(crate) fn key(&self, clock: &ClockId) -> Option<&'a Key> {
        match self.keys {
            Keys::Unknown => None,
            Keys::One(key) => Some(key),
            Keys::Each(of) => of(clock),
        }
    }
}
