//! How long to wait before trying a line again.

use std::time::Duration;

/// Doubles from the first pause to the last; jitter keeps many from coming back at one instant.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    last: Duration,
    next: Duration,
}

impl Backoff {
    /// From `first`, doubling up to `last`.
    #[must_use]
    pub const fn new(first: Duration, last: Duration) -> Self {
        Self { first, last, next: first }
    }

    /// It worked: begin with the first pause again.
    pub const fn reset(&mut self) {
        self.next = self.first;
    }

    /// The next pause, shortened by up to a quarter at random.
    pub fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.last);
        // Without entropy there is no jitter, which only matters where many come back at once.
        let share = getrandom::u32().unwrap_or(0) % 256;
        pause - pause * share / 1024
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_last_and_begin_anew() {
        let (first, last) = (Duration::from_millis(200), Duration::from_secs(5));
        let mut backoff = Backoff::new(first, last);
        let mut expected = first;
        for _ in 0..10 {
            let pause = backoff.pause();
            assert!(pause <= expected && pause >= expected * 3 / 4, "{pause:?} for {expected:?}");
            expected = (expected * 2).min(last);
        }
        backoff.reset();
        assert!(backoff.pause() <= first);
    }
}
