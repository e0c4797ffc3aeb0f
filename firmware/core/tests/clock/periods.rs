//! Several periods, by moves and at zero (rules 4, test cases 36 and 37; FIDE 6.3), and the capped increment.

use crate::bench::{Bench, LEFT, MINUTE, RIGHT};
use flagfall_clock::{
    Action, ClockEvent, FlagAt, Kind, Period, Periods, PeriodsAt, SetTimes, SideTimes, TimeControl,
};
use rstest::rstest;

fn later(periods: &[(u16, u32, u32)]) -> Periods {
    let mut all = [Period::default(); 4];
    for (period, (moves, base_ms, increment_ms)) in all.iter_mut().zip(periods) {
        *period = Period { moves: *moves, base_ms: *base_ms, increment_ms: *increment_ms };
    }
    Periods::of(&all[..periods.len()]).unwrap()
}

/// 40 moves in 90 minutes, 30 minutes for the rest, 30 s a move; a side short before its 40th move.
fn forty_in_ninety(first: bool, left_ms: i64) -> Bench {
    let control = TimeControl {
        increment_on_first_move: first,
        moves: 40,
        periods: later(&[(0, 1_800_000, 30_000)]),
        ..TimeControl::fischer(5_400_000, 30_000)
    };
    let mut bench = Bench::under(control);
    assert_eq!(bench.times().0, 5_400_000 + if first { 30_000 } else { 0 });
    let times = SetTimes { left_ms, right_ms: 600_000, left_presses: Some(39), right_presses: Some(39) };
    bench.command(0, Action::SetTimes(times)).unwrap();
    bench.command(1_000, Action::Resume).unwrap();
    bench
}

#[rstest]
fn rule_36_the_40th_move_brings_30_minutes_and_its_increment(#[values(true, false)] first: bool) {
    let mut bench = forty_in_ninety(first, 6_000);
    bench.press(2_000, LEFT);
    let press = bench.last_event();
    assert_eq!((press.left_ms, press.right_ms), (30 * MINUTE + 35_000, 600_000), "to that side alone");
    assert_eq!((press.periods, press.flag, press.left_presses), (Some((2, 1)), Some(None), 40));
    bench.press(3_000, RIGHT);
    assert_eq!(
        (bench.last_event().right_ms, bench.last_event().periods),
        (40 * MINUTE + 29_000, Some((2, 2)))
    );
}

#[rstest]
fn rule_36_who_reached_zero_first_gets_nothing(#[values(true, false)] freeze_on_flag: bool) {
    let mut bench = forty_in_ninety(false, 6_000);
    let control = TimeControl { freeze_on_flag, ..bench.clock.setup().control };
    bench.button(1_500);
    let configure = Action::Configure {
        time_control: control,
        first_side: LEFT,
        stop_button: flagfall_clock::StopButton::On,
    };
    bench.command(2_000, configure).unwrap();
    let times = SetTimes { left_ms: 5_000, right_ms: 5_000, left_presses: Some(39), right_presses: Some(39) };
    bench.command(3_000, Action::SetTimes(times)).unwrap();
    bench.command(4_000, Action::Resume).unwrap();
    bench.run_to(9_500);
    bench.press(10_000, LEFT);
    assert_eq!(bench.zeros(), [(9_000, ClockEvent::Flag { side: LEFT })]);
    assert_eq!((bench.last_event().left_ms, bench.last_event().periods), (0, Some((1, 1))));
    if !freeze_on_flag {
        bench.press(11_000, RIGHT);
        assert_eq!((bench.last_event().right_ms, bench.last_event().periods), (4_000, Some((1, 1))));
    }
}

