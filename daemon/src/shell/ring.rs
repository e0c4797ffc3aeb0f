//! What was told last, serialised once and shared by all who listen.
//!
//! The ring holds the newest events as the very bytes that go out. A listener is a number: the last seq he has. He
//! asks for what follows and never holds anything up; whoever fell out of the ring reads the journal
//! ([`Past`](super::Past)) until he is back. Only the core pushes, and only what is durable.

use axum::extract::ws::Utf8Bytes;
use flagfall_arbiter::{Audience, Event, News};
use std::collections::VecDeque;
use std::sync::{PoisonError, RwLock};
use tokio::sync::watch;

/// What stands around an event on a desk's connection.
const BEFORE: &str = r#"{"jsonrpc":"2.0","method":"event","params":"#;
const AFTER: &str = "}";

/// An event as it goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its number.
    pub seq: u64,
    /// For whom it is.
    pub audience: Audience,
    /// The whole notification.
    pub frame: Utf8Bytes,
}

/// How a ruling's event says what it is.
const RULING: &str = r#""type":"ruling""#;

impl Told {
    /// From the event itself.
    #[must_use]
    pub fn new(event: &Event) -> Self {
        // An event has only texts as keys, so it can always be written.
        let json = serde_json::to_string(event).unwrap_or_default();
        Self::from_json(event.seq, event.audience, &json)
    }

    /// From its JSON.
    #[must_use]
    pub fn from_json(seq: u64, audience: Audience, json: &str) -> Self {
        Self { seq, audience, frame: Utf8Bytes::from(format!("{BEFORE}{json}{AFTER}")) }
    }

    /// The event's JSON alone.
    #[must_use]
    pub fn json(&self) -> &str {
        let frame = self.frame.as_str();
        frame.strip_prefix(BEFORE).and_then(|rest| rest.strip_suffix(AFTER)).unwrap_or(frame)
    }

    /// Read again; for those who count in-process.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        serde_json::from_str(self.json()).ok()
    }

    /// As somebody hears it who hears what is for `audience`; none if it is not for him. Of a ruling the
    /// public hears what was ruled, not what it was weighed from.
    #[must_use]
    pub fn heard_by(self, audience: Audience) -> Option<Self> {
        if !self.is_for(audience) {
            return None;
        }
        if audience == Audience::Desk || !self.frame.as_str().contains(RULING) {
            return Some(self);
        }
        let mut event = self.event()?;
        if let News::Ruling(ruling) = &mut event.news {
            *ruling = ruling.for_all();
        }
        Some(Self::new(&event))
    }

    /// Whether somebody who hears what is for `audience` hears this.
    #[must_use]
    pub fn is_for(&self, audience: Audience) -> bool {
        audience == Audience::Desk || self.audience == Audience::Public
    }
}

/// What follows a seq.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Following {
    /// These, in order; none if he has all.
    Here(Vec<Told>),
    /// They are no longer here; the oldest that is has this seq.
    Older(u64),
}

/// The newest events.
#[derive(Debug)]
pub struct Ring {
    events: RwLock<Kept>,
    head: watch::Sender<u64>,
    most: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct Kept {
    told: VecDeque<Told>,
    bytes: usize,
}

impl Ring {
    /// An empty ring after event `head`, of at most so many events and bytes; the last event always stays.
    #[must_use]
    pub fn new(head: u64, most: usize, most_bytes: usize) -> Self {
        Self { events: RwLock::default(), head: watch::Sender::new(head), most: most.max(1), most_bytes }
    }

    /// Adds an event; the listeners wake.
    pub fn push(&self, told: Told) {
        let seq = told.seq;
        {
            let mut kept = self.events.write().unwrap_or_else(PoisonError::into_inner);
            kept.bytes += told.frame.len();
            kept.told.push_back(told);
            while kept.told.len() > self.most || (kept.bytes > self.most_bytes && kept.told.len() > 1) {
                let dropped = kept.told.pop_front().map_or(0, |told| told.frame.len());
                kept.bytes -= dropped;
            }
        }
        self.head.send_replace(seq);
    }

    /// The last event told; 0 before the first.
    #[must_use]
    pub fn head(&self) -> u64 {
        *self.head.borrow()
    }

