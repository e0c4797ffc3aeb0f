//! Kinds that give no lasting account: hourglass, per move, gong, counting up (rules 4, test case 41).

use crate::bench::{Bench, LEFT, RIGHT};
use flagfall_clock::{Action, ClockEvent, FlagAt, Kind, Refusal, SideTimes, TimeControl};
use flagfall_firmware::Mode;
use rstest::rstest;

fn odds(kind: Kind, first: u32, second: u32) -> TimeControl {
    TimeControl {
        second: Some(SideTimes { base_ms: second, increment_ms: 0 }),
        ..TimeControl::new(kind, first, 0)
    }
}

#[test]
fn rule_41_what_one_side_thinks_the_other_gets() {
    let mut bench = Bench::under(TimeControl::new(Kind::Hourglass, 60_000, 0));
    bench.begin(0);
    bench.run_to(7_000);
    assert_eq!(bench.times(), (53_000, 67_000), "continuously");
    assert_eq!(bench.plays(20_000), 40_000);
    assert_eq!(bench.last_event().right_ms, 80_000);
    assert_eq!(bench.plays(30_000), 50_000);
    assert_eq!(bench.last_event().left_ms, 70_000);
    let shown = bench.clock.display(bench.last_event().uptime_ms);
    assert_eq!((shown.left.as_str(), shown.right.as_str()), ("1:10", "0:50"));
}

#[rstest]
fn an_hourglass_that_has_run_out_stands(
    #[values(true, false)] freeze_on_flag: bool,
    #[values(FlagAt::Zero, FlagAt::BelowZero)] flag_at: FlagAt,
) {
    let control = TimeControl { freeze_on_flag, flag_at, ..TimeControl::new(Kind::Hourglass, 60_000, 0) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    bench.run_to(100_000);
    let falls = if flag_at == FlagAt::Zero { 60_000 } else { 60_001 };
    assert_eq!(bench.zeros(), [(falls, ClockEvent::Flag { side: LEFT })]);
    assert_eq!((bench.times(), bench.clock.running()), ((0, 120_000), None));
    assert_eq!(bench.clock.display(bench.now).mode, Mode::Flag);
    assert_eq!(bench.command(101_000, Action::Resume), Err(Refusal::Flag));
}

#[test]
fn a_stopped_hourglass_keeps_its_sand() {
    let mut bench = Bench::under(odds(Kind::Hourglass, 60_000, 30_000));
    bench.begin(0);
    bench.button(10_000);
    bench.run_to(500_000);
    assert_eq!(bench.times(), (50_000, 40_000));
    bench.command(501_000, Action::Adjust { left_delta_ms: -5_000, right_delta_ms: 1_000 }).unwrap();
    bench.command(502_000, Action::Resume).unwrap();
    bench.run_to(503_000);
    assert_eq!(bench.times(), (44_000, 42_000));
}

#[test]
fn each_move_has_its_own_time_the_first_one_too() {
    let mut bench = Bench::under(odds(Kind::PerMove, 60_000, 40_000));
    bench.begin(0);
    assert_eq!((bench.plays(59_999), bench.plays(39_999), bench.plays(110)), (60_000, 40_000, 60_000));
    bench.run_to(300_000);
    assert_eq!(bench.zeros(), [(59_999 + 39_999 + 110 + 40_000, ClockEvent::Flag { side: RIGHT })]);
}

#[test]
fn after_a_flag_no_move_has_new_time() {
    let control = TimeControl { freeze_on_flag: false, ..TimeControl::new(Kind::PerMove, 10_000, 0) };
    let mut bench = Bench::under(control);
    bench.begin(0);
    bench.run_to(11_000);
    bench.press(11_000, LEFT);
    bench.press(13_000, RIGHT);
    assert_eq!((bench.last_event().left_ms, bench.last_event().right_ms), (0, 8_000));
}

#[test]
fn a_gong_passes_the_turn_on_by_itself_and_presses_count_for_nothing() {
    let mut bench = Bench::under(odds(Kind::Gong, 10_000, 5_000));
    bench.begin(0);
    bench.hush();
    assert_eq!(bench.plays(3_000), 7_000);
    bench.press(4_000, RIGHT);
    assert_eq!(
        bench.said(),
        [ClockEvent::IgnoredPress { side: LEFT }, ClockEvent::IgnoredPress { side: RIGHT }]
    );
    bench.run_to(31_000);
    let period = |side| ClockEvent::Period { side };
    assert_eq!(
        bench.zeros(),
        [(10_000, period(LEFT)), (15_000, period(RIGHT)), (25_000, period(LEFT)), (30_000, period(RIGHT))]
    );
    assert_eq!((bench.counts(), bench.clock.flag(), bench.clock.running()), ((0, 0), None, Some(LEFT)));
    assert_eq!(bench.times(), (9_000, 5_000));
    let passed = bench.reports.iter().find(|report| report.event == Some(period(LEFT))).unwrap();
    assert_eq!((passed.left_ms, passed.right_ms, passed.running), (10_000, 5_000, Some(RIGHT)));
}

/// Nobody can be told of a thousand turns: the last ones are told, and the hole shows.
#[test]
fn a_gong_not_looked_at_for_ages_is_soon_up_to_date() {
    let mut bench = Bench::under(TimeControl::new(Kind::Gong, 10_000, 0));
    bench.begin(0);
    let last = bench.last().clone();
    bench.hush();
    // 10 000 turns and 4 s.
    bench.clock.poll(100_004_000);
    bench.collect();
    let events: Vec<_> = bench.reports.iter().filter(|report| report.event.is_some()).collect();
    let newest = events.last().unwrap();
    assert_eq!((newest.uptime_ms, newest.running), (100_000_000, Some(LEFT)));
    assert_eq!(newest.events, last.events.map(|events| events + 10_000));
    assert_eq!(events.len(), 64);
    assert_eq!(bench.clock.remaining_ms(LEFT, 100_004_000), 6_000);
}

#[test]
fn a_clock_that_counts_up_never_falls() {
    let mut bench = Bench::under(odds(Kind::UpCount, 0, 60_000));
    bench.begin(0);
    assert_eq!(bench.plays(20_000), 20_000);
    assert_eq!(bench.plays(5_000), 65_000);
    bench.run_to(10_000_000);
    assert_eq!((bench.times(), bench.clock.flag()), ((20_000 + 9_975_000, 65_000), None));
    assert_eq!(bench.clock.display(bench.now).left, "2:46:35");
    bench.run_to(1_000_000_000);
    assert_eq!(bench.times().0, flagfall_firmware::MAX_MS, "what can be shown and said");
}
