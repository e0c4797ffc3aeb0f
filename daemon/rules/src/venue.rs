//! Venue time: the only time that rules compare.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// Milliseconds since the journal began. Never goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Venue(pub u64);

impl Venue {
    /// The time from `earlier` to `self` in milliseconds; negative where `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0 as i64 - earlier.0 as i64
    }
}

impl Add<u64> for Venue {
    type Output = Self;
    fn add(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

impl Sub<u64> for Venue {
    type Output = Self;
    fn sub(self, ms: u64) -> Self {
        Self(self.0.saturating_sub(ms))
    }
}
