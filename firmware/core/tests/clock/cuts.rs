//! A power cut in the middle of every kind: the game goes on as if somebody had only stopped it.

use crate::any::{command, control, drain, inputs, setup, steps};
use crate::bench::{LEFT, RIGHT, settings};
use flagfall_clock::{Action, ClockCommand, ClockEvent, ClockReport};
use flagfall_firmware::{Clock, Input, Saved, Settings};
use proptest::prelude::*;

/// What a game on a clock comes to from 1 s after `at` on, when somebody lets it run on and both sides press.
fn goes_on(clock: &mut Clock, at: u64, presses: &[u64]) -> Vec<(u64, ClockReport)> {
    let mut before = Vec::new();
    drain(clock, &mut before);
    let mut now = at + 1_000;
    clock.input(now, Input::Command(command(100_000, Action::Resume)));
    for (place, used) in presses.iter().enumerate() {
        now += used;
        let side = if place % 2 == 0 { clock.running().unwrap_or(LEFT) } else { RIGHT };
        clock.input(now, Input::Lever { side, down: true });
        clock.poll(now + 10);
        clock.input(now + 20, Input::Lever { side, down: false });
        clock.poll(now + 30);
        now += 30;
    }
    clock.poll(now + 20_000);
    let mut reports = Vec::new();
    drain(clock, &mut reports);
    reports.iter().map(|report| (report.uptime_ms - at, report.clone())).collect()
}

/// What a report says of the game, without what is another clock's or another boot's.
fn game(report: &ClockReport) -> impl PartialEq + std::fmt::Debug + use<> {
    let ClockReport { left_ms, right_ms, running, left_presses, right_presses, flag, periods, event, .. } =
        report.clone();
    (left_ms, right_ms, running, left_presses, right_presses, flag, periods, event)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn after_a_cut_every_kind_goes_on_as_after_a_stop(
        setup in setup(control().boxed()),
        steps in steps(Just(flagfall_clock::TimeControl::fischer(9_000, 1_000)).boxed()),
        presses in proptest::collection::vec(10..4_000_u64, 0..12),
    ) {
        // The control is that of the beginning: only then is every kind met in its middle.
        let inputs: Vec<_> = inputs(steps)
            .into_iter()
            .filter(|(_, input)| {
                !matches!(input, Input::Command(command) if matches!(command.action, Action::Configure { .. }))
                    && !matches!(input, Input::ArbiterKey { .. })
            })
            .map(|(at, input)| match input {
                Input::Command(command) => {
                    (at, Input::Command(ClockCommand { command: command.command + 1, ..command }))
                }
                input => (at, input),
            })
            .collect();
        let mut stopped = Clock::new(Settings { setup, ..settings() }, 0);
        stopped.input(0, Input::Command(command(1, Action::Start { side: setup.first_side })));
        for (at, input) in &inputs {
            stopped.input(*at, input.clone());
        }
        let at = inputs.last().map_or(0, |(at, _)| *at) + 3_000;
        for side in [LEFT, RIGHT] {
            stopped.input(at - 2_000, Input::Lever { side, down: false });
        }
        stopped.input(at - 2_000, Input::StopButton { down: false });
        stopped.poll(at);
        if stopped.is_over() {
            // Who says that he did not win is not kept.
            return Ok(());
        }
        let saved = stopped.saved(at);
        prop_assert_eq!(Saved::from_bytes(&saved.to_bytes()), Ok(saved));
        stopped.input(at, Input::Command(command(99_999, Action::Stop)));

        // Comes up at the same time of its own, so that both can be told the same.
        let mut cut = Clock::restored(Settings { setup, ..settings() }, saved, at);
        let events = |reports: Vec<(u64, ClockReport)>| -> Vec<_> {
            reports
                .into_iter()
                .filter(|(_, report)| {
                    !matches!(report.event, None | Some(ClockEvent::Boot(_)))
                })
                .map(|(after, report)| (after, game(&report)))
                .collect()
        };
        let shown = (stopped.display(at), cut.display(at));
        prop_assert_eq!((shown.0.left_beside, shown.0.right_beside), (shown.1.left_beside, shown.1.right_beside));
        prop_assert_eq!(shown.0.period_flag, shown.1.period_flag);
        prop_assert_eq!(events(goes_on(&mut stopped, at, &presses)), events(goes_on(&mut cut, at, &presses)));
    }

    /// Also with a check that fits, whatever memory holds is refused or is a game that a clock can go on with.
    #[test]
    fn whatever_memory_holds_no_clock_breaks(
        setup in setup(control().boxed()),
        damage in proptest::collection::vec((1..156_usize, any::<u8>()), 0..5),
        at in 0..1_000_000_u64,
    ) {
        let mut clock = Clock::new(Settings { setup, ..settings() }, 0);
        clock.input(10, Input::StopButton { down: true });
        clock.poll(2_000);
        let mut bytes = clock.saved(2_000).to_bytes();
        for (place, byte) in damage {
            bytes[place] = byte;
        }
        let check = crc(&bytes[..156]).to_le_bytes();
        bytes[156..].copy_from_slice(&check);
        if let Ok(saved) = Saved::from_bytes(&bytes) {
            prop_assert_eq!(saved.to_bytes().len(), bytes.len());
            let mut clock = Clock::restored(settings(), saved, at);
            let _ = goes_on(&mut clock, at, &[10, 2_000, 10, 4_000]);
            clock.poll(1 << 61);
            let _ = clock.display(1 << 61);
            prop_assert_eq!(Saved::from_bytes(&clock.saved(1 << 61).to_bytes()), Ok(clock.saved(1 << 61)));
        }
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
