//! What a clock is told.

use crate::{ClockId, Side, TimeControl};
use serde::{Deserialize, Serialize};

/// A command to a clock: numbered, for one boot, with an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockCommand {
    /// Which clock.
    pub clock: ClockId,
    /// Rises per clock, also over restarts of the daemon; 0 for `ack`, which has none.
    pub command: u32,
    /// The boot it is for; refused in any other. 0 for `ack`, which carries its own.
    pub boot: u32,
    /// Refused past this uptime of the clock, in milliseconds; 0 for `ack`.
    pub until_ms: u64,
    /// What to do.
    pub action: Action,
}

/// What the stop button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopButton {
    /// Stops and resumes.
    #[default]
    On,
    /// Does nothing.
    Off,
    /// Does nothing alone; a push is reported as `ignored_stop`. Both levers held end the game.
    EndOnly,
}

/// Times to set, absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetTimes {
    /// Left side, in milliseconds.
    pub left_ms: i64,
    /// Right side, in milliseconds.
    pub right_ms: i64,
    /// Left side's moves, where they change too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_presses: Option<u32>,
    /// Right side's moves, where they change too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_presses: Option<u32>,
}

/// What a clock is to do (`do` on the wire).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// All as new under this control; not in a game.
    Configure {
        /// The control.
        time_control: TimeControl,
        /// Where the first player sits.
        first_side: Side,
        /// What the stop button does.
        stop_button: StopButton,
    },
    /// Absolute times; refused while running.
    SetTimes(SetTimes),
    /// Times by difference; stopped only.
    Adjust {
        /// Added to the left side, in milliseconds.
        left_delta_ms: i64,
        /// Added to the right side, in milliseconds.
        right_delta_ms: i64,
    },
    /// This side runs; the game begins.
    Start {
        /// The side to run.
        side: Side,
    },
    /// Both sides stand.
    Stop,
    /// The side that stood last runs on.
    Resume,
    /// Blink, so that a person finds it. Idle or stopped only.
    Identify,
    /// Show this number (a table's). Idle or stopped only.
    Show {
        /// 0 to 9999.
        number: u16,
    },
    /// Say `about`.
    Describe,
    /// Send the events of `boot` from `from_seq` on again, as first sent, then `done`.
    Replay {
        /// Which boot's events.
        boot: u32,
        /// From this report on.
        from_seq: u32,
    },
    /// Durable at the daemon up to here.
    Ack {
        /// The boot.
        boot: u32,
        /// The last report that is durable.
        seq: u32,
    },
    /// A command of a later version, or one with a part this version does not know (such as another
    /// kind of time control). Answered `done` with [`Refusal::Unable`](crate::Refusal::Unable).
    Unknown,
}

impl Action {
    /// Its name on the wire (`do.type`).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Configure { .. } => "configure",
            Self::SetTimes(_) => "set_times",
            Self::Adjust { .. } => "adjust",
            Self::Start { .. } => "start",
            Self::Stop => "stop",
            Self::Resume => "resume",
            Self::Identify => "identify",
            Self::Show { .. } => "show",
            Self::Describe => "describe",
            Self::Replay { .. } => "replay",
            Self::Ack { .. } => "ack",
            Self::Unknown => "unknown",
        }
    }
}
