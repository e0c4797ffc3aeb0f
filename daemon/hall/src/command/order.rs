//! What is to be done, on its way into the queue: what the clock cannot do is told at once, the same
//! twice is one, and a stop takes back what was to run.

use super::proof::prepares;
use super::{Commands, LASTS_MS, MOST_QUESTIONS, MOST_WAITING, Open, Step, close};
use crate::Session;
use flagfall_arbiter::CommandState;
use flagfall_clock::Action;
use flagfall_rules::Venue;

impl Commands {
    /// The rules want this done.
    pub(crate) fn order(
        &mut self,
        now: Venue,
        action: Action,
        urgent: bool,
        session: &mut Session,
        steps: &mut Vec<Step>,
    ) {
        let pending =
            self.open.iter_mut().chain(&mut self.waiting).find(|open| open.action == action && !open.own);
        // the same adjustment twice is two adjustments
        if let Some(open) = pending
            && !matches!(action, Action::Adjust { .. })
        {
            open.urgent |= urgent;
            return;
        }
        let refused = if self.can.is_some_and(|can| !can.has(action.name())) {
            Some((CommandState::ByHand, format!("clock {} cannot {}", self.clock, action.name())))
        } else if matches!(action, Action::Start { .. }) && self.unset == Some(now) {
            Some((CommandState::Expired, format!("clock {} was not set as it was to be", self.clock)))
        } else if self.waiting.len() >= MOST_WAITING {
            Some((CommandState::Refused, format!("{MOST_WAITING} commands wait for clock {}", self.clock)))
        } else {
            None
        };
        if let Some((state, error)) = refused {
            if prepares(&action) {
                self.unset = Some(now);
            }
            let command = self.number();
            steps.push(Step::Tell { command, action, state, error: Some(error) });
            return;
        }
        let stop = action == Action::Stop;
        if stop {
            // an arbiter's stop takes back what was to run, and has not been sent yet
            let runs =
                |open: &Open| matches!(open.action, Action::Start { .. } | Action::Resume) && !open.own;
            let (dropped, kept) = std::mem::take(&mut self.waiting).into_iter().partition(runs);
            self.waiting = kept;
            for open in dropped {
                let open = Open { command: self.number(), ..open };
                close(&open, CommandState::Expired, Some("a stop came first".into()), steps);
            }
        }
        let open = Open {
            command: 0,
            action,
            boot: session.boot(),
            until_ms: None,
            expires: now + LASTS_MS,
            opened: now,
            repeat: now,
            expected: None,
            said_done: false,
            own: false,
            urgent,
        };
        if stop {
            self.waiting.push_front(open)
        } else {
            self.waiting.push_back(open)
        }
        // nobody waits for a question of ours
        if let Some(open) = self.open.take_if(|open| open.own) {
            self.questions.push_front(open.action);
        }
        self.make_way(now, steps);
        self.next(now, session, steps);
    }

    /// We want to know this.
    pub(crate) fn ask(&mut self, now: Venue, question: Action, session: &mut Session, steps: &mut Vec<Step>) {
        if self.can.is_some_and(|can| !can.has(question.name())) {
            return;
        }
        self.questions.retain(|other| other.name() != question.name());
        self.questions.truncate(MOST_QUESTIONS - 1);
        if matches!(question, Action::Replay { .. }) {
            // what is missing comes first; other questions of ours are asked again after it
            if let Some(open) = self.open.take_if(|open| open.own) {
                self.questions.push_front(open.action);
            }
            self.questions.push_front(question);
        } else {
            self.questions.push_back(question);
        }
        self.next(now, session, steps);
    }

    /// The replay is answered or no longer wanted.
    pub(crate) fn replay_over(&mut self, now: Venue, session: &mut Session, steps: &mut Vec<Step>) {
        let replay = |action: &Action| matches!(action, Action::Replay { .. });
        self.questions.retain(|question| !replay(question));
        self.open.take_if(|open| open.own && replay(&open.action));
        self.next(now, session, steps);
    }
}
