//! From questions and answers to millionths. Knows no clock and no line.

use std::time::Duration;

/// A USB adapter hands bytes on by the millisecond, and a host wakes up no better.
const GRAIN: f64 = 0.001;

/// One answer. Both instants by the host, from the same beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub asked: Duration,
    pub came: Duration,
    /// The clock's counter somewhere between, in microseconds.
    pub uptime_us: u64,
}

impl Sample {
    fn round_trip(&self) -> f64 {
        self.came.saturating_sub(self.asked).as_secs_f64()
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.asked.as_secs_f64(), self.came.as_secs_f64())
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    /// By how many millionths the counter is fast.
    pub ppm: f64,
    /// How far that may be off by how long the answers took, in millionths.
    pub within_ppm: f64,
    /// Between the two answers that were held against each other.
    pub seconds: f64,
}

/// The quickest answer of the first and of the last quarter. None where they are too few.
///
/// Each answer was made somewhere on its way there and back. The way itself is the same for all, and falls out of the
/// difference; what counts is by how much those two took longer than the quickest of all.
pub(super) fn estimate(samples: &[Sample]) -> Option<Estimate> {
    let (first, last) = (samples.first()?, samples.last()?);
    let quarter = last.asked.saturating_sub(first.asked) / 4;
    let quickest = |of: &mut dyn Iterator<Item = &Sample>| {
        of.min_by(|a, b| a.round_trip().total_cmp(&b.round_trip())).copied()
    };
    let early = quickest(&mut samples.iter().filter(|sample| sample.asked <= first.asked + quarter))?;
    // of equals the first there and the last here: the further apart, the better
    let late = quickest(&mut samples.iter().rev().filter(|sample| sample.asked + quarter >= last.asked))?;
    let least = quickest(&mut samples.iter())?.round_trip();
    let seconds = late.middle() - early.middle();
    if seconds <= 0.0 {
        return None;
    }
    let counted = late.uptime_us.checked_sub(early.uptime_us)? as f64 / 1e6;
    let off = GRAIN + f64::midpoint(early.round_trip() - least, late.round_trip() - least);
    Some(Estimate { ppm: (counted / seconds - 1.0) * 1e6, within_ppm: off / seconds * 1e6, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that is fast by `ppm`, asked each second; the question takes `there` microseconds, the answer `back`.
    fn asked(ppm: f64, seconds: u64, there: impl Fn(u64) -> u64, back: impl Fn(u64) -> u64) -> Vec<Sample> {
        let one = |at: u64| {
            let asked = Duration::from_secs(at);
            let made = asked + Duration::from_micros(there(at));
            let uptime_us = (7e6 + made.as_secs_f64() * (1e6 + ppm)) as u64;
            Sample { asked, came: made + Duration::from_micros(back(at)), uptime_us }
        };
        (0..=seconds).map(one).collect()
    }

    #[test]
    fn a_line_that_always_takes_as_long_does_not_count() {
        for ppm in [-480.0, -3.0, 0.0, 19.0, 28.5] {
            let found = estimate(&asked(ppm, 1_800, |_| 3_500, |_| 200)).unwrap();
            assert!((found.ppm - ppm).abs() < 0.01, "{ppm}: {found:?}");
            assert!((found.within_ppm - 1_000.0 / 1_800.0).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn late_answers_are_left_out_and_what_is_left_is_within_what_is_told() {
        // most answers are late by up to 16 ms, as behind a lazy adapter
        let late = |at: u64| 300 + at * 7_919 % 16_000;
        let found = estimate(&asked(19.0, 1_800, |_| 3_500, late)).unwrap();
        assert!((found.ppm - 19.0).abs() < found.within_ppm && found.within_ppm < 1.0, "{found:?}");
        // all late at the end, and it is told
        let found =
            estimate(&asked(19.0, 1_800, |_| 3_500, |at| if at > 900 { 20_000 } else { 300 })).unwrap();
        assert!(found.within_ppm > 5.0, "{found:?}");
        assert!((found.ppm - 19.0).abs() < found.within_ppm, "{found:?}");
    }

    #[test]
    fn one_answer_is_no_measure() {
        assert!(estimate(&[]).is_none());
        assert!(estimate(&asked(0.0, 0, |_| 1, |_| 1)).is_none());
    }
}
