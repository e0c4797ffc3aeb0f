//! The two sides and their times: the arithmetic of a game, and nothing else.
//!
//! Written apart from the rules that check it. All times are whole milliseconds of the clock's own uptime; a side's
//! time is kept as it was when its turn began, so looking at it changes nothing and no rounding adds up.

use crate::settings::{MAX_MS, Setup};
use flagfall_clock::{By, FlagAt, Side};

/// One side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// Left when its turn began, in milliseconds; below zero only by a deduction.
    pub ms: i64,
    /// Moves completed.
    pub presses: u32,
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

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub setup: Setup,
    left: Account,
    right: Account,
    pub phase: Phase,
    /// The first side that fell.
    pub flag: Option<Side>,
}

impl Game {
    pub(crate) fn new(setup: Setup) -> Self {
        let account = |side| Account { ms: setup.control.at_start(setup.player(side)), presses: 0 };
        Self { left: account(Side::Left), right: account(Side::Right), setup, phase: Phase::Idle, flag: None }
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
        match self.phase {
            Phase::Running { side: running, since } if running == side => {
                let used = i64::try_from(at.saturating_sub(since)).unwrap_or(i64::MAX);
                own.saturating_sub(used).max(own.min(0))
            }
            _ => own,
        }
    }

    /// When the running side's flag falls, if nothing happens before.
    pub(crate) fn flag_due(&self) -> Option<(u64, Side)> {
        let Phase::Running { side, since } = self.phase else { return None };
        if self.flag.is_some() {
            return None;
        }
        let own = self.account(side).ms;
        let lasts = match self.setup.control.flag_at {
            FlagAt::Zero => own.max(0),
            // The millisecond at zero still belongs to the player.
            FlagAt::BelowZero => own.saturating_add(1).max(0),
        };
        Some((since.saturating_add(lasts.unsigned_abs()), side))
    }

    /// The flag of the running side falls. Under `freeze_on_flag` both sides stand from here on.
    pub(crate) fn fall(&mut self, side: Side, at: u64) {
        self.settle(at);
        self.flag.get_or_insert(side);
        if self.setup.control.freeze_on_flag {
            self.phase = Phase::Stopped { side, by: None };
        }
    }

    /// The running side completes a move at `at`. False where `side` does not run; then nothing changes.
    ///
    /// After a flag that did not freeze the clock the turn still changes, but nothing is credited (FIDE's
    /// requirements (i): no additional time once the last control is passed).
    pub(crate) fn press(&mut self, side: Side, at: u64) -> bool {
        if self.running() != Some(side) {
            return false;
        }
        self.settle(at);
        let increment = if self.flag.is_some() {
            0
        } else {
            i64::from(self.setup.control.of(self.setup.player(side)).increment_ms)
        };
        let account = self.account_mut(side);
        account.ms = account.ms.saturating_add(increment);
        account.presses = account.presses.saturating_add(1);
        self.phase = Phase::Running { side: side.other(), since: at };
        true
    }

    pub(crate) fn run(&mut self, side: Side, at: u64) {
        self.settle(at);
        self.phase = Phase::Running { side, since: at };
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

    /// Takes from the running side what it used until `at`.
    fn settle(&mut self, at: u64) {
        if let Phase::Running { side, .. } = self.phase {
            self.account_mut(side).ms = self.ms(side, at);
            self.phase = Phase::Running { side, since: at };
        }
    }
}

/// Whether a side can be set to this many milliseconds; below zero too, so that a deduction shows in full.
pub(crate) const fn settable(ms: i64) -> bool {
    -MAX_MS <= ms && ms <= MAX_MS
}
