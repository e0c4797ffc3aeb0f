//! A press counts from its first edge, whatever the clock is doing: writing its display, sending, erasing its memory.

use super::chance::Chance;
use super::table::{clock, lever, moves, set, start, usual};
use flagfall_clock::{Action, Side};
use flagfall_tests::pico::Options;
use std::time::Instant;

/// How many presses.
const PRESSES: usize = 400;
/// What the emulator is told an erasure takes, as slow flash chips do.
const ERASE_MS: u32 = 400;

#[test]
fn a_press_is_told_to_the_millisecond_and_stamped_to_a_tenth_of_it() {
    let began = Instant::now();
    let options = Options { erase_ms: Some(ERASE_MS), ..Options::default() };
    let mut clock = clock(&options);
    let mut chance = Chance::new(7);
    set(&mut clock, usual());
    start(&mut clock);
    let (mut side, mut pressed, mut worst_stamp) = (Side::Left, Vec::new(), 0);
    // The counter began with the chip, which began anew once it had its name.
    let powered = clock
        .outs
        .iter()
        .rev()
        .find_map(|out| match out {
            flagfall_tests::pico::Happened::Reset { us, .. } => Some(*us),
            _ => None,
        })
        .unwrap_or(0);
    for _ in 0..PRESSES {
        clock.pass(chance.between(60_000, 700_000));
        if chance.once_in(3) {
            let line = clock.line_of(Action::Describe);
            clock.pico.feed(&line);
            clock.pass(chance.between(0, 30_000));
        }
        let at = clock.now();
        clock.pico.press(lever(side), true);
        clock.pass(chance.between(200, 1_000));
        let stamp = u64::from(clock.pico.symbol("LAST_STAMP"));
        worst_stamp = worst_stamp.max(stamp.abs_diff((at - powered) & u64::from(u32::MAX)));
        pressed.push((side, at));
        clock.pass(chance.between(12_000, 60_000));
        clock.pico.press(lever(side), false);
        side = side.other();
    }
    clock.pass(3_000_000);
    let told = moves(&clock);
    assert_eq!(told.len(), PRESSES);
    // Every difference is what lies between the clock's beginning and a press's millisecond; they may differ by that one.
    let mut off = Vec::new();
    for ((side, at), (told_side, uptime_ms)) in pressed.iter().zip(&told) {
        assert_eq!(side, told_side);
        off.push(at - uptime_ms * 1_000);
    }
    let (least, most) = (off.iter().min().expect("many"), off.iter().max().expect("many"));
    // What was heard long after it happened was waiting for an erasure.
    let heard = clock
        .said
        .iter()
        .filter(|said| matches!(said.report.event, Some(flagfall_clock::ClockEvent::Press { .. })));
    let waited = heard.zip(&pressed).filter(|(said, (_, at))| said.us - at > 150_000).count();
    println!(
        "{PRESSES} presses: told within {} us, stamped within {worst_stamp} us; {waited} met an erasure of {ERASE_MS} ms; {:.1} s",
        most - least,
        began.elapsed().as_secs_f64()
    );
    assert!(most - least < 1_000, "the clock's times are spread over {} us", most - least);
    assert!(worst_stamp <= 100, "stamped {worst_stamp} us late");
    assert!(waited >= 5, "only {waited} presses met an erasure: that proves little");
    assert_eq!((clock.broken, clock.lost), (0, 0));
}
