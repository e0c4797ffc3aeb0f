//! What the scenario's people have asked at the desk, and what became of it.

use super::arbiter::Matter;
use super::counts::Act;
use super::{Said, Todo, World};
use crate::chance::Chance;
use flagfall_arbiter::Refused;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A request without an answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub method: String,
    pub params: Value,
    pub matter: Matter,
}

/// A request that was refused.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub at: u64,
    pub method: String,
    pub params: Value,
    pub why: Refused,
}

/// The arbiters' side of the desk.
#[derive(Debug)]
pub(super) struct Desk {
    pub chance: Chance,
    next_id: u64,
    pub pending: BTreeMap<u64, Asked>,
    pub refused: Vec<Refusal>,
    tries: BTreeMap<String, u32>,
    /// Games whose end was seen.
    pub ended: BTreeSet<usize>,
    /// Games whose result is settled.
    pub settled: usize,
    /// Somebody still means to ask something until then.
    pub busy_until: u64,
    pub rounds_to_close: BTreeSet<u32>,
    pub started: BTreeSet<u32>,
    /// Reactions that were set off, by what they answer.
    pub fired: BTreeSet<(usize, u64)>,
    pub attending: BTreeSet<usize>,
    /// Games in which the end of recording was or will be acknowledged.
    pub exempted: BTreeSet<usize>,
    /// Rounds whose boards are loaded from the list.
    pub loaded: BTreeSet<u32>,
    /// All that was asked, in order.
    pub acts: Vec<Act>,
    /// Rounds that an arbiter has stopped.
    pub paused: BTreeSet<u32>,
}

/// How often people ask again what was refused.
const TRIES: u32 = 5;

impl Desk {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed, "desk", &[]),
            next_id: 1,
            pending: BTreeMap::new(),
            refused: Vec::new(),
            tries: BTreeMap::new(),
            ended: BTreeSet::new(),
            settled: 0,
            busy_until: 0,
            rounds_to_close: BTreeSet::new(),
            started: BTreeSet::new(),
            fired: BTreeSet::new(),
            attending: BTreeSet::new(),
            exempted: BTreeSet::new(),
            loaded: BTreeSet::new(),
            acts: Vec::new(),
            paused: BTreeSet::new(),
        }
    }
}

impl World {
    pub(super) fn ask(&mut self, method: &str, params: Value, matter: Matter) {
        let id = self.desk.next_id;
        self.desk.next_id += 1;
        self.note_act(method, &params);
        let asked = Asked { method: method.into(), params: params.clone(), matter };
        self.desk.pending.insert(id, asked);
        self.said.push(Said::Ask { at: self.now, id, method: method.into(), params });
    }

    /// The desk's answer to the request `id`. An answer nobody waits for is nothing.
    pub fn answer(&mut self, at: u64, id: u64, answer: Result<Value, Refused>) {
        self.now = self.now.max(at);
        let Some(asked) = self.desk.pending.remove(&id) else { return };
        match answer {
            Ok(_) => self.granted(&asked),
            Err(why) => self.refused(asked, why),
        }
    }

    fn granted(&mut self, asked: &Asked) {
        let round = || asked.params["round"].as_u64().and_then(|round| u32::try_from(round).ok());
        match (asked.method.as_str(), round()) {
            ("round.pause", Some(round)) => {
                self.desk.paused.insert(round);
            }
            ("round.resume", Some(round)) => {
                self.desk.paused.remove(&round);
            }
            _ => {}
        }
        match asked.matter {
            Matter::Result(play) if asked.method == "board.result" => {
                self.result_is_in(play, asked.params["status"] == "signed");
            }
            Matter::Sheet(round, number) if asked.method == "match.results" => {
                self.sheet_is_in((round, number), asked);
            }
            Matter::Load(round) => {
                self.desk.loaded.insert(round);
            }
            Matter::Walk => self.plan(self.now + 3_000, Todo::Walk(0)),
            Matter::Sign(play) => self.settle(play),
            Matter::Close(round) => {
                self.desk.rounds_to_close.remove(&round);
            }
            Matter::Pause(round) => self.is_paused(round),
            Matter::Unpause(round) => self.goes_on(round),
            _ => {}
        }
    }

    /// Refused too often, or nobody knows how to do it.
    fn given_up(&mut self, matter: &Matter) {
        match matter {
            Matter::Close(round) => {
                self.desk.rounds_to_close.remove(round);
            }
            // what cannot be loaded is not waited for
            Matter::Load(round) => {
                self.desk.loaded.insert(*round);
            }
            // board by board, then
            Matter::Sheet(round, number) => {
                for play in self.of_match((*round, *number)) {
                    self.plan_desk(self.now, Matter::Result(play));
                }
            }
            _ => {}
        }
    }

    fn refused(&mut self, asked: Asked, why: Refused) {
        let code = why.code;
        let Asked { method, params, matter } = asked;
        self.desk.refused.push(Refusal { at: self.now, method: method.clone(), params, why });
        let tries = self.desk.tries.entry(format!("{matter:?}")).or_default();
        *tries += 1;
        let tries = *tries;
        if code == Refused::METHOD || tries > TRIES {
            return self.given_up(&matter);
        }
        let wait = |seconds: u64| seconds * 1_000 * u64::from(tries);
        match matter {
            // What went against a ruling is asked again once that is overruled.
            Matter::Result(play) => {
                if let (Refused::STATE, Some(id)) = (code, self.ruling_against(play)) {
                    self.overrule(id, "the game had ended otherwise");
                }
                self.plan_desk(self.now + wait(20), matter);
            }
            // The sheet is read against the desk once more.
            Matter::Sheet(..) => self.plan_desk(self.now + wait(20), matter),
            Matter::Attend(play) if method == "stop.explain" => self.make_ruling(play),
            Matter::Attend(_) | Matter::Act(_) | Matter::Step { .. } | Matter::Prepare(_) => {}
            Matter::Rounds(_) | Matter::Again(_) | Matter::Sheets(_) => {}
            Matter::Presence(_) | Matter::Announce(_) | Matter::Exempt(_) | Matter::Absent(_) => {}
            Matter::Start(round) => {
                self.desk.started.remove(&round);
                self.plan_desk(self.now + wait(5), matter);
            }
            Matter::Arrived(..) | Matter::Pause(_) => self.plan_desk(self.now + wait(5), matter),
            Matter::Decide(_) | Matter::Resume(_) | Matter::StartBoth(_) | Matter::Unpause(_) => {
                self.plan_desk(self.now + wait(15), matter);
            }
            Matter::Sign(_) | Matter::Close(_) | Matter::Load(_) | Matter::Walk => {
                self.plan_desk(self.now + wait(60), matter)
            }
        }
    }
}
