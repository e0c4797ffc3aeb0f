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
/// A clock that is back is told of at the latest after so long, in milliseconds: a hole is asked for and
/// given up sooner, but one hole may follow another.
const BACK_WAITS_MS: u64 = 5_000;
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// It is heard.
    pub online: bool,
    /// It was heard before.
    pub ever: bool,
    /// Where its last report came from; commands go there.
    pub line: Option<LineId>,
    /// When it was heard last.
    pub heard: Venue,
    /// What people were last told: heard, by this line. After a restart it may no longer be so.
    pub told: Option<String>,
    /// Heard again since, and nobody was told yet: what it did meanwhile comes first.
    pub back: Option<Venue>,
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

    /// When it counts as silent; `awake`: the daemon itself slept, or was not there, until then. A clock that
    /// was there before and does not come back falls silent as any other.
    pub(crate) fn silent_at(&self, awake: Venue) -> Option<Venue> {
        let patience = if self.session.runs() { SILENT_RUNNING_MS } else { SILENT_STANDING_MS };
        let wanted = self.link.online || self.link.told.is_some();
        wanted.then(|| self.link.heard.max(awake) + patience)
    }

    /// When people are told that it is back: once what it did meanwhile is known, at the latest after a
    /// while.
    pub(crate) fn back_at(&self) -> Option<Venue> {
        let back = self.link.back?;
        Some(if self.session.complete() { back } else { back + BACK_WAITS_MS })
    }

    /// When its next acknowledgement may go out, where one is due.
    pub(crate) fn ack_at(&self) -> Option<Venue> {
        self.session.unacked().then(|| self.acked.map_or(Venue(0), |acked| acked + ACK_EVERY_MS))
    }

    pub(crate) fn next_deadline(&self, awake: Venue) -> Option<Venue> {
        let link = [self.silent_at(awake), self.back_at()];
        [self.session.next_deadline(), self.commands.next_deadline(), self.ack_at()]
            .into_iter()
            .chain(link)
            .flatten()
            .min()
    }
}
