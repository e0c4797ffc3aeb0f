//! A clock of the hall: its session, its link, its open commands.

use crate::command::Commands;
use crate::faults::Faults;
use crate::{LineId, Session};
use flagfall_clock::ClockId;
use flagfall_rules::Venue;

/// Not heard for so long while a side runs, it is offline, in milliseconds.
const SILENT_RUNNING_MS: u64 = 3_500;
/// The same while none runs, in milliseconds.
const SILENT_STANDING_MS: u64 = 12_000;
/// An acknowledgement at most so often, in milliseconds.
const ACK_EVERY_MS: u64 = 500;

/// A clock.
#[derive(Debug)]
pub(crate) struct Clock {
    pub session: Session,
    pub commands: Commands,
    pub faults: Faults,
    pub link: Link,
    pub acked: Option<Venue>,
    /// It stands in the next sample.
    pub sampled: bool,
    /// When the hall looks at it next; maybe sooner than needed.
    pub scheduled: Option<Venue>,
}

/// Whether and where a clock is heard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Link {
    pub online: bool,
    /// It was heard before.
    pub ever: bool,
    /// Where its last report came from; commands go there.
    pub line: Option<LineId>,
    pub heard: Venue,
}

impl Clock {
    pub(crate) fn new(clock: ClockId) -> Self {
        Self {
            session: Session::new(clock),
            commands: Commands::new(clock),
            faults: Faults::default(),
            link: Link::default(),
            acked: None,
            sampled: false,
            scheduled: None,
        }
    }

    /// When it counts as silent; `awake`: the daemon itself slept until then.
    pub(crate) fn silent_at(&self, awake: Venue) -> Option<Venue> {
        let patience = if self.session.runs() { SILENT_RUNNING_MS } else { SILENT_STANDING_MS };
        self.link.online.then(|| self.link.heard.max(awake) + patience)
    }

    /// When its next acknowledgement may go out, where one is due.
    pub(crate) fn ack_at(&self) -> Option<Venue> {
        self.session.unacked().then(|| self.acked.map_or(Venue(0), |acked| acked + ACK_EVERY_MS))
    }

    pub(crate) fn next_deadline(&self, awake: Venue) -> Option<Venue> {
        [self.session.next_deadline(), self.commands.next_deadline(), self.silent_at(awake), self.ack_at()]
            .into_iter()
            .flatten()
            .min()
    }
}
