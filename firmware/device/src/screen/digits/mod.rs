//! Two modules of a MAX7219 and eight digits each, in a chain on SPI: one for each side.
//!
//! The left side's module is the first in the chain, so what is for it is sent last. Every message sets the same register
//! of both. A MAX7219 never answers: whether it is there is not known, and one that lost its registers stays dark or
//! shows nonsense until they are written again. They are, at each refresh.
//!
//! The crates for it are not used: they initialise it in one go when they are made, and write to one module at a time.

mod cells;
mod glyphs;

use super::{Face, Screen};
use cells::{CELLS, Cells, cells};
use embedded_hal::spi::SpiDevice;
use flagfall_clock::Side;
pub(super) use glyphs::glyph;

/// Messages in one slice: 32 bytes, a quarter of a millisecond at 1 MHz.
const MESSAGES: usize = 8;

/// Registers and their values, sent before the digits.
const SETTINGS: [(u8, u8); 4] = [
    (0x0f, 0), // no lamp test
    (0x0b, 7), // all eight digits
    (0x09, 0), // segments, not numbers
    (0x0a, 8), // half bright
];
/// The register of each digit, the leftmost first.
const REGISTERS: [u8; CELLS] = [8, 7, 6, 5, 4, 3, 2, 1];
/// Out of the shutdown: sent after the digits, so that nobody sees what stood in the registers before.
const ON: (u8, u8) = (0x0c, 1);
/// Settings, digits, on.
const ALL: usize = SETTINGS.len() + CELLS + 1;

/// The clock's face on two MAX7219 with eight digits of seven segments each.
#[derive(Debug)]
pub struct Digits<SPI> {
    bus: SPI,
    left: Cells,
    right: Cells,
    /// A bit for each message that is to be sent, the lowest first.
    due: u16,
}

impl<SPI: SpiDevice> Digits<SPI> {
    const EVERYTHING: u16 = (1 << ALL) - 1;

    /// Two modules, dark until the first face. The bus is in mode 0, at 10 MHz at most.
    pub const fn new(bus: SPI) -> Self {
        Self { bus, left: [0; CELLS], right: [0; CELLS], due: Self::EVERYTHING }
    }

    /// Gives the bus back.
    pub fn release(self) -> SPI {
        self.bus
    }

    /// Register and value for the right module, then for the left one.
    fn message(&self, message: usize) -> [u8; 4] {
        if let Some(&(register, value)) = SETTINGS.get(message) {
            return [register, value, register, value];
        }
        let mut digits = REGISTERS.iter().zip(self.left.iter().zip(&self.right));
        match digits.nth(message - SETTINGS.len()) {
            Some((&register, (&left, &right))) => [register, right, register, left],
            None => [ON.0, ON.1, ON.0, ON.1],
        }
    }
}

impl<SPI: SpiDevice> Screen for Digits<SPI> {
    type Error = SPI::Error;

    fn show(&mut self, face: &Face) {
        let (left, right) = (cells(face, Side::Left), cells(face, Side::Right));
        let before = self.left.iter().zip(&self.right);
        for (cell, (before, now)) in before.zip(left.iter().zip(&right)).enumerate() {
            if before != now {
                self.due |= 1 << (SETTINGS.len() + cell);
            }
        }
        (self.left, self.right) = (left, right);
    }

    fn slice(&mut self) -> Result<bool, Self::Error> {
        for _ in 0..MESSAGES {
            if self.due == 0 {
                break;
            }
            let message = self.due.trailing_zeros();
            self.bus.write(&self.message(message as usize))?;
            self.due &= !(1 << message);
        }
        Ok(self.due != 0)
    }

    fn restart(&mut self) {
        self.due = Self::EVERYTHING;
    }

    fn refresh(&mut self) {
        self.due = Self::EVERYTHING;
    }
}
