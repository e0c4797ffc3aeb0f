//! What a clock says: its whole state at the instant its event happened.

use crate::{ClockId, Side, range};
use heapless::String;
use serde::{Deserialize, Serialize};

/// A clock's report. Losing one loses at most an event, which is asked for again.
///
/// As JSON its members stand in this order; the optional ones are left out where unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReport {
    /// Which clock.
    pub clock: ClockId,
    /// Differs at each power-up; of a sealed clock it rises.
    pub boot: u32,
    /// Counts this boot's reports, from 1.
    pub seq: u32,
    /// Counts the events among them; unknown where the clock does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<u32>,
    /// The clock's own time since power-up when the event happened, in milliseconds.
    pub uptime_ms: u64,
    /// Remaining on the left side, in milliseconds; within [`MAX_TIME_MS`](crate::MAX_TIME_MS).
    #[serde(deserialize_with = "range::de::left_ms")]
    pub left_ms: i64,
    /// Remaining on the right side, in milliseconds.
    #[serde(deserialize_with = "range::de::right_ms")]
    pub right_ms: i64,
    /// Which side runs. Always said: `null` is "none", and leaving it out is an error.
    #[serde(deserialize_with = "Option::deserialize")]
    pub running: Option<Side>,
    /// Moves completed by the left side.
    pub left_presses: u32,
    /// Moves completed by the right side.
    pub right_presses: u32,
    /// The first side fallen until `reset`; the outer `None` means the clock does not say.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::de::said")]
    pub flag: Option<Option<Side>>,
    /// Who stopped it, where the clock knows and says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<By>,
    /// Battery in percent, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::de::battery")]
    pub battery_pct: Option<u8>,
    /// The period each side is in, from 1 (left, right).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::de::periods")]
    pub periods: Option<(u8, u8)>,
    /// What happened; a report without is a status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<ClockEvent>,
}

impl ClockReport {
    /// Remaining on `side`, in milliseconds.
    #[must_use]
    pub const fn ms(&self, side: Side) -> i64 {
        match side {
            Side::Left => self.left_ms,
            Side::Right => self.right_ms,
        }
    }

    /// Moves completed by `side`.
    #[must_use]
    pub const fn presses(&self, side: Side) -> u32 {
        match side {
            Side::Left => self.left_presses,
            Side::Right => self.right_presses,
        }
    }
}

/// Who or what made the clock do it, as far as the clock can know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A button that anyone in the hall can reach.
    Button,
    /// The arbiter's key.
    ArbiterKey,
    /// A command from the daemon.
    Command,
    /// Power failed or came back.
    Power,
    /// The clock does not know. Names of later versions read as this.
    #[serde(other)]
    Unknown,
}

/// What the players said the game's end was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// A draw.
    Draw,
}

/// The commands a clock can carry out, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Can(u16);

impl Can {
    /// Everything this version knows.
    pub const ALL: Self = Self(0x3ff);
    /// What it may hold, in the order of its bits.
    pub(crate) const NAMES: [&'static str; 10] = [
        "configure",
        "set_times",
        "adjust",
        "start",
        "stop",
        "resume",
        "identify",
        "show",
        "describe",
        "replay",
    ];

    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self(0)
    }

    /// With one more, by the name of its `do.type`; an unknown name changes nothing.
    #[must_use]
    pub fn with(self, name: &str) -> Self {
        match Self::NAMES.iter().position(|n| *n == name) {
            Some(bit) => Self(self.0 | 1 << bit),
            None => self,
        }
    }

    /// Whether it holds the command of this name (`do.type`). `ack` needs no ability.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        name == "ack"
            || Self::NAMES.iter().position(|n| *n == name).is_some_and(|bit| self.0 & (1 << bit) != 0)
    }

    /// The names it holds.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |n| self.has(n))
    }

    /// As bits, in the order of [`Can::names`] of [`Can::ALL`].
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// From bits; unknown ones are dropped.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }
}

/// What a clock says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct About {
    /// Name and version of its firmware, at most 24 bytes.
    pub firmware: String<24>,
    /// The game's state was restored from memory after a power cut.
    pub restored: bool,
    /// How finely it measures, in milliseconds.
    pub resolution_ms: u32,
    /// What it can do; unknown (taken as everything) where it does not say.
    pub can: Option<Can>,
}

/// Why a clock did not carry out a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Past `until_ms` of its own uptime.
    Expired,
    /// For another boot.
    Boot,
    /// Not while a side runs.
    Running,
    /// Not while stopped, or nothing to resume.
    Stopped,
    /// A game is on.
    InGame,
    /// A flag has fallen.
    Flag,
    /// A value is out of range.
    Range,
    /// It cannot do this.
    Unable,
    /// It no longer has what was asked for.
    Gone,
    /// Any other reason; names of later versions read as this.
    #[serde(other)]
    Other,
}

/// What happened at the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// Came up.
    Boot(About),
    /// Answer to `describe`.
    About(About),
    /// That side was pressed before the start: a hint that its player is there.
    Ready {
        /// The side pressed.
        side: Side,
    },
    /// A side runs for the first time; no press.
    Start {
        /// The side that runs.
        side: Side,
        /// Who started it.
        by: By,
    },
    /// Completed a move; the other side runs.
    Press {
        /// The side that moved.
        side: Side,
    },
    /// A press without effect.
    IgnoredPress {
        /// The side pressed.
        side: Side,
    },
    /// Both sides stand.
    Stop {
        /// Who stopped it.
        by: By,
    },
    /// Runs on.
    Resume {
        /// Who resumed it.
        by: By,
    },
    /// Times or counts were changed.
    Adjust {
        /// Who changed them.
        by: By,
    },
    /// All as new.
    Reset {
        /// Who reset it.
        by: By,
    },
    /// The stop button was pushed where the control says `end_only`.
    IgnoredStop,
    /// Both players ended the game at the clock.
    Over {
        /// What they say the result is.
        claim: Option<Claim>,
        /// Both held their side.
        agreed: bool,
    },
    /// Ran out first.
    Flag {
        /// The side fallen.
        side: Side,
    },
    /// Came to the end of a period by itself, which is no flag: the next one begins for both sides, or (`gong`) the
    /// other side's turn.
    Period {
        /// The side that came to zero.
        side: Side,
    },
    /// The battery is low.
    BatteryLow,
    /// Answer to a command, after the effect's own event.
    Done {
        /// The command's number.
        command: u32,
        /// Carried out.
        ok: bool,
        /// Why not.
        error: Option<Refusal>,
    },
    /// An event of a later version. The state beside it is valid.
    Unknown,
}
