//! One strip of the picture: up to 32 columns of a page, painted and sent, then forgotten.

use super::WIDEST;
use super::layout::{Item, Picture, What};
use super::stale::Area;
use core::convert::Infallible;
use eg_seven_segment::{Digit, Segments, SevenSegmentStyleBuilder};
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X13_BOLD};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};

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
        Self { area: Area { x, y: page * 8, w: width.min(WIDEST), h: 8 }, bytes }
    }

    /// What is sent.
    pub fn message(&self) -> &[u8] {
        &self.bytes[..=usize::from(self.area.w)]
    }

    fn fill(&mut self, area: Area) {
        let Ok(()) = self.fill_solid(&rectangle(area), BinaryColor::On);
    }
}

impl Dimensions for Strip {
    fn bounding_box(&self) -> Rectangle {
        rectangle(self.area)
    }
}

impl DrawTarget for Strip {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(point, color) in pixels {
            self.fill_solid(&Rectangle::new(point, Size::new(1, 1)), color)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn fill_solid(&mut self, area: &Rectangle, color: BinaryColor) -> Result<(), Infallible> {
        let strip = rectangle(self.area);
        let seen = area.intersection(&strip);
        let offset = seen.top_left - strip.top_left;
        let (Ok(x), Ok(width)) = (usize::try_from(offset.x), usize::try_from(seen.size.width)) else {
            return Ok(());
        };
        // At most the 8 rows of the strip, or nothing.
        let rows = ((1u16 << seen.size.height.min(8)) - 1) << offset.y.clamp(0, 7);
        let [rows, _] = rows.to_le_bytes();
        for column in self.bytes.iter_mut().skip(1 + x).take(width) {
            match color {
                BinaryColor::On => *column |= rows,
                BinaryColor::Off => *column &= !rows,
            }
        }
        Ok(())
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
    fn paint(&self, strip: &mut Strip) {
        let Area { x, y, w, h } = self.area();
        let at = Point::new(i32::from(x), i32::from(y));
        match self.what {
            What::Nothing => {}
            What::Fill => strip.fill(self.area()),
            What::Digit { digit, stroke } => {
                let style = SevenSegmentStyleBuilder::new()
                    .digit_size(Size::new(w.into(), h.into()))
                    .segment_width(stroke.into())
                    .segment_color(BinaryColor::On)
                    .build();
                if let Ok(segments) = Segments::try_from(char::from(digit)) {
                    let Ok(_) = Digit::new(segments, at).into_styled(style).draw(strip);
                }
            }
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
                let mut bytes = [0; 4];
                let text = char::from(letter).encode_utf8(&mut bytes);
                let style = MonoTextStyle::new(&FONT_6X13_BOLD, BinaryColor::On);
                let Ok(_) = Text::with_baseline(text, at, style, Baseline::Top).draw(strip);
            }
            What::Sign(sign) => {
                for (row, bits) in (y..).zip(sign.rows()) {
                    for column in (0..w).filter(|column| bits >> (w - 1 - column) & 1 == 1) {
                        strip.fill(Area { x: x + column, y: row, w: 1, h: 1 });
                    }
                }
            }
        }
    }
}

fn rectangle(area: Area) -> Rectangle {
    Rectangle::new(Point::new(area.x.into(), area.y.into()), Size::new(area.w.into(), area.h.into()))
}
