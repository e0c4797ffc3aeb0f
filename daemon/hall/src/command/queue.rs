//! One command at a time on its way to the clock: sent, repeated each second, given up after ten.

use super::proof::prepares;
use super::{Commands, Open, REPEAT_MS, STOP_WAITS_MS, Step, close, tell};
use crate::Session;
use flagfall_arbiter::CommandState;
use flagfall_clock::{Action, ClockCommand};
use flagfall_rules::Venue;
use std::collections::VecDeque;

impl Commands {
    /// When the open command is given up for a stop that waits behind it.
    pub(super) fn makes_way_at(&self) -> Option<Venue> {
        let stop = self.waiting.front().is_some_and(|open| open.action == Action::Stop);
        self.open.as_ref().filter(|_| stop).map(|open| open.opened + STOP_WAITS_MS)
    }

    pub(super) fn make_way(&mut self, now: Venue, steps: &mut Vec<Step>) {
        if self.makes_way_at().is_some_and(|at| at <= now)
            && let Some(open) = self.open.take()
        {
            let error = format!("no answer from clock {}, and a stop waits", self.clock);
            close(&open, CommandState::Expired, Some(error), steps);
            self.not_set(&open, steps);
        }
    }

    pub(super) fn next(&mut self, now: Venue, session: &mut Session, steps: &mut Vec<Step>) {
        let replay = |questions: &VecDeque<Action>| {
            questions.front().is_some_and(|question| matches!(question, Action::Replay { .. }))
        };
        if self.proving.is_none() && replay(&self.questions) {
            self.proving = self.open.take_if(|open| open.said_done);
        }
        while self.open.is_none() {
            // while an answered command waits for its proof only the hole before it is asked for
            let proving = self.proving.is_some();
            if proving && !replay(&self.questions) {
                return;
            }
            let mut open = if !proving && let Some(open) = self.waiting.pop_front() {
                Open { command: self.number(), ..open }
            } else if let Some(action) = self.questions.pop_front() {
                let command = self.number();
                steps.push(Step::Own { command, replay: matches!(action, Action::Replay { .. }) });
                Open { command, ..Open::new(action, 0, true, now, session) }
            } else {
                return;
            };
            let over = if open.restarted(session) {
                Some(self.restarted())
            } else {
                (open.expires <= now).then(|| self.unanswered())
            };
            if over.is_some() {
                close(&open, CommandState::Expired, over, steps);
                continue;
            }
            open.opened = now;
            if let (Action::Adjust { left_delta_ms, right_delta_ms }, Some(state)) =
                (&open.action, session.state())
            {
                open.expected = Some((
                    state.left_ms.saturating_add(*left_delta_ms),
                    state.right_ms.saturating_add(*right_delta_ms),
                ));
            }
            if !open.own {
                tell(&open, CommandState::Sent, None, steps);
            }
            self.send(now, &mut open, session, steps);
            self.open = Some(open);
        }
    }

    fn send(&self, now: Venue, open: &mut Open, session: &Session, steps: &mut Vec<Step>) {
        open.repeat = now + REPEAT_MS;
        let (Some(boot), Some(uptime)) = (open.boot.or(session.boot()), session.uptime(now)) else { return };
        open.boot = Some(boot);
        let left = u64::try_from(open.expires.since(now)).unwrap_or(0);
        let until_ms = *open.until_ms.get_or_insert(uptime.saturating_add(left));
        let command = ClockCommand {
            clock: self.clock,
            command: open.command,
            boot,
            until_ms,
            action: open.action.clone(),
        };
        steps.push(Step::Send { command, urgent: open.urgent });
    }

    /// Time passed: repeat, or give up.
    pub(crate) fn due(&mut self, now: Venue, session: &mut Session, steps: &mut Vec<Step>) {
        if let Some(open) = self.open.take_if(|open| open.expires <= now) {
            let error = if open.said_done {
                format!("clock {} says done and does not show it", self.clock)
            } else {
                self.unanswered()
            };
            close(&open, CommandState::Expired, Some(error), steps);
            self.not_set(&open, steps);
        }
        if let Some(open) = self.proving.take_if(|open| open.expires <= now) {
            let error = format!("clock {} says done and does not show it", self.clock);
            close(&open, CommandState::Expired, Some(error), steps);
            self.not_set(&open, steps);
        }
        self.make_way(now, steps);
        if let Some(mut open) = self.open.take() {
            if open.repeat <= now && !open.said_done {
                self.send(now, &mut open, session, steps);
            }
            self.open = Some(open);
        }
        self.next(now, session, steps);
    }

    /// A clock was not set as it was to be: nothing of its batch follows, and nothing starts on it. A stop
    /// needs no setting.
    pub(super) fn not_set(&mut self, failed: &Open, steps: &mut Vec<Step>) {
        if !prepares(&failed.action) || failed.own {
            return;
        }
        let rests = |open: &Open| {
            matches!(open.action, Action::Start { .. })
                || open.batch == failed.batch && open.action != Action::Stop
        };
        let error = self.not_as_it_was_to_be();
        self.drop_waiting(rests, &error, steps);
    }

    /// What waits and is of no use any more has expired. It gets a number, so that it can be told of.
    pub(super) fn drop_waiting(&mut self, useless: impl Fn(&Open) -> bool, why: &str, steps: &mut Vec<Step>) {
        let (dropped, kept) = std::mem::take(&mut self.waiting).into_iter().partition(useless);
        self.waiting = kept;
        for open in dropped {
            let open = Open { command: self.number(), ..open };
            close(&open, CommandState::Expired, Some(why.into()), steps);
        }
    }
}
