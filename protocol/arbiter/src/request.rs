//! Requests: what a person, or the program he uses, asks.

use crate::entry::{entered, unstated};
use crate::{
    Absent, BothLate, Cause, ClaimKind, ClaimOutcome, ForBoard, Offender, Page, PairingList, Player, ProofBy,
    ResultEntry, Role, RulingKind, SheetResults, Status, StopCause, Times, Wall,
};
use flagfall_clock::{ClockId, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request with what any request may carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The method, as it was written.
    pub method: String,
    /// The parameters, as they were written.
    pub params: Value,
    /// A repeat of this id gets the first answer, also over restarts.
    pub request_id: Option<String>,
    /// The last event the asker has seen; refused if a person or a ruling changed the board since.
    pub seen: Option<u64>,
    /// What is asked.
    pub request: Request,
}

impl Request {
    /// Whether this method is a mere look: it changes nothing, is journalled nowhere and conflicts with nothing.
    #[must_use]
    pub fn looks(method: &str) -> bool {
        matches!(
            method,
            "round.check"
                | "round.view"
                | "board.start_times"
                | "foul.articles"
                | "foul.list"
                | "event.standings"
                | "board.history"
        )
    }
}

/// Why a request cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// No such method.
    #[error("there is no request `{0}`")]
    Method(String),
    /// The parameters do not fit.
    #[error("{method}: {what}")]
    Params {
        /// The method.
        method: String,
        /// What does not fit.
        what: String,
    },
}

impl Ask {
    /// Reads a request. Parameters left out altogether are an empty object.
    ///
    /// # Errors
    /// An unknown method, or parameters that do not fit it.
    pub fn parse(method: &str, params: Option<Value>) -> Result<Self, ParamsError> {
        if !Request::METHODS.contains(&method) {
            return Err(ParamsError::Method(method.chars().take(64).collect()));
        }
        let params = match params {
            None | Some(Value::Null) => Value::Object(serde_json::Map::new()),
            Some(params @ Value::Object(_)) => params,
            Some(_) => {
                return Err(ParamsError::Params {
                    method: method.into(),
                    what: "parameters are an object, by name".into(),
                });
            }
        };
        let wrong =
            |what: serde_json::Error| ParamsError::Params { method: method.into(), what: what.to_string() };
        #[derive(Deserialize)]
        struct Any {
            request_id: Option<String>,
            seen: Option<u64>,
        }
        let any = Any::deserialize(&params).map_err(wrong)?;
        if any.request_id.as_ref().is_some_and(|id| id.is_empty() || id.len() > 128) {
            return Err(ParamsError::Params {
                method: method.into(),
                what: "request_id has 1 to 128 bytes".into(),
            });
        }
        let tagged = serde_json::json!({ "method": method, "params": params });
        let request = Request::deserialize(tagged).map_err(wrong)?;
        Ok(Self { method: method.into(), params, request_id: any.request_id, seen: any.seen, request })
    }
}

