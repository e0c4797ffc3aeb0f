//! Time controls as they travel to a clock and stand in a regulations file.

use crate::Player;
use serde::{Deserialize, Serialize};

/// How time is given. More kinds may follow; a clock refuses one it does not know.
///
/// In what follows `r` is what a side has when its turn begins and `u` what it uses until its press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Base time for all moves, and an increment credited with each completed move: `r - u + increment`,
    /// at most `cap_ms` where that is given.
    #[default]
    Fischer,
    /// Base time for all moves and nothing more (包干制); an increment written beside it does not count.
    SuddenDeath,
    /// The increment is on the clock at once and what was not used of it is taken back with the press:
    /// `r - max(0, u - increment)`.
    Bronstein,
    /// The base time stands still for the increment at each turn: the arithmetic of `Bronstein`, shown otherwise.
    Delay,
    /// Base time, then `overtime_count` periods of `overtime_ms` each: a turn that ends within a period
    /// gives that period back whole.
    Byoyomi,
    /// Base time, then `overtime_count` moves in each block of `overtime_ms`; what is left of a block is lost.
    Canadian,
    /// What one side uses the other side gets.
    Hourglass,
    /// The base time anew for each move.
    PerMove,
    /// The base time for each turn in alternation; the clock itself passes the turn on, and presses count for nothing.
    Gong,
    /// Counts up from the base time and never falls.
    UpCount,
}

impl Kind {
    /// All of them; the order never changes, saved games count by it.
    pub const ALL: [Self; 10] = [
        Self::Fischer,
        Self::SuddenDeath,
        Self::Bronstein,
        Self::Delay,
        Self::Byoyomi,
        Self::Canadian,
        Self::Hourglass,
        Self::PerMove,
        Self::Gong,
        Self::UpCount,
    ];
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

/// When a period of several ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodsAt {
    /// With a side's own last move of it: the next period's time is added to that side (FIDE 6.3.2).
    #[default]
    Moves,
    /// When the first side reaches zero: the next period's time is added to both. People count the moves.
    Zero,
}

/// One side's own times, where they differ (time odds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideTimes {
    /// Time at the start, in milliseconds.
    pub base_ms: u32,
    /// Credited with each completed move, in milliseconds.
    pub increment_ms: u32,
}

/// A period after the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// Moves of it; 0 for all that are left, or where it ends at zero.
    #[serde(default)]
    pub moves: u16,
    /// Time added when it begins, in milliseconds.
    pub base_ms: u32,
    /// Increment in it, in milliseconds.
    #[serde(default)]
    pub increment_ms: u32,
}

/// The most periods after the first.
pub const MAX_PERIODS: usize = 4;

/// The periods after the first, in order; at most [`MAX_PERIODS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "heapless::Vec<Period, MAX_PERIODS>", into = "heapless::Vec<Period, MAX_PERIODS>")]
pub struct Periods {
    list: [Period; MAX_PERIODS],
    len: u8,
}

impl Periods {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: [Period { moves: 0, base_ms: 0, increment_ms: 0 }; MAX_PERIODS], len: 0 }
    }

    /// These, or `None` where there are more than [`MAX_PERIODS`].
    #[must_use]
    pub fn of(periods: &[Period]) -> Option<Self> {
        let mut all = Self::new();
        all.list.get_mut(..periods.len())?.copy_from_slice(periods);
        all.len = u8::try_from(periods.len()).ok()?;
        Some(all)
    }

    /// Whether the control has no period after the first.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// They themselves.
    #[must_use]
    pub fn as_slice(&self) -> &[Period] {
        self.list.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

impl From<heapless::Vec<Period, MAX_PERIODS>> for Periods {
    fn from(periods: heapless::Vec<Period, MAX_PERIODS>) -> Self {
        Self::of(&periods).unwrap_or_default()
    }
}

impl From<Periods> for heapless::Vec<Period, MAX_PERIODS> {
    fn from(periods: Periods) -> Self {
        periods.as_slice().iter().copied().collect()
    }
}

/// A time control. 三(1): 50:00 a side and 15 s with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// How time is given.
    #[serde(default)]
    pub kind: Kind,
    /// Time at the start, in milliseconds.
    pub base_ms: u32,
    /// What each move gives (credited, given back or not counted, by the kind), in milliseconds.
    pub increment_ms: u32,
    /// The increment stands on the clock already before the first move (FIDE); the regulations
    /// of 2012 say "with each move", so not there. Of `Fischer` only.
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
    /// No increment lifts a side above this, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_ms: Option<u32>,
    /// A period of `Byoyomi`, a block of `Canadian`, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overtime_ms: u32,
    /// Periods of `Byoyomi`, moves in a block of `Canadian`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub overtime_count: u16,
    /// Moves of the first period, where others follow and they end with moves.
    #[serde(default, skip_serializing_if = "is_none")]
    pub moves: u16,
    /// The periods after the first.
    #[serde(default, skip_serializing_if = "Periods::is_empty")]
    pub periods: Periods,
    /// When a period ends.
    #[serde(default, skip_serializing_if = "is_default")]
    pub periods_at: PeriodsAt,
    /// The last period comes again and again.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub repeat: bool,
}

const fn yes() -> bool {
    true
}

// serde hands these a reference
const fn is_zero(value: &u32) -> bool {
    *value == 0
}

const fn is_none(value: &u16) -> bool {
    *value == 0
}

fn is_default(at: &PeriodsAt) -> bool {
    *at == PeriodsAt::default()
}

impl TimeControl {
    /// Base and increment, both in milliseconds; the rest as the regulations of 2012 have it.
    #[must_use]
    pub const fn fischer(base_ms: u32, increment_ms: u32) -> Self {
        Self::new(Kind::Fischer, base_ms, increment_ms)
    }

    /// A kind with its base and increment, both in milliseconds, and nothing else of its own.
    #[must_use]
    pub const fn new(kind: Kind, base_ms: u32, increment_ms: u32) -> Self {
        Self {
            kind,
            base_ms,
            increment_ms,
            increment_on_first_move: false,
            flag_at: FlagAt::Zero,
            freeze_on_flag: true,
            first: None,
            second: None,
            cap_ms: None,
            overtime_ms: 0,
            overtime_count: 0,
            moves: 0,
            periods: Periods::new(),
            periods_at: PeriodsAt::Moves,
            repeat: false,
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

    /// What a player's side shows before his first move, in milliseconds: the time until his flag, with all
    /// the overtime that he has.
    #[must_use]
    pub fn at_start(&self, player: Player) -> i64 {
        let own = self.of(player);
        let more = match self.kind {
            Kind::Fischer if self.increment_on_first_move => match self.cap_ms {
                Some(cap) => own.increment_ms.min(cap.saturating_sub(own.base_ms)).into(),
                None => own.increment_ms.into(),
            },
            Kind::Byoyomi => i64::from(self.overtime_ms) * i64::from(self.overtime_count),
            Kind::Canadian => i64::from(self.overtime_ms),
            _ => 0,
        };
        i64::from(own.base_ms) + more
    }
}
