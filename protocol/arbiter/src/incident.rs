//! Incidents: questions without an accused.

use crate::{Player, Wall};
use serde::{Deserialize, Serialize};

/// What happened that somebody should look at. None of these accuses anyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// The clock was stopped and no arbiter ordered it (三(2)).
    UnexplainedStop,
    /// The clock was started against an arbiter's stop.
    UnexplainedStart,
    /// At the default time nobody has said whether these players are there (四.1).
    PresenceUnknown,
    /// A quarter of the clocks run and the round was not started.
    RoundStartMissing,
    /// Silence on a board that should be playing.
    StillPlaying,
    /// The players ended the game at the clock without saying how.
    OverClaimed,
    /// The second player's side ran first.
    SidesReversed,
    /// The clock started with other times than the control's.
    WrongSetting,
    /// The clock came up anew or was reset in a game.
    ClockReset,
    /// Several clocks went silent with one cause.
    GroupOffline,
    /// A flag that contradicts a result.
    FlagAgainstResult,
    /// A clock went silent while its game was on.
    ClockSilent,
    /// Time appeared on a clock after its flag.
    TimeAfterFlag,
    /// Clocks that a person must set show other times than the control's.
    SetByHand,
    /// A player claims something and the clock stands while an arbiter looks (七.4).
    Claim,
    /// Times went up or down against what moves and the wall clock give.
    TimeDrift,
    /// A lever that hardly presses, or a side that never does though the game goes on.
    Lever,
    /// The result signed is another than the clock or the players said (九.2).
    ResultReversed,
    /// No move for long on several boards of one match (八.8).
    Waiting,
}

impl IncidentKind {
    /// What a clock's own doings raise about one game; a result answers them all.
    pub const OF_THE_CLOCK: &'static [Self] = &[
        Self::UnexplainedStop,
        Self::UnexplainedStart,
        Self::OverClaimed,
        Self::ClockReset,
        Self::ClockSilent,
        Self::StillPlaying,
        Self::TimeAfterFlag,
        Self::Claim,
        Self::SidesReversed,
        Self::WrongSetting,
        Self::TimeDrift,
        Self::Lever,
    ];
}

/// Where it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// An arbiter must decide.
    Decide,
    /// Somebody should look.
    Look,
    /// Probably the game is over: its result is wanted.
    ResultWanted,
    /// A technician's.
    Technical,
}

/// Open or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentState {
    /// Waits.
    Open,
    /// Answered by a request or by what happened.
    Closed,
}

/// An incident, whole at each change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    /// Its number in this journal.
    pub id: u64,
    /// What happened.
    pub kind: IncidentKind,
    /// Where it waits.
    pub lane: Lane,
    /// Open or closed.
    pub state: IncidentState,
    /// Who said that he goes there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<String>,
    /// How it ended: the cause an arbiter named, or what happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// One sentence in Chinese and English.
    pub text: crate::Text,
    /// When it opened.
    pub opened: Wall,
    /// The events it rests on.
    pub grounds: crate::Grounds,
    /// The boards it is about, where several have one cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<String>,
    /// The chairs nobody has spoken of (`presence_unknown`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chairs: Vec<(String, Player)>,
}
