//! The texts, the costs and the faults of an SSD1306.

use crate::face::{face, running, settle};
use crate::ssd1306::{Bus, Pixels};
use eg_seven_segment::SevenSegmentStyleBuilder;
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X13_BOLD};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use flagfall_clock::Side;
use flagfall_device::screen::{ADDRESS, Face, Oled, Screen};
use flagfall_firmware::{Beside, Clock, Input, Settings};

fn screen() -> (Oled<Bus>, Bus) {
    let bus = Bus::new();
    (Oled::new(bus.clone(), ADDRESS), bus)
}

fn picture(face: &Face) -> Pixels {
    let (mut oled, bus) = screen();
    oled.show(face);
    settle(&mut oled);
    bus.seen()
}

/// Bytes on the bus, addresses among them, and slices from one face to the next.
fn cost(before: &Face, after: &Face) -> (usize, usize) {
    let (mut oled, bus) = screen();
    oled.show(before);
    settle(&mut oled);
    let bytes = bus.0.borrow().bytes;
    oled.show(after);
    let slices = settle(&mut oled);
    let bytes = bus.0.borrow().bytes - bytes;
    (bytes, slices)
}

/// Draws `text` as the crate of the digits would write it in one go.
fn write(pixels: &mut Pixels, text: &str, (x, y): (i32, i32), digit: (u32, u32), stroke: u32, gap: u32) {
    let style = SevenSegmentStyleBuilder::new()
        .digit_size(digit.into())
        .digit_spacing(gap)
        .segment_width(stroke)
        .segment_color(BinaryColor::On)
        .build();
    Text::with_baseline(text, Point::new(x, y), style, Baseline::Top).draw(pixels).unwrap();
}

fn fill(pixels: &mut Pixels, x: i32, y: i32, w: u32, h: u32) {
    pixels.fill_solid(&Rectangle::new(Point::new(x, y), Size::new(w, h)), BinaryColor::On).unwrap();
}

#[test]
fn times_are_written_as_large_as_they_fit() {
    let mut expected = Pixels::DARK;
    write(&mut expected, "50:00", (0, 16), (12, 38), 3, 2);
    write(&mut expected, "1:30:00", (67, 18), (9, 34), 2, 2);
    fill(&mut expected, 0, 56, 62, 8);
    assert_eq!(picture(&running("50:00", "1:30:00", Side::Left)), expected);

    let mut expected = Pixels::DARK;
    write(&mut expected, "0:19.9", (0, 16), (11, 38), 3, 2);
    write(&mut expected, "5:00", (70, 16), (15, 38), 4, 3);
    fill(&mut expected, 66, 56, 62, 8);
    assert_eq!(picture(&running("0:19.9", "5:00", Side::Right)), expected);
}

#[test]
fn what_stands_beside_is_written_above_the_time() {
    let mut face = running("0:28", "4:59", Side::Left);
    (face.display.left_beside, face.display.right_beside) = (Beside::PeriodsLeft(3), Beside::MovesToGo(12));
    let mut expected = picture(&running("0:28", "4:59", Side::Left));
    let style = MonoTextStyle::new(&FONT_6X13_BOLD, BinaryColor::On);
    for (text, x) in [("P3", 50), ("M12", 110)] {
        Text::with_baseline(text, Point::new(x, 0), style, Baseline::Top).draw(&mut expected).unwrap();
    }
    assert_eq!(picture(&face), expected);
}

#[test]
fn each_sign_is_on_its_side() {
    let plain = picture(&face("5:00", "5:00"));
    let lit = |change: fn(&mut Face), columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
        let mut face = face("5:00", "5:00");
        change(&mut face);
        let now = picture(&face);
        let mut count = 0;
        for (x, y) in (0..128).flat_map(|x| (0..64).map(move |y| (x, y))) {
            let inside = columns.contains(&x) && rows.contains(&y);
            assert!(inside || now.at(x, y) == plain.at(x, y), "({x}, {y}) is none of its business");
            count += usize::from(inside && now.at(x, y));
        }
        assert!(count > 15, "{count} pixels are hardly seen");
    };
    lit(|face| face.display.flag = Some(Side::Left), 0..13, 0..15);
    lit(|face| face.display.flag = Some(Side::Right), 66..79, 0..15);
    lit(|face| face.display.period_flag = Some(Side::Left), 14..27, 0..14);
    lit(|face| face.display.period_flag = Some(Side::Right), 80..93, 0..14);
    lit(|face| face.display.ready.0 = true, 0..13, 0..15);
    lit(|face| face.display.ready.1 = true, 66..79, 0..15);
    lit(|face| face.display.running = Some(Side::Left), 0..62, 56..64);
    lit(|face| face.display.running = Some(Side::Right), 66..128, 56..64);
    lit(|face| face.display.battery_low = true, 48..62, 56..64);
    lit(|face| face.link_waits = true, 66..80, 56..64);
    lit(|face| face.nameless = true, 20..62, 0..14);
    lit(|face| face.display.periods.1 = 2, 92..128, 0..14);
}

