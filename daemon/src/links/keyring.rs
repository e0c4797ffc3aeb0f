//! The clocks' keys: whose messages must be sealed.

use flagfall_clock::{Accept, Check, ClockId, Key, Keys};
use std::collections::BTreeMap;

/// Each clock's key, where it has one.
#[derive(Debug, Default)]
pub struct Keyring {
    keys: BTreeMap<ClockId, Key>,
}

impl Keyring {
    /// These keys.
    #[must_use]
    pub const fn new(keys: BTreeMap<ClockId, Key>) -> Self {
        Self { keys }
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
