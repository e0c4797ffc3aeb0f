//! A game's ledger: what its clock shows beside what the regulations and its own uptime give, reading by
//! reading. Folded from reports alone, so that recovery ends in the same ledger. Decides nothing.

use super::lever::Presses;
use super::moves::Credits;
use super::reading::Reading;
use crate::Venue;
use crate::control::Course;
use flagfall_clock::{ClockEvent, Player, TimeControl};

/// A press leaves a side with the right time within this, beside what a coarse clock shows, in milliseconds.
const PRESS_MS: i64 = 300;
/// A clock whose readings are all whole seconds shows no more than those, in milliseconds.
const COARSE_MS: i64 = 1_000;

/// No delay is as long as this, in milliseconds.
pub(super) const MOST_DELAY_MS: i64 = 180_000;

/// What was compared last.
#[derive(Clone, Copy, Debug)]
struct Last {
    boot: u32,
    uptime_ms: u64,
    at: Venue,
}

/// The ledger of a game.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub course: Course,
    last: Last,
    /// Whose side ran first, where the start was seen.
    pub began: Option<Player>,
    /// What it should have begun with, without the delay of a turn, first and second, in milliseconds.
    pub right: [i64; 2],
    /// What the clock began with beyond what is right, first and second, in milliseconds.
    pub start: [i64; 2],
    pub credits: [Credits; 2],
    /// What it shows beyond what is right, since the start or since that was last answered.
    pub over: [i64; 2],
    /// The part of it, both sides together, that nothing told explains.
    pub unsaid: i64,
    /// What came last without a press, first and second, in milliseconds.
    pub stray: [i64; 2],
    /// A move was wrong since that was last answered.
    pub odd_seen: bool,
    /// Moves compared since that was last answered.
    pub since: u32,
    /// How much more the clock's own time passed than ours while a side ran, in milliseconds.
    pub skew: i64,
    /// How exactly that is known, in milliseconds.
    pub skew_bound: i64,
    pub skew_ran: i64,
    pub skew_told: i64,
    /// Our time and the clock's are compared from the last reading on.
    skewed: bool,
    fine: bool,
    resolution_ms: i64,
    /// Its turn, or its block, began out of sight.
    pub(super) unsure: [bool; 2],
    /// What each side showed of its delay when its turn began, in milliseconds.
    pub face: [i64; 2],
    /// What the side that pressed last had before its move gave anything, in milliseconds.
    pub before_press: Option<i64>,
    pub presses: Presses,
}

impl Ledger {
    /// A game begins with this reading. `right`: the times are judged, else they are somebody's word.
    pub fn begin(
        control: &TimeControl,
        reading: Reading<'_>,
        began: Player,
        expected: [Option<i64>; 2],
    ) -> Self {
        let mut course = Course::new(control);
        let mut before = course.ms();
        for player in Player::BOTH {
            before[player as usize] = expected[player as usize].unwrap_or(before[player as usize]);
        }
        course.set(before);
        course.start(began);
        let shown = reading.shown();
        let mut start = course.apart(shown);
        let mut face = [0; 2];
        if course.delays() {
            // the side that runs shows its delay already, or shows it otherwise; the other one tells the base
            let base = start[began.other() as usize];
            let delay = shown[began as usize] - course.kept(began) - base;
            if (0..MOST_DELAY_MS).contains(&delay) {
                (start[began as usize], face[began as usize]) = (base, delay);
            }
        }
        for player in Player::BOTH {
            course.lead(player, start[player as usize]);
        }
        Self { began: Some(began), right: before, start, over: start, face, ..Self::adopt(course, reading) }
    }

    /// A game that is on already.
    pub fn join(control: &TimeControl, reading: Reading<'_>) -> Self {
        let mut course = Course::after(control, reading.shown(), reading.moves());
        course.follow(reading.shown(), reading.moves(), reading.running());
        Self { unsure: [true; 2], ..Self::adopt(course, reading) }
    }

