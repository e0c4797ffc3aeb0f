//! The regulations' values: each with its article, range and default.

use flagfall_arbiter::{BothLate, Player, RulingKind};
use flagfall_clock::{FlagAt, Kind, SideTimes, TimeControl};
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }
    };
}

choice! {
    /// Whether a player who comes in the very millisecond of the default time is late (A5).
    Boundary {
        /// Late only after it.
        #[default]
        After,
        /// Late at it.
        At,
    }
}
choice! {
    /// What an unexplained stop leads to.
    StopAsked {
        /// An incident; a ruling only when play goes on or an arbiter says so.
        #[default]
        Ask,
        /// A proposed ruling at once.
        Propose,
    }
}
choice! {
    /// What is proposed where the times cannot be proved (六.9).
    Unprovable {
        /// 八.2 proposed, the loss offered.
        #[default]
        Ask,
        /// The loss proposed.
        Loss,
    }
}
choice! {
    /// From which status on a result is public.
    PublicResult {
        /// As soon as a person entered it.
        Entered,
        /// When both signed.
        #[default]
        Signed,
        /// When the round is closed.
        Official,
    }
}

/// One value as `check` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its key.
    pub key: &'static str,
    /// The article it comes from.
    pub article: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// Its value now, as in a file.
    pub now: String,
    /// Its default, as in a file.
    pub default: String,
}

/// Why a value cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegulationsError {
    /// Out of its range.
    #[error("{key} = {value} is outside {low} to {high}")]
    Range {
        /// The key.
        key: &'static str,
        /// The value.
        value: i64,
        /// The least allowed.
        low: i64,
        /// The greatest allowed.
        high: i64,
    },
}

