//! Anything that anybody may do to a clock under any control.

use crate::bench::{LEFT, RIGHT, settings};
use flagfall_clock::{
    Action, ClockCommand, ClockReport, FlagAt, Kind, Period, Periods, PeriodsAt, SetTimes, Side, SideTimes,
    StopButton, TimeControl,
};
use flagfall_firmware::{Clock, Input, Settings, Setup};
use proptest::prelude::*;

pub fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(LEFT), Just(RIGHT)]
}

/// Base, increment, odds and flag as the first clocks knew them.
pub fn plain_control() -> impl Strategy<Value = TimeControl> {
    let times = || (prop_oneof![Just(0), 0..60_000_u32, Just(3_000_000)], 0..20_000_u32);
    (times(), any::<[bool; 3]>(), proptest::option::of(times())).prop_map(
        |(both, [first, below, freeze], odds)| TimeControl {
            increment_on_first_move: first,
            flag_at: if below { FlagAt::BelowZero } else { FlagAt::Zero },
            freeze_on_flag: freeze,
            second: odds.map(|(base_ms, increment_ms)| SideTimes { base_ms, increment_ms }),
            ..TimeControl::fischer(both.0, both.1)
        },
    )
}

/// Any control that a clock can play, with times short enough for everything to happen.
pub fn control() -> impl Strategy<Value = TimeControl> {
    let period = (1..4_u16, prop_oneof![Just(0), 0..5_000_u32], 0..5_000_u32)
        .prop_map(|(moves, base_ms, increment_ms)| Period { moves, base_ms, increment_ms });
    let periods = (
        1..4_u16,
        prop_oneof![Just(vec![]), proptest::collection::vec(period, 1..5)],
        any::<bool>(),
        prop_oneof![2 => Just(0), 1 => Just(1), 1 => Just(2)],
    );
    let overtime = (proptest::option::of(0..30_000_u32), 1..6_000_u32, 1..4_u16);
    (plain_control(), proptest::sample::select(Kind::ALL.to_vec()), overtime, periods).prop_map(
        |(plain, kind, (cap_ms, overtime_ms, overtime_count), (moves, mut periods, at_zero, last))| {
            let many = matches!(kind, Kind::Fischer | Kind::SuddenDeath | Kind::Bronstein | Kind::Delay);
            if !many {
                periods.clear();
            }
            if let (Some(period), 0) = (periods.last_mut(), last) {
                period.moves = 0;
            }
            let mut control = TimeControl {
                kind,
                cap_ms,
                overtime_ms,
                overtime_count,
                moves,
                periods: Periods::of(&periods).unwrap(),
                periods_at: if at_zero { PeriodsAt::Zero } else { PeriodsAt::Moves },
                repeat: last == 1 && !periods.is_empty() && !at_zero,
                ..plain
            };
            if kind == Kind::Gong {
                // Nobody fetches more than 64 events of one look.
                control.base_ms = control.base_ms.max(500);
                control.second = control.second.map(|own| SideTimes { base_ms: own.base_ms.max(500), ..own });
            }
            assert!(Setup { control, ..Setup::default() }.in_range(), "{control:?}");
            control
        },
    )
}

fn stop_button() -> impl Strategy<Value = StopButton> {
    prop_oneof![3 => Just(StopButton::On), 1 => Just(StopButton::Off), 1 => Just(StopButton::EndOnly)]
}

pub fn action(control: BoxedStrategy<TimeControl>) -> impl Strategy<Value = Action> {
    let ms = || -400_000..400_000_i64;
    prop_oneof![
        1 => (control, side(), stop_button()).prop_map(|(time_control, first_side, stop_button)| {
            Action::Configure { time_control, first_side, stop_button }
        }),
        1 => (ms(), ms(), proptest::option::of(0..50_u32)).prop_map(|(left_ms, right_ms, presses)| {
            Action::SetTimes(SetTimes { left_ms, right_ms, left_presses: presses, right_presses: presses })
        }),
        2 => (ms(), ms()).prop_map(|(left_delta_ms, right_delta_ms)| Action::Adjust { left_delta_ms, right_delta_ms }),
        4 => side().prop_map(|side| Action::Start { side }),
        2 => Just(Action::Stop),
        4 => Just(Action::Resume),
        1 => Just(Action::Identify),
        1 => any::<u16>().prop_map(|number| Action::Show { number }),
        1 => Just(Action::Describe),
        1 => (0..50_u32).prop_map(|seq| Action::Ack { boot: 3, seq }),
    ]
}

