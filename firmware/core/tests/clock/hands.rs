//! What hands do: levers, the start/stop button, the arbiter's key (三(2); field fault B1.15, .17).

use crate::bench::{BASE, Bench, LEFT, RIGHT, settings};
use flagfall_clock::ClockEvent::{self, IgnoredPress, IgnoredStop, Press, Ready, Reset, Resume, Start, Stop};
use flagfall_clock::{Action, By, Side, StopButton};
use flagfall_firmware::{Input, Settings, Setup};
use rstest::rstest;

fn with_button(stop_button: StopButton) -> Bench {
    let mut bench = Bench::with(Settings { setup: Setup { stop_button, ..Setup::default() }, ..settings() });
    bench.hush();
    bench
}

#[rstest]
fn the_second_player_says_that_he_is_there_and_then_starts_the_first(
    #[values(LEFT, RIGHT)] first_side: Side,
) {
    let mut bench = Bench::with(Settings { setup: Setup { first_side, ..Setup::default() }, ..settings() });
    bench.hush();
    let second = first_side.other();
    bench.press(1_000, first_side);
    bench.press(2_000, first_side);
    bench.press(3_000, second);
    assert_eq!(
        bench.said(),
        [Ready { side: first_side }, Ready { side: first_side }, Ready { side: second }]
    );
    assert_eq!(bench.clock.running(), None);
    bench.press(4_000, second);
    assert_eq!(bench.said(), [Start { side: first_side, by: By::Button }]);
    assert_eq!(
        (bench.clock.running(), bench.counts(), bench.times().0.max(bench.times().1)),
        (Some(first_side), (0, 0), BASE)
    );
}

#[test]
fn readiness_is_forgotten_when_all_is_made_new() {
    let mut bench = Bench::new();
    bench.press(1_000, RIGHT);
    bench
        .command(
            2_000,
            Action::Configure {
                time_control: flagfall_clock::TimeControl::fischer(3_000_000, 15_000),
                first_side: LEFT,
                stop_button: StopButton::On,
            },
        )
        .unwrap();
    bench.hush();
    bench.press(3_000, RIGHT);
    assert_eq!(bench.said(), [Ready { side: RIGHT }]);
}

#[test]
fn a_press_of_the_side_that_does_not_run_has_no_effect() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.hush();
    bench.press(5_000, RIGHT);
    assert_eq!(bench.said(), [IgnoredPress { side: RIGHT }]);
    assert_eq!((bench.clock.running(), bench.counts(), bench.times().1), (Some(LEFT), (0, 0), BASE));
}

#[test]
fn a_press_while_stopped_is_told_but_no_move_and_no_increment() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.button(10_000);
    bench.hush();
    bench.press(20_000, LEFT);
    bench.press(21_000, RIGHT);
    assert_eq!(bench.said(), [IgnoredPress { side: LEFT }, IgnoredPress { side: RIGHT }]);
    assert_eq!((bench.times(), bench.counts()), ((BASE - 10_000, BASE), (0, 0)));
}

#[test]
fn time_stops_when_the_lever_goes_down_not_when_it_comes_up() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.hold(10_000, LEFT);
    bench.let_go(10_400, LEFT);
    bench.run_to(10_500);
    assert_eq!(bench.times(), (BASE - 10_000 + 15_000, BASE - 500));
}

#[test]
fn a_bouncing_press_is_one_press_from_its_first_edge_and_a_glitch_is_none() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.hush();
    // A spark on the other lever a little before: it must not delay or undo anything.
    bench.hold(9_999, RIGHT);
    for edge in 0..12_u64 {
        if edge == 7 {
            bench.let_go(10_001, RIGHT);
        }
        bench.input(10_000 + edge / 4, Input::Lever { side: LEFT, down: edge % 2 == 0 });
    }
    bench.hold(10_003, LEFT);
    bench.run_to(10_300);
    let press = bench.last_event();
    assert_eq!((press.uptime_ms, press.left_ms, press.right_ms), (10_000, BASE + 5_000, BASE));
    assert_eq!(bench.said(), [Press { side: LEFT }]);
}

#[test]
fn what_comes_while_a_contact_bounces_waits_for_it() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.run_to(10_000);
    bench.hush();
    bench.hold(10_000, LEFT);
    let command = flagfall_clock::ClockCommand {
        clock: "A01".parse().unwrap(),
        command: 9,
        boot: 3,
        until_ms: 20_000,
        action: Action::Stop,
    };
    bench.input(10_002, Input::Command(command));
    assert_eq!(bench.events(), []);
    bench.run_to(10_006);
    let at: Vec<_> = bench.reports.iter().map(|report| report.uptime_ms).collect();
    assert_eq!(at, [10_000, 10_002, 10_002]);
    assert_eq!(bench.said()[..2], [Press { side: LEFT }, Stop { by: By::Command }]);
    assert_eq!(bench.times().1, BASE - 2);
}

