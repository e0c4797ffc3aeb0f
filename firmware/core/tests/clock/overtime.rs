//! Byo-yomi and Canadian overtime (rules 4, test cases 39 and 40).

use crate::bench::{Bench, LEFT, RIGHT};
use flagfall_clock::{Action, ClockEvent, FlagAt, Kind, SideTimes, TimeControl};
use flagfall_firmware::Beside;
use rstest::rstest;

/// Three periods of 30 s after a main time.
fn byoyomi(base_ms: u32) -> TimeControl {
    TimeControl { overtime_ms: 30_000, overtime_count: 3, ..TimeControl::new(Kind::Byoyomi, base_ms, 0) }
}

/// 10 moves in each 5:00 after a main time.
fn canadian(base_ms: u32) -> TimeControl {
    TimeControl { overtime_ms: 300_000, overtime_count: 10, ..TimeControl::new(Kind::Canadian, base_ms, 0) }
}

#[rstest]
#[case::a_millisecond_less_than_a_period(0, 29_999, 90_000)]
#[case::a_period_exactly_costs_it(0, 30_000, 60_000)]
#[case::two_periods_and_some(0, 65_000, 30_000)]
#[case::all_but_a_millisecond(0, 89_999, 30_000)]
#[case::main_time_runs_over_into_the_second_period(4_000, 40_000, 60_000)]
#[case::main_time_used_exactly(4_000, 4_000, 90_000)]
#[case::main_time_left(4_000, 3_999, 90_001)]
#[case::a_period_after_main_time_used_exactly(4_000, 34_000, 60_000)]
fn rule_39_a_period_not_used_up_comes_back_whole(#[case] main: u32, #[case] used: u64, #[case] left: i64) {
    let mut bench = Bench::under(byoyomi(main));
    assert_eq!(bench.times().0, i64::from(main) + 90_000);
    bench.begin(0);
    assert_eq!(bench.plays(used), left);
    assert_eq!(bench.last_event().flag, Some(None));
}

#[rstest]
#[case::zero(FlagAt::Zero, 90_000)]
#[case::below(FlagAt::BelowZero, 90_001)]
fn rule_39_the_flag_falls_when_all_periods_are_used(#[case] flag_at: FlagAt, #[case] falls: u64) {
    let mut bench = Bench::under(TimeControl { flag_at, ..byoyomi(0) });
    bench.begin(0);
    bench.run_to(100_000);
    assert_eq!(bench.zeros(), [(falls, ClockEvent::Flag { side: LEFT })]);
    assert_eq!(bench.times().0, 0);
}

#[test]
fn a_lost_period_never_comes_back_and_the_last_one_lasts_for_ever() {
    let mut bench = Bench::under(byoyomi(1_000));
    bench.begin(0);
    let left: Vec<_> = [31_500, 31_000, 29_999, 500, 29_999].map(|used| bench.both_play(used, 200)).into();
    assert_eq!(left, [60_000, 30_000, 30_000, 30_000, 30_000]);
    let right = bench.last_event().right_ms;
    assert_eq!(right, 90_000, "five moves of 200 ms used its main time up exactly");
    assert_eq!(bench.last_event().periods, Some((2, 2)));
}

#[test]
fn byoyomi_shows_the_main_time_then_the_rest_of_the_period_and_how_many_are_left() {
    let mut bench = Bench::under(byoyomi(10_000));
    bench.begin(0);
    for (at, text, beside, period) in [
        (0, "0:10.0", Beside::Nothing, 1),
        (9_999, "0:00.1", Beside::Nothing, 1),
        (10_000, "0:30", Beside::PeriodsLeft(3), 2),
        (39_999, "0:00.1", Beside::PeriodsLeft(3), 2),
        (40_000, "0:30", Beside::PeriodsLeft(2), 2),
        (99_999, "0:00.1", Beside::PeriodsLeft(1), 2),
        (100_000, "0:00", Beside::PeriodsLeft(0), 2),
    ] {
        bench.run_to(at);
        let shown = bench.clock.display(at);
        assert_eq!((shown.left.as_str(), shown.left_beside, shown.periods.0), (text, beside, period), "{at}");
        assert_eq!(
            (shown.right.as_str(), shown.right_beside, shown.periods.1),
            ("0:10.0", Beside::Nothing, 1)
        );
    }
}

#[test]
fn after_a_flag_no_period_is_given_back() {
    let mut bench = Bench::under(TimeControl { freeze_on_flag: false, ..byoyomi(0) });
    bench.begin(0);
    bench.run_to(95_000);
    bench.press(95_000, LEFT);
    bench.press(100_000, RIGHT);
    assert_eq!((bench.last_event().left_ms, bench.last_event().right_ms), (0, 85_000));
}

