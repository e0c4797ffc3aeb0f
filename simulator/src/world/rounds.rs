//! The course of an event: the hall is switched on, rounds are set up, played and tidied away.

use super::{Todo, World};
use crate::chance::Chance;
use crate::play::{Gesture, Outing, Plan, Play};
use crate::scenario::FaultKind;
use flagfall_arbiter::{Cause, Outcome};
use flagfall_clock::Player;

/// Steps of a round that happen in the hall itself, whether anybody sits at the desk or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The technician stops and switches on what the round before left behind.
    Tidy,
    /// The players of the round come in.
    Enter,
    /// Whatever clock is still not as new is made new by hand.
    MakeNew,
    /// Nobody at the desk ever decided: whoever is still missing has lost.
    GiveUp,
}

/// Before the word of a round, in milliseconds.
const TIDY: u64 = 19 * 60_000;
const ENTER: u64 = 18 * 60_000;
const MAKE_NEW: u64 = 440_000;
/// After the default time.
const GIVE_UP: u64 = 30 * 60_000;
/// All lines of a hall are back within this.
const BACK: u64 = 3_000;
/// After the last result.
const GRACE: u64 = 60_000;
/// So long after the last round's word the house is closed, whatever game waits for an arbiter who never comes.
const CLOSED: u64 = 12 * 3_600_000;
/// How long the people wait for a desk that does not answer.
const PATIENCE: u64 = 30 * 60_000;

impl World {
    pub(super) fn begin(&mut self) {
        // A hall's clocks are switched on one after the other.
        for table in 0..self.tables.len() {
            self.plan(200 * table as u64, Todo::Gesture(table, Gesture::On { restore: false }));
        }
        for round in 1..=self.scenario.rounds {
            let word = self.scenario.word(round);
            self.plan(word.saturating_sub(TIDY), Todo::Round(round, Step::Tidy));
            self.plan(word.saturating_sub(ENTER), Todo::Round(round, Step::Enter));
            self.plan(word.saturating_sub(MAKE_NEW), Todo::Round(round, Step::MakeNew));
            self.plan(word + self.scenario.default_ms() + GIVE_UP, Todo::Round(round, Step::GiveUp));
        }
        for place in 0..self.scenario.fault.len() {
            self.plan_fault(place);
        }
        self.plan_acts();
    }

    fn plan_fault(&mut self, place: usize) {
        let fault = &self.scenario.fault[place];
        let (kind, begin) = (fault.kind, self.scenario.begin_of(fault));
        let (end, tables) = (begin + fault.lasts.ms(), fault.tables.clone());
        if kind == FaultKind::Blackout {
            self.plan(begin, Todo::Blackout(place, true));
            self.plan(end, Todo::Blackout(place, false));
        }
        let mut chance = Chance::new(self.seed, "back", &[place as u64]);
        for table in tables.unwrap_or_else(|| (1..=self.scenario.boards).collect()) {
            // a whole hall does not come back in the same instant
            let back = if kind.of_the_hall() { chance.below(BACK) } else { 0 };
            self.plan(begin, Todo::Fault(place, table as usize - 1, true));
            self.plan(end + back, Todo::Fault(place, table as usize - 1, false));
        }
    }

    pub(super) fn round_step(&mut self, round: u32, step: Step) {
        match step {
            Step::Tidy => self.tidy(),
            Step::Enter => self.enter(round),
            Step::MakeNew => self.make_new(),
            Step::GiveUp => self.give_up(round),
        }
    }

    /// Clocks whose game is over.
    fn idle_tables(&self) -> Vec<usize> {
        let over = |play: Option<usize>| play.is_none_or(|play| self.plays[play].is_over());
        let idle = |table: &usize| self.tables[*table].next.is_empty() && over(self.tables[*table].play);
        (0..self.tables.len()).filter(idle).collect()
    }

    fn tidy(&mut self) {
        for table in self.idle_tables() {
            let device = &self.tables[table].device;
            let walk = 400 * table as u64;
            if !device.is_on() {
                // Half of the clocks are of a kind that remembers.
                let restore = self.tables[table].line.below(2) == 0;
                self.plan(self.now + walk, Todo::Gesture(table, Gesture::On { restore }));
            } else if device.running().is_some() {
                self.plan(self.now + walk, Todo::Gesture(table, Gesture::StopIfRunning));
            }
        }
    }

    fn enter(&mut self, round: u32) {
        let word = self.scenario.word(round);
        let idle = self.idle_tables();
        for table in 0..self.tables.len() {
            let board = table as u32 + 1;
            let plan = Plan::new(&self.scenario, self.seed, round, board);
            let first_side = self.scenario.first_side.side(board);
            let play = Play::new(plan, (round, board), first_side, word, self.seed);
            let place = self.plays.len();
            let errands = play.first_errands();
            self.plays.push(play);
            if !idle.contains(&table) {
                self.tables[table].next.push_back(place);
                continue;
            }
            self.tables[table].play = Some(place);
            for (at, errand) in errands {
                self.plan(at, Todo::Errand(place, errand));
            }
        }
        self.plan_round(round);
    }

    /// `round.prepare` did it for those it reached; the rest is done by hand.
    fn make_new(&mut self) {
        for table in 0..self.tables.len() {
            let begun = self.tables[table].play.is_some_and(|play| self.plays[play].has_begun());
            if !begun && !self.tables[table].device.is_new() {
                self.make_new_by_hand(table, 300 * table as u64);
            }
        }
    }

    fn give_up(&mut self, round: u32) {
        for play in 0..self.plays.len() {
            let game = &self.plays[play];
            if game.round != round || game.is_over() {
                continue;
            }
            let missing = |player| !game.is_there(player, self.now);
            let result = match (missing(Player::First), missing(Player::Second)) {
                (true, true) => Outcome::None,
                (true, false) => Outcome::Second,
                (false, true) => Outcome::First,
                (false, false) => continue,
            };
            self.end_play(play, result, Cause::Default, true);
        }
    }

    /// A game ends by what an arbiter says.
    pub(super) fn end_play(&mut self, play: usize, result: Outcome, cause: Cause, forfeit: bool) {
        let mut out = Outing::default();
        let now = self.now;
        self.plays[play].end(now, result, cause, forfeit, &mut out);
        self.carry_out(play, out);
    }

    /// Everybody has gone home, or the scenario's time is up.
    #[must_use]
    pub fn finished(&self) -> bool {
        if self.scenario.until.is_some_and(|until| self.now >= until.ms()) {
            return true;
        }
        if self.now > self.scenario.word(self.scenario.rounds) + CLOSED {
            return true;
        }
        let all = self.scenario.rounds as usize * self.tables.len();
        if self.desk.ended.len() < all || self.now < self.desk.busy_until {
            return false;
        }
        // a result may be long on its way to the desk
        let on_its_way = |play: &Play| play.truth.as_ref().map(|truth| truth.at + play.plan.result_after);
        let last = self.plays.iter().filter_map(on_its_way).max();
        let last = last.unwrap_or(0).max(self.desk.busy_until);
        let settled = self.desk.settled >= all && self.desk.rounds_to_close.is_empty();
        self.now > last + if settled { GRACE } else { PATIENCE }
    }
}