macro_rules! regulations {
    ($($(#[doc = $meaning:literal])* $key:ident: $type:ty = $default:expr, $article:literal, $range:expr;)*) => {
        /// The regulations in force.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Regulations { $($(#[doc = $meaning])* pub $key: $type,)* }

        /// Values a file overrides. A key that is not one of them is an error.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Overrides { $($(#[doc = $meaning])* pub $key: Option<$type>,)* }

        impl Default for Regulations {
            /// `wugong-2012`.
            fn default() -> Self { Self { $($key: $default,)* } }
        }

        impl Regulations {
            /// These, with what a file says otherwise.
            ///
            /// # Errors
            /// A value outside its range.
            pub fn with(mut self, over: Overrides) -> Result<Self, RegulationsError> {
                $(if let Some(value) = over.$key { self.$key = value; })*
                $(if let Some((low, high)) = range($range) {
                    let value = number(&self.$key);
                    if let Some(value) = value && (value < low || value > high) {
                        return Err(RegulationsError::Range { key: stringify!($key), value, low, high });
                    }
                })*
                Ok(self)
            }

            /// All values, for people.
            #[must_use]
            pub fn values(&self) -> Vec<Value> {
                let plain = Self::default();
                vec![$(Value {
                    key: stringify!($key),
                    article: $article,
                    meaning: concat!($($meaning),*).trim_ascii(),
                    now: text(&self.$key),
                    default: text(&plain.$key),
                },)*]
            }
        }
    };
}

fn range(range: Option<(i64, i64)>) -> Option<(i64, i64)> {
    range
}

fn number<T: Serialize>(value: &T) -> Option<i64> {
    serde_json::to_value(value).ok().and_then(|v| v.as_i64())
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).map_or_else(|_| String::new(), |v| v.to_string())
}

const DAY: i64 = 86_400_000;

regulations! {
    /// Kind of time control.
    kind: Kind = Kind::Fischer, "三(1)", None;
    /// Base time a side, ms.
    base_ms: u32 = 3_000_000, "三(1)", Some((0, DAY));
    /// Increment with each completed move, ms.
    increment_ms: u32 = 15_000, "三(1)", Some((0, 3_600_000));
    /// The increment stands on the clock already before the first move.
    increment_on_first_move: bool = false, "三(1)", None;
    /// The flag falls at zero, or only below zero.
    flag_at: FlagAt = FlagAt::Zero, "三(1)", None;
    /// The other side stands still once a flag has fallen.
    freeze_on_flag: bool = true, "三(1)", None;
    /// The first player's own times (time odds).
    first: Option<SideTimes> = None, "三(1)", None;
    /// The second player's own times (time odds).
    second: Option<SideTimes> = None, "三(1)", None;
    /// Who is not there so long after the round's actual start may be defaulted, ms.
    default_ms: u64 = 900_000, "四.1", Some((1_000, DAY));
    /// Late after the default time, or at it.
    default_boundary: Boundary = Boundary::After, "四.1", None;
    /// What both lose when both are late.
    both_late: BothLate = BothLate::OwnLateness, "四.2", None;
    /// A player may stop the clock himself.
    player_may_stop: bool = false, "三(2)", None;
    /// What an unexplained stop leads to.
    unexplained_stop: StopAsked = StopAsked::Ask, "三(2)", None;
    /// Fouls for a stop without cause.
    stop_foul: u32 = 1, "八.2", Some((0, 10));
    /// Taken off for a stop without cause, ms.
    stop_deduct_ms: u32 = 300_000, "八.2", Some((0, DAY));
    /// Fouls for a start without cause.
    start_foul: u32 = 1, "三(2)", Some((0, 10));
    /// Taken off for a start without cause, ms.
    start_deduct_ms: u32 = 0, "三(2)", Some((0, DAY));
    /// What is proposed where the times cannot be proved.
    stop_unprovable: Unprovable = Unprovable::Ask, "六.9", None;
    /// Times known to this bound count as proved, ms.
    provable_within_ms: u64 = 2_000, "六.9", Some((0, 600_000));
    /// Below this time for the first time a player need not record, ms.
    recording_exempt_ms: u32 = 180_000, "五.3", Some((0, DAY));
    /// A side that has run so long may belong to a game that is over: its result is asked for, ms; 0 never.
    still_playing_ms: u64 = 1_200_000, "—", Some((0, DAY));
    /// Rounds without a capture after which a game is drawn.
    natural_limit_rounds: u32 = 60, "七.4", Some((1, 1_000));
    /// At most so many of the claimant's checks count among them.
    natural_limit_checks: u32 = 10, "七.4", Some((0, 1_000));
    /// Fouls for a natural limit wrongly claimed.
    false_claim_foul: u32 = 1, "七.4", Some((0, 10));
    /// Taken off for a natural limit wrongly claimed, ms.
    false_claim_deduct_ms: u32 = 300_000, "七.4", Some((0, DAY));
    /// Fouls under 六.2 and 六.3 count together in a game.
    pooled_fouls: bool = false, "六.3", None;
    /// Rulings that confirm themselves in mode `act`.
    automatic: Vec<RulingKind> = vec![RulingKind::TimeForfeit], "三(1)", None;
    /// From which status on a result is public.
    public_result: PublicResult = PublicResult::Signed, "九.2", None;
}

impl Regulations {
    /// The time control for the clocks.
    #[must_use]
    pub fn time_control(&self) -> TimeControl {
        TimeControl {
            kind: self.kind,
            base_ms: self.base_ms,
            increment_ms: self.increment_ms,
            increment_on_first_move: self.increment_on_first_move,
            flag_at: self.flag_at,
            freeze_on_flag: self.freeze_on_flag,
            first: self.first,
            second: self.second,
        }
    }

    /// Whether a remaining time means that the flag has fallen.
    #[must_use]
    pub const fn fallen(&self, ms: i64) -> bool {
        match self.flag_at {
            FlagAt::Zero => ms <= 0,
            FlagAt::BelowZero => ms < 0,
        }
    }

    /// What a player's side shows before his first move, ms.
    #[must_use]
    pub fn at_start(&self, player: Player) -> i64 {
        self.time_control().at_start(player)
    }

    /// Values that contradict each other, each a sentence; none of them stops anything.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for (key, value) in
            [("recording_exempt_ms", self.recording_exempt_ms), ("stop_deduct_ms", self.stop_deduct_ms)]
        {
            if value > self.base_ms {
                doubts.push(format!("{key} = {value} is above base_ms = {}", self.base_ms));
            }
        }
        doubts
    }
}
