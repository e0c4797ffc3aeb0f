//! Events: what is told, in order, once, for ever.

use crate::{Audience, BoardResult, Incident, Ruling, Text, Wall};
pub use flagfall_clock::Player;
use flagfall_clock::{By, ClockId, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// An event. Once told it never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts the journal's events from 1 without holes.
    pub seq: u64,
    /// When it was recorded.
    pub at: Wall,
    /// When it happened.
    pub happened: Wall,
    /// `happened` is exact to so many milliseconds.
    pub bound_ms: u64,
    /// For whom it is.
    pub audience: Audience,
    /// Its round.
    pub round: Option<u32>,
    /// Its board.
    pub board: Option<String>,
    /// Its clock.
    pub clock: Option<ClockId>,
    /// The name of `news`, so that a reader need not search for it.
    pub r#type: Cow<'static, str>,
    /// What happened; its fields stand under its name.
    #[serde(flatten)]
    pub news: News,
}

macro_rules! news {
    ($($(#[$doc:meta])* $variant:ident($payload:ty) = $name:literal,)*) => {
        /// What happened.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum News {
            $($(#[$doc])* #[serde(rename = $name)] $variant($payload),)*
        }

        impl News {
            /// All names, as they stand in `type`.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its name, as it stands in `type`.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }
        }
    };
}

news! {
    /// A clock is heard again, or for the first time.
    ClockOnline(Link) = "clock_online",
    /// A clock is no longer heard.
    ClockOffline(Link) = "clock_offline",
    /// Something is wrong with a clock, its line or what it sends.
    ClockFault(ClockFault) = "clock_fault",
    /// Events of a clock are missing and could not be had again.
    Gap(Gap) = "gap",
    /// An arbiter said that the round began.
    RoundStarted(RoundStarted) = "round_started",
    /// Whether a player is there.
    Presence(Presence) = "presence",
    /// A side ran for the first time.
    GameStarted(Game) = "game_started",
    /// A move was completed.
    Press(Moved) = "press",
    /// Both sides stand.
    Stopped(Stoppage) = "stopped",
    /// A side runs on.
    Resumed(Stoppage) = "resumed",
    /// What the clock did to its times.
    TimesChanged(TimesChanged) = "times_changed",
    /// A flag fell. Not yet a result.
    Flag(SideNews) = "flag",
    /// By reckoning a flag has fallen on a clock that is not heard.
    FlagSuspected(SideNews) = "flag_suspected",
    /// Little time is left.
    LowTime(SideNews) = "low_time",
    /// A player need no longer record (五.3).
    RecordingExempt(Exemption) = "recording_exempt",
    /// A question, whole at each change.
    Incident(Incident) = "incident",
    /// A foul was recorded or withdrawn.
    Foul(Foul) = "foul",
    /// A ruling, whole at each change.
    Ruling(Ruling) = "ruling",
    /// A board's result.
    Result(BoardResult) = "result",
    /// What a person asked, also when refused.
    Request(RequestNews) = "request",
    /// What became of a command to a clock.
    Command(CommandNews) = "command",
    /// A clock belongs to a table or board.
    Assigned(Assigned) = "assigned",
    /// Something was taken back.
    Undone(Undone) = "undone",
    /// Something a person is to do.
    Task(Task) = "task",
    /// Anything else people should know.
    Notice(Notice) = "notice",
}

/// A clock's link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// By which port or broker.
    pub by: String,
    /// Why, where known: `will`, `silence`, `unplugged`, `back`, `first`, ...
    pub cause: Cow<'static, str>,
}

/// A fault of a clock, its line or its messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFault {
    /// What kind: `malformed`, `oversized`, `retained`, `foreign_topic`, `unknown_clock`, `seal`, `port`, ...
    pub kind: Cow<'static, str>,
    /// One sentence that names the thing.
    pub message: String,
}

/// Events of a clock that could not be had again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The first report missing.
    pub from_seq: u32,
    /// The last report missing.
    pub to_seq: u32,
    /// Presses of the first player that the counts show.
    pub first_presses: u32,
    /// Presses of the second player that the counts show.
    pub second_presses: u32,
}

/// A round began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundStarted {
    /// Who said so.
    pub by: String,
    /// When it actually began; lateness counts from here (四.1).
    pub start: Wall,
    /// Boards whose games already ran.
    pub adopted: u32,
}

/// Three values: silence is not absence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PresenceState {
    /// He is there.
    Present,
    /// He is not there.
    Absent,
    /// Nobody has said, nothing shows.
    #[default]
    Unknown,
}

/// Whether a player is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// Which player.
    pub player: Player,
    /// Whether he is there.
    pub state: PresenceState,
    /// How it is known: `press`, `arbiter`, `silence` (the clock was heard throughout and never ran).
    pub how: Cow<'static, str>,
    /// How late he came after the round's start, in milliseconds, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_ms: Option<u64>,
}

