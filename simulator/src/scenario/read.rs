//! Reading a scenario's file: what is wrong with it is said with file, line and key.

use super::Scenario;
use super::expect::is_kind;
use super::fault::FaultKind;
use super::people::{ResultsBy, When};
use flagfall_arbiter::Request;
use flagfall_clock::{Kind, TimeControl};
use std::path::{Path, PathBuf};

/// Why a scenario cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file says something that cannot be.
    #[error("{name}:{line}: {what}")]
    File {
        /// Which file.
        name: String,
        /// In which line, from 1.
        line: usize,
        /// What, naming the key.
        what: String,
    },
    /// No clock can be set to what `[regulations]` says.
    #[error("[regulations]: {0}")]
    Control(String),
}

/// The longest that a game of so many moves a side can last under a control, in milliseconds.
fn longest_ms(control: &TimeControl, moves: u64) -> u64 {
    let (base, period) = (u64::from(control.base_ms), u64::from(control.overtime_ms));
    let later = control.periods.as_slice();
    let granted: u64 = later.iter().map(|period| u64::from(period.base_ms)).sum();
    let repeated = later.last().filter(|_| control.repeat);
    let again = repeated.map_or(0, |last| moves / u64::from(last.moves.max(1)) * u64::from(last.base_ms));
    let increment = later.iter().map(|period| period.increment_ms).fold(control.increment_ms, u32::max);
    2 * match control.kind {
        Kind::Byoyomi => base + (moves + u64::from(control.overtime_count)) * period,
        Kind::Canadian => base + (moves / u64::from(control.overtime_count.max(1)) + 1) * period,
        Kind::PerMove | Kind::Gong => moves * base,
        _ => base + granted + again + moves * u64::from(increment),
    }
}

impl Scenario {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// It cannot be read, or [`Scenario::parse`] refuses it.
    pub fn load(path: &Path) -> Result<Self, ScenarioError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ScenarioError::Read { path: path.to_owned(), source })?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// Reads the text of a file called `name`.
    ///
    /// # Errors
    /// It is no TOML, has a key nobody knows, or a value that cannot be.
    pub fn parse(name: &str, text: &str) -> Result<Self, ScenarioError> {
        let scenario: Self = toml::from_str(text).map_err(|error| ScenarioError::File {
            name: name.into(),
            line: error.span().map_or(1, |span| line_at(text, span.start)),
            what: error.message().replace('\n', " "),
        })?;
        match scenario.doubt() {
            None => Ok(scenario),
            Some((header, place, what)) => {
                Err(ScenarioError::File { name: name.into(), line: line_of(text, header, place), what })
            }
        }
    }

    /// What cannot be: in which of the tables with this header, and why.
    fn doubt(&self) -> Option<(&'static str, usize, String)> {
        self.sizes().or_else(|| self.boards_and_faults()).or_else(|| self.asks()).or_else(|| self.kinds())
    }

    fn sizes(&self) -> Option<(&'static str, usize, String)> {
        let top = |what: String| Some(("", 0, what));
        if !(1..=1_000).contains(&self.boards) {
            return top(format!("boards = {} is outside 1 to 1000", self.boards));
        }
        if !(1..=99).contains(&self.rounds) {
            return top(format!("rounds = {} is outside 1 to 99", self.rounds));
        }
        if self.first_round.0 < 0 || self.every.0 < 60_000 {
            return top(format!("first_round = {} or every = {} is too short", self.first_round, self.every));
        }
        match self.control() {
            Err(error) => return Some(("[regulations]", 0, error.to_string())),
            Ok(control) if self.rounds > 1 => {
                let game = longest_ms(&control, u64::from(self.players.moves[1]));
                if self.every.ms() < game + 35 * 60_000 {
                    return top(format!("every = {} leaves no room for a game and its result", self.every));
                }
            }
            Ok(_) => {}
        }
        let pairs = [
            ("moves", self.players.moves.map(i64::from)),
            ("uses_pct", self.players.uses_pct.map(i64::from)),
            ("late", self.players.late.map(|s| s.0)),
            ("start_within", self.players.start_within.map(|s| s.0)),
        ];
        for (key, [low, high]) in pairs {
            if low > high || low < 0 || (key == "moves" && low < 1) {
                return Some(("[players]", 0, format!("{key} is a lower and an upper bound, from 1")));
            }
        }
        let passing = self.arbiter.stops_left_running.unwrap_or_default();
        for (key, [low, high]) in [
            ("walks", self.arbiter.walks),
            ("results_after", self.arbiter.results_after),
            ("stops_left_running", passing),
        ] {
            if low > high || low.0 < 0 {
                return Some(("[arbiter]", 0, format!("{key} is a lower and an upper bound")));
            }
        }
        let sheets = self.arbiter.results_by == ResultsBy::Match;
        if self.teams() == 0 && (sheets || self.arbiter.loads_rounds) {
            let what =
                format!("boards = {} are no matches of four: no sheet, no list of matches", self.boards);
            return Some(("[arbiter]", 0, what));
        }
        None
    }

    fn boards_and_faults(&self) -> Option<(&'static str, usize, String)> {
        for (place, script) in self.board.iter().enumerate() {
            let wrong = |what: String| Some(("[[board]]", place, what));
            if !(1..=self.boards).contains(&script.board) {
                return wrong(format!("board = {}: there are {} boards", script.board, self.boards));
            }
            if script.round.is_some_and(|r| !(1..=self.rounds).contains(&r)) {
                return wrong(format!("round: there are {} rounds", self.rounds));
            }
            if script.moves == Some(0) {
                return wrong("moves counts from 1".into());
            }
            for hand in &script.hands {
                if hand.at.is_some() == hand.r#move.is_some() {
                    return wrong("do: each hand has either `at` or `move`".into());
                }
            }
        }
        for (place, fault) in self.fault.iter().enumerate() {
            if let Some(table) = fault.tables.iter().flatten().find(|t| !(1..=self.boards).contains(*t)) {
                return Some(("[[fault]]", place, format!("tables: there is no table {table}")));
            }
            let wrong = |what: &str| Some(("[[fault]]", place, what.to_owned()));
            if fault.round.is_none() && fault.at.0 < 0 || fault.lasts.0 < 0 {
                return wrong("at and for do not lie before the beginning");
            }
            if fault.kind.of_the_hall() && fault.tables.is_some() {
                return wrong("tables: a blackout or a broker's outage meets the whole hall");
            }
            if fault.shout && fault.kind != FaultKind::Blackout {
                return wrong("shout belongs to a blackout");
            }
        }
        None
    }

    fn asks(&self) -> Option<(&'static str, usize, String)> {
        let unknown = |method: &str| {
            (!Request::METHODS.contains(&method)).then(|| format!("method: there is no request `{method}`"))
        };
        for (place, act) in self.act.iter().enumerate() {
            if let Some(what) = unknown(&act.method) {
                return Some(("[[act]]", place, what));
            }
        }
        for (place, when) in self.when.iter().enumerate() {
            if let Some(what) = when.steps.iter().find_map(|step| unknown(&step.method)) {
                return Some(("[[when]]", place, what));
            }
            if let When { ruling: None, incident: None, .. }
            | When { ruling: Some(_), incident: Some(_), .. } = when
            {
                return Some(("[[when]]", place, "answers either a `ruling` or an `incident`".into()));
            }
        }
        None
    }

    fn kinds(&self) -> Option<(&'static str, usize, String)> {
        let said = |kind: &str| format!("`{kind}` is neither a ruling nor an incident nor an event");
        for (place, expect) in self.expect.iter().enumerate() {
            if !is_kind(&expect.kind) {
                return Some(("[[expect]]", place, said(&expect.kind)));
            }
        }
        let check = &self.check;
        let mut named = check.none.iter().chain(check.exactly.keys()).chain(check.at_least.keys());
        named.find(|kind| !is_kind(kind)).map(|kind| ("[check]", 0, said(kind)))
    }
}

