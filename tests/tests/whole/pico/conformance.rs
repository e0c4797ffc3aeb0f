//! The suite of clock behaviour at the firmware: what `firmware/core` does on the host, a board must do as well.

use super::specimen::Board;
use flagfall_clock::{Encoding, Key};
use flagfall_simulator::conformance::{Case, Options, Suite, Verdict};
use flagfall_tests::pico::clock::identity;
use flagfall_tests::pico::{self, Display, firmware, sizes};
use std::time::Instant;

fn key() -> Key {
    Key::new(&[7; 32]).expect("a key")
}

/// All cases that `only` wants; nothing may fail, and only what is for clocks of another sort may be skipped.
fn examined(display: Display, encoding: Encoding, key: Option<Key>, only: impl Fn(&Case) -> bool) {
    let (sealed, began) = (key.is_some(), Instant::now());
    let options = pico::Options { display, ..pico::Options::default() };
    let mut board = Board::new(&options, &identity(encoding, key));
    let mut suite = Suite::open(&mut board, Options::default()).expect("it says something");
    let (mut odd, mut passed, mut skipped) = (Vec::new(), 0, 0);
    for case in Case::all().expect("a table of cases").iter().filter(|case| only(case)) {
        let outcome = suite.run(case).expect("the board goes on");
        match outcome.verdict {
            Verdict::Passed => passed += 1,
            Verdict::Skipped(why)
                if !sealed && why == "it has no key"
                    || encoding == Encoding::Binary && why == "it does not write JSON" =>
            {
                skipped += 1;
            }
            verdict => odd.push(format!("{}: {verdict:?}", outcome.name)),
        }
        if !outcome.notes.is_empty() {
            odd.push(format!("{}: {:?}", outcome.name, outcome.notes));
        }
    }
    drop(suite);
    let clock = &mut board.clock;
    let stack = clock.pico.stack();
    println!(
        "{encoding:?}, sealed {sealed}, {display:?}: {passed} passed, {skipped} not for it; {} s of its time in {:.1} s; \
         {stack} bytes of stack",
        clock.now() / 1_000_000,
        began.elapsed().as_secs_f64(),
    );
    assert!(odd.is_empty(), "{} cases:\n{}", odd.len(), odd.join("\n"));
    assert!(passed > 10, "{passed} cases are no suite");
    assert_eq!(clock.lost, 0, "bytes to it were lost");
    let reserved = sizes(&firmware(display)).stack;
    assert!(stack < reserved, "{stack} bytes of stack were used, {reserved} are there");
}

/// The cases of hours (a counter that wraps, a whole game) once; what they look at is the same however it is written. The
/// program is the same without its display, which is then tried again every two seconds: only the emulator is quicker.
#[test]
fn json_sealed_and_the_long_cases() {
    examined(Display::None, Encoding::Json, Some(key()), |_| true);
}

#[test]
fn json() {
    examined(Display::None, Encoding::Json, None, |case| !case.long);
}

#[test]
fn oled() {
    let some = ["pressing", "commands", "ending", "power"];
    examined(Display::Oled, Encoding::Json, None, |case| some.contains(&case.file) && !case.long);
}

#[test]
fn binary() {
    examined(Display::None, Encoding::Binary, None, |case| !case.long);
}

#[test]
fn binary_sealed() {
    examined(Display::None, Encoding::Binary, Some(key()), |case| !case.long);
}

#[test]
fn digits() {
    let some = ["pressing", "flag", "starting", "stopping", "ending", "power"];
    examined(Display::Digits, Encoding::Json, None, |case| some.contains(&case.file) && !case.long);
}
