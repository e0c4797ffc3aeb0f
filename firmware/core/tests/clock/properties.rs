//! What holds whatever anybody does to a clock.

use crate::any::{
    action, clock, command, control, drain, inputs, late, plain_control, punctual, setup, steps,
};
use crate::bench::{LEFT, RIGHT, settings};
use flagfall_clock::{Action, By, ClockCommand, ClockEvent, ClockReport, FlagAt, Player, SetTimes, Side};
use flagfall_firmware::{Clock, Input, Settings, Setup};
use proptest::prelude::*;

/// Reckons from report to report what a clock may say: an account of its own, which knows commands only as a desk does.
struct Account<'a> {
    setup: Setup,
    inputs: &'a [(u64, Input)],
    last: ClockReport,
    /// Times before the change that has not been answered yet.
    before_change: Option<[i64; 2]>,
}

const SIDES: [Side; 2] = [LEFT, RIGHT];

fn at_start(setup: &Setup) -> [i64; 2] {
    SIDES.map(|side| setup.control.at_start(Player::at(side, setup.first_side)))
}

impl<'a> Account<'a> {
    fn action(&self, number: u32) -> &'a Action {
        self.inputs
            .iter()
            .find_map(|(_, input)| match input {
                Input::Command(command) if command.command == number => Some(&command.action),
                _ => None,
            })
            .expect("an answer to a command that was sent")
    }

    fn next(&mut self, report: &ClockReport) {
        let last = &self.last;
        let passed = i64::try_from(report.uptime_ms - last.uptime_ms).expect("time does not go back");
        let mut expected = SIDES.map(|side| {
            let own = last.ms(side);
            if last.running == Some(side) { (own - passed).max(own.min(0)) } else { own }
        });
        let mut counts = SIDES.map(|side| last.presses(side));
        let mut running = last.running;
        let mut flag = last.flag.expect("it says");
        let place = |side| usize::from(side == RIGHT);
        let own = |setup: &Setup, side| setup.control.of(Player::at(side, setup.first_side));
        match report.event.as_ref() {
            None => {}
            Some(event) => match event {
                ClockEvent::Press { side } => {
                    assert_eq!(running, Some(*side), "only the side that runs can move");
                    if flag.is_none() {
                        assert!(expected[place(*side)] >= 0);
                        let at_zero = self.setup.control.flag_at == FlagAt::BelowZero;
                        assert!(expected[place(*side)] > 0 || at_zero, "a move without time");
                        expected[place(*side)] += i64::from(own(&self.setup, *side).increment_ms);
                    }
                    counts[place(*side)] += 1;
                    running = Some(side.other());
                }
                ClockEvent::Flag { side } => {
                    assert_eq!((running, flag), (Some(*side), None));
                    assert!(expected[place(*side)] <= 0);
                    flag = Some(*side);
                    if self.setup.control.freeze_on_flag {
                        running = None;
                    }
                }
                ClockEvent::Start { side, .. } => {
                    assert_eq!(running, None);
                    running = Some(*side);
                }
                ClockEvent::Resume { .. } => {
                    assert_eq!(running, None);
                    assert!(report.running.is_some());
                    running = report.running;
                }
                ClockEvent::Stop { .. } => {
                    assert!(running.is_some());
                    running = None;
                }
                ClockEvent::Over { .. } => running = None,
                ClockEvent::Adjust { .. } => {
                    assert_eq!(running, None);
                    self.before_change = Some(expected);
                    expected = SIDES.map(|side| report.ms(side));
                    counts = SIDES.map(|side| report.presses(side));
                }
                ClockEvent::Reset { by } => {
                    assert_eq!(running, None);
                    flag = None;
                    counts = [0, 0];
                    expected = if *by == By::Command {
                        // Under a control that the answer will name.
                        SIDES.map(|side| report.ms(side))
                    } else {
                        at_start(&self.setup)
                    };
                }
                ClockEvent::Done { command, ok: true, .. } => match self.action(*command) {
                    Action::Configure { time_control, first_side, stop_button } => {
                        self.setup = Setup {
                            control: *time_control,
                            first_side: *first_side,
                            stop_button: *stop_button,
                        };
                        assert_eq!(expected, at_start(&self.setup));
                    }
                    Action::Adjust { left_delta_ms, right_delta_ms } => {
                        let [left, right] = self.before_change.take().expect("its own event came before");
                        assert_eq!(expected, [left + left_delta_ms, right + right_delta_ms]);
                    }
                    Action::SetTimes(times) => assert_eq!(expected, [times.left_ms, times.right_ms]),
                    _ => {}
                },
                _ => {}
            },
        }
        assert_eq!(SIDES.map(|side| report.ms(side)), expected, "times at {report:?} after {last:?}");
        assert_eq!(SIDES.map(|side| report.presses(side)), counts);
        assert_eq!(report.running, running);
        assert_eq!(report.flag, Some(flag));
        self.last = report.clone();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Time is only ever what was granted, credited and adjusted, less what ran: to the millisecond, from each report to
    /// the next. At most one side runs, a flag stays, and after it nothing grows.
    #[test]
    fn the_reports_alone_give_the_whole_account(setup in setup(plain_control().boxed()), steps in steps(plain_control().boxed())) {
        let inputs = inputs(steps);
        let mut clock = clock(setup);
        let reports = punctual(&mut clock, &inputs);
        let mut account = Account { setup, inputs: &inputs, last: reports[0].clone(), before_change: None };
        for report in &reports[1..] {
            account.next(report);
        }
        // And the state after the last of them.
        let last = reports.last().unwrap();
        for side in SIDES {
            prop_assert_eq!(clock.remaining_ms(side, last.uptime_ms), last.ms(side));
            prop_assert_eq!(clock.presses(side), last.presses(side));
        }
        prop_assert_eq!(clock.running(), last.running);
        prop_assert_eq!(Some(clock.flag()), last.flag);
    }

    #[test]
    fn reports_are_numbered_without_holes(setup in setup(control().boxed()), steps in steps(control().boxed())) {
        let mut clock = clock(setup);
        let mut events = 0;
        for (place, report) in punctual(&mut clock, &inputs(steps)).iter().enumerate() {
            events += u32::from(report.event.is_some());
            prop_assert_eq!((report.seq, report.events), (place as u32 + 1, Some(events)));
        }
    }

    #[test]
    fn a_late_look_changes_nothing(setup in setup(control().boxed()), steps in steps(control().boxed())) {
        let inputs = inputs(steps);
        let (mut one, mut other) = (clock(setup), clock(setup));
        let (punctual, late) = (punctual(&mut one, &inputs), late(&mut other, &inputs));
        prop_assert_eq!(punctual, late);
        prop_assert_eq!(format!("{:?}", one.display(0)), format!("{:?}", other.display(0)));
    }

    /// Anything at any time, backwards too, from a link that is mad: no panic, no end of it, and it still answers.
    #[test]
    fn nothing_breaks_it(
        setup in setup(control().boxed()),
        steps in proptest::collection::vec((any::<u64>(), 0..4_u8, any::<bool>(), action(control().boxed())), 0..200),
        numbers in any::<[u32; 4]>(),
        hold_ms: u32,
        debounce_ms: u8,
        fetched: bool,
    ) {
        let mut clock = Clock::new(
            Settings { setup, hold_ms, reset_hold_ms: hold_ms, debounce_ms, ..settings() },
            0,
        );
        let mut reports = Vec::new();
        for (place, (at, kind, down, action)) in steps.into_iter().enumerate() {
            // Not the last of all times, after which nothing can be decided any more.
            let at = if down { at >> 19 } else { at % 1_000_000 };
            let input = match kind {
                0 => Input::Lever { side: LEFT, down },
                1 => Input::Lever { side: RIGHT, down },
                2 => Input::ArbiterKey { down },
                _ => {
                    let number = numbers[place % 4];
                    let replay = Action::Replay { boot: 3, from_seq: number };
                    Input::Command(command(number, if down { replay } else { action }))
                }
            };
            clock.input(at, input);
            let _ = clock.display(at);
            let _ = clock.saved(at).to_bytes();
            if fetched && place % 7 == 0 {
                drain(&mut clock, &mut reports);
            }
        }
        drain(&mut clock, &mut reports);
        clock.input(1 << 45, Input::Command(command(u32::MAX, Action::Describe)));
        clock.poll((1 << 45) + 1_000);
        prop_assert!(clock.next_report().is_some());
    }
}

