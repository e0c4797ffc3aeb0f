//! The letters of the notes: 6 by 13 pixels, from the bold face of the fixed fonts of X11, which belong to everybody.
//!
//! The crate that has the whole face costs a small controller 2 KB more, for letters that are never shown and ways of
//! writing that are never used. A test compares the two.

/// Rows of a letter.
const ROWS: usize = 13;

/// The rows of a letter from above, the leftmost pixel the highest bit of six; none where no note has it, as of a space.
pub fn rows(letter: u8) -> &'static [u8] {
    LETTERS.iter().find(|(own, _)| *own == letter).map_or(&[], |(_, rows)| rows)
}

#[rustfmt::skip]
const LETTERS: [(u8, [u8; ROWS]); 20] = [
    (b'+', [0o00, 0o00, 0o00, 0o00, 0o14, 0o14, 0o77, 0o14, 0o14, 0o00, 0o00, 0o00, 0o00]),
    (b'0', [0o00, 0o00, 0o14, 0o36, 0o63, 0o63, 0o63, 0o63, 0o63, 0o36, 0o14, 0o00, 0o00]),
    (b'1', [0o00, 0o00, 0o14, 0o34, 0o74, 0o14, 0o14, 0o14, 0o14, 0o14, 0o77, 0o00, 0o00]),
    (b'2', [0o00, 0o00, 0o36, 0o63, 0o63, 0o03, 0o06, 0o14, 0o30, 0o60, 0o77, 0o00, 0o00]),
    (b'3', [0o00, 0o00, 0o77, 0o03, 0o06, 0o14, 0o36, 0o03, 0o03, 0o63, 0o36, 0o00, 0o00]),
    (b'4', [0o00, 0o00, 0o06, 0o06, 0o16, 0o36, 0o26, 0o66, 0o77, 0o06, 0o06, 0o00, 0o00]),
    (b'5', [0o00, 0o00, 0o77, 0o60, 0o60, 0o76, 0o73, 0o03, 0o03, 0o63, 0o36, 0o00, 0o00]),
    (b'6', [0o00, 0o00, 0o16, 0o30, 0o60, 0o60, 0o76, 0o73, 0o63, 0o63, 0o36, 0o00, 0o00]),
    (b'7', [0o00, 0o00, 0o77, 0o03, 0o06, 0o06, 0o14, 0o14, 0o30, 0o30, 0o30, 0o00, 0o00]),
    (b'8', [0o00, 0o00, 0o36, 0o63, 0o63, 0o63, 0o36, 0o63, 0o63, 0o63, 0o36, 0o00, 0o00]),
    (b'9', [0o00, 0o00, 0o36, 0o63, 0o63, 0o67, 0o37, 0o03, 0o03, 0o06, 0o34, 0o00, 0o00]),
    (b'M', [0o00, 0o00, 0o63, 0o63, 0o77, 0o77, 0o77, 0o63, 0o63, 0o63, 0o63, 0o00, 0o00]),
    (b'P', [0o00, 0o00, 0o76, 0o63, 0o63, 0o63, 0o76, 0o60, 0o60, 0o60, 0o60, 0o00, 0o00]),
    (b'a', [0o00, 0o00, 0o00, 0o00, 0o00, 0o36, 0o03, 0o37, 0o63, 0o67, 0o33, 0o00, 0o00]),
    (b'e', [0o00, 0o00, 0o00, 0o00, 0o00, 0o36, 0o63, 0o77, 0o60, 0o60, 0o36, 0o00, 0o00]),
    (b'm', [0o00, 0o00, 0o00, 0o00, 0o00, 0o76, 0o77, 0o77, 0o77, 0o77, 0o63, 0o00, 0o00]),
    (b'n', [0o00, 0o00, 0o00, 0o00, 0o00, 0o66, 0o73, 0o63, 0o63, 0o63, 0o63, 0o00, 0o00]),
    (b'o', [0o00, 0o00, 0o00, 0o00, 0o00, 0o36, 0o63, 0o63, 0o63, 0o63, 0o36, 0o00, 0o00]),
    (b'p', [0o00, 0o00, 0o00, 0o00, 0o00, 0o66, 0o73, 0o63, 0o73, 0o66, 0o60, 0o60, 0o60]),
    (b'r', [0o00, 0o00, 0o00, 0o00, 0o00, 0o66, 0o73, 0o60, 0o60, 0o60, 0o60, 0o00, 0o00]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;
    use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X13_BOLD};
    use embedded_graphics::pixelcolor::BinaryColor;
    use embedded_graphics::prelude::*;
    use embedded_graphics::text::{Baseline, Text};

    struct Place([u8; ROWS]);

    impl OriginDimensions for Place {
        fn size(&self) -> Size {
            Size::new(6, ROWS as u32)
        }
    }

    impl DrawTarget for Place {
        type Color = BinaryColor;
        type Error = Infallible;

        fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(
            &mut self,
            pixels: I,
        ) -> Result<(), Infallible> {
            for Pixel(point, _) in pixels {
                self.0[usize::try_from(point.y).unwrap()] |= 1 << (5 - point.x);
            }
            Ok(())
        }
    }

    #[test]
    fn letters_are_those_of_the_face_they_are_from() {
        let style = MonoTextStyle::new(&FONT_6X13_BOLD, BinaryColor::On);
        for (letter, rows) in LETTERS {
            let mut place = Place([0; ROWS]);
            let (mut bytes, at) = ([0; 4], Point::zero());
            let text = char::from(letter).encode_utf8(&mut bytes);
            Text::with_baseline(text, at, style, Baseline::Top).draw(&mut place).unwrap();
            assert_eq!(place.0, rows, "{}", char::from(letter));
        }
    }

    #[test]
    fn every_note_has_its_letters() {
        for letter in *b"P0123456789M+nonameper" {
            assert_eq!(rows(letter).len(), ROWS, "{}", char::from(letter));
        }
    }
}
