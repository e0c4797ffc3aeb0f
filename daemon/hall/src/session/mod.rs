//! A clock's session: from reports as they come to reports once, in the clock's order, set into venue time.
//!
//! Decides which reports count and what the rules need to hear of them. It asks for what is missing,
//! keeps later reports back meanwhile, and says so where something is lost for good. It knows nothing
//! of boards, and sends nothing itself: [`Hall`](crate::Hall) carries out what it says in [`Passed`].

mod course;
mod hold;
mod look;
mod mapping;
mod passed;
mod reckon;
mod restore;
#[cfg(test)]
mod tests;

use course::Course as Control;
use flagfall_clock::{ClockEvent, ClockId, ClockReport, TimeControl};
use flagfall_rules::{Observation, Venue};
use hold::{Held, Hold};
use mapping::Mapping;
pub use passed::{Passed, Taken};
pub(crate) use reckon::State;
use reckon::{Doubt, doubt, sets_times};
use std::collections::VecDeque;

/// A leap of `seq` beyond this counts only when the next report agrees.
const LEAP: u32 = 1_000;
/// A clock sends at most so often, in milliseconds: what it can have sent while it was not heard.
const MOST_OFTEN_MS: u64 = 500;
/// A report is live if it happened so short a while ago, in milliseconds.
const LIVE_MS: i64 = 3_000;
/// Earlier boots whose reports are known again.
const BOOTS: usize = 32;
/// A battery that changed by so much is told, in percent.
const BATTERY_STEP: u8 = 5;

/// What is known of one boot.
#[derive(Clone, Debug)]
struct Course {
    boot: u32,
    /// The last report in order.
    seq: u32,
    /// Events up to `seq`, where the clock counts them.
    events: Option<u32>,
    /// The last report that counts.
    last: Option<State>,
    /// The last report passed on.
    told: Option<State>,
    told_battery: Option<u8>,
    /// A report that counts only if the next agrees.
    doubted: Option<Doubted>,
    /// Reports before the next one are lost.
    gap: bool,
    /// The last event that counts or was dropped for good.
    event_seq: u32,
    described: bool,
}

#[derive(Clone, Debug)]
struct Doubted {
    report: ClockReport,
    came: Came,
    why: Doubt,
}

/// How a report came.
#[derive(Clone, Copy, Debug)]
struct Came {
    /// When.
    heard: Venue,
    /// After a replay or a wait for one.
    late: bool,
    /// After a gap.
    gap: bool,
    /// It is passed on in any case.
    forced: bool,
}

/// A clock's session.
#[derive(Clone, Debug)]
pub struct Session {
    clock: ClockId,
    /// What its times may do by themselves.
    control: Control,
    course: Option<Course>,
    /// Earlier boots and their last reports.
    past: VecDeque<(u32, u32)>,
    /// An older boot, or a leap, that waits for the next report to agree.
    stray: Option<(ClockReport, Venue)>,
    hold: Hold,
    mapping: Mapping,
    resolution_ms: u32,
    /// The next report is passed on whatever it says.
    pass_next: bool,
    heard: Venue,
    happened: Venue,
    /// Numbers of commands of our own, and whether they asked for a replay.
    own: [(u32, bool); 8],
    unacked: bool,
    battery_pct: Option<u8>,
}

impl Session {
    /// Of a clock not heard yet.
    #[must_use]
    pub fn new(clock: ClockId) -> Self {
        Self {
            clock,
            control: Control::PLAIN,
            course: None,
            past: VecDeque::new(),
            stray: None,
            hold: Hold::new(),
            mapping: Mapping::new(),
            resolution_ms: 10,
            pass_next: true,
            heard: Venue(0),
            happened: Venue(0),
            own: [(0, false); 8],
            unacked: false,
            battery_pct: None,
        }
    }

    /// The control that games are played under now.
    pub fn under(&mut self, control: &TimeControl) {
        self.control = Control::of(control);
    }

