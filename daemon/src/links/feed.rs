//! The way from the lines into the core, and what every line holds of the shell.

use super::Keyring;
use super::outbox::Lines;
use crate::metrics::Metrics;
use flagfall_clock::ClockId;
use flagfall_hall::{Heard, LineId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Called once all that followed from an input is durable.
pub struct Ack(Box<dyn FnOnce() + Send>);

impl Ack {
    /// Calls `act` then.
    #[must_use]
    pub fn new(act: impl FnOnce() + Send + 'static) -> Self {
        Self(Box::new(act))
    }

    /// It is durable.
    pub fn durable(self) {
        (self.0)();
    }
}

impl fmt::Debug for Ack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ack(..)")
    }
}

/// What a line heard.
#[derive(Debug)]
pub struct Input {
    /// What.
    pub heard: Heard,
    /// Who is to be told once it is durable.
    pub ack: Option<Ack>,
}

/// What every line holds. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Feed {
    /// Into the core. Bounded; whoever fills it waits, and his line with him.
    pub inputs: mpsc::Sender<Input>,
    /// Commands on their way out.
    pub lines: Lines,
    /// Who must seal.
    pub keys: Arc<Keyring>,
    /// What is counted.
    pub metrics: Metrics,
}

impl Feed {
    /// Tells the core. `false` once the core has ended.
    pub async fn tell(&self, heard: Heard) -> bool {
        self.tell_and(heard, None).await
    }

    /// Tells the core, with someone to be told when it is durable.
    pub async fn tell_and(&self, heard: Heard, ack: Option<Ack>) -> bool {
        self.inputs.send(Input { heard, ack }).await.is_ok()
    }
}

/// Faults of one line, so that a flood of them is one line with a number: each kind, for each clock, at most once in
/// [`Faults::EVERY`]. What is held back is counted in the metrics and said with the next.
#[derive(Debug)]
pub struct Faults {
    said: HashMap<(&'static str, Option<ClockId>), (Instant, u64)>,
}

impl Faults {
    /// How often one kind is said at most.
    const EVERY: Duration = Duration::from_secs(10);
    /// So many kinds and clocks are told apart at most; clocks' names come from outside.
    const MOST: usize = 1024;

    /// Nothing said yet.
    #[must_use]
    pub fn new() -> Self {
        Self { said: HashMap::new() }
    }

    /// The fault to be told now, if it is time for one of its kind.
    pub fn note(
        &mut self,
        now: Instant,
        kind: &'static str,
        clock: Option<ClockId>,
        message: impl FnOnce() -> String,
    ) -> Option<Heard> {
        if self.said.len() >= Self::MOST {
            self.said.retain(|_, (at, _)| now.duration_since(*at) < Self::EVERY);
        }
        let full = self.said.len() >= Self::MOST;
        // Beyond that many, the clock is no longer told apart.
        let key = if full { (kind, None) } else { (kind, clock) };
        let more = match self.said.get_mut(&key) {
            Some((at, held)) if now.duration_since(*at) < Self::EVERY => {
                *held += 1;
                return None;
            }
            Some((_, held)) => *held,
            None => 0,
        };
        self.said.insert(key, (now, 0));
        let message = match more {
            0 => message(),
            more => format!("{}; {more} more since last said", message()),
        };
        Some(Heard::Fault { clock, kind, message })
    }
}

/// A line's name with its number.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its number.
    pub id: LineId,
    /// Its name for people.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(heard: Option<Heard>) -> Option<String> {
        match heard? {
            Heard::Fault { message, .. } => Some(message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_flood_of_one_fault_is_said_once_with_its_number() {
        let mut faults = Faults::new();
        let start = Instant::now();
        let mut said = 0;
        for n in 0..100 {
            let now = start + Duration::from_millis(n * 10);
            said += usize::from(faults.note(now, "malformed", None, || "port x: noise".into()).is_some());
        }
        assert_eq!(said, 1);
        let later = start + Duration::from_secs(20);
        let next = message(faults.note(later, "malformed", None, || "port x: noise".into()));
        assert_eq!(next.as_deref(), Some("port x: noise; 99 more since last said"));
        let other = message(faults.note(later, "seal", None, || "other".into()));
        assert_eq!(other.as_deref(), Some("other"));
    }

    #[test]
    fn made_up_clock_names_do_not_grow_it_without_bound() {
        let mut faults = Faults::new();
        let now = Instant::now();
        for n in 0..5_000 {
            let clock = format!("X{n}").parse().ok();
            faults.note(now, "foreign_topic", clock, || "made up".into());
        }
        assert!(faults.said.len() <= Faults::MOST + 1);
    }
}
