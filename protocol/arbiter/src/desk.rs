//! Who sits at a desk, what he may see and ask, and how he says hello.

use crate::{Snapshot, Wall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// For whom an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Players, spectators, walls and everybody else.
    Public,
    /// Arbiters, results and technicians.
    Desk,
}

/// What a user of the desk is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The chief arbiter: may everything.
    Chief,
    /// An arbiter: rules on boards.
    Arbiter,
    /// Enters and signs results, loads rounds.
    Results,
    /// Sets up clocks.
    Technician,
    /// Sees what is public, asks nothing.
    Viewer,
}

impl Role {
    /// What he hears.
    #[must_use]
    pub const fn audience(self) -> Audience {
        match self {
            Self::Viewer => Audience::Public,
            _ => Audience::Desk,
        }
    }
}

/// The first request on a connection.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Hello {
    /// The user's token.
    pub token: String,
    /// The client's own name and version, for the log.
    #[serde(default)]
    pub client: String,
    /// The journal that `after` counts in; this one where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// The last event the client has; 0 for all from the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Merged states of all clocks, without seq.
    #[serde(default)]
    pub ticks: bool,
}

/// The answer to [`Hello`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// Name and version of the daemon.
    pub server: String,
    /// Version of this contract.
    pub version: u32,
    /// The user whose token it is.
    #[serde(default)]
    pub user: String,
    /// What the token lets him do.
    pub role: Role,
    /// The tables that are his first, each from and to; none: all alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<[u32; 2]>,
    /// The journal's id.
    pub journal: String,
    /// The last event told.
    pub head: u64,
    /// Venue time runs so many times as fast as the wall's; 1 but in a simulated hall.
    pub speed: u32,
    /// Observe, assist or act.
    pub mode: String,
    /// Wall time at the daemon.
    pub now: Wall,
    /// `after` did not fit this journal: forget what you have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reset: bool,
    /// The hall as of `head`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Box<Snapshot>>,
}

/// Why a request was refused; travels as a JSON-RPC error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// JSON-RPC's own codes, and those below.
    pub code: i32,
    /// One sentence that names the thing.
    pub message: String,
    /// What helps the asker further, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl Refused {
    /// No such method.
    pub const METHOD: i32 = -32601;
    /// The parameters do not fit the method.
    pub const PARAMS: i32 = -32602;
    /// Wrong token, or not said hello yet.
    pub const TOKEN: i32 = -32000;
    /// The role does not allow it.
    pub const ROLE: i32 = -32001;
    /// Something changed since `seen`.
    pub const CONFLICT: i32 = -32002;
    /// It cannot be done as things stand.
    pub const STATE: i32 = -32003;
    /// There is no such board, clock, ruling, ...
    pub const UNKNOWN: i32 = -32004;
    /// Too many requests, or the journal cannot be written.
    pub const BUSY: i32 = -32005;

    /// A refusal with a code and a sentence.
    #[must_use]
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}
