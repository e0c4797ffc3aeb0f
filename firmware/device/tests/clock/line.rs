//! What goes over its line, and what a technician's tool may do.

use crate::board::{Bench, KEY, LEFT, RIGHT, STOP};
use crate::flash::Flash;
use flagfall_clock::{
    Accept, Action, Check, ClockCommand, ClockEvent, Encoding, Identity, Key, Provision, ProvisionError,
    Side, line_command,
};

pub fn identity(key: Option<Key>, encoding: Encoding) -> Identity {
    Identity { clock: "A01".parse().unwrap(), key, encoding, trim_ppm: 0, sound: false }
}

fn named() -> Bench {
    let mut bench = Bench::new(Flash::new(10));
    bench.name(identity(None, Encoding::Json));
    bench
}

fn command(number: u32, boot: u32, action: Action) -> ClockCommand {
    ClockCommand { clock: "A01".parse().unwrap(), command: number, boot, until_ms: u64::MAX >> 20, action }
}

fn line(command: &ClockCommand, encoding: Encoding, check: Check<'_>) -> Vec<u8> {
    let mut out = [0; flagfall_clock::MAX_LINE];
    let len = line_command(command, encoding, check, &mut out).unwrap();
    out[..len].to_vec()
}

#[test]
fn one_without_a_name_plays_and_says_nothing() {
    let mut bench = Bench::new(Flash::new(10));
    bench.run_ms(1_000);
    bench.press(STOP);
    bench.press(LEFT);
    bench.run_ms(3_000);
    assert_eq!(bench.clock().running(), Some(Side::Right));
    assert_eq!(bench.clock().presses(Side::Left), 1);
    assert_eq!(bench.said(), b"");
    assert_eq!(*bench.table.pins.borrow(), [false, true, false]);
}

#[test]
fn a_name_is_given_once_and_taken_away_by_three_contacts_held_from_power_up() {
    let mut bench = Bench::new(Flash::new(10));
    let asked = bench.provision(&Provision::Ask).unwrap();
    assert!(asked.clock.is_none() && !asked.sealed);
    let key = Key::new(&[9; 32]).unwrap();
    bench.name(identity(Some(key.clone()), Encoding::Json));
    assert_eq!(bench.resets, 1, "it comes up anew under its name");
    let reports = bench.reports(&Accept::sealed(&key));
    let boot = &reports[0];
    assert!(boot.clock.as_str() == "A01" && boot.boot == 2);
    assert!(matches!(&boot.event, Some(ClockEvent::Boot(about)) if !about.restored));
    let again = Identity { clock: "B02".parse().unwrap(), ..identity(None, Encoding::Json) };
    assert_eq!(bench.provision(&Provision::Be(again)), Err(ProvisionError::Already));
    let state = bench.provision(&Provision::Ask).unwrap();
    assert!(state.sealed && state.clock.is_some_and(|name| name.as_str() == "A01"));

    let held = LEFT | RIGHT | KEY;
    let mut short = Bench::with(bench.flash.clone(), held);
    short.run_ms(9_000);
    short.set(LEFT, false);
    short.run_ms(3_000);
    assert_eq!(short.resets, 0, "let go too early");
    let mut bench = Bench::with(short.flash.clone(), held);
    bench.run_ms(11_000);
    assert_eq!(bench.resets, 1);
    assert!(bench.provision(&Provision::Ask).unwrap().clock.is_none());
}

#[test]
fn commands_are_taken_in_both_encodings_and_the_answer_comes_in_its_own() {
    for encoding in [Encoding::Json, Encoding::Binary] {
        let mut bench = Bench::new(Flash::new(10));
        bench.name(identity(None, encoding));
        bench.said();
        bench.say(&line(&command(1, 2, Action::Start { side: Side::Right }), Encoding::Json, Check::Crc));
        bench.say(&line(&command(2, 2, Action::Stop), Encoding::Binary, Check::Crc));
        bench.run_ms(500);
        let said = bench.table.from_clock.borrow().clone();
        assert_eq!(said.starts_with(b"{\"clock\""), encoding == Encoding::Json);
        let events: Vec<_> =
            bench.reports(&Accept::CHECKED).into_iter().filter_map(|report| report.event).collect();
        let done = |command| ClockEvent::Done { command, ok: true, error: None };
        assert!(events.contains(&done(1)) && events.contains(&done(2)), "{events:?}");
    }
}

#[test]
fn a_sealed_clock_hears_only_what_is_sealed() {
    let mut bench = Bench::new(Flash::new(10));
    let key = Key::new(&[3; 16]).unwrap();
    bench.name(identity(Some(key.clone()), Encoding::Binary));
    bench.said();
    let start = command(1, 2, Action::Start { side: Side::Left });
    bench.say(&line(&start, Encoding::Json, Check::Crc));
    bench.say(&line(&start, Encoding::Binary, Check::Seal(&Key::new(&[4; 16]).unwrap())));
    assert_eq!(bench.clock().running(), None);
    bench.say(&line(&start, Encoding::Json, Check::Seal(&key)));
    assert_eq!(bench.clock().running(), Some(Side::Left));
    bench.run_ms(2_000);
    assert!(bench.reports(&Accept::sealed(&key)).len() >= 3);
}

#[test]
fn noise_and_half_lines_do_nothing_and_what_follows_is_heard() {
    let mut bench = named();
    for noise in [&b"\xff\x00\x80garbage\n"[..], b"{\"clock\":\"A01\",", &[b'{'; 2_000], b"\n", &[0; 40]] {
        bench.say(noise);
    }
    bench.say(&line(&command(1, 2, Action::Start { side: Side::Left }), Encoding::Json, Check::Crc));
    assert_eq!(bench.clock().running(), Some(Side::Left));
}

#[test]
fn a_line_that_takes_nothing_does_not_hold_up_the_clock() {
    let mut bench = named();
    bench.said();
    bench.press(STOP);
    for side in [LEFT, RIGHT].into_iter().cycle().take(20) {
        bench.press(side);
    }
    assert_eq!(bench.clock().presses(Side::Left) + bench.clock().presses(Side::Right), 20);
}

/// While a plug goes in the line is open, which reads as a zero; what is said then is answered all the same.
#[test]
fn an_open_line_spoils_no_question() {
    let mut bench = Bench::new(Flash::new(10));
    bench.say(&[0]);
    assert!(bench.provision(&Provision::Ask).is_ok());
    bench.say(b"{\"provision\":{}\x00");
    assert!(bench.provision(&Provision::Ask).is_ok());
}

/// One who asks and asks does not keep the clock from its reports.
#[test]
fn reports_go_out_between_answers() {
    let mut bench = named();
    let mut out = [0; flagfall_clock::MAX_PROVISION];
    let len = flagfall_clock::line_provision(&Provision::Ask, &mut out).unwrap();
    bench.press(STOP);
    bench.said();
    for _ in 0..60 {
        bench.table.to_clock.borrow_mut().extend(&out[..len]);
        bench.run_ms(50);
    }
    assert!(bench.reports(&Accept::CHECKED).len() >= 3);
}

#[test]
fn the_longest_name_and_key_fit_the_line() {
    let mut bench = Bench::new(Flash::new(10));
    let longest = Identity {
        clock: "A123456789abcdef".parse().unwrap(),
        trim_ppm: -500,
        ..identity(Some(Key::new(&[0xab; 64]).unwrap()), Encoding::Binary)
    };
    bench.name(longest);
    assert!(bench.provision(&Provision::Ask).unwrap().sealed);
}
