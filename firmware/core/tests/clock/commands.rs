//! Commands: numbers, ends, refusals, effects.

use crate::bench::{BASE, Bench, LEFT, MINUTE, RIGHT, settings};
use flagfall_clock::ClockEvent::{self, Adjust, Done, Resume, Start};
use flagfall_clock::{Action, By, Can, ClockCommand, Refusal, SetTimes, StopButton, TimeControl};
use flagfall_firmware::{Input, MAX_MS, Mode, Settings};
use rstest::rstest;

fn configure(base_ms: u32, increment_ms: u32) -> Action {
    Action::Configure {
        time_control: TimeControl::fischer(base_ms, increment_ms),
        first_side: RIGHT,
        stop_button: StopButton::EndOnly,
    }
}

fn times(left_ms: i64, right_ms: i64, presses: Option<(u32, u32)>) -> Action {
    let (left_presses, right_presses) = (presses.map(|p| p.0), presses.map(|p| p.1));
    Action::SetTimes(SetTimes { left_ms, right_ms, left_presses, right_presses })
}

fn numbered(command: u32, boot: u32, until_ms: u64, action: Action) -> ClockCommand {
    ClockCommand { clock: "A01".parse().unwrap(), command, boot, until_ms, action }
}

fn running() -> Bench {
    let mut bench = Bench::new();
    bench.command(0, Action::Start { side: LEFT }).unwrap();
    bench
}

fn stopped() -> Bench {
    let mut bench = running();
    bench.command(10_000, Action::Stop).unwrap();
    bench
}

fn fallen() -> Bench {
    let mut bench = running();
    bench.run_to(3_000_000);
    bench
}

#[rstest]
#[case::configure(configure(60_000, 0), [Ok(()), Err(Refusal::InGame), Ok(()), Ok(())])]
#[case::set_times(times(1, 2, None), [Ok(()), Err(Refusal::Running), Ok(()), Ok(())])]
#[case::adjust(Action::Adjust { left_delta_ms: 1, right_delta_ms: 0 }, [Ok(()), Err(Refusal::Running), Ok(()), Ok(())])]
#[case::start(Action::Start { side: RIGHT }, [Ok(()), Err(Refusal::Running), Ok(()), Err(Refusal::Flag)])]
#[case::stop(Action::Stop, [Err(Refusal::Stopped), Ok(()), Err(Refusal::Stopped), Err(Refusal::Stopped)])]
#[case::resume(Action::Resume, [Err(Refusal::Stopped), Err(Refusal::Running), Ok(()), Err(Refusal::Flag)])]
#[case::identify(Action::Identify, [Ok(()), Err(Refusal::Running), Ok(()), Ok(())])]
#[case::show(Action::Show { number: 12 }, [Ok(()), Err(Refusal::Running), Ok(()), Ok(())])]
#[case::describe(Action::Describe, [Ok(()); 4])]
#[case::replay(Action::Replay { boot: 3, from_seq: 1 }, [Ok(()); 4])]
fn each_command_in_each_state(#[case] action: Action, #[case] answers: [Result<(), Refusal>; 4]) {
    for (mut bench, answer) in [Bench::new(), running(), stopped(), fallen()].into_iter().zip(answers) {
        let before = bench.clock.clone();
        let at = bench.now + 100;
        assert_eq!(bench.command(at, action.clone()), answer, "{action:?}");
        if answer.is_err() {
            for side in [LEFT, RIGHT] {
                assert_eq!(bench.clock.remaining_ms(side, at), before.remaining_ms(side, at));
                assert_eq!(bench.clock.presses(side), before.presses(side));
            }
            assert_eq!((bench.clock.running(), bench.clock.flag()), (before.running(), before.flag()));
        }
    }
}

#[test]
fn the_effects_own_event_comes_before_the_answer() {
    let mut bench = Bench::new();
    bench.hush();
    bench.command(100, Action::Start { side: RIGHT }).unwrap();
    assert_eq!(
        bench.said(),
        [Start { side: RIGHT, by: By::Command }, Done { command: 1, ok: true, error: None },]
    );
}

