//! The state of the whole event and the one way in: [`Rules::handle`].

use crate::{Decision, Input, Outcome, Setup, Venue};
use flagfall_arbiter::{Audience, Snapshot, Tick, Wall};

/// Everything that was decided so far.
#[derive(Debug)]
pub struct Rules {
    setup: Setup,
}

impl Rules {
    /// Nothing loaded yet. The first inputs are `Anchor` and `Setup`.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { setup }
    }

    /// Takes in one input and decides.
    pub fn handle(&mut self, at: Venue, input: &Input, out: &mut Outcome) {
        let _ = (at, input, out, &self.setup);
    }

    /// Takes in an input as journalled, without deciding.
    pub fn fold_input(&mut self, at: Venue, input: &Input) {
        let _ = (at, input);
    }

    /// Takes in a decision as journalled.
    pub fn fold_decision(&mut self, at: Venue, decision: &Decision) {
        let _ = (at, decision);
    }

    /// When something falls due next; `handle(at, &Input::Due, ..)` then.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Venue> {
        None
    }

    /// The last event's seq.
    #[must_use]
    pub fn head(&self) -> u64 {
        0
    }

    /// The wall time of a venue time, by the latest anchor.
    #[must_use]
    pub fn wall(&self, at: Venue) -> Wall {
        Wall(at.0 as i64)
    }

    /// The hall for somebody who comes in.
    #[must_use]
    pub fn snapshot(&self, audience: Audience) -> Snapshot {
        let _ = audience;
        Snapshot::default()
    }

    /// Merged states.
    #[must_use]
    pub fn tick(&self, at: Venue, audience: Audience) -> Tick {
        Tick { now: self.wall(at), audience: Some(audience), journal_fault: None, boards: Vec::new() }
    }
}
