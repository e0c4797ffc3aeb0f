//! The texts and the faults of two MAX7219.

use crate::face::{face, running, settle};
use crate::max7219::Bus;
use embedded_hal_mock::eh1::spi::{Mock, Transaction};
use flagfall_clock::Side;
use flagfall_device::screen::{Digits, Face, Screen};
use flagfall_firmware::{Beside, Mode, shown};

fn seen(face: &Face) -> (String, String) {
    let bus = Bus::new();
    let mut digits = Digits::new(bus.clone());
    digits.show(face);
    settle(&mut digits);
    bus.seen()
}

/// What a running left side shows with `change`.
fn left(time: &str, change: impl FnOnce(&mut Face)) -> String {
    let mut face = running(time, "5:00", Side::Left);
    change(&mut face);
    seen(&face).0
}

#[test]
fn times_have_points_for_colons() {
    for (ms, below, text) in [
        (3_000_000, 0, "    50.00"),
        (300_000, 0, "     5.00"),
        (5_025_000, 0, "   1.23.45"),
        (36_000_000, 0, "  10.00.00"),
        (359_999_000, 0, "  99.59.59"),
        (i64::MAX, 0, " 999.59.59"),
        (19_900, 20_000, "    0.19.9"),
        (0, 20_000, "     0.00"),
    ] {
        let mut idle = face("", "5:00");
        idle.display.left = shown(ms, below);
        assert_eq!(seen(&idle), (String::from(text), String::from("     5.00")), "{ms}");
    }
}

#[test]
fn the_side_that_runs_has_its_mark() {
    assert_eq!(seen(&running("49:38", "1:50:15", Side::Left)), ("=   49.38".into(), "   1.50.15".into()));
    assert_eq!(seen(&running("49:38", "999:59:59", Side::Right)), ("    49.38".into(), "=999.59.59".into()));
}

#[test]
fn what_stands_beside_never_touches_the_time() {
    let periods = |n| move |face: &mut Face| face.display.left_beside = Beside::PeriodsLeft(n);
    let moves = |n| move |face: &mut Face| face.display.left_beside = Beside::MovesToGo(n);
    let delay = |ms| move |face: &mut Face| face.display.left_beside = Beside::DelayMs(ms);
    for (text, now) in [
        ("=P3  0.28", left("0:28", periods(3))),
        ("=P12 0.28", left("0:28", periods(12))),
        ("=123 0.28", left("0:28", periods(123))),
        ("=    0.28", left("0:28", periods(12_345))),
        ("=n9  4.59", left("4:59", moves(9))),
        ("=n9 10.00", left("10:00", moves(9))),
        ("=25 10.00", left("10:00", moves(25))),
        ("=9 1.00.00", left("1:00:00", moves(9))),
        ("=  1.00.00", left("1:00:00", moves(25))),
        ("=d5 24.10", left("24:10", delay(4_100))),
        ("= 10.24.10", left("10:24:10", delay(4_100))),
        ("=    5.00", left("5:00", delay(i64::MAX))),
    ] {
        assert_eq!(now, text);
    }
}

#[test]
fn signs_stand_in_the_second_digit() {
    let mut fallen = face("0:00", "6:12");
    (fallen.display.mode, fallen.display.flag) = (Mode::Flag, Some(Side::Left));
    assert_eq!(seen(&fallen), (" F   0.00".into(), "     6.12".into()));
    fallen.display.battery_low = true;
    assert_eq!(seen(&fallen), (" F   0.00".into(), " b   6.12".into()));

    let mut ready = face("50:00", "50:00");
    ready.display.ready = (false, true);
    assert_eq!(seen(&ready), ("    50.00".into(), " _  50.00".into()));

    assert_eq!(left("1:00:00", |face| face.display.period_flag = Some(Side::Left)), "=\" 1.00.00");
    assert_eq!(left("1:00", |face| face.link_waits = true), "=.    1.00");
    let low = |periods, time| {
        left(time, |face| {
            (face.display.battery_low, face.display.left_beside) = (true, Beside::PeriodsLeft(periods));
        })
    };
    assert_eq!(low(3, "0:28"), "=bP3 0.28");
    assert_eq!(low(3, "10:00"), "=b3 10.00");
    assert_eq!(low(12, "10:00"), "=12 10.00", "periods count more than the battery");
}

#[test]
fn numbers_results_names_and_darkness() {
    let mut number = face("50:00", "50:00");
    number.display.number = Some(42);
    assert_eq!(seen(&number), (" t    42".into(), " t    42".into()));
    number.display.number = Some(u16::MAX);
    assert_eq!(seen(&number).0, " t 65535");

    let mut over = face("1/2", "1/2");
    over.display.mode = Mode::Over;
    assert_eq!(seen(&over), ("     1-2".into(), "     1-2".into()));
    assert_eq!(seen(&face("1", "0")), ("       1".into(), "       0".into()));

    let mut nameless = face("5:00", "5:00");
    nameless.nameless = true;
    assert_eq!(seen(&nameless), ("no   5.00".into(), "no   5.00".into()));
    nameless.display.ready.0 = true;
    assert_eq!(seen(&nameless).0, "n_   5.00");
    nameless.display.mode = Mode::Stopped;
    assert_eq!(seen(&nameless).1, "     5.00");

    nameless.display.blank = true;
    assert_eq!(seen(&nameless), ("        ".into(), "        ".into()));
}

#[test]
fn the_messages_are_those_of_the_data_sheet() {
    let settings = [[0x0f, 0], [0x0b, 7], [0x09, 0], [0x0a, 8]];
    // `50.00` on the left, `5.00` on the right, the leftmost digit in register 8.
    let digits = [
        ([8, 0], [8, 0]),
        ([7, 0], [7, 0]),
        ([6, 0], [6, 0]),
        ([5, 0], [5, 0]),
        ([4, 0x00], [4, 0x5b]),
        ([3, 0x5b | 0x80], [3, 0x7e | 0x80]),
        ([2, 0x7e], [2, 0x7e]),
        ([1, 0x7e], [1, 0x7e]),
    ];
    let mut expected = Vec::new();
    let both =
        settings.map(|message| (message, message)).into_iter().chain(digits).chain([([0x0c, 1], [0x0c, 1])]);
    for (right, left) in both {
        expected.push(Transaction::transaction_start());
        expected.push(Transaction::write_vec([right, left].concat()));
        expected.push(Transaction::transaction_end());
    }
    let mut spi = Mock::new(&expected);
    let mut screen = Digits::new(spi.clone());
    screen.show(&face("50:00", "5:00"));
    assert_eq!(settle(&mut screen), 2);
    spi.done();
}

#[test]
fn a_second_is_one_message_and_a_spark_lasts_until_the_refresh() {
    let bus = Bus::new();
    let mut screen = Digits::new(bus.clone());
    screen.show(&running("49:38", "50:15", Side::Left));
    settle(&mut screen);
    let messages = bus.0.borrow().messages;
    screen.show(&running("49:37", "50:15", Side::Left));
    assert_eq!(settle(&mut screen), 1);
    assert_eq!(bus.0.borrow().messages, messages + 1);

    bus.0.borrow_mut().spark(0xd1);
    screen.refresh();
    settle(&mut screen);
    assert_eq!(bus.seen(), ("=   49.37".into(), "    50.15".into()));
}
