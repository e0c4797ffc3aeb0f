//! Faces to be shown.

use flagfall_clock::Side;
use flagfall_device::screen::{Face, Screen};
use flagfall_firmware::{Beside, Display, Mode, shown};
use proptest::prelude::*;

/// A side's text.
pub fn text(text: &str) -> flagfall_firmware::Shown {
    text.try_into().unwrap()
}

/// A clock as new.
pub fn face(left: &str, right: &str) -> Face {
    let display = Display {
        left: text(left),
        right: text(right),
        mode: Mode::Idle,
        running: None,
        flag: None,
        period_flag: None,
        left_beside: Beside::Nothing,
        right_beside: Beside::Nothing,
        ready: (false, false),
        number: None,
        blank: false,
        battery_low: false,
        periods: (1, 1),
    };
    Face { display, link_waits: false, nameless: false }
}

/// One in a game, `side` runs.
pub fn running(left: &str, right: &str, side: Side) -> Face {
    let mut face = face(left, right);
    (face.display.mode, face.display.running) = (Mode::Running, Some(side));
    face
}

/// Sends all that is due; how many slices it took.
pub fn settle<S: Screen>(screen: &mut S) -> usize {
    (1..=80).find(|_| !screen.slice().expect("the bus works")).expect("it comes to an end")
}

fn any_side() -> impl Strategy<Value = Option<Side>> {
    prop_oneof![Just(None), Just(Some(Side::Left)), Just(Some(Side::Right))]
}

fn any_time() -> impl Strategy<Value = flagfall_firmware::Shown> {
    let ms =
        prop_oneof![-5_000..70_000i64, 0..20_000_000i64, Just(i64::MAX), Just(0), 3_599_000..3_601_000i64];
    prop_oneof![
        12 => (ms, prop_oneof![Just(0), Just(20_000)]).prop_map(|(ms, below)| shown(ms, below)),
        1 => prop_oneof![Just("1"), Just("0"), Just("1/2")].prop_map(text),
    ]
}

fn any_beside() -> impl Strategy<Value = Beside> {
    prop_oneof![
        4 => Just(Beside::Nothing),
        1 => any::<u16>().prop_map(Beside::PeriodsLeft),
        1 => (0..20u16).prop_map(Beside::PeriodsLeft),
        1 => any::<u16>().prop_map(Beside::MovesToGo),
        1 => (0..40u16).prop_map(Beside::MovesToGo),
        1 => any::<i64>().prop_map(Beside::DelayMs),
        1 => (0..20_000i64).prop_map(Beside::DelayMs),
    ]
}

prop_compose! {
    /// Any face, the impossible ones too: what the core decides is not this layer's to judge.
    pub fn any_face()(
        (left, right) in (any_time(), any_time()),
        mode in prop_oneof![Just(Mode::Idle), Just(Mode::Running), Just(Mode::Stopped), Just(Mode::Flag)],
        (running, flag, period_flag) in (any_side(), any_side(), any_side()),
        (left_beside, right_beside) in (any_beside(), any_beside()),
        ready in any::<(bool, bool)>(),
        number in prop_oneof![6 => Just(None), 1 => (0..10_000u16).prop_map(Some), 1 => any::<u16>().prop_map(Some)],
        (blank, battery_low) in (proptest::bool::weighted(0.1), any::<bool>()),
        periods in prop_oneof![Just((1, 1)), any::<(u8, u8)>()],
        (link_waits, nameless) in any::<(bool, bool)>(),
    ) -> Face {
        let display = Display {
            left, right, mode, running, flag, period_flag, left_beside, right_beside, ready, number, blank,
            battery_low, periods,
        };
        Face { display, link_waits, nameless }
    }
}