    /// Takes in a report.
    pub fn take(&mut self, now: Venue, report: ClockReport, sealed: bool, out: &mut Vec<Passed>) -> Taken {
        let Some(course) = &self.course else {
            // what it did before we first heard it is no hole
            self.course = Some(Course::new(report.boot, report.seq.saturating_sub(1), None));
            self.heard = now;
            self.numbered(now, now, report, out);
            return Taken::New;
        };
        let same = report.boot == course.boot;
        let before = self.past.iter().find(|(boot, _)| *boot == report.boot).map(|(_, seq)| *seq);
        let known = if same { Some(course.seq) } else { before };
        if known.is_some_and(|seq| report.seq <= seq)
            || same && self.hold.has(report.seq)
            || self.stray.as_ref().is_some_and(|(s, _)| (s.boot, s.seq) == (report.boot, report.seq))
        {
            // asked for again where the ack was lost
            self.unacked |= same && report.event.is_some() && report.seq <= course.event_seq;
            return Taken::Again;
        }
        let older = !same && (report.boot < course.boot || before.is_some());
        if older && sealed {
            out.push(Passed::Fault {
                kind: "old_boot",
                message: format!(
                    "clock {}: a sealed report of boot {} after boot {}",
                    self.clock, report.boot, course.boot
                ),
            });
            return Taken::Refused;
        }
        let quiet = u64::try_from(now.since(self.heard)).unwrap_or(0);
        let (reached, unheard_ms) = if same {
            (self.hold.last().unwrap_or(0).max(course.seq), quiet)
        } else {
            (before.unwrap_or(0), report.uptime_ms)
        };
        let leap = u64::from(report.seq) > u64::from(reached) + u64::from(LEAP) + unheard_ms / MOST_OFTEN_MS;
        self.heard = now;
        if !older && !leap {
            self.drop_stray(out);
            self.turn_to(now, report.boot, out);
            self.numbered(now, now, report, out);
            return Taken::New;
        }
        match self.stray.take() {
            Some((stray, at)) if agree(self.control, &stray, &report) => {
                self.turn_to(now, report.boot, out);
                let mut pair = [(stray, at), (report, now)];
                pair.sort_by_key(|(report, _)| report.seq);
                for (report, at) in pair {
                    self.numbered(now, at, report, out);
                }
            }
            other => {
                self.stray = other;
                self.drop_stray(out);
                self.stray = Some((report, now));
            }
        }
        Taken::New
    }

    fn drop_stray(&mut self, out: &mut Vec<Passed>) {
        if let (Some((stray, _)), Some(course)) = (self.stray.take(), &self.course) {
            out.push(Passed::Fault {
                kind: "implausible",
                message: format!(
                    "clock {}: report {} of boot {} does not follow report {} of boot {}",
                    self.clock, stray.seq, stray.boot, course.seq, course.boot
                ),
            });
        }
    }

    /// Another boot: what is open of the one before is settled.
    fn turn_to(&mut self, now: Venue, boot: u32, out: &mut Vec<Passed>) {
        if self.course.as_ref().is_none_or(|course| course.boot == boot) {
            return;
        }
        self.give_up(now, |_, _| true, false, out);
        let Some(course) = &mut self.course else { return };
        if let Some(doubted) = course.doubted.take() {
            out.push(implausible(self.clock, &doubted.report, &doubted.why));
        }
        self.past.retain(|(old, _)| *old != course.boot);
        self.past.push_back((course.boot, course.seq));
        if self.past.len() > BOOTS {
            self.past.pop_front();
        }
        let known = self.past.iter().position(|(old, _)| *old == boot).and_then(|at| self.past.remove(at));
        // a boot of a clock we know: all its events are wanted, from the first
        self.course = Some(match known {
            Some((_, seq)) => Course::new(boot, seq, None),
            None => Course::new(boot, 0, Some(0)),
        });
        self.mapping.forget();
    }

    /// A report of the present boot that was not there before.
    fn numbered(&mut self, now: Venue, heard: Venue, report: ClockReport, out: &mut Vec<Passed>) {
        let Some(course) = &self.course else { return };
        let answer = match report.event {
            Some(ClockEvent::Done { command, ok, .. }) => {
                self.own.contains(&(command, true)).then_some((report.seq, ok))
            }
            _ => None,
        };
        let waiting = self.hold.open();
        if course.follows(&report) {
            let late = self.hold.asked();
            self.in_order(now, report, Came { heard, late, gap: false, forced: false }, out);
            if waiting {
                self.hold.progress(now);
                self.release(now, out);
            }
        } else if !self.hold.put(now, report) {
            self.give_up(now, |_, _| true, false, out);
        }
        if let Some((seq, ok)) = answer {
            self.give_up(now, |held, _| held <= seq, ok, out);
        }
    }

