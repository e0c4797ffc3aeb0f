//! The flag: when it falls, and that nothing gets better after it (test cases 4, 5, 17, 45; field fault B1.1, .2, .6).

use crate::bench::{Bench, LEFT, RIGHT};
use flagfall_clock::{Action, ClockEvent, FlagAt, Refusal, Side, TimeControl};
use rstest::rstest;

fn twelve_seconds() -> TimeControl {
    TimeControl::fischer(12_000, 15_000)
}

#[rstest]
#[case::in_the_same_millisecond(12_000)]
#[case::a_millisecond_late(12_001)]
#[case::late(12_400)]
fn a_press_too_late_leaves_the_flag_at_its_instant(#[case] pressed: u64) {
    let mut bench = Bench::under(twelve_seconds());
    bench.button(0);
    bench.hush();
    bench.press(pressed, LEFT);
    let events: Vec<_> = bench.reports.iter().filter(|report| report.event.is_some()).collect();
    assert_eq!(events[0].event, Some(ClockEvent::Flag { side: LEFT }));
    assert_eq!((events[0].uptime_ms, events[0].left_ms, events[0].running), (12_000, 0, None));
    assert_eq!(events[1].event, Some(ClockEvent::IgnoredPress { side: LEFT }));
    assert_eq!((events[1].left_ms, events[1].left_presses, events[1].flag), (0, 0, Some(Some(LEFT))));
    assert_eq!(events.len(), 2);
}

#[test]
fn a_press_before_the_flag_counts_though_its_contact_settles_after() {
    let mut bench = Bench::under(twelve_seconds());
    bench.button(0);
    bench.hush();
    bench.hold(11_998, LEFT);
    bench.run_to(12_002);
    assert_eq!(bench.events(), [], "not decided yet");
    bench.run_to(12_010);
    assert_eq!(bench.events(), [ClockEvent::Press { side: LEFT }]);
    assert_eq!(bench.last_event().left_ms, 15_002);
}

#[test]
fn a_glitch_just_before_the_flag_does_not_move_it() {
    let mut bench = Bench::under(twelve_seconds());
    bench.button(0);
    bench.hush();
    bench.hold(11_998, LEFT);
    bench.let_go(12_000, LEFT);
    bench.run_to(12_100);
    assert_eq!(bench.events(), [ClockEvent::Flag { side: LEFT }]);
    assert_eq!(bench.last_event().uptime_ms, 12_000);
}

#[test]
fn the_other_side_keeps_what_it_had() {
    let mut bench = Bench::under(TimeControl::fischer(200_400, 0));
    bench.button(0);
    bench.run_to(3_600_000);
    assert_eq!(bench.times(), (0, 200_400));
    assert_eq!(bench.clock.flag(), Some(LEFT));
    let display = bench.clock.display(bench.now);
    assert_eq!((display.left.as_str(), display.right.as_str()), ("0:00", "3:21"));
    assert_eq!(display.flag, Some(LEFT));
}

#[test]
fn the_flag_stays_until_all_is_made_new() {
    let mut bench = Bench::under(twelve_seconds());
    bench.button(0);
    bench.run_to(13_000);
    bench.press(14_000, RIGHT);
    bench.button(15_000);
    bench.key(16_000, 100);
    assert_eq!(bench.command(17_000, Action::Resume), Err(Refusal::Flag));
    assert_eq!(bench.command(18_000, Action::Start { side: RIGHT }), Err(Refusal::Flag));
    assert_eq!((bench.clock.flag(), bench.clock.running()), (Some(LEFT), None));
    assert_eq!(bench.times(), (0, 12_000));
    bench.key(20_000, 5_100);
    assert_eq!((bench.clock.flag(), bench.times()), (None, (12_000, 12_000)));
    assert!(bench.events().contains(&ClockEvent::Reset { by: flagfall_clock::By::ArbiterKey }));
}

#[test]
fn without_freeze_the_turn_still_changes_but_nothing_is_credited_and_the_first_flag_stays() {
    let mut bench = Bench::under(TimeControl { freeze_on_flag: false, ..twelve_seconds() });
    bench.button(0);
    bench.run_to(13_000);
    assert_eq!(
        (bench.clock.flag(), bench.clock.running(), bench.times()),
        (Some(LEFT), Some(LEFT), (0, 12_000))
    );
    bench.press(14_000, LEFT);
    assert_eq!((bench.clock.running(), bench.counts()), (Some(RIGHT), (1, 0)));
    bench.press(16_000, RIGHT);
    assert_eq!(bench.times(), (0, 10_000), "no increment");
    bench.press(17_000, LEFT);
    bench.run_to(60_000);
    assert_eq!((bench.clock.flag(), bench.times()), (Some(LEFT), (0, 0)));
    let flags = bench.events().iter().filter(|event| matches!(event, ClockEvent::Flag { .. })).count();
    assert_eq!(flags, 1);
}

