//! The tokio shell around the pure hall.
//!
//! One task owns the hall ([`core`]); lines to clocks and desks speak with it through bounded channels. The journal is
//! written by a thread of its own, and nothing leaves before it is durable. [`start`] is the one place that begins
//! tasks; everything it began has ended when [`Running::ended`] returns.

mod asks;
mod bulletin;
mod core;
mod error;
mod past;
mod recovery;
mod ring;
mod run;
#[cfg(test)]
mod tests;
mod time;
mod waiting;

pub use asks::{Asked, Asks, View};
pub use bulletin::{Bulletin, Listener};
pub use error::RunError;
pub use past::Past;
pub(crate) use recovery::left;
pub use ring::{Following, Ring, Told};
pub use run::{RunOptions, Running, run, start};
pub use time::{Instants, SleepWatch, VenueClock};