#[test]
fn configure_makes_all_as_new() {
    let mut bench = fallen();
    bench.command(3_001_000, configure(90_000, 5_000)).unwrap();
    assert_eq!((bench.times(), bench.counts(), bench.clock.flag()), ((90_000, 90_000), (0, 0), None));
    assert!(bench.clock.is_idle());
    assert_eq!(
        (bench.clock.setup().first_side, bench.clock.setup().stop_button),
        (RIGHT, StopButton::EndOnly)
    );
    assert!(bench.events().contains(&ClockEvent::Reset { by: By::Command }));
}

#[test]
fn a_clock_its_players_stopped_can_be_set_for_the_next_round() {
    let mut bench = running();
    bench.button(1_000_000);
    assert_eq!(bench.command(2_000_000, configure(3_000_000, 15_000)), Ok(()));
}

#[rstest]
#[case::base(configure(u32::MAX, 0))]
#[case::increment(configure(0, 360_000_000))]
#[case::more_than_a_display_has(times(MAX_MS + 1, 0, None))]
#[case::less_than_ever_owed(times(0, -MAX_MS - 1, None))]
#[case::sum(Action::Adjust { left_delta_ms: i64::MAX, right_delta_ms: 0 })]
#[case::difference(Action::Adjust { left_delta_ms: 0, right_delta_ms: i64::MIN })]
#[case::number(Action::Show { number: 10_000 })]
fn what_no_clock_can_show_is_out_of_range(#[case] action: Action) {
    let mut bench = Bench::new();
    assert_eq!(bench.command(100, action), Err(Refusal::Range));
    assert_eq!(bench.times(), (BASE, BASE));
}

#[test]
fn times_are_set_and_adjusted_on_a_clock_that_stands() {
    let mut bench = stopped();
    bench.command(11_000, times(12 * MINUTE, -10_000, None)).unwrap();
    assert_eq!((bench.times(), bench.counts()), ((12 * MINUTE, -10_000), (0, 0)));
    bench.command(12_000, Action::Adjust { left_delta_ms: -5 * MINUTE, right_delta_ms: 20_000 }).unwrap();
    assert_eq!(bench.times(), (7 * MINUTE, 10_000));
    let adjusts = bench.events().iter().filter(|event| **event == Adjust { by: By::Command }).count();
    assert_eq!(adjusts, 2);
}

#[test]
fn a_start_in_a_game_that_has_begun_says_which_side_runs_on() {
    let mut bench = stopped();
    bench.command(20_000, Action::Start { side: RIGHT }).unwrap();
    assert_eq!(bench.clock.running(), Some(RIGHT));
    assert!(bench.events().contains(&Resume { by: By::Command }));
    assert_eq!(bench.counts(), (0, 0));
}

#[rstest]
#[case::first_to_move((7, 7), LEFT)]
#[case::second_to_move((8, 7), RIGHT)]
fn a_game_carried_over_from_another_clock_can_be_resumed(
    #[case] counts: (u32, u32),
    #[case] side: flagfall_clock::Side,
) {
    let mut bench = Bench::new();
    bench.command(100, times(600_000, 700_000, Some(counts))).unwrap();
    assert!(!bench.clock.is_idle());
    bench.press(200, RIGHT);
    bench.press(400, RIGHT);
    assert_eq!(bench.clock.running(), None, "its players do not start it");
    bench.command(1_000, Action::Resume).unwrap();
    assert_eq!((bench.clock.running(), bench.counts()), (Some(side), counts));
}

#[test]
fn a_command_is_carried_out_once_and_answered_each_time() {
    let mut bench = stopped();
    bench.hush();
    let adjust = numbered(50, 3, 60_000, Action::Adjust { left_delta_ms: -300_000, right_delta_ms: 0 });
    bench.send(20_000, adjust.clone()).unwrap();
    let first = bench.last().clone();
    bench.hush();
    for at in [21_000, 22_000, 90_000] {
        bench.send(at, adjust.clone()).unwrap();
        assert_eq!(bench.last(), &first, "as first sent");
    }
    assert_eq!(bench.times().0, BASE - 10_000 - 300_000);
    assert!(bench.events().iter().all(|event| matches!(event, Done { command: 50, .. })));
}