fn line_at(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|b| *b == b'\n').count()
}

/// The line of the `place`th table with this header; the first line where there is none.
fn line_of(text: &str, header: &str, place: usize) -> usize {
    let mut lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with(header));
    lines.nth(place).map_or(1, |(line, _)| line + 1)
}

#[cfg(test)]
mod tests {
    use super::{Scenario, ScenarioError};

    const HEAD: &str = "name = \"x\"\nbegin = \"2012-06-14T08:00:00+08:00\"\n";

    fn refused(rest: &str) -> String {
        match Scenario::parse("hall.toml", &format!("{HEAD}{rest}")) {
            Err(error @ ScenarioError::File { .. }) => error.to_string(),
            other => panic!("taken, or another error: {other:?}"),
        }
    }

    #[test]
    fn an_unknown_key_is_refused_with_file_line_and_name() {
        for (rest, line, key) in [
            ("bords = 3\n", 3, "bords"),
            ("[players]\nmoves = [1, 2]\nthinks = 3\n", 5, "thinks"),
            ("[[board]]\nboard = 1\n[[board]]\nboard = 2\nrezult = \"1-0\"\n", 7, "rezult"),
            ("[[board]]\nboard = 1\ndo = [{ at = \"1m\", hand = \"button\", wy = \"fault\" }]\n", 5, "wy"),
            ("[check]\nnon = []\n", 4, "non"),
        ] {
            let said = refused(rest);
            assert!(
                said.starts_with(&format!("hall.toml:{line}: ")) && said.contains(&format!("`{key}`")),
                "{said}"
            );
        }
    }

    #[test]
    fn a_value_that_cannot_be_is_refused_with_its_line() {
        for (rest, line) in [
            ("boards = 4\n[[board]]\nboard = 1\n[[board]]\nboard = 5\n", 6),
            ("[[act]]\nat = \"1m\"\nmethod = \"round.begin\"\n", 3),
            ("[[expect]]\nkind = \"time_forfeits\"\n", 3),
            ("[check]\nnone = [\"what\"]\n", 3),
            ("[[when]]\nafter = \"1m\"\ndo = []\n", 3),
            ("[[fault]]\nkind = \"offline\"\ntables = [49]\nat = \"1m\"\n", 3),
            ("[[fault]]\nkind = \"blackout\"\ntables = [4]\nat = \"1m\"\n", 3),
            ("[[fault]]\nkind = \"broker\"\nshout = true\nat = \"1m\"\n", 3),
            ("boards = 6\n[arbiter]\nresults_by = \"match\"\n", 4),
            ("[regulations]\nbase_ms = \"long\"\n", 3),
            ("first_round = \"soon\"\n", 3),
        ] {
            let said = refused(rest);
            assert!(said.starts_with(&format!("hall.toml:{line}: ")), "{said}");
        }
    }
}
