//! The clock: takes what happens in the order of its time and says when it must be looked at again.
//!
//! One rule keeps a late look from changing anything: everything is done in the order of the time at which it
//! happened. What falls due (a flag, a hold, a status) comes before a hand in the same millisecond, a hand before a
//! message. Nothing later than an edge still bouncing is done until that edge is decided, at most 80 ms: a player who
//! pressed in time is in time, though the contact settles only after his flag would have fallen.

use crate::answers::Answers;
use crate::contact::Contact;
use crate::ending::Ending;
use crate::game::{Game, Zero};
use crate::outbox::{Happened, KEPT, Outbox};
use crate::saved::Saved;
use crate::says::STATUS_RUNNING;
use crate::settings::{Settings, Setup};
use crate::waiting::{Act, Waiting};
use flagfall_clock::{Action, By, ClockCommand, Side};

/// No clock is on for that long; later times are taken as this one.
const END: u64 = 1 << 46;

/// What reaches a clock from outside. Levels are those of the contact; repeating one changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A side's lever goes down or up.
    Lever {
        /// Which.
        side: Side,
        /// Pressed, or let go.
        down: bool,
    },
    /// The start/stop button, in everybody's reach.
    StopButton {
        /// Pressed, or let go.
        down: bool,
    },
    /// The arbiter's key.
    ArbiterKey {
        /// Pressed, or let go.
        down: bool,
    },
    /// A command from the link, checked for integrity there.
    Command(ClockCommand),
    /// The battery was measured, in percent; above 100 is taken as 100.
    Battery(u8),
}

/// What falls due by itself. Within one millisecond the order is this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Zero(Zero),
    BothHeld,
    Claimed,
    KeyHeld,
    Identified,
    Status,
}

/// A chess clock.
#[derive(Clone, Debug)]
pub struct Clock {
    pub(crate) settings: Settings,
    pub(crate) game: Game,
    pub(crate) ending: Ending,
    pub(crate) answers: Answers,
    pub(crate) outbox: Outbox,
    /// Who pressed before the start: left, right.
    pub(crate) ready: (bool, bool),
    /// The arbiter's key went down on a clock that stood.
    pub(crate) key_down_at: Option<u64>,
    /// The table's number and since when it is shown.
    pub(crate) number: Option<(u16, u64)>,
    /// Blinks until then.
    pub(crate) identify_until: Option<u64>,
    pub(crate) battery_low: bool,
    pub(crate) battery: Option<u8>,
    pub(crate) restored: bool,
    left: Contact,
    right: Contact,
    stop_button: Contact,
    arbiter_key: Contact,
    waiting: Waiting,
    pub(crate) next_status: u64,
    /// The latest time anybody told us.
    heard: u64,
    /// Everything up to here is done.
    reached: u64,
}

impl Clock {
    /// A clock that comes up at `at` (milliseconds of uptime) with everything as new. Its first report is `boot`.
    #[must_use]
    pub fn new(settings: Settings, at: u64) -> Self {
        let mut clock = Self::coming_up(settings, None, at);
        clock.came_up();
        clock
    }

    /// It is up: says its `boot`.
    pub fn came_up(&mut self) {
        self.tell(self.heard, Happened::Boot);
    }

    /// A clock that comes up at `at` as [`Clock::restored`] with a game kept from before, or as [`Clock::new`] without, but
    /// says so only when it is told to by [`Clock::came_up`]. A small controller has no room for a clock and a copy of it:
    /// so it is made where it stays.
    #[must_use]
    #[inline(never)]
    pub fn coming_up(settings: Settings, saved: Option<Saved>, at: u64) -> Self {
        let at = at.min(END);
        let game = match &saved {
            Some(saved) => Game::restored(saved, at),
            None => Game::new(if settings.setup.in_range() { settings.setup } else { Setup::default() }),
        };
        let contact = || Contact::new(settings.debounce_ms);
        Self {
            left: contact(),
            right: contact(),
            stop_button: contact(),
            arbiter_key: contact(),
            settings,
            game,
            ending: Ending::of(saved.as_ref().is_some_and(|saved| saved.over)),
            answers: Answers::default(),
            outbox: Outbox::new(),
            ready: (false, false),
            key_down_at: None,
            number: saved.and_then(|saved| saved.number).map(|number| (number, at)),
            identify_until: None,
            battery_low: false,
            battery: None,
            restored: saved.is_some(),
            waiting: Waiting::new(),
            next_status: at,
            heard: at,
            reached: at,
        }
    }

