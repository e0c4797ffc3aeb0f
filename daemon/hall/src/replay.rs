//! Deciding a journal again: its inputs through fresh rules, every decision compared.
//!
//! Facts are compared, never wording. After an upgrade a difference is a finding, not an error.

use crate::recover::{RecoverError, read};
use flagfall_rules::{Decision, Input, Outcome, Rules, Venue};
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;

/// Differences kept; where one decision differs, many may.
const MOST: usize = 100;
/// Fields that carry words for people.
const WORDING: [&str; 2] = ["text", "message"];

/// A decision that came out otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The record, from 1: the decision, or the input after which one is missing.
    pub record: u64,
    /// As journalled.
    pub journalled: Option<Value>,
    /// As decided now.
    pub decided: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        match (&self.journalled, &self.decided) {
            (Some(journalled), Some(decided)) => {
                write!(f, "record {record}: journalled {journalled}, decided now {decided}")
            }
            (Some(journalled), None) => {
                write!(f, "record {record}: journalled {journalled}, not decided now")
            }
            (None, Some(decided)) => {
                write!(f, "after record {record}: decided now, not journalled: {decided}")
            }
            (None, None) => write!(f, "record {record}"),
        }
    }
}

/// What deciding again came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayReport {
    /// Inputs decided on.
    pub inputs: u64,
    /// Decisions journalled.
    pub decisions: u64,
    /// Where they differ, the first hundred.
    pub differences: Vec<Difference>,
    /// How many differ in all.
    pub different: u64,
}

impl ReplayReport {
    fn differs(&mut self, record: u64, journalled: Option<Value>, decided: Option<Value>) {
        self.different += 1;
        if self.differences.len() < MOST {
            self.differences.push(Difference { record, journalled, decided });
        }
    }
}

/// Runs a journal's inputs through fresh rules and compares every decision.
///
/// # Errors
/// A record that cannot be read, or no setup.
pub fn replay<K: AsRef<str>, B: AsRef<str>>(
    records: impl Iterator<Item = (Venue, K, Option<u64>, B)>,
) -> Result<ReplayReport, RecoverError> {
    let mut report = ReplayReport::default();
    let mut rules: Option<Rules> = None;
    let mut before_setup: Vec<(Venue, Input)> = Vec::new();
    let mut decided: VecDeque<Decision> = VecDeque::new();
    let mut record = 0;
    let mut input_record = 0;
    for (at, kind, _, body) in records {
        record += 1;
        let (kind, body) = (kind.as_ref(), body.as_ref());
        match kind {
            "input" | "sample" => {
                left_over(&mut decided, input_record, &mut report);
                input_record = record;
                report.inputs += 1;
                let input: Input = read(record, kind, body)?;
                let mut outcome = Outcome::default();
                match (&mut rules, &input) {
                    (Some(rules), input) => rules.handle(at, input, &mut outcome),
                    (none, Input::Setup(setup)) => {
                        let rules = none.insert(Rules::new((**setup).clone()));
                        for (at, input) in before_setup.drain(..) {
                            rules.handle(at, &input, &mut outcome);
                        }
                        rules.handle(at, &input, &mut outcome);
                    }
                    (None, _) => before_setup.push((at, input)),
                }
                decided.extend(outcome.decisions);
            }
            "decision" => {
                report.decisions += 1;
                let mut journalled: Value = read(record, kind, body)?;
                strip(&mut journalled);
                let now = decided.pop_front().map(|decision| facts(&decision));
                if now.as_ref() != Some(&journalled) {
                    report.differs(record, Some(journalled), now);
                }
            }
            _ => {}
        }
    }
    left_over(&mut decided, input_record, &mut report);
    rules.map(|_| report).ok_or(RecoverError::NoSetup { records: record })
}

fn left_over(decided: &mut VecDeque<Decision>, record: u64, report: &mut ReplayReport) {
    for decision in decided.drain(..) {
        report.differs(record, None, Some(facts(&decision)));
    }
}

fn facts(decision: &Decision) -> Value {
    let mut value = serde_json::to_value(decision).unwrap_or(Value::Null);
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for word in WORDING {
                fields.shift_remove(word);
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
