//! What a clock makes of a control: its periods one by one, and whether it can play it at all.

use crate::settings::MAX_MS;
use flagfall_clock::{Kind, Period, PeriodsAt, Player, TimeControl};

/// Period `number` of a control, from 1; none where it has not so many.
pub(crate) fn period(control: &TimeControl, number: u16) -> Option<Period> {
    let later = control.periods.as_slice();
    match usize::from(number).checked_sub(2) {
        Some(place) => later.get(place).or(if control.repeat { later.last() } else { None }).copied(),
        None => {
            let TimeControl { moves, base_ms, increment_ms, .. } = *control;
            Some(Period { moves, base_ms, increment_ms })
        }
    }
}

/// The moves with which period `number` ends; none where it does not end with moves, or nothing follows it.
pub(crate) fn ends_after(control: &TimeControl, number: u16) -> Option<u16> {
    let moves = period(control, number)?.moves;
    let follows = period(control, number.saturating_add(1)).is_some();
    (control.periods_at == PeriodsAt::Moves && moves > 0 && follows).then_some(moves)
}

/// Which period a side is in after so many moves, and how many of them it made in that period.
pub(crate) fn place_after(control: &TimeControl, moves: u32) -> (u16, u16) {
    let (mut number, mut left) = (1_u16, moves);
    // Beyond the list every period is like the last one.
    let last = control.periods.as_slice().len() as u16 + 1;
    while let Some(moves) = ends_after(control, number) {
        let moves = u32::from(moves);
        if left < moves {
            return (number, left as u16);
        }
        let ended = if number >= last { left / moves } else { 1 };
        left -= ended * moves;
        number = number.saturating_add(u16::try_from(ended).unwrap_or(u16::MAX));
    }
    (number, 0)
}

/// What each move of a player gives in a period, in milliseconds.
pub(crate) fn increment(control: &TimeControl, player: Player, number: u16) -> i64 {
    match control.kind {
        Kind::Fischer | Kind::Bronstein | Kind::Delay => {}
        _ => return 0,
    }
    i64::from(match period(control, number) {
        Some(period) if number > 1 => period.increment_ms,
        _ => control.of(player).increment_ms,
    })
}

/// Whether a side's turn adds something that is taken back with the press.
pub(crate) const fn delays(control: &TimeControl) -> bool {
    matches!(control.kind, Kind::Bronstein | Kind::Delay)
}

/// Whether the next period begins when a side reaches zero.
pub(crate) fn at_zero(control: &TimeControl) -> bool {
    control.periods_at == PeriodsAt::Zero && has_periods(control.kind)
}

const fn has_periods(kind: Kind) -> bool {
    matches!(kind, Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay)
}

/// Whether every time of it can be held and shown: all that is granted to a side must fit.
fn fits(control: &TimeControl) -> bool {
    let later = control.periods.as_slice();
    let granted = later.iter().map(|period| i64::from(period.base_ms)).sum::<i64>();
    let increments_fit = later.iter().all(|period| i64::from(period.increment_ms) <= MAX_MS);
    let both = Player::BOTH.map(|player| {
        let own = i64::from(control.of(player).increment_ms);
        let delay = if delays(control) { own } else { 0 };
        own <= MAX_MS && control.at_start(player) + delay + granted <= MAX_MS
    });
    let [first, second] = Player::BOTH.map(|player| control.at_start(player));
    // In the end one side may have all the sand.
    let sand_fits = control.kind != Kind::Hourglass || first + second <= MAX_MS;
    both == [true; 2]
        && increments_fit
        && sand_fits
        && control.cap_ms.is_none_or(|cap| i64::from(cap) <= MAX_MS)
}

/// Whether its parts go together. What merely has no meaning for its kind does not count.
fn makes_sense(control: &TimeControl) -> bool {
    let overtime = control.overtime_ms > 0 && control.overtime_count > 0;
    let kind = match control.kind {
        Kind::Byoyomi | Kind::Canadian => overtime,
        Kind::Gong => Player::BOTH.into_iter().all(|player| control.of(player).base_ms > 0),
        _ => true,
    };
    kind && match (control.periods.as_slice(), control.periods_at) {
        ([], _) => !control.repeat,
        (_, PeriodsAt::Zero) => has_periods(control.kind) && !control.repeat,
        ([before @ .., last], PeriodsAt::Moves) => {
            has_periods(control.kind)
                && control.moves > 0
                && before.iter().all(|period| period.moves > 0)
                && (last.moves > 0 || !control.repeat)
        }
    }
}

/// Whether a clock can play it.
pub(crate) fn playable(control: &TimeControl) -> bool {
    fits(control) && makes_sense(control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_clock::Periods;

    fn control(moves: u16, later: &[u16], repeat: bool) -> TimeControl {
        let mut periods = [Period::default(); 4];
        for (period, moves) in periods.iter_mut().zip(later) {
            period.moves = *moves;
        }
        let periods = Periods::of(&periods[..later.len()]).unwrap_or_default();
        TimeControl { moves, periods, repeat, ..TimeControl::new(Kind::SuddenDeath, 1_000, 0) }
    }

    /// However far it is, it is where counting one by one would have come to.
    #[test]
    fn a_place_is_where_the_moves_lead() {
        for control in [
            control(3, &[2, 0], false),
            control(3, &[2, 4], true),
            control(1, &[1], true),
            control(40, &[], false),
            control(2, &[5, 7], false),
        ] {
            let (mut number, mut made) = (1, 0);
            for moves in 0..300 {
                assert_eq!(place_after(&control, moves), (number, made), "{moves} {control:?}");
                if let Some(all) = ends_after(&control, number) {
                    made += 1;
                    if made == all {
                        (number, made) = (number + 1, 0);
                    }
                }
            }
        }
    }

    #[test]
    fn a_place_beyond_all_counting_is_the_last_that_can_be_said() {
        assert_eq!(place_after(&control(1, &[1], true), u32::MAX), (u16::MAX, 0));
        assert_eq!(place_after(&control(3, &[7], true), u32::MAX).1, ((u32::MAX - 3) % 7) as u16);
    }
}
