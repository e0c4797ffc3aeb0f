//! What has happened but must wait until an earlier edge is decided, in the order in which it happened.

use flagfall_clock::{ClockCommand, Side};
use heapless::{Deque, Vec};

/// Something that is to have an effect.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Lever { side: Side, down: bool },
    StopButton { down: bool },
    ArbiterKey { down: bool },
    Battery(u8),
    Command(ClockCommand),
}

/// The same as it waits. Commands are ten times as long, and wait beside in the order in which they came.
#[derive(Clone, Copy, Debug)]
enum Short {
    Lever { side: Side, down: bool },
    StopButton { down: bool },
    ArbiterKey { down: bool },
    Battery(u8),
    Command,
}

impl Short {
    /// Which comes first within a millisecond: a hand before a message.
    const fn rank(&self) -> u8 {
        match self {
            Self::Lever { side: Side::Left, .. } => 0,
            Self::Lever { side: Side::Right, .. } => 1,
            Self::StopButton { .. } => 2,
            Self::ArbiterKey { .. } => 3,
            Self::Battery(_) => 4,
            Self::Command => 5,
        }
    }
}

/// Acts that wait. An edge is undecided for 80 ms at most: hands do less in that time.
const ACTS: usize = 12;
/// Commands among them: a line brings no more in that time.
const COMMANDS: usize = 2;

/// Bounded: when it is full, its first is to be taken out before its time ([`Waiting::is_full`]).
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    acts: Vec<(u64, Short), ACTS>,
    commands: Deque<ClockCommand, COMMANDS>,
}

impl Waiting {
    /// Nothing waits.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { acts: Vec::new(), commands: Deque::new() }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.acts.is_full()
    }

    /// Whether a command has room yet.
    pub(crate) fn takes_command(&self) -> bool {
        !self.commands.is_full()
    }

    pub(crate) fn first_at(&self) -> Option<u64> {
        self.acts.first().map(|(at, _)| *at)
    }

    /// Puts it behind everything that was not later.
    pub(crate) fn insert(&mut self, at: u64, act: Act) {
        let short = match act {
            Act::Lever { side, down } => Short::Lever { side, down },
            Act::StopButton { down } => Short::StopButton { down },
            Act::ArbiterKey { down } => Short::ArbiterKey { down },
            Act::Battery(percent) => Short::Battery(percent),
            Act::Command(command) => {
                // The owner makes room first.
                let full = self.commands.push_back(command).is_err();
                debug_assert!(!full, "room is made before a command is put in");
                Short::Command
            }
        };
        let place = self
            .acts
            .iter()
            .position(|(other_at, other)| (*other_at, other.rank()) > (at, short.rank()))
            .unwrap_or(self.acts.len());
        let full = self.acts.insert(place, (at, short)).is_err();
        debug_assert!(!full, "room is made before an act is put in");
    }

    pub(crate) fn take(&mut self) -> Option<(u64, Act)> {
        if self.acts.is_empty() {
            return None;
        }
        let (at, short) = self.acts.remove(0);
        let act = match short {
            Short::Lever { side, down } => Act::Lever { side, down },
            Short::StopButton { down } => Act::StopButton { down },
            Short::ArbiterKey { down } => Act::ArbiterKey { down },
            Short::Battery(percent) => Act::Battery(percent),
            Short::Command => Act::Command(self.commands.pop_front()?),
        };
        Some((at, act))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_first_comes_out_first_and_a_hand_before_a_message() {
        let mut waiting = Waiting::new();
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
