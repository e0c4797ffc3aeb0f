//! An SSD1306 of 128 x 64 pixels, as far as a screen can see it: it takes bytes and has a picture.

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

/// 128 x 64 pixels, page by page: a byte is a column of 8 rows, the lowest bit on top.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels(pub [u8; 1024]);

impl Pixels {
    pub const DARK: Self = Self([0; 1024]);

    pub fn at(&self, x: usize, y: usize) -> bool {
        self.0[y / 8 * 128 + x] >> (y % 8) & 1 == 1
    }

    /// Two columns and four rows a character.
    pub fn braille(&self) -> String {
        let dots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
        let mut text = String::new();
        for y in (0..64).step_by(4) {
            for x in (0..128).step_by(2) {
                let bits = (0..).zip(dots).map(|(bit, (dx, dy))| u32::from(self.at(x + dx, y + dy)) << bit);
                text.push(char::from_u32(0x2800 + bits.sum::<u32>()).unwrap());
            }
            text.push('\n');
        }
        text
    }
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", self.braille())
    }
}

impl OriginDimensions for Pixels {
    fn size(&self) -> Size {
        Size::new(128, 64)
    }
}

impl DrawTarget for Pixels {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, color) in pixels {
            assert!((0..128).contains(&x) && (0..64).contains(&y), "({x}, {y}) is outside");
            let (byte, bit) = (y as usize / 8 * 128 + x as usize, 1 << (y % 8));
            self.0[byte] = if color.is_on() { self.0[byte] | bit } else { self.0[byte] & !bit };
        }
        Ok(())
    }
}

pub struct Chip {
    pub memory: Pixels,
    on: bool,
    pump: bool,
    upright: (bool, bool),
    horizontal: bool,
    columns: (u8, u8),
    pages: (u8, u8),
    at: (u8, u8),
    /// Not plugged in.
    pub gone: bool,
    /// So many messages are still taken, then one is refused.
    pub fails_after: Option<usize>,
    /// Messages so far, their bytes and the clock ticks of the bus they took.
    pub messages: usize,
    pub bytes: usize,
    pub bits: usize,
}

impl Chip {
    /// Has power from now on: dark, its memory full of noise.
    pub fn power_up(&mut self) {
        let noise = std::array::from_fn(|i| (i * 37 + i / 7) as u8);
        *self =
            Self { messages: self.messages, bytes: self.bytes, bits: self.bits, ..Self::new(Pixels(noise)) };
    }

    const fn new(memory: Pixels) -> Self {
        Self {
            memory,
            on: false,
            pump: false,
            upright: (false, false),
            horizontal: false,
            columns: (0, 127),
            pages: (0, 7),
            at: (0, 0),
            gone: false,
            fails_after: None,
            messages: 0,
            bytes: 0,
            bits: 0,
        }
    }

    /// What a person sees.
    pub fn seen(&self) -> Pixels {
        if self.on && self.pump {
            assert_eq!(self.upright, (true, true), "turned");
            self.memory.clone()
        } else {
            Pixels::DARK
        }
    }

    fn commands(&mut self, bytes: &[u8]) {
        let mut bytes = bytes.iter().copied();
        let mut next = || bytes.next();
        while let Some(command) = next() {
            let mut value = || next().expect("a value follows");
            match command {
                0x20 => self.horizontal = value() == 0,
                0x21 => {
                    self.columns = (value(), value());
                    self.at.0 = self.columns.0;
                    assert!(self.columns.0 <= self.columns.1 && self.columns.1 < 128, "{:?}", self.columns);
                }
                0x22 => {
                    self.pages = (value(), value());
                    self.at.1 = self.pages.0;
                    assert!(self.pages.0 <= self.pages.1 && self.pages.1 < 8, "{:?}", self.pages);
                }
                0x2e | 0x40 | 0xa4 | 0xa6 => {}
                0x81 => assert!(value() > 0x40, "bright enough"),
                0x8d => self.pump = value() == 0x14,
                0xa0 | 0xa1 => self.upright.0 = command == 0xa1,
                0xa8 => assert_eq!(value(), 63, "64 rows"),
                0xae | 0xaf => self.on = command == 0xaf,
                0xc0 | 0xc8 => self.upright.1 = command == 0xc8,
                0xd3 => assert_eq!(value(), 0, "not shifted"),
                0xda => assert_eq!(value(), 0x12, "wired as on these modules"),
                0xd5 | 0xd9 | 0xdb => {
                    value();
                }
                _ => panic!("not a command of an SSD1306, or not one in use: {command:02x}"),
            }
        }
    }

    fn pixels(&mut self, bytes: &[u8]) {
        assert!(self.horizontal, "pixels before the settings");
        for &byte in bytes {
            self.memory.0[usize::from(self.at.1) * 128 + usize::from(self.at.0)] = byte;
            if self.at.0 < self.columns.1 {
                self.at.0 += 1;
                continue;
            }
            self.at.0 = self.columns.0;
            self.at.1 = if self.at.1 < self.pages.1 { self.at.1 + 1 } else { self.pages.0 };
        }
    }

    fn message(&mut self, bytes: &[u8]) -> Result<(), ErrorKind> {
        let refused = self.gone || self.fails_after == Some(0);
        self.fails_after = self.fails_after.map(|left| left.saturating_sub(1));
        if refused {
            self.fails_after = None;
            return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address));
        }
        self.messages += 1;
        self.bytes += bytes.len() + 1;
        // Nine ticks a byte, the address among them, and about three for start and stop.
        self.bits += (bytes.len() + 1) * 9 + 3;
        match bytes {
            [0x00, commands @ ..] => self.commands(commands),
            [0x40, pixels @ ..] => self.pixels(pixels),
            _ => panic!("neither commands nor pixels: {bytes:02x?}"),
        }
        Ok(())
    }
}

/// The bus with nothing else on it; a clone is another look at the same chip.
#[derive(Clone)]
pub struct Bus(pub Rc<RefCell<Chip>>);

impl Bus {
    pub fn new() -> Self {
        let mut chip = Chip::new(Pixels::DARK);
        chip.power_up();
        Self(Rc::new(RefCell::new(chip)))
    }

    pub fn seen(&self) -> Pixels {
        self.0.borrow().seen()
    }
}

impl ErrorType for Bus {
    type Error = ErrorKind;
}

impl I2c for Bus {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        assert_eq!(address, 0x3c);
        for operation in operations {
            match operation {
                Operation::Write(bytes) => self.0.borrow_mut().message(bytes)?,
                Operation::Read(_) => panic!("nothing is ever read"),
            }
        }
        Ok(())
    }
}
