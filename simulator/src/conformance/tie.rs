//! How the clock's own uptime lies in test time.
//!
//! Every report says something about it: what was heard cannot have happened later, what a command or a hand brought about
//! not before. Where no instant is left at which the clock could have come up, it has told a wrong time.

/// The bounds of the instant of uptime 0, in microseconds of test time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tie {
    low: i64,
    high: i64,
    /// When that was known, in test time.
    at: u64,
    drift_ppm: u32,
}

impl Tie {
    pub(crate) const fn new(drift_ppm: u32) -> Self {
        Self { low: i64::MIN / 4, high: i64::MAX / 4, at: 0, drift_ppm }
    }

    /// What happened at `uptime_ms` happened from `earliest` to `latest`. False where that cannot be; then nothing
    /// changes.
    pub(crate) fn narrow(&mut self, now: u64, uptime_ms: u64, earliest: i64, latest: i64) -> bool {
        let drift = i64::try_from(now.saturating_sub(self.at) * u64::from(self.drift_ppm) / 1_000_000);
        let drift = drift.unwrap_or(i64::MAX / 8);
        let uptime = i64::try_from(uptime_ms.saturating_mul(1_000)).unwrap_or(i64::MAX / 4);
        // A millisecond of uptime is all of it.
        let low = (self.low - drift).max(earliest.saturating_sub(uptime).saturating_sub(1_000));
        let high = (self.high + drift).min(latest.saturating_sub(uptime));
        if low > high {
            return false;
        }
        (self.low, self.high, self.at) = (low, high, now);
        true
    }

    /// The middle of a millisecond of uptime, in test time, and how far off that may be.
    pub(crate) fn test_time(&self, uptime_ms: i64) -> (i64, i64) {
        let middle = self.low + (self.high - self.low) / 2;
        (
            middle.saturating_add(uptime_ms.saturating_mul(1_000)).saturating_add(500),
            (self.high - self.low) / 2,
        )
    }

    /// The earliest and the latest uptime at a test time, in milliseconds.
    pub(crate) fn uptime(&self, at: u64) -> (i64, i64) {
        let at = i64::try_from(at).unwrap_or(i64::MAX / 4);
        ((at - self.high).div_euclid(1_000), (at - self.low).div_euclid(1_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_presses_a_quarter_of_a_millisecond_apart_tell_the_instant_to_a_quarter() {
        let (mut tie, up) = (Tie::new(0), 7_300_i64);
        for at in [50_000, 150_250, 250_500, 350_750] {
            let uptime = u64::try_from((at - up) / 1_000).unwrap();
            assert!(tie.narrow(400_000, uptime, at - 1, at + 1));
        }
        let (middle, off) = tie.test_time(1_000);
        assert!((middle - (up + 1_000_500)).abs() <= 250 && off <= 130, "{middle} {off}");
        // One told 2 ms late.
        assert!(!tie.narrow(400_000, 395, 400_000 - 1, 400_000 + 1));
    }

    #[test]
    fn a_crystal_that_runs_off_is_followed() {
        let mut tie = Tie::new(100);
        assert!(tie.narrow(0, 0, 0, 0));
        // 100 s later it is 5 ms slow, that is 50 ppm.
        assert!(tie.narrow(100_000_000, 99_995, 100_000_000, 100_000_000));
        assert!(!tie.narrow(200_000_000, 199_000, 200_000_000, 200_000_000));
    }
}
