//! What a clock is set to: by its maker ([`Settings`]) and by whoever sets it for a game ([`Setup`]).

use crate::control;
use flagfall_clock::{Can, ClockId, Player, Side, StopButton, TimeControl};
use heapless::String;

/// The most a side or an increment can be set to, in milliseconds: 99:59:59, what the display can show. A command
/// beyond (either way: a deduction may go below zero) is refused as out of range.
pub const MAX_MS: i64 = 359_999_000;

/// What a game is played under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The control.
    pub control: TimeControl,
    /// Where the first player sits.
    pub first_side: Side,
    /// What the stop button does.
    pub stop_button: StopButton,
}

impl Default for Setup {
    /// 三(1): 50:00 and 15 s with each move, the first player on the left.
    fn default() -> Self {
        Self {
            control: TimeControl::fischer(3_000_000, 15_000),
            first_side: Side::Left,
            stop_button: StopButton::On,
        }
    }
}

impl Setup {
    /// Whether a clock can play it: every time can be held and shown, with all that is granted later, and the parts of
    /// the control go together.
    #[must_use]
    pub fn in_range(&self) -> bool {
        control::playable(&self.control)
    }

    pub(crate) fn player(&self, side: Side) -> Player {
        Player::at(side, self.first_side)
    }
}

/// What a clock is, from its maker or its board; only [`Setup`] changes while it is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Its own name.
    pub clock: ClockId,
    /// Differs at each power-up; of a sealed clock it rises.
    pub boot: u32,
    /// Name and version of the firmware.
    pub firmware: String<24>,
    /// How finely edges are stamped, in milliseconds.
    pub resolution_ms: u32,
    /// The commands it carries out; others are refused as `unable`.
    pub can: Can,
    /// How long a contact must be quiet until it is believed, in milliseconds; 1 to 20. A press counts from its
    /// first edge all the same.
    pub debounce_ms: u8,
    /// How long both levers are held to end the game, in milliseconds.
    pub hold_ms: u32,
    /// How long the arbiter's key is held on a stopped clock to make all as new, in milliseconds.
    pub reset_hold_ms: u32,
    /// Below this the battery is low, in percent; it is well again from 5 above.
    pub battery_low_pct: u8,
    /// Tenths are shown below this, in milliseconds; 0: never.
    pub tenths_below_ms: u32,
    /// What it is set to when it comes up without a saved game; one that is not [`Setup::in_range`] is taken as the
    /// usual one.
    pub setup: Setup,
}

impl Settings {
    /// A clock of this name in this boot, everything else as usual.
    #[must_use]
    pub fn new(clock: ClockId, boot: u32) -> Self {
        let mut firmware = String::new();
        // Cannot fail: shorter than 24 bytes. If a long version ever made it so, an empty name says so.
        let _ = firmware.push_str(concat!("flagfall ", env!("CARGO_PKG_VERSION")));
        Self {
            clock,
            boot,
            firmware,
            resolution_ms: 1,
            can: Can::ALL,
            debounce_ms: 5,
            hold_ms: 2_000,
            reset_hold_ms: 5_000,
            battery_low_pct: 15,
            tenths_below_ms: 20_000,
            setup: Setup::default(),
        }
    }
}
