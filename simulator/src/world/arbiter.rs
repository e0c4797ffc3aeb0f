//! The chief arbiter, his arbiters and the results desk: they know the truth of their hall and answer truthfully.
//!
//! Decides what people ask at the desk and when: from the course of a round, and in answer to what the desk tells.
//! What they do not understand they leave alone.

use super::asked::Asked;
use super::{Todo, World};
use flagfall_arbiter::{RulingKind, StopCause};
use flagfall_clock::Player;
use serde_json::{Value, json};

/// Something to be seen to at the desk or at a board, at its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    /// Walk along the tables.
    Walk,
    /// Load the round's boards.
    Load(u32),
    Prepare(u32),
    Start(u32),
    /// Look for empty chairs.
    Absent(u32),
    /// He came.
    Arrived(usize, Player),
    /// Both came late and sit now.
    StartBoth(usize),
    /// Go to a board whose clock stands.
    Attend(usize),
    /// Go and see who sits there; by the incident's number.
    Presence(u64),
    /// Decide a ruling, by its number.
    Decide(u64),
    Announce(u64),
    /// Let a board go on.
    Resume(usize),
    Exempt(usize),
    Result(usize),
    /// The results of a match: round, match.
    Sheet(u32, u32),
    /// What is known of the matches before this round.
    Sheets(u32),
    Sign(usize),
    Close(u32),
    /// Pause the round as of the shout.
    Pause(u32),
    /// Everybody sits again: the round goes on.
    Unpause(u32),
    /// Walk through the hall: does every clock go on?
    Rounds(u32),
    /// Asked before and not answered: the desk had no power.
    Again(Box<Asked>),
    /// An act of the scenario, by its place.
    Act(usize),
    /// A step of a reaction of the scenario.
    Step {
        when: usize,
        step: usize,
        id: u64,
        round: Option<u32>,
        board: Option<String>,
    },
}

impl World {
    pub(super) fn plan_desk(&mut self, at: u64, matter: Matter) {
        let scripted = matches!(matter, Matter::Act(_) | Matter::Step { .. });
        if self.scenario.arbiter.silent && !scripted {
            return;
        }
        self.desk.busy_until = self.desk.busy_until.max(at);
        self.plan(at, Todo::Desk(matter));
    }

    pub(super) fn walk(&mut self) -> u64 {
        let [low, high] = self.scenario.arbiter.walks;
        self.now + self.desk.chance.between(low.0, high.0).unsigned_abs()
    }

    pub(super) fn plan_acts(&mut self) {
        self.plan_setup();
        for place in 0..self.scenario.act.len() {
            let act = &self.scenario.act[place];
            let from = act.round.map_or(0, |round| self.scenario.word(round));
            let at = from.saturating_add_signed(act.at.0);
            self.plan_desk(at, Matter::Act(place));
        }
        for round in 1..=self.scenario.rounds {
            let (word, habits) = (self.scenario.word(round), &self.scenario.arbiter);
            let (start, absent) =
                (word + habits.says_start_after.ms(), word + habits.names_absent_after.ms());
            self.plan_desk(start, Matter::Start(round));
            self.plan_desk(absent, Matter::Absent(round));
        }
    }

    /// A player has stopped the clock and calls, or his opponent does.
    pub(super) fn player_calls(&mut self, play: usize) {
        let at = self.walk();
        self.plan_desk(at, Matter::Attend(play));
    }

