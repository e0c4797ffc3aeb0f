//! A scenario: a hall, its people, its faults, and what is expected of the daemon. Read from one TOML file.
//!
//! Carries what the file says, checked; decides nothing. The format is told in `docs/scenarios.md`. A key nobody knows
//! is an error that names file, line and key.

mod begin;
mod board;
mod expect;
mod fault;
mod people;
mod read;
mod seats;
mod venue;

pub use begin::Begin;
pub use board::{Arrival, BoardScript, Finish, Hand, HandKind, Think};
pub use expect::{Check, Expect, is_kind};
pub use fault::{Fault, FaultKind, LineFaults};
pub use people::{
    Act, Announces, ArbiterHabits, Ends, Explains, Habits, ResultsBy, Signs, Step, UnprovableStop, When,
};
pub use read::ScenarioError;
pub use seats::{Seat, Seating};
pub use venue::{ClockLinks, Links, User};

use crate::span::Span;
use flagfall_clock::{ClockId, TimeControl};
use flagfall_firmware::Setup;
use serde::Deserialize;

/// A scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it shows, for people.
    #[serde(default)]
    pub about: String,
    /// Wall time at which it begins, with its offset from UTC.
    pub begin: Begin,
    /// Chance's seed, where the caller gives none.
    #[serde(default = "one")]
    pub seed: u64,
    /// Boards, tables and clocks; 1 to 1,000.
    #[serde(default = "forty_eight")]
    pub boards: u32,
    /// Rounds; 1 to 99.
    #[serde(default = "one_round")]
    pub rounds: u32,
    /// When the first round's word is said in the hall, from the beginning.
    #[serde(default = "half_an_hour")]
    pub first_round: Span,
    /// From one round's word to the next.
    #[serde(default = "three_hours")]
    pub every: Span,
    /// The scenario ends here, whatever goes on; else when everybody has gone home.
    #[serde(default)]
    pub until: Option<Span>,
    /// Where the first players sit.
    #[serde(default)]
    pub first_side: Seating,
    /// `[event]` of the venue file.
    #[serde(default)]
    pub event: EventTable,
    /// `[regulations]` of the venue file, handed through as it stands.
    #[serde(default)]
    pub regulations: toml::Table,
    /// What players do.
    #[serde(default)]
    pub players: Habits,
    /// What the chief arbiter and the results desk do.
    #[serde(default)]
    pub arbiter: ArbiterHabits,
    /// What every line does to messages.
    #[serde(default)]
    pub line: LineFaults,
    /// Clocks run off true by up to so many millionths, some fast, some slow.
    #[serde(default)]
    pub drift_ppm: u32,
    /// Single boards that are not left to habit.
    #[serde(default)]
    pub board: Vec<BoardScript>,
    /// What is asked at the desk at fixed times.
    #[serde(default)]
    pub act: Vec<Act>,
    /// What is asked at the desk in answer to something.
    #[serde(default)]
    pub when: Vec<When>,
    /// What breaks.
    #[serde(default)]
    pub fault: Vec<Fault>,
    /// What must be told.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// What must hold over the whole.
    #[serde(default)]
    pub check: Check,
}

/// `[event]` of the venue file, as far as a scenario chooses it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EventTable {
    /// The event's name; the scenario's where left out.
    pub name: Option<String>,
    /// IANA name of its time zone.
    pub timezone: String,
    /// `xiangqi` or `chess`.
    pub variant: String,
    /// Built-in regulations, or a path.
    pub regulations: String,
    /// Who starts the clocks.
    pub start_by: StartBy,
    /// `observe`, `assist` or `act`.
    pub mode: String,
}

impl Default for EventTable {
    fn default() -> Self {
        Self {
            name: None,
            timezone: "Asia/Shanghai".into(),
            variant: "xiangqi".into(),
            regulations: "wugong-2012".into(),
            start_by: StartBy::Players,
            mode: "act".into(),
        }
    }
}

/// Who starts the clocks of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartBy {
    /// The second player or an arbiter presses at the arbiter's word.
    Players,
    /// `round.start` starts them.
    Daemon,
}

impl StartBy {
    /// As in the file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Daemon => "daemon",
        }
    }
}

const fn one() -> u64 {
    1
}
const fn one_round() -> u32 {
    1
}
const fn forty_eight() -> u32 {
    48
}
const fn half_an_hour() -> Span {
    Span::minutes(30)
}
const fn three_hours() -> Span {
    Span::minutes(180)
}

