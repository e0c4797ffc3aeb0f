//! From a clock's uptime to venue time.
//!
//! The offset is the least of (received − uptime) heard of late: a report can be delayed, never be
//! early, so the least delayed one is nearest the truth. Minima are kept for a minute in buckets of
//! ten seconds, so that an oscillator that is slow or fast by 100 ppm is followed. After a silence the
//! offset known before it still holds, give or take what an oscillator can drift: what a broker kept
//! back meanwhile is then dated when it happened, not when it came.

use flagfall_rules::Venue;

const BUCKET_MS: u64 = 10_000;
const BUCKETS: usize = 6;
/// Drift allowed for, in parts per million: crystals of clocks are far better.
const DRIFT_PPM: i64 = 200;
/// What a link may take at best; nobody can see it from one end.
const TRANSIT_MS: u64 = 10;
/// Doubt of an offset that rests on one report, or on one from before a restart.
const UNSURE_MS: u64 = 1_000;
/// Reports after which an offset is trusted.
const SURE_AFTER: u32 = 5;

/// What is known of the offset between a clock's uptime and venue time.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// Least offset of each bucket; `i64::MAX` where nothing was heard.
    buckets: [i64; BUCKETS],
    /// The bucket of `now` counts from venue 0 in steps of [`BUCKET_MS`].
    bucket: u64,
    /// When the present run of reports began; a silence begins a new one.
    since: Venue,
    /// The last report.
    heard: Venue,
    /// The offset before the present run, and when it was known.
    before: Option<(i64, Venue)>,
    offset: i64,
    samples: u32,
    /// Mean of how much later than the best reports come, in sixteenths of a millisecond.
    jitter_16: u64,
}

impl Mapping {
    /// Nothing known yet.
    pub(crate) const fn new() -> Self {
        Self {
            buckets: [i64::MAX; BUCKETS],
            bucket: 0,
            since: Venue(0),
            heard: Venue(0),
            before: None,
            offset: i64::MAX,
            samples: 0,
            jitter_16: 0,
        }
    }

    /// What a journalled report showed. Later reports of the same boot are measured against it.
    pub(crate) fn remember(&mut self, happened: Venue, uptime_ms: u64) {
        *self = Self::new();
        self.before = Some((happened.0 as i64 - uptime_ms as i64, happened));
    }

    /// Forgets all: another boot, or the uptime made a step.
    pub(crate) fn forget(&mut self) {
        *self = Self::new();
    }

    /// A report came in.
    pub(crate) fn heard(&mut self, now: Venue, uptime_ms: u64) {
        let sample = (now.0 as i64).saturating_sub(i64::try_from(uptime_ms).unwrap_or(i64::MAX));
        let bucket = now.0 / BUCKET_MS;
        if self.samples == 0 {
            self.start(now, bucket);
        } else if bucket >= self.bucket + BUCKETS as u64 {
            self.before = Some((self.offset, self.heard));
            self.start(now, bucket);
        } else {
            while self.bucket < bucket {
                self.bucket += 1;
                self.buckets[self.bucket as usize % BUCKETS] = i64::MAX;
            }
        }
        let slot = &mut self.buckets[bucket as usize % BUCKETS];
        *slot = sample.min(*slot);
        self.heard = now;
        self.samples = self.samples.saturating_add(1);
        let least = self.buckets.iter().copied().min().unwrap_or(sample);
        self.offset = match self.before {
            // for the first seconds of a run the one before it is the better witness
            Some((offset, at)) if now.since(self.since) < BUCKET_MS as i64 => {
                let drift = now.since(at).max(0).saturating_mul(DRIFT_PPM) / 1_000_000 + 1;
                least.min(offset.saturating_add(drift))
            }
            _ => least,
        };
        let late = (sample - self.offset).clamp(0, 60_000) as u64 * 16;
        self.jitter_16 = if self.samples == 1 { late } else { (self.jitter_16 * 15 + late) / 16 };
    }

    fn start(&mut self, now: Venue, bucket: u64) {
        self.buckets = [i64::MAX; BUCKETS];
        self.bucket = bucket;
        self.since = now;
        self.samples = 0;
    }

