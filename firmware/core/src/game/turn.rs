//! What a turn's begin, its press and zero do to a side, by the kind of control.

use super::{Game, PERIOD_SIGN, Phase};
use crate::control;
use crate::settings::MAX_MS;
use flagfall_clock::{Kind, Side};

impl Game {
    /// A side's turn begins: a delay is on its clock at once. One that is under way already has it.
    pub(super) fn begin_turn(&mut self, side: Side) {
        if !control::delays(&self.setup.control) || self.flag.is_some() {
            return;
        }
        let delay = self.increment(side, self.account(side).period);
        let account = self.account_mut(side);
        if account.turn.is_none() {
            account.turn = Some(account.ms);
            account.ms = account.ms.saturating_add(delay).min(MAX_MS);
        }
    }

    /// A side's turn is over: what is left of the delay goes, and no more than it had comes back.
    pub(super) fn end_turn(&mut self, side: Side) {
        let account = self.account_mut(side);
        if let Some(had) = account.turn.take() {
            account.ms = account.ms.min(had);
        }
    }

    /// A side has completed a move in time.
    pub(super) fn credit(&mut self, side: Side) {
        let setup = self.setup;
        let overtime_ms = i64::from(setup.control.overtime_ms);
        let count = setup.control.overtime_count;
        match setup.control.kind {
            Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay => self.credit_in_periods(side),
            Kind::Byoyomi => {
                let account = self.account_mut(side);
                account.ms = whole_periods(account.ms, overtime_ms, i64::from(count));
            }
            Kind::Canadian => {
                let account = self.account_mut(side);
                // Main time used up exactly with this move: the block begins with the next one.
                if account.period > 1 || account.ms < overtime_ms {
                    account.made = account.made.saturating_add(1);
                    if account.made >= count {
                        (account.ms, account.made) = (overtime_ms, 0);
                    }
                }
                self.notice_blocks();
            }
            Kind::PerMove => {
                self.account_mut(side).ms = i64::from(setup.control.of(setup.player(side)).base_ms)
            }
            Kind::Hourglass | Kind::Gong | Kind::UpCount => {}
        }
    }

    /// The increment of a move, and with the last move of a period the next one's time.
    fn credit_in_periods(&mut self, side: Side) {
        let control = self.setup.control;
        let ended = self.account(side).period;
        let account = self.account_mut(side);
        let mut granted = 0;
        if let Some(moves) = control::ends_after(&control, ended) {
            account.made = account.made.saturating_add(1);
            if account.made >= moves {
                (account.period, account.made) = (ended.saturating_add(1), 0);
                granted = control::period(&control, account.period).map_or(0, |next| i64::from(next.base_ms));
            }
        }
        if control.kind == Kind::Fischer {
            // Where the increment stands there before a move, it is that of the period in which the move will be.
            let of = if control.increment_on_first_move { self.account(side).period } else { ended };
            let increment = self.increment(side, of);
            let cap = control.cap_ms.map_or(MAX_MS, i64::from);
            let account = self.account_mut(side);
            account.ms = account.ms.max(account.ms.saturating_add(increment).min(cap));
        }
        let account = self.account_mut(side);
        account.ms = account.ms.saturating_add(granted).min(MAX_MS);
    }

    fn increment(&self, side: Side, period: u16) -> i64 {
        control::increment(&self.setup.control, self.setup.player(side), period)
    }

    /// Under `Canadian`: who has used up his main time is in a block from then on, whatever he is given later.
    pub(super) fn notice_blocks(&mut self) {
        let control = self.setup.control;
        if control.kind == Kind::Canadian {
            for account in [&mut self.left, &mut self.right] {
                if account.ms <= i64::from(control.overtime_ms) {
                    account.period = 2;
                }
            }
        }
    }

    /// The running side comes to zero, and that is no flag: both get the next period's time and it runs on, or under
    /// `Gong` the turn passes to the other side.
    pub(crate) fn pass(&mut self, side: Side, at: u64) {
        self.settle(at);
        let control = self.setup.control;
        if control.kind == Kind::Gong {
            for side in [Side::Left, Side::Right] {
                self.account_mut(side).ms = i64::from(control.of(self.setup.player(side)).base_ms);
            }
            self.phase = Phase::Running { side: side.other(), since: at };
            return;
        }
        let next = self.account(side).period.saturating_add(1);
        let granted = control::period(&control, next).map_or(0, |next| i64::from(next.base_ms));
        for account in [&mut self.left, &mut self.right] {
            account.ms = account.ms.saturating_add(granted).min(MAX_MS);
            account.turn = account.turn.map(|had| had.saturating_add(granted).min(MAX_MS));
            (account.period, account.made) = (next, 0);
        }
        self.sign = Some((side, at.saturating_add(PERIOD_SIGN)));
    }

    /// Under `Gong`, looked at far too late: leaves out whole rounds of turns until no more than `rounds` are left
    /// before `until`. Gives how many turns it left out, and when the turn that runs now began.
    pub(crate) fn leave_out(&mut self, until: u64, rounds: u64) -> Option<(u64, u64)> {
        let Phase::Running { side, since } = self.phase else { return None };
        if self.setup.control.kind != Kind::Gong {
            return None;
        }
        let round = [Side::Left, Side::Right]
            .map(|side| u64::from(self.setup.control.of(self.setup.player(side)).base_ms))
            .iter()
            .sum::<u64>();
        let late = until.saturating_sub(since).checked_div(round)?.checked_sub(rounds)?;
        if late == 0 {
            return None;
        }
        let since = since.saturating_add(late.saturating_mul(round));
        self.phase = Phase::Running { side, since };
        Some((late.saturating_mul(2), since))
    }
}

/// `Byoyomi`: a period that is not used up comes back whole; what is above all `count` of them is main time.
fn whole_periods(ms: i64, period_ms: i64, count: i64) -> i64 {
    let all = period_ms.saturating_mul(count);
    if ms <= 0 || ms > all {
        return ms;
    }
    (ms - 1).checked_div(period_ms).map_or(ms, |begun| (begun + 1) * period_ms)
}
