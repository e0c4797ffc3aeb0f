//! Open commands of one clock: numbered, one at a time, repeated until done, given up after ten seconds.
//!
//! The reported state proves an effect, not the clock's word. Nothing is kept for a clock that is away.
//! Our own questions (`replay`, `describe`) are numbered alike, go out only where nothing else waits, and
//! nobody is told of them.

mod answers;
mod order;
mod proof;
mod queue;
#[cfg(test)]
mod tests;

use crate::Session;
use flagfall_arbiter::CommandState;
use flagfall_clock::{Action, Can, ClockCommand, ClockId};
use flagfall_rules::Venue;
use std::collections::VecDeque;

/// Not carried out after so long, it never will be, in milliseconds.
pub const LASTS_MS: u64 = 10_000;
const REPEAT_MS: u64 = 1_000;
/// A stop waits no longer than this for the answer to another command, in milliseconds.
const STOP_WAITS_MS: u64 = 2_000;
/// Commands that wait behind the open one.
const MOST_WAITING: usize = 16;
const MOST_QUESTIONS: usize = 4;
/// A time within this of the one asked for is that one, in milliseconds.
const FITS_MS: i64 = 1_000;

/// What is to follow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// The rules are told.
    Tell { command: u32, action: Action, state: CommandState, error: Option<String> },
    /// The clock is told.
    Send { command: ClockCommand, urgent: bool },
    /// A question of our own has this number.
    Own { command: u32, replay: bool },
}

#[derive(Clone, Debug)]
struct Open {
    /// Given as it is first sent, so that numbers rise in that order: a clock refuses one that was
    /// overtaken.
    command: u32,
    action: Action,
    /// What was ordered with it; 0 for questions of ours.
    batch: u64,
    /// The boot it is for; unknown while the clock was never heard.
    boot: Option<u32>,
    until_ms: Option<u64>,
    expires: Venue,
    /// When it was first sent.
    opened: Venue,
    repeat: Venue,
    /// The times that prove an adjustment.
    expected: Option<(i64, i64)>,
    /// The clock says done.
    said_done: bool,
    /// Asked for by us.
    own: bool,
    /// An arbiter's stop while the journal cannot be written.
    urgent: bool,
}

impl Open {
    /// A command that has no number yet and was not sent.
    fn new(action: Action, batch: u64, own: bool, now: Venue, session: &Session) -> Self {
        Self {
            command: 0,
            action,
            batch,
            boot: session.boot(),
            until_ms: None,
            expires: now + LASTS_MS,
            opened: now,
            repeat: now,
            expected: None,
            said_done: false,
            own,
            urgent: false,
        }
    }

    /// Whether the clock is in another boot now.
    fn restarted(&self, session: &Session) -> bool {
        self.boot.is_some() && self.boot != session.boot()
    }
}

/// A clock's commands.
#[derive(Clone, Debug)]
pub(crate) struct Commands {
    clock: ClockId,
    /// The last number given.
    last: u32,
    open: Option<Open>,
    /// Answered, and the state that proves it is still on its way: a hole is being filled meanwhile.
    proving: Option<Open>,
    waiting: VecDeque<Open>,
    questions: VecDeque<Action>,
    can: Option<Can>,
    /// The last batch of orders: what was ordered together.
    batch: u64,
}

impl Commands {
    pub(crate) const fn new(clock: ClockId) -> Self {
        Self {
            clock,
            last: 0,
            open: None,
            proving: None,
            waiting: VecDeque::new(),
            questions: VecDeque::new(),
            can: None,
            batch: 0,
        }
    }

    /// Numbers up to here were given before.
    pub(crate) fn given(&mut self, command: u32) {
        self.last = self.last.max(command);
    }

    /// So many numbers may have been given that nobody remembers.
    pub(crate) const fn skip(&mut self, numbers: u32) {
        self.last = self.last.saturating_add(numbers);
    }

    /// What the clock says it can do.
    pub(crate) const fn can(&mut self, can: Option<Can>) {
        if can.is_some() {
            self.can = can;
        }
    }

    /// Whether anything is open, so that it must see every report.
    pub(crate) const fn busy(&self) -> bool {
        self.open.is_some() || self.proving.is_some()
    }

    fn number(&mut self) -> u32 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    fn restarted(&self) -> String {
        format!("clock {} was restarted", self.clock)
    }

    fn not_as_it_was_to_be(&self) -> String {
        format!("clock {} was not set as it was to be", self.clock)
    }

    fn unanswered(&self) -> String {
        format!("no answer from clock {} within {} s", self.clock, LASTS_MS / 1_000)
    }

    pub(crate) fn next_deadline(&self) -> Option<Venue> {
        let open = self
            .open
            .as_ref()
            .map(|open| if open.said_done { open.expires } else { open.repeat.min(open.expires) });
        let proving = self.proving.as_ref().map(|open| open.expires);
        [open, proving, self.makes_way_at()].into_iter().flatten().min()
    }
}

fn tell(open: &Open, state: CommandState, error: Option<String>, steps: &mut Vec<Step>) {
    steps.push(Step::Tell { command: open.command, action: open.action.clone(), state, error });
}

fn close(open: &Open, state: CommandState, error: Option<String>, steps: &mut Vec<Step>) {
    if !open.own {
        tell(open, state, error, steps);
    }
}
