//! What is known before the first game: tables, teams, rounds, boards.

use crate::Regulations;
use flagfall_clock::{ClockId, Side};
use serde::{Deserialize, Serialize};

/// Which game is played; decides words, never rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Red and Black.
    #[default]
    Xiangqi,
    /// White and Black.
    Chess,
}

/// Who starts the clocks of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartBy {
    /// The second player or an arbiter presses at the arbiter's word.
    #[default]
    Players,
    /// `round.start` starts them.
    Daemon,
}

/// How much the daemon does by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Facts only.
    Observe,
    /// Proposals; nothing confirms itself.
    Assist,
    /// What `automatic` lists confirms itself.
    #[default]
    Act,
}

impl Mode {
    /// Its name in a file and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Assist => "assist",
            Self::Act => "act",
        }
    }
}

/// A table of the hall, for the whole event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSetup {
    /// Its number.
    pub number: u32,
    /// The clock that stands on it.
    pub clock: Option<ClockId>,
    /// Where the first player sits.
    pub first_side: Side,
}

/// A team: its players are in board order (二.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamSetup {
    /// The number it drew (二.3).
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Its city (二.5).
    pub city: Option<String>,
    /// Its players, board 1 first.
    pub players: Vec<String>,
}

/// A player at a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlayerSetup {
    /// His name.
    pub name: String,
    /// His team.
    pub team: String,
}

/// A board of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSetup {
    /// Its name.
    pub board: String,
    /// Its table.
    pub table: Option<u32>,
    /// Its own clock, where no table gives one.
    pub clock: Option<ClockId>,
    /// Where the first player sits, where no table says so.
    pub first_side: Option<Side>,
    /// The match it belongs to, from 1.
    pub match_no: Option<u32>,
    /// Red, White.
    pub first: PlayerSetup,
    /// Black.
    pub second: PlayerSetup,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundSetup {
    /// Its number.
    pub number: u32,
    /// When it is to begin, wall milliseconds; a plan only.
    pub planned: Option<flagfall_arbiter::Wall>,
    /// Its boards; may be empty until they are loaded.
    pub boards: Vec<BoardSetup>,
}

/// All of it. Already checked: no clock on two boards, no table twice, rounds in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The event's name.
    pub event: String,
    /// The IANA name of its time zone: how instants are shown, nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The game.
    pub variant: Variant,
    /// The regulations in force.
    pub regulations: Regulations,
    /// Who starts the clocks.
    pub start_by: StartBy,
    /// How much the daemon does by itself.
    pub mode: Mode,
    /// Clocks named in the file, beside those of tables and boards.
    pub clocks: Vec<ClockId>,
    /// The tables.
    pub tables: Vec<TableSetup>,
    /// The teams.
    pub teams: Vec<TeamSetup>,
    /// The rounds, ascending.
    pub rounds: Vec<RoundSetup>,
}
