//! The power goes at any instant, in the middle of a page or of an erasure too: nothing that was told is lost.

use super::chance::Chance;
use super::table::{clock, lever, make_move, set, start, usual};
use flagfall_clock::{By, ClockEvent, ClockReport, Side};
use flagfall_tests::pico::clock::PicoClock;
use flagfall_tests::pico::{Contact, Display, Options};
use rstest::rstest;
use std::time::Instant;

/// Cuts of a game of one seed.
const CUTS: u32 = 125;
/// What is credited with a move, in milliseconds.
const INCREMENT: i64 = 15_000;
/// A report's milliseconds and the scripted microseconds may each be a millisecond apart.
const ROUNDING: i64 = 2;

/// What a hand did since the power came: the key let the side run that was to run, then levers.
#[derive(Default)]
struct Hands {
    resumed: Option<u64>,
    presses: Vec<(Side, u64)>,
}

/// What both sides truly had at an instant, if so many of the presses were counted.
struct Truth {
    ms: [i64; 2],
    running: Option<Side>,
}

impl Truth {
    /// `base` is the last that stood when nothing ran: at the power-up, or as the last report before it.
    fn at(base: &ClockReport, first: Side, hands: &Hands, counted: usize, us: u64) -> Self {
        let mut ms = [base.left_ms, base.right_ms];
        let Some(mut since) = hands.resumed else { return Self { ms, running: None } };
        let mut running = first;
        for (side, at) in &hands.presses[..counted] {
            ms[*side as usize] += INCREMENT - used(since, *at);
            (running, since) = (side.other(), *at);
        }
        ms[running as usize] -= used(since, us);
        Self { ms, running: Some(running) }
    }
}

fn used(from: u64, to: u64) -> i64 {
    i64::try_from(to.saturating_sub(from)).expect("a short time") / 1_000
}

fn count(report: &ClockReport) -> usize {
    (report.left_presses + report.right_presses) as usize
}

/// The worst of all cuts.
#[derive(Default)]
struct Worst {
    given_ms: i64,
    met: [u32; 4],
}

