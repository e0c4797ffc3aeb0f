//! The simulator from outside: its worlds, its scenarios, its lines.

mod desk;
mod world;
