//! The chess clock itself, as a pure state machine.
//!
//! Decides what a press, a button, a command and the passing of time do to the two sides of a clock, when its flag
//! falls, what it shows and what it says. It has no pins, no timer and no link: whoever drives it (a real board, or
//! the simulator) hands in every edge with its time, asks [`Clock::next_deadline`] when to come back, and carries
//! away what [`Clock::next_report`] gives. It never reads a timer, never allocates, never computes with floats, and
//! no input makes it panic. What it does at a table is described for builders in `docs/hardware/clock-behaviour.md`.
//!
//! ```
//! use flagfall_clock::Side;
//! use flagfall_firmware::{Clock, Input, Settings};
//!
//! let mut clock = Clock::new(Settings::new("A01".parse().unwrap(), 1), 0);
//! assert!(clock.next_report().is_some(), "it says that it came up");
//! // The start button: the first player's side runs from the edge on.
//! clock.input(1_000, Input::StopButton { down: true });
//! clock.poll(1_050);
//! assert_eq!(clock.running(), Some(Side::Left));
//! // Red thinks for 20 s; 50:00 + 15 s.
//! clock.input(21_000, Input::Lever { side: Side::Left, down: true });
//! clock.poll(21_050);
//! assert_eq!(clock.remaining_ms(Side::Left, 21_050), 2_995_000);
//! assert_eq!(clock.running(), Some(Side::Right));
//! ```
#![no_std]

mod answers;
mod clock;
mod commands;
mod contact;
mod control;
mod display;
mod ending;
mod game;
mod outbox;
mod press;
mod saved;
mod says;
mod settings;
mod uptime;
mod waiting;

pub use clock::{Clock, Input};
pub use display::{Display, Mode, Shown, put_number, shown, shown_seconds};
pub use game::Beside;
pub use saved::{LENGTH as SAVED, Saved, SavedError};
pub use settings::{MAX_MS, Settings, Setup};
pub use uptime::Uptime;
