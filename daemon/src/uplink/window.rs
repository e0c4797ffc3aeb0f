//! What was sent and what of it is acknowledged. Pure: no socket, no clock.

use flagfall_arbiter::Wall;
use std::collections::VecDeque;

/// Events that may be on their way without an acknowledgement.
pub(super) const MOST: usize = 1_000;

/// The events on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    acked: u64,
    sent: u64,
    open: VecDeque<(u64, Wall)>,
}

impl Window {
    /// Nothing on its way; the other end has everything up to `after`.
    pub fn after(after: u64) -> Self {
        Self { acked: after, sent: after, open: VecDeque::new() }
    }

    /// How many more may be sent now.
    pub fn room(&self) -> usize {
        MOST.saturating_sub(self.open.len())
    }

    /// An event goes out that was recorded at `at`.
    pub fn send(&mut self, seq: u64, at: Wall) {
        self.sent = seq;
        self.open.push_back((seq, at));
    }

    /// Everything up to `seq` is there. What was acknowledged before changes nothing.
    ///
    /// # Errors
    /// It was never sent: the last seq that was.
    pub fn ack(&mut self, seq: u64) -> Result<(), u64> {
        if seq > self.sent {
            return Err(self.sent);
        }
        self.acked = self.acked.max(seq);
        while self.open.front().is_some_and(|(open, _)| *open <= seq) {
            self.open.pop_front();
        }
        Ok(())
    }

    /// The last event that is there.
    pub const fn acked(&self) -> u64 {
        self.acked
    }

    /// The last event sent.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// How many are on their way.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// When the oldest event on its way was recorded.
    pub fn oldest(&self) -> Option<Wall> {
        self.open.front().map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_full_with_a_thousand_and_has_room_as_they_are_acknowledged() {
        let mut window = Window::after(5);
        for seq in 6..=1_005 {
            assert!(window.room() > 0);
            window.send(seq, Wall(seq.cast_signed()));
        }
        assert_eq!((window.room(), window.open(), window.oldest()), (0, 1_000, Some(Wall(6))));
        assert_eq!(window.ack(8), Ok(()));
        assert_eq!((window.room(), window.acked(), window.oldest()), (3, 8, Some(Wall(9))));
        assert_eq!(window.ack(6), Ok(()), "late, and no step back");
        assert_eq!((window.room(), window.acked()), (3, 8));
        assert_eq!(window.ack(1_005), Ok(()));
        assert_eq!((window.open(), window.oldest(), window.sent()), (0, None, 1_005));
    }

    #[test]
    fn what_was_never_sent_cannot_be_acknowledged() {
        let mut window = Window::after(5);
        assert_eq!(window.ack(6), Err(5));
        window.send(9, Wall(0));
        assert_eq!(window.ack(10), Err(9));
        assert_eq!((window.acked(), window.open()), (5, 1));
        // between two that were sent: seven and eight were not for him
        assert_eq!(window.ack(8), Ok(()));
        assert_eq!((window.acked(), window.open()), (8, 1));
    }
}
