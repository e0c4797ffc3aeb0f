//! What a clock has said in one boot, and what must hold of it whatever is tested.
//!
//! Numbers without holes, time that never goes back, times that follow exactly from the ones before by the clock's own
//! uptime, turns and flags that change only with their events, statuses in time. A report that comes again must be the one
//! that was first sent.

use super::sums::{carried, rules};
use super::turn::Turn;
use flagfall_clock::{ClockEvent, ClockReport, Side, TimeControl};

/// A report and what went before it.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub report: ClockReport,
    /// It was said before.
    pub again: bool,
    /// The report before it, of whatever boot.
    pub was: Option<ClockReport>,
    /// The turn that was under way.
    pub turn: Option<Turn>,
    /// How long it had lasted, in milliseconds of running.
    pub used: Option<i64>,
    /// Since the event before it, in milliseconds.
    pub since: Option<i64>,
}

/// All that was said since the last power-up.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub control: TimeControl,
    cadence_ms: u64,
    sealed: bool,
    /// Power was cut: another boot is due.
    pub cut: bool,
    reports: Vec<ClockReport>,
    /// The last of the boot before.
    before: Option<ClockReport>,
    turn: Option<Turn>,
    last_event_at: Option<u64>,
}

impl History {
    pub(crate) const fn new(control: TimeControl, cadence_ms: u64, sealed: bool) -> Self {
        Self {
            control,
            cadence_ms,
            sealed,
            cut: false,
            reports: Vec::new(),
            before: None,
            turn: None,
            last_event_at: None,
        }
    }

    /// Begins after a report that is judged no more.
    pub(crate) fn begin(&mut self, report: ClockReport) {
        self.last_event_at = report.event.as_ref().map(|_| report.uptime_ms);
        self.reports = vec![report];
    }

    pub(crate) fn last(&self) -> Option<&ClockReport> {
        self.reports.last().or(self.before.as_ref())
    }

    /// The events from `seq` on, in their order.
    pub(crate) fn events_from(&self, seq: u32) -> impl DoubleEndedIterator<Item = &ClockReport> {
        self.reports.iter().filter(move |report| report.seq >= seq && report.event.is_some())
    }

    /// Takes what was heard.
    ///
    /// # Errors
    /// What cannot be.
    pub(crate) fn take(&mut self, report: ClockReport) -> Result<Told, String> {
        if let Some(told) = self.again(&report)? {
            return Ok(told);
        }
        if self.last().is_some_and(|last| last.boot != report.boot) {
            self.next_boot(&report)?;
        }
        let was = self.last().cloned();
        if let Some(was) = self.reports.last() {
            self.follows(was, &report)?;
        }
        let told = Told {
            again: false,
            turn: self.turn,
            used: self.turn.map(|turn| turn.used_at(report.uptime_ms)),
            since: self
                .last_event_at
                .and_then(|at| i64::try_from(report.uptime_ms).ok()?.checked_sub(i64::try_from(at).ok()?)),
            report: report.clone(),
            was,
        };
        self.turn = Turn::after(self.turn, &report);
        if report.event.is_some() {
            self.last_event_at = Some(report.uptime_ms);
        }
        self.reports.push(report);
        Ok(told)
    }

    fn again(&self, report: &ClockReport) -> Result<Option<Told>, String> {
        let Some(last) = self.reports.last() else { return Ok(None) };
        if report.boot != last.boot || report.seq > last.seq {
            return Ok(None);
        }
        let first = self.reports.iter().find(|first| first.seq == report.seq);
        if first.is_some_and(|first| first != report) {
            return Err(format!("seq {} comes again, and not as it was first sent", report.seq));
        }
        if report.event.is_none() {
            return Err(format!("status {} comes again", report.seq));
        }
        let report = report.clone();
        Ok(Some(Told { report, again: true, was: None, turn: None, used: None, since: None }))
    }

    fn next_boot(&mut self, report: &ClockReport) -> Result<(), String> {
        let last = self.reports.last().or(self.before.as_ref()).map_or(0, |last| last.boot);
        if !self.cut {
            return Err(format!("boot {} came after boot {last}: it started anew by itself", report.boot));
        }
        if self.sealed && report.boot < last {
            return Err(format!("boot {} after boot {last}: that of a sealed clock rises", report.boot));
        }
        if report.seq != 1 || !matches!(report.event, Some(ClockEvent::Boot(_))) {
            return Err(format!("the first report of boot {} is seq 1 and says `boot`", report.boot));
        }
        self.before = self.reports.pop();
        self.reports.clear();
        (self.cut, self.turn, self.last_event_at) = (false, None, None);
        Ok(())
    }

    /// What must hold between a report and the next.
    fn follows(&self, was: &ClockReport, report: &ClockReport) -> Result<(), String> {
        let seq = was.seq.wrapping_add(1);
        if report.seq != seq {
            return Err(format!("seq {} after {}: a hole", report.seq, was.seq));
        }
        if let (Some(before), Some(events)) = (was.events, report.events) {
            let expected = before.wrapping_add(u32::from(report.event.is_some()));
            if events != expected {
                return Err(format!("events is {events} at seq {seq}, where {expected} have happened"));
            }
        }
        if report.uptime_ms < was.uptime_ms {
            return Err(format!(
                "uptime went back from {} to {} at seq {seq}",
                was.uptime_ms, report.uptime_ms
            ));
        }
        self.in_time(was, report)?;
        rules(&self.control, was, report).map_err(|why| format!("{why} (seq {seq})"))?;
        let (left, right) = carried(&self.control, was, report.uptime_ms);
        let odd = match &report.event {
            Some(ClockEvent::Press { side }) if !self.delays() => match side {
                Side::Left => (report.right_ms != right).then_some(("right_ms", right, report.right_ms)),
                Side::Right => (report.left_ms != left).then_some(("left_ms", left, report.left_ms)),
            },
            Some(
                ClockEvent::Press { .. }
                | ClockEvent::Period { .. }
                | ClockEvent::Adjust { .. }
                | ClockEvent::Reset { .. },
            ) => None,
            Some(ClockEvent::Start { .. } | ClockEvent::Resume { .. }) if self.delays() => None,
            _ if report.left_ms != left => Some(("left_ms", left, report.left_ms)),
            _ if report.right_ms != right => Some(("right_ms", right, report.right_ms)),
            _ => None,
        };
        odd.map_or(Ok(()), |(member, expected, came)| {
            let passed = report.uptime_ms - was.uptime_ms;
            Err(format!(
                "{member} is {came} at seq {seq}, {passed} ms after {expected} followed from seq {}",
                was.seq
            ))
        })
    }

    fn delays(&self) -> bool {
        use flagfall_clock::Kind::{Bronstein, Delay};
        matches!(self.control.kind, Bronstein | Delay)
    }

    /// A status each second while a side runs, each 5 s else, counted from the last report.
    fn in_time(&self, was: &ClockReport, report: &ClockReport) -> Result<(), String> {
        let due = if was.running.is_some() { 1_000 } else { 5_000 };
        let passed = report.uptime_ms - was.uptime_ms;
        if passed > due + self.cadence_ms {
            return Err(format!(
                "nothing was said for {passed} ms before seq {}: a status is missing",
                report.seq
            ));
        }
        if report.event.is_none() && passed + self.cadence_ms < due {
            return Err(format!(
                "status {} came {passed} ms after the last report, {due} are due",
                report.seq
            ));
        }
        Ok(())
    }
}
