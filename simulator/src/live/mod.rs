//! A hall played at a live daemon: over ptys, TCP or MQTT, with a desk, in real time or a multiple of it.
//!
//! Carries what the world says and brings back what it is told; decides nothing. [`crate::World`] stays pure: here alone
//! the host's clock is read.

mod clocks;
mod desk;
mod lines;
mod mqtt;
mod pty;
mod replay;
mod run;
mod tcp;

pub use clocks::{ClocksError, play_clocks};
pub use desk::{DeskError, DeskLogin};
pub use lines::{Encodings, LineError, LineWord, Lines, Transport};
pub use pty::pty_path;
pub use replay::{ReplayError, replay};
pub use run::{LiveError, LiveOptions, LiveReport, run_live};
