//! What a board brings.

use crate::battery::Point;
use crate::rings::Edges;
use crate::screen::Screen;
use embedded_hal::digital::OutputPin;
use embedded_io::{Read, ReadReady, Write, WriteReady};
use embedded_storage::nor_flash::NorFlash;

/// A board with a clock on it. All of it is owned by the device; nothing here may wait longer than about 1 ms, but for
/// the memory.
pub trait Board {
    /// The line to the daemon: a UART, or a USB serial port. `read` gives what is there, `write` takes what fits.
    type Line: Read + ReadReady + Write + WriteReady;
    /// A running light, and the buzzer.
    type Out: OutputPin;
    /// What is kept without power. An erasure may take as long as it needs, if edges are stamped meanwhile.
    type Memory: NorFlash;
    /// The display.
    type Screen: Screen;

    /// A free-running counter of microseconds that wraps at 32 bits and never stands still: the only time there is.
    fn counter(&mut self) -> u32;

    /// The battery in millivolts; none where it cannot be measured, as on a cable.
    fn battery_mv(&mut self) -> Option<u16>;

    /// What its battery has at which voltage.
    fn battery_curve(&self) -> &'static [Point];
}

/// What a board hands over.
pub struct Parts<B: Board> {
    /// Its counter and its battery.
    pub board: B,
    /// Filled by its interrupt of the contacts.
    pub edges: &'static Edges,
    /// Its line.
    pub line: B::Line,
    /// The light that is on while the left side runs.
    pub left_light: B::Out,
    /// The right side's.
    pub right_light: B::Out,
    /// Sounds while it is high.
    pub buzzer: B::Out,
    /// Its display.
    pub screen: B::Screen,
}