impl Scenario {
    /// The clock that stands at table `table` (from 1), for the whole event.
    #[must_use]
    pub fn clock_at(&self, table: u32) -> Option<ClockId> {
        (1..=self.boards).contains(&table).then(|| clock_name(table))
    }

    /// The time control of the regulations, as the clocks are set at the beginning.
    ///
    /// # Errors
    /// A value of `[regulations]` that no clock can be set to.
    pub fn control(&self) -> Result<TimeControl, ScenarioError> {
        let mut table = toml::Table::new();
        table.insert("base_ms".into(), 3_000_000.into());
        table.insert("increment_ms".into(), 15_000.into());
        for key in [
            "kind",
            "base_ms",
            "increment_ms",
            "increment_on_first_move",
            "flag_at",
            "freeze_on_flag",
            "first",
            "second",
            "cap_ms",
            "overtime_ms",
            "overtime_count",
            "moves",
            "periods",
            "periods_at",
            "repeat",
        ] {
            if let Some(value) = self.regulations.get(key) {
                table.insert(key.into(), value.clone());
            }
        }
        let control: TimeControl = table
            .try_into()
            .map_err(|error: toml::de::Error| ScenarioError::Control(error.message().into()))?;
        if !(Setup { control, ..Setup::default() }).in_range() {
            let said = "the time control makes no sense, or is more than a clock can hold";
            return Err(ScenarioError::Control(said.into()));
        }
        Ok(control)
    }

    /// How long after a round's start a player may come (`default_ms`), in milliseconds.
    #[must_use]
    pub fn default_ms(&self) -> u64 {
        let said = self.regulations.get("default_ms").and_then(toml::Value::as_integer);
        said.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(900_000)
    }

    /// The same hall with so many boards; what is said of boards beyond is left out.
    #[must_use]
    pub fn with_boards(mut self, boards: u32) -> Self {
        let there = |name: Option<&String>| {
            name.and_then(|name| name.parse::<u32>().ok()).is_none_or(|number| number <= boards)
        };
        self.boards = boards;
        self.board.retain(|board| board.board <= boards);
        self.expect.retain(|expect| there(expect.board.as_ref()));
        self.act.retain(|act| {
            let board = act.params.get("board").and_then(|board| board.as_str()).map(str::to_owned);
            there(board.as_ref())
        });
        for fault in &mut self.fault {
            if let Some(tables) = &mut fault.tables {
                tables.retain(|table| *table <= boards);
            }
        }
        self.fault.retain(|fault| fault.tables.as_ref().is_none_or(|tables| !tables.is_empty()));
        self
    }

    /// When the word of `round` (from 1) is said in the hall, in milliseconds from the beginning.
    #[must_use]
    pub fn word(&self, round: u32) -> u64 {
        self.first_round.ms() + u64::from(round.saturating_sub(1)) * self.every.ms()
    }

    /// The same hall without its blackouts, and a sentence for each that is left out: nobody can switch off the
    /// house in which a live daemon runs.
    #[must_use]
    pub fn without_blackouts(mut self) -> (Self, Vec<String>) {
        let (out, stay): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.fault).into_iter().partition(|fault| fault.kind == FaultKind::Blackout);
        self.fault = stay;
        let said = out.iter().map(|fault| {
            let round = fault.round.map_or_else(String::new, |round| format!(" of round {round}"));
            format!(
                "{}: the blackout at {}{round} is left out; only `flagfall rehearse` can do it",
                self.name, fault.at
            )
        });
        let said = said.collect();
        (self, said)
    }

    /// When this fault begins, in milliseconds from the beginning.
    #[must_use]
    pub fn begin_of(&self, fault: &Fault) -> u64 {
        fault.round.map_or(0, |round| self.word(round)).saturating_add_signed(fault.at.0)
    }

    /// What the file says of this board in this round, the later entries first.
    pub fn scripts(&self, round: u32, board: u32) -> impl Iterator<Item = &BoardScript> {
        self.board.iter().rev().filter(move |s| s.board == board && s.round.is_none_or(|r| r == round))
    }
}

/// Clocks are named `A01`, `A02`, ... by their table.
pub(crate) fn clock_name(table: u32) -> ClockId {
    #[allow(clippy::expect_used)] // `A` and at most ten digits are always a name
    format!("A{table:02}").parse().expect("a short name of letters and digits")
}
