//! Results of boards and how certain they are.

use serde::{Deserialize, Serialize};

/// A game's outcome, the first player's score first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// The first player won.
    #[serde(rename = "1-0")]
    First,
    /// The second player won.
    #[serde(rename = "0-1")]
    Second,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both lose (四.2, 六.7).
    #[serde(rename = "0-0")]
    None,
}

impl Outcome {
    /// As on a result slip.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::None => "0-0",
        }
    }

    /// The game lost by this player.
    #[must_use]
    pub const fn lost_by(player: crate::Player) -> Self {
        match player {
            crate::Player::First => Self::Second,
            crate::Player::Second => Self::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Mate, or the general taken (六.1).
    Mate,
    /// Resigned.
    Resign,
    /// Exceeded the time (三(1)).
    Time,
    /// Did not come in time (四.1, 四.2).
    Default,
    /// Draw by agreement.
    Agreed,
    /// Draw by repetition (七.3).
    Repetition,
    /// Natural limit (七.4).
    NaturalLimit,
    /// Lost under an article.
    Article,
    /// Not said.
    Unstated,
    /// Any other reason, as the asker wrote it.
    #[serde(untagged)]
    Other(String),
}

/// How far a result has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The players said so at the clock.
    Claimed,
    /// From a ruling; no person has said it.
    Provisional,
    /// Entered by a person.
    Entered,
    /// Both players signed (九.2).
    Signed,
    /// The round is closed.
    Official,
}

/// A board's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardResult {
    /// The outcome.
    pub result: Outcome,
    /// How far it has come; `null` result of a withdrawn one is told by `withdrawn`.
    pub status: Status,
    /// How the game ended.
    pub cause: Cause,
    /// Won or lost without play.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// What it counts as, where the regulations let a player win a drawn game (armageddon).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Outcome>,
    /// Taken back; the board has no result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// The ruling it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<u64>,
}
