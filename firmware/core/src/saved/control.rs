//! A control in a saved game: every member in a place of its own, whatever the kind.

use super::bytes::{Bytes, Opened};
use flagfall_clock::{FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SideTimes, TimeControl};

const FLAGS: [FlagAt; 2] = [FlagAt::Zero, FlagAt::BelowZero];
const ENDS: [PeriodsAt; 2] = [PeriodsAt::Moves, PeriodsAt::Zero];

#[inline(never)]
pub fn put(control: &TimeControl, to: &mut Bytes) {
    to.one_of(&Kind::ALL, &control.kind);
    let both = SideTimes { base_ms: control.base_ms, increment_ms: control.increment_ms };
    for own in [Some(both), control.first, control.second] {
        to.flag(own.is_some());
        let own = own.unwrap_or(SideTimes { base_ms: 0, increment_ms: 0 });
        to.number(own.base_ms);
        to.number(own.increment_ms);
    }
    to.flag(control.increment_on_first_move);
    to.one_of(&FLAGS, &control.flag_at);
    to.flag(control.freeze_on_flag);
    to.one_of(&ENDS, &control.periods_at);
    to.flag(control.repeat);
    to.flag(control.cap_ms.is_some());
    to.number(control.cap_ms.unwrap_or(0));
    to.number(control.overtime_ms);
    to.small(control.overtime_count);
    to.small(control.moves);
    let periods = control.periods.as_slice();
    to.byte(u8::try_from(periods.len()).unwrap_or(0));
    for place in 0..MAX_PERIODS {
        let period = periods.get(place).copied().unwrap_or_default();
        to.small(period.moves);
        to.number(period.base_ms);
        to.number(period.increment_ms);
    }
}

#[inline(never)]
pub fn get(from: &mut Opened<'_>) -> TimeControl {
    let mut control = TimeControl::new(from.one_of(&Kind::ALL), 0, 0);
    let both = times(from);
    from.must(both.is_some());
    if let Some(both) = both {
        (control.base_ms, control.increment_ms) = (both.base_ms, both.increment_ms);
    }
    control.first = times(from);
    control.second = times(from);
    control.increment_on_first_move = from.flag();
    control.flag_at = from.one_of(&FLAGS);
    control.freeze_on_flag = from.flag();
    control.periods_at = from.one_of(&ENDS);
    control.repeat = from.flag();
    let capped = from.flag();
    let cap_ms = from.number();
    control.cap_ms = capped.then_some(cap_ms);
    control.overtime_ms = from.number();
    control.overtime_count = from.small();
    control.moves = from.small();
    let count = usize::from(from.byte());
    let mut periods = [Period::default(); MAX_PERIODS];
    for period in &mut periods {
        *period = Period { moves: from.small(), base_ms: from.number(), increment_ms: from.number() };
    }
    let periods = periods.get(..count).and_then(Periods::of);
    from.must(periods.is_some());
    control.periods = periods.unwrap_or_default();
    control
}

#[inline(never)]
fn times(from: &mut Opened<'_>) -> Option<SideTimes> {
    let given = from.flag();
    let own = SideTimes { base_ms: from.number(), increment_ms: from.number() };
    given.then_some(own)
}
