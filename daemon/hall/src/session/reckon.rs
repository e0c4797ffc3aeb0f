//! What a clock's state and its own uptime let expect of its next report.
//!
//! Decides nothing about games: only whether a report can follow from the one before it.

use super::course::Course;
use flagfall_clock::{ClockEvent, ClockReport, Side};
use std::fmt;

/// A difference this side of which a reading fits reckoning, in milliseconds.
pub(crate) const FITS_MS: i64 = 1_000;
/// No clock shows less or more than this, in milliseconds.
const LEAST_MS: i64 = -3_600_000;
const MOST_MS: i64 = 360_000_000;
/// Counters that makers let run below zero: seconds or milliseconds of 16 or 32 bits.
const WRAPS_MS: [i64; 3] = [65_536, 65_536_000, 4_294_967_296];

/// A clock's state at an instant of its own uptime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) uptime_ms: u64,
    pub(crate) left_ms: i64,
    pub(crate) right_ms: i64,
    pub(crate) running: Option<Side>,
    pub(crate) left_presses: u32,
    pub(crate) right_presses: u32,
    /// The fallen side, as far as ever said.
    pub(crate) flag: Option<Side>,
}

impl State {
    /// The state in a report; what it leaves out is as it was.
    pub(crate) fn of(report: &ClockReport, before: Option<&Self>) -> Self {
        Self {
            uptime_ms: report.uptime_ms,
            left_ms: report.left_ms,
            right_ms: report.right_ms,
            running: report.running,
            left_presses: report.left_presses,
            right_presses: report.right_presses,
            flag: report.flag.unwrap_or_else(|| before.and_then(|state| state.flag)),
        }
    }

    const fn ms(&self, side: Side) -> i64 {
        match side {
            Side::Left => self.left_ms,
            Side::Right => self.right_ms,
        }
    }

    const fn presses(&self, side: Side) -> u32 {
        match side {
            Side::Left => self.left_presses,
            Side::Right => self.right_presses,
        }
    }

    /// What a side shows at the instant of a report, if nothing happened before it.
    fn expected(&self, course: Course, report: &ClockReport, side: Side) -> i64 {
        let elapsed = i64::try_from(report.uptime_ms.saturating_sub(self.uptime_ms)).unwrap_or(i64::MAX);
        course.later(self.ms(side), elapsed, side, self.running)
    }

    /// How far a side's reading is from what was to be expected, in milliseconds; positive: more.
    fn off(&self, course: Course, report: &ClockReport, side: Side) -> i64 {
        let expected = self.expected(course, report, side);
        let read = report.ms(side);
        // a clock may count on below zero, or stand at it
        if expected < 0 && read > expected { read.max(0) } else { read.saturating_sub(expected) }
    }

    /// The larger difference of the two sides; `None` where the uptime went back.
    ///
    /// What a clock credits with a press is no difference: how much it should be is for the rules.
    pub(crate) fn off_ms(&self, course: Course, report: &ClockReport) -> Option<i64> {
        if report.uptime_ms < self.uptime_ms {
            return None;
        }
        let off = |side| {
            let (least, most) = course.adds(report.event.as_ref(), side);
            let off = self.off(course, report, side);
            off - off.clamp(least, most)
        };
        let (left, right) = (off(Side::Left), off(Side::Right));
        Some(if left.unsigned_abs() >= right.unsigned_abs() { left } else { right })
    }

    /// Whether a status says nothing that was not known: same sides, counts and flag, times as reckoned.
    pub(crate) fn confirmed_by(&self, course: Course, report: &ClockReport) -> bool {
        self.running == report.running
            && self.left_presses == report.left_presses
            && self.right_presses == report.right_presses
            && report.flag.is_none_or(|flag| flag == self.flag)
            && self.off_ms(course, report).is_some_and(|off| off.abs() <= FITS_MS)
    }
}

