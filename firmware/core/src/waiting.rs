//! What has happened but must wait until an earlier edge is decided, in the order in which it happened.

use flagfall_clock::{ClockCommand, Side};
use heapless::Vec;

/// Something that is to have an effect.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Lever { side: Side, down: bool },
    StopButton { down: bool },
    ArbiterKey { down: bool },
    Battery(u8),
    Command(ClockCommand),
}

impl Act {
    /// Which comes first within a millisecond: a hand before a message.
    const fn rank(&self) -> u8 {
        match self {
            Self::Lever { side: Side::Left, .. } => 0,
            Self::Lever { side: Side::Right, .. } => 1,
            Self::StopButton { .. } => 2,
            Self::ArbiterKey { .. } => 3,
            Self::Battery(_) => 4,
            Self::Command(_) => 5,
        }
    }
}

/// Bounded: when it is full, its first is to be taken out before its time ([`Waiting::is_full`]).
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    acts: Vec<(u64, Act), ACTS>,
}

/// Acts that wait. An edge is undecided for 80 ms at most: hands do less in that time, and a line brings no more commands.
const ACTS: usize = 10;

impl Waiting {
    pub(crate) fn is_full(&self) -> bool {
        self.acts.is_full()
    }

    pub(crate) fn first_at(&self) -> Option<u64> {
        self.acts.first().map(|(at, _)| *at)
    }

    /// Puts it behind everything that was not later.
    pub(crate) fn insert(&mut self, at: u64, act: Act) {
        let place = self
            .acts
            .iter()
            .position(|(other_at, other)| (*other_at, other.rank()) > (at, act.rank()))
            .unwrap_or(self.acts.len());
        // The owner makes room first.
        let full = self.acts.insert(place, (at, act)).is_err();
        debug_assert!(!full, "room is made before an act is put in");
    }

    pub(crate) fn take(&mut self) -> Option<(u64, Act)> {
        if self.acts.is_empty() { None } else { Some(self.acts.remove(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_first_comes_out_first_and_a_hand_before_a_message() {
        let mut waiting = Waiting::default();
        waiting.insert(5, Act::Battery(50));
        waiting.insert(5, Act::Lever { side: Side::Right, down: true });
        waiting.insert(3, Act::Battery(51));
        waiting.insert(5, Act::Battery(52));
        let order = core::iter::from_fn(|| waiting.take()).map(|(at, act)| match act {
            Act::Battery(percent) => (at, percent),
            _ => (at, 0),
        });
        assert!(order.eq([(3, 51), (5, 0), (5, 50), (5, 52)]));
    }
}
