//! How much the people at the desk had to do: questions that waited for them, requests they asked, by round and board.
//!
//! A request belongs to the round and the boards it names, itself or by the ruling or incident it answers; one that
//! names no round, to the round that is set up or played when it is asked.

use super::World;
use super::verdict::Finding;
use flagfall_arbiter::{Status, StopCause};
use flagfall_clock::Player;
use serde_json::Value;
use std::collections::BTreeMap;

/// A request that somebody asked at the desk, granted or refused.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub method: String,
    pub round: u32,
    /// The boards it is about; none: it is about the round.
    pub boards: Vec<u32>,
}

/// At most so many violations are told one by one.
const TOLD: usize = 5;

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).or_else(|| value.as_str()?.parse().ok())
}

impl World {
    /// The round that is set up or played now: its people come in twenty minutes before its word.
    pub(super) fn round_now(&self) -> u32 {
        let come = |round: &u32| self.scenario.word(*round).saturating_sub(20 * 60_000) <= self.now;
        (1..=self.scenario.rounds).rev().find(come).unwrap_or(1)
    }

    pub(super) fn note_act(&mut self, method: &str, params: &Value) {
        let ids = params["ids"].as_array().into_iter().flatten().chain(params.get("id"));
        let of_id = |id: u64| -> Option<(Option<u32>, Option<&String>)> {
            let told = &self.told;
            let ruling = told.rulings.get(&id).map(|kept| (kept.round, kept.board.as_ref()));
            ruling.or_else(|| told.incidents.get(&id).map(|kept| (kept.round, kept.board.as_ref())))
        };
        let places: Vec<_> = ids.filter_map(Value::as_u64).filter_map(of_id).collect();
        let told = places.iter().find_map(|(round, _)| *round);
        let round = number(&params["round"]).or(told).unwrap_or_else(|| self.round_now());
        let mut boards: Vec<u32> =
            places.iter().filter_map(|(_, board)| board.and_then(|b| b.parse().ok())).collect();
        boards.extend(number(&params["board"]));
        // what a sheet leaves open is none of its boards
        let line = params["results"].as_str().unwrap_or_default().as_bytes();
        let sheet = number(&params["match"]).into_iter().flat_map(|m| self.scenario.boards_of_match(m));
        boards.extend(
            sheet.enumerate().filter(|(place, _)| line.get(*place) != Some(&b'.')).map(|(_, board)| board),
        );
        self.desk.acts.push(Act { method: method.to_owned(), round, boards });
    }

    /// Nobody offended, came late or called an arbiter there, nor had an arbiter business of the scenario there.
    fn is_ordinary(&self, round: u32, board: u32) -> bool {
        let Some(play) = self.plays.iter().find(|play| (play.round, play.board) == (round, board)) else {
            return true;
        };
        let late = Player::BOTH.into_iter().any(|player| play.plan.late(player));
        let affair = play.affair.is_some_and(|affair| affair.why != StopCause::Hall);
        let scripted =
            play.plan.hands.iter().any(|hand| hand.why.is_some_and(|why| why != StopCause::GameOver));
        let business = self.scenario.act.iter().any(|act| {
            let here = |key: &str, is: u32| {
                act.params.get(key).is_some_and(|value| {
                    value.as_integer() == Some(i64::from(is)) || value.as_str() == Some(&is.to_string())
                })
            };
            here("board", board) && (act.round == Some(round) || here("round", round))
        });
        !(late || affair || play.called || scripted || business)
    }

    pub(super) fn decisions_by_round(&self, at_most: u64) -> Finding {
        let mut rounds: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (round, words) in self.told.waited() {
            rounds.entry(round.unwrap_or(0)).or_default().push(words);
        }
        let worst = rounds.iter().max_by_key(|(round, asked)| (asked.len(), u32::MAX - **round));
        let over = rounds.iter().filter(|(_, asked)| asked.len() as u64 > at_most);
        let over: Vec<_> = over
            .map(|(round, asked)| format!("round {round}: {} ({})", asked.len(), asked.join(", ")))
            .collect();
        let well =
            worst.map_or_else(|| "none".into(), |(round, asked)| format!("{} in round {round}", asked.len()));
        finding(format!("at most {at_most} questions to decide a round"), well, over)
    }

    pub(super) fn acts_by_board(&self, at_most: u64) -> Finding {
        let mut rounds: BTreeMap<u32, u64> = BTreeMap::new();
        let mut boards: BTreeMap<(u32, u32), Vec<&str>> = BTreeMap::new();
        for act in &self.desk.acts {
            *rounds.entry(act.round).or_default() += 1;
            for board in &act.boards {
                boards.entry((act.round, *board)).or_default().push(&act.method);
            }
        }
        let all = u64::from(self.scenario.boards);
        let share = |asked: u64| format!("{asked} requests for {all} boards");
        let worst = rounds.iter().max_by_key(|(round, asked)| (**asked, u32::MAX - **round));
        let mut over: Vec<_> = rounds
            .iter()
            .filter(|(_, asked)| **asked > at_most * all)
            .map(|(round, asked)| format!("round {round}: {}", share(*asked)))
            .collect();
        let busy = boards.iter().filter(|(_, asked)| asked.len() as u64 > at_most);
        for ((round, board), asked) in busy.filter(|((round, board), _)| self.is_ordinary(*round, *board)) {
            over.push(format!("round {round} board {board}: {} ({})", asked.len(), asked.join(", ")));
        }
        let well = worst
            .map_or_else(|| "none".into(), |(round, asked)| format!("{} in round {round}", share(*asked)));
        finding(format!("at most {at_most} requests a board"), well, over)
    }

    pub(super) fn officials(&self) -> Finding {
        let mut wrong = Vec::new();
        for play in &self.plays {
            let place = format!("round {} board {}", play.round, play.board);
            let truth = play.truth.as_ref().map(|truth| truth.result);
            match self.told.results.get(&(play.round, play.board)) {
                None => wrong.push(format!("{place}: no result")),
                Some(told) if told.status != Status::Official => {
                    wrong.push(format!("{place}: {}", super::told::name(&told.status)));
                }
                Some(told) if truth != Some(told.result) => {
                    let is = truth.map_or("not over", |truth| truth.as_str());
                    wrong.push(format!("{place}: {}, in truth {is}", told.result.as_str()));
                }
                Some(_) => {}
            }
        }
        let missing = self.scenario.rounds as usize * self.tables.len() - self.plays.len();
        if missing > 0 {
            wrong.push(format!("{missing} games were never played"));
        }
        finding("every result is official and true".into(), format!("{} results", self.plays.len()), wrong)
    }
}

/// Holds where nothing is wrong; else what is, the first of it.
fn finding(expected: String, well: String, wrong: Vec<String>) -> Finding {
    let found = match wrong.len() {
        0 => well,
        n if n > TOLD => format!("{n} times: {}; ...", wrong[..TOLD].join("; ")),
        _ => wrong.join("; "),
    };
    Finding { expected, holds: wrong.is_empty(), found }
}
