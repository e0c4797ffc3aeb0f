//! Views: the hall as of now, for those who come in.

use crate::{Audience, BoardResult, Incident, PresenceState, Ruling, Task, Text, Wall};
use flagfall_clock::{ClockId, Player, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The hall as of one event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The event's name.
    pub event: String,
    /// The time zone that instants are shown in, by its IANA name: `Asia/Shanghai`. Empty in a snapshot of before.
    #[serde(default)]
    pub timezone: String,
    /// The regulations' name: of a set that is built in, or as its file says.
    pub regulations: String,
    /// Values of which the event says otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regulations_changed: Vec<ChangedValue>,
    /// All values in force, each by its key as in a regulations file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, serde_json::Value>,
    /// `xiangqi` or `chess`.
    pub variant: String,
    /// Observe, assist or act.
    pub mode: String,
    /// The rounds, in order.
    pub rounds: Vec<RoundView>,
    /// The boards of all open rounds, or of the lowest loaded one.
    pub boards: Vec<BoardView>,
    /// All clocks ever heard or named.
    pub clocks: Vec<ClockView>,
    /// Open incidents.
    pub incidents: Vec<Placed<Incident>>,
    /// Rulings of the boards shown.
    pub rulings: Vec<Placed<Ruling>>,
    /// Tasks that are not done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Placed<Task>>,
    /// A walk along the tables, while one is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<WalkView>,
    /// Where the file and the journal say different things; the journal wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Text>,
}

/// One round, as of one event: what [`Snapshot`] has of those that are open, of any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundSnapshot {
    /// The round shown.
    pub round: u32,
    /// Wall time.
    pub now: Wall,
    /// The last event it has in it.
    pub head: u64,
    /// All rounds, in order.
    pub rounds: Vec<RoundView>,
    /// Its boards, in order.
    pub boards: Vec<BoardView>,
    /// The rulings on its boards.
    pub rulings: Vec<Placed<Ruling>>,
}

/// A value of the regulations that the event changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedValue {
    /// Its key, as in a regulations file.
    pub key: String,
    /// What is in force.
    pub value: serde_json::Value,
}

/// Something with its round and board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed<T> {
    /// Its round.
    pub round: Option<u32>,
    /// Its board.
    pub board: Option<String>,
    /// Itself.
    #[serde(flatten)]
    pub it: T,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundView {
    /// Its number.
    pub number: u32,
    /// When it is to begin; a plan only.
    pub planned: Option<Wall>,
    /// When it actually began.
    pub started: Option<Wall>,
    /// An arbiter paused it.
    pub paused: bool,
    /// How many boards it has.
    pub boards: u32,
    /// Closed; its results are official.
    pub closed: bool,
    /// Matches that begin later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldMatch>,
}

/// A match that is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldMatch {
    /// Its number.
    #[serde(rename = "match")]
    pub match_no: u32,
    /// When it begins.
    pub until: Wall,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A walk along the tables: the clock whose lever is pressed next is bound to `next`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkView {
    /// Who walks.
    pub by: String,
    /// The first table.
    pub from: u32,
    /// The next table.
    pub next: u32,
    /// The last table.
    pub to: u32,
}

/// A player at a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerView {
    /// His name.
    pub name: String,
    /// His team.
    pub team: String,
    /// His remaining time when last known, in milliseconds.
    pub ms: Option<i64>,
    /// Moves he has completed.
    pub moves: u32,
    /// Whether he is there.
    pub presence: PresenceState,
    /// Fouls in this game.
    pub fouls: i32,
    /// He need not record.
    pub exempt: bool,
    /// His time was below `low_time_ms` once in this game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub low_time: bool,
    /// So often he pressed in vain in this game, as the clock reports it.
    #[serde(default, skip_serializing_if = "none")]
    pub ignored: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands a reference
const fn none(count: &u32) -> bool {
    *count == 0
}

/// A board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardView {
    /// Its round.
    pub round: u32,
    /// Its name.
    pub board: String,
    /// Its table.
    pub table: Option<u32>,
    /// Its match.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub match_no: Option<u32>,
    /// Its clock.
    pub clock: Option<ClockId>,
    /// Where the first player sits.
    pub first_side: Side,
    /// The first player (Red, White).
    pub first: PlayerView,
    /// The second player (Black).
    pub second: PlayerView,
    /// `waiting`, `running`, `stopped`, `flag`, `over`, `finished`.
    pub state: String,
    /// Whose time runs.
    pub running: Option<Player>,
    /// When the times were read.
    pub as_of: Option<Wall>,
    /// From when on a player who is not there is late; none before his round has begun, or once the game has its
    /// result or both are there and it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_from: Option<Wall>,
    /// When its default time falls due (四.1); none as well once both are there, and while a pause puts it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_at: Option<Wall>,
    /// The battery of its clock, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battery_pct: Option<u8>,
    /// When its clock was heard last, whatever it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<Wall>,
    /// Whether its clock is heard.
    pub online: bool,
    /// An arbiter holds it stopped.
    pub held: bool,
    /// Times an arbiter decided that the clock does not show yet.
    pub owes: Option<crate::Times>,
    /// Whose flag fell first.
    pub flag: Option<Player>,
    /// A claim that no arbiter has decided yet (七.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClaimView>,
    /// Its result.
    pub result: Option<BoardResult>,
}

/// A claim that waits for an arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimView {
    /// Who claims.
    pub player: Player,
    /// What.
    pub kind: crate::ClaimKind,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockView {
    /// Its name.
    pub clock: ClockId,
    /// The table it stands at.
    pub table: Option<u32>,
    /// Whether it is heard.
    pub online: bool,
    /// When it was heard last.
    pub heard: Option<Wall>,
    /// Battery in percent.
    pub battery_pct: Option<u8>,
}

/// Merged states, about once a second; no event, no seq.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// Wall time.
    pub now: Wall,
    /// For whom it is.
    #[serde(skip)]
    pub audience: Option<Audience>,
    /// While the journal cannot be written: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal_fault: Option<String>,
    /// How the reporting to the arbiter system stands; the desk's only, absent where none is to be dialled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uplink: Option<UplinkView>,
    /// Boards with a clock: what it showed when last heard.
    pub boards: Vec<BoardView>,
}

/// Whether the arbiter system is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UplinkState {
    /// It answered our hello and is heard.
    Up,
    /// It is dialled for the first time; nothing is known yet.
    Dialling,
    /// It does not take our token.
    Refused,
    /// It is not reached, or said what cannot be; dialled again by itself.
    Down,
}

/// How the reporting to the arbiter system stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UplinkView {
    /// Whether it is reached.
    pub state: UplinkState,
    /// Since when that is so.
    pub since: Wall,
    /// Seq of the last event sent.
    pub sent: u64,
    /// Seq of the last event it acknowledged; all before it are too.
    pub acked: u64,
    /// Events told that it has not acknowledged, sent or not. Of a public uplink far behind: at most.
    pub waiting: u64,
    /// When the oldest of them was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest: Option<Wall>,
    /// Why it is not reached, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
