//! The small signs, row by row, the leftmost pixel the highest bit.

/// A sign of [`Sign::size`] pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// This side's flag fell first.
    Flag,
    /// This side came to zero at the end of a period: an hourglass, for it is no flag.
    Period,
    /// This side pressed before the start.
    Ready,
    /// The battery is low.
    Battery,
    /// Reports wait for the link.
    Link,
}

impl Sign {
    /// Columns and rows.
    pub const fn size(self) -> (u8, u8) {
        match self {
            Self::Flag => (13, 15),
            Self::Period | Self::Ready => (12, 13),
            Self::Battery | Self::Link => (14, 8),
        }
    }

    /// Its rows from above.
    pub const fn rows(self) -> &'static [u16] {
        match self {
            Self::Flag => &[
                0b1_1000_0000_0000,
                0b1_1111_0000_0000,
                0b1_1111_1100_0000,
                0b1_1111_1111_0000,
                0b1_1111_1111_1100,
                0b1_1111_1111_1111,
                0b1_1111_1111_1100,
                0b1_1111_1111_0000,
                0b1_1111_1100_0000,
                0b1_1111_0000_0000,
                0b1_1000_0000_0000,
                0b1_1000_0000_0000,
                0b1_1000_0000_0000,
                0b1_1000_0000_0000,
                0b1_1000_0000_0000,
            ],
            Self::Period => &[
                0b0111_1111_1110,
                0b0010_0000_0100,
                0b0010_0000_0100,
                0b0001_0000_1000,
                0b0000_1001_0000,
                0b0000_0110_0000,
                0b0000_0110_0000,
                0b0000_1001_0000,
                0b0001_0110_1000,
                0b0010_1111_0100,
                0b0011_1111_1100,
                0b0111_1111_1110,
                0b0000_0000_0000,
            ],
            Self::Ready => &[
                0b0000_0000_0000,
                0b0000_0000_0001,
                0b0000_0000_0011,
                0b0000_0000_0111,
                0b0000_0000_1110,
                0b1000_0001_1100,
                0b1100_0011_1000,
                0b1110_0111_0000,
                0b0111_1110_0000,
                0b0011_1100_0000,
                0b0001_1000_0000,
                0b0000_0000_0000,
                0b0000_0000_0000,
            ],
            Self::Battery => &[
                0b11_1111_1111_1100,
                0b10_0000_0000_0100,
                0b10_1100_0000_0111,
                0b10_1100_0000_0111,
                0b10_1100_0000_0111,
                0b10_1100_0000_0111,
                0b10_0000_0000_0100,
                0b11_1111_1111_1100,
            ],
            Self::Link => &[
                0b00_0000_0001_0000,
                0b00_0000_0001_1000,
                0b11_1111_1111_1100,
                0b00_0000_0001_1000,
                0b00_0110_0001_0000,
                0b00_1111_1111_1111,
                0b00_0110_0000_0000,
                0b00_0010_0000_0000,
            ],
        }
    }
}
