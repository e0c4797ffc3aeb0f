//! The hall itself: what is heard becomes inputs of the rules, what they decide becomes records, events,
//! commands and answers.
//!
//! Each input is recorded before the decisions that follow from it. What fell due before something was
//! heard is done before it. Reckons nothing itself: sessions, commands, gate and rules do.

mod asks;
mod clocks;
#[cfg(test)]
mod tests;
mod time;
mod view;

pub(crate) use asks::MOST_KEPT;

use crate::changes::Changes;
use crate::clock::Clock;
use crate::command::Step;
use crate::faults::Faults;
use crate::gate::Requests;
use crate::recover::{RecoverError, RecoverStats, Unfinished, fold};
use crate::{Heard, LineId, Out, Passed, Record};
use flagfall_arbiter::{CommandState, Request, Wall};
use flagfall_clock::{Action, ClockId};
use flagfall_rules::{Decision, Input, Order, Outcome, Rules, Setup, Venue};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One sample of all running clocks in so many milliseconds.
const SAMPLE_MS: u64 = 1_000;
/// Called so late, the daemon itself slept, and silence says nothing of clocks, in milliseconds.
const ASLEEP_MS: i64 = 5_000;
/// Called so late, the clocks count as unheard meanwhile, in milliseconds.
const SLEPT_MS: i64 = 60_000;
/// Numbers left out after a restart: commands that were never journalled may carry them (`replay`,
/// `describe`, and whatever a crash kept from the journal).
const RESTART_NUMBERS: u32 = 1_000;
/// Inputs that follow from one another in one call.
const MOST_INPUTS: usize = 100_000;

#[derive(Debug)]
struct Line {
    name: String,
    clocks: BTreeSet<ClockId>,
}

/// A hall.
#[derive(Debug)]
pub struct Hall {
    rules: Rules,
    clocks: BTreeMap<ClockId, Clock>,
    lines: BTreeMap<LineId, Line>,
    /// When clocks are to be looked at; each stands here at most once.
    due: BTreeSet<(Venue, ClockId)>,
    requests: Requests,
    changes: Changes,
    line_faults: Faults,
    unfinished: Unfinished,
    /// Clocks with a reading newer than the last sample.
    fresh: Vec<ClockId>,
    sample_at: Option<Venue>,
    sampled: Venue,
    anchored: Option<Venue>,
    /// Why the journal cannot be written, while it cannot.
    journal_fault: Option<String>,
    now: Venue,
    /// When the daemon woke up after it slept.
    awake: Venue,
    /// Deadlines of the rules are left alone until then: one did not move.
    stuck: Option<Venue>,
    /// Kept for its room.
    passed: Vec<Passed>,
    steps: Vec<Step>,
}

