//! What persons and rulings changed on which board: for requests that say what their asker has `seen`.

use flagfall_arbiter::{Event, News, Status};
use flagfall_rules::At;
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
    /// Boards whose results were told since the last request: the sheet of a match changes several, and its
    /// request stands at none of them.
    results: Vec<Place>,
}

impl Changes {
    /// Takes in an event as told.
    pub(crate) fn told(&mut self, event: &Event) {
        let place = event.board.as_ref().map(|board| (event.round, board.clone()));
        if let News::Request(request) = &event.news {
            let mut places = std::mem::take(&mut self.results);
            places.extend(place.clone());
            places.sort_unstable();
            places.dedup();
            for place in places.into_iter().filter(|_| request.ok) {
                self.add(place, event);
            }
            return;
        }
        let Some(place) = place else { return };
        let counts = match &event.news {
            News::Ruling(ruling) => {
                self.rulings.insert(ruling.id, place.clone());
                true
            }
            News::Incident(incident) => {
                self.incidents.insert(incident.id, place.clone());
                false
            }
            // what the players claim at the clock, and a ruling's own result, come without a request
            News::Result(result) if result.status >= Status::Entered => {
                self.results.push(place.clone());
                false
            }
            _ => false,
        };
        if counts {
            self.add(place, event);
        }
    }

    fn add(&mut self, place: Place, event: &Event) {
        let changes = self.boards.entry(place).or_default();
        if changes.len() >= MOST {
            changes.pop_front();
        }
        changes.push_back((event.seq, event.r#type.to_string()));
    }

    /// What followed since `seen` on the boards a request speaks of; `of_match` are those of its match.
    pub(crate) fn since(&self, method: &str, params: &Value, of_match: &[At], seen: u64) -> Vec<Value> {
        let round = params.get("round").and_then(Value::as_u64).and_then(|round| u32::try_from(round).ok());
        let mut followed: Vec<&(u64, String)> = Vec::new();
        let mut add = |place: &Place| {
            followed.extend(self.boards.get(place).into_iter().flatten().filter(|(seq, _)| *seq > seen));
        };
        for At(round, board) in of_match {
            add(&(Some(*round), board.clone()));
        }
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
