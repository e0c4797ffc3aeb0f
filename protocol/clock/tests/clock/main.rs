//! What holds of a clock's messages, in both encodings and on a line that may do anything.

mod any;
mod docs;
mod json;
mod line;
mod round_trip;
mod seal;
mod vectors;
mod versions;
