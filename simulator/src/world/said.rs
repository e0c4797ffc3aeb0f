//! What a hall says to whoever drives it.

use flagfall_clock::{ClockId, ClockReport};
use serde_json::Value;

/// What a hall says, each with its milliseconds since the scenario began.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A clock's report reaches the daemon's end of its line.
    Report {
        /// When.
        at: u64,
        /// Which clock.
        clock: ClockId,
        /// What it says.
        report: ClockReport,
    },
    /// A person asks something at the desk; the answer is brought back with [`World::answer`].
    Ask {
        /// When.
        at: u64,
        /// For the answer.
        id: u64,
        /// The method.
        method: String,
        /// The parameters.
        params: Value,
    },
    /// A clock's line is gone.
    Unplug {
        /// When.
        at: u64,
        /// Which clock.
        clock: ClockId,
        /// Why: `unplugged`, or `broker` where all lines go at once.
        cause: &'static str,
    },
    /// A clock's line is back.
    Plug {
        /// When.
        at: u64,
        /// Which clock.
        clock: ClockId,
    },
    /// The house has no power: daemon, network and host are off.
    Dark {
        /// When.
        at: u64,
    },
    /// The power is back, and the host has come up.
    Light {
        /// When.
        at: u64,
    },
}

impl Said {
    /// When it was said, in milliseconds since the scenario began.
    #[must_use]
    pub const fn at(&self) -> u64 {
        match self {
            Self::Report { at, .. }
            | Self::Ask { at, .. }
            | Self::Unplug { at, .. }
            | Self::Plug { at, .. }
            | Self::Dark { at }
            | Self::Light { at } => *at,
        }
    }
}
