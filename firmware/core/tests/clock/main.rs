//! What a chess clock does, seen from outside: edges and commands in, reports and display out, in virtual time.

mod bench;
mod commands;
mod control;
mod ending;
mod flag;
mod hands;
mod properties;
mod reports;
mod saved;
