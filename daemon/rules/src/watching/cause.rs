//! What a ledger shows to be wrong, in the order in which it is asked about. No incident accuses anybody:
//! a clock was set or runs otherwise than the regulations say.

use super::ledger::Ledger;
use flagfall_clock::{Kind, Player};
use serde::{Deserialize, Serialize};

/// A base that differs by no more is the same, in milliseconds.
const BASE_MS: i64 = 500;
/// Time gained or lost up to this needs no cause, in milliseconds.
const DRIFT_MS: i64 = 1_000;
/// What two oscillators may differ by, as one part in so many (100 ppm).
const OSCILLATORS: i64 = 10_000;
/// Moves that must be compared before a small difference of each of them is seen.
const SMALL_AFTER: u32 = 4;
/// The least difference in each move that is one, in milliseconds.
const SMALL_MS: i64 = 400;
/// A period gives at least so much, in milliseconds.
const BOTH_MS: i64 = 30_000;
/// With so many right moves before it a difference is that of a period.
const RIGHT_BEFORE: u32 = 3;

/// What is wrong with a clock; first and second, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It began with other times.
    Base {
        /// What it began with.
        has: [i64; 2],
        /// What it should have begun with.
        should: [i64; 2],
    },
    /// Each move gives something else.
    Increment {
        /// What it gives.
        has: [i64; 2],
        /// What it should give.
        should: [i64; 2],
    },
    /// Each turn's delay is another.
    Delay {
        /// What it is.
        has: [i64; 2],
        /// What it should be.
        should: [i64; 2],
    },
    /// Each move leaves more, or less, than is right.
    Left {
        /// By how much.
        off: [i64; 2],
    },
    /// A period came that is none, or did not come.
    Period {
        /// With which move; 0 when a side reached zero.
        at_move: u32,
        /// How much more it gave than is right.
        off: i64,
    },
    /// Time came or went, both sides together, without a cause.
    Drift {
        /// How much more there is than is right.
        off: i64,
    },
    /// Its seconds are not ours.
    Seconds {
        /// How much more of its own time passed than of ours.
        off: i64,
        /// In so long.
        ran: i64,
    },
    /// This side does not press though the game seems to go on.
    Silent(Player),
    /// Presses of this side are missed.
    Misses(Player),
    /// Presses of this side come twice.
    Bounces(Player),
    /// The second player's side ran first.
    Reversed,
}

impl Cause {
    /// Whether it is about how the clock is set.
    pub(crate) const fn is_setting(&self) -> bool {
        matches!(
            self,
            Self::Base { .. }
                | Self::Increment { .. }
                | Self::Delay { .. }
                | Self::Left { .. }
                | Self::Period { .. }
        )
    }

    /// Whether it is about times, so that an amount is owed.
    pub(crate) const fn owes(&self) -> bool {
        self.is_setting() || matches!(self, Self::Drift { .. })
    }

    /// Whether it is the same cause as one told before.
    pub(crate) fn same(&self, told: &Self) -> bool {
        match (self, told) {
            // another time it is another gain or loss
            (Self::Drift { .. } | Self::Seconds { .. }, _) => false,
            (Self::Silent(_), _) => false,
            (Self::Base { .. }, Self::Base { .. }) => true,
            _ => self == told,
        }
    }
}

impl Ledger {
    /// What is wrong, if anything.
    pub(crate) fn cause(&self, sure_ms: u64) -> Option<Cause> {
        self.base().or_else(|| self.each_move()).or_else(|| self.drift()).or_else(|| self.seconds(sure_ms))
    }

    fn base(&self) -> Option<Cause> {
        let wrong = self.start.iter().any(|off| off.abs() > self.coarse().max(BASE_MS));
        let should = Player::BOTH.map(|player| self.right[player as usize]);
        wrong.then(|| Cause::Base { has: [should[0] + self.start[0], should[1] + self.start[1]], should })
    }

