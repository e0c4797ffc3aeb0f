//! The hall itself: what is heard becomes inputs of the rules, what they decide becomes records, events,
//! commands and answers.
//!
//! Each input is recorded before the decisions that follow from it. What fell due before something was
//! heard is done before it. Reckons nothing itself: sessions, commands, gate and rules do.

#[cfg(test)]
mod tests;

use crate::changes::Changes;
use crate::clock::Clock;
use crate::command::Step;
use crate::faults::Faults;
use crate::gate::{Gate, Requests};
use crate::recover::{RecoverError, RecoverStats, Unfinished, fold};
use crate::{AskId, Heard, LineId, Out, Passed, Record, Send, Taken};
use flagfall_arbiter::{Ask, CommandState, Refused, Request, Role, Wall};
use flagfall_clock::{Action, ClockCommand, ClockEvent, ClockId, ClockReport};
use flagfall_rules::{Decision, Input, Order, Outcome, Rules, Setup, Venue, Who};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One sample of all running clocks in so many milliseconds.
const SAMPLE_MS: u64 = 1_000;
/// Wall time that is off by more is told anew, in milliseconds.
const SLEW_MS: u64 = 250;
/// Wall time that is off by more was set, in milliseconds.
const STEP_MS: u64 = 2_000;
/// Wall time is told at least so often, in milliseconds.
const ANCHOR_MS: i64 = 3_600_000;
/// Called so late, the daemon itself slept, and silence says nothing of clocks, in milliseconds.
const ASLEEP_MS: i64 = 5_000;
/// Numbers left out after a restart: commands that were never journalled may carry them (`replay`,
/// `describe`, and whatever a crash kept from the journal).
const RESTART_NUMBERS: u32 = 1_000;
/// A deadline of the rules that was handled so often in one call and is still there does not move.
const MOST_DUE: usize = 1_000;
/// Clocks known at most; a babbling line must not fill the memory.
const MOST_CLOCKS: usize = 20_000;
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
        for id in self.clocks.keys().copied().collect::<Vec<_>>() {
            self.schedule(id);
        }
    }

    /// Takes in what happened. `at` never goes back; what is older is taken as of now.
    pub fn handle(&mut self, at: Venue, heard: Heard, out: &mut Out) {
        let at = at.max(self.now);
        if self.next_deadline().is_some_and(|due| at.since(due) > ASLEEP_MS) {
            self.awake = at;
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

    // --- time

    fn rules_due(&self) -> Option<Venue> {
        let due = self.rules.next_deadline()?;
        Some(self.stuck.map_or(due, |stuck| due.max(stuck)))
    }

    fn fall_due(&mut self, at: Venue, out: &mut Out) {
        let mut turns = 0;
        while let Some(due) = self.next_deadline().filter(|due| *due <= at) {
            let now = due.max(self.now);
            self.now = now;
            if self.due.first().is_some_and(|(clock, _)| *clock == due)
                && let Some((_, id)) = self.due.pop_first()
            {
                self.clock_due(now, id, out);
            } else if self.sample_at == Some(due) {
                self.sample(now, out);
            } else {
                let before = self.rules.next_deadline();
                self.put(now, Input::Due, out);
                let moved =
                    self.rules.next_deadline().is_none_or(|next| before.is_some_and(|before| next > before));
                turns = if moved { 0 } else { turns + 1 };
                if turns > MOST_DUE {
                    self.stuck = Some(at + SAMPLE_MS);
                    let message = format!("a deadline of the rules at {} ms does not move", due.0);
                    self.fault(now, None, "deadline", message, out);
                    break;
                }
            }
        }
    }

    fn clock_due(&mut self, now: Venue, id: ClockId, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        clock.scheduled = None;
        let mut passed = std::mem::take(&mut self.passed);
        clock.session.due(now, &mut passed);
        self.pass(now, id, &mut passed, out);
        self.passed = passed;
        self.command(now, id, out, |clock, steps| clock.commands.due(now, &mut clock.session, steps));
        if self.clocks.get(&id).and_then(|clock| clock.silent_at(self.awake)).is_some_and(|at| at <= now) {
            self.offline(now, id, "silence", out);
        }
        self.acknowledge(now, id, out);
        self.schedule(id);
    }

    /// A clock stands in `due` at its next deadline or before it, never after.
    fn schedule(&mut self, id: ClockId) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        let Some(at) = clock.next_deadline(self.awake) else { return };
        if clock.scheduled.is_none_or(|scheduled| at < scheduled) {
            if let Some(scheduled) = clock.scheduled.replace(at) {
                self.due.remove(&(scheduled, id));
            }
            self.due.insert((at, id));
        }
    }

    fn sample(&mut self, now: Venue, out: &mut Out) {
        self.sample_at = None;
        self.sampled = now;
        let mut readings = Vec::with_capacity(self.fresh.len());
        for id in self.fresh.drain(..) {
            if let Some(clock) = self.clocks.get_mut(&id) {
                clock.sampled = false;
                readings.extend(clock.session.reading().filter(|_| clock.session.runs()));
            }
        }
        if !readings.is_empty() {
            readings.sort_unstable_by_key(|reading| reading.0);
            self.put(now, Input::Sample(readings), out);
        }
    }

    fn wall(&mut self, at: Venue, wall: Wall, out: &mut Out) {
        let off = wall.0.saturating_sub(self.rules.wall(at).0);
        if off.unsigned_abs() > STEP_MS {
            let message = format!("the wall clock stepped by {off:+} ms");
            self.fault(at, None, "wall_clock_step", message, out);
        }
        if off.unsigned_abs() > SLEW_MS || self.anchored.is_none_or(|last| at.since(last) >= ANCHOR_MS) {
            self.anchored = Some(at);
            self.put(at, Input::Anchor { wall }, out);
        }
    }

    // --- clocks

    fn report(&mut self, at: Venue, line: LineId, report: ClockReport, sealed: bool, out: &mut Out) {
        let id = report.clock;
        if self.clocks.len() >= MOST_CLOCKS && !self.clocks.contains_key(&id) {
            let message = format!("clock {id} is one more than {MOST_CLOCKS} clocks");
            self.fault(at, None, "unknown_clock", message, out);
            return;
        }
        let clock = self.clocks.entry(id).or_insert_with(|| Clock::new(id));
        let mut passed = std::mem::take(&mut self.passed);
        if clock.session.take(at, report, sealed, &mut passed) == Taken::New {
            clock.link.heard = at;
            if clock.link.line != Some(line) || !clock.link.online {
                self.online(at, id, line, out);
            }
        }
        if !passed.is_empty() {
            self.pass(at, id, &mut passed, out);
        }
        self.passed = passed;
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        if clock.session.runs() && !clock.sampled {
            clock.sampled = true;
            self.fresh.push(id);
            self.sample_at.get_or_insert((self.sampled + SAMPLE_MS).max(at));
        }
        if clock.commands.busy() {
            self.command(at, id, out, |clock, steps| clock.commands.heard(at, &mut clock.session, steps));
        }
        self.acknowledge(at, id, out);
        self.schedule(id);
    }

    /// Carries out what a session passes on.
    fn pass(&mut self, at: Venue, id: ClockId, passed: &mut Vec<Passed>, out: &mut Out) {
        for item in passed.drain(..) {
            match item {
                Passed::Report(observation) => {
                    let event = &observation.report.event;
                    let done = match event {
                        Some(ClockEvent::Done { command, ok, error }) => Some((*command, *ok, *error)),
                        _ => None,
                    };
                    if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = event
                        && let Some(clock) = self.clocks.get_mut(&id)
                    {
                        clock.commands.can(about.can);
                    }
                    self.put(at, Input::Report(observation), out);
                    if let Some(done) = done {
                        self.command(at, id, out, |clock, steps| {
                            clock.commands.done(at, done, &mut clock.session, steps);
                        });
                    }
                }
                Passed::Gap { from_seq, to_seq } => {
                    self.put(at, Input::Gap { clock: id, from_seq, to_seq }, out)
                }
                Passed::Fault { kind, message } => self.fault(at, Some(id), kind, message, out),
                Passed::Replay { boot, from_seq } => self.command(at, id, out, |clock, steps| {
                    clock.commands.ask(at, Action::Replay { boot, from_seq }, &mut clock.session, steps);
                }),
                Passed::ReplayOver => self.command(at, id, out, |clock, steps| {
                    clock.commands.replay_over(at, &mut clock.session, steps);
                }),
                Passed::Describe => self.command(at, id, out, |clock, steps| {
                    clock.commands.ask(at, Action::Describe, &mut clock.session, steps);
                }),
            }
        }
    }

    /// A report came by this line: the clock is there, whatever was said of it.
    fn online(&mut self, at: Venue, id: ClockId, line: LineId, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        if let Some(before) = clock.link.line.replace(line).filter(|before| *before != line)
            && let Some(before) = self.lines.get_mut(&before)
        {
            before.clocks.remove(&id);
        }
        let there = self.lines.entry(line).or_insert_with(Line::new);
        there.clocks.insert(id);
        let by = there.name(line);
        if clock.link.online {
            return;
        }
        let cause = if clock.link.ever { "back" } else { "first" };
        clock.link.online = true;
        clock.link.ever = true;
        self.put(at, Input::Link { clock: id, online: true, by, cause: cause.into() }, out);
    }

    fn offline(&mut self, at: Venue, id: ClockId, cause: &str, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id).filter(|clock| clock.link.online) else { return };
        clock.link.online = false;
        clock.session.lost_link();
        let by = match clock.link.line {
            Some(line) => self.lines.get(&line).map_or_else(|| nameless(line), |there| there.name(line)),
            None => String::new(),
        };
        self.put(at, Input::Link { clock: id, online: false, by, cause: cause.into() }, out);
    }

    fn line_down(&mut self, at: Venue, line: LineId, cause: &str, out: &mut Out) {
        let Some(there) = self.lines.get_mut(&line) else { return };
        for id in std::mem::take(&mut there.clocks) {
            self.offline(at, id, cause, out);
            if let Some(clock) = self.clocks.get_mut(&id) {
                clock.link.line = None;
            }
        }
        self.lines.remove(&line);
    }

    fn fault(&mut self, at: Venue, clock: Option<ClockId>, kind: &str, message: String, out: &mut Out) {
        let message = match clock.and_then(|id| self.clocks.get_mut(&id)) {
            Some(clock) => clock.faults.admit(at, kind, message),
            None => {
                let what = match clock {
                    Some(clock) => format!("{kind} {clock}"),
                    None => format!("{kind} {message}"),
                };
                self.line_faults.admit(at, &what, message)
            }
        };
        if let Some(message) = message {
            self.put(at, Input::Fault { clock, kind: kind.into(), message }, out);
        }
    }

    fn acknowledge(&mut self, at: Venue, id: ClockId, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        if clock.ack_at().is_none_or(|due| due > at) {
            return;
        }
        if let (Some((boot, seq)), line) = (clock.session.take_ack(), clock.link.line) {
            clock.acked = Some(at);
            let action = Action::Ack { boot, seq };
            let command = ClockCommand { clock: id, command: 0, boot: 0, until_ms: 0, action };
            out.send.extend(line.map(|line| Send { line, command }));
        }
    }

    // --- commands

    fn command(
        &mut self,
        at: Venue,
        id: ClockId,
        out: &mut Out,
        act: impl FnOnce(&mut Clock, &mut Vec<Step>),
    ) {
        let mut inputs = VecDeque::new();
        self.step(id, &mut inputs, out, act);
        for input in inputs {
            self.put(at, input, out);
        }
        self.schedule(id);
    }

    /// Lets a clock's commands act; what the rules are to be told of it is left in `inputs`.
    fn step(
        &mut self,
        id: ClockId,
        inputs: &mut VecDeque<Input>,
        out: &mut Out,
        act: impl FnOnce(&mut Clock, &mut Vec<Step>),
    ) {
        let clock = self.clocks.entry(id).or_insert_with(|| Clock::new(id));
        let mut steps = std::mem::take(&mut self.steps);
        act(clock, &mut steps);
        for step in steps.drain(..) {
            match step {
                Step::Tell { command, action, state, error } => {
                    let action = serde_json::to_value(&action).unwrap_or_default();
                    inputs.push_back(Input::Command { clock: id, command, action, state, error });
                }
                Step::Own { command, replay } => clock.session.sent_own(command, replay),
                Step::Send { command, urgent } => {
                    let urgent = urgent && self.journal_fault.is_some();
                    let send = clock.link.line.map(|line| Send { line, command });
                    if urgent { out.urgent.extend(send) } else { out.send.extend(send) }
                }
            }
        }
        self.steps = steps;
    }

    // --- requests

    fn ask(&mut self, at: Venue, id: AskId, who: &Who, ask: Ask, out: &mut Out) {
        match self.requests.look(id, who, &ask) {
            Gate::Answer(answer) => out.answers.push((id, answer)),
            Gate::Wait => {}
            Gate::Refuse(refused) => self.refuse(at, id, who, &ask, refused, out),
            Gate::Pass if ask.request.role() == Role::Viewer => self.read(at, id, who, ask, out),
            Gate::Pass => {
                let stop = matches!(ask.request, Request::BoardStop { .. });
                if let Some(fault) = self.journal_fault.as_ref().filter(|_| !stop) {
                    // not remembered: once the journal can be written it may be asked again
                    let message = format!("{}: the journal cannot be written: {fault}", ask.method);
                    out.answers.push((id, Err(Refused::new(Refused::BUSY, message))));
                    return;
                }
                if let Some(refused) = self.conflict(&ask) {
                    self.refuse(at, id, who, &ask, refused, out);
                    return;
                }
                let no = self.requests.open(Some(id), who, &ask);
                let input = Input::Ask { no, who: who.clone(), method: ask.method, params: ask.params };
                self.put_urgently(at, input, stop, out);
            }
        }
    }

    /// What changes nothing is answered and not journalled, unless something follows from it.
    fn read(&mut self, at: Venue, id: AskId, who: &Who, ask: Ask, out: &mut Out) {
        let no = self.requests.open(Some(id), who, &Ask { request_id: None, ..ask.clone() });
        let input = Input::Ask { no, who: who.clone(), method: ask.method, params: ask.params };
        let mut outcome = Outcome::default();
        self.rules.handle(at, &input, &mut outcome);
        if !outcome.decisions.is_empty() || !outcome.orders.is_empty() {
            out.records.push(record(at, "input", None, &input));
        }
        let mut inputs = VecDeque::new();
        self.follow(at, outcome, false, &mut inputs, out);
        for input in inputs {
            self.put(at, input, out);
        }
    }

    fn refuse(&mut self, at: Venue, id: AskId, who: &Who, ask: &Ask, refused: Refused, out: &mut Out) {
        let changes = ask.request.role() != Role::Viewer;
        if changes && self.journal_fault.is_none() && self.requests.keep_refusal(at) {
            let input = Input::Refused {
                who: who.clone(),
                method: ask.method.clone(),
                params: ask.params.clone(),
                error: refused.message.clone(),
            };
            self.put(at, input, out);
            if let Some(answered) = self.requests.refused(who, ask, &refused) {
                out.records.push(record(at, "answer", None, &answered));
            }
        }
        out.answers.push((id, Err(refused)));
    }

    /// Whether a person or a ruling changed the board since the asker last saw it.
    fn conflict(&self, ask: &Ask) -> Option<Refused> {
        let seen = ask.seen?;
        let followed = self.changes.since(&ask.method, &ask.params, seen);
        if followed.is_empty() {
            return None;
        }
        let mut refused =
            Refused::new(Refused::CONFLICT, format!("{}: the board changed since event {seen}", ask.method));
        refused.data = Some(json!({ "followed": followed }));
        Some(refused)
    }

    // --- the rules

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
            if let Decision::Tell(event) = decision {
                self.changes.told(&event);
                out.tell.push(*event);
            }
        }
        for Order { clock, action } in outcome.orders {
            let urgent = urgent && action == Action::Stop && self.journal_fault.is_some();
            self.step(clock, inputs, out, |clock, steps| {
                clock.commands.order(at, action, urgent, &mut clock.session, steps);
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

    fn name(&self, line: LineId) -> String {
        if self.name.is_empty() { nameless(line) } else { self.name.clone() }
    }
}

fn nameless(line: LineId) -> String {
    format!("line {}", line.0)
}

fn record(at: Venue, kind: &'static str, seq: Option<u64>, body: &impl Serialize) -> Record {
    // our own types have text keys only and cannot fail; should they ever, the record says so
    let body = serde_json::to_string(body)
        .unwrap_or_else(|error| json!({ "unwritable": error.to_string() }).to_string());
    Record { at, kind, seq, body }
}
