//! What a file and the journal of its event say differently of the same thing: there the journal counts.

use crate::config::Config;
use flagfall_journal::{Kind, ReadError, Reader};
use flagfall_rules::{Input, Setup};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A difference a sentence. Empty where all is the same, or nothing is journalled yet.
pub(super) fn differences(config: &Config, journal: &Reader) -> Result<Vec<String>, ReadError> {
    let mut known = Known::default();
    for record in journal.read_kind(Kind::Input, 1) {
        let record = record?;
        // every other input is somebody else's business, and there are many of them
        if record.body.starts_with("{\"setup\"")
            && let Ok(Input::Setup(setup)) = serde_json::from_str(&record.body)
        {
            known.add(&setup);
        }
    }
    Ok(known.against(&config.setup))
}

/// What was journalled first of each thing.
#[derive(Default)]
struct Known(BTreeMap<String, String>);

impl Known {
    fn add(&mut self, setup: &Setup) {
        for (thing, said) in things(setup) {
            self.0.entry(thing).or_insert(said);
        }
    }

    fn against(&self, setup: &Setup) -> Vec<String> {
        let differ = things(setup).filter_map(|(thing, said)| {
            let journalled = self.0.get(&thing).filter(|journalled| **journalled != said)?;
            Some(format!("{thing}: journal {journalled}, file {said}; the journal counts"))
        });
        differ.collect()
    }
}

/// Everything a setup says, by name.
fn things(setup: &Setup) -> impl Iterator<Item = (String, String)> + '_ {
    let regulations = setup.regulations.values().into_iter().map(|value| (value.key.to_owned(), value.now));
    let tables = setup.tables.iter().map(|table| {
        let clock = table.clock.map_or_else(|| "no clock".to_owned(), |clock| format!("clock {clock}"));
        (format!("table {}", table.number), format!("{clock}, first player {}", text(&table.first_side)))
    });
    let teams = setup
        .teams
        .iter()
        .map(|team| (format!("team {}", team.number), format!("{}: {}", team.name, team.players.join(", "))));
    let boards = setup.rounds.iter().flat_map(|round| {
        round.boards.iter().map(move |board| {
            let table = board.table.map_or_else(|| "no table".to_owned(), |table| format!("table {table}"));
            let clock = board.clock.map_or_else(String::new, |clock| format!(", clock {clock}"));
            let players = format!("{} - {}", board.first.name, board.second.name);
            (format!("round {} board {}", round.number, board.board), format!("{table}{clock}, {players}"))
        })
    });
    let starts = setup.rounds.iter().filter_map(|round| {
        let planned = round.planned?;
        Some((format!("round {}", round.number), format!("planned {planned}")))
    });
    regulations.chain(tables).chain(teams).chain(starts).chain(boards)
}

fn text(side: &impl Debug) -> String {
    format!("{side:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_journal::{Journal, NewRecord, Options};
    use std::path::Path;

    #[test]
    fn what_the_journal_says_otherwise_is_named_and_what_the_file_adds_is_not() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../venue.example.toml");
        let config = Config::load(Path::new(file)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let mut before = config.setup.clone();
        before.regulations.base_ms = 1;
        before.tables.remove(0);
        before.tables[0].clock = None;
        before.rounds[0].boards[0].first.name = "戊".into();
        let (mut journal, _) = Journal::open_or_create(&path, "{}", Options::default()).unwrap();
        let record = |setup: &Setup| NewRecord {
            at_ms: 0,
            kind: Kind::Input,
            seq: None,
            body: serde_json::to_string(&Input::Setup(Box::new(setup.clone()))).unwrap(),
        };
        // the first word on a thing counts, whatever a later file said
        journal.append(&[record(&before), record(&config.setup)]).unwrap();
        journal.close().unwrap();
        let found = differences(&config, &Reader::open(&path).unwrap()).unwrap();
        assert_eq!(
            found,
            [
                "base_ms: journal 1, file 3000000; the journal counts",
                "table 2: journal no clock, first player left, file clock A02, first player left; the journal counts",
                "round 1 board 1: journal table 1, 戊 - 甲, file table 1, 丙 - 甲; the journal counts",
            ]
        );
    }
}
