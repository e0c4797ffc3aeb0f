//! Extends a hardware counter that wraps to a time that does not.
//!
//! A 32-bit counter of microseconds wraps after 71.6 minutes, one of milliseconds after 49.7 days; a game of
//! 50:00 + 15 s outlasts the first. Decides nothing else; whoever owns the counter calls it.

/// Milliseconds since power-up, from a free-running 32-bit counter.
#[derive(Clone, Debug)]
pub struct Uptime {
    ticks_per_ms: u32,
    ticks: u64,
    last: u32,
}

impl Uptime {
    /// A counter of `ticks_per_ms` ticks a millisecond (1,000 where it counts microseconds; 0 is taken as 1) that
    /// stands at `counter` now, `0 ms`.
    #[must_use]
    pub const fn new(ticks_per_ms: u32, counter: u32) -> Self {
        let ticks_per_ms = if ticks_per_ms == 0 { 1 } else { ticks_per_ms };
        Self { ticks_per_ms, ticks: 0, last: counter }
    }

    /// The time now, in milliseconds, where the counter reads `counter`. Must be called at least once in each half
    /// turn of the counter (35 minutes of microseconds); a status each 5 s sees to that.
    ///
    /// A reading a little older than the last one (an interrupt came between) does not move the time.
    pub const fn now(&mut self, counter: u32) -> u64 {
        let step = counter.wrapping_sub(self.last);
        if step <= u32::MAX / 2 {
            self.ticks = self.ticks.saturating_add(step as u64);
            self.last = counter;
        }
        self.ticks / self.ticks_per_ms as u64
    }

    /// The time of a reading stamped elsewhere, as by the interrupt of an edge: up to half a turn before or after the
    /// last one. Moves nothing.
    #[must_use]
    pub const fn of(&self, stamp: u32) -> u64 {
        let ahead = stamp.wrapping_sub(self.last);
        let ticks = if ahead <= u32::MAX / 2 {
            self.ticks.saturating_add(ahead as u64)
        } else {
            self.ticks.saturating_sub(self.last.wrapping_sub(stamp) as u64)
        };
        ticks / self.ticks_per_ms as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_run_on_over_the_wrap_at_71_minutes() {
        let start = 4_000_000_000_u32;
        let mut uptime = Uptime::new(1_000, start);
        let mut counter = start;
        for second in 1..=7_200_u64 {
            counter = counter.wrapping_add(1_000_000);
            assert_eq!(uptime.now(counter), second * 1_000);
        }
    }

    #[test]
    fn milliseconds_run_on_over_2_to_the_32() {
        let mut uptime = Uptime::new(1, u32::MAX - 499);
        assert_eq!(uptime.now(u32::MAX), 499);
        assert_eq!(uptime.now(0), 500);
        assert_eq!(uptime.now(500), 1_000);
    }

    #[test]
    fn a_long_time_loses_no_fraction() {
        let mut uptime = Uptime::new(1_000, 0);
        let mut counter = 0_u32;
        for _ in 0..3_000 {
            counter = counter.wrapping_add(333);
            uptime.now(counter);
        }
        assert_eq!(uptime.now(counter), 999);
    }

    #[test]
    fn a_stamp_from_an_interrupt_keeps_its_own_time_on_either_side_of_the_wrap() {
        let mut uptime = Uptime::new(1_000, u32::MAX - 4_999);
        assert_eq!(uptime.now(5_000), 10);
        assert_eq!(uptime.of(u32::MAX - 1_999), 3);
        assert_eq!(uptime.of(7_000), 12);
        assert_eq!(uptime.now(4_000), 10, "an older reading moves nothing");
        assert_eq!(uptime.now(6_000), 11);
    }
}
