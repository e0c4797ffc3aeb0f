//! Time controls as they travel to a clock and stand in a regulations file.

use crate::Player;
use serde::{Deserialize, Serialize};

/// How time is given. More kinds follow; a clock refuses one it does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Base time for all moves, and an increment credited with each completed move.
    #[default]
    Fischer,
}

/// When a side's time has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagAt {
    /// At 0 ms remaining: a press in that very millisecond is too late.
    #[default]
    Zero,
    /// Only below 0 ms.
    BelowZero,
}

/// One side's own times, where they differ (time odds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideTimes {
    /// Time at the start, in milliseconds.
    pub base_ms: u32,
    /// Credited with each completed move, in milliseconds.
    pub increment_ms: u32,
}

/// A time control. 三(1): 50:00 a side and 15 s with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// How time is given.
    #[serde(default)]
    pub kind: Kind,
    /// Time at the start, in milliseconds.
    pub base_ms: u32,
    /// Credited with each completed move, in milliseconds.
    pub increment_ms: u32,
    /// The increment stands on the clock already before the first move (FIDE); the regulations
    /// of 2012 say "with each move", so not there.
    #[serde(default)]
    pub increment_on_first_move: bool,
    /// When the flag falls.
    #[serde(default)]
    pub flag_at: FlagAt,
    /// The other side stands still once a flag has fallen.
    #[serde(default = "yes")]
    pub freeze_on_flag: bool,
    /// The first player's own times, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<SideTimes>,
    /// The second player's own times, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SideTimes>,
}

const fn yes() -> bool {
    true
}

impl TimeControl {
    /// Base and increment, both in milliseconds; the rest as the regulations of 2012 have it.
    #[must_use]
    pub const fn fischer(base_ms: u32, increment_ms: u32) -> Self {
        Self {
            kind: Kind::Fischer,
            base_ms,
            increment_ms,
            increment_on_first_move: false,
            flag_at: FlagAt::Zero,
            freeze_on_flag: true,
            first: None,
            second: None,
        }
    }

    /// The times of one player.
    #[must_use]
    pub fn of(&self, player: Player) -> SideTimes {
        let own = match player {
            Player::First => self.first,
            Player::Second => self.second,
        };
        own.unwrap_or(SideTimes { base_ms: self.base_ms, increment_ms: self.increment_ms })
    }

    /// What a player's side shows before his first move, in milliseconds.
    #[must_use]
    pub fn at_start(&self, player: Player) -> i64 {
        let own = self.of(player);
        let first = if self.increment_on_first_move { own.increment_ms } else { 0 };
        i64::from(own.base_ms) + i64::from(first)
    }
}