    /// Whose side ran first.
    pub const fn begun_by(mut self, player: Player) -> Self {
        self.began = Some(player);
        self
    }

    fn adopt(course: Course, reading: Reading<'_>) -> Self {
        let report = reading.report;
        Self {
            course,
            last: Last { boot: report.boot, uptime_ms: report.uptime_ms, at: reading.happened },
            began: None,
            right: [0; 2],
            start: [0; 2],
            credits: Default::default(),
            over: [0; 2],
            unsaid: 0,
            stray: [0; 2],
            odd_seen: false,
            since: 0,
            skew: 0,
            skew_bound: reading.bound_ms as i64,
            skew_ran: 0,
            skew_told: 0,
            skewed: true,
            fine: reading.shown().iter().any(|ms| ms % COARSE_MS != 0),
            resolution_ms: i64::from(reading.resolution_ms),
            unsure: [false; 2],
            face: [0; 2],
            before_press: None,
            presses: Presses::default(),
        }
    }

    /// How coarse its readings are, in milliseconds.
    pub fn coarse(&self) -> i64 {
        if self.fine { self.resolution_ms } else { self.resolution_ms.max(COARSE_MS) }
    }

    /// Differences up to this are none, in milliseconds.
    pub fn slack(&self) -> i64 {
        PRESS_MS + 2 * self.coarse()
    }

    /// Takes in the next reading.
    pub fn read(&mut self, reading: Reading<'_>) {
        let report = reading.report;
        self.fine |= reading.shown().iter().any(|ms| ms % COARSE_MS != 0);
        self.resolution_ms = i64::from(reading.resolution_ms);
        let last = self.last;
        self.last = Last { boot: report.boot, uptime_ms: report.uptime_ms, at: reading.happened };
        let connected = !reading.gap && last.boot == report.boot && report.uptime_ms >= last.uptime_ms;
        let pressed = match report.event {
            Some(ClockEvent::Press { side }) => Some(reading.player(side)),
            _ => None,
        };
        let moves = Player::BOTH.map(|player| {
            self.course.moves()[player as usize].saturating_add(u32::from(pressed == Some(player)))
        });
        let fallen = report.flag.flatten().is_some() || matches!(report.event, Some(ClockEvent::Flag { .. }));
        if !connected || fallen || reading.moves() != moves || reading.sets_times() {
            self.skip(reading);
            return;
        }
        let ran = report.uptime_ms - last.uptime_ms;
        if !reading.live {
            self.lose_time();
        }
        if self.course.running().is_some() {
            self.compare_seconds(reading, last, ran as i64);
        } else {
            self.skew_bound += if reading.running().is_some() { reading.bound_ms as i64 } else { 0 };
            self.skewed = true;
        }
        self.presses.heard(reading, self.course.running());
        let mut then = self.course.clone();
        then.pass(ran);
        if let Some(player) = then.flag() {
            // the clock tells of a flag itself; where it shows time instead, that came from somewhere
            let came = reading.shown()[player as usize];
            if pressed.is_none() && came > 2 * self.slack() && !self.course.jumps() {
                self.stray = then.apart(reading.shown());
                for (over, stray) in self.over.iter_mut().zip(self.stray) {
                    *over += stray;
                    self.unsaid += stray;
                }
                self.odd_seen = true;
            }
            self.skip(reading);
            return;
        }
        let shown = reading.shown();
        let mut off = self.off(&then, ran, pressed, shown);
        if let Some(player) = pressed {
            let (before, period) = (then.ms()[player as usize], then.period(player));
            then.press(player);
            // with the last move of a period what was left in it says nothing of the next one
            self.before_press = (then.period(player) == period).then_some(before);
            self.pressed(player, &mut then, &mut off, shown);
        } else if then.delays() {
            // the face of a delay may stand still or show less at once; the press tells what it came to
            if let Some(player) = then.running() {
                off[player as usize] = 0;
            }
        }
        if pressed.is_none() && off != [0; 2] {
            self.stray = off;
        }
        let slack = self.slack();
        let mover = pressed.map(|player| player as usize);
        self.odd_seen |= (0..2).any(|n| mover != Some(n) && off[n].abs() > slack);
        let face = if then.delays() { off } else { then.apart(shown) };
        for player in Player::BOTH {
            then.lead(player, face[player as usize]);
            self.over[player as usize] += off[player as usize];
            self.unsaid += off[player as usize];
        }
        self.course = then;
        match reading.running() {
            Some(player) if self.course.running() == Some(player) => {}
            Some(player) if self.course.turn() == Some(player) => self.course.resume(),
            Some(_) => self.course.follow(shown, reading.moves(), reading.running()),
            None => self.course.stop(),
        }
    }