#[derive(Clone, Debug)]
pub enum Step {
    /// Presses a lever and lets go after so long.
    Press(Side, u64),
    Edge(u8, bool),
    Act(Action),
    Battery(u8),
}

/// A step and how long after the one before.
pub fn steps(control: BoxedStrategy<TimeControl>) -> impl Strategy<Value = Vec<(u64, Step)>> {
    let step = prop_oneof![
        10 => (side(), 1..600_u64).prop_map(|(side, ms)| Step::Press(side, ms)),
        8 => (0..4_u8, any::<bool>()).prop_map(|(contact, down)| Step::Edge(contact, down)),
        5 => action(control).prop_map(Step::Act),
        1 => any::<u8>().prop_map(Step::Battery),
    ];
    let pause = prop_oneof![3 => 0..12_u64, 3 => 12..4_000_u64, 1 => 4_000..15_000_u64];
    proptest::collection::vec((pause, step), 0..120)
}

/// As a list of inputs with their times.
pub fn inputs(steps: Vec<(u64, Step)>) -> Vec<(u64, Input)> {
    let mut at = 0;
    let mut number = 0;
    let mut inputs = Vec::new();
    for (pause, step) in steps {
        at += pause;
        match step {
            Step::Press(side, ms) => {
                inputs.push((at, Input::Lever { side, down: true }));
                at += ms;
                inputs.push((at, Input::Lever { side, down: false }));
            }
            Step::Edge(0, down) => inputs.push((at, Input::Lever { side: LEFT, down })),
            Step::Edge(1, down) => inputs.push((at, Input::Lever { side: RIGHT, down })),
            Step::Edge(2, down) => inputs.push((at, Input::StopButton { down })),
            Step::Edge(_, down) => inputs.push((at, Input::ArbiterKey { down })),
            Step::Battery(percent) => inputs.push((at, Input::Battery(percent))),
            Step::Act(action) => {
                number += 1;
                inputs.push((at, Input::Command(command(number, action))));
            }
        }
    }
    inputs
}

pub fn command(command: u32, action: Action) -> ClockCommand {
    ClockCommand { clock: "A01".parse().unwrap(), command, boot: 3, until_ms: u64::MAX, action }
}

pub fn clock(setup: Setup) -> Clock {
    Clock::new(Settings { setup, ..settings() }, 0)
}

pub fn setup(control: BoxedStrategy<TimeControl>) -> impl Strategy<Value = Setup> {
    (control, side(), stop_button()).prop_map(|(control, first_side, stop_button)| Setup {
        control,
        first_side,
        stop_button,
    })
}

pub fn drain(clock: &mut Clock, into: &mut Vec<ClockReport>) {
    while let Some(report) = clock.next_report() {
        into.push(report);
    }
}

/// Looks at each deadline, and again for no reason.
pub fn punctual(clock: &mut Clock, inputs: &[(u64, Input)]) -> Vec<ClockReport> {
    let mut reports = Vec::new();
    drain(clock, &mut reports);
    let mut now = 0;
    for (at, input) in inputs {
        while clock.next_deadline() <= *at {
            assert!(clock.next_deadline() > now, "a deadline lies ahead");
            now = clock.next_deadline();
            clock.poll(now);
            clock.poll(now);
            drain(clock, &mut reports);
        }
        clock.input(*at, input.clone());
        now = *at;
        assert!(clock.next_deadline() > now, "a deadline lies ahead");
        drain(clock, &mut reports);
    }
    clock.poll(now + 10_000);
    drain(clock, &mut reports);
    reports
}

/// Looks only when something happens.
pub fn late(clock: &mut Clock, inputs: &[(u64, Input)]) -> Vec<ClockReport> {
    let mut reports = Vec::new();
    for (at, input) in inputs {
        clock.input(*at, input.clone());
        drain(clock, &mut reports);
    }
    clock.poll(inputs.last().map_or(0, |(at, _)| *at) + 10_000);
    drain(clock, &mut reports);
    reports
}
