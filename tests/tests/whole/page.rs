//! The desk's page in a real browser, before the real daemon.
//!
//! [`entry`] is about coming in and what the page may and may not do to the outside; [`words`] about its two catalogues.

mod entry;
mod words;
