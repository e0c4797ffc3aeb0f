//! What a chess clock says and is told.
//!
//! Carries messages between a clock and the daemon; decides nothing. Used by the firmware
//! (`no_std`, no allocation), the simulator and the daemon alike. The public contract is
//! `docs/api/clocks.md`; the golden vectors beside this crate are its specification.
#![no_std]

mod command;
mod control;
mod id;
mod report;

pub use command::{Action, ClockCommand, SetTimes, StopButton};
pub use control::{FlagAt, Kind, SideTimes, TimeControl};
pub use id::{ClockId, ClockIdError, Player, Side};
pub use report::{About, By, Can, Claim, ClockEvent, ClockReport, Refusal};
