//! Points of players and teams, in halves (九.1).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Points: 1, 0.5, -1. Kept in halves, written as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    halves: i32,
}

impl Points {
    /// None.
    pub const ZERO: Self = Self::halves(0);
    /// One whole point.
    pub const ONE: Self = Self::halves(2);
    /// Half a point.
    pub const HALF: Self = Self::halves(1);

    /// So many halves.
    #[must_use]
    pub const fn halves(halves: i32) -> Self {
        Self { halves }
    }

    /// In halves.
    #[must_use]
    pub const fn in_halves(self) -> i32 {
        self.halves
    }

    /// So many times these; at the ends of what can be counted it stays there.
    #[must_use]
    pub const fn times(self, count: i32) -> Self {
        Self { halves: self.halves.saturating_mul(count) }
    }
}

impl std::ops::Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { halves: self.halves.saturating_add(other.halves) }
    }
}

impl std::ops::AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { halves: self.halves.saturating_sub(other.halves) }
    }
}

impl std::ops::Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self { halves: self.halves.saturating_neg() }
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, std::ops::Add::add)
    }
}

impl fmt::Display for Points {
    /// `2`, `0.5`, `-1`, `-0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.halves < 0 { "-" } else { "" };
        let whole = self.halves.unsigned_abs() / 2;
        let half = if self.halves % 2 == 0 { "" } else { ".5" };
        f.pad(&format!("{sign}{whole}{half}"))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.halves % 2 == 0 {
            serializer.serialize_i32(self.halves / 2)
        } else {
            serializer.serialize_f64(f64::from(self.halves) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const MOST: f64 = 1_000_000.0;
        let said = f64::deserialize(deserializer)?;
        let halves = said * 2.0;
        // NaN is not whole either
        if halves.fract() != 0.0 || halves.abs() > MOST {
            return Err(serde::de::Error::custom("points are whole or half numbers, such as 1 or 0.5"));
        }
        // exact: whole and small
        #[allow(clippy::cast_possible_truncation)]
        Ok(Self { halves: halves as i32 })
    }
}

#[cfg(test)]
mod tests {
    use super::Points;

    #[test]
    fn points_are_written_as_numbers_and_read_back() {
        for (halves, text) in [(2, "1"), (1, "0.5"), (0, "0"), (-2, "-1"), (-1, "-0.5"), (-3, "-1.5")] {
            let points = Points::halves(halves);
            assert_eq!(serde_json::to_string(&points).unwrap(), text);
            assert_eq!(points.to_string(), text);
            assert_eq!(serde_json::from_str::<Points>(text).unwrap(), points);
        }
    }

    #[test]
    fn what_is_no_half_is_refused() {
        for wrong in ["0.25", "1e9", "\"1\"", "null"] {
            assert!(serde_json::from_str::<Points>(wrong).is_err(), "{wrong}");
        }
    }
}
