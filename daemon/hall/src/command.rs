//! Open commands of one clock: numbered, one at a time, repeated until done, given up after ten seconds.
//!
//! The reported state proves an effect, not the clock's word. Nothing is kept for a clock that is away.
//! Our own questions (`replay`, `describe`) are numbered alike, go out only where nothing else waits, and
//! nobody is told of them.

#[cfg(test)]
mod tests;

use crate::Session;
use crate::session::State;
use flagfall_arbiter::CommandState;
use flagfall_clock::{Action, Can, ClockCommand, ClockId, Player, Refusal, Side};
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
    /// When a clock could last not be set: nothing starts on what was to follow.
    unset: Option<Venue>,
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
            unset: None,
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

    /// When the open command is given up for a stop that waits behind it.
    fn makes_way_at(&self) -> Option<Venue> {
        let stop = self.waiting.front().is_some_and(|open| open.action == Action::Stop);
        self.open.as_ref().filter(|_| stop).map(|open| open.opened + STOP_WAITS_MS)
    }

    fn make_way(&mut self, now: Venue, steps: &mut Vec<Step>) {
        if self.makes_way_at().is_some_and(|at| at <= now)
            && let Some(open) = self.open.take()
        {
            let error = format!("no answer from clock {}, and a stop waits", self.clock);
            close(&open, CommandState::Expired, Some(error), steps);
        }
    }

    fn next(&mut self, now: Venue, session: &mut Session, steps: &mut Vec<Step>) {
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
                Open {
                    command,
                    action,
                    boot: session.boot(),
                    until_ms: None,
                    expires: now + LASTS_MS,
                    opened: now,
                    repeat: now,
                    expected: None,
                    said_done: false,
                    own: true,
                    urgent: false,
                }
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
            (false, error) => (CommandState::Refused, Some(refusal(error.unwrap_or(Refusal::Other)).into())),
        };
        close(open, state, error, steps);
        if let Some(open) = self.open.take()
            && state != CommandState::Done
        {
            self.not_set(&open.action, steps);
        }
        self.next(now, session, steps);
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
            self.not_set(&open.action, steps);
        }
        if let Some(open) = self.proving.take_if(|open| open.expires <= now) {
            let error = format!("clock {} says done and does not show it", self.clock);
            close(&open, CommandState::Expired, Some(error), steps);
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

    /// A clock was not set as it was to be: what was to start on that does not.
    fn not_set(&mut self, action: &Action, steps: &mut Vec<Step>) {
        if !prepares(action) {
            return;
        }
        let rests = |open: &Open| matches!(open.action, Action::Start { .. }) && !open.own;
        let (dropped, kept) = std::mem::take(&mut self.waiting).into_iter().partition(rests);
        self.waiting = kept;
        for open in dropped {
            let open = Open { command: self.number(), ..open };
            let error = format!("clock {} was not set as it was to be", self.clock);
            close(&open, CommandState::Expired, Some(error), steps);
        }
    }

    fn restarted(&self) -> String {
        format!("clock {} was restarted", self.clock)
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

/// Whether a start that waits behind it rests on it.
const fn prepares(action: &Action) -> bool {
    matches!(action, Action::Configure { .. } | Action::SetTimes(_) | Action::Adjust { .. })
}

/// Whether a state shows that a command was carried out; `None` where no state can.
fn proved(open: &Open, state: &State) -> Option<bool> {
    let near = |left: i64, right: i64| {
        state.left_ms.saturating_sub(left).abs() <= FITS_MS
            && state.right_ms.saturating_sub(right).abs() <= FITS_MS
    };
    match &open.action {
        Action::Stop => Some(state.running.is_none()),
        Action::Start { .. } | Action::Resume => Some(state.running.is_some()),
        Action::SetTimes(set) => Some(
            near(set.left_ms, set.right_ms)
                && set.left_presses.is_none_or(|presses| presses == state.left_presses)
                && set.right_presses.is_none_or(|presses| presses == state.right_presses),
        ),
        Action::Adjust { left_delta_ms, right_delta_ms } => {
            // a small step cannot be told from none
            let shows = left_delta_ms.abs().max(right_delta_ms.abs()) > 2 * FITS_MS;
            open.expected.filter(|_| shows).map(|(left, right)| near(left, right))
        }
        Action::Configure { time_control, first_side, .. } => {
            let at_start = |side| time_control.at_start(Player::at(side, *first_side));
            Some(
                state.running.is_none()
                    && state.left_presses == 0
                    && state.right_presses == 0
                    && near(at_start(Side::Left), at_start(Side::Right)),
            )
        }
        _ => None,
    }
}

const fn refusal(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Expired => "expired",
        Refusal::Boot => "boot",
        Refusal::Running => "running",
        Refusal::Stopped => "stopped",
        Refusal::InGame => "in_game",
        Refusal::Flag => "flag",
        Refusal::Range => "range",
        Refusal::Unable => "unable",
        Refusal::Gone => "gone",
        Refusal::Other => "other",
    }
}
