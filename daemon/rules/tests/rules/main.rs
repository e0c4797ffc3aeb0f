//! The regulations in virtual time. A test whose name holds `rule_N` is row N of the worked-out
//! test cases of the event's regulations.

mod hall;

mod afterwards;
mod anything;
mod bulletin;
mod claims;
mod control;
mod draws;
mod flags;
mod foretold;
mod fouls;
mod keys;
mod lateness;
mod matches;
mod modes;
mod pairing;
mod presence;
mod presses;
mod put_off;
mod regulations;
mod replay;
mod results;
mod review4;
mod rounds;
mod sheets;
mod silence;
mod standings;
mod stops;
mod stress;
mod tables;
mod taken;
mod times;
mod undo;
mod views;
mod watching;
