//! The simulator from outside: its worlds, its scenarios, its lines.

mod broker;
mod conformance;
mod controls;
mod dark;
mod desk;
mod lines;
mod world;
