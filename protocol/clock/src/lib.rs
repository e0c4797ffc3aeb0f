//! What a chess clock says and is told.
//!
//! Carries messages between a clock and the daemon; decides nothing. Used by the firmware
//! (`no_std`, no allocation), the simulator and the daemon alike. The public contract is
//! `docs/api/clocks.md`; the golden vectors beside this crate are its specification.
#![no_std]

#[cfg(test)]
extern crate std;

mod codec;
mod command;
mod control;
mod error;
mod frame;
mod id;
mod json;
mod lexer;
mod provision;
mod range;
mod report;
mod seal;
mod topic;

pub use codec::{
    Encoding, FromLine, MAX_LINE, MAX_MESSAGE, MAX_REPORT, Message, Received, decode, decode_command,
    decode_report, encode, encode_command, encode_report, line_command, line_report,
};
pub use command::{Action, ClockCommand, SetTimes, StopButton};
pub use control::{FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SideTimes, TimeControl};
pub use error::{DecodeError, EncodeError};
pub use frame::{MAX_FRAME, VERSION};
pub use id::{ClockId, ClockIdError, Player, Side};
pub use json::{JsonError, Reason, from_slice as from_json};
pub use lexer::{Counters, Lexer, LineError};
pub use provision::{
    Identity, MAX_PROVISION, MAX_TRIM_PPM, Provision, ProvisionAnswer, ProvisionError, Provisioned,
    line_provision, line_provisioned, read_provision, read_provisioned,
};
pub use range::{MAX_SHOWN, MAX_TIME_MS, RangeError};
pub use report::{About, By, Can, Claim, ClockEvent, ClockReport, Refusal};
pub use seal::{Accept, Check, Checked, Key, KeyError, Keys, SEAL, crc32};
pub use topic::{Channel, MAX_TOPIC, Topic, TopicError};
