//! A round's list as the rules check it: what they find is told with this file's lines and keys.

use super::page::{Page, Written};
use flagfall_rules::pairing::{Draft, Finding, Known, check, of_the_list, seat};
use flagfall_rules::{BoardSetup, TableSetup, TeamSetup};

/// The hall as the file has it so far.
pub(super) struct InHall {
    tables: Vec<TableSetup>,
    teams: Vec<TeamSetup>,
}

impl InHall {
    pub(super) fn new(tables: &[Written<TableSetup>], teams: &[Written<TeamSetup>]) -> Self {
        let tables = tables.iter().map(|table| table.value.clone()).collect();
        Self { tables, teams: teams.iter().map(|team| team.value.clone()).collect() }
    }

    /// Every table is in the file; rows are its lines.
    pub(super) fn known(&self) -> Known<'_> {
        Known { tables: &self.tables, teams: &self.teams, tables_come: false, row: "line" }
    }
}

/// Tells what was found, under a key where the list has no columns.
pub(super) fn tell(page: Page<'_>, key: &str, findings: Vec<Finding>) {
    for finding in findings {
        let key = if finding.column.is_empty() { key } else { finding.column };
        page.fault(finding.row, key, finding);
    }
}

/// Seats the boards of a list where it names no tables, and checks them.
pub(super) fn seated(
    page: Page<'_>,
    key: &str,
    hall: &InHall,
    mut drafts: Vec<Draft>,
    mut findings: Vec<Finding>,
) -> Vec<BoardSetup> {
    seat(&mut drafts, &hall.known());
    checked(page, key, hall, &mut drafts, &mut findings);
    tell(page, key, findings);
    drafts.into_iter().map(|draft| draft.board).collect()
}

/// Checks boards, and tells what looks wrong with them.
pub(super) fn checked(
    page: Page<'_>,
    key: &str,
    hall: &InHall,
    drafts: &mut [Draft],
    findings: &mut Vec<Finding>,
) {
    let known = hall.known();
    check(drafts, &known, findings);
    for Draft { board, row } in drafts.iter() {
        let stands = board.table.and_then(|number| known.tables.iter().find(|table| table.number == number));
        if board.table.is_none() && board.clock.or(stands.and_then(|table| table.clock)).is_none() {
            let name = &board.board;
            page.doubt(
                *row,
                key,
                format!("board {name} has neither table nor clock; nothing is heard of it"),
            );
        }
    }
    for doubt in of_the_list(drafts, &known) {
        let about = drafts.iter().find(|draft| doubt.boards.contains(&draft.board.board));
        page.doubt(about.or(drafts.first()).map(|draft| draft.row), key, doubt.text.en);
    }
}
