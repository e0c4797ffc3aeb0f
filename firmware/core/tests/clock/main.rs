//! What a chess clock does, seen from outside: edges and commands in, reports and display out, in virtual time.

mod any;
mod bench;
mod commands;
mod control;
mod cuts;
mod delay;
mod ending;
mod flag;
mod hands;
mod overtime;
mod periods;
mod properties;
mod refused;
mod reports;
mod saved;
mod sums;
mod turns;
