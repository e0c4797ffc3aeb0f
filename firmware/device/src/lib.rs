//! The chess clock on any board: contacts, lights, display, memory and link over `embedded-hal` and `embedded-io`.
//!
//! What a press means is decided in `flagfall-firmware`; which pin a lever is on, in a board. This crate carries
//! between the two, and knows no concrete hardware. A board brings [`Parts`], stamps its contacts into [`Edges`] in their
//! interrupt, and calls [`Device::turn`] in its loop: `docs/hardware/porting.md` says how.
#![no_std]

mod battery;
mod board;
mod device;
mod line;
pub mod memory;
mod outputs;
mod rings;
pub mod screen;
mod shown;

pub use battery::{LITHIUM_ION, Point, THREE_ALKALINE};
pub use board::{Board, Parts};
pub use device::{Device, Next, Woken};
pub use flagfall_firmware::Clock;
pub use rings::{Bytes, Contact, Edges, Levels};
