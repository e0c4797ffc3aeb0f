//! Bronstein and simple delay: the same arithmetic, shown otherwise (rules 4; FIDE 6.3.2).

use crate::bench::{Bench, LEFT, RIGHT};
use flagfall_clock::{Action, ClockEvent, FlagAt, Kind, SetTimes, SideTimes, TimeControl};
use flagfall_firmware::Beside;
use rstest::rstest;

/// 60 s and 5 s of delay.
fn minute(kind: Kind) -> TimeControl {
    TimeControl::new(kind, 60_000, 5_000)
}

fn set(left_ms: i64, right_ms: i64) -> Action {
    Action::SetTimes(SetTimes { left_ms, right_ms, left_presses: None, right_presses: None })
}

#[rstest]
#[case::at_once(110, 60_000)]
#[case::within_the_delay(4_999, 60_000)]
#[case::the_delay_exactly(5_000, 60_000)]
#[case::a_millisecond_more(5_001, 59_999)]
#[case::much_more(30_000, 35_000)]
#[case::all_but_a_millisecond(64_999, 1)]
fn the_total_never_grows_and_only_what_is_over_the_delay_is_taken(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
    #[case] used: u64,
    #[case] left: i64,
) {
    let mut bench = Bench::under(minute(kind));
    assert_eq!(bench.times(), (60_000, 60_000));
    bench.begin(1_000);
    assert_eq!(bench.times(), (65_000, 60_000), "at once, and on the running side alone");
    assert_eq!(bench.plays(used), left);
    let press = bench.last_event();
    assert_eq!((press.left_ms, press.right_ms, press.flag), (left, 65_000, Some(None)));
    assert_eq!(bench.plays(2_000), 60_000);
    assert_eq!(bench.last_event().left_ms, left + 5_000);
}

/// Not at u = r, as where the delay comes back only with the press.
#[rstest]
fn the_flag_falls_when_time_and_delay_are_used(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
    #[values(FlagAt::Zero, FlagAt::BelowZero)] flag_at: FlagAt,
) {
    let mut bench = Bench::under(TimeControl { flag_at, ..minute(kind) });
    bench.begin(0);
    bench.run_to(70_000);
    let falls = if flag_at == FlagAt::Zero { 65_000 } else { 65_001 };
    assert_eq!(bench.zeros(), [(falls, ClockEvent::Flag { side: LEFT })]);
    assert_eq!(bench.times(), (0, 60_000));
}

#[test]
fn bronstein_shows_the_delay_and_simple_delay_stands_still_for_it() {
    let at = |kind, ms| {
        let mut bench = Bench::under(minute(kind));
        bench.begin(0);
        bench.run_to(ms);
        let shown = bench.clock.display(ms);
        (shown.left.to_string(), shown.left_beside)
    };
    for (ms, bronstein, delay, beside) in [
        (0, "1:05", "1:00", Beside::DelayMs(5_000)),
        (4_999, "1:01", "1:00", Beside::DelayMs(1)),
        (5_000, "1:00", "1:00", Beside::Nothing),
        (6_000, "0:59", "0:59", Beside::Nothing),
        (65_000, "0:00", "0:00", Beside::Nothing),
    ] {
        assert_eq!(at(Kind::Bronstein, ms), (bronstein.to_owned(), Beside::Nothing), "{ms}");
        assert_eq!(at(Kind::Delay, ms), (delay.to_owned(), beside), "{ms}");
    }
}

#[rstest]
fn a_stop_within_a_turn_keeps_what_is_left_of_the_delay_and_gives_no_other(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
) {
    let mut bench = Bench::under(minute(kind));
    bench.begin(0);
    for stop in [1_000, 11_000, 21_000] {
        bench.button(stop);
        bench.button(stop + 9_000);
    }
    // Ran for 1 s, 1 s, 1 s; a fourth second is within the delay still, a sixth one no more.
    assert_eq!(bench.times(), (62_000 - 110, 60_000));
    let mut other = Bench::on(bench.clock.clone());
    other.press(31_000, LEFT);
    assert_eq!(other.times().0, 60_000);
    bench.press(33_000, LEFT);
    assert_eq!(bench.times().0, 59_000);
}

