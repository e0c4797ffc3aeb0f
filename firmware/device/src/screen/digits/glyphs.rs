//! Characters of seven segments. From the highest bit: the point, then the segments a (top) and on around to f (upper
//! left), g (middle), as a MAX7219 takes them.

/// Nothing.
pub const DARK: u8 = 0;
/// The point after a digit.
pub const POINT: u8 = 0b1000_0000;
/// Three bars: this side runs. No digit or letter looks like it.
pub const RUNNING: u8 = 0b0100_1001;
/// `F`: this side's flag fell first.
pub const FLAG: u8 = 0b0100_0111;
/// Upper and lower bar: this side came to zero at the end of a period.
pub const PERIOD: u8 = 0b0100_1000;
/// Lower bar: this side pressed before the start.
pub const READY: u8 = 0b0000_1000;
/// `b`: the battery is low.
pub const BATTERY: u8 = 0b0001_1111;
/// `-`, between the 1 and the 2 of half a point.
pub const DASH: u8 = 0b0000_0001;

/// A digit or one of the letters in use; dark where there is none.
pub const fn glyph(character: u8) -> u8 {
    match character {
        b'0' => 0b0111_1110,
        b'1' => 0b0011_0000,
        b'2' => 0b0110_1101,
        b'3' => 0b0111_1001,
        b'4' => 0b0011_0011,
        b'5' => 0b0101_1011,
        b'6' => 0b0101_1111,
        b'7' => 0b0111_0000,
        b'8' => 0b0111_1111,
        b'9' => 0b0111_1011,
        b'/' => DASH,
        b'P' => 0b0110_0111, // periods
        b'n' => 0b0001_0101, // moves
        b'd' => 0b0011_1101, // delay
        b'o' => 0b0001_1101,
        b't' => 0b0000_1111, // table
        _ => DARK,
    }
}
