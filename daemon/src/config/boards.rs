//! `[[round.board]]`: boards written one by one. A player that could not be read is not checked.

use super::clocks;
use super::hall::first_side;
use super::listed::{InHall, checked, tell};
use super::page::Section;
use flagfall_rules::pairing::Draft;
use flagfall_rules::{BoardSetup, PlayerSetup};

/// Boards written one by one.
pub(super) fn read(round: &Section<'_>, hall: &InHall) -> Vec<BoardSetup> {
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
        let (first, second) = (player(&section, "first"), player(&section, "second"));
        if let (Some(board), Some(first), Some(second)) = (board, first, second) {
            let board = BoardSetup { board: board.value, table, clock, first_side, match_no, first, second };
            drafts.push(Draft { board, row: section.line });
        }
        section.end();
    }
    let (key, mut findings) = (round.key("board"), Vec::new());
    checked(round.page, &key, hall, &mut drafts, &mut findings);
    tell(round.page, &key, findings);
    drafts.into_iter().map(|draft| draft.board).collect()
}

fn player(board: &Section<'_>, key: &'static str) -> Option<PlayerSetup> {
    let Some(section) = board.section(key) else {
        if !board.has(key) {
            board.fault(key, format!("is missing; write `{key} = {{ name = \"...\", team = \"...\" }}`"));
        }
        return None;
    };
    let name = section.needed("name", "\"...\"", section.text("name"));
    let team = section.text("team").map_or_else(String::new, |team| team.value);
    section.end();
    name.map(|name| PlayerSetup { name: name.value, team })
}
