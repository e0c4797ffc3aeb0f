//! What cumulative kinds keep: what both sides have is what was granted, credited and adjusted, less what ran (rules 4).
//!
//! Reckoned from the reports alone. It knows the control, and of the clock only when something happened.

use crate::any::{clock, control, inputs, punctual, setup, steps};
use crate::bench::{LEFT, RIGHT};
use flagfall_clock::{Action, ClockEvent, ClockReport, Kind, PeriodsAt, Player, Side, TimeControl};
use flagfall_firmware::{Input, Setup};
use proptest::prelude::*;

/// Base and increment of a period, from 1, by its place in the list.
fn of_period(control: &TimeControl, player: Player, period: u32) -> (i64, i64) {
    if period == 1 {
        let own = control.of(player);
        return (own.base_ms.into(), own.increment_ms.into());
    }
    let later = control.periods.as_slice();
    let period = later[(period as usize - 2).min(later.len() - 1)];
    (period.base_ms.into(), period.increment_ms.into())
}

/// The period a side is in that has made so many moves, counted one by one.
fn period_after(control: &TimeControl, moves: u32) -> u32 {
    let later = control.periods.as_slice();
    if later.is_empty() || control.periods_at == PeriodsAt::Zero {
        return 1;
    }
    let (mut period, mut left) = (1_u32, moves);
    loop {
        let place = period as usize;
        let all = if place == 1 { control.moves } else { later[(place - 2).min(later.len() - 1)].moves };
        let last = place > later.len();
        if all == 0 || left < u32::from(all) || (last && !control.repeat) {
            return period;
        }
        left -= u32::from(all);
        period += 1;
    }
}

fn sum(report: &ClockReport) -> i64 {
    report.left_ms + report.right_ms
}

/// What both have together after `report`, by what they had after the one before.
fn reckoned(setup: &Setup, last: &ClockReport, report: &ClockReport) -> i64 {
    let control = &setup.control;
    let passed = (report.uptime_ms - last.uptime_ms) as i64;
    let ran = last.running.map_or(0, |side| passed.min(last.ms(side).max(0)));
    let before = if control.kind == Kind::Hourglass { sum(last) } else { sum(last) - ran };
    let fallen = last.flag != Some(None);
    let granted = match report.event {
        Some(ClockEvent::Press { side }) if !fallen => {
            let player = Player::at(side, setup.first_side);
            let at_zero = control.periods_at == PeriodsAt::Zero && !control.periods.is_empty();
            let told = last.periods.map(|(left, right)| if side == LEFT { left } else { right }).unwrap();
            let (from, to) = if at_zero {
                (told.into(), told.into())
            } else {
                (period_after(control, last.presses(side)), period_after(control, report.presses(side)))
            };
            let of = if control.increment_on_first_move { to } else { from };
            let increment = if control.kind == Kind::Fischer { of_period(control, player, of).1 } else { 0 };
            increment + if to > from { of_period(control, player, to).0 } else { 0 }
        }
        Some(ClockEvent::Period { side }) => {
            let told = last.periods.map(|(left, _)| left).unwrap();
            2 * of_period(control, Player::at(side, setup.first_side), u32::from(told) + 1).0
        }
        _ => 0,
    };
    before + granted
}

fn cumulative() -> impl Strategy<Value = TimeControl> {
    let kinds =
        prop_oneof![4 => Just(Kind::Fischer), 2 => Just(Kind::SuddenDeath), 1 => Just(Kind::Hourglass)];
    (control(), kinds).prop_map(|(control, kind)| {
        let control = TimeControl { kind, cap_ms: None, ..control };
        let control = if kind == Kind::Hourglass {
            TimeControl { periods: flagfall_clock::Periods::new(), repeat: false, ..control }
        } else {
            control
        };
        assert!(Setup { control, ..Setup::default() }.in_range(), "{control:?}");
        control
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn both_together_have_what_was_granted_less_what_ran(
        setup in setup(cumulative().boxed()),
        steps in steps(Just(TimeControl::fischer(0, 0)).boxed()),
    ) {
        let inputs: Vec<_> = inputs(steps)
            .into_iter()
            .filter(|(_, input)| {
                !matches!(input, Input::Command(command) if matches!(command.action, Action::Configure { .. }))
            })
            .collect();
        let mut clock = clock(setup);
        let reports = punctual(&mut clock, &inputs);
        let start = [Player::First, Player::Second].map(|player| setup.control.at_start(player)).iter().sum::<i64>();
        prop_assert_eq!(sum(&reports[0]), start);
        let (mut set, mut moves) = (false, [0_u32; 2]);
        for pair in reports.windows(2) {
            let [last, report] = pair else { unreachable!() };
            match report.event {
                // Whoever sets times gives and takes; what counts from then on is what is there.
                Some(ClockEvent::Adjust { .. }) => set |= last.left_presses != report.left_presses || last.right_presses != report.right_presses,
                Some(ClockEvent::Reset { .. }) => {
                    prop_assert_eq!(sum(report), start);
                    set = false;
                }
                _ => prop_assert_eq!(sum(report), reckoned(&setup, last, report), "{:?} after {:?}", report, last),
            }
            if report.flag == Some(None) && setup.control.periods_at == PeriodsAt::Moves && !set {
                for side in [LEFT, RIGHT] {
                    let told = report.periods.map(|(left, right)| if side == LEFT { left } else { right });
                    prop_assert_eq!(told.map(u32::from), Some(period_after(&setup.control, report.presses(side)).min(255)));
                }
            }
            moves = [report.presses(LEFT), report.presses(Side::Right)];
        }
        prop_assert_eq!(moves, [clock.presses(LEFT), clock.presses(RIGHT)]);
    }
}