/// Why a report cannot be taken at its word by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A side's time differs from reckoning.
    Time { side: Side, ms: i64, off_ms: i64 },
    /// A side's time is out of any clock's range.
    Range { side: Side, ms: i64 },
    /// A counter that ran below zero and does not say so.
    Wrap { side: Side, ms: i64 },
    /// At or below zero, without the event.
    Zero { side: Side, ms: i64 },
    /// The flag of a side with time left, or without the event.
    Flag { side: Side, ms: i64 },
    /// Another side runs, without an event.
    Running { now: Option<Side> },
    /// The counts of moves changed, without an event.
    Presses { side: Side, now: u32, before: u32 },
    /// The uptime went back.
    Uptime { now_ms: u64, before_ms: u64 },
}

impl Doubt {
    /// Whether no further report can make it true.
    pub(crate) const fn is_final(&self) -> bool {
        matches!(self, Self::Wrap { .. })
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Time { side, ms, off_ms } => {
                write!(f, "{} shows {ms} ms, {off_ms:+} ms against reckoning", name(side))
            }
            Self::Range { side, ms } => write!(f, "{} shows {ms} ms, which no clock shows", name(side)),
            Self::Wrap { side, ms } => write!(f, "{} shows {ms} ms, a counter run below zero", name(side)),
            Self::Zero { side, ms } => write!(f, "{} shows {ms} ms without a flag event", name(side)),
            Self::Flag { side, ms } => {
                write!(f, "the flag of {} changed without its event, with {ms} ms left", name(side))
            }
            Self::Running { now: Some(side) } => write!(f, "{} runs without an event", name(side)),
            Self::Running { now: None } => f.write_str("it stands without an event"),
            Self::Presses { side, now, before } => {
                write!(f, "{} presses went from {before} to {now} without a press", name(side))
            }
            Self::Uptime { now_ms, before_ms } => {
                write!(f, "uptime went from {before_ms} back to {now_ms} ms")
            }
        }
    }
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// Whether this event sets times, so that nothing can be reckoned across it.
pub(crate) const fn sets_times(event: &ClockEvent) -> bool {
    match event {
        ClockEvent::Boot(_)
        | ClockEvent::Adjust { .. }
        | ClockEvent::Reset { .. }
        | ClockEvent::Done { ok: true, .. }
        | ClockEvent::Unknown => true,
        ClockEvent::About(about) => about.restored,
        _ => false,
    }
}

/// What speaks against a report by itself, given the state before it (`None`: nothing known).
pub(crate) fn doubt(course: Course, before: Option<&State>, report: &ClockReport) -> Option<Doubt> {
    for side in SIDES {
        let ms = report.ms(side);
        if let Some(before) = before
            && wrapped(course, before, report, side)
        {
            return Some(Doubt::Wrap { side, ms });
        }
        if !(LEAST_MS..=MOST_MS).contains(&ms) {
            return Some(Doubt::Range { side, ms });
        }
    }
    let Some(before) = before else {
        return if report.event.is_none() { fallen(None, report) } else { None };
    };
    if report.uptime_ms < before.uptime_ms {
        return Some(Doubt::Uptime { now_ms: report.uptime_ms, before_ms: before.uptime_ms });
    }
    if report.event.as_ref().is_some_and(sets_times) {
        return None;
    }
    let pressed = match report.event {
        Some(ClockEvent::Press { side }) => Some(side),
        _ => None,
    };
    for side in SIDES {
        let off = before.off(course, report, side);
        let (least, most) = course.adds(report.event.as_ref(), side);
        let most = if pressed == Some(side) { most } else { most + FITS_MS };
        if off < least - FITS_MS || off > most {
            return Some(Doubt::Time { side, ms: report.ms(side), off_ms: off });
        }
        let (now, was) = (report.presses(side), before.presses(side));
        if now != was && !(pressed == Some(side) && now == was.saturating_add(1)) {
            return Some(Doubt::Presses { side, now, before: was });
        }
    }
    match &report.event {
        None => {
            if report.running != before.running {
                return Some(Doubt::Running { now: report.running });
            }
            fallen(Some(before), report)
        }
        Some(ClockEvent::Flag { side }) => {
            let ms = report.ms(*side);
            (ms > FITS_MS).then_some(Doubt::Flag { side: *side, ms })
        }
        Some(event) => {
            if !moves(event) && report.running != before.running {
                return Some(Doubt::Running { now: report.running });
            }
            newly_flagged(Some(before), report)
        }
    }
}