    /// The same difference twice on one side, or once on both.
    fn each_move(&self) -> Option<Cause> {
        let [first, second] = &self.credits;
        let alike = first.odd > 0
            && second.odd > 0
            && (self.course.delays() || (first.odd_ms - second.odd_ms).abs() <= 2 * self.slack());
        let twice = Player::BOTH.into_iter().find(|player| self.credits[*player as usize].odd > 1);
        if twice.is_none() && !alike {
            return self.small();
        }
        let late = |player: Player| {
            let credits = &self.credits[player as usize];
            credits.odd == 0 || credits.odd == 1 && credits.judged > RIGHT_BEFORE
        };
        if alike && Player::BOTH.into_iter().all(late) && first.odd_move == second.odd_move {
            return Some(Cause::Period { at_move: first.odd_move, off: self.round(first.odd_ms) });
        }
        let off = [first, second].map(|credits| if credits.odd > 0 { self.round(credits.odd_ms) } else { 0 });
        Some(self.in_each_move(off))
    }

    fn in_each_move(&self, off: [i64; 2]) -> Cause {
        let should = Player::BOTH.map(|player| self.course.gives(player));
        let now = Player::BOTH.map(|player| should[player as usize] + self.credits[player as usize].known);
        let has = [now[0] + off[0], now[1] + off[1]];
        let real = has.iter().all(|ms| *ms >= 0);
        match self.course.control().kind {
            Kind::Fischer | Kind::SuddenDeath if real => Cause::Increment { has, should },
            Kind::Bronstein | Kind::Delay if real && self.face != [0, 0] => Cause::Delay { has, should },
            _ => Cause::Left { off },
        }
    }

    /// A coarse clock hides a small difference in one move, not in several.
    fn small(&self) -> Option<Cause> {
        let each = self.unsaid / i64::from(self.since.max(1));
        let seen = self.since >= SMALL_AFTER
            && !self.odd_seen
            && self.coarse() > BASE_MS
            && each.abs() >= SMALL_MS
            && self.unsaid.abs() > DRIFT_MS + 2 * self.coarse();
        seen.then(|| self.in_each_move([self.round(each); 2]))
    }

    /// The sum of both sides does not come out.
    fn drift(&self) -> Option<Cause> {
        let gone = self.unsaid.abs() > DRIFT_MS + 2 * self.coarse();
        if !gone || self.is_open() {
            return None;
        }
        let [first, second] = self.stray;
        // both sides got the same in one instant: a period at zero
        if first.min(second) > BOTH_MS && (first - second).abs() <= DRIFT_MS + self.slack() {
            return Some(Cause::Period { at_move: 0, off: self.round(first) });
        }
        Some(Cause::Drift { off: self.round(self.unsaid) })
    }

    fn seconds(&self, sure_ms: u64) -> Option<Cause> {
        let allowed =
            DRIFT_MS + 2 * self.coarse() + self.skew_bound + sure_ms as i64 + self.skew_ran / OSCILLATORS;
        let gone = self.skew.abs() > allowed.max(2 * self.skew_told.abs());
        gone.then_some(Cause::Seconds { off: self.skew, ran: self.skew_ran })
    }

    /// As finely as the clock shows it.
    fn round(&self, ms: i64) -> i64 {
        let unit = if self.coarse() > BASE_MS { 1_000 } else { 100 };
        (ms + if ms < 0 { -unit / 2 } else { unit / 2 }) / unit * unit
    }

    /// A cause was told.
    pub(crate) fn say(&mut self, cause: &Cause) {
        match cause {
            Cause::Base { .. } => self.start = [0; 2],
            Cause::Increment { has, should } | Cause::Delay { has, should } => {
                let known = [0, 1].map(|n: usize| has[n] - should[n] - self.credits[n].known);
                self.told(known);
            }
            Cause::Left { off } => self.told(*off),
            Cause::Period { .. } | Cause::Drift { .. } => self.told([0; 2]),
            Cause::Seconds { off, .. } => self.skew_told = *off,
            Cause::Silent(_) | Cause::Misses(_) | Cause::Bounces(_) | Cause::Reversed => {}
        }
    }
}