/// Lets the clock come up and holds what it says against what was true at the cut.
fn comes_back(
    clock: &mut PicoClock,
    was: &ClockReport,
    last: &ClockReport,
    hands: &Hands,
    first: Side,
    cut: u64,
    worst: &mut Worst,
) -> ClockReport {
    let boot =
        clock.heard("the boot after a cut", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    let why = format!("cut at {cut} us: it said {last:?}\nand came back with {boot:?}");
    let Some(ClockEvent::Boot(about)) = &boot.event else { unreachable!("that was looked for") };
    assert!(about.restored, "not restored; {why}");
    assert!(boot.boot > last.boot, "a boot that does not rise; {why}");
    assert_eq!(boot.running, None, "{why}");
    let counted = count(&boot).checked_sub(count(was)).expect("no move is taken back");
    assert!(count(&boot) >= count(last), "a press that was told is lost; {why}");
    assert!(counted <= hands.presses.len(), "a press nobody made; {why}");
    let truth = Truth::at(was, first, hands, counted, cut);
    // Where its running on was not yet in memory it stands as before: that costs nothing either.
    assert_eq!(boot.stopped_by, Some(By::Power), "{why}");
    let allowed = i64::try_from(counted + 1).expect("few") * ROUNDING;
    for side in [Side::Left, Side::Right] {
        let given = boot.ms(side) - truth.ms[side as usize];
        if truth.running == Some(side) {
            assert!(
                (-allowed..=1_000).contains(&given),
                "{side:?} runs: {given} ms against the truth; {why}"
            );
            worst.given_ms = worst.given_ms.max(given);
        } else {
            assert!(given.abs() <= allowed, "{side:?} stands: {given} ms against the truth; {why}");
        }
        if count(last) == count(&boot) {
            let told = last.ms(side);
            let fits = if last.running == Some(side) { boot.ms(side) <= told } else { boot.ms(side) == told };
            assert!(fits, "{side:?}: {told} ms were told; {why}");
        }
    }
    boot
}

/// Plays a little, and cuts at an instant of chance.
fn play_until_cut(clock: &mut PicoClock, chance: &mut Chance, mut side: Side) -> (Hands, u64) {
    let mut hands = Hands::default();
    // A few while it comes up and erases ahead.
    if chance.once_in(6) {
        clock.pass(chance.between(0, 600_000));
        return (hands, clock.now());
    }
    clock.pass(chance.between(20_000, 300_000));
    clock.pico.press(Contact::Key, true);
    clock.pass(60_000);
    hands.resumed = Some(clock.now());
    clock.pico.press(Contact::Key, false);
    clock.pass(chance.between(20_000, 900_000));
    for _ in 0..chance.between(0, 4) {
        hands.presses.push((side, clock.now()));
        clock.pico.press(lever(side), true);
        clock.pass(chance.between(25_000, 70_000));
        clock.pico.press(lever(side), false);
        clock.pass(chance.between(25_000, 800_000));
        side = side.other();
    }
    if chance.once_in(2) {
        // Shortly after a press, when it is written and told.
        hands.presses.push((side, clock.now()));
        clock.pico.press(lever(side), true);
        clock.pass(chance.between(0, 60_000));
    } else {
        clock.pass(chance.between(0, 2_500_000));
    }
    (hands, clock.now())
}

/// Cuts the power, lets go of everything, and gives it back.
fn dark(clock: &mut PicoClock, chance: &mut Chance) {
    clock.cut(u32::try_from(chance.between(1, 1 << 30)).expect("it fits"));
    for contact in [Contact::Left, Contact::Right, Contact::Key] {
        clock.pico.press(contact, false);
    }
    clock.pass(chance.between(1_000, 800_000));
    clock.pico.power();
}

/// Which side is to run, by what the clock last said.
fn next(report: &ClockReport) -> Side {
    if report.left_presses > report.right_presses { Side::Right } else { Side::Left }
}

#[rstest]
#[case(1)]
#[case(2)]
#[case(3)]
#[case(4)]
#[case(5)]
#[case(6)]
#[case(7)]
#[case(8)]
fn nothing_that_was_told_is_lost_at_a_cut(#[case] seed: u64) {
    let began = Instant::now();
    let mut chance = Chance::new(seed);
    // From the quickest flash to a slow one.
    let erase_ms = [20, 45, 400, 90][seed as usize % 4];
    // Where a display is written as well, one more thing is under way; without it the emulator is quicker.
    let display = if seed % 4 == 1 { Display::Oled } else { Display::None };
    let mut clock = clock(&Options { erase_ms: Some(erase_ms), display, ..Options::default() });
    set(&mut clock, flagfall_clock::TimeControl { base_ms: 36_000_000, ..usual() });
    // The game has begun before the first of them.
    start(&mut clock);
    clock.pass(1_000_000);
    clock.cut(1);
    clock.pico.power();
    let mut was = clock.heard("a boot", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    let (mut first, mut worst) = (Side::Left, Worst::default());
    for number in 0..CUTS {
        let said = clock.said.len();
        let (hands, cut) = play_until_cut(&mut clock, &mut chance, first);
        dark(&mut clock, &mut chance);
        let last = clock.said[said..].last().map_or_else(|| was.clone(), |said| said.report.clone());
        worst.met[usize::from(hands.resumed.is_some()) + usize::from(!hands.presses.is_empty())] += 1;
        if chance.once_in(5) {
            // Once more while it comes up: it is to stand as it would have.
            worst.met[3] += 1;
            clock.pass(chance.between(0, 120_000));
            dark(&mut clock, &mut chance);
        }
        let boot = comes_back(&mut clock, &was, &last, &hands, first, cut, &mut worst);
        first = next(&boot);
        was = boot;
        assert_eq!(clock.broken, 0, "a line that is none, seed {seed}, cut {number}");
    }
    // The game goes on.
    clock.push(Contact::Key);
    clock.heard("the game that goes on", |report| report.running == Some(first));
    make_move(&mut clock, first);
    println!(
        "seed {seed}, {erase_ms} ms an erasure: {CUTS} cuts ({:?}: standing, running, played, twice); at most {} ms given back; \
         {} moves; {:.1} s",
        worst.met,
        worst.given_ms,
        count(clock.last()),
        began.elapsed().as_secs_f64()
    );
}
