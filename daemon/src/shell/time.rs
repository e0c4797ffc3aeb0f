//! Venue time from the host's clocks.
//!
//! [`VenueClock`] carries the only time that rules compare: milliseconds since the journal began. Within a run it
//! follows the host's boot time, which goes on while the host sleeps and does not know of steps of the wall clock.
//! It must never go back, whatever the clocks under it do. Owned by the core; nobody else makes venue time.

use flagfall_arbiter::Wall;
use flagfall_rules::Venue;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The host's clocks at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instants {
    /// Since the host booted, its sleep included.
    pub boot: Duration,
    /// Since the host booted, its sleep left out.
    pub awake: Duration,
    /// Wall time.
    pub wall: Wall,
}

impl Instants {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall = Wall(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX));
        #[cfg(target_os = "linux")]
        {
            use rustix::time::{ClockId, clock_gettime};
            let read = |clock| {
                let read = clock_gettime(clock);
                let seconds = u64::try_from(read.tv_sec).unwrap_or(0);
                Duration::new(seconds, u32::try_from(read.tv_nsec).unwrap_or(0))
            };
            Self { boot: read(ClockId::Boottime), awake: read(ClockId::Monotonic), wall }
        }
        #[cfg(not(target_os = "linux"))]
        {
            use std::sync::OnceLock;
            use std::time::Instant;
            static FIRST: OnceLock<Instant> = OnceLock::new();
            let since = FIRST.get_or_init(Instant::now).elapsed();
            Self { boot: since, awake: since, wall }
        }
    }
}

/// Venue time. Reads the host through [`Instants`], so that tests can say what the host's clocks show.
#[derive(Clone, Debug)]
pub struct VenueClock {
    began: Venue,
    start: Instants,
    speed: u32,
    last: Venue,
}

impl VenueClock {
    /// Runs from `began` on, `speed` times as fast as the host; a speed of 0 is taken as 1.
    #[must_use]
    pub fn new(began: Venue, start: Instants, speed: u32) -> Self {
        Self { began, start, speed: speed.max(1), last: began }
    }

    /// Goes on where a journal ended: at its last record's time and the wall time since. A wall clock that was set
    /// back meanwhile bridges nothing; it never takes venue time back.
    #[must_use]
    pub fn resumed(last: Venue, last_wall: Wall, start: Instants, speed: u32) -> Self {
        let away = u64::try_from(start.wall.0.saturating_sub(last_wall.0)).unwrap_or(0);
        Self::new(last + away, start, speed)
    }

    /// Venue time now.
    pub fn now(&mut self) -> Venue {
        self.at(Instants::now())
    }

    /// Venue time when the host's clocks show `instants`; not before any time given out already.
    pub fn at(&mut self, instants: Instants) -> Venue {
        let elapsed = instants.boot.saturating_sub(self.start.boot);
        let ms = elapsed.as_micros().saturating_mul(u128::from(self.speed)) / 1000;
        self.last = self.last.max(self.began + u64::try_from(ms).unwrap_or(u64::MAX));
        self.last
    }

    /// Wall time as this hall has it: the host's; in a hall faster than the wall, that of its start and what has
    /// passed in the hall since.
    pub fn wall(&mut self, instants: Instants) -> Wall {
        if self.speed == 1 {
            return instants.wall;
        }
        let passed = self.at(instants).since(self.began);
        Wall(self.start.wall.0.saturating_add(passed))
    }

    /// Wall time of a hall faster than the wall is `wall` at its start: it goes on from its own.
    pub const fn set_wall(&mut self, wall: Wall) {
        self.start.wall = wall;
    }

    /// How long to sleep from `now` to `deadline`, on the host's clock; rounded up, so that it is due on waking.
    #[must_use]
    pub fn until(&self, now: Venue, deadline: Venue) -> Duration {
        let ms = u64::try_from(deadline.since(now)).unwrap_or(0);
        Duration::from_millis(ms.div_ceil(u64::from(self.speed)))
    }

