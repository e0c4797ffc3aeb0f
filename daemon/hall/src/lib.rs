//! All that a hall is, without IO: sessions of clocks, open commands, who may ask what, and the rules.
//!
//! Pure: time is an argument. The shell feeds [`Hall::handle`] with what it hears and carries out what
//! [`Out`] says: first the records to the journal; only when they are durable the rest.

mod changes;
mod clock;
mod command;
mod faults;
mod gate;
mod hall;
mod recover;
mod replay;
mod scope;
mod session;

pub use command::LASTS_MS as COMMAND_LASTS_MS;
pub use hall::Hall;
pub use recover::{RecoverError, RecoverStats};
pub use replay::{Difference, ReplayReport, replay};
pub use session::{Passed, Session, Taken};

use flagfall_arbiter::{Ask, Event, Refused, Wall};
use flagfall_clock::{ClockCommand, ClockId, ClockReport};
use flagfall_rules::{Venue, Who};
use serde_json::Value;

/// A line to clocks: a port, a connection, a broker. Numbered by the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

/// A desk's open request. Numbered by the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskId(pub u64);

/// What the shell hears.
#[derive(Debug)]
pub enum Heard {
    /// A clock's report, intact and, where its clock has a key, sealed.
    Report {
        /// The line it came by.
        line: LineId,
        /// The report.
        report: ClockReport,
        /// It carried a valid seal.
        sealed: bool,
    },
    /// A line is there (again).
    LineUp {
        /// Which line.
        line: LineId,
        /// Its name for people: `/dev/ttyUSB0`, `mqtt://127.0.0.1:1883`.
        name: String,
    },
    /// A line is gone: unplugged, broker away.
    LineDown {
        /// Which line.
        line: LineId,
        /// Why.
        cause: String,
    },
    /// A broker's word about one clock (`/link`). Live data beats it.
    Will {
        /// The line it came by.
        line: LineId,
        /// Which clock.
        clock: ClockId,
        /// `online` or `offline`.
        online: bool,
    },
    /// A message that is no report, or a line that does not work.
    Fault {
        /// Which clock, where known.
        clock: Option<ClockId>,
        /// What kind: `malformed`, `oversized`, `retained`, `foreign_topic`, `seal`, `port`, ...
        kind: &'static str,
        /// One sentence that names the thing.
        message: String,
    },
    /// A person asks.
    Ask {
        /// For the answer.
        id: AskId,
        /// Who.
        who: Who,
        /// What.
        ask: Ask,
    },
    /// A person asks for something that exists, with parameters that do not fit it.
    Misread {
        /// For the answer.
        id: AskId,
        /// Who.
        who: Who,
        /// The method; one of [`flagfall_arbiter::Request::METHODS`].
        method: String,
        /// The parameters, as they came.
        params: Value,
        /// What does not fit.
        refused: Refused,
    },
    /// The wall clock, compared now and then; a step is journalled.
    Wall(Wall),
    /// The journal cannot be written (why), or can again.
    Journal(Option<String>),
    /// Nothing; something may have fallen due.
    Time,
}

/// A record for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Venue time.
    pub at: Venue,
    /// `input`, `sample`, `decision`, `answer`.
    pub kind: &'static str,
    /// The event's seq, where it is one.
    pub seq: Option<u64>,
    /// One JSON value.
    pub body: String,
}

/// A command on its way to a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    /// By which line.
    pub line: LineId,
    /// The command.
    pub command: ClockCommand,
}

/// What the shell is to do: `records` first; once they are durable, the rest in order.
#[derive(Debug, Default)]
pub struct Out {
    /// For the journal, in order.
    pub records: Vec<Record>,
    /// For the desks, in order.
    pub tell: Vec<Event>,
    /// For the clocks.
    pub send: Vec<Send>,
    /// An arbiter's stop while the journal cannot be written: goes out at once, whatever is durable.
    pub urgent: Vec<Send>,
    /// Answers to requests.
    pub answers: Vec<(AskId, Result<Value, Refused>)>,
}
