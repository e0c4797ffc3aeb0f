//! Halls of virtual clocks with players, arbiters and faults, to play at a real daemon.
pub mod chance;
pub mod scenario;
pub mod span;
