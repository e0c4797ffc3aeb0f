//! The end of a game at the clock: both levers held, and what the players say the result is.

use crate::bench::{BASE, Bench, LEFT, RIGHT, settings};
use flagfall_clock::ClockEvent::{IgnoredPress, Over, Press, Ready};
use flagfall_clock::{Action, By, Claim, Side, StopButton};
use flagfall_firmware::{Mode, Settings, Setup};
use rstest::rstest;

/// In a game, both hold from 10 s on; the clock stops at 12.05 s.
fn over(first_side: Side, stop_button: StopButton) -> Bench {
    let setup = Setup { first_side, stop_button, ..Setup::default() };
    let mut bench = Bench::with(Settings { setup, ..settings() });
    bench.command(0, Action::Start { side: LEFT }).unwrap();
    bench.hold(10_000, RIGHT);
    bench.hold(10_050, LEFT);
    bench.run_to(12_049);
    assert!(!bench.clock.is_over());
    bench.run_to(13_000);
    bench.let_go(13_000, LEFT);
    bench.let_go(13_400, RIGHT);
    bench.run_to(13_500);
    bench
}

#[rstest]
fn both_levers_held_2_s_stop_the_clock(
    #[values(StopButton::On, StopButton::Off, StopButton::EndOnly)] stop_button: StopButton,
) {
    let bench = over(LEFT, stop_button);
    let event = bench.last_event();
    assert_eq!(event.event, Some(Over { claim: None, agreed: true }));
    assert_eq!((event.uptime_ms, event.running, event.stopped_by), (12_050, None, Some(By::Button)));
    assert_eq!(bench.times(), (BASE - 10_050 + 15_000, BASE - 2_000), "the press that began it is a press");
    assert_eq!(bench.clock.display(bench.now).mode, Mode::Over);
}

#[rstest]
#[case::left_did_not_win(&[LEFT], Some(Claim::Second))]
#[case::right_did_not_win(&[RIGHT], Some(Claim::First))]
#[case::neither_won(&[RIGHT, LEFT], Some(Claim::Draw))]
#[case::a_slip_taken_back(&[LEFT, LEFT, RIGHT], Some(Claim::First))]
#[case::all_taken_back(&[LEFT, LEFT], None)]
#[case::nobody_says(&[], None)]
fn who_did_not_win_says_so_with_his_own_lever(#[case] presses: &[Side], #[case] claim: Option<Claim>) {
    for first_side in [LEFT, RIGHT] {
        let mut bench = over(first_side, StopButton::On);
        bench.hush();
        let mut at = 14_000;
        for side in presses {
            bench.press(at, *side);
            at += 1_000;
        }
        let claim = match claim {
            Some(Claim::First) if first_side == RIGHT => Some(Claim::Second),
            Some(Claim::Second) if first_side == RIGHT => Some(Claim::First),
            other => other,
        };
        assert_eq!(bench.clock.claim(), claim);
        assert_eq!(bench.events(), [], "not before it is settled");
        bench.run_to(at + 10_000);
        let told = claim.map(|_| Over { claim, agreed: true });
        assert_eq!(bench.said(), told.into_iter().collect::<Vec<_>>());
        bench.press(at + 20_000, LEFT);
        assert_eq!(bench.said(), [IgnoredPress { side: LEFT }], "settled: no more claims");
    }
}

#[test]
fn the_display_shows_what_it_understood() {
    let mut bench = over(RIGHT, StopButton::On);
    bench.press(14_000, LEFT);
    let display = bench.clock.display(bench.now);
    assert_eq!((display.left.as_str(), display.right.as_str()), ("0", "1"));
    bench.press(15_000, RIGHT);
    let display = bench.clock.display(bench.now);
    assert_eq!((display.left.as_str(), display.right.as_str()), ("1/2", "1/2"));
}

#[test]
fn a_short_common_press_ends_nothing() {
    let mut bench = Bench::new();
    bench.command(0, Action::Start { side: LEFT }).unwrap();
    bench.hush();
    bench.hold(10_000, LEFT);
    bench.hold(10_500, RIGHT);
    bench.let_go(12_499, LEFT);
    bench.let_go(12_600, RIGHT);
    bench.run_to(20_000);
    assert_eq!(bench.said(), [Press { side: LEFT }, Press { side: RIGHT }]);
    assert!(bench.clock.running().is_some());
}

#[test]
fn before_the_start_there_is_nothing_to_end_also_where_the_levers_are_held_over_it() {
    let mut bench = Bench::new();
    bench.hush();
    bench.hold(1_000, LEFT);
    bench.hold(1_000, RIGHT);
    bench.run_to(10_000);
    assert_eq!(bench.said(), [Ready { side: LEFT }, Ready { side: RIGHT }]);
    bench.command(11_000, Action::Start { side: LEFT }).unwrap();
    bench.run_to(20_000);
    assert!(!bench.clock.is_over());
}

#[test]
fn a_hold_begun_on_a_stopped_clock_does_not_end_the_game_that_goes_on() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.button(5_000);
    bench.hold(10_000, LEFT);
    bench.hold(10_000, RIGHT);
    bench.command(11_000, Action::Resume).unwrap();
    bench.run_to(20_000);
    assert_eq!((bench.clock.is_over(), bench.clock.running()), (false, Some(LEFT)));
}

#[test]
fn a_game_is_ended_once() {
    let mut bench = over(LEFT, StopButton::On);
    bench.run_to(30_000);
    bench.hush();
    bench.hold(30_000, LEFT);
    bench.hold(30_000, RIGHT);
    bench.run_to(40_000);
    assert_eq!(bench.said(), [IgnoredPress { side: LEFT }, IgnoredPress { side: RIGHT }]);
}

#[test]
fn a_game_that_stands_can_be_ended_too() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.button(5_000);
    bench.hold(10_000, LEFT);
    bench.hold(10_100, RIGHT);
    bench.run_to(13_000);
    assert_eq!(bench.last_event().event, Some(Over { claim: None, agreed: true }));
    assert_eq!(bench.last_event().uptime_ms, 12_100);
}

#[test]
fn only_an_arbiter_lets_an_ended_game_go_on() {
    let mut bench = over(LEFT, StopButton::On);
    bench.button(40_000);
    assert_eq!(bench.clock.running(), None);
    bench.key(50_000, 100);
    assert_eq!((bench.clock.running(), bench.clock.is_over()), (Some(RIGHT), false));
    let mut bench = over(LEFT, StopButton::On);
    bench.command(40_000, Action::Resume).unwrap();
    assert_eq!((bench.clock.running(), bench.clock.is_over()), (Some(RIGHT), false));
    bench.run_to(60_000);
    assert_eq!(bench.clock.running(), Some(RIGHT));
}
