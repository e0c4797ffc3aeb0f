//! The regulations: observations in, incidents and rulings out, time as an argument.
//!
//! Pure: no IO, no system clock, no logging. [`Rules::handle`] decides, [`Rules::fold`] takes in what
//! was decided before; both end in the same state. A late or repeated call changes nothing.

mod articles;
mod ask;
mod board;
mod chairs;
mod change;
mod claims;
mod clocks;
pub mod control;
mod due;
mod explain;
mod export;
mod flag;
mod fold;
mod fouls;
mod game;
mod grounds;
mod input;
mod lateness;
mod made;
mod matches;
mod mode;
mod overrule;
pub mod pairing;
mod pause;
mod penalty;
mod presence;
mod regulations;
mod results;
mod rounds;
mod rules;
mod rulings;
mod setup;
mod sheet;
mod signing;
mod silence;
mod standings;
mod starting;
mod state;
mod stop;
mod tables;
mod taken;
mod tasks;
mod times;
mod turn;
mod undo;
mod venue;
mod view;
mod walk;
mod watch;
mod watching;
mod words;

pub use change::{Act, At, Chair, Change, Claim, HeldBy, Stage, Walk};
pub use flagfall_arbiter::BothLate;
pub use input::{Decision, Input, Observation, Order, Outcome, Reading, Who};
pub use regulations::{
    BASE, Boundary, BuiltIn, Choice, DefaultReference, DrawFrom, DrawWinner, EventFouls, ExcessCheck,
    ExemptBy, ExemptFor, Field, FlagCall, Laws, Offence, PROFILES, Phone, PressTimes, Profile, PublicResult,
    Regulations, RegulationsError, Remark, Shape, StopAsked, Unprovable, Value, written,
};
pub use rules::Rules;
pub use setup::{BoardSetup, Mode, PlayerSetup, RoundSetup, Setup, StartBy, TableSetup, TeamSetup, Variant};
pub use standings::{PlayerLine, Standings, TeamLine};
pub use venue::Venue;
pub use watching::Cause;
