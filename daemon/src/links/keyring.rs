//! The clocks' keys: whose messages must be sealed.

use flagfall_clock::{Accept, Check, ClockId, Key, KeyError, Keys};
use std::collections::BTreeMap;

/// Each clock's key, where it has one.
#[derive(Debug, Default)]
pub struct Keyring {
    keys: BTreeMap<ClockId, Key>,
}

/// A key that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the key of clock {clock}: {error}")]
pub struct KeyringError {
    clock: ClockId,
    error: KeyError,
}

impl Keyring {
    /// From the configuration's keys.
    ///
    /// # Errors
    /// A key of the wrong length, naming its clock.
    pub fn new(keys: &BTreeMap<ClockId, crate::config::Key>) -> Result<Self, KeyringError> {
        let made = keys.iter().map(|(clock, key)| match Key::new(key.as_bytes()) {
            Ok(key) => Ok((*clock, key)),
            Err(error) => Err(KeyringError { clock: *clock, error }),
        });
        Ok(Self { keys: made.collect::<Result<_, _>>()? })
    }

    /// The key of `clock`.
    #[must_use]
    pub fn of(&self, clock: &ClockId) -> Option<&Key> {
        self.keys.get(clock)
    }

    /// How a command to `clock` proves itself: sealed where it has a key, else by a CRC.
    #[must_use]
    pub fn check(&self, clock: &ClockId) -> Check<'_> {
        self.of(clock).map_or(Check::Crc, Check::Seal)
    }

    /// Reads with `read`, asking the seal of every clock that has a key; JSON without CRC counts where `unchecked`.
    pub fn reading<T>(&self, unchecked: bool, read: impl FnOnce(&Accept<'_>) -> T) -> T {
        let each = |clock: &ClockId| self.keys.get(clock);
        read(&Accept { unchecked, keys: Keys::Each(&each) })
    }
}
