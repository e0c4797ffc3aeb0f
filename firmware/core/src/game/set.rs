//! Times and counts that an arbiter sets on a clock that stands.
//!
//! What he sets is the time until the flag. In a turn that is under way nothing of the delay comes back on top of it.
//! Periods, blocks and the moves made in them stay, but for counts that say where a side is.

use super::{Game, Phase};
use crate::control;
use crate::settings::MAX_MS;
use flagfall_clock::{By, Side};

/// Whether a side can be set to this many milliseconds; below zero too, so that a deduction shows in full.
pub(crate) const fn settable(ms: i64) -> bool {
    -MAX_MS <= ms && ms <= MAX_MS
}

impl Game {
    /// A side has `ms` from now on, and has made so many moves where that is said.
    pub(crate) fn set(&mut self, side: Side, ms: i64, presses: Option<u32>) {
        self.notice_blocks();
        let control = self.setup.control;
        let account = self.account_mut(side);
        account.ms = ms;
        account.turn = account.turn.map(|_| ms);
        if let Some(presses) = presses {
            account.presses = presses;
            if control::ends_after(&control, 1).is_some() {
                (account.period, account.made) = control::place_after(&control, presses);
            }
        }
        self.notice_blocks();
    }

    /// A side has `delta_ms` more from now on, or less.
    pub(crate) fn shift(&mut self, side: Side, delta_ms: i64) {
        self.notice_blocks();
        let account = self.account_mut(side);
        account.ms = account.ms.saturating_add(delta_ms);
        account.turn = account.turn.map(|had| had.saturating_add(delta_ms).clamp(-MAX_MS, MAX_MS));
        self.notice_blocks();
    }

    /// Moves were made elsewhere: a game carried over from another clock, in the turn of who has made fewer. It stands
    /// until somebody resumes it, and that turn's delay is in the times that were set.
    pub(crate) fn carried_over(&mut self) {
        let side = self.to_move();
        self.phase = Phase::Stopped { side, by: Some(By::Command) };
        if control::delays(&self.setup.control) {
            let account = self.account_mut(side);
            account.turn = Some(account.ms);
        }
    }
}
