//! A real browser in front of the desk: Debian's Chromium, driven through Debian's chromedriver as the W3C's WebDriver has
//! it, beside the clocks and desks of the same test.
//!
//! A person's means only, where a person's act is tried: taps and keys go through the browser's own input, so that what is
//! covered, disabled or out of sight cannot be tapped here either. Scripts are for looking.
//!
//! WebDriver is JSON over HTTP; [`driver`] has what is needed of it. The crates for it bring some sixty others into the
//! lock file, and that for about ten requests.

pub mod axe;
pub mod driver;
pub mod form;
pub mod keys;
pub mod line;
pub mod look;
pub mod measure;
pub mod page;
pub mod seen;
pub mod session;
