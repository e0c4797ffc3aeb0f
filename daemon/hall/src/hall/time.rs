//! What falls due in a hall, in order of time: clocks, samples, deadlines of the rules; and wall time.

use super::{Hall, SAMPLE_MS};
use crate::Out;
use flagfall_arbiter::Wall;
use flagfall_clock::ClockId;
use flagfall_rules::{Input, Venue};

/// Wall time that is off by more is told anew, in milliseconds.
const SLEW_MS: u64 = 250;
/// Wall time that is off by more was set, in milliseconds.
const STEP_MS: u64 = 2_000;
/// Wall time is told at least so often, in milliseconds.
const ANCHOR_MS: i64 = 3_600_000;
/// A deadline of the rules that was handled so often in one call and is still there does not move.
const MOST_DUE: usize = 1_000;

impl Hall {
    pub(super) fn rules_due(&self) -> Option<Venue> {
        let due = self.rules.next_deadline()?;
        Some(self.stuck.map_or(due, |stuck| due.max(stuck)))
    }

    pub(super) fn fall_due(&mut self, at: Venue, out: &mut Out) {
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

    pub(super) fn clock_due(&mut self, now: Venue, id: ClockId, out: &mut Out) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        clock.scheduled = None;
        let mut passed = std::mem::take(&mut self.passed);
        clock.session.due(now, &mut passed);
        self.pass(now, id, &mut passed, out);
        self.passed = passed;
        self.back(now, id, out);
        self.command(now, id, out, |clock, steps| clock.commands.due(now, &mut clock.session, steps));
        if self.clocks.get(&id).and_then(|clock| clock.silent_at(self.awake)).is_some_and(|at| at <= now) {
            self.offline(now, id, "silence", out);
        }
        self.acknowledge(now, id, out);
        self.schedule(id);
    }

    /// A clock stands in `due` at its next deadline or before it, never after.
    pub(super) fn schedule(&mut self, id: ClockId) {
        let Some(clock) = self.clocks.get_mut(&id) else { return };
        let Some(at) = clock.next_deadline(self.awake) else { return };
        if clock.scheduled.is_none_or(|scheduled| at < scheduled) {
            if let Some(scheduled) = clock.scheduled.replace(at) {
                self.due.remove(&(scheduled, id));
            }
            self.due.insert((at, id));
        }
    }

    pub(super) fn sample(&mut self, now: Venue, out: &mut Out) {
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

    pub(super) fn wall(&mut self, at: Venue, wall: Wall, out: &mut Out) {
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
}
