//! What of a side's account is shown, where that is not simply the time until its flag.

use super::Game;
use flagfall_clock::{Kind, Side};

/// What stands small beside a side's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// So many periods are left, the running one among them (`Byoyomi`, once the main time is used).
    PeriodsLeft(u16),
    /// So many moves are to be made in the block (`Canadian`, once the main time is used).
    MovesToGo(u16),
    /// The time stands still for so long yet, in milliseconds (`Delay`).
    DelayMs(i64),
}

impl Game {
    /// The time that `side` shows, in milliseconds, and what stands beside it.
    ///
    /// Overtime is shown alone once the main time is used, and the main time without it before: a player must see when
    /// it ends.
    pub(crate) fn shown(&self, side: Side, at: u64) -> (i64, Beside) {
        let control = &self.setup.control;
        let (ms, account) = (self.ms(side, at), self.account(side));
        let length = i64::from(control.overtime_ms);
        match control.kind {
            Kind::Byoyomi if length > 0 => {
                let all = length * i64::from(control.overtime_count);
                if ms > all {
                    return (ms - all, Beside::Nothing);
                }
                let ms = ms.max(0);
                let left = (ms + length - 1) / length;
                let rest = ms - (left - 1).max(0) * length;
                (rest, Beside::PeriodsLeft(u16::try_from(left).unwrap_or(u16::MAX)))
            }
            Kind::Canadian if self.in_overtime(side, at) => {
                (ms, Beside::MovesToGo(control.overtime_count.saturating_sub(account.made)))
            }
            Kind::Canadian => (ms - length, Beside::Nothing),
            Kind::Delay => match account.turn {
                Some(had) if ms > had => (had, Beside::DelayMs(ms - had)),
                _ => (ms, Beside::Nothing),
            },
            _ => (ms, Beside::Nothing),
        }
    }

    fn in_overtime(&self, side: Side, at: u64) -> bool {
        let control = &self.setup.control;
        let overtime = i64::from(control.overtime_ms);
        match control.kind {
            Kind::Byoyomi => self.ms(side, at) <= overtime * i64::from(control.overtime_count),
            Kind::Canadian => self.account(side).period > 1 || self.ms(side, at) <= overtime,
            _ => false,
        }
    }

    /// The period a side is in, from 1, as a report says it: of main time and overtime, overtime is the second.
    pub(crate) fn period(&self, side: Side, at: u64) -> u8 {
        if self.in_overtime(side, at) {
            return 2;
        }
        u8::try_from(self.account(side).period).unwrap_or(u8::MAX)
    }
}
