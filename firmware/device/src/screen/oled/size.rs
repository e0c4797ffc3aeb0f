//! How large times and numbers are drawn: as large as they find room.

use super::layout::{Item, What};

/// First row and rows of the times.
const TIMES: (u8, u8) = (16, 38);

/// How large a text is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Columns of a digit.
    digit: u8,
    /// Columns of a colon or point, and of a segment.
    stroke: u8,
    /// Columns between two characters.
    gap: u8,
    /// Rows: narrow digits are easier to read when they are lower.
    height: u8,
}

impl Size {
    /// A table's number of up to 5 digits across both halves.
    pub const NUMBER: Self = Self { digit: 22, stroke: 6, gap: 4, height: 38 };

    /// The largest at which a time of so many characters finds room in a half.
    pub const fn of(characters: usize) -> Self {
        let (digit, stroke, gap, height) = match characters {
            0..=2 => (22, 6, 4, 38), // 1
            3 => (17, 4, 3, 38),     // 1/2
            4 => (15, 4, 3, 38),     // 5:00
            5 => (12, 3, 2, 38),     // 50:00
            6 => (11, 3, 2, 38),     // 0:19.9
            7 => (9, 2, 2, 34),      // 1:30:00
            8 => (7, 2, 2, 26),      // 10:00:00
            _ => (6, 2, 2, 20),      // 100:00:00
        };
        Self { digit, stroke, gap, height }
    }

    const fn of_character(self, character: u8) -> u8 {
        match character {
            b':' | b'.' => self.stroke,
            _ => self.digit,
        }
    }

    /// Columns of `text`.
    pub fn width(self, text: &str) -> u8 {
        let all: u8 = text.bytes().map(|character| self.of_character(character) + self.gap).sum();
        all.saturating_sub(self.gap)
    }

    /// Lays `text` out from the column `x`, in the middle of the rows of the times.
    #[inline(never)]
    pub fn place(self, items: &mut [Item], text: &str, mut x: u8) {
        let h = self.height;
        let y = TIMES.0 + (TIMES.1 - h) / 2;
        for (item, character) in items.iter_mut().zip(text.bytes()) {
            let w = self.of_character(character);
            *item = match character {
                b':' => Item { x, y, w, h, what: What::Colon },
                b'.' => Item { x, y: y + h - w, w, h: w, what: What::Fill },
                b'/' => Item { x, y, w, h, what: What::Slash },
                digit => Item { x, y, w, h, what: What::Digit { digit, stroke: self.stroke } },
            };
            x += w + self.gap;
        }
    }
}