/// A game began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Whose side runs.
    pub player: Player,
    /// Who started it.
    pub by: By,
    /// The first player's time, in milliseconds.
    pub first_ms: i64,
    /// The second player's time, in milliseconds.
    pub second_ms: i64,
    /// Both came late: their lateness was deducted and the clocks started (四.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_late: bool,
}

/// A move was completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Who moved.
    pub player: Player,
    /// How many moves he has completed.
    pub moves: u32,
    /// The first player's time afterwards, in milliseconds.
    pub first_ms: i64,
    /// The second player's time afterwards, in milliseconds.
    pub second_ms: i64,
    /// Not reported: the counts show it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
}

/// A clock stopped or runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stoppage {
    /// Whose side ran, or runs on.
    pub player: Option<Player>,
    /// Who did it, as far as the clock knows.
    pub by: By,
    /// An arbiter ordered it.
    pub ordered: bool,
    /// The first player's time, in milliseconds.
    pub first_ms: i64,
    /// The second player's time, in milliseconds.
    pub second_ms: i64,
}

/// Both players' times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// The first player's time, in milliseconds.
    pub first_ms: i64,
    /// The second player's time, in milliseconds.
    pub second_ms: i64,
}

/// The clock changed its times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesChanged {
    /// Who did it, as far as the clock knows.
    pub by: By,
    /// Before.
    pub before: Times,
    /// After.
    pub after: Times,
    /// `adjust`, `reset`, `step` (without an event of its own) or `owed` (as an arbiter decided).
    pub how: Cow<'static, str>,
}

/// Something about one player's side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideNews {
    /// Whose.
    pub player: Player,
    /// On which side of the clock.
    pub side: Side,
    /// The first player's time, in milliseconds.
    pub first_ms: i64,
    /// The second player's time, in milliseconds.
    pub second_ms: i64,
}

/// How far an exemption from recording has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExemptState {
    /// His time went below the limit for the first time.
    Available,
    /// An arbiter acknowledged it, for both.
    Granted,
}

/// Exemption from recording (五.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exemption {
    /// `first`, `second`; `both` once granted.
    pub player: crate::Offender,
    /// How far it has come.
    pub state: ExemptState,
}

/// A foul in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foul {
    /// Its number in this journal.
    pub id: u64,
    /// Who.
    pub player: Player,
    /// Under which article.
    pub article: Cow<'static, str>,
    /// How many; negative when taken back.
    pub count: i32,
    /// His fouls in this game after it.
    pub in_game: i32,
    /// His fouls over the event after it (六.4); of a team's foul, the team's.
    #[serde(default)]
    pub in_event: i32,
    /// What it adds to his points: -1 with every third over the event (六.4), back where it is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<crate::Points>,
    /// It is his team's, and the team is placed last among those of its score (八.11).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub team: bool,
    /// Not booked, or taken back, since he resigned at once (八.12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waived: bool,
    /// So long after it happened it was reported, in milliseconds, where that was said (八.12).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_after_ms: Option<u64>,
    /// The ruling it follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<u64>,
    /// Where it takes some back: of which foul, by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Who recorded it.
    pub by: String,
}

/// What a person asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestNews {
    /// The method.
    pub method: String,
    /// Its parameters, without tokens.
    pub params: Value,
    /// Who asked.
    pub by: String,
    /// Whether it was done.
    pub ok: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What became of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandState {
    /// On its way.
    Sent,
    /// The clock's state proves it.
    Done,
    /// The clock refused it.
    Refused,
    /// Not carried out in time, and never will be.
    Expired,
    /// A person must set the clock; the next reading is compared.
    ByHand,
}

/// A command to a clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandNews {
    /// Its number.
    pub command: u32,
    /// What it says (`do` on the wire).
    pub r#do: Value,
    /// What became of it.
    pub state: CommandState,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A clock's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigned {
    /// The table, where there is one.
    pub table: Option<u32>,
    /// Which clock.
    pub clock: ClockId,
    /// Where the first player sits.
    pub first_side: Side,
    /// Who said so.
    pub by: String,
    /// The times it goes on with, where a game's clock was exchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
}

/// Times of a game that another clock goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// The first player's, in milliseconds.
    pub first_ms: i64,
    /// The second player's, in milliseconds.
    pub second_ms: i64,
    /// They are exact to so many milliseconds.
    pub bound_ms: u64,
}

/// Something was taken back, by difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// The event taken back.
    pub seq: u64,
    /// Who.
    pub by: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Something a person is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its number in this journal.
    pub id: u64,
    /// What kind.
    pub kind: Cow<'static, str>,
    /// In words.
    pub text: Text,
    /// Done.
    pub done: bool,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<crate::Offender>,
    /// The article that wants it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<Cow<'static, str>>,
    /// Until when, where the event sets a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Wall>,
    /// That time is past and it is not done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overdue: bool,
    /// Not wanted any more: what it rested on no longer stands. It is then done as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

/// Anything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// What kind, for programs.
    pub kind: Cow<'static, str>,
    /// In words.
    pub message: String,
}
