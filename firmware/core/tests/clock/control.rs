//! Times under a control: moves, increments, odds (rules 4, test cases 1 to 3).

use crate::bench::{BASE, Bench, LEFT, RIGHT};
use flagfall_clock::{ClockEvent, FlagAt, Side, SideTimes, StopButton, TimeControl};
use flagfall_firmware::{Clock, Settings, Setup};
use rstest::rstest;

#[rstest]
#[case::after_the_press(false, BASE, 2_995_000, 3_010_000)]
#[case::before_the_first_move_too(true, BASE + 15_000, 3_010_000, 3_025_000)]
fn red_uses_20_s_and_black_5(
    #[case] increment_on_first_move: bool,
    #[case] start: i64,
    #[case] red: i64,
    #[case] black: i64,
    #[values(LEFT, RIGHT)] first_side: Side,
) {
    let control = TimeControl { increment_on_first_move, ..TimeControl::fischer(3_000_000, 15_000) };
    let setup = Setup { control, first_side, ..Setup::default() };
    let mut bench = Bench::with(Settings { setup, ..crate::bench::settings() });
    assert_eq!(bench.times(), (start, start));
    bench.button(10_000);
    assert_eq!(bench.clock.running(), Some(first_side));
    bench.press(30_000, first_side);
    assert_eq!(bench.clock.remaining_ms(first_side, bench.now), red);
    bench.press(35_000, first_side.other());
    assert_eq!(bench.clock.remaining_ms(first_side.other(), bench.now), black);
    assert_eq!(bench.counts(), (1, 1));
    assert_eq!(bench.clock.running(), Some(first_side));
}

#[test]
fn a_press_1_ms_before_the_flag_is_in_time() {
    let mut bench = Bench::under(TimeControl::fischer(12_000, 15_000));
    bench.button(0);
    bench.press(11_999, LEFT);
    let press = bench.last_event();
    assert_eq!(press.event, Some(ClockEvent::Press { side: LEFT }));
    assert_eq!((press.uptime_ms, press.left_ms, press.flag), (11_999, 15_001, Some(None)));
    assert_eq!(bench.clock.running(), Some(RIGHT));
}

#[test]
fn time_odds_give_each_player_his_own_times_wherever_he_sits() {
    let control = TimeControl {
        first: Some(SideTimes { base_ms: 360_000, increment_ms: 3_000 }),
        second: Some(SideTimes { base_ms: 240_000, increment_ms: 5_000 }),
        ..TimeControl::fischer(0, 0)
    };
    let setup = Setup { control, first_side: RIGHT, stop_button: StopButton::On };
    let mut bench = Bench::on(Clock::new(Settings { setup, ..crate::bench::settings() }, 0));
    assert_eq!(bench.times(), (240_000, 360_000));
    bench.button(0);
    bench.press(1_000, RIGHT);
    assert_eq!(bench.times().1, 362_000);
    bench.press(2_000, LEFT);
    assert_eq!(bench.times().0, 244_000);
}

#[test]
fn nothing_runs_and_nothing_falls_before_the_start_even_without_any_time() {
    let mut bench = Bench::under(TimeControl::fischer(0, 15_000));
    bench.run_to(3_600_000);
    assert_eq!((bench.clock.flag(), bench.clock.running(), bench.times()), (None, None, (0, 0)));
    assert_eq!(bench.events().len(), 1, "boot alone");
}

#[rstest]
#[case::with_an_increment_before_the_first_move(true, None, 15_000)]
#[case::without_there_is_no_time_for_it(false, Some(LEFT), 0)]
fn a_base_of_zero_lives_by_the_first_increment(
    #[case] increment_on_first_move: bool,
    #[case] flag: Option<Side>,
    #[case] left: i64,
) {
    let mut bench = Bench::under(TimeControl { increment_on_first_move, ..TimeControl::fischer(0, 15_000) });
    bench.button(1_000);
    let start = bench.reports.iter().find(|r| matches!(r.event, Some(ClockEvent::Start { .. }))).unwrap();
    assert_eq!((start.uptime_ms, start.left_ms, start.flag), (1_000, left, Some(None)));
    assert_eq!(bench.clock.flag(), flag);
}

#[test]
fn below_zero_leaves_the_millisecond_at_zero_to_the_player() {
    let control = TimeControl { flag_at: FlagAt::BelowZero, ..TimeControl::fischer(12_000, 15_000) };
    let mut bench = Bench::under(control);
    bench.button(0);
    bench.press(12_000, LEFT);
    assert_eq!((bench.clock.flag(), bench.times().0), (None, 15_000));
    let mut bench = Bench::under(control);
    bench.button(0);
    bench.press(12_001, LEFT);
    assert_eq!((bench.clock.flag(), bench.times().0), (Some(LEFT), 0));
}

#[test]
fn a_game_outlasts_a_counter_of_microseconds_that_wraps_at_71_minutes() {
    let mut uptime = flagfall_firmware::Uptime::new(1_000_000, 0);
    let mut counter = 0_u32;
    let mut bench = Bench::new();
    let mut side = LEFT;
    bench.button(uptime.now(counter));
    // 240 moves of 20 s each: 80 minutes, over the wrap.
    for _ in 0..240 {
        for _ in 0..20 {
            counter = counter.wrapping_add(1_000_000);
            bench.run_to(uptime.now(counter));
        }
        bench.press(uptime.of(counter), side);
        side = side.other();
    }
    assert_eq!(bench.counts(), (120, 120));
    let left = BASE - 120 * 5_000;
    assert_eq!(bench.clock.remaining_ms(RIGHT, bench.now), left);
    assert_eq!(bench.clock.flag(), None);
}
