//! Rounds as a pairing program has them: matches of teams, boards one by one, a CSV file.
//!
//! One reading for `round.load` and for the venue file: spreading matches over boards, seating the boards at
//! tables, checking them. Pure: whoever calls knows where the list came from and says so in his own words.
//!
//! A [`Finding`] is what cannot be, and the round is refused for it. A [`Doubt`] is told, and the round
//! loads all the same: in a hall the list is more often right than what was noted before it.

mod bytes;
mod check;
mod columns;
mod csv;
mod doubts;
mod fold;
mod list;
mod load;
mod names;
mod spread;
mod standing;

pub use bytes::{Encoding, decode, misread};
pub use check::check;
pub(crate) use columns::{RESULTS, WRITTEN};
pub use csv::{Rows, read};
pub use doubts::{Doubt, of_the_list};
pub(crate) use fold::{Counted, counted};
pub use names::nearest;
pub use spread::{Pair, seat, spread};

use crate::{BoardSetup, TableSetup, TeamSetup};

/// What the hall knows when a list is read.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The tables; with `tables_come` others may follow.
    pub tables: &'a [TableSetup],
    /// The teams. None: names are taken as they stand.
    pub teams: &'a [TeamSetup],
    /// A table may be named before it is there: a walk along the tables brings it.
    pub tables_come: bool,
    /// What a row of the list is called: `line`, `row`, `match`.
    pub row: &'a str,
}

/// A board and the row it was read from, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The board.
    pub board: BoardSetup,
    /// Its row.
    pub row: usize,
}

/// Something that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The row it stands in, from 1; none where the whole list is meant.
    pub row: Option<usize>,
    /// The column, where there is one.
    pub column: &'static str,
    /// What cannot be, and what would be right.
    pub message: String,
    /// What was perhaps meant.
    pub proposal: Option<String>,
}

impl Finding {
    /// Of a row.
    #[must_use]
    pub fn at(row: usize, message: impl Into<String>) -> Self {
        Self { row: Some(row), column: "", message: message.into(), proposal: None }
    }

    /// Of the whole list.
    #[must_use]
    pub fn of_all(message: impl Into<String>) -> Self {
        Self { row: None, column: "", message: message.into(), proposal: None }
    }

    fn in_column(self, column: &'static str) -> Self {
        Self { column, ..self }
    }

    fn or(self, proposal: Option<&str>) -> Self {
        Self { proposal: proposal.map(str::to_owned), ..self }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.proposal {
            Some(proposal) => write!(f, "; did you mean `{proposal}`?"),
            None => Ok(()),
        }
    }
}
