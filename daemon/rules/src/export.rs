//! What the pairing program gets back: a round's results as a file, and what changed since it had them.

use crate::PlayerSetup;
use crate::board::BoardIx;
use crate::change::Change;
use crate::pairing::{Counted, RESULTS, WRITTEN, counted};
use crate::standings::score::points;
use crate::turn::Turn;
use flagfall_arbiter::{Player, Refused};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The mark of UTF-8 at a file's start, by which Excel on Windows knows it.
const MARK: &str = "\u{feff}";

impl Turn<'_> {
    /// The round's file. From now on the pairing program has these results: one that changes is told.
    pub(crate) fn round_export(&mut self, round: Option<u32>) -> Result<Value, Refused> {
        let number = self.which_round(round)?;
        let Some(state) = self.s.rounds.get(&number).filter(|round| !round.order.is_empty()) else {
            return Err(Refused::new(Refused::STATE, format!("round {number} has no boards yet")));
        };
        let boards = state.order.clone();
        let known = state.paired.clone();
        let mut numbers: Vec<u32> = boards.iter().filter_map(|ix| self.board(*ix).setup.match_no).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let matches: BTreeMap<u32, Value> = numbers
            .into_iter()
            .filter_map(|no| Some((no, self.sheet(number, no, &self.played(number, no)?))))
            .collect();
        let (mut rows, mut answer) = (Vec::new(), Vec::new());
        let (mut missing, mut changed) = (Vec::new(), Vec::new());
        for ix in boards {
            let board = self.board(ix);
            let now = counted(board);
            let old = known.as_ref().and_then(|known| known.get(&board.name)).filter(|old| **old != now);
            if now.is_none() {
                let what = if board.result.is_some() { "nobody has entered its result" } else { "no result" };
                missing.push(json!({ "board": board.name, "missing": what }));
            }
            if let Some(old) = old {
                changed.push(json!({ "board": board.name, "old": said(*old), "new": said(now) }));
            }
            let line = board.setup.match_no.and_then(|no| matches.get(&no));
            rows.push(self.row(ix, now, old.copied(), line));
            answer.push(self.exported(ix, now));
        }
        let csv = written(&rows).map_err(|error| Refused::new(Refused::STATE, error))?;
        let sheets: Vec<Value> = matches.into_values().map(without_boards).collect();
        self.change(Change::Exported { round: number });
        Ok(json!({
            "round": number,
            "complete": missing.is_empty(),
            "closed": self.s.rounds.get(&number).is_some_and(|round| round.closed),
            "missing": missing,
            "changed": changed,
            "csv": csv,
            "boards": answer,
            "matches": sheets,
        }))
    }

    fn exported(&self, ix: BoardIx, now: Counted) -> Value {
        let board = self.board(ix);
        let result = board.result.as_ref().map(|(result, _)| result).filter(|_| now.is_some());
        let player = |setup: &PlayerSetup, player| {
            let own = now.map(|now| points(&self.s.setup.regulations, now, player));
            json!({ "name": setup.name, "team": setup.team, "points": own })
        };
        json!({
            "board": board.name,
            "table": board.setup.table,
            "match": board.setup.match_no,
            "first": player(&board.setup.first, Player::First),
            "second": player(&board.setup.second, Player::Second),
            "result": result.map(|result| result.result),
            "forfeit": result.is_some_and(|result| result.forfeit),
            "status": result.map(|result| result.status),
            "cause": result.map(|result| &result.cause),
        })
    }

    /// A line of the file, in the order of its columns.
    fn row(&self, ix: BoardIx, now: Counted, old: Option<Counted>, sheet: Option<&Value>) -> Vec<String> {
        let board = self.board(ix);
        let setup = &board.setup;
        let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        let result = board.result.as_ref().map(|(result, _)| result).filter(|_| now.is_some());
        let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
        let r = &self.s.setup.regulations;
        let score = |player| now.map_or_else(String::new, |now| points(r, now, player).to_string());
        let of_match = |team: &str| {
            let sheet = sheet.filter(|sheet| !sheet["match_points"].is_null() && !team.is_empty());
            let Some(sheet) = sheet else { return String::new() };
            let side = if sheet["first_team"] == team { "first_team" } else { "second_team" };
            sheet["match_points"][side].to_string()
        };
        vec![
            setup.board.clone(),
            number(setup.table),
            number(setup.match_no),
            setup.first.name.clone(),
            setup.first.team.clone(),
            setup.second.name.clone(),
            setup.second.team.clone(),
            now.map_or_else(String::new, |(result, _)| result.as_str().to_owned()),
            now.filter(|(_, forfeit)| *forfeit).map_or_else(String::new, |_| "forfeit".to_owned()),
            result.map_or_else(String::new, |result| word(json!(result.status))),
            result.map_or_else(String::new, |result| word(json!(result.cause))),
            score(Player::First),
            score(Player::Second),
            of_match(&setup.first.team),
            of_match(&setup.second.team),
            old.map_or_else(String::new, |old| {
                old.map_or_else(|| "none".to_owned(), |(result, _)| result.as_str().to_owned())
            }),
        ]
    }
}

fn said(counted: Counted) -> Value {
    counted.map_or(Value::Null, |(result, forfeit)| json!({ "result": result, "forfeit": forfeit }))
}

fn without_boards(mut sheet: Value) -> Value {
    if let Some(fields) = sheet.as_object_mut() {
        fields.shift_remove("boards");
        fields.shift_remove("round");
    }
    sheet
}

/// The file: UTF-8 with its mark, lines as Windows ends them.
fn written(rows: &[Vec<String>]) -> Result<String, String> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(MARK.as_bytes().to_vec());
    let wrong = |error: csv::Error| format!("the file cannot be written: {error}");
    writer.write_record(WRITTEN.iter().chain(&RESULTS)).map_err(wrong)?;
    for row in rows {
        writer.write_record(row.iter().map(|field| harmless(field))).map_err(wrong)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A field that a table program would carry out as a formula is text there.
fn harmless(field: &str) -> String {
    if field.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{field}") } else { field.to_owned() }
}
