//! One strip of the picture: up to 32 columns of a page, painted and sent, then forgotten.
//!
//! All is made of full rectangles. A library would draw on anything in any colour; what it takes for that is a tenth of a
//! small controller's flash. That the pictures are the library's, the tests hold.

use super::WIDEST;
use super::layout::{Item, Picture, What};
use super::letters;
use super::stale::Area;
use crate::screen::digits::glyph;

/// Rows of a page.
const ROWS: u8 = 8;

/// A part of one page, as a message to the display.
pub struct Strip {
    area: Area,
    /// What tells the display that pixels follow, and the pixels: a byte is a column of 8, the lowest bit on top.
    bytes: [u8; WIDEST as usize + 1],
}

impl Strip {
    /// Dark, of `width` columns (32 at most) of `page` from the column `x`.
    pub fn new(page: u8, x: u8, width: u8) -> Self {
        let mut bytes = [0; WIDEST as usize + 1];
        bytes[0] = super::PIXELS;
        Self { area: Area { x, y: page * ROWS, w: width.min(WIDEST), h: ROWS }, bytes }
    }

    /// What is sent.
    pub fn message(&self) -> &[u8] {
        &self.bytes[..=usize::from(self.area.w)]
    }

    /// Lights what of `area` lies on the strip.
    #[inline(never)]
    fn fill(&mut self, area: Area) {
        if !area.meets(&self.area) {
            return;
        }
        let top = area.y.max(self.area.y) - self.area.y;
        let end = (area.y + area.h - self.area.y).min(ROWS);
        let rows = (u8::MAX << top) & (u8::MAX >> (ROWS - end));
        let columns = (self.area.x..).zip(self.bytes.iter_mut().skip(1));
        for (x, column) in columns.take(usize::from(self.area.w)) {
            if area.x <= x && x < area.x + area.w {
                *column |= rows;
            }
        }
    }

    /// Lights the pixels of a row whose bits are set, the leftmost of `w` the highest.
    #[inline(never)]
    fn row(&mut self, x: u8, y: u8, w: u8, bits: u16) {
        for column in 0..w {
            if bits >> (w - 1 - column) & 1 == 1 {
                self.fill(Area { x: x + column, y, w: 1, h: 1 });
            }
        }
    }

    /// A digit of seven bars with pointed ends, each `stroke` wide.
    #[inline(never)]
    fn digit(&mut self, area: Area, digit: u8, stroke: u8) {
        let Area { x, y, w, h } = area;
        let (upper, lower) = ((h + stroke) / 2, (h + stroke).div_ceil(2));
        let (right, bottom) = (x + w - stroke, y + h);
        // From the top on around, the middle one last: where it begins, how long it is, whether it stands.
        let bars = [
            (x, y, w, false),
            (right, y, upper, true),
            (right, bottom - lower, lower, true),
            (x, bottom - stroke, w, false),
            (x, bottom - lower, lower, true),
            (x, y, upper, true),
            (x, y + (h - stroke) / 2, w, false),
        ];
        let mut lit = glyph(digit);
        for (x, y, length, stands) in bars {
            lit <<= 1;
            if lit & 0x80 == 0 {
                continue;
            }
            for line in 0..stroke {
                // A line is the shorter the further it lies from the bar's middle, and leaves the corners free.
                let tip = (2 * line).abs_diff(stroke - 1) / 2 + stroke / 2 + 1;
                let length = length - 2 * tip;
                self.fill(if stands {
                    Area { x: x + line, y: y + tip, w: 1, h: length }
                } else {
                    Area { x: x + tip, y: y + line, w: length, h: 1 }
                });
            }
        }
    }
}

impl Picture {
    /// Paints what of the picture lies on `strip`.
    #[inline(never)]
    pub fn paint(&self, strip: &mut Strip) {
        for item in self.items() {
            if item.area().meets(&strip.area) {
                item.paint(strip);
            }
        }
    }
}

impl Item {
    #[inline(never)]
    fn paint(&self, strip: &mut Strip) {
        let Area { x, y, w, h } = self.area();
        match self.what {
            What::Nothing => {}
            What::Fill => strip.fill(self.area()),
            What::Digit { digit, stroke } => strip.digit(self.area(), digit, stroke),
            What::Colon => {
                for third in [h / 3, h / 3 * 2] {
                    strip.fill(Area { x, y: y + third - w / 2, w, h: w });
                }
            }
            What::Slash => {
                let thick = w / 4;
                for row in 0..h {
                    let slope = u16::from(row) * u16::from(w - thick) / u16::from(h);
                    let [slope, _] = slope.to_le_bytes();
                    strip.fill(Area { x: x + w - thick - slope, y: y + row, w: thick, h: 1 });
                }
            }
            What::Letter(letter) => {
                for (row, bits) in (y..).zip(letters::rows(letter)) {
                    strip.row(x, row, w, u16::from(*bits));
                }
            }
            What::Sign(sign) => {
                for (row, bits) in (y..).zip(sign.rows()) {
                    strip.row(x, row, w, *bits);
                }
            }
        }
    }
}
