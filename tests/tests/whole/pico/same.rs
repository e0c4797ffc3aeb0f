//! Lock step: one scripted game is the same to the byte whenever it is played, and a long one is quickly played.

use super::chance::Chance;
use super::table::{bounce, clock, moves, set, start, usual};
use flagfall_clock::{Action, Side};
use flagfall_tests::pico::clock::PicoClock;
use flagfall_tests::pico::{Display, Happened, Options, Shown};
use std::time::Instant;

/// All that was to be seen of a game.
#[derive(PartialEq, Eq)]
struct Seen {
    bytes: Vec<u8>,
    when: Vec<u64>,
    outs: Vec<Happened>,
    pictures: Vec<Shown>,
    stack: u32,
}

/// 23 presses with bounces in five minutes, with commands and looks at the display between them.
fn game() -> Seen {
    let mut clock = clock(&Options::default());
    let mut chance = Chance::new(23);
    let mut pictures = Vec::new();
    set(&mut clock, usual());
    clock.order(Action::Show { number: 12 }).expect("it stands");
    start(&mut clock);
    for number in 0..23 {
        clock.pass(chance.between(3_000_000, 22_000_000));
        bounce(&mut clock, if number % 2 == 0 { Side::Left } else { Side::Right }, number % 7 * 2);
        if number % 5 == 0 {
            clock.order(Action::Describe).expect("it tells of itself");
        }
        pictures.push(clock.pico.display());
    }
    clock.order(Action::Stop).expect("it runs");
    clock.pass(12_000_000);
    assert_eq!(moves(&clock).len(), 23);
    assert_eq!(clock.broken, 0);
    let when = clock.said.iter().map(|said| said.us).collect();
    let stack = clock.pico.stack();
    println!("{} s of its time", clock.now() / 1_000_000);
    Seen { bytes: clock.bytes.clone(), when, outs: std::mem::take(&mut clock.outs), pictures, stack }
}

#[test]
fn ten_runs_of_one_game_are_the_same_to_the_byte() {
    let began = Instant::now();
    let first = game();
    for run in 2..=10 {
        let again = game();
        assert_eq!(again.bytes, first.bytes, "what was said in run {run}");
        assert_eq!(again.when, first.when, "when it was said in run {run}");
        assert_eq!(again.outs, first.outs, "lights and buzzer in run {run}");
        assert!(again.pictures == first.pictures, "the display in run {run}");
        assert_eq!(again.stack, first.stack, "the stack in run {run}");
    }
    println!(
        "10 runs, {} bytes, {} lights, {} pictures the same; {:.1} s",
        first.bytes.len(),
        first.outs.len(),
        first.pictures.len(),
        began.elapsed().as_secs_f64()
    );
}

/// A daemon acknowledges as it hears, so that the display does not tell of a link that waits.
fn acknowledge(clock: &mut PicoClock) {
    let (boot, seq) = (clock.last().boot, clock.last().seq);
    let line = clock.line_of(Action::Ack { boot, seq });
    clock.pico.feed(&line);
}

/// With the digits. An OLED's bus is waited for byte by byte, which takes the emulator several times as long: about 50 s on two
/// cores at rest.
#[test]
fn fifty_minutes_with_242_presses_take_less_than_90_s() {
    let began = Instant::now();
    let mut clock = clock(&Options { display: Display::Digits, ..Options::default() });
    let mut chance = Chance::new(242);
    set(&mut clock, usual());
    let from = start(&mut clock);
    let mut side = Side::Left;
    for number in 1..=242 {
        // 12.4 s a move are 50 minutes.
        clock.pass_until(from + number * 12_400_000 - chance.between(0, 6_000_000));
        bounce(&mut clock, side, 2);
        acknowledge(&mut clock);
        side = side.other();
    }
    clock.pass(1_000_000);
    let played = (clock.now() - from) / 1_000_000;
    let took = began.elapsed().as_secs_f64();
    println!(
        "{played} s with 242 presses in {took:.1} s: {:.0} times as fast",
        clock.now() as f64 / 1e6 / took
    );
    let moves = moves(&clock);
    assert_eq!(moves.len(), 242);
    let in_turn = |(number, (side, _)): (usize, &(Side, u64))| (*side == Side::Left) == (number % 2 == 0);
    assert!(moves.iter().enumerate().all(in_turn), "the sides take turns");
    assert_eq!((clock.broken, clock.lost), (0, 0));
    assert!(played >= 2_990, "{played} s are no 50 minutes");
    assert!(took < 90.0, "it took {took} s");
}
