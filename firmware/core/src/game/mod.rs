//! The two sides and their times: the arithmetic of a game, and nothing else.
//!
//! Written apart from the rules that check it. All times are whole milliseconds of the clock's own uptime; a side's
//! time is kept as it was when it was last settled, so looking at it changes nothing and no rounding adds up.
//!
//! One sentence holds for every kind that has a flag: a side's time is the time until its flag falls if nobody presses.
//! What a turn's begin, a press and zero do to it is in [`turn`]; what an arbiter sets, in [`set`].

mod face;
mod set;
mod turn;

use crate::control;
use crate::settings::{MAX_MS, Setup};
pub use face::Beside;
use flagfall_clock::{By, FlagAt, Kind, Side};
pub(crate) use set::settable;

/// A period that ended at zero is shown for so long, in milliseconds.
pub(crate) const PERIOD_SIGN: u64 = 300_000;

/// One side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// Until its flag, in milliseconds; below zero only by a deduction.
    pub ms: i64,
    /// Moves completed.
    pub presses: u32,
    /// What it had when the turn that is under way began, without the delay, in milliseconds. None between its turns,
    /// and under a control without delay.
    pub turn: Option<i64>,
    /// The period it is in, from 1. `Canadian`: 2 once it has been in a block.
    pub period: u16,
    /// Moves made in a period that ends with moves, or in a block.
    pub made: u16,
}

/// Which side's time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// As new: nothing has run since the reset.
    Idle,
    /// `side` runs since `since`.
    Running { side: Side, since: u64 },
    /// Both stand; `side` ran last. Nobody stopped it where a flag did.
    Stopped { side: Side, by: Option<By> },
}

/// What comes to the running side by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zero {
    /// Its flag falls.
    Flag(Side),
    /// Its period ends, or its turn under `Gong`.
    Period(Side),
}

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub setup: Setup,
    left: Account,
    right: Account,
    pub phase: Phase,
    /// The first side that fell.
    pub flag: Option<Side>,
    /// The side that ended a period at zero, and until when that is shown.
    pub sign: Option<(Side, u64)>,
}

impl Game {
    pub(crate) fn new(setup: Setup) -> Self {
        let account = |side| Account {
            ms: setup.control.at_start(setup.player(side)),
            presses: 0,
            turn: None,
            period: 1,
            made: 0,
        };
        let (left, right) = (account(Side::Left), account(Side::Right));
        let mut game = Self { left, right, setup, phase: Phase::Idle, flag: None, sign: None };
        game.notice_blocks();
        game
    }

    pub(crate) const fn account(&self, side: Side) -> Account {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    pub(crate) const fn account_mut(&mut self, side: Side) -> &mut Account {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    pub(crate) const fn running(&self) -> Option<Side> {
        match self.phase {
            Phase::Running { side, .. } => Some(side),
            Phase::Idle | Phase::Stopped { .. } => None,
        }
    }

    pub(crate) const fn stopped_by(&self) -> Option<By> {
        match self.phase {
            Phase::Stopped { by, .. } => by,
            Phase::Idle | Phase::Running { .. } => None,
        }
    }

    /// Left on `side` at `at`. Running down ends at zero; only a deduction goes below.
    pub(crate) fn ms(&self, side: Side, at: u64) -> i64 {
        let own = self.account(side).ms;
        let Phase::Running { side: running, since } = self.phase else { return own };
        let passed = i64::try_from(at.saturating_sub(since)).unwrap_or(i64::MAX);
        let had = self.account(running).ms;
        match self.setup.control.kind {
            Kind::UpCount if side == running => own.saturating_add(passed).min(MAX_MS),
            _ if side == running => own.saturating_sub(passed).max(own.min(0)),
            // What runs off one side runs onto the other.
            Kind::Hourglass => own.saturating_add(passed.min(had.max(0))).min(MAX_MS),
            _ => own,
        }
    }

    /// What comes to the running side by itself, and when, if nothing happens before.
    pub(crate) fn zero_due(&self) -> Option<(u64, Zero)> {
        let Phase::Running { side, since } = self.phase else { return None };
        let control = &self.setup.control;
        if self.flag.is_some() || control.kind == Kind::UpCount {
            return None;
        }
        let own = self.account(side);
        let next = own.period.saturating_add(1);
        let passes = control.kind == Kind::Gong
            || (control::at_zero(control) && control::period(control, next).is_some());
        let (zero, lasts) = match control.flag_at {
            _ if passes => (Zero::Period(side), own.ms.max(0)),
            FlagAt::Zero => (Zero::Flag(side), own.ms.max(0)),
            // The millisecond at zero still belongs to the player.
            FlagAt::BelowZero => (Zero::Flag(side), own.ms.saturating_add(1).max(0)),
        };
        Some((since.saturating_add(lasts.unsigned_abs()), zero))
    }

    /// Whether a flag stops both sides. In an hourglass it always does: there is nothing left to run.
    pub(crate) fn freezes(&self) -> bool {
        self.setup.control.freeze_on_flag || self.setup.control.kind == Kind::Hourglass
    }

    /// The flag of the running side falls.
    pub(crate) fn fall(&mut self, side: Side, at: u64) {
        self.settle(at);
        self.flag.get_or_insert(side);
        if self.freezes() {
            self.phase = Phase::Stopped { side, by: None };
        }
    }

    /// The running side completes a move at `at`. False where `side` does not run, or a press counts for nothing; then
    /// nothing changes.
    ///
    /// After a flag that did not freeze the clock the turn still changes, but nothing is credited (FIDE's
    /// requirements (i): no additional time once the last control is passed).
    pub(crate) fn press(&mut self, side: Side, at: u64) -> bool {
        if self.running() != Some(side) || self.setup.control.kind == Kind::Gong {
            return false;
        }
        self.settle(at);
        self.end_turn(side);
        if self.flag.is_none() {
            self.credit(side);
        }
        let account = self.account_mut(side);
        account.presses = account.presses.saturating_add(1);
        self.phase = Phase::Running { side: side.other(), since: at };
        self.begin_turn(side.other());
        true
    }

    /// `side` runs from `at` on. A turn it was in goes on; one of the other side is over.
    pub(crate) fn run(&mut self, side: Side, at: u64) {
        self.settle(at);
        self.end_turn(side.other());
        self.phase = Phase::Running { side, since: at };
        self.begin_turn(side);
    }

    /// Both sides stand. False where none ran.
    pub(crate) fn stop(&mut self, by: By, at: u64) -> bool {
        let Some(side) = self.running() else { return false };
        self.settle(at);
        self.phase = Phase::Stopped { side, by: Some(by) };
        true
    }

    /// Who is to move by the counts alone: the first player where both are equal.
    pub(crate) fn to_move(&self) -> Side {
        let first = self.setup.first_side;
        if self.account(first).presses > self.account(first.other()).presses { first.other() } else { first }
    }

    /// Writes down what both have at `at`.
    fn settle(&mut self, at: u64) {
        if let Phase::Running { side, .. } = self.phase {
            let (left, right) = (self.ms(Side::Left, at), self.ms(Side::Right, at));
            (self.left.ms, self.right.ms) = (left, right);
            self.phase = Phase::Running { side, since: at };
        }
    }
}
