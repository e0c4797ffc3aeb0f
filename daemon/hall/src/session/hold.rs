//! Reports that came before others that are still missing.
//!
//! Bounded: statuses merge, and when it is full what is missing counts as lost. Decides only when to
//! ask and when to stop waiting.

use flagfall_clock::ClockReport;
use flagfall_rules::Venue;
use std::collections::BTreeMap;

/// A report out of order is waited for so long before it is asked for, in milliseconds.
const GRACE_MS: u64 = 150;
/// Nothing that was missing came for so long: it is lost, in milliseconds.
pub(super) const SILENCE_MS: u64 = 2_000;
/// Reports held back at most.
const MOST: usize = 256;

/// A report held back.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// It, and when it came.
    Report(Box<ClockReport>, Venue),
    /// A status that a later one makes needless; only its number and its count of events matter.
    Merged(Option<u32>, Venue),
}

impl Held {
    pub(super) const fn heard(&self) -> Venue {
        match self {
            Self::Report(_, heard) | Self::Merged(_, heard) => *heard,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Wait {
    opened: Venue,
    asked: bool,
    /// What was held back when the clock was asked; its answer covers no hole beyond.
    covers: u32,
    progress: Venue,
}

/// What is held back behind a hole.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    held: BTreeMap<u32, Held>,
    wait: Option<Wait>,
}

impl Hold {
    pub(super) const fn new() -> Self {
        Self { held: BTreeMap::new(), wait: None }
    }

    /// Keeps a report back; `false` if there is no more room.
    pub(super) fn put(&mut self, now: Venue, report: ClockReport) -> bool {
        let seq = report.seq;
        if self.last().is_some_and(|last| seq < last) {
            self.progress(now);
        }
        if report.event.is_none()
            && let Some((&before, held)) = self.held.range_mut(..seq).next_back()
            && let Held::Report(status, heard) = held
            && status.event.is_none()
            && (before + 1 == seq || report.events.is_some() && status.events == report.events)
        {
            *held = Held::Merged(status.events, *heard);
        }
        self.held.insert(seq, Held::Report(Box::new(report), now));
        if self.wait.is_none() {
            self.wait = Some(Wait { opened: now, asked: false, covers: 0, progress: now });
        }
        self.held.len() < MOST
    }

    pub(super) fn has(&self, seq: u32) -> bool {
        self.held.contains_key(&seq)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn first(&self) -> Option<(u32, &Held)> {
        self.held.first_key_value().map(|(seq, held)| (*seq, held))
    }

    pub(super) fn take_first(&mut self) -> Option<(u32, Held)> {
        self.held.pop_first()
    }

    pub(super) fn last(&self) -> Option<u32> {
        self.held.last_key_value().map(|(seq, _)| *seq)
    }

    /// Whether something is waited for.
    pub(super) const fn open(&self) -> bool {
        self.wait.is_some()
    }

    /// Whether the clock was asked.
    pub(super) fn asked(&self) -> bool {
        self.wait.is_some_and(|wait| wait.asked)
    }

    /// Something missing came.
    pub(super) fn progress(&mut self, now: Venue) {
        if let Some(wait) = &mut self.wait {
            wait.progress = now;
        }
    }

    pub(super) fn ask(&mut self, now: Venue) {
        let covers = self.last().unwrap_or(0);
        if let Some(wait) = &mut self.wait {
            wait.asked = true;
            wait.covers = covers;
            wait.progress = now;
        }
    }

    /// Nothing is waited for any more; whether the clock was asked.
    pub(super) fn close(&mut self) -> bool {
        self.wait.take().is_some_and(|wait| wait.asked)
    }

    /// What is still held waits for something else; whether the clock was asked before.
    pub(super) fn reopen(&mut self, now: Venue) -> bool {
        let asked = self.close();
        if !self.held.is_empty() {
            self.wait = Some(Wait { opened: now, asked: false, covers: 0, progress: now });
        }
        asked
    }

    /// Whether the hole that is first now opened after the clock was asked.
    pub(super) fn uncovered(&self) -> bool {
        self.wait.is_some_and(|wait| wait.asked && self.first().is_some_and(|(seq, _)| seq > wait.covers))
    }

    pub(super) fn ask_due(&self, now: Venue) -> bool {
        self.wait.is_some_and(|wait| !wait.asked && now >= wait.opened + GRACE_MS)
    }

    pub(super) fn lost_due(&self, now: Venue) -> bool {
        self.wait.is_some_and(|wait| wait.asked && now >= wait.progress + SILENCE_MS)
    }

    pub(super) fn next_deadline(&self) -> Option<Venue> {
        self.wait.map(|wait| if wait.asked { wait.progress + SILENCE_MS } else { wait.opened + GRACE_MS })
    }
}
