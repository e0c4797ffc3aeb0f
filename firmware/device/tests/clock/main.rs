//! The device on a board of the host: its memory through power cuts, its line, and what it does when a part fails.

mod board;
mod cuts;
mod failing;
mod flash;
mod line;
mod memory;
