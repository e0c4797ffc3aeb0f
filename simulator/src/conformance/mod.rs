//! One suite of clock behaviour for every clock: the firmware on the host, an emulated board, a clock on a port.
//!
//! Knows a clock only from outside ([`Specimen`]): hands on its contacts, bytes to it and from it, its power, time. What a
//! clock must do is `docs/hardware/clock-behaviour.md`; the suite is that page as a table ([`Case::all`]). It never looks
//! into a clock, and it never passes over in silence what it could not try.
//!
//! ```
//! use flagfall_clock::Encoding;
//! use flagfall_simulator::conformance::{Case, Core, Options, Suite, Verdict};
//!
//! let mut clock = Core::new("A01".parse().unwrap(), Encoding::Json, None);
//! let mut suite = Suite::open(&mut clock, Options::default()).unwrap();
//! let cases = Case::all().unwrap();
//! let outcome = suite.run(&cases[0]).unwrap();
//! assert_eq!(outcome.verdict, Verdict::Passed);
//! ```

mod act;
mod case;
mod core;
mod expect;
mod expr;
mod hands;
mod history;
mod judge;
mod link;
mod member;
mod order;
mod port;
mod restored;
mod run;
mod script;
mod specimen;
mod suite;
mod sums;
mod tell;
mod tie;
mod turn;
mod wire;

pub use self::core::Core;
pub use case::{Case, Need};
pub use port::{Port, PortOptions};
pub use specimen::{Contact, Hands, Heard, Means, Specimen, SpecimenError};
pub use suite::{Options, Outcome, Suite, Verdict};
pub use tell::Summary;
