//! One contact of a lever, button or key, and when to believe it.
//!
//! Contacts bounce: 12 edges within 3 ms are one press, and a spark of 2 ms is none. So a change is believed once the
//! contact has been quiet for the debounce time, and then counts from the first edge of its burst: the player's time
//! stops when he pressed, not when the clock had made sure. Until a burst is decided nothing later than its first
//! edge may happen (see [`crate::clock`]).

/// A contact that chatters for this many debounce times is taken to be touched: it must not hold up the clock.
const CHATTER: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Burst {
    first: u64,
    last: u64,
    down: bool,
}

/// A change that is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Time of the first edge, in milliseconds of uptime.
    pub at: u64,
    /// Pressed, or let go.
    pub down: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Contact {
    debounce: u64,
    down: bool,
    burst: Option<Burst>,
}

impl Contact {
    pub(crate) fn new(debounce_ms: u8) -> Self {
        Self { debounce: u64::from(debounce_ms.clamp(1, 20)), down: false, burst: None }
    }

    /// An edge. A level that is already known is no edge.
    pub(crate) fn edge(&mut self, at: u64, down: bool) {
        match &mut self.burst {
            Some(burst) if burst.down != down => {
                burst.down = down;
                burst.last = at;
            }
            None if self.down != down => self.burst = Some(Burst { first: at, last: at, down }),
            _ => {}
        }
    }

    /// First edge of what is not decided yet.
    pub(crate) fn undecided(&self) -> Option<u64> {
        self.burst.map(|burst| burst.first)
    }

    /// When it will be decided, if no further edge comes.
    pub(crate) fn decides_at(&self) -> Option<u64> {
        self.burst.map(|burst| (burst.last + self.debounce).min(burst.first + CHATTER * self.debounce))
    }

    /// Decides what is due by `at`; to be called until `None`, which is also what a glitch comes to.
    pub(crate) fn decide(&mut self, at: u64) -> Option<Change> {
        while let (Some(burst), Some(due)) = (self.burst, self.decides_at()) {
            if due > at {
                return None;
            }
            let quiet = burst.last + self.debounce <= due;
            let down = !quiet || burst.down;
            // Decided against its level of the moment: that level is the next burst.
            self.burst = (burst.down != down).then_some(Burst { first: due, last: due, down: burst.down });
            if down != self.down {
                self.down = down;
                return Some(Change { at: burst.first, down });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(contact: &mut Contact, at: u64) -> impl Iterator<Item = Change> {
        core::iter::from_fn(move || contact.decide(at))
    }

    #[test]
    fn twelve_edges_within_3_ms_are_one_press_from_the_first_edge() {
        let mut contact = Contact::new(5);
        for (edge, at) in [100, 100, 100, 101, 101, 101, 101, 102, 102, 102, 102, 103, 103].iter().enumerate()
        {
            contact.edge(*at, edge % 2 == 0);
        }
        assert_eq!(contact.decide(107), None);
        assert!(all(&mut contact, 108).eq([Change { at: 100, down: true }]));
        assert_eq!(contact.undecided(), None);
    }

    #[test]
    fn a_glitch_of_2_ms_is_nothing() {
        let mut contact = Contact::new(5);
        contact.edge(100, true);
        contact.edge(102, false);
        assert_eq!(contact.decides_at(), Some(107));
        assert_eq!(all(&mut contact, 200).count(), 0);
        assert_eq!(contact.undecided(), None);
    }

    #[test]
    fn a_press_and_its_release_are_told_apart_however_late_one_looks() {
        let mut contact = Contact::new(5);
        contact.edge(100, true);
        assert!(all(&mut contact, 500).eq([Change { at: 100, down: true }]));
        contact.edge(500, false);
        assert!(all(&mut contact, 900).eq([Change { at: 500, down: false }]));
    }

    #[test]
    fn endless_chatter_is_one_press_and_holds_nothing_up() {
        let mut contact = Contact::new(5);
        let mut presses = 0;
        for at in 100..1_100 {
            presses += all(&mut contact, at).filter(|change| change.down).count();
            contact.edge(at, at % 2 == 0);
            assert!(contact.decides_at().is_none_or(|due| due <= at + 20));
        }
        assert_eq!(presses, 1);
    }
}