#[rstest]
#[case::after_the_press(false, [61_000, 122_000, 184_000, 188_000, 192_000])]
#[case::before_the_move(true, [63_000, 125_000, 189_000, 193_000, 197_000])]
fn the_increment_is_that_of_the_period_it_belongs_to(#[case] first: bool, #[case] left: [i64; 5]) {
    // One minute for two moves with 2 s; then one for one move with 3 s; then one for all with 5 s. Each move takes 1 s.
    let control = TimeControl {
        increment_on_first_move: first,
        moves: 2,
        periods: later(&[(1, 60_000, 3_000), (0, 60_000, 5_000)]),
        ..TimeControl::fischer(60_000, 2_000)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!([(); 5].map(|()| bench.both_play(1_000, 200)), left);
    assert_eq!(bench.last_event().periods, Some((3, 3)));
}

#[rstest]
fn a_delay_is_that_of_the_period_and_the_time_comes_at_its_end(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
) {
    let control = TimeControl {
        moves: 1,
        periods: later(&[(0, 10_000, 7_000)]),
        ..TimeControl::new(kind, 60_000, 5_000)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!(bench.plays(8_000), 67_000, "60 - 3 + 10");
    assert_eq!(bench.plays(1_000), 70_000);
    assert_eq!(bench.last_event().left_ms, 74_000);
}

#[test]
fn the_last_period_comes_again_and_again() {
    let control = TimeControl {
        moves: 3,
        periods: later(&[(2, 10_000, 0)]),
        repeat: true,
        ..TimeControl::new(Kind::SuddenDeath, 60_000, 5_000)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    let left: Vec<_> = (0..8).map(|_| bench.both_play(1_000, 200)).collect();
    assert_eq!(left, [59_000, 58_000, 67_000, 66_000, 75_000, 74_000, 83_000, 82_000], "and no increment");
    assert_eq!(bench.last_event().periods, Some((4, 4)));
}

#[rstest]
#[case::in_the_first(Some((2, 1)), (1, 1))]
#[case::in_the_second(Some((3, 4)), (2, 2))]
#[case::far_on(Some((103, 700)), (52, 255))]
#[case::counts_unsaid(None, (1, 1))]
fn counts_that_are_set_say_which_period_it_is(#[case] counts: Option<(u32, u32)>, #[case] periods: (u8, u8)) {
    let control = TimeControl {
        moves: 3,
        periods: later(&[(2, 10_000, 0)]),
        repeat: true,
        ..TimeControl::fischer(60_000, 0)
    };
    let mut bench = Bench::under(control);
    let times = SetTimes {
        left_ms: 30_000,
        right_ms: 30_000,
        left_presses: counts.map(|c| c.0),
        right_presses: counts.map(|c| c.1),
    };
    bench.command(0, Action::SetTimes(times)).unwrap();
    assert_eq!((bench.last_event().periods, bench.times()), (Some(periods), (30_000, 30_000)));
}

#[test]
fn a_correction_without_counts_leaves_the_period() {
    let control =
        TimeControl { moves: 2, periods: later(&[(0, 60_000, 0)]), ..TimeControl::fischer(60_000, 0) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    bench.both_play(1_000, 200);
    bench.button(2_000);
    bench.command(3_000, Action::Adjust { left_delta_ms: 1_000, right_delta_ms: 0 }).unwrap();
    bench.command(4_000, Action::Resume).unwrap();
    bench.press(5_000, LEFT);
    assert_eq!(bench.last_event().periods, Some((2, 1)), "the second move of the period, not its first");
}

/// 2 h, then 1 h when the first side reaches zero.
fn at_zero(kind: Kind, increment_ms: u32) -> TimeControl {
    TimeControl {
        periods: later(&[(0, 3_600_000, increment_ms)]),
        periods_at: PeriodsAt::Zero,
        ..TimeControl::new(kind, 7_200_000, increment_ms)
    }
}

#[rstest]
fn rule_37_at_zero_both_get_the_next_hour_and_nobody_has_lost(
    #[values(FlagAt::Zero, FlagAt::BelowZero)] flag_at: FlagAt,
) {
    let mut bench = Bench::under(TimeControl { flag_at, ..at_zero(Kind::SuddenDeath, 0) });
    bench.begin(0);
    bench.plays(1_200_000);
    bench.plays(600_000);
    // White's remaining 100 minutes.
    let zero = 1_800_000 + 6_000_000;
    bench.run_to(zero + 1);
    assert_eq!(bench.zeros(), [(zero, ClockEvent::Period { side: LEFT })]);
    let period = bench.last_event();
    assert_eq!((period.left_ms, period.right_ms), (3_600_000, 6_600_000 + 3_600_000));
    assert_eq!((period.running, period.flag, period.periods), (Some(LEFT), Some(None), Some((2, 2))));
    for (at, sign) in [(zero, Some(LEFT)), (zero + 299_999, Some(LEFT)), (zero + 300_000, None)] {
        let shown = bench.clock.display(at);
        assert_eq!((shown.period_flag, shown.flag), (sign, None), "{at}");
    }
    bench.run_to(zero + 3_700_000);
    let falls = zero + 3_600_000 + u64::from(flag_at == FlagAt::BelowZero);
    assert_eq!(bench.zeros()[1..], [(falls, ClockEvent::Flag { side: LEFT })], "in the last period only");
}

#[test]
fn at_zero_it_is_the_same_instant_however_late_one_looks_and_a_press_then_is_in_the_next_period() {
    let mut bench = Bench::under(at_zero(Kind::Fischer, 10_000));
    bench.begin(0);
    bench.clock.poll(7_300_000);
    bench.collect();
    assert_eq!(bench.zeros(), [(7_200_000, ClockEvent::Period { side: LEFT })]);
    assert_eq!(bench.clock.remaining_ms(LEFT, 7_300_000), 3_500_000);
    let mut bench = Bench::under(at_zero(Kind::Fischer, 10_000));
    bench.begin(0);
    assert_eq!(bench.plays(7_200_000), 3_610_000);
}

#[test]
fn at_zero_a_delay_runs_out_first() {
    let mut bench = Bench::under(at_zero(Kind::Bronstein, 10_000));
    bench.begin(0);
    bench.run_to(7_211_000);
    assert_eq!(bench.zeros(), [(7_210_000, ClockEvent::Period { side: LEFT })]);
    assert_eq!(bench.times(), (3_599_000, 10_800_000));
    assert_eq!(bench.plays(7_212_000), 3_598_000, "nothing of the delay comes back");
}

#[test]
fn periods_without_time_pass_in_one_instant() {
    let control = TimeControl {
        periods: later(&[(0, 0, 0), (0, 0, 0), (0, 1_000, 0)]),
        periods_at: PeriodsAt::Zero,
        ..TimeControl::fischer(1_000, 0)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    bench.run_to(5_000);
    let period = (1_000, ClockEvent::Period { side: LEFT });
    assert_eq!(
        bench.zeros(),
        [period.clone(), period.clone(), period, (2_000, ClockEvent::Flag { side: LEFT })]
    );
    assert_eq!(bench.times(), (0, 2_000));
}

#[test]
fn time_odds_are_those_of_the_first_period() {
    let control = TimeControl {
        moves: 1,
        periods: later(&[(0, 60_000, 3_000)]),
        second: Some(SideTimes { base_ms: 20_000, increment_ms: 7_000 }),
        ..TimeControl::fischer(40_000, 1_000)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!((bench.plays(1_000), bench.plays(1_000)), (100_000, 86_000));
    assert_eq!((bench.plays(1_000), bench.plays(1_000)), (102_000, 88_000));
}

#[rstest]
#[case::below_the_cap(60_000, 10_000, 65_000)]
#[case::up_to_the_cap(117_000, 10_000, 120_000)]
#[case::no_time_is_taken_away(150_000, 10_000, 145_000)]
#[case::none_above(200_000, 0, 195_000)]
fn an_increment_lifts_no_side_above_the_cap(
    #[case] base_ms: u32,
    #[case] increment_ms: u32,
    #[case] left: i64,
) {
    let control = TimeControl { cap_ms: Some(120_000), ..TimeControl::fischer(base_ms, increment_ms) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!(bench.plays(5_000), left);
}

#[rstest]
#[case(115_000, 120_000)]
#[case(130_000, 130_000)]
fn the_cap_holds_before_the_first_move_too(#[case] base_ms: u32, #[case] start: i64) {
    let control = TimeControl {
        cap_ms: Some(120_000),
        increment_on_first_move: true,
        ..TimeControl::fischer(base_ms, 10_000)
    };
    assert_eq!(Bench::under(control).times(), (start, start));
}

#[test]
fn sudden_death_has_no_increment_whatever_is_written_beside_it() {
    let control =
        TimeControl { increment_on_first_move: true, ..TimeControl::new(Kind::SuddenDeath, 60_000, 5_000) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!((bench.plays(20_000), bench.plays(1_000)), (40_000, 59_000));
    bench.run_to(100_000);
    assert_eq!(bench.zeros(), [(61_000, ClockEvent::Flag { side: LEFT })]);
}

#[test]
fn an_increment_lifts_no_side_over_what_a_clock_can_say() {
    let mut bench = Bench::under(TimeControl::fischer(359_999_000, 15_000));
    bench.begin(0);
    assert_eq!(bench.plays(1_000), 359_999_000);
}
