//! Ten hours: the counter of microseconds wraps eight times, and no millisecond is lost or won.

use super::table::{set, start};
use flagfall_clock::{ClockEvent, Encoding, Identity, Side, TimeControl};
use flagfall_tests::pico::clock::{PicoClock, identity};
use flagfall_tests::pico::{Contact, Display, Options, firmware};
use rstest::rstest;
use std::time::Instant;

const HOURS: u64 = 10;

/// A crystal that is fast by `trim_ppm` has ticked so often in ten hours, and each of those ticks is a microsecond of the
/// emulator's: then exactly ten hours have passed on the clock, wherever within a millisecond they began.
#[rstest]
#[case::true_crystal(0)]
#[case::fast_crystal(28)]
#[case::slow_crystal(-500)]
fn ten_hours_are_ten_hours(#[case] trim_ppm: i16) {
    let began = Instant::now();
    // No display: it is not what is measured.
    let options = Options { display: Display::None, ..Options::default() };
    let identity = Identity { trim_ppm, ..identity(Encoding::Binary, None) };
    let mut clock = PicoClock::named(&firmware(Display::Oled), &options, &identity);
    let all = 359_999_000;
    set(&mut clock, TimeControl { base_ms: all, increment_ms: 0, ..TimeControl::fischer(all, 0) });
    clock.pass(123_457);
    let from = start(&mut clock);
    let second = u64::try_from(1_000_000 + i64::from(trim_ppm)).expect("about a million");
    for minutes in 1..HOURS * 12 {
        clock.pass_until(from + minutes * 300_000_000);
    }
    clock.pass_until(from + HOURS * 3_600 * second);
    clock.push(Contact::Left);
    clock.pass(200_000);
    let press = clock
        .said
        .iter()
        .rev()
        .find(|said| said.report.event == Some(ClockEvent::Press { side: Side::Left }));
    let used = i64::from(all) - press.expect("a press").report.left_ms;
    let due = i64::try_from(HOURS).expect("few") * 3_600_000;
    println!(
        "trim {trim_ppm} ppm: {used} ms used in {HOURS} h, {} ms off; {} wraps; {:.1} s",
        used - due,
        clock.now() >> 32,
        began.elapsed().as_secs_f64()
    );
    assert_eq!(used - due, 0);
    assert!(clock.now() >> 32 >= 8);
    assert_eq!((clock.broken, clock.lost), (0, 0));
}
