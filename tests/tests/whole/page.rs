//! The desk's page in a real browser, before the real daemon.
//!
//! [`entry`] is about coming in and what the page may do to the outside, [`viewer`] about who only looks on, [`words`] about
//! the two catalogues, [`strings`] about what others wrote, [`times`] and [`heard`] about what an arbiter writes and what the
//! page makes of what it hears, [`round`] about an arbiter's whole round, [`two`] about two of them, [`cut`] about lines that are
//! lost, [`access`] about who can use it, [`load`] about five hundred boards, [`pictures`] about its looks in a [`full`] hall.

mod access;
mod cut;
mod entry;
mod full;
mod hand;
mod heard;
mod load;
mod pictures;
mod round;
mod stage;
mod strings;
mod times;
mod two;
mod viewer;
mod words;
