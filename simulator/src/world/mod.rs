//! A hall in virtual time: clocks, players, arbiters and faults, one heap of what is due.
//!
//! Pure and deterministic: the same scenario, seed and calls give the same words in the same order. Whoever drives it
//! (a rehearsal in one process, or a live hall over ptys, TCP or MQTT) carries what is [`Said`] to the daemon and
//! brings back commands, events and answers. It never does IO and never reads a clock of the host.

mod arbiter;
mod asked;
mod counts;
mod dark;
mod due;
mod expected;
mod hands;
mod hears;
mod judgement;
mod overrun;
mod presence;
mod rounds;
mod said;
mod script;
mod setup;
mod sheets;
mod told;
mod verdict;

pub use said::Said;
pub use told::RulingLine;
pub use verdict::Finding;

use crate::chance::Chance;
use crate::device::Device;
use crate::play::Play;
use crate::scenario::{Scenario, ScenarioError};
use asked::Desk;
use dark::Dark;
use due::{Due, Todo};
use flagfall_arbiter::Wall;
use flagfall_clock::{ClockCommand, ClockReport};
use flagfall_firmware::Setup;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use told::Told;

/// A table: its clock, its line, and the game that is played there.
#[derive(Debug)]
struct Table {
    device: Device,
    /// The appointment with the clock that counts.
    poll_at: u64,
    line: Chance,
    /// Faults in which what the clock says goes nowhere, and nobody tells it so.
    unheard: u32,
    play: Option<usize>,
    /// Games of later rounds that wait for this table.
    next: VecDeque<usize>,
}

/// A hall in virtual time.
#[derive(Debug)]
pub struct World {
    scenario: Scenario,
    seed: u64,
    now: u64,
    order: u64,
    due: BinaryHeap<Reverse<Due>>,
    tables: Vec<Table>,
    plays: Vec<Play>,
    desk: Desk,
    dark: Dark,
    told: Told,
    said: Vec<Said>,
    /// Commands that never arrived.
    lost_commands: u64,
}

impl World {
    /// A hall before anybody came in. The first boot of each clock has the number 1.
    ///
    /// # Errors
    /// The scenario's regulations hold a value no clock can be set to.
    pub fn new(scenario: &Scenario, seed: u64) -> Result<Self, ScenarioError> {
        Self::with_boots(scenario, seed, 0)
    }

    /// As [`World::new`]; clocks have been booted `boots` times before (a later run at the same daemon must not look
    /// like an earlier boot).
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn with_boots(scenario: &Scenario, seed: u64, boots: u32) -> Result<Self, ScenarioError> {
        let control = scenario.control()?;
        let mut tables = Vec::new();
        for number in 1..=scenario.boards {
            let stream = |name| Chance::new(seed, name, &[u64::from(number)]);
            let drift = i64::from(scenario.drift_ppm.min(10_000));
            let drift = stream("drift").between(-drift, drift);
            let first_side = scenario.first_side.side(number);
            let setup = Setup { control, first_side, ..Setup::default() };
            let id = crate::scenario::clock_name(number);
            tables.push(Table {
                device: Device::new(id, setup, drift as i32, boots),
                poll_at: 0,
                line: stream("line"),
                unheard: 0,
                play: None,
                next: VecDeque::new(),
            });
        }
        let mut world = Self {
            scenario: scenario.clone(),
            seed,
            now: 0,
            order: 0,
            due: BinaryHeap::new(),
            tables,
            plays: Vec::new(),
            desk: Desk::new(seed),
            dark: Dark::default(),
            told: Told::default(),
            said: Vec::new(),
            lost_commands: 0,
        };
        world.begin();
        Ok(world)
    }

    /// The scenario that is played.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The people's watches show this wall time at the beginning; the scenario's own `begin` where nobody says.
    pub fn set_wall(&mut self, begin: Wall) {
        self.scenario.begin.wall = begin;
    }

    /// Milliseconds since the scenario began, as far as anybody advanced it.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// The clocks, table by table.
    pub fn clocks(&self) -> impl Iterator<Item = &Device> {
        self.tables.iter().map(|table| &table.device)
    }

    /// When something happens next; none once all is over.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        if let Some(said) = self.said.first() {
            return Some(said.at());
        }
        if self.finished() {
            return None;
        }
        self.due.peek().map(|Reverse(due)| due.at)
    }

    /// Lets time pass up to and including `to`; what is said meanwhile is added to `out`, in the order of its time.
    pub fn advance(&mut self, to: u64, out: &mut Vec<Said>) {
        out.append(&mut self.said);
        while let Some(Reverse(first)) = self.due.peek()
            && first.at <= to
        {
            let Some(Reverse(due)) = self.due.pop() else { break };
            self.now = self.now.max(due.at);
            self.do_one(due);
            out.append(&mut self.said);
        }
        self.now = self.now.max(to);
    }

    /// The daemon sends a command; it reaches the clock, unless its line is down or loses it.
    pub fn command(&mut self, at: u64, command: ClockCommand) {
        self.now = self.now.max(at);
        let Some(table) = self.tables.iter().position(|table| table.device.id() == command.clock) else {
            return;
        };
        let lost = self.scenario.line.lost_permille;
        let line = &mut self.tables[table];
        if !line.device.line_up()
            || line.unheard > 0
            || !line.device.is_on()
            || lost > 0 && line.line.permille(lost)
        {
            self.lost_commands += 1;
            return;
        }
        line.device.command(self.now, command);
        self.clock_changed(table);
    }

    /// Commands that never reached their clock.
    #[must_use]
    pub const fn lost_commands(&self) -> u64 {
        self.lost_commands
    }

    fn plan(&mut self, at: u64, todo: Todo) {
        self.order += 1;
        let at = at.max(self.now);
        self.due.push(Reverse(Due { at, order: self.order, todo }));
    }

    fn do_one(&mut self, due: Due) {
        match due.todo {
            Todo::Poll(table) => {
                if self.tables[table].poll_at == due.at {
                    self.tables[table].device.poll(self.now);
                    self.clock_changed(table);
                }
            }
            Todo::Edge(table, input) => {
                self.tables[table].device.input(self.now, input);
                self.clock_changed(table);
            }
            Todo::Gesture(table, gesture) => self.gesture(table, gesture),
            Todo::Errand(play, errand) => self.errand(play, errand),
            Todo::Fault(fault, table, begins) => self.fault(fault, table, begins),
            Todo::Blackout(fault, begins) => self.blackout(fault, begins),
            Todo::Shout(chance) => self.shout(chance),
            Todo::Deliver(report) => self.arrives(*report),
            Todo::Turnover(table, how) => self.turn_over(table, how),
            Todo::Walk(table) => self.walk_at(table),
            Todo::Round(round, step) => self.round_step(round, step),
            Todo::Desk(matter) => self.attend(matter),
        }
    }

    /// A report at the daemon's end of the line.
    fn arrives(&mut self, report: ClockReport) {
        self.said.push(Said::Report { at: self.now, clock: report.clock, report });
    }
}
