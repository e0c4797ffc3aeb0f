//! What requests are made of: boards, chairs, results, causes, pairings, claims.

use crate::{Cause, Outcome, Player, Status};
use serde::{Deserialize, Deserializer, Serialize};

/// A board; `round` is needed only where two are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForBoard {
    /// The round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The board's name; a number is taken as its name.
    #[serde(deserialize_with = "name")]
    pub board: String,
}

pub(crate) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Name {
        Text(String),
        Number(u32),
    }
    Ok(match Name::deserialize(deserializer)? {
        Name::Text(text) => text,
        Name::Number(number) => number.to_string(),
    })
}

/// An empty chair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent {
    /// The board's name.
    #[serde(deserialize_with = "name")]
    pub board: String,
    /// Who is not there.
    pub player: Player,
}

/// A result as entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultEntry {
    /// The outcome.
    pub result: Outcome,
    /// How the game ended.
    #[serde(default = "unstated")]
    pub cause: Cause,
    /// `entered` or `signed`.
    #[serde(default = "entered")]
    pub status: Status,
    /// Won or lost without play.
    #[serde(default)]
    pub forfeit: bool,
    /// A ruling it goes against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<u64>,
    /// Full rounds played by the score sheets, where the clock's count is not right (六.7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
}

pub(crate) const fn unstated() -> Cause {
    Cause::Unstated
}

pub(crate) const fn entered() -> Status {
    Status::Entered
}

/// Why a clock was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopCause {
    /// The game is over.
    GameOver,
    /// An arbiter did it.
    Arbiter,
    /// A player called an arbiter.
    PlayerCalled,
    /// A fault of the clock.
    Fault,
    /// By accident.
    Accident,
    /// The whole hall was stopped.
    Hall,
    /// Without cause (无故): 八.2, 六.9.
    WithoutCause,
}

/// Part of a longer answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Events after this seq.
    #[serde(default)]
    pub after: u64,
}

/// What both lose when both are late (四.2; facts differ from event to event).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BothLate {
    /// Each his own lateness, once both sit.
    #[default]
    OwnLateness,
    /// The common lateness from both at the first arrival, then 四.1 for the other.
    JointThenTurn,
    /// The first mover loses all (FIDE 6.7.2).
    FirstMoverAll,
    /// The elapsed time is split (US Chess 16K).
    Split,
    /// Twice the lateness.
    Doubled,
}

/// A round's boards, in one of the forms that pairing programs have. Exactly one of them is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairingList {
    /// Team matches, in the order of their tables; the team named first moves first on odd boards (二.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<MatchRow>>,
    /// Board by board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<BoardRow>>,
    /// The text of a CSV file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csv: Option<String>,
    /// The bytes of a CSV file, UTF-8 or GB18030, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csv_base64: Option<String>,
}

/// A match: `[14, 2]`, or with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MatchRow {
    /// The team listed first, and the other.
    Pair([TeamName; 2]),
    /// The same with the match's own number.
    Row {
        /// The match's number; its place in the list where left out.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        match_no: Option<u32>,
        /// The team listed first, and the other.
        teams: [TeamName; 2],
    },
}

/// A team by the number it drew (二.3) or by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TeamName {
    /// Its number.
    Number(u32),
    /// Its name.
    Name(String),
}

/// A board of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRow {
    /// Its name.
    #[serde(deserialize_with = "name")]
    pub board: String,
    /// Its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// Its match.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub match_no: Option<u32>,
    /// Red, White.
    pub first: PlayerName,
    /// Black.
    pub second: PlayerName,
}

/// A player, by his name alone or with his team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlayerName {
    /// His name.
    Name(String),
    /// His name and team.
    Of {
        /// His name.
        name: String,
        /// His team's name.
        #[serde(default)]
        team: String,
    },
}

/// The results of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SheetResults {
    /// A line as on the sheet, `10=1`: board by board the score of the team listed first.
    Line(String),
    /// Board by board, the first player's score first.
    Boards(Vec<SheetResult>),
}

/// A board's result on a match sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SheetResult {
    /// Of the next board of the match.
    Next(Outcome),
    /// Of this board.
    Of {
        /// Its name.
        #[serde(deserialize_with = "name")]
        board: String,
        /// Its result.
        result: Outcome,
        /// How the game ended.
        #[serde(default = "unstated")]
        cause: Cause,
        /// Won or lost without play.
        #[serde(default)]
        forfeit: bool,
    },
}

/// What a player claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Sixty rounds without a capture (七.4).
    NaturalLimit,
    /// Repetition drawn by the cycle rules (七.3).
    Repetition,
    /// Neither can win, or a book draw (七.1, 七.2).
    Draw,
    /// Anything else that an arbiter looks at.
    Other,
}

/// What an arbiter finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimOutcome {
    /// The claim is right.
    True,
    /// It is not.
    False,
    /// Nobody can say: a record is missing or cannot be read.
    Refused,
}

impl<'de> Deserialize<'de> for ClaimOutcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Said {
            Bool(bool),
            Text(String),
        }
        match Said::deserialize(deserializer)? {
            Said::Bool(true) => Ok(Self::True),
            Said::Bool(false) => Ok(Self::False),
            Said::Text(text) => match text.as_str() {
                "true" => Ok(Self::True),
                "false" => Ok(Self::False),
                "refused" => Ok(Self::Refused),
                _ => Err(serde::de::Error::custom("an outcome is `true`, `false` or `refused`")),
            },
        }
    }
}
