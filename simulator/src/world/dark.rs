//! The house without power: the clocks go on, nothing else does. Nobody can ask at the desk; what was to be asked
//! meanwhile, and what got no answer, is asked when all is back.
//!
//! Where an arbiter shouts, whoever hears it stops his clock with the button; some do not hear. When all is back the
//! chief pauses the round as of the shout and lets it go on when everybody sits.

use super::arbiter::Matter;
use super::asked::Asked;
use super::{Said, Todo, World};
use crate::chance::Chance;
use crate::play::{Errand, Gesture};
use crate::scenario::FaultKind;
use flagfall_arbiter::StopCause;
use serde_json::json;
use std::collections::BTreeSet;

/// A blackout, and what came of its shout.
#[derive(Debug, Default)]
pub(super) struct Dark {
    /// Blackouts in force.
    deep: u32,
    /// When the last of them ends.
    until: u64,
    /// When an arbiter shouted, until the rounds it stopped go on.
    shout: Option<u64>,
    /// Rounds with games that the shout stopped.
    rounds: BTreeSet<u32>,
}

/// From the blackout to the shout, in milliseconds: between these.
const SHOUT: (i64, i64) = (4_000, 15_000);
/// From the shout to a hand at the clock.
const STOPS: (i64, i64) = (1_000, 12_000);
/// One in so many plays on, for he heard nothing.
const DEAF: u64 = 12;
/// After the power is back: the desk takes up what was left, between these.
const TAKE_UP: (i64, i64) = (5_000, 180_000);
/// After the power is back: the pause is entered.
const PAUSE: (i64, i64) = (20_000, 50_000);
/// After the pause is entered: everybody sits.
const SEATED: (i64, i64) = (60_000, 150_000);
/// After the round goes on: a walk through the hall, whether all clocks do.
const ROUND: u64 = 20_000;

impl World {
    /// When the next blackout begins, at the earliest now.
    #[must_use]
    pub fn next_blackout(&self) -> Option<u64> {
        let blackouts = self.scenario.fault.iter().filter(|fault| fault.kind == FaultKind::Blackout);
        blackouts.map(|fault| self.scenario.begin_of(fault)).filter(|at| *at >= self.now).min()
    }

    /// Whether the house has no power.
    pub(super) const fn is_dark(&self) -> bool {
        self.dark.deep > 0
    }

    pub(super) fn blackout(&mut self, fault: usize, begins: bool) {
        let now = self.now;
        if !begins {
            self.dark.deep = self.dark.deep.saturating_sub(1);
            if self.dark.deep == 0 {
                self.said.push(Said::Light { at: now });
                self.take_up();
            }
            return;
        }
        let fault_is = &self.scenario.fault[fault];
        self.dark.until = self.dark.until.max(now + fault_is.lasts.ms());
        let shout = fault_is.shout;
        self.dark.deep += 1;
        if self.dark.deep == 1 {
            self.said.push(Said::Dark { at: now });
        }
        if shout {
            let mut chance = Chance::new(self.seed, "shout", &[fault as u64]);
            self.plan(now + chance.between(SHOUT.0, SHOUT.1).unsigned_abs(), Todo::Shout(chance));
        }
    }

    /// "Stop the clocks!"
    pub(super) fn shout(&mut self, mut chance: Chance) {
        self.dark.shout.get_or_insert(self.now);
        for table in 0..self.tables.len() {
            let Some(play) = self.tables[table].play else { continue };
            if !self.plays[play].has_begun() || self.plays[play].is_over() {
                continue;
            }
            self.dark.rounds.insert(self.plays[play].round);
            let after = chance.between(STOPS.0, STOPS.1).unsigned_abs();
            if chance.below(DEAF) > 0 {
                self.plan(self.now + after, Todo::Errand(play, Errand::Shout));
            }
        }
    }

    /// All is back: what has no answer is asked again, the pause is entered.
    fn take_up(&mut self) {
        for (_, asked) in std::mem::take(&mut self.desk.pending) {
            let at = self.after_dark();
            self.plan_desk(at, Matter::Again(Box::new(asked)));
        }
        for round in self.dark.rounds.clone() {
            let at = self.now + self.desk.chance.between(PAUSE.0, PAUSE.1).unsigned_abs();
            self.plan_desk(at, Matter::Pause(round));
        }
    }

    fn after_dark(&mut self) -> u64 {
        let wait = self.desk.chance.between(TAKE_UP.0, TAKE_UP.1).unsigned_abs();
        self.dark.until.max(self.now) + wait
    }

    /// A matter's time has come in the dark. A call is seen to at the board, with the arbiter's key; the rest waits.
    pub(super) fn attend_in_the_dark(&mut self, matter: Matter) {
        if let Matter::Attend(play) = matter
            && self.dark.shout.is_none()
            && let Some(affair) = &mut self.plays[play].affair
            && !affair.dealt
            && affair.why != StopCause::WithoutCause
        {
            affair.dealt = true;
            self.desk.attending.remove(&play);
            let (table, after) = (self.table_of(play), self.scenario.arbiter.resumes_after.ms());
            let key = Gesture::Key { hold_ms: crate::play::PRESS_HOLD };
            self.plan(self.now + after, Todo::Gesture(table, key));
            return;
        }
        let at = self.after_dark();
        self.plan_desk(at, matter);
    }

    pub(super) fn ask_again(&mut self, asked: &Asked) {
        self.ask(&asked.method, asked.params.clone(), asked.matter.clone());
    }

    pub(super) fn ask_pause(&mut self, round: u32) {
        let Some(shout) = self.dark.shout else { return };
        let params = json!({ "round": round, "at": self.wall(shout), "reason": "no power in the hall" });
        self.ask("round.pause", params, Matter::Pause(round));
    }

    /// The pause is in force; when all sit it ends.
    pub(super) fn is_paused(&mut self, round: u32) {
        let at = self.now + self.desk.chance.between(SEATED.0, SEATED.1).unsigned_abs();
        self.plan_desk(at, Matter::Unpause(round));
    }

    pub(super) fn goes_on(&mut self, round: u32) {
        self.dark.rounds.remove(&round);
        if self.dark.rounds.is_empty() {
            self.dark.shout = None;
        }
        for play in self.plays.iter_mut().filter(|play| play.round == round) {
            if let Some(affair) = &mut play.affair
                && affair.why == StopCause::Hall
            {
                affair.dealt = true;
            }
        }
        self.plan_desk(self.now + ROUND, Matter::Rounds(round));
    }

    /// Whoever walks through the hall sees which clock does not go on.
    pub(super) fn see_who_stands(&mut self, round: u32) {
        for play in 0..self.plays.len() {
            let game = &self.plays[play];
            let called = game.affair.is_some_and(|affair| !affair.dealt);
            let stands = self.tables[self.table_of(play)].device.running().is_none();
            if game.round == round && game.has_begun() && !game.is_over() && stands && !called {
                let at = self.walk();
                self.plan_desk(at, Matter::Resume(play));
            }
        }
    }

    /// An arbiter has stopped its round, by shout or at the desk.
    pub(super) fn is_stopped(&self, play: usize) -> bool {
        let round = self.plays[play].round;
        self.dark.rounds.contains(&round) || self.desk.paused.contains(&round)
    }

    /// The shout stopped this game, and its pause is still to come or in force.
    pub(super) fn stopped_by_shout(&self, play: usize) -> bool {
        let game = &self.plays[play];
        self.dark.rounds.contains(&game.round)
            && game.affair.is_some_and(|affair| affair.why == StopCause::Hall)
    }
}
