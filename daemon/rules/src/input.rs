//! What the rules are told, and what they answer.

use crate::{Change, Setup, Venue};
use flagfall_arbiter::{Ask, CommandState, Event, Refused, Role, Wall};
use flagfall_clock::{Action, ClockId, ClockReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A report as the session passes it on: once, in the clock's order, set into venue time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The report.
    pub report: ClockReport,
    /// When it happened, in venue time.
    pub happened: Venue,
    /// `happened` is exact to so many milliseconds.
    pub bound_ms: u64,
    /// Heard as it happened: neither replayed nor kept back by a lost link.
    pub live: bool,
    /// How far the times differ from what the clock's last state and its own uptime let expect, in
    /// milliseconds (positive: more time than reckoned); `None` where there is nothing to reckon
    /// from (first heard, new boot, an event that sets times).
    pub off_ms: Option<i64>,
}

/// A clock's times at an instant, as the sample of all clocks keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading(pub ClockId, pub Venue, pub i64, pub i64);

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// The user's name.
    pub name: String,
    /// His role.
    pub role: Role,
}

/// What the rules are told. Each is journalled before what follows from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Wall time at this venue time; the first begins the journal.
    Anchor {
        /// Wall time.
        wall: Wall,
    },
    /// What the configuration says; later ones add.
    Setup(Box<Setup>),
    /// The daemon came back; it heard nothing for so long (venue time, an upper bound).
    Restarted {
        /// Milliseconds.
        unobserved_ms: u64,
    },
    /// A clock's report.
    Report(Box<Observation>),
    /// Events of a clock are missing and could not be had again; the next report tells the counts.
    Gap {
        /// Which clock.
        clock: ClockId,
        /// The first report missing.
        from_seq: u32,
        /// The last report missing.
        to_seq: u32,
    },
    /// A clock's link.
    Link {
        /// Which clock.
        clock: ClockId,
        /// Heard or not.
        online: bool,
        /// By which port or broker.
        by: String,
        /// Why.
        cause: String,
    },
    /// Something wrong with a clock, a line or a message.
    Fault {
        /// Which clock, where known.
        clock: Option<ClockId>,
        /// What kind.
        kind: String,
        /// One sentence.
        message: String,
    },
    /// What became of a command.
    Command {
        /// Which clock.
        clock: ClockId,
        /// Its number.
        command: u32,
        /// What it says.
        action: Value,
        /// What became of it.
        state: CommandState,
        /// Why not.
        error: Option<String>,
    },
    /// One merged sample of all running clocks.
    Sample(Vec<Reading>),
    /// A person asks.
    Ask {
        /// The hall's number for it; a late answer names it.
        no: u64,
        /// Who.
        who: Who,
        /// The method.
        method: String,
        /// The parameters.
        params: Value,
    },
    /// A person asked and was refused before the rules were asked: role, parameters, conflict.
    Refused {
        /// Who.
        who: Who,
        /// The method.
        method: String,
        /// The parameters.
        params: Value,
        /// Why.
        error: String,
    },
    /// The journal can be written, or not; while not, nothing confirms itself.
    Journal {
        /// It can.
        ok: bool,
    },
    /// A deadline passed.
    Due,
}

/// What is to be done to a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Which clock.
    pub clock: ClockId,
    /// What.
    pub action: Action,
}

/// What was decided; folding all of them gives the state back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Told to those concerned.
    Tell(Box<Event>),
    /// A change of state that is not told by itself.
    Change(Box<Change>),
}

/// What follows from one input.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Decisions, in order; to be journalled before anything else of this is used.
    pub decisions: Vec<Decision>,
    /// What is to be done to clocks.
    pub orders: Vec<Order>,
    /// Answers to requests, by their number; some come later than their request.
    pub answers: Vec<(u64, Result<Value, Refused>)>,
}

impl Input {
    /// The request in it, read again.
    ///
    /// # Errors
    /// As [`Ask::parse`].
    pub fn ask(method: &str, params: &Value) -> Result<Ask, flagfall_arbiter::ParamsError> {
        Ask::parse(method, Some(params.clone()))
    }
}