    /// Something happened at `at`. A time before one told already is taken as that one, so whoever stamps edges in an
    /// interrupt hands them in before he polls with a later time.
    #[inline(never)]
    pub fn input(&mut self, at: u64, input: Input) {
        self.poll(at);
        let at = self.heard;
        let act = match input {
            Input::Lever { side: Side::Left, down } => return self.edge(at, |clock| &mut clock.left, down),
            Input::Lever { side: Side::Right, down } => return self.edge(at, |clock| &mut clock.right, down),
            Input::StopButton { down } => return self.edge(at, |clock| &mut clock.stop_button, down),
            Input::ArbiterKey { down } => return self.edge(at, |clock| &mut clock.arbiter_key, down),
            Input::Command(ClockCommand { clock, action: Action::Ack { boot, seq }, .. }) => {
                // Changes nothing but a sign on the display, so it waits for no edge.
                if clock == self.settings.clock && boot == self.settings.boot {
                    self.outbox.ack(seq);
                }
                return;
            }
            // Who commands repeats what was not answered: so it is not heard, rather than that a hand is overtaken.
            Input::Command(_) if !self.waiting.takes_command() => return,
            Input::Command(command) => Act::Command(command),
            Input::Battery(percent) => Act::Battery(percent.min(100)),
        };
        self.admit(at, act);
        self.run();
    }

    fn edge(&mut self, at: u64, contact: impl Fn(&mut Self) -> &mut Contact, down: bool) {
        contact(self).edge(at, down);
    }

    /// Does what is due by `at`. Late or repeated calls change nothing: everything carries the time at which it was
    /// due. (A clock not looked at for more than 16 statuses leaves out the older ones.)
    #[inline(never)]
    pub fn poll(&mut self, at: u64) {
        self.heard = self.heard.max(at.min(END));
        let at = self.heard;
        while let Some(change) = self.left.decide(at) {
            self.admit(change.at, Act::Lever { side: Side::Left, down: change.down });
        }
        while let Some(change) = self.right.decide(at) {
            self.admit(change.at, Act::Lever { side: Side::Right, down: change.down });
        }
        while let Some(change) = self.stop_button.decide(at) {
            self.admit(change.at, Act::StopButton { down: change.down });
        }
        while let Some(change) = self.arbiter_key.decide(at) {
            self.admit(change.at, Act::ArbiterKey { down: change.down });
        }
        self.run();
    }

    /// When to poll next, if nothing happens before: there always is a next status. Always later than the last time
    /// told.
    #[must_use]
    pub fn next_deadline(&self) -> u64 {
        // While an edge is undecided nothing else may happen.
        let decided = self.contacts().into_iter().filter_map(Contact::decides_at).min();
        decided.unwrap_or_else(|| self.next_due().0)
    }

    fn contacts(&self) -> [&Contact; 4] {
        [&self.left, &self.right, &self.stop_button, &self.arbiter_key]
    }

    fn admit(&mut self, at: u64, act: Act) {
        if self.waiting.is_full()
            && let Some((at, act)) = self.waiting.take()
        {
            // More than any hand does within a bounce: better a few milliseconds wrong than one act lost.
            self.carry_out(at, act);
        }
        self.waiting.insert(at, act);
    }

    /// Does, in their order, what waits and what is due, up to the first edge that is not decided.
    #[inline(never)]
    fn run(&mut self) {
        let undecided = self.contacts().into_iter().filter_map(Contact::undecided).min();
        while let Some(at) = self.waiting.first_at() {
            if at > self.heard || undecided.is_some_and(|edge| at >= edge) {
                break;
            }
            if let Some((at, act)) = self.waiting.take() {
                self.carry_out(at, act);
            }
        }
        self.fire_until(undecided.unwrap_or(self.heard));
    }

