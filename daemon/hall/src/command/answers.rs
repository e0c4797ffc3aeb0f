//! What a clock shows and says of a command. The state it reports proves an effect, not its word.

use super::proof::proved;
use super::{Commands, Step, close};
use crate::Session;
use flagfall_arbiter::CommandState;
use flagfall_clock::{Action, Refusal};
use flagfall_rules::Venue;

impl Commands {
    /// A report counts: it may show the effect, or that the clock was restarted.
    pub(crate) fn heard(&mut self, now: Venue, session: &mut Session, steps: &mut Vec<Step>) {
        if let Some(open) = self.open.take_if(|open| open.restarted(session)) {
            close(&open, CommandState::Expired, Some(self.restarted()), steps);
        }
        if let (Some(open), Some(state)) = (&self.open, session.state())
            && proved(open, state) == Some(true)
            && (open.said_done || !matches!(open.action, Action::Configure { .. }))
        {
            close(open, CommandState::Done, None, steps);
            self.open = None;
        }
        if let Some(open) = self.proving.take() {
            if open.restarted(session) {
                close(&open, CommandState::Expired, Some(self.restarted()), steps);
            } else if session.state().is_some_and(|state| proved(&open, state) == Some(true)) {
                close(&open, CommandState::Done, None, steps);
            } else {
                self.proving = Some(open);
            }
        }
        self.next(now, session, steps);
    }

    /// The clock's answer, heard in a report that waits behind a hole: what is asked no longer stands in
    /// the way of what is missing.
    pub(crate) fn answered(
        &mut self,
        now: Venue,
        (command, ok, error): (u32, bool, Option<Refusal>),
        session: &mut Session,
        steps: &mut Vec<Step>,
    ) {
        match &mut self.open {
            Some(open) if open.command == command && ok && !open.own => {
                open.said_done = true;
                self.next(now, session, steps);
            }
            Some(open) if open.command == command && !matches!(open.action, Action::Replay { .. }) => {
                self.done(now, (command, ok, error), session, steps);
            }
            _ => {}
        }
    }

    /// The clock's answer.
    pub(crate) fn done(
        &mut self,
        now: Venue,
        (command, ok, error): (u32, bool, Option<Refusal>),
        session: &mut Session,
        steps: &mut Vec<Step>,
    ) {
        let Some(open) = self.open.as_mut().filter(|open| open.command == command) else { return };
        if ok && !open.own && session.state().is_some_and(|state| proved(open, state) == Some(false)) {
            open.said_done = true;
            return;
        }
        let (state, error) = match (ok, error) {
            (true, _) => (CommandState::Done, None),
            (false, Some(Refusal::Expired)) => (CommandState::Expired, Some("expired".into())),
            (false, error) => (CommandState::Refused, Some(error.unwrap_or(Refusal::Other).name().into())),
        };
        close(open, state, error, steps);
        if let Some(open) = self.open.take()
            && state != CommandState::Done
        {
            self.not_set(&open, steps);
        }
        self.next(now, session, steps);
    }
}
