//! Whatever is asked in whatever order, what is seen in the end is what a new screen would show.

use crate::face::{any_face, settle};
use crate::{max7219, ssd1306};
use flagfall_device::screen::{ADDRESS, Digits, Face, Oled, Screen};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Show(Box<Face>),
    Slices(usize),
    Refresh,
    /// The bus fails at so many messages from now; the owner restarts the screen, as it must.
    Fails(usize),
    /// The display is without power for a moment, the owner restarts the screen.
    Replugged,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => any_face().prop_map(|face| Step::Show(Box::new(face))),
        6 => (0..12usize).prop_map(Step::Slices),
        1 => Just(Step::Refresh),
        1 => (0..12usize).prop_map(Step::Fails),
        1 => Just(Step::Replugged),
    ];
    prop::collection::vec(step, 0..30)
}

fn slices<S: Screen>(screen: &mut S, slices: usize) {
    for _ in 0..slices {
        match screen.slice() {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => screen.restart(),
        }
    }
}

/// A face in which little differs, as from one second to the next.
fn near() -> impl Strategy<Value = (Face, Face)> {
    (any_face(), any_face(), 0..14u8).prop_map(|(face, other, what)| {
        let mut next = face.clone();
        let (from, to) = (other.display, &mut next.display);
        match what {
            0 => to.left = from.left,
            1 => to.right = from.right,
            2 => to.mode = from.mode,
            3 => to.running = from.running,
            4 => to.flag = from.flag,
            5 => to.period_flag = from.period_flag,
            6 => to.left_beside = from.left_beside,
            7 => to.right_beside = from.right_beside,
            8 => to.ready = from.ready,
            9 => to.number = from.number,
            10 => to.blank = from.blank,
            11 => to.battery_low = from.battery_low,
            12 => to.periods = from.periods,
            _ => (next.link_waits, next.nameless) = (other.link_waits, other.nameless),
        }
        (face, next)
    })
}

fn oled_picture(face: &Face) -> ssd1306::Pixels {
    let bus = ssd1306::Bus::new();
    let mut screen = Oled::new(bus.clone(), ADDRESS);
    screen.show(face);
    settle(&mut screen);
    bus.seen()
}

fn digits_picture(face: &Face) -> (String, String) {
    let bus = max7219::Bus::new();
    let mut screen = Digits::new(bus.clone());
    screen.show(face);
    settle(&mut screen);
    bus.seen()
}

proptest! {
    #[test]
    fn an_oled_shows_the_last_face_whatever_came_before(steps in steps(), last in any_face()) {
        let bus = ssd1306::Bus::new();
        let mut screen = Oled::new(bus.clone(), ADDRESS);
        for step in steps {
            match step {
                Step::Show(face) => screen.show(&face),
                Step::Slices(count) => slices(&mut screen, count),
                Step::Refresh => screen.refresh(),
                Step::Fails(after) => {
                    bus.0.borrow_mut().fails_after = Some(after);
                    slices(&mut screen, 13);
                    bus.0.borrow_mut().fails_after = None;
                }
                Step::Replugged => {
                    bus.0.borrow_mut().power_up();
                    screen.restart();
                }
            }
        }
        screen.show(&last);
        settle(&mut screen);
        prop_assert_eq!(bus.seen(), oled_picture(&last));
    }

    #[test]
    fn digits_show_the_last_face_whatever_came_before(steps in steps(), last in any_face()) {
        let bus = max7219::Bus::new();
        let mut screen = Digits::new(bus.clone());
        for step in steps {
            match step {
                Step::Show(face) => screen.show(&face),
                Step::Slices(count) => slices(&mut screen, count),
                Step::Refresh => screen.refresh(),
                Step::Fails(after) => {
                    bus.0.borrow_mut().fails_after = Some(after);
                    slices(&mut screen, 13);
                    bus.0.borrow_mut().fails_after = None;
                }
                Step::Replugged => {
                    bus.0.borrow_mut().spark(0xb3);
                    screen.restart();
                }
            }
        }
        screen.show(&last);
        settle(&mut screen);
        prop_assert_eq!(bus.seen(), digits_picture(&last));
    }

    #[test]
    fn a_small_change_is_shown_whole((before, after) in near()) {
        let bus = ssd1306::Bus::new();
        let mut screen = Oled::new(bus.clone(), ADDRESS);
        screen.show(&before);
        settle(&mut screen);
        screen.show(&after);
        settle(&mut screen);
        prop_assert_eq!(bus.seen(), oled_picture(&after));

        let bus = max7219::Bus::new();
        let mut screen = Digits::new(bus.clone());
        screen.show(&before);
        settle(&mut screen);
        screen.show(&after);
        settle(&mut screen);
        prop_assert_eq!(bus.seen(), digits_picture(&after));
    }

    #[test]
    fn no_slice_keeps_the_bus_for_more_than_a_millisecond(faces in prop::collection::vec(any_face(), 1..6)) {
        let (i2c, spi) = (ssd1306::Bus::new(), max7219::Bus::new());
        let (mut oled, mut digits) = (Oled::new(i2c.clone(), ADDRESS), Digits::new(spi.clone()));
        for face in faces {
            oled.show(&face);
            digits.show(&face);
            oled.refresh();
            digits.refresh();
            loop {
                let (bits, bytes) = (i2c.0.borrow().bits, spi.0.borrow().bytes);
                let more = (oled.slice().unwrap(), digits.slice().unwrap());
                prop_assert!(i2c.0.borrow().bits - bits <= 400, "1 ms at 400 kHz");
                prop_assert!(spi.0.borrow().bytes - bytes <= 32);
                if more == (false, false) {
                    break;
                }
            }
        }
    }
}
