//! The regulations in virtual time. A test whose name holds `rule_N` is row N of the worked-out
//! test cases of the event's regulations.

mod hall;

mod flags;
mod lateness;
mod pairing;
mod replay;
mod results;
mod rounds;
mod sheets;
mod stops;
mod times;
