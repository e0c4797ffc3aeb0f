//! What the clock has said and has yet to say.
//!
//! The last 64 events stay, said or not, so that a link that lost one can have it again exactly as it was. A status
//! is worth something only until the next: 16 wait at most, then the oldest makes room. An event makes room only for
//! the 65th after it; the hole it leaves in `events` shows.

mod kept;

use heapless::Deque;
pub(crate) use kept::{Happened, Kept, Origin};

/// Events kept for `replay`.
pub(crate) const KEPT: usize = 64;
/// Statuses that wait to be taken away.
pub(crate) const STATUSES: usize = 16;
/// Stretches asked for again and not yet sent.
const STRETCHES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    seq: u32,
    events: u32,
    kept: Deque<Kept, KEPT>,
    /// How many at the end of `kept` have never been sent.
    unsent: usize,
    statuses: Deque<Kept, STATUSES>,
    /// To be sent again: from this `seq` to before that one.
    again: Deque<(u32, u32), STRETCHES>,
    /// `seq` of the last event that is no longer kept; 0: all are.
    gone: u32,
    acked: u32,
}

impl Outbox {
    /// Empty.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            seq: 0,
            events: 0,
            kept: Deque::new(),
            unsent: 0,
            statuses: Deque::new(),
            again: Deque::new(),
            gone: 0,
            acked: 0,
        }
    }

    /// Numbers an event and keeps it. Gives its `seq`.
    pub(crate) fn event(&mut self, mut report: Kept) -> u32 {
        self.make_room();
        self.seq = self.seq.wrapping_add(1);
        self.events = self.events.wrapping_add(1);
        report.seq = self.seq;
        report.events = self.events;
        if self.kept.push_back(report).is_ok() {
            self.unsent += 1;
        }
        self.seq
    }

    /// So many events happened that nobody can be told of any more: only their numbers go by.
    pub(crate) const fn leave_out(&mut self, events: u64) {
        // Counted round as the numbers themselves are.
        let events = (events & 0xffff_ffff) as u32;
        self.seq = self.seq.wrapping_add(events);
        self.events = self.events.wrapping_add(events);
        self.gone = self.seq;
    }

    /// Numbers a status and lets it wait.
    pub(crate) fn status(&mut self, mut report: Kept) {
        self.seq = self.seq.wrapping_add(1);
        report.seq = self.seq;
        report.events = self.events;
        if self.statuses.is_full() {
            self.statuses.pop_front();
        }
        let _ = self.statuses.push_back(report);
    }

    /// Lets go of the oldest event if the next would not fit.
    pub(crate) fn make_room(&mut self) {
        if self.kept.is_full()
            && let Some(oldest) = self.kept.pop_front()
        {
            self.gone = oldest.seq;
            self.unsent = self.unsent.min(self.kept.len());
        }
    }

    /// Sends the events from `from_seq` on again. False where some of them are no longer kept; the rest is sent.
    pub(crate) fn replay(&mut self, from_seq: u32) -> bool {
        let end = self.first_unsent().unwrap_or(self.seq.saturating_add(1));
        self.send_again(from_seq, end);
        self.gone == 0 || from_seq > self.gone
    }

    /// Sends one event again. False where it is no longer kept.
    pub(crate) fn repeat(&mut self, seq: u32) -> bool {
        if !self.kept.iter().any(|report| report.seq == seq) {
            return false;
        }
        if self.first_unsent().is_none_or(|unsent| seq < unsent) {
            self.send_again(seq, seq.saturating_add(1));
        }
        true
    }

    fn send_again(&mut self, from: u32, end: u32) {
        if from >= end || self.again.iter().any(|stretch| *stretch == (from, end)) {
            return;
        }
        if let Err((from, end)) = self.again.push_back((from, end))
            && let Some(last) = self.again.back_mut()
        {
            // Nobody takes anything away: one wide stretch says more than was asked for, but nothing less.
            *last = (last.0.min(from), last.1.max(end));
        }
    }

    fn first_unsent(&self) -> Option<u32> {
        let sent = self.kept.len() - self.unsent;
        self.kept.iter().nth(sent).map(|report| report.seq)
    }

    /// Events so far.
    pub(crate) const fn events(&self) -> u32 {
        self.events
    }

    /// Durable at the other end up to here.
    pub(crate) fn ack(&mut self, seq: u32) {
        self.acked = self.acked.max(seq.min(self.seq));
    }

    /// Events not yet known to be durable at the other end; at most [`KEPT`].
    pub(crate) fn unacked(&self) -> usize {
        self.kept.iter().filter(|report| report.seq > self.acked).count()
    }

    /// The next to send: what was asked for again, then everything in its order.
    pub(crate) fn next(&mut self) -> Option<Kept> {
        while let Some((from, end)) = self.again.front_mut() {
            if let Some(report) = self.kept.iter().find(|report| report.seq >= *from && report.seq < *end) {
                *from = report.seq.saturating_add(1);
                return Some(*report);
            }
            self.again.pop_front();
        }
        let status = self.statuses.front().map(|report| report.seq);
        match (self.first_unsent(), status) {
            (Some(event), status) if status.is_none_or(|status| event < status) => {
                let sent = self.kept.len() - self.unsent;
                self.unsent -= 1;
                self.kept.iter().nth(sent).copied()
            }
            _ => self.statuses.pop_front(),
        }
    }
}