    /// Venue time runs so many times as fast as the host's.
    #[must_use]
    pub const fn speed(&self) -> u32 {
        self.speed
    }
}

/// Notices that the host slept: then boot time goes on and the other stands.
#[derive(Clone, Copy, Debug)]
pub struct SleepWatch {
    asleep: Duration,
}

impl SleepWatch {
    /// Shorter than this is the clocks' own imprecision.
    const LEAST: Duration = Duration::from_secs(1);

    /// From now on.
    #[must_use]
    pub fn new(instants: Instants) -> Self {
        Self { asleep: instants.boot.saturating_sub(instants.awake) }
    }

    /// How long the host slept since it was last asked, if it did.
    pub fn slept(&mut self, instants: Instants) -> Option<Duration> {
        let asleep = instants.boot.saturating_sub(instants.awake);
        let slept = asleep.saturating_sub(self.asleep);
        self.asleep = asleep;
        (slept >= Self::LEAST).then_some(slept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instants(boot_ms: u64, asleep_ms: u64, wall: i64) -> Instants {
        let awake = Duration::from_millis(boot_ms - asleep_ms);
        Instants { boot: Duration::from_millis(boot_ms), awake, wall: Wall(wall) }
    }

    #[test]
    fn venue_time_never_goes_back() {
        let mut clock = VenueClock::new(Venue(500), instants(10_000, 0, 0), 1);
        assert_eq!(clock.at(instants(12_000, 0, 0)), Venue(2_500));
        assert_eq!(clock.at(instants(9_000, 0, 0)), Venue(2_500), "the host's clock went back");
        assert_eq!(clock.at(instants(12_001, 0, 0)), Venue(2_501));
        let mut last = clock.now();
        for _ in 0..1_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn a_step_of_the_wall_clock_moves_nothing() {
        let mut clock = VenueClock::new(Venue(0), instants(0, 0, 1_000_000), 1);
        for wall in [11_800_000, -9_800_000, 1_000_500] {
            assert_eq!(clock.at(instants(1_000, 0, wall)), Venue(1_000));
        }
    }

    #[test]
    fn a_restart_is_bridged_by_wall_time_and_never_back() {
        let mut on = VenueClock::resumed(Venue(60_000), Wall(1_000), instants(5, 0, 5_200), 1);
        assert_eq!(on.at(instants(5, 0, 5_200)), Venue(64_200));
        let mut back = VenueClock::resumed(Venue(60_000), Wall(9_000), instants(5, 0, 2_000), 1);
        assert_eq!(back.at(instants(6, 0, 2_001)), Venue(60_001));
    }

    #[test]
    fn a_faster_hall_has_its_own_wall_time_and_shorter_sleeps() {
        let mut clock = VenueClock::new(Venue(0), instants(0, 0, 1_000), 20);
        assert_eq!(clock.at(instants(50, 0, 1_050)), Venue(1_000));
        assert_eq!(clock.wall(instants(50, 0, 1_050)), Wall(2_000));
        assert_eq!(clock.until(Venue(1_000), Venue(1_021)), Duration::from_millis(2));
        assert_eq!(clock.until(Venue(1_000), Venue(900)), Duration::ZERO);
    }

    #[test]
    fn sleep_of_the_host_is_noticed_once_and_counts_as_time() {
        let mut watch = SleepWatch::new(instants(1_000, 0, 0));
        assert_eq!(watch.slept(instants(2_000, 3, 0)), None);
        assert_eq!(watch.slept(instants(602_003, 600_003, 0)), Some(Duration::from_secs(600)));
        assert_eq!(watch.slept(instants(603_003, 600_003, 0)), None);
        let mut clock = VenueClock::new(Venue(0), instants(1_000, 0, 0), 1);
        assert_eq!(clock.at(instants(602_003, 600_003, 0)), Venue(601_003));
    }
}
