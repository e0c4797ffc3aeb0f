//! What persons and rulings changed on which board: for requests that say what their asker has `seen`.

use flagfall_arbiter::{Event, News};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// Changes remembered of a board; older ones count as seen by nobody.
const MOST: usize = 64;

type Place = (Option<u32>, String);

/// The latest changes, board by board.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    boards: BTreeMap<Place, VecDeque<(u64, String)>>,
    /// Where a ruling or an incident stands.
    rulings: BTreeMap<u64, Place>,
    incidents: BTreeMap<u64, Place>,
}

impl Changes {
    /// Takes in an event as told.
    pub(crate) fn told(&mut self, event: &Event) {
        let Some(board) = &event.board else { return };
        let place = (event.round, board.clone());
        let counts = match &event.news {
            News::Ruling(ruling) => {
                self.rulings.insert(ruling.id, place.clone());
                true
            }
            News::Incident(incident) => {
                self.incidents.insert(incident.id, place.clone());
                false
            }
            News::Request(request) => request.ok,
            _ => false,
        };
        if counts {
            let changes = self.boards.entry(place).or_default();
            if changes.len() >= MOST {
                changes.pop_front();
            }
            changes.push_back((event.seq, event.r#type.to_string()));
        }
    }

    /// What followed on the boards a request speaks of since `seen`.
    pub(crate) fn since(&self, method: &str, params: &Value, seen: u64) -> Vec<Value> {
        let round = params.get("round").and_then(Value::as_u64).and_then(|round| u32::try_from(round).ok());
        let mut followed: Vec<&(u64, String)> = Vec::new();
        let mut add = |place: &Place| {
            followed.extend(self.boards.get(place).into_iter().flatten().filter(|(seq, _)| *seq > seen));
        };
        match params.get("board") {
            Some(board) => {
                let board = board.as_str().map_or_else(|| board.to_string(), str::to_owned);
                self.boards
                    .keys()
                    .filter(|(at, name)| *name == board && (round.is_none() || *at == round))
                    .for_each(add);
            }
            None => {
                let ids = params.get("ids").and_then(Value::as_array).into_iter().flatten();
                let places = if method.starts_with("incident.") { &self.incidents } else { &self.rulings };
                params
                    .get("id")
                    .into_iter()
                    .chain(ids)
                    .filter_map(Value::as_u64)
                    .filter_map(|id| places.get(&id))
                    .for_each(&mut add);
            }
        }
        followed.sort();
        followed.dedup();
        followed.into_iter().map(|(seq, name)| json!({ "seq": seq, "type": name })).collect()
    }
}