    /// How far what is shown is from what was to come, first and second. Where the control makes jumps,
    /// whatever can be shown within what a reading leaves open is right.
    fn off(&self, then: &Course, ran: u64, pressed: Option<Player>, shown: [i64; 2]) -> [i64; 2] {
        let press = |mut course: Course| {
            if let Some(player) = pressed {
                course.press(player);
            }
            course
        };
        let exact = press(then.clone());
        if !self.course.jumps() {
            return exact.apart(shown);
        }
        let slack = self.slack().unsigned_abs();
        let at = |ms: u64| {
            let mut course = self.course.clone();
            course.pass(ms);
            press(course).ms()
        };
        let all = [exact.ms(), at(ran.saturating_sub(slack)), at(ran.saturating_add(slack))];
        [0, 1].map(|player| {
            let (mut low, mut high) = (i64::MAX, i64::MIN);
            for ms in all {
                (low, high) = (low.min(ms[player]), high.max(ms[player]));
            }
            shown[player] - shown[player].clamp(low, high)
        })
    }

    /// Our time beside the clock's own while a side runs.
    fn compare_seconds(&mut self, reading: Reading<'_>, last: Last, ran: i64) {
        if self.skewed {
            self.skew += ran - reading.happened.since(last.at);
            self.skew_ran += ran;
        } else {
            self.skewed = true;
            self.skew_bound += reading.bound_ms as i64;
        }
        if reading.running().is_none() {
            self.skew_bound += reading.bound_ms as i64;
        }
    }

    /// Nothing can be compared across this reading; it is where the next one is compared from.
    fn skip(&mut self, reading: Reading<'_>) {
        self.course.follow(reading.shown(), reading.moves(), reading.running());
        self.unsure = [true; 2];
        self.before_press = None;
        self.lose_time();
        for credits in &mut self.credits {
            credits.odd = 0;
        }
    }

    /// When things happened was dated otherwise before: our time and the clock's are compared anew.
    pub fn lose_time(&mut self) {
        (self.skew, self.skew_bound, self.skew_ran, self.skewed) = (0, 0, 0, false);
    }

    /// Somebody answered: what is shown now is as it is to be.
    pub fn answered(&mut self) {
        (self.over, self.unsaid, self.since, self.odd_seen) = ([0; 2], 0, 0, false);
        self.start = [0; 2];
    }

    /// What is wrong with every move was told: it is expected from now on.
    pub fn told(&mut self, each: [i64; 2]) {
        for (credits, each) in self.credits.iter_mut().zip(each) {
            credits.known += each;
            credits.odd = 0;
        }
        (self.unsaid, self.since, self.odd_seen) = (0, 0, false);
    }

    /// The players change sides.
    pub fn swap(&mut self) {
        self.course.swap();
        self.credits.swap(0, 1);
        self.over.swap(0, 1);
        self.start.swap(0, 1);
        self.unsure.swap(0, 1);
        self.presses.swap();
        self.began = self.began.map(Player::other);
    }
}