    /// Lets go of what no longer has a hole before it.
    fn release(&mut self, now: Venue, out: &mut Vec<Passed>) {
        while let (Some(course), Some((seq, held))) = (&self.course, self.hold.first()) {
            let follows = match held {
                _ if seq <= course.seq => true,
                Held::Report(report, _) => course.follows(report),
                Held::Merged(events, _) => {
                    seq == course.seq + 1 || events.is_some() && *events == course.events
                }
            };
            if !follows {
                break;
            }
            self.let_go(now, out);
        }
        let over = if self.hold.is_empty() {
            self.hold.close()
        } else {
            self.hold.uncovered() && self.hold.reopen(now)
        };
        if over {
            out.push(Passed::ReplayOver);
        }
    }

    /// Takes the first report held back as the next in order.
    fn let_go(&mut self, now: Venue, out: &mut Vec<Passed>) {
        let late = self.hold.asked();
        let (Some(course), Some((seq, held))) = (&mut self.course, self.hold.take_first()) else { return };
        if seq <= course.seq {
            return;
        }
        match held {
            Held::Merged(events, _) => {
                course.seq = seq;
                course.events = events.or(course.events);
            }
            Held::Report(report, heard) => {
                self.in_order(now, *report, Came { heard, late, gap: false, forced: false }, out);
            }
        }
    }

    /// Gives up what is missing before each held report that `lost` names. `ok`: the clock says that it
    /// sent all its events again.
    fn give_up(&mut self, now: Venue, lost: impl Fn(u32, Venue) -> bool, ok: bool, out: &mut Vec<Passed>) {
        let mut gave = false;
        loop {
            self.release(now, out);
            let (Some(course), Some((seq, held))) = (&mut self.course, self.hold.first()) else { return };
            if !lost(seq, held.heard()) {
                break;
            }
            // where a clock does not count its events, what is missing may have been statuses
            let mere_statuses = ok
                && course.events.is_none()
                && match held {
                    Held::Report(report, _) => doubt(self.control, course.last.as_ref(), report).is_none(),
                    Held::Merged(..) => true,
                };
            if !mere_statuses {
                out.push(Passed::Gap { from_seq: course.seq + 1, to_seq: seq - 1 });
                course.gap = true;
                course.events = None;
            }
            gave = true;
            self.let_go(now, out);
        }
        if gave && self.hold.reopen(now) {
            out.push(Passed::ReplayOver);
        }
    }

    /// The next report in the clock's order.
    fn in_order(&mut self, now: Venue, report: ClockReport, mut came: Came, out: &mut Vec<Passed>) {
        let Some(course) = &mut self.course else { return };
        let event = u32::from(report.event.is_some());
        course.seq = report.seq;
        course.events = report.events.or(course.events.map(|events| events.saturating_add(event)));
        came.gap |= std::mem::take(&mut course.gap);
        if let Some(doubted) = course.doubted.take() {
            let then = State::of(&doubted.report, course.last.as_ref());
            if doubt(self.control, Some(&then), &report).is_none() {
                self.accept(now, doubted.report, Came { forced: true, ..doubted.came }, out);
            } else {
                out.push(implausible(self.clock, &doubted.report, &doubted.why));
                self.settled(&doubted.report);
            }
        }
        let Some(course) = &mut self.course else { return };
        let before = if came.gap { None } else { course.last.as_ref() };
        match doubt(self.control, before, &report) {
            None => self.accept(now, report, came, out),
            Some(why) if why.is_final() => {
                out.push(implausible(self.clock, &report, &why));
                self.settled(&report);
            }
            Some(why) => course.doubted = Some(Doubted { report, came, why }),
        }
    }