#[rstest]
#[case::exactly_the_five_minutes(300_000, 0)]
#[case::less_than_the_five_minutes(290_000, -10_000)]
fn a_deduction_below_zero_shows_in_full_and_falls_when_the_side_runs(#[case] had: u32, #[case] left: i64) {
    let mut bench = Bench::under(TimeControl::fischer(had + 500, 15_000));
    bench.button(0);
    bench.button(500);
    assert_eq!(bench.times().0, i64::from(had));
    bench.command(1_000, Action::Adjust { left_delta_ms: -300_000, right_delta_ms: 0 }).unwrap();
    bench.run_to(60_000);
    assert_eq!((bench.last().left_ms, bench.clock.flag()), (left, None));
    assert_eq!(bench.clock.display(bench.now).left, "0:00");
    bench.hush();
    bench.command(61_000, Action::Resume).unwrap();
    bench.collect();
    let mut said: Vec<_> =
        bench.reports.iter().map(|report| (report.uptime_ms, report.event.clone())).collect();
    said.retain(|(at, event)| *at == 61_000 && event.is_some());
    let by = flagfall_clock::By::Command;
    assert_eq!(
        said,
        [
            (61_000, Some(ClockEvent::Resume { by })),
            (61_000, Some(ClockEvent::Done { command: 2, ok: true, error: None })),
            (61_000, Some(ClockEvent::Flag { side: LEFT })),
        ]
    );
    assert_eq!(bench.times().0, left);
}

#[test]
fn a_turn_that_passes_to_a_side_without_time_ends_there() {
    let mut bench = Bench::under(TimeControl::fischer(60_000, 5_000));
    bench.command(100, Action::Adjust { left_delta_ms: 0, right_delta_ms: -60_000 }).unwrap();
    bench.command(200, Action::Start { side: LEFT }).unwrap();
    bench.press(5_200, LEFT);
    let events = bench.events();
    assert_eq!(
        events[events.len() - 2..],
        [ClockEvent::Press { side: LEFT }, ClockEvent::Flag { side: RIGHT }]
    );
    assert_eq!(bench.last_event().uptime_ms, 5_200);
}

#[rstest]
#[case(FlagAt::Zero, 12_000)]
#[case(FlagAt::BelowZero, 12_001)]
fn the_flag_has_its_own_instant_however_late_one_looks(#[case] flag_at: FlagAt, #[case] falls: u64) {
    let mut bench = Bench::under(TimeControl { flag_at, ..twelve_seconds() });
    bench.button(0);
    assert!(bench.clock.next_deadline() <= falls);
    bench.clock.poll(1_000_000);
    bench.collect();
    assert_eq!(bench.last_event().event, Some(ClockEvent::Flag { side: LEFT }));
    assert_eq!((bench.last_event().uptime_ms, bench.last_event().left_ms), (falls, 0));
}

#[rstest]
fn the_display_shows_no_time_exactly_when_none_is_left(#[values(LEFT, RIGHT)] side: Side) {
    let mut bench = Bench::under(TimeControl::fischer(3_000, 0));
    bench.command(0, Action::Start { side }).unwrap();
    for at in 0..4_000 {
        bench.run_to(at);
        let display = bench.clock.display(at);
        let shown = if side == LEFT { display.left } else { display.right };
        assert_eq!(shown == "0:00", display.flag == Some(side), "{shown} at {at}");
        assert_eq!(display.flag.is_some(), at >= 3_000);
    }
}

/// A status is due in each second of a side that runs, and so in the very millisecond of this flag.
#[test]
fn the_flag_comes_before_a_status_in_the_same_millisecond() {
    let mut bench = Bench::under(TimeControl::fischer(5_000, 0));
    bench.button(0);
    bench.run_to(5_000);
    let last = bench.reports.last().unwrap();
    assert_eq!((last.uptime_ms, &last.event), (5_000, &Some(ClockEvent::Flag { side: LEFT })));
    let told: Vec<_> = bench.reports.iter().map(|report| report.uptime_ms).collect();
    assert_eq!(told.iter().filter(|at| **at == 4_000).count(), 1, "{told:?}");
    assert_eq!(told.iter().filter(|at| **at == 5_000).count(), 1, "{told:?}");
}
