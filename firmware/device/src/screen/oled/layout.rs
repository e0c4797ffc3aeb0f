//! What stands where on 128 x 64 pixels. Each half belongs to the side it is on.
//!
//! ```text
//! rows  0-14  flag or ready, period sign    | what stands beside the time, to the right
//! rows 16-53  the time, as large as it fits | or the table's number across both halves
//! rows 56-63  the bar of the side that runs | low battery and waiting link in the middle
//! ```

use super::signs::Sign;
use super::size::Size;
use super::stale::Area;
use crate::screen::Face;
use flagfall_clock::Side;
use flagfall_firmware::{Beside, Mode, put_number, shown_seconds};
use heapless::String;

/// Columns of the whole.
const WIDTH: u8 = 128;
/// Columns of a half.
const HALF: u8 = 62;
/// First row and rows of the bar.
const BAR: (u8, u8) = (56, 8);
/// Columns that the bar leaves in the middle for a sign.
const BESIDE_BAR: u8 = 18;
/// Columns and rows of a letter of the small font.
const LETTER: (u8, u8) = (6, 13);

/// Characters of a time.
const TIME: usize = 9;
/// Characters of a result at most; a time has more.
const RESULT: usize = 3;
/// Letters of a note. Six leave room for two signs; the seventh is in `no name` only, where there is one sign.
const NOTE: usize = 7;

/// Something to be seen, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// First column.
    pub x: u8,
    /// First row.
    pub y: u8,
    /// Columns.
    pub w: u8,
    /// Rows.
    pub h: u8,
    /// What it is.
    pub what: What,
}

/// What is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing.
    Nothing,
    /// A full rectangle.
    Fill,
    /// A digit of seven segments.
    Digit {
        /// `0` to `9`.
        digit: u8,
        /// How wide a segment is.
        stroke: u8,
    },
    /// Two squares, one above the other.
    Colon,
    /// The stroke of 1/2.
    Slash,
    /// A letter of the small font.
    Letter(u8),
    /// A small sign.
    Sign(Sign),
}

impl Item {
    const NOTHING: Self = Self { x: 0, y: 0, w: 0, h: 0, what: What::Nothing };

    const fn sign(x: u8, y: u8, sign: Sign) -> Self {
        let (w, h) = sign.size();
        Self { x, y, w, h, what: What::Sign(sign) }
    }

    /// Where it stands.
    pub const fn area(&self) -> Area {
        Area { x: self.x, y: self.y, w: self.w, h: self.h }
    }
}

/// A side's half. Each thing has a place of its own, so that two pictures are compared place by place.
#[derive(Clone, Debug)]
struct Half {
    time: [Item; TIME],
    note: [Item; NOTE],
    /// Flag or ready, period sign, bar.
    signs: [Item; 3],
}

/// All that is to be seen.
#[derive(Clone, Debug)]
pub struct Picture {
    left: Half,
    right: Half,
    /// Battery, link.
    both: [Item; 2],
}

impl Picture {
    /// Nothing at all.
    pub const fn dark() -> Self {
        Self { left: Half::DARK, right: Half::DARK, both: [Item::NOTHING; 2] }
    }

    /// What a face looks like.
    #[inline(never)]
    pub fn of(face: &Face) -> Self {
        let display = &face.display;
        if display.blank {
            return Self::dark();
        }
        let mut left = Half::of(face, Side::Left);
        let mut right = Half::of(face, Side::Right);
        if let Some(number) = display.number {
            let mut text = String::<5>::new();
            put_number(&mut text, u32::from(number), 1);
            let size = Size::NUMBER;
            size.place(&mut left.time, &text, (WIDTH - size.width(&text)) / 2);
        } else {
            for (half, text, side) in
                [(&mut left, &display.left, Side::Left), (&mut right, &display.right, Side::Right)]
            {
                let size = Size::of(text.len());
                let room = WIDTH / 2 - size.width(text);
                let x = match side {
                    // A result stands in the middle of its half.
                    Side::Left if text.len() <= RESULT => room / 2,
                    Side::Right if text.len() <= RESULT => WIDTH / 2 + room / 2,
                    // A time at the outer edge: a line between the two could be taken for a 1.
                    Side::Left => 0,
                    Side::Right => WIDTH / 2 + room,
                };
                size.place(&mut half.time, text, x);
            }
        }
        let mut both = [Item::NOTHING; 2];
        if display.battery_low {
            both[0] = Item::sign(HALF - Sign::Battery.size().0, BAR.0, Sign::Battery);
        }
        if face.link_waits {
            both[1] = Item::sign(WIDTH - HALF, BAR.0, Sign::Link);
        }
        Self { left, right, both }
    }

    /// Everything, always as many and in the same order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.left.items().chain(self.right.items()).chain(&self.both)
    }
}

impl Half {
    const DARK: Self =
        Self { time: [Item::NOTHING; TIME], note: [Item::NOTHING; NOTE], signs: [Item::NOTHING; 3] };

    /// All of a side but its time.
    fn of(face: &Face, side: Side) -> Self {
        let display = &face.display;
        let nameless = face.nameless && display.mode == Mode::Idle;
        let (x, ready, note) = match side {
            Side::Left => (0, display.ready.0, note(display.left_beside, display.periods.0, nameless)),
            Side::Right => {
                (WIDTH - HALF, display.ready.1, note(display.right_beside, display.periods.1, false))
            }
        };
        let mut half = Self::DARK;
        let end = x + HALF;
        for ((item, letter), from_end) in half.note.iter_mut().zip(note.bytes().rev()).zip(1..) {
            *item = Item {
                x: end - from_end * LETTER.0,
                y: 0,
                w: LETTER.0,
                h: LETTER.1,
                what: What::Letter(letter),
            };
        }
        let [corner, period, bar] = &mut half.signs;
        if display.flag == Some(side) {
            *corner = Item::sign(x, 0, Sign::Flag);
        } else if ready {
            *corner = Item::sign(x, 0, Sign::Ready);
        }
        if display.period_flag == Some(side) {
            *period = Item::sign(x + 14, 0, Sign::Period);
        }
        if display.running == Some(side) {
            let (from, to) = match side {
                Side::Left if display.battery_low => (x, end - BESIDE_BAR),
                Side::Right if face.link_waits => (x + BESIDE_BAR, end),
                Side::Left | Side::Right => (x, end),
            };
            *bar = Item { x: from, y: BAR.0, w: to - from, h: BAR.1, what: What::Fill };
        }
        half
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        self.time.iter().chain(&self.note).chain(&self.signs)
    }
}

/// What stands small beside a time: periods left, moves to go, seconds of the delay, or else the period where it is not
/// the first.
#[inline(never)]
fn note(beside: Beside, period: u8, nameless: bool) -> String<NOTE> {
    let mut text = String::new();
    let (sign, number, digits) = match beside {
        Beside::PeriodsLeft(periods) => ("P", u32::from(periods), 1),
        Beside::MovesToGo(moves) => ("M", u32::from(moves), 1),
        // A delay of more than a day may stand still.
        Beside::DelayMs(ms) => ("+", u32::try_from(shown_seconds(ms).min(99_999)).unwrap_or(0), 1),
        Beside::Nothing if nameless => ("no name", 0, 0),
        Beside::Nothing if period > 1 => (if period < 10 { "per " } else { "per" }, u32::from(period), 1),
        Beside::Nothing => ("", 0, 0),
    };
    let written = text.push_str(sign);
    if digits > 0 {
        put_number(&mut text, number, digits);
    }
    debug_assert!(written.is_ok(), "every note fits");
    text
}
