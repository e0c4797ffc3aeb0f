//! What holds of a clock's messages, in both encodings and on a line that may do anything.

#![allow(clippy::disallowed_methods)] // the vectors and the page they stand in are files

mod any;
mod docs;
mod json;
mod line;
mod provision;
mod round_trip;
mod seal;
mod vectors;
mod versions;
