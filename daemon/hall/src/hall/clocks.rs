//! What is heard of clocks: reports, links, faults; and what they are told.

use super::{Hall, Line, SAMPLE_MS, name_of};
use crate::clock::Clock;
use crate::command::Step;
use crate::{LineId, Out, Passed, Send, Taken};
use flagfall_clock::{Action, ClockCommand, ClockEvent, ClockId, ClockReport};
use flagfall_rules::{Input, Venue};
use std::collections::VecDeque;

/// Clocks known at most; a babbling line must not fill the memory.
const MOST_CLOCKS: usize = 20_000;

impl Hall {
    pub(super) fn report(
        &mut self,
        at: Venue,
        line: LineId,
        report: ClockReport,
        sealed: bool,
        out: &mut Out,
    ) {
        let id = report.clock;
        if self.clocks.len() >= MOST_CLOCKS && !self.clocks.contains_key(&id) {
            let message = format!("clock {id} is one more than {MOST_CLOCKS} clocks");
            self.fault(at, None, "unknown_clock", message, out);
            return;
        }
        let clock = self.clocks.entry(id).or_insert_with(|| Clock::new(id));
        let done = match report.event {
            Some(ClockEvent::Done { command, ok, error }) => Some((command, ok, error)),
            _ => None,
        };
        let mut passed = std::mem::take(&mut self.passed);
        clock.session.under(&self.rules.time_control());
        if clock.session.take(at, report, sealed, &mut passed) == Taken::New {
            clock.link.heard = at;
            if clock.link.line != Some(line) || !clock.link.online {
                self.there(at, id, line, out);
            }
        }
        let held = !passed.iter().any(|item| matches!(item, Passed::Report(_)));
        if !passed.is_empty() {
            self.pass(at, id, &mut passed, out);
        }
        self.passed = passed;
        self.back(at, id, out);
        if let Some(done) = done.filter(|_| held) {
            self.command(at, id, out, |clock, steps| {
                clock.commands.answered(at, done, &mut clock.session, steps);
            });
        }
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
    pub(super) fn pass(&mut self, at: Venue, id: ClockId, passed: &mut Vec<Passed>, out: &mut Out) {
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

    /// A report came by this line: the clock is there, whatever was said of it. A clock never heard before
    /// is told of at once, another as soon as it is known what it did meanwhile ([`Hall::back`]).
    fn there(&mut self, at: Venue, id: ClockId, line: LineId, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        if let Some(before) = clock.link.line.replace(line).filter(|before| *before != line)
            && let Some(before) = self.lines.get_mut(&before)
        {
            before.clocks.remove(&id);
        }
        let there = self.lines.entry(line).or_insert_with(Line::new);
        there.clocks.insert(id);
        if std::mem::replace(&mut clock.link.online, true) {
            return;
        }
        clock.link.back = Some(at);
        if !clock.link.ever {
            self.online(at, id, "first", out);
        }
    }

    /// Tells the rules that a clock is back, after what it did meanwhile: what they order then (a pause, times
    /// owed) is for the clock as it is now, not as it was when its link was lost.
    pub(super) fn back(&mut self, at: Venue, id: ClockId, out: &mut Out) {
        if self.clocks.get(&id).and_then(Clock::back_at).is_some_and(|due| due <= at) {
            self.online(at, id, "back", out);
        }
    }

    fn online(&mut self, at: Venue, id: ClockId, cause: &str, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        let by = clock.link.line.map_or_else(String::new, |line| name_of(&self.lines, line));
        clock.link.back = None;
        clock.link.ever = true;
        clock.link.told = Some(by.clone());
        self.put(at, Input::Link { clock: id, online: true, by, cause: cause.into() }, out);
    }

    /// A clock is not heard any more. Where nobody knew that it was there, nobody is told that it is not.
    pub(super) fn offline(&mut self, at: Venue, id: ClockId, cause: &str, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        clock.link.online = false;
        clock.link.back = None;
        clock.session.lost_link();
        if let Some(by) = clock.link.told.take() {
            let by = clock.link.line.map_or(by, |line| name_of(&self.lines, line));
            self.put(at, Input::Link { clock: id, online: false, by, cause: cause.into() }, out);
        }
    }

    pub(super) fn line_down(&mut self, at: Venue, line: LineId, cause: &str, out: &mut Out) {
        let Some(there) = self.lines.get_mut(&line) else { return };
        for id in std::mem::take(&mut there.clocks) {
            self.offline(at, id, cause, out);
            if let Some(clock) = self.clocks.get_mut(&id) {
                clock.link.line = None;
            }
        }
        self.lines.remove(&line);
    }

    pub(super) fn fault(
        &mut self,
        at: Venue,
        clock: Option<ClockId>,
        kind: &str,
        message: String,
        out: &mut Out,
    ) {
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

    pub(super) fn acknowledge(&mut self, at: Venue, id: ClockId, out: &mut Out) {
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

    pub(super) fn command(
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
    pub(super) fn step(
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
}
