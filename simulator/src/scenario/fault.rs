//! What breaks in a scenario: lines, plugs, power.

use crate::span::Span;
use serde::Deserialize;

/// A fault of one, several or all clocks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What breaks.
    pub kind: FaultKind,
    /// The tables whose clocks it meets; all where left out.
    #[serde(default)]
    pub tables: Option<Vec<u32>>,
    /// From the beginning, or with `round` from that round's word.
    pub at: Span,
    /// For how long.
    #[serde(default, rename = "for")]
    pub lasts: Span,
    /// Counts `at` from this round's word.
    #[serde(default)]
    pub round: Option<u32>,
    /// Of a blackout: an arbiter shouts, and whoever hears it stops his clock.
    #[serde(default)]
    pub shout: bool,
}

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Nothing gets through, and nobody is told; the clock keeps its events.
    Offline,
    /// The plug is pulled: the line itself is gone.
    Unplug,
    /// No power; the game comes back from memory.
    PowerCut,
    /// No power, and the clock comes back as new.
    Reboot,
    /// The house has no power: daemon, network and host are off, only the clocks go on.
    Blackout,
    /// The broker is away, and all lines with it.
    Broker,
}

impl FaultKind {
    /// It meets the whole hall, never single tables.
    #[must_use]
    pub const fn of_the_hall(self) -> bool {
        matches!(self, Self::Blackout | Self::Broker)
    }
}

/// What every line does to messages on their way up, in thousandths of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LineFaults {
    /// Lost.
    pub lost_permille: u32,
    /// Arrive twice.
    pub doubled_permille: u32,
    /// Arrive late, behind those that follow.
    pub late_permille: u32,
    /// How late: between these.
    pub late: [Span; 2],
}

impl Default for LineFaults {
    fn default() -> Self {
        Self { lost_permille: 0, doubled_permille: 0, late_permille: 0, late: [Span(50), Span(1_500)] }
    }
}
