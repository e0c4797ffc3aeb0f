//! The means to look at the whole product from outside: the built programs, a real broker, clocks that know nothing
//! of ours but what docs/api says, and a desk that speaks JSON-RPC.
//!
//! Everything here reads and writes the public contract as plain JSON, so that a test fails where the product and
//! its documents part. Nothing is waited for by the clock on the wall where it can be seen instead.

pub mod arbiter_system;
pub mod broker;
pub mod browser;
pub mod clock;
pub mod desk;
pub mod hall;
pub mod http;
pub mod lines;
pub mod mqtt;
pub mod pico;
pub mod program;
pub mod pty;
pub mod tcp;
pub mod until;
