//! One suite of clock behaviour for every clock: the firmware on the host, an emulated board, a clock on a port.
//!
//! Knows a clock only from outside ([`Specimen`]): hands on its contacts, bytes to it and from it, its power, time. What a
//! clock must do is `docs/hardware/clock-behaviour.md`; the suite is that page as a table. It never looks into a clock,
//! and it never passes over in silence what it could not try.

mod core;
mod specimen;

pub use self::core::Core;
pub use specimen::{Contact, Hands, Heard, Means, Specimen, SpecimenError};
