//! `[[round.board]]`, and what must hold of a round's boards wherever they come from.

use super::clocks;
use super::hall::first_side;
use super::page::{Page, Section, Written, meant};
use flagfall_rules::{BoardSetup, PlayerSetup, TableSetup, TeamSetup};
use std::collections::BTreeMap;

/// A board and its line.
pub(super) struct Draft {
    pub board: BoardSetup,
    pub line: usize,
}

/// Boards written one by one.
pub(super) fn read(
    round: &Section<'_>,
    tables: &[Written<TableSetup>],
    teams: &[Written<TeamSetup>],
) -> Vec<BoardSetup> {
    let mut drafts = Vec::new();
    for section in round.sections("board") {
        let board = section.needed("board", "\"1\"", section.name("board"));
        let table = section.number("table", 1..=9_999).map(|table| table.value);
        let clock = clocks::id(&section, "clock");
        let first_side = first_side(&section).or(clock.map(|_| flagfall_clock::Side::Left)).filter(|_| {
            // a table says it for its boards
            section.has("first_side") || table.is_none()
        });
        let match_no = section.number("match", 1..=9_999).map(|number| number.value);
        let first = player(&section, "first");
        let second = player(&section, "second");
        if let Some(board) = board {
            let board = BoardSetup { board: board.value, table, clock, first_side, match_no, first, second };
            drafts.push(Draft { board, line: section.line });
        }
        section.end();
    }
    check(round.page, &round.key("board"), &drafts, tables, teams);
    drafts.into_iter().map(|draft| draft.board).collect()
}

fn player(board: &Section<'_>, key: &'static str) -> PlayerSetup {
    let Some(section) = board.section(key) else {
        if !board.has(key) {
            board.fault(key, format!("is missing; write `{key} = {{ name = \"...\", team = \"...\" }}`"));
        }
        return PlayerSetup::default();
    };
    let name =
        section.needed("name", "\"...\"", section.text("name")).map_or_else(String::new, |name| name.value);
    let team = section.text("team").map_or_else(String::new, |team| team.value);
    section.end();
    PlayerSetup { name, team }
}

/// Boards that name no table are seated in order, lowest table first; only where none of them names one.
pub(super) fn seat(drafts: &mut [Draft], tables: &[Written<TableSetup>]) {
    if drafts.iter().any(|draft| draft.board.table.is_some()) {
        return;
    }
    let mut numbers: Vec<u32> = tables.iter().map(|table| table.value.number).collect();
    numbers.sort_unstable();
    for (draft, number) in drafts.iter_mut().zip(numbers) {
        draft.board.table = Some(number);
    }
}

/// No board, table, clock or player twice in a round; every table, team and name known.
pub(super) fn check(
    page: Page<'_>,
    key: &str,
    drafts: &[Draft],
    tables: &[Written<TableSetup>],
    teams: &[Written<TeamSetup>],
) {
    let tables: BTreeMap<u32, &TableSetup> =
        tables.iter().map(|table| (table.value.number, &table.value)).collect();
    let teams: BTreeMap<&str, &TeamSetup> =
        teams.iter().map(|team| (team.value.name.as_str(), &team.value)).collect();
    let (mut names, mut at_tables, mut clocks, mut players) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for Draft { board: setup, line } in drafts {
        let board = setup.board.as_str();
        let fault = |message: String| page.fault(*line, key, message);
        if let Some(first) = names.insert(board, line) {
            fault(format!("board {board} is there twice in the round, first in line {first}"));
        }
        let table = setup.table.and_then(|number| tables.get(&number));
        if let Some(number) = setup.table {
            if table.is_none() {
                let known = tables.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let known = if known.is_empty() {
                    "there is no [[table]]".into()
                } else {
                    format!("tables: {known}")
                };
                fault(format!("board {board} is at table {number}, which is unknown; {known}"));
            } else if let Some(other) = at_tables.insert(number, board) {
                fault(format!("boards {other} and {board} are both at table {number}"));
            }
        }
        let stands = table.and_then(|table| table.clock);
        if let (Some(own), Some(stands), Some(number)) = (setup.clock, stands, setup.table)
            && own != stands
        {
            fault(format!("board {board} has clock {own}, but on its table {number} stands clock {stands}"));
        }
        match setup.clock.or(stands) {
            Some(clock) => {
                if let Some(other) = clocks.insert(clock, board).filter(|other| *other != board) {
                    fault(format!("boards {other} and {board} both have clock {clock}"));
                }
            }
            None if setup.table.is_none() => {
                page.doubt(
                    *line,
                    key,
                    format!("board {board} has neither table nor clock; nothing is heard of it"),
                );
            }
            None => {}
        }
        for player in [&setup.first, &setup.second] {
            let (name, of) = (player.name.as_str(), player.team.as_str());
            if !name.is_empty()
                && let Some(other) = players.insert((of, name), board)
            {
                let of = if of.is_empty() { String::new() } else { format!(" of {of}") };
                fault(format!("{name}{of} sits at board {other} and at board {board}"));
            }
            if of.is_empty() || teams.is_empty() {
                continue;
            }
            match teams.get(of) {
                None => fault(format!(
                    "board {board}: team `{of}` is unknown{}",
                    meant(of, teams.keys().copied())
                )),
                Some(team) if !name.is_empty() && !team.players.iter().any(|player| player == name) => {
                    let near = meant(name, team.players.iter().map(String::as_str));
                    fault(format!("board {board}: `{name}` does not play for {of}{near}"));
                }
                Some(_) => {}
            }
        }
    }
}
