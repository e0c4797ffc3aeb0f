//! From a journal back to a hall: what was decided is folded in, nothing is decided again.

use crate::changes::Changes;
use crate::clock::Clock;
use crate::gate::{Answered, Requests};
use flagfall_arbiter::CommandState;
use flagfall_clock::{ClockEvent, ClockId};
use flagfall_rules::{Decision, Input, Rules, Venue};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// Why a journal does not make a hall.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// It does not say for which event it is.
    #[error("the journal has no setup: {records} records read")]
    NoSetup {
        /// Records read.
        records: u64,
    },
    /// A record cannot be read.
    #[error("record {record} of the journal, of kind {kind}: {error}")]
    Record {
        /// Which, from 1.
        record: u64,
        /// Its kind.
        kind: String,
        /// What is wrong.
        error: serde_json::Error,
    },
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoverStats {
    /// Records in all.
    pub records: u64,
    /// Inputs, samples among them.
    pub inputs: u64,
    /// Decisions.
    pub decisions: u64,
    /// Answers.
    pub answers: u64,
    /// Records of kinds this version does not know; left out.
    pub unknown: u64,
    /// The last record's venue time.
    pub at: Venue,
}

/// A command that was open when the journal ended.
pub(crate) type Unfinished = BTreeMap<(ClockId, u32), Value>;

/// A hall as folded.
pub(crate) struct Folded {
    pub rules: Rules,
    pub clocks: BTreeMap<ClockId, Clock>,
    pub requests: Requests,
    pub changes: Changes,
    pub unfinished: Unfinished,
    pub stats: RecoverStats,
}

pub(crate) fn read<T: DeserializeOwned>(record: u64, kind: &str, body: &str) -> Result<T, RecoverError> {
    serde_json::from_str(body).map_err(|error| RecoverError::Record { record, kind: kind.into(), error })
}

pub(crate) fn fold<K: AsRef<str>, B: AsRef<str>>(
    records: impl Iterator<Item = (Venue, K, Option<u64>, B)>,
) -> Result<Folded, RecoverError> {
    let mut rules: Option<Rules> = None;
    let mut before_setup: Vec<(Venue, Input)> = Vec::new();
    let mut clocks = BTreeMap::new();
    let mut requests = Requests::default();
    let mut changes = Changes::default();
    let mut unfinished = Unfinished::new();
    let mut stats = RecoverStats::default();
    for (at, kind, _, body) in records {
        let (kind, body) = (kind.as_ref(), body.as_ref());
        stats.records += 1;
        stats.at = stats.at.max(at);
        match kind {
            "input" | "sample" => {
                stats.inputs += 1;
                let input: Input = read(stats.records, kind, body)?;
                changes.begin(&input);
                restore(at, &input, &mut clocks, &mut requests, &mut unfinished);
                match (&mut rules, &input) {
                    (Some(rules), input) => rules.fold_input(at, input),
                    (none, Input::Setup(setup)) => {
                        let rules = none.insert(Rules::new((**setup).clone()));
                        for (at, input) in before_setup.drain(..) {
                            rules.fold_input(at, &input);
                        }
                        rules.fold_input(at, &input);
                    }
                    (None, _) => before_setup.push((at, input)),
                }
            }
            "decision" => {
                stats.decisions += 1;
                let decision: Decision = read(stats.records, kind, body)?;
                changes.decided(&decision);
                if let Some(rules) = &mut rules {
                    rules.fold_decision(at, &decision);
                }
            }
            "answer" => {
                stats.answers += 1;
                requests.keep(read::<Answered>(stats.records, kind, body)?);
            }
            _ => stats.unknown += 1,
        }
    }
    let rules = rules.ok_or(RecoverError::NoSetup { records: stats.records })?;
    Ok(Folded { rules, clocks, requests, changes, unfinished, stats })
}

fn restore(
    at: Venue,
    input: &Input,
    clocks: &mut BTreeMap<ClockId, Clock>,
    requests: &mut Requests,
    unfinished: &mut Unfinished,
) {
    match input {
        Input::Report(observation) => {
            let clock = known(clocks, observation.report.clock);
            clock.session.restore(observation);
            clock.link.ever = true;
            if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &observation.report.event {
                clock.commands.can(about.can);
            }
        }
        Input::Gap { clock, to_seq, .. } => known(clocks, *clock).session.restore_gap(*to_seq),
        Input::Link { clock, online, by, .. } => {
            let link = &mut known(clocks, *clock).link;
            link.online = *online;
            link.told = online.then(|| by.clone());
            link.ever = true;
            link.heard = at;
        }
        Input::Command { clock, command, action, state, .. } => {
            known(clocks, *clock).commands.given(*command);
            match state {
                CommandState::Sent => unfinished.insert((*clock, *command), action.clone()),
                _ => unfinished.remove(&(*clock, *command)),
            };
        }
        Input::Ask { no, who, method, params } => requests.reopen(*no, who, method, params),
        _ => {}
    }
}

fn known(clocks: &mut BTreeMap<ClockId, Clock>, clock: ClockId) -> &mut Clock {
    clocks.entry(clock).or_insert_with(|| Clock::new(clock))
}
