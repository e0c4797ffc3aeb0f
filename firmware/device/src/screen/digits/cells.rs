//! What stands in the eight digits of a side.
//!
//! ```text
//! 0        three bars while this side runs; its point: reports wait for the link
//! 1        F flag, upper and lower bar period, lower bar ready, b battery low; the first of these, the last
//!          only where it leaves room for what stands beside the time
//! 1 or 2.. what stands beside the time, then a gap
//! ..7      the time, a point in place of each colon
//! ```

use super::glyphs::{BATTERY, DARK, FLAG, PERIOD, POINT, READY, RUNNING, glyph};
use crate::screen::Face;
use flagfall_clock::Side;
use flagfall_firmware::{Beside, Mode, put_number, shown_seconds};
use heapless::String;

/// Digits of a module.
pub const CELLS: usize = 8;

/// Segments of each digit, the leftmost first.
pub type Cells = [u8; CELLS];

/// What a side's module shows.
pub fn cells(face: &Face, side: Side) -> Cells {
    let display = &face.display;
    let mut cells = [DARK; CELLS];
    if display.blank {
        return cells;
    }
    let (time, note, ready) = match side {
        Side::Left => (&display.left, beside(display.left_beside), display.ready.0),
        Side::Right => (&display.right, beside(display.right_beside), display.ready.1),
    };
    if let Some(number) = display.number {
        let mut text = String::<5>::new();
        put_number(&mut text, u32::from(number), 1);
        write_right(&mut cells, &text);
        cells[1] = glyph(b't');
    } else {
        let room = CELLS - write_right(&mut cells, time);
        let sign = if display.flag == Some(side) {
            FLAG
        } else if display.period_flag == Some(side) {
            PERIOD
        } else if ready {
            READY
        } else if display.battery_low && note.as_ref().is_none_or(|(_, number)| 2 + number.len() < room) {
            BATTERY
        } else {
            DARK
        };
        // A time of 100 hours and more leaves no room for a sign.
        if room > 1 && sign != DARK {
            cells[1] = sign;
        }
        let from = if sign == DARK { 1 } else { 2 };
        if let Some((letter, number)) = note
            && let Some(cells) = cells.get_mut(from..room)
        {
            write_beside(cells, letter, &number);
        }
        if face.nameless && display.mode == Mode::Idle {
            cells[0] = glyph(b'n');
            if room > 1 && sign == DARK {
                cells[1] = glyph(b'o');
            }
        }
    }
    if display.running == Some(side) {
        cells[0] = RUNNING;
    }
    if face.link_waits {
        cells[0] |= POINT;
    }
    cells
}

/// Writes `text` into the last cells; how many it took.
fn write_right(cells: &mut Cells, text: &str) -> usize {
    let (mut used, mut point) = (0, DARK);
    let mut free = cells.iter_mut().rev();
    for character in text.bytes().rev() {
        if matches!(character, b':' | b'.') {
            point = POINT;
        } else if let Some(cell) = free.next() {
            *cell = glyph(character) | point;
            point = DARK;
            used += 1;
        }
    }
    used
}

/// What stands beside the time, as a letter and a number.
fn beside(beside: Beside) -> Option<(u8, String<20>)> {
    let (letter, number) = match beside {
        Beside::Nothing => return None,
        Beside::PeriodsLeft(periods) => (b'P', u32::from(periods)),
        Beside::MovesToGo(moves) => (b'n', u32::from(moves)),
        // No control holds a longer one.
        Beside::DelayMs(ms) => (b'd', u32::try_from(shown_seconds(ms)).unwrap_or(u32::MAX)),
    };
    let mut text = String::new();
    put_number(&mut text, number, 1);
    Some((letter, text))
}

/// Writes it into `cells`, which end where the time begins: with its letter where there is room. There is always a gap before
/// the time, since `3` and `50.00` must not be read as 350 minutes; what has no room is left out.
fn write_beside(cells: &mut [u8], letter: u8, number: &str) {
    let mut free = cells.iter_mut();
    if number.len() + 1 >= free.len() {
        if number.len() >= free.len() {
            return;
        }
    } else if let Some(cell) = free.next() {
        *cell = glyph(letter);
    }
    for (cell, digit) in free.zip(number.bytes()) {
        *cell = glyph(digit);
    }
}