#[rstest]
fn a_side_that_an_arbiter_lets_run_begins_a_turn_and_ends_the_others(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
) {
    let mut bench = Bench::under(minute(kind));
    bench.begin(0);
    bench.button(2_000);
    bench.command(3_000, Action::Start { side: RIGHT }).unwrap();
    assert_eq!((bench.times(), bench.counts()), ((60_000, 65_000), (0, 0)));
    bench.button(10_000);
    bench.command(11_000, Action::Start { side: LEFT }).unwrap();
    assert_eq!(bench.times(), (65_000, 58_000));
}

#[rstest]
fn what_is_set_in_a_turn_is_the_time_until_the_flag_and_no_delay_comes_on_top(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
    #[values(1_000, 20_000)] stopped: u64,
    #[values(110, 10_000)] used: u64,
) {
    let mut bench = Bench::under(minute(kind));
    bench.begin(0);
    bench.button(stopped);
    bench.command(30_000, set(40_000, 50_000)).unwrap();
    assert_eq!(bench.times(), (40_000, 50_000));
    bench.button(31_000);
    bench.press(31_000 + used, LEFT);
    let press = bench.last_event();
    assert_eq!(
        (press.left_ms, press.right_ms),
        (40_000 - used as i64, 55_000),
        "the next turn has its delay"
    );
}

#[rstest]
fn a_difference_moves_the_turns_begin_too(
    #[values(Kind::Bronstein, Kind::Delay)] kind: Kind,
    #[values(-30_000, 30_000)] delta: i64,
) {
    let mut bench = Bench::under(minute(kind));
    bench.begin(0);
    bench.button(1_000);
    bench.command(2_000, Action::Adjust { left_delta_ms: delta, right_delta_ms: 0 }).unwrap();
    assert_eq!(bench.times().0, 64_000 + delta, "4 s of the delay are left as they were");
    bench.button(3_000);
    bench.press(5_000, LEFT);
    assert_eq!(bench.last_event().left_ms, 60_000 + delta);
}

#[test]
fn a_base_of_zero_lives_by_the_delay_alone() {
    let mut bench = Bench::under(TimeControl::new(Kind::Delay, 0, 10_000));
    bench.begin(0);
    assert_eq!((bench.plays(9_999), bench.plays(5_000)), (0, 0));
    assert_eq!((bench.clock.flag(), bench.clock.running()), (None, Some(LEFT)));
    bench.run_to(60_000);
    assert_eq!(bench.zeros(), [(24_999, ClockEvent::Flag { side: LEFT })]);
}

#[test]
fn after_a_flag_no_turn_has_a_delay() {
    let control = TimeControl { freeze_on_flag: false, ..TimeControl::new(Kind::Bronstein, 1_000, 1_000) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    bench.run_to(3_000);
    bench.press(3_000, LEFT);
    assert_eq!(bench.last_event().right_ms, 1_000);
    bench.press(3_500, RIGHT);
    assert_eq!((bench.last_event().left_ms, bench.last_event().right_ms), (0, 500));
}

#[test]
fn time_odds_give_each_player_his_own_delay() {
    let control = TimeControl {
        second: Some(SideTimes { base_ms: 30_000, increment_ms: 2_000 }),
        ..minute(Kind::Bronstein)
    };
    let mut bench = Bench::under(control);
    bench.begin(0);
    assert_eq!(bench.times(), (65_000, 30_000));
    bench.plays(1_000);
    assert_eq!((bench.last_event().left_ms, bench.last_event().right_ms), (60_000, 32_000));
}

#[test]
fn a_game_carried_over_in_a_turn_has_no_new_delay_in_it() {
    let mut bench = Bench::under(minute(Kind::Bronstein));
    let times = SetTimes { left_ms: 30_000, right_ms: 63_000, left_presses: Some(8), right_presses: Some(7) };
    bench.command(100, Action::SetTimes(times)).unwrap();
    bench.command(1_000, Action::Resume).unwrap();
    assert_eq!((bench.clock.running(), bench.times()), (Some(RIGHT), (30_000, 63_000)));
    bench.press(2_000, RIGHT);
    assert_eq!((bench.last_event().left_ms, bench.last_event().right_ms), (35_000, 62_000));
}
