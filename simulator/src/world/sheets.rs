//! Results on their way to the desk: board by board, or one sheet for each match.

use super::arbiter::Matter;
use super::asked::Asked;
use super::{Todo, World};
use crate::play::Errand;
use crate::scenario::{ResultsBy, Signs};
use flagfall_arbiter::{Outcome, RulingState};
use serde_json::json;
use std::collections::BTreeSet;

impl World {
    /// A game has just ended: its result goes to the desk.
    pub(super) fn see_truth(&mut self, play: usize) {
        let Some(truth) = &self.plays[play].truth else { return };
        if !self.desk.ended.insert(play) {
            return;
        }
        let at = truth.at;
        self.watched_to_the_end(play);
        let others_wait = self.make_way(play);
        let at = at + self.plays[play].plan.result_after;
        let whole =
            self.match_of(play).filter(|of| self.of_match(*of).iter().all(|play| self.is_known(*play)));
        match whole {
            Some((round, number)) => self.plan(at, Todo::Desk(Matter::Sheet(round, number))),
            // with others waiting for the table nobody waits for the other boards of the match
            None if self.match_of(play).is_none() || others_wait => {
                self.plan(at, Todo::Desk(Matter::Result(play)));
            }
            None => {}
        }
    }

    /// An arbiter has stood by since a player's time ran short: he lets no clock run on.
    fn watched_to_the_end(&mut self, play: usize) {
        if self.desk.exempted.contains(&play) && self.scenario.arbiter.stops_left_running.is_some() {
            let after = self.plays[play].plan.finish_after;
            self.plan(self.now + after, Todo::Errand(play, Errand::Passing));
        }
    }

    fn is_known(&self, play: usize) -> bool {
        self.desk.ended.contains(&play)
    }

    /// The match to whose sheet this game belongs, where results come by the sheet.
    fn match_of(&self, play: usize) -> Option<(u32, u32)> {
        let play = &self.plays[play];
        let number = self.scenario.match_of(play.board)?;
        (self.scenario.arbiter.results_by == ResultsBy::Match).then_some((play.round, number))
    }

    /// The games of a match in the order of their boards.
    pub(super) fn of_match(&self, (round, number): (u32, u32)) -> Vec<usize> {
        let boards = self.scenario.boards_of_match(number);
        boards.filter_map(|board| self.play_at(Some(round), &board.to_string())).collect()
    }

    pub(super) fn enter_sheet(&mut self, round: u32, number: u32) {
        let plays = self.of_match((round, number));
        let missing: Vec<usize> = plays.iter().copied().filter(|play| !self.plays[*play].entered).collect();
        match missing[..] {
            [] => return,
            // the last one: nobody types the others again
            [last] if plays.len() > 1 => return self.enter_result(last),
            _ => {}
        }
        for play in &plays {
            if let Some(id) = self.ruling_against(*play) {
                self.overrule(id, "the game had ended otherwise");
            }
        }
        let results: Vec<Option<Outcome>> =
            plays.iter().map(|play| self.plays[*play].truth.as_ref().map(|truth| truth.result)).collect();
        let signed = self.is_signed();
        let mut params = json!({
            "round": round,
            "match": number,
            "results": results,
            "status": if signed { "signed" } else { "entered" },
        });
        if results.contains(&None) {
            // a board is still on: a line as on the sheet, a mark a board, of the team listed first
            let line: String = results.iter().zip(1..).map(|(result, place)| mark(*result, place)).collect();
            params["results"] = line.into();
        }
        self.ask("match.results", params, Matter::Sheet(round, number));
    }

    /// The boards of a sheet that is at the desk: all of a list, and of a line those with a mark.
    pub(super) fn sheet_is_in(&mut self, of: (u32, u32), asked: &Asked) {
        let line = asked.params["results"].as_str().unwrap_or_default().as_bytes();
        for (place, play) in self.of_match(of).into_iter().enumerate() {
            let open = line.get(place) == Some(&b'.');
            if !open && !self.plays[play].entered {
                self.result_is_in(play, asked.params["status"] == "signed");
            }
        }
    }

