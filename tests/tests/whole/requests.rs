//! Every request of docs/api 4 through the real daemon: done, refused by role, asked twice, asked by somebody who
//! has not seen what happened meanwhile, and asked just before the daemon is killed.
//!
//! [`table`] has a row for each; [`stage`] carries the five out; [`before`], [`play`] and [`ends`] bring a hall into the
//! state in which a request succeeds, and say what it must do.

mod before;
mod ends;
mod misread;
mod play;
mod stage;
mod table;
