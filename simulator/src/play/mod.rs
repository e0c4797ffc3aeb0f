//! The people at a board: what they mean to do, and what they do as the clock lets them.

mod game;
mod plan;

pub(crate) use game::{Errand, Outing, Play, Sight};
pub(crate) use plan::Plan;

use flagfall_clock::Side;

/// What hands do to a clock at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// A lever goes down and comes up so long after.
    Lever { side: Side, hold_ms: u64 },
    /// Both levers.
    Both { hold_ms: u64 },
    /// The start/stop button.
    Button,
    /// The button, but only if a side runs.
    StopIfRunning,
    /// The arbiter's key.
    Key { hold_ms: u64 },
    /// Power off.
    Off,
    /// Power on: with the game, or without.
    On { restore: bool },
}

/// How long the arbiter's key is held to make all as new.
pub(crate) const RESET_HOLD: u64 = 5_300;
/// An ordinary press.
pub(crate) const PRESS_HOLD: u64 = 140;
