//! Hands, clocks and lines: what is done to a clock, what it says, what the players see.

use super::{Said, Todo, World};
use crate::play::{Errand, Gesture, Outing, Sight};
use crate::scenario::FaultKind;
use flagfall_clock::Side;
use flagfall_firmware::Input;

impl World {
    /// The clock of `table` may have changed: take what it says, let its players look, make the next appointment.
    pub(super) fn clock_changed(&mut self, table: usize) {
        self.take_reports(table);
        if let Some(play) = self.tables[table].play {
            let mut out = Outing::default();
            let sight = self.sight(table);
            self.plays[play].look(sight, &mut out);
            self.carry_out(play, out);
        }
        if let Some(at) = self.tables[table].device.next_deadline(self.now)
            && at != self.tables[table].poll_at
        {
            self.tables[table].poll_at = at;
            self.plan(at, Todo::Poll(table));
        }
    }

    fn sight(&self, table: usize) -> Sight {
        let device = &self.tables[table].device;
        let running = device.running();
        let left_ms = running.and_then(|side| device.remaining_ms(side, self.now)).unwrap_or(0);
        Sight { now: self.now, running, flag: device.flag(), left_ms, control: device.setup().control }
    }

    fn take_reports(&mut self, table: usize) {
        let line = &self.scenario.line;
        let faulty = line.lost_permille + line.doubled_permille + line.late_permille > 0;
        let late = line.late;
        let (lost, doubled, delayed) = (line.lost_permille, line.doubled_permille, line.late_permille);
        while let Some(report) = self.tables[table].device.next_report() {
            if self.tables[table].unheard > 0 {
                continue;
            }
            if faulty {
                let chance = &mut self.tables[table].line;
                if chance.permille(lost) {
                    continue;
                }
                let twice = chance.permille(doubled);
                let wait =
                    chance.permille(delayed).then(|| chance.between(late[0].0, late[1].0).unsigned_abs());
                if twice {
                    self.plan(self.now, Todo::Deliver(Box::new(report.clone())));
                }
                if let Some(wait) = wait {
                    self.plan(self.now + wait, Todo::Deliver(Box::new(report)));
                    continue;
                }
            }
            self.arrives(report);
        }
    }

    /// A play's own hands and errands, each so long from now.
    pub(super) fn carry_out(&mut self, play: usize, out: Outing) {
        let table = self.table_of(play);
        for (after, gesture) in out.gestures {
            self.plan(self.now + after, Todo::Gesture(table, gesture));
        }
        for (after, errand) in out.errands {
            self.plan(self.now + after, Todo::Errand(play, errand));
        }
        if out.calls {
            self.player_calls(play);
        }
        self.see_truth(play);
    }

    pub(super) fn table_of(&self, play: usize) -> usize {
        self.plays[play].board as usize - 1
    }

    pub(super) fn errand(&mut self, play: usize, errand: Errand) {
        let table = self.table_of(play);
        let place = &self.tables[table];
        let others_wait = !place.next.is_empty() && matches!(errand, Errand::Analyse(_));
        if place.play != Some(play) || others_wait {
            return;
        }
        let (sight, is_new) = (self.sight(table), self.tables[table].device.is_new());
        let mut out = Outing::default();
        self.plays[play].run(errand, sight, is_new, &mut out);
        self.carry_out(play, out);
    }

    pub(super) fn gesture(&mut self, table: usize, gesture: Gesture) {
        let now = self.now;
        let device = &mut self.tables[table].device;
        let (downs, ups, hold): (&[Input], &[Input], u64) = match gesture {
            Gesture::Lever { side, hold_ms } => {
                self.told.presses += 1;
                (&[Input::Lever { side, down: true }], &[Input::Lever { side, down: false }], hold_ms)
            }
            Gesture::Both { hold_ms } => (
                &[
                    Input::Lever { side: Side::Left, down: true },
                    Input::Lever { side: Side::Right, down: true },
                ],
                &[
                    Input::Lever { side: Side::Left, down: false },
                    Input::Lever { side: Side::Right, down: false },
                ],
                hold_ms,
            ),
            Gesture::StopIfRunning if device.running().is_none() => return,
            Gesture::Button | Gesture::StopIfRunning => {
                (&[Input::StopButton { down: true }], &[Input::StopButton { down: false }], 150)
            }
            Gesture::Key { hold_ms } => {
                (&[Input::ArbiterKey { down: true }], &[Input::ArbiterKey { down: false }], hold_ms)
            }
            Gesture::Off => {
                device.switch_off(now);
                self.clock_changed(table);
                return;
            }
            Gesture::On { restore } => {
                device.switch_on(now, restore);
                self.clock_changed(table);
                return;
            }
        };
        for down in downs {
            device.input(now, down.clone());
        }
        for up in ups {
            self.plan(now + hold, Todo::Edge(table, up.clone()));
        }
        self.clock_changed(table);
    }

    pub(super) fn fault(&mut self, fault: usize, table: usize, begins: bool) {
        let kind = self.scenario.fault[fault].kind;
        let (now, clock) = (self.now, self.tables[table].device.id());
        let place = &mut self.tables[table];
        let device = &mut place.device;
        match kind {
            FaultKind::Offline => device.hold_line(begins),
            FaultKind::Unplug | FaultKind::Broker => {
                device.hold_line(begins);
                let cause = if kind == FaultKind::Broker { "broker" } else { "unplugged" };
                self.said.push(match begins {
                    true => Said::Unplug { at: now, clock, cause },
                    false => Said::Plug { at: now, clock },
                });
            }
            // Half of the clocks know that nobody listens and keep their words back; a serial line tells nothing.
            FaultKind::Blackout if table.is_multiple_of(2) => device.hold_line(begins),
            FaultKind::Blackout if begins => place.unheard += 1,
            FaultKind::Blackout => place.unheard = place.unheard.saturating_sub(1),
            FaultKind::PowerCut | FaultKind::Reboot if begins => device.switch_off(now),
            FaultKind::PowerCut => device.switch_on(now, true),
            FaultKind::Reboot => device.switch_on(now, false),
        }
        self.clock_changed(table);
    }
}