#[test]
fn a_deduction_takes_periods_and_they_stay_taken() {
    let mut bench = Bench::under(byoyomi(10_000));
    bench.begin(0);
    bench.button(5_000);
    bench.command(6_000, Action::Adjust { left_delta_ms: -40_000, right_delta_ms: 0 }).unwrap();
    assert_eq!(bench.times().0, 55_000);
    bench.button(7_000);
    bench.press(8_000, LEFT);
    assert_eq!(bench.last_event().left_ms, 60_000, "the second period is given back whole");
}

#[test]
fn rule_40_ten_moves_in_4_10_bring_5_00_and_the_rest_is_lost() {
    let mut bench = Bench::under(canadian(0));
    bench.begin(0);
    for made in 1..10 {
        assert_eq!(bench.both_play(25_000, 200), 300_000 - made * 25_000);
    }
    assert_eq!(bench.plays(25_000), 300_000, "not 350_000");
    assert_eq!(bench.clock.display(bench.now).left_beside, Beside::MovesToGo(10));
}

#[rstest]
#[case::zero(FlagAt::Zero, 300_000)]
#[case::below(FlagAt::BelowZero, 300_001)]
fn rule_40_the_flag_falls_at_the_blocks_end_with_moves_left(#[case] flag_at: FlagAt, #[case] falls: u64) {
    let mut bench = Bench::under(TimeControl { flag_at, ..canadian(0) });
    bench.begin(0);
    for _ in 0..9 {
        bench.both_play(10_000, 200);
    }
    bench.run_to(400_000);
    // Nine moves of the other side stood between.
    assert_eq!(bench.zeros(), [(falls + 9 * 200, ClockEvent::Flag { side: LEFT })]);
}

#[rstest]
#[case::the_press_that_ran_over_is_the_first_of_the_block(61_000, 9)]
#[case::main_time_used_exactly_is_none_of_it(60_000, 10)]
#[case::main_time_left_is_none_of_it(59_999, 10)]
fn a_block_begins_where_main_time_ends(#[case] used: u64, #[case] more: u32) {
    let mut bench = Bench::under(canadian(60_000));
    bench.begin(0);
    let left = bench.both_play(used, 200);
    assert_eq!(left, 360_000 - used as i64);
    for made in 1..more {
        assert_eq!(bench.both_play(1_000, 200), left - i64::from(made) * 1_000);
    }
    assert_eq!(bench.plays(1_000), 300_000);
}

#[test]
fn canadian_shows_the_main_time_then_the_block_and_the_moves_to_go() {
    let mut bench = Bench::under(canadian(60_000));
    bench.begin(0);
    let shown = |bench: &Bench| {
        let shown = bench.clock.display(bench.now);
        (shown.left.to_string(), shown.left_beside, shown.periods.0)
    };
    assert_eq!(shown(&bench), ("1:00".to_owned(), Beside::Nothing, 1));
    bench.run_to(60_000);
    assert_eq!(shown(&bench), ("5:00".to_owned(), Beside::MovesToGo(10), 2));
    bench.plays(70_000);
    assert_eq!(shown(&bench), ("4:50".to_owned(), Beside::MovesToGo(9), 2));
}

#[test]
fn time_given_in_a_block_leaves_the_moves_to_be_made_in_it() {
    let mut bench = Bench::under(canadian(0));
    bench.begin(0);
    bench.both_play(10_000, 200);
    bench.button(11_000);
    bench.command(12_000, Action::Adjust { left_delta_ms: 120_000, right_delta_ms: 0 }).unwrap();
    bench.command(13_000, Action::Resume).unwrap();
    let now = bench.now;
    assert_eq!(bench.clock.display(now).left_beside, Beside::MovesToGo(9));
    let mut at = now;
    for _ in 0..8 {
        at += 1_000;
        bench.press(at, LEFT);
        at += 200;
        bench.press(at, RIGHT);
    }
    assert!(bench.last_event().left_ms > 300_000);
    bench.press(at + 1_000, LEFT);
    assert_eq!(bench.last_event().left_ms, 300_000);
}

#[test]
fn time_odds_are_the_main_times() {
    let odds = Some(SideTimes { base_ms: 5_000, increment_ms: 9_000 });
    assert_eq!(Bench::under(TimeControl { second: odds, ..byoyomi(60_000) }).times(), (150_000, 95_000));
    assert_eq!(Bench::under(TimeControl { first: odds, ..canadian(0) }).times(), (305_000, 300_000));
}
