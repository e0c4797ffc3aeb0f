//! A game that is still on when the next round's players come: they wait until it is over and its clock is as new.
//!
//! The clock is made new by `round.prepare`, asked again once the former result is at the desk, or by hand.

use super::arbiter::Matter;
use super::{Todo, World};
use crate::chance::Chance;
use crate::play::{Errand, Gesture, RESET_HOLD};

/// How a table changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turnover {
    /// The former players have got up.
    Begin,
    /// The former result is at the desk, and the clocks are to be set from there.
    ByDesk,
    /// The next players look whether it is as new.
    Look,
    /// Somebody sets the clock by hand; again and again, until it is as new.
    ByHand,
}

/// Between two looks at the table, in milliseconds.
const LOOK: u64 = 10_000;
/// With others waiting, the players bring their result within these.
const HURRY: (i64, i64) = (45_000, 120_000);

impl World {
    /// The next players of a table wait for it.
    pub(super) fn waits_for_table(&self, play: usize) -> bool {
        self.tables[self.table_of(play)].next.contains(&play)
    }

    /// This game has ended; where others wait for its table, its result is brought soon.
    /// True where others wait.
    pub(super) fn make_way(&mut self, play: usize) -> bool {
        let table = self.table_of(play);
        if self.tables[table].play != Some(play) || self.tables[table].next.is_empty() {
            return false;
        }
        let game = &mut self.plays[play];
        let mut chance = Chance::new(self.seed, "hurry", &[u64::from(game.round), table as u64]);
        let soon = chance.between(HURRY.0, HURRY.1).unsigned_abs();
        game.plan.result_after = game.plan.result_after.min(soon);
        let got_up = self.now + game.plan.finish_after + 2_000;
        self.plan(got_up, Todo::Turnover(table, Turnover::Begin));
        true
    }

    pub(super) fn turn_over(&mut self, table: usize, how: Turnover) {
        while self.tables[table].next.front().is_some_and(|next| self.plays[*next].is_over()) {
            self.tables[table].next.pop_front();
        }
        let place = &self.tables[table];
        let (Some(&next), Some(former)) = (place.next.front(), place.play) else { return };
        if !self.plays[former].is_over() {
            return;
        }
        if place.device.is_new() {
            return self.take_seats(table, next);
        }
        let later =
            |world: &mut Self, after: u64, how| world.plan(world.now + after, Todo::Turnover(table, how));
        match how {
            Turnover::Begin => {
                let round = self.plays[next].round;
                let mut chance = Chance::new(self.seed, "turnover", &[u64::from(round), table as u64]);
                let by_desk = chance.below(2) == 0 && !self.scenario.arbiter.silent;
                // whoever has the key must come first
                let [low, high] = self.scenario.arbiter.walks;
                let walk = chance.between(low.0, high.0).unsigned_abs();
                later(self, walk, if by_desk { Turnover::ByDesk } else { Turnover::ByHand });
            }
            Turnover::ByDesk if !self.plays[former].entered => later(self, LOOK, how),
            // a clock without power is not set from anywhere
            Turnover::ByDesk if !self.tables[table].device.is_on() => later(self, LOOK, Turnover::ByHand),
            Turnover::ByDesk => {
                if self.tables[table].device.running().is_some() {
                    self.gesture(table, Gesture::StopIfRunning);
                }
                let at = self.walk();
                self.plan_desk(at, Matter::Prepare(self.plays[next].round));
                self.plan(at + 3 * LOOK, Todo::Turnover(table, Turnover::ByHand));
                // seated as soon as the clock is seen to be as new
                for look in 1..=4 {
                    self.plan(at + look * 2_000, Todo::Turnover(table, Turnover::Look));
                }
            }
            Turnover::Look => {}
            Turnover::ByHand => {
                self.make_new_by_hand(table, 0);
                later(self, LOOK, Turnover::ByHand);
            }
        }
    }

    /// The next players sit down at a clock that is as new.
    fn take_seats(&mut self, table: usize, next: usize) {
        self.tables[table].next.pop_front();
        self.tables[table].play = Some(next);
        let start = self.now.max(self.plays[next].word) + self.plays[next].plan.start_after;
        self.plan(start, Todo::Errand(next, Errand::Start(0)));
    }

    /// Switched on, stopped and reset by hand, `after` so long from now.
    pub(super) fn make_new_by_hand(&mut self, table: usize, after: u64) {
        let mut at = self.now + after;
        let device = &self.tables[table].device;
        if !device.is_on() {
            return self.plan(at, Todo::Gesture(table, Gesture::On { restore: false }));
        }
        if device.running().is_some() {
            self.plan(at, Todo::Gesture(table, Gesture::StopIfRunning));
            at += 1_000;
        }
        self.plan(at, Todo::Gesture(table, Gesture::Key { hold_ms: RESET_HOLD }));
    }
}
