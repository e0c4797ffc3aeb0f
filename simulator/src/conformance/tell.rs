//! What came of the cases, for people and for programs.

use super::case::Case;
use super::suite::{Outcome, Verdict};
use serde_json::json;

/// How many passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
    /// Skipped.
    pub skipped: u32,
}

impl Summary {
    /// Counts one more.
    pub const fn count(&mut self, outcome: &Outcome) {
        match outcome.verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
    }

    /// Something was tried, and nothing failed.
    #[must_use]
    pub const fn is_well(&self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// On one line.
    #[must_use]
    pub fn line(&self, as_json: bool) -> String {
        let Self { passed, failed, skipped } = *self;
        if as_json {
            return json!({ "summary": { "pass": passed, "fail": failed, "skipped": skipped } }).to_string();
        }
        format!("{} cases: {passed} pass, {failed} fail, {skipped} skipped", passed + failed + skipped)
    }
}

impl Outcome {
    /// On one line.
    #[must_use]
    pub fn line(&self, as_json: bool) -> String {
        let (verdict, why) = match &self.verdict {
            Verdict::Passed => ("pass", None),
            Verdict::Failed(why) => ("fail", Some(why)),
            Verdict::Skipped(why) => ("skipped", Some(why)),
        };
        if as_json {
            let mut line = json!({ "case": self.name, "verdict": verdict, "ms": self.took_us / 1_000 });
            if let Some(why) = why {
                line["why"] = json!(why);
            }
            if !self.notes.is_empty() {
                line["notes"] = json!(self.notes);
            }
            return line.to_string();
        }
        let verdict = if verdict == "fail" { "FAIL" } else { verdict };
        let mut line = format!("{verdict:<8}{}", self.name);
        if let Some(why) = why {
            line += &format!(": {why}");
        }
        if !self.notes.is_empty() {
            line += &format!(" ({})", self.notes.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        }
        line
    }
}

impl Case {
    /// What it is, on one line: its name, what it needs, how long it takes, what it is for.
    #[must_use]
    pub fn line(&self, as_json: bool) -> String {
        let needs: Vec<_> = self.needs.iter().map(|need| need.name()).collect();
        if as_json {
            return json!({ "case": self.name, "hands": self.hands.name(), "needs": needs, "long": self.long,
                "ms": self.lasts_ms(), "section": self.section, "about": self.about })
            .to_string();
        }
        let mut needed = vec![self.hands.name()];
        needed.extend(needs);
        if self.long {
            needed.push("--all");
        }
        let seconds = self.lasts_ms().div_ceil(1_000);
        format!("{:<40} {seconds:>5} s  {}: {}", self.name, needed.join(", "), self.about)
    }
}