#[test]
fn an_answer_that_is_no_longer_among_the_events_is_given_anew() {
    let mut bench = stopped();
    bench.send(20_000, numbered(50, 3, 60_000, Action::Describe)).unwrap();
    let first = bench.last().seq;
    for at in 0..70 {
        bench.press(21_000 + at * 1_000, LEFT);
    }
    bench.send(100_000, numbered(50, 3, 60_000, Action::Describe)).unwrap();
    assert!(bench.last().seq > first);
    let again = bench.last().seq;
    bench.send(101_000, numbered(50, 3, 60_000, Action::Describe)).unwrap();
    assert_eq!(bench.last().seq, again);
}

#[test]
fn the_last_eight_answers_are_kept_refusals_too() {
    let mut bench = Bench::new();
    for number in 1..=9 {
        let expected = if number % 2 == 0 { Err(Refusal::Stopped) } else { Ok(()) };
        let action = if number % 2 == 0 { Action::Stop } else { Action::Describe };
        assert_eq!(bench.send(u64::from(number), numbered(number, 3, 99, action)), expected);
    }
    assert_eq!(bench.send(20, numbered(2, 3, 99, Action::Stop)), Err(Refusal::Stopped));
    assert_eq!(bench.send(21, numbered(1, 3, 99, Action::Describe)), Err(Refusal::Gone));
    assert_eq!(bench.send(22, numbered(0, 3, 99, Action::Describe)), Err(Refusal::Gone));
    bench.send(23, numbered(20, 3, 99, Action::Describe)).unwrap();
    assert_eq!(bench.send(24, numbered(15, 3, 99, Action::Describe)), Err(Refusal::Gone), "overtaken");
}

#[test]
fn a_command_for_another_time_is_not_carried_out() {
    let mut bench = running();
    assert_eq!(bench.send(5_000, numbered(60, 3, 4_999, Action::Stop)), Err(Refusal::Expired));
    assert_eq!(bench.send(5_000, numbered(u32::MAX, 2, 9_000, Action::Stop)), Err(Refusal::Boot));
    assert_eq!(bench.clock.running(), Some(LEFT));
    assert_eq!(bench.send(5_000, numbered(61, 3, 5_000, Action::Stop)), Ok(()), "in its last millisecond");
}

#[test]
fn another_clocks_command_is_none_of_ours() {
    let mut bench = running();
    bench.hush();
    let command = ClockCommand { clock: "A02".parse().unwrap(), ..numbered(70, 3, 9_000, Action::Stop) };
    bench.input(500, Input::Command(command));
    assert_eq!((bench.events(), bench.clock.running()), (vec![], Some(LEFT)));
}

#[test]
fn what_it_cannot_do_it_says() {
    let can = Can::none().with("stop").with("describe");
    let mut bench = Bench::with(Settings { can, ..settings() });
    assert_eq!(bench.command(100, Action::Start { side: LEFT }), Err(Refusal::Unable));
    assert_eq!(bench.command(200, Action::Describe), Ok(()));
    let about = bench.events().into_iter().find_map(|event| match event {
        ClockEvent::About(about) => Some(about),
        _ => None,
    });
    assert_eq!(about.unwrap().can, Some(can));
}

#[test]
fn identify_blinks_for_10_s_and_a_number_shows_where_nothing_runs() {
    let mut bench = Bench::new();
    bench.command(1_000, Action::Identify).unwrap();
    let dark = |bench: &Bench, at| bench.clock.display(at).blank;
    let blinks = (1_000..11_000).filter(|at| dark(&bench, *at)).count();
    assert_eq!(blinks, 5_000, "half of the time");
    bench.run_to(11_000);
    assert!((11_000..20_000).all(|at| !dark(&bench, at)));
    bench.command(20_000, Action::Show { number: 12 }).unwrap();
    assert_eq!(bench.clock.display(20_000).number, Some(12));
    assert_eq!(bench.clock.display(23_000).number, None, "times and number take turns");
    assert_eq!(bench.clock.display(26_000).number, Some(12));
    bench.command(30_000, Action::Start { side: LEFT }).unwrap();
    let display = bench.clock.display(32_000);
    assert_eq!((display.number, display.mode, display.running), (None, Mode::Running, Some(LEFT)));
}
