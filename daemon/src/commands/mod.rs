//! What the program's commands do, a file each. They write their answer to `out` and log nothing that is one.

mod certificate;
mod check;
mod clock;
mod control;
#[cfg(feature = "simulator")]
mod demo;
mod hosts;
mod journal;
mod journalled;
mod ports;
mod readings;
mod regulations;
#[cfg(feature = "simulator")]
mod rehearse;
mod serve;
mod standings;
mod token;

pub(crate) use certificate::certificate;
pub(crate) use check::check;
pub use clock::Place;
pub(crate) use clock::clock;
#[cfg(feature = "simulator")]
pub(crate) use demo::demo;
pub use journal::Noted;
pub(crate) use journal::journal;
pub(crate) use ports::ports;
pub(crate) use regulations::regulations;
#[cfg(feature = "simulator")]
pub(crate) use rehearse::rehearse;
pub(crate) use serve::serve;
pub(crate) use standings::standings;
pub(crate) use token::token;