    #[inline(never)]
    fn carry_out(&mut self, at: u64, act: Act) {
        self.fire_until(at);
        let at = self.reached;
        match act {
            Act::Lever { side, down: true } => self.lever_pressed(at, side),
            Act::Lever { side, down: false } => self.ending.up(side),
            Act::StopButton { down: true } => self.stop_button_pressed(at),
            Act::StopButton { down: false } => {}
            Act::ArbiterKey { down: true } => self.key_pressed(at),
            Act::ArbiterKey { down: false } => self.key_released(at),
            Act::Battery(percent) => self.battery_measured(at, percent),
            Act::Command(command) => self.command(at, command),
        }
    }

    #[inline(never)]
    fn fire_until(&mut self, until: u64) {
        loop {
            let (at, due) = self.next_due();
            if at > until {
                break;
            }
            let at = at.max(self.reached);
            self.reached = at;
            match due {
                Due::Zero(Zero::Flag(side)) => {
                    self.game.fall(side, at);
                    self.tell(at, Happened::Flag(side));
                }
                Due::Zero(Zero::Period(side)) => self.period_ends(at, side, until),
                Due::BothHeld => self.both_held(at),
                Due::Claimed => self.claimed(at),
                Due::KeyHeld => {
                    self.key_down_at = None;
                    let setup = self.game.setup;
                    self.reset(at, setup, By::ArbiterKey);
                }
                Due::Identified => self.identify_until = None,
                Due::Status => self.status(at, until),
            }
        }
        self.reached = self.reached.max(until);
    }

    fn next_due(&self) -> (u64, Due) {
        self.due_before(self.next_status)
    }

    /// What comes first of all but a status, or else [`Due::Status`] at `status`.
    #[inline(never)]
    pub(crate) fn due_before(&self, status: u64) -> (u64, Due) {
        let mut first = (status, Due::Status);
        // From the last in its order to the first, so that within a millisecond the first one stays.
        let mut sooner = |at: Option<u64>, due| {
            if let Some(at) = at.filter(|at| *at <= first.0) {
                first = (at, due);
            }
        };
        sooner(self.identify_until, Due::Identified);
        let key_held = self.key_down_at.map(|at| at.saturating_add(u64::from(self.settings.reset_hold_ms)));
        sooner(key_held, Due::KeyHeld);
        sooner(self.ending.claimed_due(), Due::Claimed);
        sooner(self.ending.both_held_due(self.settings.hold_ms), Due::BothHeld);
        if let Some((at, zero)) = self.game.zero_due() {
            sooner(Some(at), Due::Zero(zero));
        }
        first
    }

    /// The running side comes to zero without a flag. Of turns that pass by themselves no more are done one by one, when
    /// somebody looks very late, than there is room for; the hole that the others leave shows in `events`.
    #[inline(never)]
    fn period_ends(&mut self, at: u64, side: Side, until: u64) {
        self.game.pass(side, at);
        self.tell(at, Happened::Period(side));
        if let Some((left_out, since)) = self.game.leave_out(until, KEPT as u64) {
            self.outbox.leave_out(left_out);
            self.reached = self.reached.max(since);
            self.next_status = since.saturating_add(STATUS_RUNNING);
        }
    }

    /// All as new under `setup`.
    pub(crate) fn reset(&mut self, at: u64, setup: Setup, by: By) {
        self.game = Game::new(setup);
        self.ending.forget();
        self.ready = (false, false);
        self.key_down_at = None;
        self.tell(at, Happened::Reset(by));
    }

    /// What the clock was made as.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What it is set to now.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.game.setup
    }

    /// Whose time passes.
    #[must_use]
    pub const fn running(&self) -> Option<Side> {
        self.game.running()
    }

    /// Which side fell first, until the clock is made as new.
    #[must_use]
    pub const fn flag(&self) -> Option<Side> {
        self.game.flag
    }

    /// Left on `side` at `at`, in milliseconds; below zero only where a deduction left less than nothing.
    #[must_use]
    pub fn remaining_ms(&self, side: Side, at: u64) -> i64 {
        self.game.ms(side, at)
    }

    /// Moves completed by `side`.
    #[must_use]
    pub const fn presses(&self, side: Side) -> u32 {
        self.game.account(side).presses
    }

    /// Whether nothing has run since all was made new.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        matches!(self.game.phase, crate::game::Phase::Idle)
    }
}
