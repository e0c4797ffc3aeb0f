//! The clock's line: noise, bursts, and what comes while the memory is erased.

use super::chance::Chance;
use super::table::{clock, make_move, set, start, usual};
use flagfall_clock::{Action, ClockEvent, Side};
use flagfall_tests::pico::Options;
use flagfall_tests::pico::clock::PicoClock;
use rstest::rstest;

/// Numbers of the commands that were answered, in order.
fn answered(clock: &PicoClock, from: usize) -> Vec<u32> {
    let number = |said: &flagfall_tests::pico::clock::Said| match said.report.event {
        Some(ClockEvent::Done { command, ok: true, .. }) => Some(command),
        _ => None,
    };
    clock.said[from..].iter().filter_map(number).collect()
}

/// Commands of 512 bytes together, without a gap between them.
#[rstest]
#[case::quick_flash(45)]
#[case::slow_flash(400)]
fn all_commands_of_a_burst_are_carried_out_in_their_order(#[case] erase_ms: u32) {
    let mut clock = clock(&Options { erase_ms: Some(erase_ms), ..Options::default() });
    set(&mut clock, usual());
    clock.pass(5_000_000);
    for _ in 0..5 {
        let (from, first) = (clock.said.len(), clock.number + 1);
        let mut burst = Vec::new();
        loop {
            let adjust = Action::Adjust { left_delta_ms: 1_000, right_delta_ms: -1_000 };
            let line = clock.line_of(adjust);
            if burst.len() + line.len() > 512 {
                clock.number -= 1;
                break;
            }
            burst.extend(line);
        }
        let last = clock.number;
        clock.pico.feed(&burst);
        clock.pass(3_000_000);
        assert_eq!(answered(&clock, from), (first..=last).collect::<Vec<_>>(), "{} bytes", burst.len());
        println!("{} bytes, {} commands", burst.len(), last - first + 1);
    }
    assert_eq!((clock.broken, clock.lost), (0, 0));
}

#[test]
fn noise_costs_nothing_that_comes_after_it() {
    let mut clock = clock(&Options::default());
    let mut chance = Chance::new(3_000);
    set(&mut clock, usual());
    start(&mut clock);
    for round in 0..20 {
        let length = chance.between(1, 1_500);
        let mut noise: Vec<u8> = (0..length).map(|_| chance.next().to_le_bytes()[0]).collect();
        if chance.once_in(2) {
            // As a message that is cut off.
            noise.extend(clock.line_of(Action::Stop).split_last().expect("a line").1);
            clock.number -= 1;
            let half = noise.len() - 20;
            noise.truncate(half);
        }
        clock.pico.feed(&noise);
        clock.pass(length * 87 + 20_000);
        assert_eq!(clock.last().running, Some(Side::Left), "round {round}");
        // A delimiter ends what noise began, as a daemon sends one before it speaks again.
        clock.pico.feed(b"\n");
        clock.order(Action::Describe).expect("it is understood");
    }
    assert_eq!((clock.broken, clock.lost), (0, 0));
    make_move(&mut clock, Side::Left);
}