#[test]
fn a_second_costs_few_bytes() {
    let second = cost(&running("49:38", "50:15", Side::Left), &running("49:37", "50:15", Side::Left));
    let tenth = cost(&running("0:19.9", "50:15", Side::Left), &running("0:19.8", "50:15", Side::Left));
    let minute = cost(&running("49:00", "50:15", Side::Left), &running("48:59", "50:15", Side::Left));
    let press = cost(&running("49:38", "50:15", Side::Left), &running("49:53", "50:15", Side::Right));
    let (mut oled, bus) = screen();
    let first = (settle(&mut oled), bus.0.borrow().bytes);
    println!("second {second:?} tenth {tenth:?} minute {minute:?} press {press:?} all {first:?}");
    assert_eq!(cost(&face("5:00", "5:00"), &face("5:00", "5:00")).0, 0);
    // 13 columns of 5 pages with their addresses.
    assert!(second.0 <= 130 && tenth.0 <= 130, "{second:?} {tenth:?}");
    assert!(minute.0 <= 330, "{minute:?}");
    assert!(press.0 <= 420, "{press:?}");
}

#[test]
fn a_second_of_a_real_game_touches_nothing_else() {
    let mut clock = Clock::new(Settings::new("A01".parse().unwrap(), 1), 0);
    clock.input(1_000, Input::StopButton { down: true });
    let (mut oled, bus) = screen();
    let mut most = 0;
    for second in 0..3_000u64 {
        let at = 1_010 + second * 1_000;
        clock.poll(at);
        while clock.next_report().is_some() {}
        oled.show(&Face { display: clock.display(at), link_waits: false, nameless: false });
        let bytes = bus.0.borrow().bytes;
        settle(&mut oled);
        if second > 0 {
            most = most.max(bus.0.borrow().bytes - bytes);
        }
    }
    println!("most in one second: {most} bytes");
    assert!(most <= 800, "{most}");
}

#[test]
fn nothing_is_seen_before_the_picture_is_whole() {
    let (mut oled, bus) = screen();
    let face = running("49:38", "50:15", Side::Left);
    oled.show(&face);
    while oled.slice().unwrap() {
        assert_eq!(bus.seen(), Pixels::DARK);
    }
    assert_eq!(bus.seen(), picture(&face));
}

#[test]
fn a_display_that_is_not_there_is_an_error_and_heals() {
    let (mut oled, bus) = screen();
    let face = running("49:38", "50:15", Side::Left);
    oled.show(&face);
    bus.0.borrow_mut().gone = true;
    assert!(oled.slice().is_err());
    assert!(oled.slice().is_err());
    bus.0.borrow_mut().power_up();
    oled.restart();
    settle(&mut oled);
    assert_eq!(bus.seen(), picture(&face));

    // Pulled out while nothing changes: the refresh misses it.
    bus.0.borrow_mut().gone = true;
    assert_eq!(oled.slice(), Ok(false));
    oled.refresh();
    assert!(oled.slice().is_err());
}

#[test]
fn eight_refreshes_mend_everything() {
    let (mut oled, bus) = screen();
    let face = running("49:38", "50:15", Side::Left);
    oled.show(&face);
    settle(&mut oled);
    bus.0.borrow_mut().power_up();
    for _ in 0..8 {
        oled.refresh();
        let slices = settle(&mut oled);
        assert!(slices <= 6, "{slices}");
    }
    assert_eq!(bus.seen(), picture(&face));
}
