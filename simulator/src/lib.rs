//! Halls of virtual clocks with players, arbiters and faults, to play at a real daemon.
//!
//! [`World`] is a hall in virtual time: pure and deterministic. Every clock in it is the real firmware; the people around
//! them have the habits of a real hall ([`scenario`] says which). It knows nothing of the daemon but the public contract:
//! an oracle is independent.

mod chance;
pub mod conformance;
mod device;
pub mod live;
mod play;
pub mod scenario;
mod span;
mod world;

pub use device::Device;
pub use scenario::{ClockLinks, Links, Scenario, ScenarioError, User};
pub use span::{Span, SpanError};
pub use world::{Finding, RulingLine, Said, World};
