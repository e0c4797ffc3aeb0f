//! A control in a saved game: every member in a place of its own, whatever the kind.

use super::SavedError;
use super::bytes::Bytes;
use flagfall_clock::{FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SideTimes, TimeControl};

pub fn put(control: &TimeControl, to: &mut Bytes) {
    to.put_one_of(&Kind::ALL, &control.kind);
    for own in [
        Some(SideTimes { base_ms: control.base_ms, increment_ms: control.increment_ms }),
        control.first,
        control.second,
    ] {
        to.put([u8::from(own.is_some())]);
        let own = own.unwrap_or(SideTimes { base_ms: 0, increment_ms: 0 });
        to.put(own.base_ms.to_le_bytes());
        to.put(own.increment_ms.to_le_bytes());
    }
    to.put([
        u8::from(control.increment_on_first_move),
        u8::from(control.flag_at == FlagAt::BelowZero),
        u8::from(control.freeze_on_flag),
        u8::from(control.periods_at == PeriodsAt::Zero),
        u8::from(control.repeat),
        u8::from(control.cap_ms.is_some()),
    ]);
    to.put(control.cap_ms.unwrap_or(0).to_le_bytes());
    to.put(control.overtime_ms.to_le_bytes());
    to.put(control.overtime_count.to_le_bytes());
    to.put(control.moves.to_le_bytes());
    let periods = control.periods.as_slice();
    to.put([u8::try_from(periods.len()).unwrap_or(0)]);
    for place in 0..MAX_PERIODS {
        let period = periods.get(place).copied().unwrap_or_default();
        to.put(period.moves.to_le_bytes());
        to.put(period.base_ms.to_le_bytes());
        to.put(period.increment_ms.to_le_bytes());
    }
}

pub fn get(from: &mut Bytes) -> Result<TimeControl, SavedError> {
    let kind = from.one_of(&Kind::ALL)?;
    let both = times(from)?.ok_or(SavedError::Value)?;
    let (first, second) = (times(from)?, times(from)?);
    let increment_on_first_move = from.flag()?;
    let flag_at = from.one_of(&[FlagAt::Zero, FlagAt::BelowZero])?;
    let freeze_on_flag = from.flag()?;
    let periods_at = from.one_of(&[PeriodsAt::Moves, PeriodsAt::Zero])?;
    let (repeat, capped) = (from.flag()?, from.flag()?);
    let cap_ms = u32::from_le_bytes(from.get());
    let overtime_ms = u32::from_le_bytes(from.get());
    let overtime_count = u16::from_le_bytes(from.get());
    let moves = u16::from_le_bytes(from.get());
    let count = usize::from(from.byte());
    let periods: [Period; MAX_PERIODS] = core::array::from_fn(|_| Period {
        moves: u16::from_le_bytes(from.get()),
        base_ms: u32::from_le_bytes(from.get()),
        increment_ms: u32::from_le_bytes(from.get()),
    });
    let periods = periods.get(..count).and_then(Periods::of).ok_or(SavedError::Value)?;
    Ok(TimeControl {
        kind,
        base_ms: both.base_ms,
        increment_ms: both.increment_ms,
        increment_on_first_move,
        flag_at,
        freeze_on_flag,
        first,
        second,
        cap_ms: capped.then_some(cap_ms),
        overtime_ms,
        overtime_count,
        moves,
        periods,
        periods_at,
        repeat,
    })
}

fn times(from: &mut Bytes) -> Result<Option<SideTimes>, SavedError> {
    let given = from.flag()?;
    let base_ms = u32::from_le_bytes(from.get());
    let increment_ms = u32::from_le_bytes(from.get());
    Ok(given.then_some(SideTimes { base_ms, increment_ms }))
}
