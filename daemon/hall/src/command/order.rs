//! What is to be done, on its way into the queue: what the clock cannot do is told at once, the same
//! twice is one, and a stop takes back what was to run.

use super::proof::{prepares, sets};
use super::{Commands, MOST_QUESTIONS, MOST_WAITING, Open, Step};
use crate::Session;
use flagfall_arbiter::CommandState;
use flagfall_clock::Action;
use flagfall_rules::Venue;

impl Commands {
    /// The rules want this done, in this order: a batch. If one of its settings fails, nothing that was
    /// to follow in it is done, but for a stop.
    pub(crate) fn order(
        &mut self,
        now: Venue,
        actions: Vec<Action>,
        urgent: bool,
        session: &mut Session,
        steps: &mut Vec<Step>,
    ) {
        if self.pending(&actions, urgent) {
            return;
        }
        if actions.len() > 1 && matches!(actions.first(), Some(Action::Configure { .. })) {
            self.set_anew(steps);
        }
        self.batch = self.batch.saturating_add(1);
        let mut unset = false;
        for action in actions {
            if !sets(&action) && self.pending(std::slice::from_ref(&action), urgent) {
                continue;
            }
            let refused = if self.can.is_some_and(|can| !can.has(action.name())) {
                Some((CommandState::ByHand, format!("clock {} cannot {}", self.clock, action.name())))
            } else if unset && action != Action::Stop {
                Some((CommandState::Expired, self.not_as_it_was_to_be()))
            } else if self.waiting.len() >= MOST_WAITING {
                Some((
                    CommandState::Refused,
                    format!("{MOST_WAITING} commands wait for clock {}", self.clock),
                ))
            } else {
                None
            };
            match refused {
                Some((state, error)) => {
                    unset |= prepares(&action);
                    let command = self.number();
                    steps.push(Step::Tell { command, action, state, error: Some(error) });
                }
                None => self.line_up(now, action, urgent, session, steps),
            }
        }
        self.make_way(now, steps);
        self.next(now, session, steps);
    }

    /// Whether just this is under way already, step by step. The same adjustment twice is two.
    fn pending(&mut self, actions: &[Action], urgent: bool) -> bool {
        let mut under_way: Vec<&mut Open> =
            self.open.iter_mut().chain(&mut self.waiting).filter(|open| !open.own).collect();
        let differs = actions.iter().any(|action| matches!(action, Action::Adjust { .. }));
        if differs || actions.is_empty() || actions.len() > under_way.len() {
            return false;
        }
        let same =
            |from: &usize| under_way[*from..].iter().map(|open| &open.action).take(actions.len()).eq(actions);
        let Some(from) = (0..=under_way.len() - actions.len()).find(same) else { return false };
        for open in &mut under_way[from..from + actions.len()] {
            open.urgent |= urgent && open.action == Action::Stop;
        }
        true
    }

    /// The clock is set from the beginning: settings that wait, and what was to start on them, are of no
    /// use any more.
    fn set_anew(&mut self, steps: &mut Vec<Step>) {
        self.drop_waiting(|open| sets(&open.action), "the clock is set anew", steps);
    }

    fn line_up(
        &mut self,
        now: Venue,
        action: Action,
        urgent: bool,
        session: &Session,
        steps: &mut Vec<Step>,
    ) {
        let stop = action == Action::Stop;
        if stop {
            // an arbiter's stop takes back what was to run, and has not been sent yet
            let runs = |open: &Open| matches!(open.action, Action::Start { .. } | Action::Resume);
            self.drop_waiting(runs, "a stop came first", steps);
        }
        let open = Open { urgent: urgent && stop, ..Open::new(action, self.batch, false, now, session) };
        if stop {
            self.waiting.push_front(open)
        } else {
            self.waiting.push_back(open)
        }
        // nobody waits for a question of ours
        if let Some(open) = self.open.take_if(|open| open.own) {
            self.questions.push_front(open.action);
        }
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
