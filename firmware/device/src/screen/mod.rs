//! What the clock shows, brought to a display in slices.
//!
//! The core decides the text ([`Display`]); here it becomes pixels or segments. A display hangs on a slow bus, and a
//! whole picture takes longer than a lever may wait. So a screen never sends more than a slice at a time: the owner
//! calls [`Screen::slice`] between looking at the levers, until it says that nothing is left to be sent.

mod digits;
mod oled;

pub use digits::Digits;
pub use oled::{ADDRESS, Oled};

use flagfall_firmware::Display;

/// All that is to be seen at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// What the clock shows, as the core decides it.
    pub display: Display,
    /// Reports wait that nobody has confirmed yet: a small sign, for the game goes on without the link.
    pub link_waits: bool,
    /// The clock has no name yet: it plays, but says nothing. Told while nothing runs.
    pub nameless: bool,
}

/// A display that is written in slices.
///
/// A display that is not there must not disturb the clock: [`Screen::slice`] says so by an error, the owner waits as
/// long as it likes and calls [`Screen::restart`].
pub trait Screen {
    /// What can go wrong on the bus.
    type Error: core::fmt::Debug;

    /// What it is to show from now on. Sends nothing; keeps a copy where it differs from what was asked before.
    fn show(&mut self, face: &Face);

    /// Sends at most one slice, which keeps the bus for about 1 ms at most. `Ok(true)`: more is to be sent.
    ///
    /// # Errors
    /// That of the bus, for instance where the display does not acknowledge. What was sent of the slice is unknown:
    /// [`Screen::restart`] before the next one.
    fn slice(&mut self) -> Result<bool, Self::Error>;

    /// Begins anew, after an error: the next slices initialise the display and draw all.
    fn restart(&mut self);

    /// Asks for the display's settings and a part of its picture to be sent once more, although nothing has changed. To
    /// be called once a second: so a display that lost them by a spark is itself again within 10 s, and one that was
    /// pulled out is missed even while nothing changes. A screen that can lose nothing leaves it as it is.
    fn refresh(&mut self) {}
}
