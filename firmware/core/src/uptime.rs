//! Extends a hardware counter that wraps to a time that does not.
//!
//! A 32-bit counter of microseconds wraps after 71.6 minutes, one of milliseconds after 49.7 days; a game of
//! 50:00 + 15 s outlasts the first. Decides nothing else; whoever owns the counter calls it.

/// Milliseconds since power-up, from a free-running 32-bit counter.
#[derive(Clone, Debug)]
pub struct Uptime {
    ticks_per_s: u32,
    ticks: u64,
    last: u32,
}

impl Uptime {
    /// A counter of `ticks_per_s` ticks a second (1,000,000 where it counts microseconds; 0 is taken as 1) that stands at
    /// `counter` now, `0 ms`. A crystal that is off true is trimmed here: one that is fast by 20 millionths ticks
    /// 1,000,020 times a second.
    #[must_use]
    pub const fn new(ticks_per_s: u32, counter: u32) -> Self {
        let ticks_per_s = if ticks_per_s == 0 { 1 } else { ticks_per_s };
        Self { ticks_per_s, ticks: 0, last: counter }
    }

    /// The counter's ticks since power-up, without trimming.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The ticks at which uptime reaches `ms`, to set an alarm by.
    #[must_use]
    pub const fn ticks_at(&self, ms: u64) -> u64 {
        let whole = (ms / 1_000).saturating_mul(self.ticks_per_s as u64);
        whole.saturating_add((ms % 1_000 * self.ticks_per_s as u64).div_ceil(1_000))
    }

    /// What the counter reads when uptime reaches `ms`, wherever it is by now. Times further ahead than a quarter of its turn
    /// are given as that, so that one who sleeps until then looks again before it wraps; times that are past as past.
    #[must_use]
    pub const fn counter_at(&self, ms: u64) -> u32 {
        let ahead = self.ticks_at(ms).saturating_sub(self.ticks);
        let most = (u32::MAX / 4) as u64;
        self.last.wrapping_add(if ahead < most { ahead as u32 } else { most as u32 })
    }

    const fn ms(&self, ticks: u64) -> u64 {
        let (seconds, rest) = (ticks / self.ticks_per_s as u64, ticks % self.ticks_per_s as u64);
        seconds * 1_000 + rest * 1_000 / self.ticks_per_s as u64
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
        self.ms(self.ticks)
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
        self.ms(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_run_on_over_the_wrap_at_71_minutes() {
        let start = 4_000_000_000_u32;
        let mut uptime = Uptime::new(1_000_000, start);
        let mut counter = start;
        for second in 1..=7_200_u64 {
            counter = counter.wrapping_add(1_000_000);
            assert_eq!(uptime.now(counter), second * 1_000);
        }
    }

    #[test]
    fn milliseconds_run_on_over_2_to_the_32() {
        let mut uptime = Uptime::new(1_000, u32::MAX - 499);
        assert_eq!(uptime.now(u32::MAX), 499);
        assert_eq!(uptime.now(0), 500);
        assert_eq!(uptime.now(500), 1_000);
    }

    #[test]
    fn a_long_time_loses_no_fraction() {
        let mut uptime = Uptime::new(1_000_000, 0);
        let mut counter = 0_u32;
        for _ in 0..3_000 {
            counter = counter.wrapping_add(333);
            uptime.now(counter);
        }
        assert_eq!(uptime.now(counter), 999);
    }

    /// Ten hours of a crystal that is fast by 28 millionths are ten hours, and an alarm set by them is met exactly.
    #[test]
    fn a_trimmed_crystal_keeps_true_time() {
        for ppm in [-500_i32, -28, 0, 28, 500] {
            let per_s = 1_000_000_u32.wrapping_add_signed(ppm);
            let mut uptime = Uptime::new(per_s, 7);
            let mut counter = 7_u32;
            for second in 1..=36_000_u64 {
                counter = counter.wrapping_add(per_s);
                assert_eq!(uptime.now(counter), second * 1_000);
            }
            for ms in [1, 999, 1_001, 35_999_999, 36_000_001] {
                let at = uptime.ticks_at(ms);
                assert_eq!((uptime.ms(at), uptime.ms(at - 1)), (ms, ms - 1), "{ppm}");
            }
        }
    }

    #[test]
    fn a_stamp_from_an_interrupt_keeps_its_own_time_on_either_side_of_the_wrap() {
        let mut uptime = Uptime::new(1_000_000, u32::MAX - 4_999);
        assert_eq!(uptime.now(5_000), 10);
        assert_eq!(uptime.of(u32::MAX - 1_999), 3);
        assert_eq!(uptime.of(7_000), 12);
        assert_eq!(uptime.now(4_000), 10, "an older reading moves nothing");
        assert_eq!(uptime.now(6_000), 11);
    }
}
