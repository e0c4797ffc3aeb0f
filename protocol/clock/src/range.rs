//! The ranges of what clocks say and are told: outside them a message is refused at the edge.
//!
//! Wide on purpose: they keep out what cannot be a reading (a wrapped counter, garbage that
//! passed a weaker check), never what is merely unlikely. Judging that is the session's part.

use crate::error::words;
use crate::{Action, ClockCommand, ClockReport, Player, TimeControl};
use core::fmt;

/// The longest time a message may carry either way of zero, in milliseconds: 99:59:59.999.
pub const MAX_TIME_MS: i64 = 359_999_999;
/// The highest number a clock can be told to show.
pub const MAX_SHOWN: u16 = 9999;

/// A value outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError {
    /// The field, as on the wire.
    pub field: &'static str,
    /// What it may hold.
    pub range: &'static str,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is outside {}", self.field, self.range)
    }
}

impl core::error::Error for RangeError {}

const TIME: &str = "-359999999 to 359999999 ms";
const GIVEN: &str = "0 to 359999999 ms";

const fn outside(field: &'static str, range: &'static str) -> Result<(), RangeError> {
    Err(RangeError { field: words(field), range: words(range) })
}

const fn time(field: &'static str, ms: i64) -> Result<(), RangeError> {
    if ms >= -MAX_TIME_MS && ms <= MAX_TIME_MS { Ok(()) } else { outside(field, TIME) }
}

const fn given(field: &'static str, ms: u32) -> Result<(), RangeError> {
    if ms as i64 <= MAX_TIME_MS { Ok(()) } else { outside(field, GIVEN) }
}

const fn battery(pct: u8) -> Result<(), RangeError> {
    if pct <= 100 { Ok(()) } else { outside("battery_pct", "0 to 100") }
}

const fn periods((left, right): (u8, u8)) -> Result<(), RangeError> {
    if left > 0 && right > 0 { Ok(()) } else { outside("periods", "1 to 255") }
}

impl ClockReport {
    /// Whether every value is within its range; both ways refuse a report that is not.
    pub fn check(&self) -> Result<(), RangeError> {
        time("left_ms", self.left_ms)?;
        time("right_ms", self.right_ms)?;
        self.battery_pct.map_or(Ok(()), battery)?;
        self.periods.map_or(Ok(()), periods)
    }
}

impl TimeControl {
    /// Whether its times are within what a message may carry. Its counts and the number of its periods cannot be
    /// otherwise; whether they make sense together the clock decides, which refuses what does not.
    pub fn check(&self) -> Result<(), RangeError> {
        for player in Player::BOTH {
            let own = self.of(player);
            given("base_ms", own.base_ms)?;
            given("increment_ms", own.increment_ms)?;
        }
        given("base_ms", self.base_ms)?;
        given("increment_ms", self.increment_ms)?;
        given("cap_ms", self.cap_ms.unwrap_or(0))?;
        given("overtime_ms", self.overtime_ms)?;
        for period in self.periods.as_slice() {
            given("base_ms of a period", period.base_ms)?;
            given("increment_ms of a period", period.increment_ms)?;
        }
        Ok(())
    }
}

impl Action {
    /// Whether every value is within its range.
    pub fn check(&self) -> Result<(), RangeError> {
        match self {
            Self::Configure { time_control, .. } => time_control.check(),
            Self::SetTimes(set) => {
                time("left_ms", set.left_ms)?;
                time("right_ms", set.right_ms)
            }
            Self::Adjust { left_delta_ms, right_delta_ms } => {
                time("left_delta_ms", *left_delta_ms)?;
                time("right_delta_ms", *right_delta_ms)
            }
            Self::Show { number } if *number > MAX_SHOWN => outside("number", "0 to 9999"),
            _ => Ok(()),
        }
    }
}

impl ClockCommand {
    /// Whether every value is within its range; both ways refuse a command that is not.
    pub fn check(&self) -> Result<(), RangeError> {
        self.action.check()
    }
}

/// The same ranges for serde, so that a message from any JSON reader is whole.
pub(crate) mod de {
    use super::{RangeError, battery as percent, periods as counted, time};
    use serde::{Deserialize, Deserializer, de::Error};

    fn within<T, E: Error>(value: T, checked: Result<(), RangeError>) -> Result<T, E> {
        checked.map_err(E::custom)?;
        Ok(value)
    }

    pub fn left_ms<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        let ms = i64::deserialize(from)?;
        within(ms, time("left_ms", ms))
    }

    pub fn right_ms<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        let ms = i64::deserialize(from)?;
        within(ms, time("right_ms", ms))
    }

    pub fn battery<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
        let pct = Option::<u8>::deserialize(from)?;
        within(pct, pct.map_or(Ok(()), percent))
    }

    pub fn periods<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(u8, u8)>, D::Error> {
        let both = Option::<(u8, u8)>::deserialize(from)?;
        within(both, both.map_or(Ok(()), counted))
    }

    /// A field that is there: `null` is then a value of its own.
    pub fn said<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
}