    /// Wakes at each event.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.head.subscribe()
    }

    /// At most `most` events after `seq`.
    #[must_use]
    pub fn after(&self, seq: u64, most: usize) -> Following {
        let kept = self.events.read().unwrap_or_else(PoisonError::into_inner);
        let Some(oldest) = kept.told.front().map(|told| told.seq) else {
            let head = self.head();
            return if seq >= head { Following::Here(Vec::new()) } else { Following::Older(head + 1) };
        };
        match (seq + 1).checked_sub(oldest) {
            None => Following::Older(oldest),
            Some(skip) => {
                let skip = usize::try_from(skip).unwrap_or(usize::MAX);
                Following::Here(kept.told.iter().skip(skip).take(most).cloned().collect())
            }
        }
    }
}

impl Ring {
    /// How many events after `seq` are for `audience`; those that are no longer here count all.
    #[must_use]
    pub fn count_after(&self, seq: u64, audience: Audience) -> u64 {
        let kept = self.events.read().unwrap_or_else(PoisonError::into_inner);
        let oldest = kept.told.front().map_or_else(|| self.head() + 1, |told| told.seq);
        let gone = oldest.saturating_sub(seq + 1);
        let skip = usize::try_from((seq + 1).saturating_sub(oldest)).unwrap_or(usize::MAX);
        let here = kept.told.iter().skip(skip).filter(|told| told.is_for(audience)).count();
        gone + u64::try_from(here).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_somebody_is_counted_and_what_is_no_longer_here_counts_all() {
        let ring = Ring::new(10, 3, usize::MAX);
        assert_eq!(ring.count_after(10, Audience::Public), 0);
        assert_eq!(ring.count_after(7, Audience::Public), 3, "nothing is here yet");
        for seq in 11..=15 {
            let audience = if seq == 14 { Audience::Public } else { Audience::Desk };
            ring.push(Told::from_json(seq, audience, "{}"));
        }
        // 13, 14 and 15 are here
        assert_eq!(ring.count_after(15, Audience::Public), 0);
        assert_eq!(ring.count_after(14, Audience::Public), 0);
        assert_eq!(ring.count_after(12, Audience::Public), 1);
        assert_eq!(ring.count_after(10, Audience::Public), 3);
        assert_eq!(ring.count_after(12, Audience::Desk), 3);
    }

    fn told(seq: u64) -> Told {
        Told::from_json(seq, Audience::Desk, &format!("{{\"seq\":{seq}}}"))
    }

    fn seqs(following: Following) -> Vec<u64> {
        match following {
            Following::Here(told) => told.iter().map(|told| told.seq).collect(),
            Following::Older(oldest) => panic!("only from {oldest} on"),
        }
    }

    #[test]
    fn a_listener_gets_what_follows_and_one_too_far_behind_is_sent_to_the_journal() {
        let ring = Ring::new(10, 3, usize::MAX);
        assert_eq!(ring.after(10, 9), Following::Here(vec![]));
        assert_eq!(ring.after(4, 9), Following::Older(11));
        for seq in 11..=15 {
            ring.push(told(seq));
        }
        assert_eq!(ring.head(), 15);
        assert_eq!(ring.after(11, 9), Following::Older(13));
        assert_eq!(seqs(ring.after(12, 9)), [13, 14, 15]);
        assert_eq!(seqs(ring.after(12, 2)), [13, 14]);
        assert_eq!(seqs(ring.after(15, 9)), [0; 0]);
        assert_eq!(seqs(ring.after(99, 9)), [0; 0]);
    }

    #[test]
    fn bytes_are_bounded_too_and_the_last_event_stays() {
        let ring = Ring::new(0, 100, 10);
        ring.push(told(1));
        ring.push(told(2));
        assert_eq!(seqs(ring.after(1, 9)), [2]);
        assert_eq!(ring.after(0, 9), Following::Older(2));
    }

    #[test]
    fn the_frame_is_a_notification_around_the_events_own_json() {
        let told = told(7);
        assert_eq!(told.frame.as_str(), r#"{"jsonrpc":"2.0","method":"event","params":{"seq":7}}"#);
        assert_eq!(told.json(), r#"{"seq":7}"#);
    }
}
