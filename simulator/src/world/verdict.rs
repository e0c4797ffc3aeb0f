//! Whether the daemon did what the scenario expects.

use super::World;

/// One expectation, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was expected.
    pub expected: String,
    /// It holds.
    pub holds: bool,
    /// What was found.
    pub found: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", if self.holds { "ok    " } else { "FAILED" }, self.expected, self.found)
    }
}

impl World {
    /// What the scenario expects, each with whether it holds. Before the end some may not hold yet.
    #[must_use]
    pub fn verdict(&self) -> Vec<Finding> {
        let mut findings: Vec<_> = self.scenario.expect.iter().map(|expect| self.expected(expect)).collect();
        let check = &self.scenario.check;
        let mut counted = |expected: String, count: u64, holds: bool| {
            findings.push(Finding { expected, holds, found: count.to_string() });
        };
        for kind in &check.none {
            let count = self.told.count(kind);
            counted(format!("no {kind}"), count, count == 0);
        }
        for (kind, n) in &check.exactly {
            let count = self.told.count(kind);
            counted(format!("exactly {n} {kind}"), count, count == *n);
        }
        for (kind, n) in &check.at_least {
            let count = self.told.count(kind);
            counted(format!("at least {n} {kind}"), count, count >= *n);
        }
        if let Some(n) = check.max_decide {
            let count = self.told.decisions();
            counted(format!("at most {n} questions to decide"), count, count <= n);
        }
        if let Some(n) = check.max_refused {
            findings.push(self.refusals(n));
        }
        findings.extend(check.max_decide_per_round.map(|n| self.decisions_by_round(n)));
        findings.extend(check.max_acts_per_board.map(|n| self.acts_by_board(n)));
        findings.extend(check.bound.map(|n| {
            let (tables, presses) = self.bound();
            Finding {
                expected: format!("{n} clocks bound to their tables by {n} presses"),
                holds: (tables, presses) == (n, u64::from(n)),
                found: format!("{tables} by {presses}"),
            }
        }));
        if check.results_true {
            findings.push(self.results());
        }
        if check.all_official {
            findings.push(self.officials());
        }
        findings
    }

    fn refusals(&self, at_most: u64) -> Finding {
        let refused = &self.desk.refused;
        let mut found = refused.len().to_string();
        if let Some(first) = refused.first() {
            let at = crate::span::Span(i64::try_from(first.at).unwrap_or(i64::MAX));
            found +=
                &format!(", the first at {at}: {} {}: {}", first.method, first.params, first.why.message);
        }
        let holds = refused.len() as u64 <= at_most;
        Finding { expected: format!("at most {at_most} requests refused"), holds, found }
    }

    fn results(&self) -> Finding {
        let mut wrong = self.told.untrue.clone();
        for play in &self.plays {
            let told = self.told.results.get(&(play.round, play.board)).map(|result| result.result);
            let truth = play.truth.as_ref().map(|truth| truth.result);
            if told != truth || truth.is_none() {
                let word = |result: Option<flagfall_arbiter::Outcome>| {
                    result.map_or("none", |result| result.as_str())
                };
                let (round, board, told, truth) = (play.round, play.board, word(told), word(truth));
                wrong.push(format!("round {round} board {board}: told {told}, in truth {truth}"));
            }
        }
        let missing = self.scenario.rounds as usize * self.tables.len() - self.plays.len();
        if missing > 0 {
            wrong.push(format!("{missing} games were never played"));
        }
        let found = match wrong.len() {
            0 => format!("{} results", self.plays.len()),
            n => format!("{n} wrong: {}", wrong[..n.min(5)].join("; ")),
        };
        Finding { expected: "every result is true".into(), holds: wrong.is_empty(), found }
    }
}