    /// An event that counts, or never will, is acknowledged.
    fn settled(&mut self, report: &ClockReport) {
        if let Some(course) = &mut self.course
            && report.event.is_some()
        {
            course.event_seq = report.seq;
            self.unacked = true;
        }
    }

    /// A report that counts.
    fn accept(&mut self, now: Venue, report: ClockReport, came: Came, out: &mut Vec<Passed>) {
        self.settled(&report);
        let Some(course) = &mut self.course else { return };
        let state = State::of(&report, course.last.as_ref());
        if course.last.is_some_and(|last| state.uptime_ms < last.uptime_ms) {
            self.mapping.forget();
        }
        self.mapping.heard(came.heard, report.uptime_ms);
        self.battery_pct = report.battery_pct.or(self.battery_pct);
        course.last = Some(state);
        self.happened = self.mapping.at(came.heard, report.uptime_ms).max(self.happened).min(now);
        if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &report.event {
            self.resolution_ms = about.resolution_ms;
            course.described = true;
        } else if !course.described {
            course.described = true;
            out.push(Passed::Describe);
        }
        let own = match report.event {
            None => true,
            Some(ClockEvent::Done { command, .. }) => {
                self.own.iter().any(|(own, _)| *own == command && command > 0)
            }
            Some(_) => false,
        };
        let battery =
            report.battery_pct.unwrap_or(0).abs_diff(course.told_battery.unwrap_or(0)) < BATTERY_STEP;
        if own
            && battery
            && !came.forced
            && !came.gap
            && !self.pass_next
            && course.told.is_some_and(|told| told.confirmed_by(self.control, &report))
        {
            return;
        }
        self.pass_next = false;
        let off_ms = match course.told {
            Some(told) if !came.gap && !report.event.as_ref().is_some_and(sets_times) => {
                told.off_ms(self.control, &report)
            }
            _ => None,
        };
        course.told = Some(state);
        course.told_battery = report.battery_pct;
        out.push(Passed::Report(Box::new(Observation {
            happened: self.happened,
            bound_ms: self.mapping.bound(self.resolution_ms),
            live: !came.late && now.since(self.happened) <= LIVE_MS,
            off_ms,
            report,
        })));
    }

    /// Something may have fallen due: a hole is to be asked for, or to be given up.
    pub fn due(&mut self, now: Venue, out: &mut Vec<Passed>) {
        if self.hold.ask_due(now)
            && let Some(course) = &self.course
        {
            self.hold.ask(now);
            out.push(Passed::Replay { boot: course.boot, from_seq: course.seq + 1 });
        }
        if self.hold.lost_due(now) {
            self.give_up(now, |_, heard| now.since(heard) >= hold::SILENCE_MS as i64, false, out);
            if self.hold.lost_due(now) && self.hold.reopen(now) {
                out.push(Passed::ReplayOver);
            }
        }
    }

    /// When [`Session::due`] is to be called.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Venue> {
        self.hold.next_deadline()
    }
}

impl Course {
    const fn new(boot: u32, seq: u32, events: Option<u32>) -> Self {
        Self {
            boot,
            seq,
            events,
            last: None,
            told: None,
            told_battery: None,
            doubted: None,
            gap: false,
            event_seq: 0,
            described: false,
        }
    }

    /// Whether no event is missing before this report.
    fn follows(&self, report: &ClockReport) -> bool {
        if report.seq == self.seq.saturating_add(1) {
            return true;
        }
        let event = u32::from(report.event.is_some());
        matches!((self.events, report.events), (Some(before), Some(now)) if before.checked_add(event) == Some(now))
    }
}

/// Whether two reports that are strange each alone bear each other out.
fn agree(control: Control, one: &ClockReport, other: &ClockReport) -> bool {
    let (first, second) = if one.seq < other.seq { (one, other) } else { (other, one) };
    first.boot == second.boot
        && second.seq - first.seq <= LEAP
        && doubt(control, Some(&State::of(first, None)), second).is_none()
}

fn implausible(clock: ClockId, report: &ClockReport, why: &Doubt) -> Passed {
    Passed::Fault {
        kind: "implausible",
        message: format!("clock {clock}, report {} of boot {}: {why}", report.seq, report.boot),
    }
}
