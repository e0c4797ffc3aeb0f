//! What others may know of a session, and what it must be told of them.

use super::Session;
use super::reckon::State;
use flagfall_rules::{Reading, Venue};

impl Session {
    /// A command of our own went out, which nobody is told of.
    pub fn sent_own(&mut self, command: u32, replay: bool) {
        self.own.rotate_right(1);
        self.own[0] = (command, replay);
    }

    /// The link was lost: the next report is passed on whatever it says.
    pub fn lost_link(&mut self) {
        self.pass_next = true;
    }

    /// Whether nothing it said is kept back: no hole before it, no doubt about it.
    #[must_use]
    pub fn complete(&self) -> bool {
        let doubted = self.course.as_ref().is_some_and(|course| course.doubted.is_some());
        !self.hold.open() && self.stray.is_none() && !doubted
    }

    /// The last event that counts and is not acknowledged yet; from now on it is.
    pub fn take_ack(&mut self) -> Option<(u32, u32)> {
        let course = self.course.as_ref()?;
        std::mem::take(&mut self.unacked).then_some((course.boot, course.event_seq))
    }

    /// Whether an event waits for its acknowledgement.
    #[must_use]
    pub const fn unacked(&self) -> bool {
        self.unacked
    }

    /// The boot it is in.
    #[must_use]
    pub fn boot(&self) -> Option<u32> {
        self.course.as_ref().map(|course| course.boot)
    }

    /// Its uptime now by reckoning, in milliseconds; never before the last one it said.
    #[must_use]
    pub fn uptime(&self, now: Venue) -> Option<u64> {
        let last = self.course.as_ref()?.last?.uptime_ms;
        Some(self.mapping.uptime(now).map_or(last, |uptime| uptime.max(last)))
    }

    /// Its state in the last report that counts.
    pub(crate) fn state(&self) -> Option<&State> {
        self.course.as_ref()?.last.as_ref()
    }

    /// Whether a side runs, as last heard.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.state().is_some_and(|state| state.running.is_some())
    }

    /// Its battery as last heard, in percent.
    #[must_use]
    pub const fn battery_pct(&self) -> Option<u8> {
        self.battery_pct
    }

    /// What it last showed and when.
    #[must_use]
    pub fn reading(&self) -> Option<Reading> {
        let state = self.state()?;
        Some(Reading(self.clock, self.happened, state.left_ms, state.right_ms))
    }
}