impl Hall {
    /// A new hall, as its configuration has it. [`Hall::begin`] comes first.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self::of(Rules::new(setup))
    }

    fn of(rules: Rules) -> Self {
        Self {
            rules,
            clocks: BTreeMap::new(),
            lines: BTreeMap::new(),
            due: BTreeSet::new(),
            requests: Requests::default(),
            changes: Changes::default(),
            line_faults: Faults::default(),
            unfinished: Unfinished::new(),
            fresh: Vec::new(),
            sample_at: None,
            sampled: Venue(0),
            anchored: None,
            journal_fault: None,
            now: Venue(0),
            awake: Venue(0),
            stuck: None,
            passed: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The first inputs of a new journal: wall time, and what the configuration says.
    pub fn begin(&mut self, at: Venue, setup: Setup, wall: Wall, out: &mut Out) {
        self.now = at.max(self.now);
        self.anchored = Some(self.now);
        self.put(self.now, Input::Anchor { wall }, out);
        self.put(self.now, Input::Setup(Box::new(setup)), out);
    }

    /// A hall as its journal leaves it: (venue time, kind, seq, body) of each record, in order. Nothing
    /// is decided; [`Hall::resume`] comes next.
    ///
    /// # Errors
    /// A record that cannot be read, or a journal without setup.
    pub fn recover<K: AsRef<str>, B: AsRef<str>>(
        records: impl Iterator<Item = (Venue, K, Option<u64>, B)>,
    ) -> Result<(Self, RecoverStats), RecoverError> {
        let folded = fold(records)?;
        let mut hall = Self::of(folded.rules);
        hall.clocks = folded.clocks;
        hall.requests = folded.requests;
        hall.changes = folded.changes;
        hall.unfinished = folded.unfinished;
        hall.now = folded.stats.at;
        for clock in hall.clocks.values_mut() {
            clock.commands.skip(RESTART_NUMBERS);
        }
        Ok((hall, folded.stats))
    }

    /// Goes on after [`Hall::recover`]. Nothing was heard for at most `unobserved_ms`. Commands that were
    /// open have expired: nothing is kept for a clock.
    pub fn resume(&mut self, at: Venue, setup: Setup, wall: Wall, unobserved_ms: u64, out: &mut Out) {
        self.now = at.max(self.now);
        self.awake = self.now;
        self.anchored = Some(self.now);
        self.put(self.now, Input::Anchor { wall }, out);
        self.put(self.now, Input::Setup(Box::new(setup)), out);
        self.put(self.now, Input::Restarted { unobserved_ms }, out);
        for ((clock, command), action) in std::mem::take(&mut self.unfinished) {
            let error = Some("the daemon was restarted".to_owned());
            let state = CommandState::Expired;
            self.put(self.now, Input::Command { clock, command, action, state, error }, out);
        }
        self.unheard();
    }

    /// Nobody listened for a while: each clock is there again when it is heard. People were told that it is
    /// there, and are told otherwise once it was silent for as long as any other.
    fn unheard(&mut self) {
        for id in self.clocks.keys().copied().collect::<Vec<_>>() {
            if let Some(clock) = self.clocks.get_mut(&id) {
                clock.link.online = false;
                clock.link.back = None;
                clock.session.lost_link();
            }
            self.schedule(id);
        }
    }

    /// Takes in what happened. `at` never goes back; what is older is taken as of now.
    pub fn handle(&mut self, at: Venue, heard: Heard, out: &mut Out) {
        let at = at.max(self.now);
        let late = self.next_deadline().map_or(0, |due| at.since(due));
        if late > ASLEEP_MS {
            self.awake = at;
        }
        if late > SLEPT_MS {
            // silence that nobody listened to shows nothing, whatever falls due now
            let unobserved_ms = late.unsigned_abs();
            self.put(self.now, Input::Restarted { unobserved_ms }, out);
            self.unheard();
        }
        self.fall_due(at, out);
        self.now = at;
        match heard {
            Heard::Report { line, report, sealed } => self.report(at, line, report, sealed, out),
            Heard::LineUp { line, name } => {
                self.lines.entry(line).or_insert_with(Line::new).name = name;
            }
            Heard::LineDown { line, cause } => self.line_down(at, line, &cause, out),
            Heard::Will { line, clock, online } => {
                let here = self.clocks.get(&clock).is_some_and(|clock| clock.link.line == Some(line));
                // a word that a clock is there shows nothing; its reports do
                if !online && here {
                    self.offline(at, clock, "will", out);
                }
            }
            Heard::Fault { clock, kind, message } => self.fault(at, clock, kind, message, out),
            Heard::Ask { id, who, ask } => self.ask(at, id, &who, ask, out),
            Heard::Misread { id, who, method, params, refused } => {
                if !Request::looks(&method) {
                    self.keep_refusal(at, &who, &method, &params, &refused, out);
                }
                out.answers.push((id, Err(refused)));
            }
            Heard::Wall(wall) => self.wall(at, wall, out),
            Heard::Journal(fault) => {
                let changed = fault.is_some() != self.journal_fault.is_some();
                self.journal_fault = fault;
                if changed {
                    self.put(at, Input::Journal { ok: self.journal_fault.is_none() }, out);
                }
            }
            Heard::Time => {}
        }
        // what a decision made due at once is done at once
        self.fall_due(at, out);
    }

    /// When [`Hall::handle`] is to be called with [`Heard::Time`] at the latest.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Venue> {
        let clocks = self.due.first().map(|(at, _)| *at);
        [self.rules_due(), clocks, self.sample_at].into_iter().flatten().min()
    }

    /// The rules, to look at.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Why the journal cannot be written, while it cannot.
    #[must_use]
    pub fn journal_fault(&self) -> Option<&str> {
        self.journal_fault.as_deref()
    }

    /// All clocks ever heard: whether each is online, and its session.
    pub fn clocks(&self) -> impl Iterator<Item = (ClockId, bool, &crate::Session)> {
        self.clocks.iter().map(|(id, clock)| (*id, clock.link.online, &clock.session))
    }

    fn put(&mut self, at: Venue, input: Input, out: &mut Out) {
        self.put_urgently(at, input, false, out);
    }

    /// Records an input, lets the rules decide, and records what they decided; then the same with what
    /// follows from their orders.
    fn put_urgently(&mut self, at: Venue, input: Input, urgent: bool, out: &mut Out) {
        let mut inputs = VecDeque::from([input]);
        let mut turns = 0;
        while let Some(input) = inputs.pop_front() {
            let kind = if matches!(input, Input::Sample(_)) { "sample" } else { "input" };
            out.records.push(record(at, kind, None, &input));
            let mut outcome = Outcome::default();
            self.changes.begin(&input);
            self.rules.handle(at, &input, &mut outcome);
            turns += 1;
            if turns > MOST_INPUTS {
                outcome.orders.clear();
            }
            self.follow(at, outcome, urgent, &mut inputs, out);
        }
    }

    fn follow(
        &mut self,
        at: Venue,
        outcome: Outcome,
        urgent: bool,
        inputs: &mut VecDeque<Input>,
        out: &mut Out,
    ) {
        for decision in outcome.decisions {
            let seq = match &decision {
                Decision::Tell(event) => Some(event.seq),
                Decision::Change(_) => None,
            };
            out.records.push(record(at, "decision", seq, &decision));
            self.changes.decided(&decision);
            if let Decision::Tell(event) = decision {
                out.tell.push(*event);
            }
        }
        for (clock, actions) in by_clock(outcome.orders) {
            let stops = actions.contains(&Action::Stop);
            let urgent = urgent && stops && self.journal_fault.is_some();
            self.step(clock, inputs, out, |clock, steps| {
                clock.commands.order(at, actions, urgent, &mut clock.session, steps);
            });
            self.schedule(clock);
        }
        for (no, answer) in outcome.answers {
            let (asked, kept) = self.requests.answered(no, &answer);
            if let Some(kept) = kept {
                out.records.push(record(at, "answer", None, &kept));
            }
            out.answers.extend(asked.into_iter().map(|id| (id, answer.clone())));
        }
    }
}

impl Line {
    fn new() -> Self {
        Self { name: String::new(), clocks: BTreeSet::new() }
    }
}

/// What each clock is to do, in order: what is decided together is carried out together or not at all.
fn by_clock(orders: Vec<Order>) -> Vec<(ClockId, Vec<Action>)> {
    let mut clocks: Vec<(ClockId, Vec<Action>)> = Vec::new();
    for Order { clock, action } in orders {
        match clocks.iter_mut().find(|(of, _)| *of == clock) {
            Some((_, actions)) => actions.push(action),
            None => clocks.push((clock, vec![action])),
        }
    }
    clocks
}

/// A line as people know it.
fn name_of(lines: &BTreeMap<LineId, Line>, line: LineId) -> String {
    match lines.get(&line).map(|there| there.name.as_str()) {
        None | Some("") => format!("line {}", line.0),
        Some(name) => name.to_owned(),
    }
}

fn record(at: Venue, kind: &'static str, seq: Option<u64>, body: &impl Serialize) -> Record {
    // our own types have text keys only and cannot fail; should they ever, the record says so
    let body = serde_json::to_string(body)
        .unwrap_or_else(|error| json!({ "unwritable": error.to_string() }).to_string());
    Record { at, kind, seq, body }
}
