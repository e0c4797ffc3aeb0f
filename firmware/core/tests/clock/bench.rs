//! A clock on a test bench: somebody presses it at given times and writes down what it says.

use flagfall_clock::{Action, ClockCommand, ClockEvent, ClockReport, Refusal, Side, TimeControl};
use flagfall_firmware::{Clock, Input, Settings, Setup};

pub const LEFT: Side = Side::Left;
pub const RIGHT: Side = Side::Right;
/// 50:00 in milliseconds.
pub const BASE: i64 = 3_000_000;
pub const MINUTE: i64 = 60_000;

pub struct Bench {
    pub clock: Clock,
    pub now: u64,
    pub reports: Vec<ClockReport>,
    number: u32,
    /// When the turn that is under way began.
    turn: u64,
}

pub fn settings() -> Settings {
    Settings::new("A01".parse().unwrap(), 3)
}

impl Bench {
    /// 50:00 + 15 s, the first player on the left.
    pub fn new() -> Self {
        Self::with(settings())
    }

    pub fn under(control: TimeControl) -> Self {
        Self::with(Settings { setup: Setup { control, ..Setup::default() }, ..settings() })
    }

    pub fn with(settings: Settings) -> Self {
        Self::on(Clock::new(settings, 0))
    }

    pub fn on(clock: Clock) -> Self {
        let mut bench = Self { clock, now: 0, reports: Vec::new(), number: 0, turn: 0 };
        bench.collect();
        bench
    }

    pub fn collect(&mut self) {
        while let Some(report) = self.clock.next_report() {
            self.reports.push(report);
        }
    }

    /// Looks at the clock whenever it asks for it, until `at`.
    pub fn run_to(&mut self, at: u64) {
        while self.clock.next_deadline() <= at {
            self.now = self.clock.next_deadline();
            self.clock.poll(self.now);
            self.collect();
        }
        self.now = self.now.max(at);
        self.clock.poll(self.now);
        self.collect();
    }

    pub fn input(&mut self, at: u64, input: Input) {
        self.run_to(at);
        self.clock.input(at, input);
        self.collect();
    }

    /// Presses a lever for 100 ms.
    pub fn press(&mut self, at: u64, side: Side) {
        self.input(at, Input::Lever { side, down: true });
        self.input(at + 100, Input::Lever { side, down: false });
        self.run_to(at + 110);
    }

    /// The first player's side runs from `at` on.
    pub fn begin(&mut self, at: u64) {
        self.command(at, Action::Start { side: LEFT }).unwrap();
        self.turn = at;
    }

    /// The side that runs presses when it has used `used` ms of its turn (at least 110, the lever of the last press must
    /// be up again). Gives what it then has.
    pub fn plays(&mut self, used: u64) -> i64 {
        let side = self.clock.running().expect("a side runs");
        self.turn += used;
        assert!(self.turn >= self.now, "the last press is over");
        let before = self.reports.len();
        self.press(self.turn, side);
        let press = self.reports[before..].iter().find(|report| {
            matches!(report.event, Some(ClockEvent::Press { .. } | ClockEvent::IgnoredPress { .. }))
        });
        press.expect("it was pressed").ms(side)
    }

    /// The same for a move of each side; gives what the first of them then has.
    pub fn both_play(&mut self, used: u64, other: u64) -> i64 {
        let has = self.plays(used);
        self.plays(other);
        has
    }

    /// What has fallen or ended by itself, and when.
    pub fn zeros(&self) -> Vec<(u64, ClockEvent)> {
        self.reports
            .iter()
            .filter_map(|report| report.event.clone().map(|event| (report.uptime_ms, event)))
            .filter(|(_, event)| matches!(event, ClockEvent::Flag { .. } | ClockEvent::Period { .. }))
            .collect()
    }

    pub fn hold(&mut self, at: u64, side: Side) {
        self.input(at, Input::Lever { side, down: true });
    }

    pub fn let_go(&mut self, at: u64, side: Side) {
        self.input(at, Input::Lever { side, down: false });
    }

    pub fn button(&mut self, at: u64) {
        self.input(at, Input::StopButton { down: true });
        self.input(at + 100, Input::StopButton { down: false });
        self.run_to(at + 110);
    }

    /// Presses the arbiter's key for `ms`.
    pub fn key(&mut self, at: u64, ms: u64) {
        self.input(at, Input::ArbiterKey { down: true });
        self.input(at + ms, Input::ArbiterKey { down: false });
        self.run_to(at + ms + 10);
    }

    pub fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    pub fn command(&mut self, at: u64, action: Action) -> Result<(), Refusal> {
        let command = self.next_number();
        self.send(
            at,
            ClockCommand { clock: "A01".parse().unwrap(), command, boot: 3, until_ms: at + 3_000, action },
        )
    }

    /// Sends a command and gives its answer, which must come at once.
    pub fn send(&mut self, at: u64, command: ClockCommand) -> Result<(), Refusal> {
        let number = command.command;
        self.run_to(at);
        let before = self.reports.len();
        self.input(at, Input::Command(command));
        let answer = self.reports[before..].iter().find_map(|report| match report.event {
            Some(ClockEvent::Done { command, ok, error }) if command == number => Some((ok, error)),
            _ => None,
        });
        let (ok, error) =
            answer.unwrap_or_else(|| panic!("no answer to {number}: {:?}", &self.reports[before..]));
        assert_eq!(ok, error.is_none());
        error.map_or(Ok(()), Err)
    }

    pub fn times(&self) -> (i64, i64) {
        (self.clock.remaining_ms(LEFT, self.now), self.clock.remaining_ms(RIGHT, self.now))
    }

    pub fn counts(&self) -> (u32, u32) {
        (self.clock.presses(LEFT), self.clock.presses(RIGHT))
    }

    pub fn events(&self) -> Vec<ClockEvent> {
        self.reports.iter().filter_map(|report| report.event.clone()).collect()
    }

    /// The events said since last asked.
    pub fn said(&mut self) -> Vec<ClockEvent> {
        let events = self.events();
        self.reports.clear();
        events
    }

    /// Forgets what was said so far.
    pub fn hush(&mut self) {
        self.reports.clear();
    }

    pub fn last(&self) -> &ClockReport {
        self.reports.last().expect("it said something")
    }

    pub fn last_event(&self) -> &ClockReport {
        self.reports.iter().rev().find(|report| report.event.is_some()).expect("it said an event")
    }
}
