//! How fast one connection may ask.

use std::time::{Duration, Instant};

/// A bucket of requests that fills with time.
#[derive(Debug)]
pub(super) struct Rate {
    /// When the bucket would be full; the further ahead, the emptier it is.
    full_at: Instant,
}

impl Rate {
    /// One request's worth of time: 50 a second.
    const EACH: Duration = Duration::from_millis(20);
    /// At once at most.
    const BURST: u32 = 100;

    pub const fn new(now: Instant) -> Self {
        Self { full_at: now }
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let full_at = self.full_at.max(now) + Self::EACH;
        if full_at > now + Self::EACH * Self::BURST {
            return false;
        }
        self.full_at = full_at;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_at_once_then_fifty_a_second() {
        let now = Instant::now();
        let mut rate = Rate::new(now);
        assert_eq!((0..500).filter(|_| rate.take(now)).count(), 100);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..500).filter(|_| rate.take(later)).count(), 50);
        let much_later = now + Duration::from_secs(100);
        assert_eq!((0..500).filter(|_| rate.take(much_later)).count(), 100);
    }
}
