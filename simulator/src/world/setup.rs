//! Before the first round and before each: clocks bound to their tables by a walk, boards loaded, clocks set.

use super::arbiter::Matter;
use super::{Todo, World};
use crate::play::{Gesture, PRESS_HOLD};
use crate::scenario::ResultsBy;
use serde_json::json;

/// From one table to the next, and a look at the number that the clock shows, in milliseconds.
const STEP: u64 = 1_500;
/// So long after a press its clock shows its number, or is pressed again.
const SHOWS: u64 = 2_500;
/// The boards are loaded so long before the clocks are set.
const LOAD: u64 = 60_000;
/// A hall whose clocks have just been switched on is heard after a few seconds.
const HEARD: u64 = 15_000;

impl World {
    pub(super) fn plan_setup(&mut self) {
        if self.scenario.arbiter.walks_tables {
            let on = 200 * self.tables.len() as u64;
            self.plan_desk(on + HEARD, Matter::Walk);
        }
        for round in 1..=self.scenario.rounds {
            let word = self.scenario.word(round);
            let prepare = word.saturating_sub(self.scenario.arbiter.prepares_before.ms());
            let prepare = prepare.max(HEARD).min(word.saturating_sub(1));
            if round > 1 && self.scenario.arbiter.results_by == ResultsBy::Match {
                self.plan_desk(prepare.saturating_sub(2 * LOAD), Matter::Sheets(round));
            }
            if self.scenario.arbiter.loads_rounds {
                self.plan_desk(prepare.saturating_sub(LOAD), Matter::Load(round));
            }
            self.plan_desk(prepare, Matter::Prepare(round));
        }
    }

    /// The pairing program's list: who is named first moves first on odd boards.
    pub(super) fn load(&mut self, round: u32, matter: Matter) {
        let matches = self.scenario.matches(round);
        self.ask("round.load", json!({ "round": round, "matches": matches }), matter);
    }

    /// Nobody sets clocks for boards that are not loaded yet.
    pub(super) fn prepare(&mut self, round: u32, matter: Matter) {
        let first = !self.desk.loaded.contains(&round);
        if self.scenario.arbiter.loads_rounds && first {
            return self.plan_desk(self.now + HEARD, matter);
        }
        self.ask("round.prepare", json!({ "round": round }), matter);
    }

    pub(super) fn ask_walk(&mut self) {
        let mut params = json!({ "from_table": 1, "to_table": self.tables.len() });
        if !self.scenario.names_tables() {
            params["first_side"] = json!(self.scenario.first_side.side(1));
        }
        self.ask("setup.walk", params, Matter::Walk);
    }

    /// The technician stands at this table. He goes on once its clock shows that it is bound.
    pub(super) fn walk_at(&mut self, table: usize) {
        if table >= self.tables.len() {
            return;
        }
        let clock = self.tables[table].device.id();
        if self.told.bound.get(&(table as u32 + 1)).is_some_and(|bound| bound.0 == clock) {
            return self.plan(self.now + STEP, Todo::Walk(table + 1));
        }
        let side = self.scenario.first_side.side(table as u32 + 1);
        self.gesture(table, Gesture::Lever { side, hold_ms: PRESS_HOLD });
        self.plan(self.now + SHOWS, Todo::Walk(table));
    }

    /// Tables bound to the clock that stands there, and the lever presses in the hall until the last was.
    pub(super) fn bound(&self) -> (u32, u64) {
        let right = (1..=self.scenario.boards).filter(|table| {
            let bound = self.told.bound.get(table);
            bound.is_some_and(|(clock, _)| Some(*clock) == self.scenario.clock_at(*table))
        });
        let last = self.told.bound.values().map(|(_, presses)| *presses).max();
        (right.count() as u32, last.unwrap_or(0))
    }
}
