//! What a control lets a clock's times do by themselves, as far as a session must know: which way they run,
//! and what an event may add or take. Which of it is right, and how much, is for the rules.

use super::reckon::FITS_MS;
use flagfall_clock::{ClockEvent, Kind, Side, TimeControl};

/// No control credits more than this with one move where no period does, in milliseconds.
const CREDIT_MS: i64 = 3_600_000;

/// Which way times run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    /// The side that runs counts down.
    Down,
    /// It counts up.
    Up,
    /// It counts down, and the other side gets what it uses.
    Over,
}

/// What times may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Course {
    runs: Runs,
    /// The most that stands on a side at once when its turn begins, in milliseconds.
    delay_ms: i64,
    /// The most that a press, or a period, may add, in milliseconds.
    credit_ms: i64,
    /// A side at zero has the clock pass the turn on, or give both another period.
    beyond_zero: bool,
}

impl Course {
    /// Base time and increments, nothing else.
    pub(crate) const PLAIN: Self =
        Self { runs: Runs::Down, delay_ms: 0, credit_ms: CREDIT_MS, beyond_zero: false };

    pub(crate) fn of(control: &TimeControl) -> Self {
        let periods = control.periods.as_slice();
        let own = [control.first, control.second];
        let own = || own.iter().flatten();
        let most = |some: &dyn Fn(u32, u32) -> u32| {
            let all = periods.iter().map(|period| some(period.base_ms, period.increment_ms));
            let all = all.chain(own().map(|own| some(own.base_ms, own.increment_ms)));
            all.chain([some(control.base_ms, control.increment_ms)]).max().map_or(0, i64::from)
        };
        let increment = most(&|_, increment| increment);
        let base = most(&|base, _| base);
        let delays = matches!(control.kind, Kind::Bronstein | Kind::Delay);
        let given = match control.kind {
            Kind::PerMove | Kind::Gong => base,
            Kind::Byoyomi | Kind::Canadian => i64::from(control.overtime_ms),
            _ if !periods.is_empty() => base + increment,
            _ => increment,
        };
        Self {
            runs: match control.kind {
                Kind::UpCount => Runs::Up,
                Kind::Hourglass => Runs::Over,
                _ => Runs::Down,
            },
            delay_ms: if delays { increment } else { 0 },
            credit_ms: given.max(CREDIT_MS),
            beyond_zero: control.kind == Kind::Gong || !periods.is_empty(),
        }
    }

    /// What a side that showed `ms` shows so much later, if nobody does anything.
    pub(crate) fn later(self, ms: i64, elapsed: i64, side: Side, running: Option<Side>) -> i64 {
        match (self.runs, running) {
            (Runs::Down | Runs::Over, Some(runs)) if runs == side => ms.saturating_sub(elapsed),
            (Runs::Up, Some(runs)) if runs == side => ms.saturating_add(elapsed),
            (Runs::Over, Some(_)) => ms.saturating_add(elapsed),
            _ => ms,
        }
    }

    /// The least and the most that this event may add to a side, in milliseconds.
    pub(crate) fn adds(self, event: Option<&ClockEvent>, side: Side) -> (i64, i64) {
        match event {
            // what is left of a delay goes with the press, and the next turn's stands there
            Some(ClockEvent::Press { side: mover }) if *mover == side => (-self.delay_ms, self.credit_ms),
            Some(ClockEvent::Press { .. }) => (0, self.delay_ms),
            Some(ClockEvent::Start { side: starts, .. }) if *starts == side => (0, self.delay_ms),
            Some(ClockEvent::Period { .. }) if self.beyond_zero => (-FITS_MS, self.credit_ms),
            _ => (0, 0),
        }
    }

    /// Whether a side's time counts down to a flag.
    pub(crate) fn counts_down(self) -> bool {
        self.runs != Runs::Up
    }
}