    /// A matter's time has come.
    pub(super) fn attend(&mut self, matter: Matter) {
        if self.is_dark() {
            return self.attend_in_the_dark(matter);
        }
        match matter.clone() {
            Matter::Walk => self.ask_walk(),
            Matter::Load(round) => self.load(round, matter),
            Matter::Prepare(round) => self.prepare(round, matter),
            Matter::Start(round) => self.say_start(round),
            Matter::Absent(round) => self.name_absent(round),
            Matter::Arrived(play, player) => self.say_arrived(play, player, matter),
            Matter::StartBoth(play) if self.waits_for_table(play) => {
                self.plan_desk(self.now + 60_000, matter);
            }
            Matter::StartBoth(play) if !self.plays[play].has_begun() => {
                self.ask("board.start", self.of(play), matter);
            }
            Matter::StartBoth(_) => {}
            Matter::Attend(play) => self.go_to_stop(play),
            Matter::Presence(id) => self.look_who_sits(id),
            Matter::Decide(id) => self.decide(id),
            Matter::Announce(id) => {
                if self.told.rulings.get(&id).is_some_and(|told| !told.it.announced) {
                    self.ask("ruling.announce", json!({ "id": id }), matter);
                }
            }
            // Nobody lets a single board go on while the hall is stopped.
            Matter::Resume(play) if self.is_stopped(play) => {
                self.plan_desk(self.now + 30_000, matter);
            }
            Matter::Resume(play) if !self.plays[play].is_over() => {
                self.ask("board.resume", self.of(play), matter);
            }
            Matter::Exempt(play) if !self.plays[play].is_over() => {
                self.ask("recording.exempt", self.of(play), matter);
            }
            Matter::Resume(_) | Matter::Exempt(_) => {}
            Matter::Result(play) => self.enter_result(play),
            Matter::Sheet(round, number) => self.enter_sheet(round, number),
            Matter::Sheets(round) => self.ask_for_sheets(round),
            Matter::Sign(play) => self.ask("board.sign", self.of(play), matter),
            Matter::Close(round) => self.ask("round.close", json!({ "round": round }), matter),
            Matter::Pause(round) => self.ask_pause(round),
            Matter::Unpause(round) => {
                self.ask("round.resume", json!({ "round": round, "seated": true }), matter);
            }
            Matter::Rounds(round) => self.see_who_stands(round),
            Matter::Again(asked) => self.ask_again(&asked),
            Matter::Act(place) => {
                let act = &self.scenario.act[place];
                let (method, params) = (act.method.clone(), self.params(&act.params, None, &None, None));
                self.ask(&method, params, matter);
            }
            Matter::Step { when, step, id, round, board } => self.take_step(when, step, id, round, board),
        }
    }

    pub(super) fn of(&self, play: usize) -> Value {
        let play = &self.plays[play];
        json!({ "round": play.round, "board": play.board.to_string() })
    }

    pub(super) fn wall(&self, at: u64) -> String {
        self.scenario.begin.after(at).to_string()
    }

    fn say_start(&mut self, round: u32) {
        if !self.desk.started.insert(round) {
            return;
        }
        let word = self.scenario.word(round);
        let mut params = json!({ "round": round });
        if self.now > word {
            params["at"] = self.wall(word).into();
        }
        self.ask("round.start", params, Matter::Start(round));
    }

    /// He stands at a board whose clock stood when he set out.
    fn go_to_stop(&mut self, play: usize) {
        self.desk.attending.remove(&play);
        let running = self.tables[self.table_of(play)].device.running().is_some();
        let game = &self.plays[play];
        let mut params = self.of(play);
        if game.affair.is_some_and(|affair| affair.dealt && affair.why == StopCause::WithoutCause)
            && !game.is_over()
        {
            return; // he has said why; his ruling is on its way
        }
        if self.stopped_by_shout(play) {
            return; // the pause will say so for all
        }
        let affair = game.affair.filter(|affair| !affair.dealt);
        let (cause, goes_on) = match affair {
            _ if game.is_over() => (StopCause::GameOver, false),
            // Play went on: what follows from that is proposed by itself.
            _ if running => return,
            Some(affair) => {
                if affair.why == StopCause::WithoutCause {
                    params["offender"] = json!(affair.player);
                }
                (affair.why, affair.why != StopCause::WithoutCause)
            }
            None if game.has_begun() => (StopCause::Fault, true),
            None => return,
        };
        if let Some(affair) = &mut self.plays[play].affair {
            affair.dealt = true;
        }
        params["cause"] = json!(cause);
        self.ask("stop.explain", params, Matter::Attend(play));
        if goes_on {
            let at = self.now + self.scenario.arbiter.resumes_after.ms();
            self.plan_desk(at, Matter::Resume(play));
        }
    }

    /// The desk knows of no stop there: he rules on what he saw.
    pub(super) fn make_ruling(&mut self, play: usize) {
        let Some(affair) = self.plays[play].affair.filter(|affair| affair.why == StopCause::WithoutCause)
        else {
            return;
        };
        if self.plays[play].is_over() {
            return;
        }
        let mut params = self.of(play);
        params["kind"] = json!(RulingKind::UnauthorisedStop);
        params["offender"] = json!(affair.player);
        self.ask("ruling.make", params, Matter::Attend(play));
    }

    /// The game of this board, in this round or in the latest.
    pub(super) fn play_at(&self, round: Option<u32>, board: &str) -> Option<usize> {
        let number: u32 = board.parse().ok()?;
        self.plays
            .iter()
            .rposition(|play| play.board == number && round.is_none_or(|round| play.round == round))
    }
}
