//! A clock gets its name once, tells its key to nobody, and gives its name up to three hands only.

use super::chance::Chance;
use super::table::{lever, start};
use flagfall_clock::{ClockEvent, Encoding, Identity, Key, Provision, ProvisionError, Side};
use flagfall_tests::pico::clock::{PicoClock, identity};
use flagfall_tests::pico::{Contact, Display, Options, firmware};

const KEY: [u8; 32] = *b"nobody is ever told what is here";

fn sealed() -> Identity {
    let key = Some(Key::new(&KEY).expect("a key"));
    Identity { trim_ppm: -7, sound: true, ..identity(Encoding::Binary, key) }
}

fn unnamed() -> PicoClock {
    let mut clock = PicoClock::unnamed(&firmware(Display::Oled), &Options::default());
    clock.pass(200_000);
    clock
}

#[test]
fn a_name_is_given_once_and_without_one_nothing_is_said() {
    let mut clock = unnamed();
    clock.push(Contact::Stop);
    clock.pass(2_000_000);
    assert!(!clock.outs.is_empty(), "it plays");
    assert!(clock.bytes.is_empty(), "and says nothing");
    let asked = clock.provision(&Provision::Ask).expect("it answers");
    assert_eq!((asked.clock, asked.sealed), (None, false));
    let given = clock.provision(&Provision::Be(sealed())).expect("it takes a name");
    assert_eq!((given.clock, given.sealed), (Some(sealed().clock), true));
    clock.heard("the boot under its name", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    assert_eq!(clock.provision(&Provision::Be(sealed())), Err(ProvisionError::Already));
    let other = Identity { clock: "B02".parse().expect("a name"), ..identity(Encoding::Json, None) };
    assert_eq!(clock.provision(&Provision::Be(other)), Err(ProvisionError::Already));
    let asked = clock.provision(&Provision::Ask).expect("it answers");
    assert_eq!(
        (asked.clock, asked.sealed, asked.encoding, asked.trim_ppm, asked.sound),
        (Some(sealed().clock), true, Encoding::Binary, -7, true)
    );
}

/// The clock is taken for nothing else than what it said it is.
#[test]
fn the_key_is_nowhere_in_what_it_says() {
    let mut clock = unnamed();
    clock.provision(&Provision::Be(sealed())).expect("it takes a name");
    clock.heard("a boot", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    start(&mut clock);
    for number in 0..6 {
        clock.pass(900_000);
        clock.push(lever([Side::Left, Side::Right][number % 2]));
    }
    clock.order(flagfall_clock::Action::Describe).expect("it tells of itself");
    clock.provision(&Provision::Ask).expect("it answers");
    let _ = clock.provision(&Provision::Be(sealed()));
    // Cut in the middle, too: what it says then.
    clock.cut(3);
    clock.pico.power();
    clock.pass(3_000_000);
    assert!(clock.bytes.len() > 1_000 && clock.broken == 0);
    let hex: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    for secret in [&KEY[..8], &KEY[24..], &hex.as_bytes()[..12], &hex.to_uppercase().as_bytes()[..12]] {
        assert!(!clock.bytes.windows(secret.len()).any(|said| said == secret), "it told its key");
    }
}

/// Left lever, right lever and key, from power-up on for so long, in milliseconds.
fn held(clock: &mut PicoClock, ms: u64) {
    let three = [Contact::Left, Contact::Right, Contact::Key];
    clock.cut(1);
    for contact in three {
        clock.pico.press(contact, true);
    }
    clock.pico.power();
    clock.pass(ms * 1_000);
    for contact in three {
        clock.pico.press(contact, false);
    }
    clock.pass(2_000_000);
}

fn name(clock: &mut PicoClock) -> Option<String> {
    clock.provision(&Provision::Ask).expect("it answers").clock.map(|name| name.as_str().to_owned())
}

#[test]
fn three_hands_for_ten_seconds_take_the_name_away_and_the_boots_go_on_counting() {
    let mut clock = unnamed();
    clock.provision(&Provision::Be(sealed())).expect("it takes a name");
    clock.heard("a boot", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    held(&mut clock, 9_000);
    assert_eq!(name(&mut clock).as_deref(), Some("A01"), "nine seconds are not enough");
    let boot = clock.last().boot;
    held(&mut clock, 11_000);
    assert_eq!(name(&mut clock), None);
    clock.provision(&Provision::Be(sealed())).expect("it takes a name again");
    let again = clock.heard("a boot", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
    assert!(again.boot > boot, "boot {} after {boot}", again.boot);
    let Some(ClockEvent::Boot(about)) = again.event else { unreachable!("that was looked for") };
    assert!(!about.restored, "the game went with the name");
}

/// It is told its name and the power goes, 40 times: it has the whole name or none, and what it has answered is so.
#[test]
fn a_cut_while_it_gets_its_name_leaves_no_half_of_it() {
    let (mut chance, mut named) = (Chance::new(40), 0);
    let mut clock = unnamed();
    for number in 0..40 {
        let mut line = [0; flagfall_clock::MAX_PROVISION];
        let len = flagfall_clock::line_provision(&Provision::Be(sealed()), &mut line).expect("it fits");
        let answers = clock.answers.len();
        clock.pico.feed(&line[..len]);
        // The line takes 16 ms, then two sectors are erased and written.
        clock.pass(chance.between(10_000, 220_000));
        clock.cut(u32::try_from(chance.between(1, 1 << 30)).expect("it fits"));
        let told = clock.answers.len() > answers;
        clock.pass(100_000);
        clock.pico.power();
        clock.pass(300_000);
        let asked = clock.provision(&Provision::Ask).expect("it answers");
        let whole = (asked.sealed, asked.encoding, asked.trim_ppm, asked.sound);
        match asked.clock {
            Some(name) => {
                assert_eq!(
                    (name, whole),
                    (sealed().clock, (true, Encoding::Binary, -7, true)),
                    "cut {number}"
                );
                named += 1;
                held(&mut clock, 10_500);
                assert_eq!(self::name(&mut clock), None);
            }
            None => assert!(!told && !asked.sealed, "cut {number}: it had answered"),
        }
    }
    println!("40 cuts: {named} named, {} nameless", 40 - named);
    assert!((5..=35).contains(&named), "{named} of 40: the cuts are not where it is written");
}
