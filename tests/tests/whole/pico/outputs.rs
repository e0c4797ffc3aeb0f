//! The lights, the buzzer and the battery.

use super::table::{bounce, clock, lever, set, start};
use flagfall_clock::{ClockEvent, Encoding, Identity, Side, TimeControl};
use flagfall_tests::pico::clock::{PicoClock, identity};
use flagfall_tests::pico::{Display, Happened, Options, firmware};
use rstest::rstest;

/// What went on or off since, with its time in microseconds.
fn outs(clock: &PicoClock, from: usize) -> Vec<(u64, String, bool)> {
    let out = |happened: &Happened| match happened {
        Happened::Out { us, name, on } => Some((*us, name.clone(), *on)),
        _ => None,
    };
    clock.outs[from..].iter().filter_map(out).collect()
}

/// Which went on or off, without their times.
fn which(outs: &[(u64, String, bool)]) -> Vec<(&str, bool)> {
    outs.iter().map(|(_, name, on)| (name.as_str(), *on)).collect()
}

#[test]
fn the_light_of_the_side_that_runs_is_on_as_soon_as_the_press_is_believed() {
    let mut clock = clock(&Options::default());
    set(&mut clock, TimeControl::fischer(60_000, 0));
    // By now it has erased ahead; a start before may find it at a sector of 45 ms.
    clock.pass(2_000_000);
    let mut late = Vec::new();
    let mut from = clock.outs.len();
    let begun = start(&mut clock);
    let seen = outs(&clock, from);
    assert_eq!(which(&seen), [("light_left", true)]);
    late.push(seen[0].0 - begun);
    for number in 0..12 {
        let side = [Side::Left, Side::Right][number % 2];
        clock.pass(1_234_567);
        from = clock.outs.len();
        let at = clock.now();
        clock.push(lever(side));
        let (off, on) =
            if side == Side::Left { ("light_left", "light_right") } else { ("light_right", "light_left") };
        let mut seen = outs(&clock, from);
        seen.sort_by_key(|(_, name, _)| name != off);
        assert_eq!(which(&seen), [(off, false), (on, true)]);
        late.push(seen[1].0 - at);
    }
    late.sort_unstable();
    println!("a light follows a press within {late:?} us");
    // 5 ms of quiet, the memory's page, a slice of the display; and now and then the sector that is erased meanwhile.
    assert!(late[late.len() - 3] < 12_000 && late[late.len() - 1] < 12_000 + 45_000, "{late:?} us");
}

#[rstest]
#[case::silent(false)]
#[case::heard(true)]
fn a_flag_sounds_for_two_seconds_where_that_is_wanted(#[case] sound: bool) {
    let identity = Identity { sound, ..identity(Encoding::Json, None) };
    let mut clock = PicoClock::named(&firmware(Display::Oled), &Options::default(), &identity);
    set(&mut clock, TimeControl::fischer(3_000, 0));
    start(&mut clock);
    clock.heard("the flag", |report| report.event == Some(ClockEvent::Flag { side: Side::Left }));
    clock.pass(5_000_000);
    let seen: Vec<_> = outs(&clock, 0).into_iter().filter(|(_, name, _)| name == "buzzer").collect();
    if !sound {
        assert_eq!(seen, []);
        return;
    }
    assert_eq!(seen.iter().map(|(_, _, on)| *on).collect::<Vec<_>>(), [true, false]);
    let sounded = seen[1].0 - seen[0].0;
    println!("it sounded for {sounded} us");
    assert!(sounded.abs_diff(2_000_000) < 5_000);
}

#[test]
fn a_low_battery_is_told_once_and_shown() {
    let mut clock = clock(&Options::default());
    clock.pass(11_000_000);
    // 4.2 V, as a converter of 12 bits reads them.
    assert_eq!(clock.last().battery_pct, Some(74));
    let before = clock.pico.display();
    // Three cells of 1.05 V.
    clock.pico.battery(3_150);
    let low = clock.heard("a low battery", |report| report.event == Some(ClockEvent::BatteryLow));
    assert!(low.battery_pct.is_some_and(|percent| percent < 8), "{:?}", low.battery_pct);
    clock.pass(1_000_000);
    assert_ne!(clock.pico.display(), before, "a sign of it");
    clock.pass(30_000_000);
    clock.pico.battery(4_200);
    // It is measured every 10 s, and told with the next status.
    clock.pass(16_000_000);
    assert_eq!(clock.last().battery_pct, Some(74));
    let told = clock.said.iter().filter(|said| said.report.event == Some(ClockEvent::BatteryLow));
    assert_eq!(told.count(), 1);
    bounce(&mut clock, Side::Left, 4);
}