    /// When the clock's uptime was so; never after `now`.
    pub(crate) fn at(&self, now: Venue, uptime_ms: u64) -> Venue {
        if self.offset == i64::MAX {
            return now;
        }
        let at = self.offset.saturating_add(i64::try_from(uptime_ms).unwrap_or(i64::MAX));
        Venue(u64::try_from(at).unwrap_or(0)).min(now)
    }

    /// The clock's uptime now, where anything was heard; after a restart by what was journalled of it.
    pub(crate) fn uptime(&self, now: Venue) -> Option<u64> {
        let known =
            if self.offset == i64::MAX { self.before.map(|(offset, _)| offset) } else { Some(self.offset) };
        known.map(|offset| u64::try_from(now.0 as i64 - offset).unwrap_or(0))
    }

    /// How exact [`Mapping::at`] is, in milliseconds, for a clock that measures so finely.
    pub(crate) fn bound(&self, resolution_ms: u32) -> u64 {
        let unsure = if self.samples < SURE_AFTER { UNSURE_MS / u64::from(self.samples.max(1)) } else { 0 };
        u64::from(resolution_ms).max(1) + TRANSIT_MS + self.jitter_16 / 16 + unsure
    }
}

#[cfg(test)]
mod tests {
    use super::Mapping;
    use flagfall_rules::Venue;

    #[test]
    fn the_least_delayed_report_dates_the_others() {
        let mut mapping = Mapping::new();
        for (received, uptime) in [(1_300, 1_000), (2_020, 2_000), (3_700, 3_000)] {
            mapping.heard(Venue(received), uptime);
        }
        assert_eq!(mapping.at(Venue(3_700), 3_000), Venue(3_020));
        assert_eq!(mapping.uptime(Venue(4_020)), Some(4_000));
    }

    #[test]
    fn a_slow_oscillator_is_followed() {
        let mut mapping = Mapping::new();
        for second in 0..7_200_u64 {
            let uptime = second * 1_000 - second / 10; // 100 ppm slow
            mapping.heard(Venue(second * 1_000 + 5), uptime);
            let error = mapping.at(Venue(second * 1_000 + 5), uptime).since(Venue(second * 1_000));
            assert!((-10..=10).contains(&error), "{error} ms off after {second} s");
        }
    }

    #[test]
    fn what_was_kept_back_during_a_silence_is_dated_when_it_happened() {
        let mut mapping = Mapping::new();
        for second in 1..20_u64 {
            mapping.heard(Venue(second * 1_000), second * 1_000);
        }
        mapping.heard(Venue(600_000), 300_000); // five minutes late
        let at = mapping.at(Venue(600_000), 300_000);
        assert!(at.since(Venue(300_000)).abs() < 200, "{at:?}");
        // but what persists is believed: the clock's uptime stood still, say
        for second in 1..30_u64 {
            mapping.heard(Venue(600_000 + second * 1_000), 300_000 + second * 1_000);
        }
        assert_eq!(mapping.at(Venue(629_000), 329_000), Venue(629_000));
    }

    #[test]
    fn a_clock_that_runs_ahead_never_happens_in_the_future() {
        let mut mapping = Mapping::new();
        for step in 1..100_u64 {
            mapping.heard(Venue(step * 10), step * 5_000);
            assert!(mapping.at(Venue(step * 10), step * 5_000) <= Venue(step * 10));
        }
        mapping.heard(Venue(2_000), u64::MAX);
        assert_eq!(mapping.at(Venue(2_000), u64::MAX), Venue(2_000));
    }

    #[test]
    fn few_reports_leave_doubt() {
        let mut mapping = Mapping::new();
        mapping.heard(Venue(1_000), 500);
        let first = mapping.bound(10);
        for second in 2..30_u64 {
            mapping.heard(Venue(second * 1_000), second * 1_000 - 500);
        }
        assert!(first > 900 && mapping.bound(10) < 40);
        assert!(mapping.bound(1_000) >= 1_000);
    }

    #[test]
    fn after_a_restart_a_clock_s_uptime_goes_on_from_what_was_journalled() {
        let mut mapping = Mapping::new();
        assert_eq!(mapping.uptime(Venue(9_000)), None);
        mapping.remember(Venue(10_000), 4_000);
        assert_eq!(mapping.uptime(Venue(610_000)), Some(604_000), "a command for it is not out of date");
    }
}
