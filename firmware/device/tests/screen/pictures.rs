//! What some faces look like, kept beside this file to be looked at when it changes.

use crate::face::{face, running, settle};
use crate::{max7219, ssd1306};
use flagfall_clock::Side;
use flagfall_device::screen::{ADDRESS, Digits, Face, Oled, Screen};
use flagfall_firmware::{Beside, Mode};

fn faces() -> Vec<(&'static str, Face)> {
    let with = |mut face: Face, change: fn(&mut Face)| {
        change(&mut face);
        face
    };
    vec![
        ("as new, both tried", with(face("50:00", "50:00"), |f| f.display.ready = (true, true))),
        ("as new, without a name", with(face("5:00", "5:00"), |f| f.nameless = true)),
        ("table 42", with(face("50:00", "50:00"), |f| f.display.number = Some(42))),
        ("table 1234", with(face("50:00", "50:00"), |f| f.display.number = Some(1234))),
        ("left runs", running("49:38", "50:15", Side::Left)),
        (
            "right runs, in the second period",
            with(running("1:30:00", "29:59", Side::Right), |f| f.display.periods = (1, 2)),
        ),
        (
            "left runs, tenths, all waits",
            with(running("0:19.9", "3:07", Side::Left), |f| {
                (f.display.battery_low, f.link_waits) = (true, true);
            }),
        ),
        ("both over an hour", running("1:30:00", "10:28:46", Side::Right)),
        (
            "byo-yomi",
            with(running("0:28", "12:40", Side::Left), |f| f.display.left_beside = Beside::PeriodsLeft(3)),
        ),
        (
            "moves to go",
            with(running("4:59", "10:00", Side::Right), |f| {
                (f.display.left_beside, f.display.right_beside) =
                    (Beside::MovesToGo(9), Beside::MovesToGo(10));
            }),
        ),
        (
            "delay",
            with(running("24:10", "25:00", Side::Left), |f| f.display.left_beside = Beside::DelayMs(4_100)),
        ),
        (
            "flag",
            with(face("0:00", "6:12"), |f| {
                (f.display.mode, f.display.flag) = (Mode::Flag, Some(Side::Left));
            }),
        ),
        (
            "period sign",
            with(running("1:00:00", "59:59", Side::Left), |f| {
                (f.display.period_flag, f.display.periods) = (Some(Side::Left), (2, 2));
            }),
        ),
        ("won", with(face("1", "0"), |f| f.display.mode = Mode::Over)),
        ("drawn", with(face("1/2", "1/2"), |f| f.display.mode = Mode::Over)),
        ("up for days", running("100:00:01", "999:59:59", Side::Right)),
        ("dark", with(face("50:00", "50:00"), |f| f.display.blank = true)),
    ]
}

#[test]
fn faces_look_as_they_did() {
    let mut text = String::new();
    for (name, face) in faces() {
        let bus = ssd1306::Bus::new();
        let mut oled = Oled::new(bus.clone(), ADDRESS);
        oled.show(&face);
        settle(&mut oled);
        let chain = max7219::Bus::new();
        let mut digits = Digits::new(chain.clone());
        digits.show(&face);
        settle(&mut digits);
        let (left, right) = chain.seen();
        text.push_str(&format!("{name}\n[{left}] [{right}]\n{}\n", bus.seen().braille()));
    }
    let kept = include_str!("pictures.txt");
    assert!(text == kept, "look at it, and put it into pictures.txt where it is better:\n{text}");
}
