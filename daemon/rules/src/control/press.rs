//! Turns: what a completed move gives, and what is there when the next turn begins.

use super::Course;
use flagfall_clock::{Kind, Period, PeriodsAt, Player};

impl Course {
    /// A press on a player's side. Whether it completed a move: not while the clock stands, on the other
    /// player's turn, or where the clock passes the turn on by itself.
    pub fn press(&mut self, player: Player) -> bool {
        if self.running() != Some(player) || self.control.kind == Kind::Gong {
            return false;
        }
        let own = &mut self.sides[player as usize];
        own.moves = own.moves.saturating_add(1);
        if self.flag.is_none() {
            self.credit(player);
            self.begin(player.other());
        } else {
            // nothing is given any more, and a delay comes off as ever
            if self.delays() {
                let own = &mut self.sides[player as usize];
                own.put(own.kept.min(own.ms));
            }
            self.turn = Some(player.other());
        }
        true
    }

    /// A turn begins; a delay stands on the clock at once.
    pub(super) fn begin(&mut self, player: Player) {
        self.turn = Some(player);
        let delay = match self.control.kind {
            Kind::Bronstein | Kind::Delay => self.increment(player, self.sides[player as usize].period),
            _ => 0,
        };
        let own = &mut self.sides[player as usize];
        own.kept = own.ms;
        own.ms = own.ms.saturating_add(delay);
        // where the main time was used up exactly, this move is the first of the block
        own.block |= self.control.kind == Kind::Canadian && own.ms <= i64::from(self.control.overtime_ms);
        self.pass(0);
    }

    /// What a completed move leaves its player with.
    fn credit(&mut self, player: Player) {
        let period = self.sides[player as usize].period;
        let control = self.control;
        let base = self.base(player);
        let (overtime, count) = (i64::from(control.overtime_ms), i64::from(control.overtime_count));
        let own = &mut self.sides[player as usize];
        match control.kind {
            Kind::Fischer => {
                let added = self.complete(player);
                // what stood there before the first move is that of the move to come
                let of =
                    if control.increment_on_first_move { self.sides[player as usize].period } else { period };
                let increment = self.increment(player, of);
                let own = &mut self.sides[player as usize];
                let more = own.ms.saturating_add(increment);
                own.ms = control.cap_ms.map_or(more, |cap| own.ms.max(more.min(i64::from(cap))));
                own.put(own.ms.saturating_add(added));
            }
            Kind::SuddenDeath => {
                let added = self.complete(player);
                self.sides[player as usize].shift(added);
            }
            Kind::Bronstein | Kind::Delay => {
                let added = self.complete(player);
                let own = &mut self.sides[player as usize];
                own.put(own.kept.min(own.ms).saturating_add(added));
            }
            Kind::Byoyomi if overtime > 0 => {
                if own.ms <= count.saturating_mul(overtime) {
                    let begun = own.ms.div_euclid(overtime) + i64::from(own.ms.rem_euclid(overtime) > 0);
                    own.put(begun.saturating_mul(overtime));
                }
            }
            Kind::Canadian => {
                if own.block || own.ms < overtime {
                    own.block = true;
                    own.done += 1;
                    if i64::from(own.done) >= count && count > 0 {
                        own.done = 0;
                        own.put(overtime);
                    }
                }
            }
            Kind::PerMove => own.put(base),
            Kind::Byoyomi | Kind::Hourglass | Kind::UpCount | Kind::Gong => {}
        }
    }

    /// Counts a move in its period; with the last one the next period begins. Gives what that adds.
    fn complete(&mut self, player: Player) -> i64 {
        if !self.has_periods() || self.control.periods_at != PeriodsAt::Moves {
            return 0;
        }
        let quota = self.quota(self.sides[player as usize].period);
        let next = self.next_period(self.sides[player as usize].period);
        let own = &mut self.sides[player as usize];
        own.done += 1;
        match next {
            Some(next) if quota > 0 && own.done >= quota => {
                own.done = 0;
                own.period += 1;
                i64::from(next.base_ms)
            }
            _ => 0,
        }
    }

    /// As if a player had completed so many moves: his period, and how far it has come.
    pub(super) fn count(&mut self, player: Player, moves: u32) {
        let own = &mut self.sides[player as usize];
        (own.moves, own.period, own.done) = (moves, 0, moves);
        if !self.has_periods() || self.control.periods_at != PeriodsAt::Moves {
            return;
        }
        let periods = self.control.periods.as_slice().len();
        loop {
            let period = self.sides[player as usize].period;
            let (quota, last) = (self.quota(period), self.next_period(period).is_none());
            let own = &mut self.sides[player as usize];
            if quota == 0 || own.done < quota || last {
                return;
            }
            // the last one again and again in one step: a count may be anything
            let times = if period as usize >= periods { own.done / quota } else { 1 };
            own.done -= quota * times;
            own.period += times;
        }
    }

    /// Moves of a period (from 0); 0 for all that are left.
    fn quota(&self, period: u32) -> u32 {
        self.spec(period).map_or(self.control.moves, |spec| spec.moves).into()
    }

    /// What a move in that period gives, in milliseconds.
    pub(super) fn increment(&self, player: Player, period: u32) -> i64 {
        let own = || self.control.of(player).increment_ms;
        self.spec(period).map_or_else(own, |spec| spec.increment_ms).into()
    }

    /// What a move of this player gives in the period he is in, in milliseconds: credited or as a delay.
    pub(crate) fn gives(&self, player: Player) -> i64 {
        let own = self.sides[player as usize];
        let counts = matches!(self.control.kind, Kind::Fischer | Kind::Bronstein | Kind::Delay);
        if counts { self.increment(player, own.period) } else { 0 }
    }

    /// What a player had when his turn began, without its delay, in milliseconds.
    pub(crate) fn kept(&self, player: Player) -> i64 {
        self.sides[player as usize].kept
    }

    /// Whether another period comes when this player reaches zero.
    pub(crate) fn period_left(&self, player: Player) -> bool {
        self.ends_at_zero() && self.next_period(self.sides[player as usize].period).is_some()
    }

    /// Whether a control of this kind makes jumps or cuts something off, so that small errors of what is
    /// shown do not come out even over several moves.
    pub(crate) fn jumps(&self) -> bool {
        matches!(self.control.kind, Kind::Byoyomi | Kind::Canadian | Kind::PerMove)
            || self.control.cap_ms.is_some()
            || self.ends_at_zero()
    }

    /// Whether what a turn leaves rests on how much of it was a delay.
    pub(crate) const fn delays(&self) -> bool {
        matches!(self.control.kind, Kind::Bronstein | Kind::Delay)
    }

    /// A period after the first; the last one again where it repeats.
    fn spec(&self, period: u32) -> Option<Period> {
        let all = self.control.periods.as_slice();
        let index = (period as usize).min(all.len()).checked_sub(1)?;
        all.get(index).copied()
    }

    /// The period after this one, where there is one.
    pub(super) fn next_period(&self, period: u32) -> Option<Period> {
        let all = self.control.periods.as_slice();
        let again = || {
            // one that gives nothing at zero would come for ever in one instant
            let last =
                all.last().filter(|last| last.base_ms > 0 || self.control.periods_at == PeriodsAt::Moves);
            last.filter(|_| self.control.repeat)
        };
        all.get(period as usize).or_else(again).copied()
    }
}