/// What stands on a display: a delay beside a time in whole seconds.
fn on_display(clock: &Clock, at: u64) -> flagfall_firmware::Display {
    let mut display = clock.display(at);
    for beside in [&mut display.left_beside, &mut display.right_beside] {
        if let flagfall_firmware::Beside::DelayMs(ms) = beside {
            *ms = flagfall_firmware::shown_seconds(*ms);
        }
    }
    display
}

proptest! {
    /// A board that looks when it is told to misses nothing: until then all stays as it is.
    #[test]
    fn a_display_stays_as_it_is_until_the_clock_says(
        setup in (control(), any::<bool>()),
        times in (0..40_000_i64, 0..40_000_i64),
        shows in any::<[bool; 3]>(),
        looks in proptest::collection::vec(1..4_000_u64, 1..20),
    ) {
        let (control, right_first) = setup;
        let first_side = if right_first { RIGHT } else { LEFT };
        let settings = Settings { setup: Setup { control, first_side, ..Setup::default() }, ..settings() };
        let mut clock = Clock::new(settings, 0);
        let mut number = 0;
        let mut tell = |clock: &mut Clock, at, action| {
            number += 1;
            let command = ClockCommand { clock: "A01".parse().unwrap(), command: number, boot: 3, until_ms: u64::MAX, action };
            clock.input(at, Input::Command(command));
        };
        let [number_shown, found, runs] = shows;
        let set = SetTimes { left_ms: times.0, right_ms: times.1, left_presses: None, right_presses: None };
        tell(&mut clock, 0, Action::SetTimes(set));
        if number_shown { tell(&mut clock, 100, Action::Show { number: 7 }); }
        if found { tell(&mut clock, 300, Action::Identify); }
        if runs { tell(&mut clock, 700, Action::Start { side: first_side }); }
        let mut at = 1_000;
        for step in looks {
            clock.poll(at);
            let (shown, until) = (on_display(&clock, at), clock.display_changes_at(at));
            prop_assert!(until.is_none_or(|until| until > at));
            let due = clock.next_deadline();
            for later in at..(at + step).min(until.unwrap_or(u64::MAX)).min(due) {
                prop_assert_eq!(&on_display(&clock, later), &shown, "at {} of {:?}", later, until);
            }
            at += step;
        }
    }
}