#[test]
fn commands_that_come_within_a_bounce_overtake_no_hand() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.hush();
    bench.hold(10_000, LEFT);
    for number in 1..=40 {
        let action = Action::Describe;
        let command = flagfall_clock::ClockCommand {
            clock: "A01".parse().unwrap(),
            command: number,
            boot: 3,
            until_ms: 20_000,
            action,
        };
        bench.input(10_001, Input::Command(command));
    }
    bench.run_to(10_100);
    let events = bench.said();
    // Two have room until the edge is decided; the others are not answered, and whoever sent them says them again.
    assert_eq!(events.iter().filter(|e| matches!(e, ClockEvent::Done { ok: true, .. })).count(), 2);
    assert_eq!(events.iter().filter(|e| matches!(e, Press { .. })).count(), 1);
}

#[test]
fn the_stop_button_stops_and_the_same_side_runs_on() {
    let mut bench = with_button(StopButton::On);
    bench.button(0);
    bench.press(5_000, LEFT);
    bench.button(8_000);
    assert_eq!(bench.last_event().stopped_by, Some(By::Button));
    bench.run_to(600_000);
    assert_eq!(bench.times(), (BASE + 10_000, BASE - 3_000));
    bench.button(608_000);
    assert_eq!(bench.clock.running(), Some(RIGHT));
    assert_eq!(
        bench.said(),
        [
            Start { side: LEFT, by: By::Button },
            Press { side: LEFT },
            Stop { by: By::Button },
            Resume { by: By::Button },
        ]
    );
    assert_eq!(bench.counts(), (1, 0));
}

#[rstest]
#[case::off(StopButton::Off, false)]
#[case::end_only(StopButton::EndOnly, true)]
fn a_stop_button_that_is_not_on_stops_nothing(#[case] stop_button: StopButton, #[case] told: bool) {
    let mut bench = with_button(stop_button);
    let expected = |events: Vec<ClockEvent>| {
        assert_eq!(events, if told { vec![IgnoredStop] } else { vec![] });
    };
    bench.button(100);
    expected(bench.said());
    bench.key(1_000, 100);
    bench.hush();
    bench.button(5_000);
    expected(bench.said());
    assert_eq!(bench.clock.running(), Some(LEFT));
    bench.key(6_000, 100);
    bench.hush();
    bench.button(7_000);
    expected(bench.said());
    assert_eq!(bench.clock.running(), None);
}

#[test]
fn the_arbiters_key_stops_when_it_goes_down_and_resumes_when_it_comes_up() {
    let mut bench = Bench::new();
    bench.hush();
    bench.key(1_000, 200);
    assert_eq!(
        (bench.last_event().uptime_ms, bench.said()),
        (1_200, vec![Start { side: LEFT, by: By::ArbiterKey }])
    );
    bench.key(2_000, 6_000);
    assert_eq!((bench.last_event().uptime_ms, bench.said()), (2_000, vec![Stop { by: By::ArbiterKey }]));
    assert_eq!(bench.times().0, BASE - 800, "a long hold that stopped the clock does not make it new");
    bench.key(9_000, 300);
    assert_eq!((bench.last_event().uptime_ms, bench.said()), (9_300, vec![Resume { by: By::ArbiterKey }]));
}

#[rstest]
#[case::a_little_too_short(4_999, Resume { by: By::ArbiterKey })]
#[case::long_enough(5_000, Reset { by: By::ArbiterKey })]
fn the_key_held_5_s_on_a_stopped_clock_makes_all_new(#[case] held: u64, #[case] event: ClockEvent) {
    let mut bench = Bench::new();
    bench.button(0);
    bench.button(10_000);
    bench.hush();
    bench.key(20_000, held);
    assert_eq!(bench.last_event().event.as_ref(), Some(&event));
    assert_eq!(bench.said(), [event]);
    assert_eq!(bench.clock.is_idle(), held >= 5_000);
}

#[test]
fn a_low_battery_is_told_once_and_again_only_after_it_was_well() {
    let mut bench = Bench::new();
    bench.hush();
    for (at, percent) in
        [(1, 40), (2, 15), (3, 14), (4, 15), (5, 14), (6, 19), (7, 13), (8, 20), (9, 14), (10, 255)]
    {
        bench.input(at, Input::Battery(percent));
    }
    let told: Vec<_> = bench.reports.iter().map(|report| (report.uptime_ms, report.battery_pct)).collect();
    assert_eq!(told, [(3, Some(14)), (9, Some(14))]);
    bench.run_to(20_000);
    assert_eq!(bench.last().battery_pct, Some(100));
}
