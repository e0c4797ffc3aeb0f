//! What a session says of the reports it took in.

use flagfall_rules::Observation;

/// What a session passes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Passed {
    /// A report the rules need.
    Report(Box<Observation>),
    /// Reports that are lost, among them events. The next [`Passed::Report`] tells the counts.
    Gap {
        /// The first missing.
        from_seq: u32,
        /// The last missing.
        to_seq: u32,
    },
    /// Something that does not count, and why.
    Fault {
        /// `implausible` or `old_boot`.
        kind: &'static str,
        /// One sentence that names the clock and the thing.
        message: String,
    },
    /// The clock is to be asked for the events of `boot` from `from_seq` on.
    Replay {
        /// Which boot's.
        boot: u32,
        /// The first report missing.
        from_seq: u32,
    },
    /// What was asked for is there or lost; it need not be asked for any more.
    ReplayOver,
    /// The clock is to be asked what it is.
    Describe,
}

/// What became of a report as it came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is new; the clock is heard.
    New,
    /// It was there before.
    Again,
    /// It cannot be of this clock's present.
    Refused,
}