    /// Before a round is set up the desk wants what is known of those before it, sheet or no sheet.
    pub(super) fn ask_for_sheets(&mut self, before: u32) {
        let missing = |play: &&usize| !self.plays[**play].entered && self.plays[**play].round < before;
        let sheets: BTreeSet<_> =
            self.desk.ended.iter().filter(missing).filter_map(|play| self.match_of(*play)).collect();
        for (round, number) in sheets {
            let wait = self.desk.chance.between(0, 20_000).unsigned_abs();
            self.plan_desk(self.now + wait, Matter::Sheet(round, number));
        }
    }

    /// Whether a result comes to the desk signed.
    pub(super) fn is_signed(&mut self) -> bool {
        match self.scenario.arbiter.signs {
            Signs::AtOnce => true,
            Signs::Later | Signs::Never => false,
            Signs::Mixed => self.desk.chance.below(2) == 0,
        }
    }

    pub(super) fn enter_result(&mut self, play: usize) {
        let Some(truth) = self.plays[play].truth.clone() else { return };
        if self.plays[play].entered {
            return;
        }
        let signed = self.is_signed();
        let mut params = self.of(play);
        params["result"] = json!(truth.result);
        params["cause"] = json!(truth.cause);
        params["status"] = json!(if signed { "signed" } else { "entered" });
        if truth.forfeit {
            params["forfeit"] = true.into();
        }
        if let Some(id) = self.ruling_against(play) {
            params["over"] = id.into();
        }
        self.ask("board.result", params, Matter::Result(play));
    }

    /// A result is at the desk: settled where it is signed, else signed later.
    pub(super) fn result_is_in(&mut self, play: usize, signed: bool) {
        self.plays[play].entered = true;
        if signed || self.scenario.arbiter.signs == Signs::Never {
            self.settle(play);
        } else {
            let wait = self.desk.chance.between(60_000, 240_000).unsigned_abs();
            self.plan_desk(self.now + wait, Matter::Sign(play));
        }
    }

    /// Nothing more is to be done for this result; when none is left, its round is closed.
    pub(super) fn settle(&mut self, play: usize) {
        if std::mem::replace(&mut self.plays[play].settled, true) {
            return;
        }
        self.desk.settled += 1;
        let round = self.plays[play].round;
        let mut plays = self.plays.iter().filter(|play| play.round == round);
        if self.scenario.arbiter.closes_rounds && plays.all(|play| play.settled) {
            self.desk.rounds_to_close.insert(round);
            self.plan_desk(self.now + 60_000, Matter::Close(round));
        }
    }

    /// A ruling that stands or waits and gives this game another result than it has.
    pub(super) fn ruling_against(&self, play: usize) -> Option<u64> {
        let game = &self.plays[play];
        let truth = game.truth.as_ref()?;
        let mut rulings = self.told.rulings.iter().filter(|(_, told)| {
            told.board.as_deref().and_then(|board| self.play_at(told.round, board)) == Some(play)
                && matches!(told.it.state, RulingState::Proposed | RulingState::Confirmed)
                && told.it.effect.result.is_some_and(|result| result != truth.result)
        });
        rulings.next_back().map(|(id, _)| *id)
    }
}

/// The mark of a board (from 1) on a match sheet, of the team listed first: it moves first on odd boards.
const fn mark(result: Option<Outcome>, place: u32) -> char {
    match result {
        Some(Outcome::Draw) => '=',
        Some(Outcome::First) if place % 2 == 1 => '1',
        Some(Outcome::Second) if place.is_multiple_of(2) => '1',
        Some(Outcome::First | Outcome::Second) => '0',
        // nobody won: no mark says so, the whole sheet will
        Some(Outcome::None) | None => '.',
    }
}
