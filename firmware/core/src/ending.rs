//! How the players themselves end a game at the clock.
//!
//! Both hold their levers down together for 2 s: the clock stops and says `over`, agreed. Then whoever did not win may
//! press his lever once more: one press says that the other won, a press of each says a draw. Only the one whom it
//! costs can say so, a slip is undone by pressing again, and the display shows what the clock understood. Settled once
//! nobody has pressed for 5 s; where nobody presses within 10 s no claim is made. The desk takes it as a claim, never
//! as a result.

use crate::clock::Clock;
use crate::outbox::Happened;
use flagfall_clock::{By, Claim, Player, Side};

/// How long the players have to begin, in milliseconds.
const BEGIN: u64 = 10_000;
/// Settled after so long without a press, in milliseconds.
const SETTLED: u64 = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Over {
    /// Who says that he did not win: left, right.
    gave_up: (bool, bool),
    /// Until when the levers say so.
    until: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ending {
    /// Which levers are down: left, right.
    down: (bool, bool),
    /// Both are down since then, in a game.
    both_down_at: Option<u64>,
    over: Option<Over>,
}

impl Ending {
    pub(crate) const fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Of a game that was over when the power went, or of one that was not.
    pub(crate) fn of(was_over: bool) -> Self {
        let over = was_over.then_some(Over { gave_up: (false, false), until: None });
        Self { over, ..Self::default() }
    }

    pub(crate) fn takes_claims(&self) -> bool {
        self.over.is_some_and(|over| over.until.is_some())
    }

    /// A lever goes down; `in_game` where holding both has a meaning.
    pub(crate) const fn down(&mut self, side: Side, at: u64, in_game: bool) {
        match side {
            Side::Left => self.down.0 = true,
            Side::Right => self.down.1 = true,
        }
        if in_game && self.down.0 && self.down.1 && self.over.is_none() {
            self.both_down_at = Some(at);
        }
    }

    /// A lever comes up.
    pub(crate) const fn up(&mut self, side: Side) {
        match side {
            Side::Left => self.down.0 = false,
            Side::Right => self.down.1 = false,
        }
        self.both_down_at = None;
    }

    /// The game goes on, or is another. A hold that was begun does not end it later.
    pub(crate) const fn forget(&mut self) {
        self.both_down_at = None;
        self.over = None;
    }

    pub(crate) fn both_held_due(&self, hold_ms: u32) -> Option<u64> {
        self.both_down_at.map(|at| at.saturating_add(u64::from(hold_ms)))
    }

    pub(crate) fn claimed_due(&self) -> Option<u64> {
        self.over.and_then(|over| over.until)
    }

    /// `side` says that he did not win, or takes it back.
    pub(crate) const fn gives_up(&mut self, side: Side, at: u64) {
        if let Some(over) = &mut self.over {
            match side {
                Side::Left => over.gave_up.0 = !over.gave_up.0,
                Side::Right => over.gave_up.1 = !over.gave_up.1,
            }
            over.until = Some(at.saturating_add(SETTLED));
        }
    }

    /// What the levers say so far.
    pub(crate) fn claim(&self, first_side: Side) -> Option<Claim> {
        let winner = match self.over?.gave_up {
            (false, false) => return None,
            (true, true) => return Some(Claim::Draw),
            (true, false) => Side::Right,
            (false, true) => Side::Left,
        };
        Some(match Player::at(winner, first_side) {
            Player::First => Claim::First,
            Player::Second => Claim::Second,
        })
    }
}

impl Clock {
    /// Both levers have been held for long enough.
    pub(crate) fn both_held(&mut self, at: u64) {
        self.game.stop(By::Button, at);
        self.ending.both_down_at = None;
        self.ending.over = Some(Over { gave_up: (false, false), until: Some(at.saturating_add(BEGIN)) });
        self.tell(at, Happened::Over(None));
    }

    /// Nobody presses any more.
    pub(crate) fn claimed(&mut self, at: u64) {
        if let Some(over) = &mut self.ending.over {
            over.until = None;
        }
        let claim = self.claim();
        if claim.is_some() {
            self.tell(at, Happened::Over(claim));
        }
    }

    /// What the players said the result is, so far.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        self.ending.claim(self.game.setup.first_side)
    }

    /// Whether the players ended the game at the clock.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.ending.is_over()
    }
}