macro_rules! requests {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $role:ident { $($(#[$fmeta:meta])* $field:ident: $type:ty,)* })*) => {
        /// What is asked.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "method", content = "params")]
        #[allow(missing_docs)] // each field is told in docs/api by its request
        pub enum Request {
            $($(#[$doc])* #[serde(rename = $name)] $variant { $($(#[$fmeta])* $field: $type,)* },)*
        }

        impl Request {
            /// All methods.
            pub const METHODS: &'static [&'static str] = &[$($name),*];

            /// Its method.
            #[must_use]
            pub const fn method(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $name,)* }
            }

            /// Who may ask this method, beside the chief.
            #[must_use]
            pub fn role_of(method: &str) -> Option<Role> {
                match method { $($name => Some(Role::$role),)* _ => None }
            }

            /// Who may ask it, beside the chief.
            #[must_use]
            pub const fn role(&self) -> Role {
                match self { $(Self::$variant { .. } => Role::$role,)* }
            }
        }
    };
}

requests! {
    /// Walk along the tables and press a lever at each: every clock pressed next is bound to the next table.
    SetupWalk = "setup.walk", Technician {
        #[serde(default)] from_table: Option<u32>,
        #[serde(default)] to_table: Option<u32>,
        #[serde(default)] first_side: Option<Side>,
        #[serde(default)] stop: bool,
    }
    /// Loads a round's boards from the pairing program's list.
    RoundLoad = "round.load", Results {
        #[serde(default)] round: Option<u32>,
        #[serde(flatten)] list: PairingList,
        #[serde(default)] dry_run: bool,
        #[serde(default)] replace: bool,
    }
    /// The round's results as a file for the pairing program.
    RoundExport = "round.export", Results { #[serde(default)] round: Option<u32>, }
    /// A match begins later: nobody of it is late before then.
    MatchHold = "match.hold", Arbiter {
        #[serde(default)] round: Option<u32>,
        #[serde(rename = "match")] match_no: u32,
        until: Wall,
        #[serde(default)] reason: Option<String>,
    }
    /// The results of a match from its sheet.
    MatchResults = "match.results", Results {
        #[serde(default)] round: Option<u32>,
        #[serde(rename = "match")] match_no: u32,
        results: SheetResults,
        #[serde(default = "unstated")] cause: Cause,
        #[serde(default = "entered")] status: Status,
    }
    /// A player claims; the clock is stopped while an arbiter looks (七.4).
    ClaimOpen = "claim.open", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        kind: ClaimKind,
        #[serde(default)] reason: Option<String>,
    }
    /// An arbiter decides a claim.
    ClaimDecide = "claim.decide", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        outcome: ClaimOutcome,
        #[serde(default)] rounds: Option<u32>,
        #[serde(default)] checks: Option<u32>,
        #[serde(default)] reason: Option<String>,
    }
    /// Sets every clock that has no game.
    RoundPrepare = "round.prepare", Technician { #[serde(default)] round: Option<u32>, }
    /// What every table of the round is like; changes nothing.
    RoundCheck = "round.check", Viewer { #[serde(default)] round: Option<u32>, }
    /// A round as the snapshot has those that are open: any, loaded or closed; changes nothing.
    RoundView = "round.view", Viewer { #[serde(default)] round: Option<u32>, }
    /// The round began: now, or at a past instant. Adopts games that already run.
    RoundStart = "round.start", Arbiter {
        #[serde(default)] round: Option<u32>,
        #[serde(default)] at: Option<Wall>,
        #[serde(default)] except: Vec<u32>,
    }
    /// These chairs are empty; with `complete`, all others are taken.
    RoundAbsent = "round.absent", Arbiter {
        #[serde(default)] round: Option<u32>,
        players: Vec<Absent>,
        #[serde(default)] complete: bool,
    }
    /// The whole round is stopped, now or since a past instant.
    RoundPause = "round.pause", Arbiter {
        #[serde(default)] round: Option<u32>,
        #[serde(default)] at: Option<Wall>,
        #[serde(default)] reason: Option<String>,
    }
    /// Resumes what the pause stopped; `seated` says that the players sit at their boards.
    RoundResume = "round.resume", Arbiter {
        #[serde(default)] round: Option<u32>,
        #[serde(default)] seated: bool,
        #[serde(default)] reason: Option<String>,
    }
    /// Closes a round: its results are official. Refuses and lists what is missing.
    RoundClose = "round.close", Chief { #[serde(default)] round: Option<u32>, }
    /// A player came.
    PlayerArrived = "player.arrived", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        #[serde(default)] at: Option<Wall>,
    }
    /// Starts a board: with the lateness deducted, or with these times.
    BoardStart = "board.start", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] first_ms: Option<i64>,
        #[serde(default)] second_ms: Option<i64>,
        #[serde(default)] policy: Option<BothLate>,
    }
    /// What `board.start` would set, with the lateness deducted; changes nothing.
    BoardStartTimes = "board.start_times", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] policy: Option<BothLate>,
    }
    /// An arbiter stops the clock; all stops until `board.resume` are his.
    BoardStop = "board.stop", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] reason: Option<String>,
    }
    /// An arbiter lets the game go on.
    BoardResume = "board.resume", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] reason: Option<String>,
    }
    /// The players sit the other way round; the times stay with the sides.
    BoardSwapSides = "board.swap_sides", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] reason: Option<String>,
    }
    /// Sets both players' times.
    BoardSetTimes = "board.set_times", Arbiter {
        #[serde(flatten)] on: ForBoard,
        first_ms: i64,
        second_ms: i64,
        #[serde(default)] reason: Option<String>,
    }
    /// Changes one player's time by difference.
    BoardAdjust = "board.adjust", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        delta_ms: i64,
        #[serde(default)] reason: Option<String>,
    }
    /// Takes back what the event of this seq did, by difference.
    Undo = "undo", Arbiter {
        seq: u64,
        #[serde(default)] reason: Option<String>,
    }
    /// Enters a result.
    BoardResult = "board.result", Results {
        #[serde(flatten)] on: ForBoard,
        #[serde(flatten)] entry: ResultEntry,
    }
    /// Both players signed (九.2).
    BoardSign = "board.sign", Results { #[serde(flatten)] on: ForBoard, }
    /// Takes a result back.
    BoardWithdrawResult = "board.withdraw_result", Results {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] reason: Option<String>,
    }
    /// Gives a board another clock; with `carry`, the proven times and counts go along.
    BoardAssign = "board.assign", Technician {
        #[serde(flatten)] on: ForBoard,
        clock: ClockId,
        #[serde(default)] first_side: Option<Side>,
        #[serde(default)] carry: bool,
    }
    /// Why the clock of this board was stopped.
    StopExplain = "stop.explain", Arbiter {
        #[serde(flatten)] on: ForBoard,
        cause: StopCause,
        #[serde(default)] offender: Option<Offender>,
        #[serde(default)] reason: Option<String>,
    }
    /// Records a foul: `moves` not written down (五.1), `at` when it happened, `not_player` where somebody else of
    /// his team did it (八.11), `waived` where he resigned at once (八.12).
    FoulRecord = "foul.record", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        article: String,
        #[serde(default)] moves: Option<u32>,
        #[serde(default)] count: Option<u32>,
        #[serde(default)] at: Option<Wall>,
        #[serde(default)] not_player: bool,
        #[serde(default)] waived: bool,
        #[serde(default)] reason: Option<String>,
    }
    /// What can be recorded against a player, and what would follow from the very next foul; changes nothing.
    FoulArticles = "foul.articles", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
    }
    /// All fouls that were recorded, withdrawn ones too; changes nothing.
    FoulList = "foul.list", Results { #[serde(default)] round: Option<u32>, }
    /// Players and teams in order, over all rounds; changes nothing.
    EventStandings = "event.standings", Results {}
    /// Takes the last foul of this article back; `waived` where he resigned at once (八.12).
    FoulWithdraw = "foul.withdraw", Arbiter {
        #[serde(flatten)] on: ForBoard,
        player: Player,
        article: String,
        #[serde(default)] waived: bool,
        #[serde(default)] reason: Option<String>,
    }
    /// Acknowledges that both need no longer record (五.3).
    RecordingExempt = "recording.exempt", Arbiter {
        #[serde(flatten)] on: ForBoard,
        #[serde(default)] player: Option<Offender>,
        #[serde(default)] article: Option<String>,
    }
    /// Confirms one or several rulings.
    RulingConfirm = "ruling.confirm", Arbiter {
        #[serde(default)] id: Option<u64>,
        #[serde(default)] ids: Vec<u64>,
        #[serde(default)] offender: Option<Offender>,
        #[serde(default)] option: Option<usize>,
        #[serde(default)] proof: Option<ProofBy>,
        #[serde(default)] times: Option<Times>,
        #[serde(default)] reason: Option<String>,
    }
    /// Decides against one or several rulings; a reason is needed.
    RulingOverrule = "ruling.overrule", Arbiter {
        #[serde(default)] id: Option<u64>,
        #[serde(default)] ids: Vec<u64>,
        reason: String,
    }
    /// A ruling on what the hall cannot see.
    RulingMake = "ruling.make", Arbiter {
        #[serde(flatten)] on: ForBoard,
        kind: RulingKind,
        #[serde(default)] article: Option<String>,
        #[serde(default)] offender: Option<Offender>,
        #[serde(default)] moves: Option<u32>,
        #[serde(default)] reason: Option<String>,
    }
    /// Told on the spot to players and public (八.12).
    RulingAnnounce = "ruling.announce", Arbiter {
        #[serde(default)] id: Option<u64>,
        #[serde(default)] ids: Vec<u64>,
    }
    /// I am going there; with `leave`, I am not after all.
    IncidentTake = "incident.take", Arbiter {
        id: u64,
        #[serde(default)] leave: bool,
    }
    /// Closes an incident.
    IncidentClose = "incident.close", Arbiter {
        id: u64,
        #[serde(default)] outcome: Option<String>,
        #[serde(default)] reason: Option<String>,
    }
    /// Turns the mode in mid-event.
    EventMode = "event.mode", Chief {
        mode: String,
        #[serde(default)] reason: Option<String>,
    }
    /// A task is done.
    TaskDone = "task.done", Arbiter { id: u64, }
    /// Makes a clock blink.
    ClockIdentify = "clock.identify", Technician { clock: ClockId, }
    /// All events of a board.
    BoardHistory = "board.history", Viewer {
        #[serde(flatten)] on: ForBoard,
        #[serde(flatten)] page: Page,
    }
}