/// Whether this event may change who runs.
const fn moves(event: &ClockEvent) -> bool {
    matches!(
        event,
        ClockEvent::Start { .. }
            | ClockEvent::Press { .. }
            | ClockEvent::Stop { .. }
            | ClockEvent::Resume { .. }
            | ClockEvent::Over { .. }
            | ClockEvent::Flag { .. }
            | ClockEvent::Period { .. }
    )
}

/// A flag that came or went without its event: once fallen it stays until a reset.
fn newly_flagged(before: Option<&State>, report: &ClockReport) -> Option<Doubt> {
    let (now, was) = (report.flag?, before.and_then(|before| before.flag));
    let side = now.or(was)?;
    (now != was).then(|| Doubt::Flag { side, ms: report.ms(side) })
}

fn fallen(before: Option<&State>, report: &ClockReport) -> Option<Doubt> {
    newly_flagged(before, report).or_else(|| {
        SIDES.into_iter().find_map(|side| {
            let ms = report.ms(side);
            let known = before.is_some_and(|before| before.ms(side) <= 0);
            (ms <= 0 && !known).then_some(Doubt::Zero { side, ms })
        })
    })
}

fn wrapped(course: Course, before: &State, report: &ClockReport, side: Side) -> bool {
    let read = report.ms(side);
    if report.uptime_ms < before.uptime_ms || read <= 60_000 || !course.counts_down() {
        return false;
    }
    let expected = before.expected(course, report, side);
    expected <= 2 * FITS_MS
        && WRAPS_MS.into_iter().any(|wrap| {
            let below = read.saturating_sub(wrap);
            below <= 0 && below.saturating_sub(expected).abs() <= 2 * FITS_MS
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_clock::By;

    fn report(uptime_ms: u64, left_ms: i64, event: Option<ClockEvent>) -> ClockReport {
        ClockReport {
            clock: "A01".parse().unwrap(),
            boot: 1,
            seq: 1,
            events: Some(1),
            uptime_ms,
            left_ms,
            right_ms: 3_000_000,
            running: Some(Side::Left),
            left_presses: 4,
            right_presses: 4,
            flag: Some(None),
            stopped_by: None,
            battery_pct: None,
            periods: None,
            event,
        }
    }

    fn state(left_ms: i64) -> State {
        State::of(&report(100_000, left_ms, None), None)
    }

    #[test]
    fn a_reading_within_a_second_is_no_doubt_and_beyond_it_is() {
        let before = state(60_000);
        for (left, off) in [(59_000, 0), (60_000, 1_000), (58_000, -1_000)] {
            let next = report(101_000, left, None);
            assert_eq!(before.off_ms(Course::PLAIN, &next), Some(off));
            assert_eq!(doubt(Course::PLAIN, Some(&before), &next), None);
            assert!(before.confirmed_by(Course::PLAIN, &next));
        }
        for left in [60_001, 57_999, -30_000] {
            assert!(
                matches!(
                    doubt(Course::PLAIN, Some(&before), &report(101_000, left, None)),
                    Some(Doubt::Time { .. })
                ),
                "{left}"
            );
        }
    }

    #[test]
    fn a_press_may_credit_and_count_one_and_no_more() {
        let before = state(60_000);
        let mut press = report(101_000, 74_000, Some(ClockEvent::Press { side: Side::Left }));
        press.left_presses = 5;
        press.running = Some(Side::Right);
        assert_eq!(doubt(Course::PLAIN, Some(&before), &press), None);
        assert_eq!(before.off_ms(Course::PLAIN, &press), Some(0), "a credit is no difference");
        press.left_presses = 6;
        assert!(matches!(doubt(Course::PLAIN, Some(&before), &press), Some(Doubt::Presses { .. })));
    }

    #[test]
    fn a_flag_event_that_fits_passes_and_one_with_time_left_does_not() {
        let flag = |left| {
            let mut flag = report(101_000, left, Some(ClockEvent::Flag { side: Side::Left }));
            flag.flag = Some(Some(Side::Left));
            flag.running = None;
            flag
        };
        assert_eq!(doubt(Course::PLAIN, Some(&state(1_000)), &flag(0)), None);
        assert_eq!(doubt(Course::PLAIN, Some(&state(1_900)), &flag(0)), None);
        assert!(doubt(Course::PLAIN, Some(&state(2_100)), &flag(0)).is_some());
        assert!(matches!(
            doubt(Course::PLAIN, Some(&state(60_000)), &flag(59_000)),
            Some(Doubt::Flag { .. })
        ));
    }

    #[test]
    fn a_status_at_zero_or_with_a_flag_needs_another() {
        assert!(matches!(
            doubt(Course::PLAIN, Some(&state(500)), &report(101_000, 0, None)),
            Some(Doubt::Zero { .. })
        ));
        assert!(matches!(
            doubt(Course::PLAIN, Some(&state(500)), &report(101_000, -500, None)),
            Some(Doubt::Zero { .. })
        ));
        let mut flagged = report(101_000, 2_000, None);
        flagged.flag = Some(Some(Side::Left));
        assert!(matches!(doubt(Course::PLAIN, Some(&state(3_000)), &flagged), Some(Doubt::Flag { .. })));
        assert!(matches!(doubt(Course::PLAIN, None, &flagged), Some(Doubt::Flag { .. })));
        // and no doubt any more once it is known
        let known = State::of(&flagged, None);
        flagged.uptime_ms = 101_500;
        flagged.left_ms = 1_500;
        assert_eq!(doubt(Course::PLAIN, Some(&known), &flagged), None);
    }

    #[test]
    fn a_counter_run_below_zero_is_never_believed() {
        let found = doubt(Course::PLAIN, Some(&state(1_000)), &report(103_000, 65_534, None));
        assert!(
            matches!(found, Some(Doubt::Wrap { .. })) && found.is_some_and(|d| d.is_final()),
            "{found:?}"
        );
        let seconds = doubt(Course::PLAIN, Some(&state(1_000)), &report(103_000, 65_534_000, None));
        assert!(matches!(seconds, Some(Doubt::Wrap { .. })));
    }

    #[test]
    fn a_clock_may_count_on_below_zero_or_stand_at_it() {
        let before = state(500);
        assert_eq!(before.off_ms(Course::PLAIN, &report(105_500, -5_000, None)), Some(0));
        assert_eq!(before.off_ms(Course::PLAIN, &report(105_500, 0, None)), Some(0));
        assert_eq!(before.off_ms(Course::PLAIN, &report(105_500, 15_000, None)), Some(15_000));
    }

    #[test]
    fn what_sets_times_explains_any_reading() {
        let reset = report(101_000, 3_000_000, Some(ClockEvent::Reset { by: By::Button }));
        assert_eq!(doubt(Course::PLAIN, Some(&state(60_000)), &reset), None);
        let stop = report(101_000, 3_000_000, Some(ClockEvent::Stop { by: By::Button }));
        assert!(doubt(Course::PLAIN, Some(&state(60_000)), &stop).is_some());
    }

    #[test]
    fn uptime_never_goes_back_within_a_boot() {
        assert!(matches!(
            doubt(Course::PLAIN, Some(&state(60_000)), &report(99_999, 60_000, None)),
            Some(Doubt::Uptime { .. })
        ));
    }
}
