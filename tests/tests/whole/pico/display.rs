//! The display shows what the core decides, is missed by nobody, and is itself again when it is back.

#[allow(dead_code, reason = "the device's own tests look at more of it")]
#[path = "../../../../firmware/device/tests/screen/ssd1306.rs"]
mod ssd1306;

use super::table::{clock, lever, make_move, set, start, usual};
use flagfall_clock::{Action, Side};
use flagfall_device::screen::{ADDRESS, Face, Oled, Screen};
use flagfall_firmware::{Clock, Input, Settings};
use flagfall_tests::pico::clock::{PicoClock, name};
use flagfall_tests::pico::{Display, Options, Shown};
use ssd1306::Bus;

/// What the OLED shows of a clock at its own time.
fn painted(clock: &Clock, at: u64, link_waits: bool) -> Vec<u8> {
    let bus = Bus::new();
    let mut oled = Oled::new(bus.clone(), ADDRESS);
    oled.show(&Face { display: clock.display(at), link_waits, nameless: false });
    while oled.slice().expect("the bus works") {}
    bus.seen().0.to_vec()
}

fn seen(clock: &mut PicoClock) -> Vec<u8> {
    match clock.pico.display() {
        Shown::Oled(memory) => memory,
        digits => panic!("an OLED, not {digits:?}"),
    }
}

/// A clock on the host to compare with; its battery reads as that of the board.
fn twin() -> Clock {
    let mut twin = Clock::new(Settings::new(name(), 2), 0);
    twin.input(0, Input::Battery(74));
    twin
}

#[test]
fn pictures_are_those_the_core_decides() {
    let mut clock = clock(&Options::default());
    clock.pass(300_000);
    let twin = twin();
    assert_eq!(seen(&mut clock), painted(&twin, 500, false), "50:00 on both sides");
    let begun = start(&mut clock);
    let mut running = self::twin();
    running.input(1_000, Input::StopButton { down: true });
    running.poll(1_100);
    for ms in [500_u64, 1_500, 4_500, 8_500] {
        clock.pass_until(begun + ms * 1_000);
        assert_eq!(seen(&mut clock), painted(&running, 1_000 + ms, false), "{ms} ms later");
    }
}

#[test]
fn a_number_takes_turns_with_the_times_and_a_clock_that_is_looked_for_blinks() {
    let mut clock = clock(&Options::default());
    clock.pass(300_000);
    let times = seen(&mut clock);
    clock.order(Action::Show { number: 12 }).expect("it stands");
    let shown = |clock: &mut PicoClock, from: u64, number: u64| -> Vec<Vec<u8>> {
        let look = |place| {
            // Between the changes: a picture takes some 20 ms to be drawn.
            clock.pass_until(from + place * 500_000 - 200_000);
            seen(clock)
        };
        (1..=number).map(look).collect()
    };
    let now = clock.now();
    let pictures = shown(&mut clock, now, 14);
    let with_times = pictures.iter().filter(|picture| **picture == times).count();
    println!("{with_times} of 14 looks in 7 s saw the times");
    assert!((4..=9).contains(&with_times), "{with_times}");
    let mut without = pictures.iter().filter(|picture| **picture != times);
    let first = without.next().expect("the number");
    assert!(without.all(|picture| picture == first), "only the number and the times");
    clock.order(Action::Identify).expect("it stands");
    let now = clock.now();
    let pictures = shown(&mut clock, now, 10);
    let dark = pictures.iter().filter(|picture| picture.iter().all(|byte| *byte == 0)).count();
    println!("{dark} of 10 looks in 5 s saw it dark");
    assert!((4..=6).contains(&dark), "{dark}");
    clock.pass(10_000_000);
    assert!(seen(&mut clock).iter().any(|byte| *byte != 0), "it ends by itself");
}

#[test]
fn a_display_that_is_pulled_out_is_missed_by_nobody_and_is_itself_again_when_it_is_back() {
    let mut clock = clock(&Options::default());
    set(&mut clock, usual());
    start(&mut clock);
    clock.pass(2_000_000);
    clock.pico.plug_display(false);
    for number in 0..10 {
        clock.pass(733_333);
        clock.push(lever([Side::Left, Side::Right][number % 2]));
    }
    clock.pass(500_000);
    let moves = super::table::moves(&clock);
    assert_eq!(moves.len(), 10);
    // Each so long after the one before as it was pressed.
    let apart: Vec<u64> = moves.windows(2).map(|two| two[1].1 - two[0].1).collect();
    assert!(apart.iter().all(|ms| ms.abs_diff(793) <= 1), "{apart:?}");
    clock.order(Action::Stop).expect("it runs");
    clock.pass(12_000_000);
    clock.pico.plug_display(true);
    clock.pass(14_000_000);
    let back = seen(&mut clock);
    assert!(back.iter().any(|byte| *byte != 0), "it is on again");
    clock.pico.plug_display(false);
    clock.pass(4_000_000);
    clock.pico.plug_display(true);
    clock.pass(14_000_000);
    assert_eq!(seen(&mut clock), back);
    assert_eq!((clock.broken, clock.lost), (0, 0));
    assert!(
        !clock
            .outs
            .iter()
            .any(|out| matches!(out, flagfall_tests::pico::Happened::Reset { us, .. } if *us > 1_000_000))
    );
}

#[test]
fn digits_show_the_times_and_the_number() {
    let mut clock = clock(&Options { display: Display::Digits, ..Options::default() });
    clock.pass(500_000);
    let digits = |clock: &mut PicoClock| match clock.pico.display() {
        Shown::Digits { left, right } => (left.trim().to_owned(), right.trim().to_owned()),
        oled => panic!("digits, not {oled:?}"),
    };
    let (left, right) = digits(&mut clock);
    println!("as new: `{left}` `{right}`");
    assert_eq!((left.as_str(), right.as_str()), ("50.00", "50.00"));
    start(&mut clock);
    clock.pass(1_500_000);
    let (left, right) = digits(&mut clock);
    println!("left runs: `{left}` `{right}`");
    assert!(left.contains("49.5"), "{left}");
    assert!(right.contains("50.00"), "{right}");
    make_move(&mut clock, Side::Left);
    clock.pass(500_000);
    let (left, right) = digits(&mut clock);
    println!("right runs: `{left}` `{right}`");
    assert!(left.contains("50.1"), "{left}");
}
