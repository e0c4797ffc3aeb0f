//! What the values of commands and reports are called in JSON.
//!
//! The same as serde calls them, which a test holds.

use super::members::Named;
use crate::{By, Claim, FlagAt, Kind, PeriodsAt, Refusal, Side, StopButton};

impl Named for Side {
    const ALL: &'static [Self] = &[Self::Left, Self::Right];
    const NAMES: &'static [&'static str] = &["left", "right"];
}

impl Named for Kind {
    const ALL: &'static [Self] = &Self::ALL;
    const NAMES: &'static [&'static str] = &[
        "fischer",
        "sudden_death",
        "bronstein",
        "delay",
        "byoyomi",
        "canadian",
        "hourglass",
        "per_move",
        "gong",
        "up_count",
    ];
}

impl Named for FlagAt {
    const ALL: &'static [Self] = &[Self::Zero, Self::BelowZero];
    const NAMES: &'static [&'static str] = &["zero", "below_zero"];
}

impl Named for PeriodsAt {
    const ALL: &'static [Self] = &[Self::Moves, Self::Zero];
    const NAMES: &'static [&'static str] = &["moves", "zero"];
}

impl Named for StopButton {
    const ALL: &'static [Self] = &[Self::On, Self::Off, Self::EndOnly];
    const NAMES: &'static [&'static str] = &["on", "off", "end_only"];
}

impl Named for By {
    const ALL: &'static [Self] = &[Self::Button, Self::ArbiterKey, Self::Command, Self::Power, Self::Unknown];
    const NAMES: &'static [&'static str] = &["button", "arbiter_key", "command", "power", "unknown"];
}

impl Named for Claim {
    const ALL: &'static [Self] = &[Self::First, Self::Second, Self::Draw];
    const NAMES: &'static [&'static str] = &["first", "second", "draw"];
}

impl Named for Refusal {
    const ALL: &'static [Self] = &[
        Self::Expired,
        Self::Boot,
        Self::Running,
        Self::Stopped,
        Self::InGame,
        Self::Flag,
        Self::Range,
        Self::Unable,
        Self::Gone,
        Self::Other,
    ];
    const NAMES: &'static [&'static str] =
        &["expired", "boot", "running", "stopped", "in_game", "flag", "range", "unable", "gone", "other"];
}

impl Refusal {
    /// Its name on the wire (`error` of `done`).
    #[must_use]
    pub fn name(self) -> &'static str {
        self.called()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::string::ToString;

    fn called_as_by_serde<T: Named + Serialize>() {
        assert_eq!(T::ALL.len(), T::NAMES.len());
        for (value, name) in T::ALL.iter().zip(T::NAMES) {
            assert_eq!(serde_json::to_value(value).unwrap(), name.to_string());
        }
    }

    #[test]
    fn values_are_called_as_serde_calls_them() {
        called_as_by_serde::<Side>();
        called_as_by_serde::<By>();
        called_as_by_serde::<Claim>();
        called_as_by_serde::<Refusal>();
        called_as_by_serde::<Kind>();
        called_as_by_serde::<FlagAt>();
        called_as_by_serde::<PeriodsAt>();
        called_as_by_serde::<StopButton>();
    }
}
