//! `pairings = "round1.csv"`: a round's boards as a pairing program writes them.
//!
//! The first line names the columns, in any order: `board`, `first`, `second`, and where there are any
//! `table`, `match`, `first_team`, `second_team`. UTF-8, with or without a mark at its start.

use super::Surroundings;
use super::boards::{Draft, check, seat};
use super::load::text_of;
use super::page::{Page, Section, Written, listed, meant};
use flagfall_rules::{BoardSetup, PlayerSetup, TableSetup, TeamSetup};

const COLUMNS: [&str; 7] = ["board", "table", "match", "first", "first_team", "second", "second_team"];
const NEEDED: [&str; 3] = ["board", "first", "second"];

/// The boards of a round's file.
pub(super) fn read(
    round: &Section<'_>,
    tables: &[Written<TableSetup>],
    teams: &[Written<TeamSetup>],
    around: Surroundings<'_>,
) -> Vec<BoardSetup> {
    let Some(file) = round.name("pairings") else { return Vec::new() };
    let path = round.page.beside(&file.value);
    let bytes = match (around.read)(&path) {
        Ok(bytes) => bytes,
        Err(cause) => {
            round.fault("pairings", format!("{} cannot be read: {cause}", path.display()));
            return Vec::new();
        }
    };
    let text = match text_of(&bytes) {
        Ok(text) => text,
        Err(what) => {
            round.fault("pairings", format!("{} {what}", path.display()));
            return Vec::new();
        }
    };
    let page = Page { file: &path, text, findings: round.page.findings };
    let mut drafts = rows(page);
    seat(&mut drafts, tables);
    check(page, "", &drafts, tables, teams);
    drafts.into_iter().map(|draft| draft.board).collect()
}

fn rows(page: Page<'_>) -> Vec<Draft> {
    let mut records = records(page).into_iter();
    let Some((line, header)) = records.next() else {
        page.fault(None, "", format!("is empty; its first line names the columns: {}", listed(&COLUMNS)));
        return Vec::new();
    };
    let header: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
    for name in header.iter().filter(|name| !COLUMNS.contains(&name.as_str())) {
        let near = meant(name, COLUMNS);
        let near = if near.is_empty() { format!("; possible: {}", listed(&COLUMNS)) } else { near };
        page.fault(line, "", format!("unknown column `{name}`{near}"));
    }
    let missing: Vec<&str> =
        NEEDED.into_iter().filter(|name| !header.iter().any(|own| own == name)).collect();
    if !missing.is_empty() {
        page.fault(line, "", format!("the columns {} are missing", listed(&missing)));
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for (line, fields) in records {
        if fields.len() != header.len() {
            let (is, should) = (fields.len(), header.len());
            page.fault(line, "", format!("{is} fields where the first line names {should} columns"));
            continue;
        }
        let text = |name: &str| {
            let place = header.iter().position(|own| own == name)?;
            fields.get(place).map(|field| field.trim()).filter(|field| !field.is_empty())
        };
        let number = |name: &str| {
            let text = text(name)?;
            let number = text.parse::<u32>().ok().filter(|number| *number > 0);
            if number.is_none() {
                page.fault(line, name, format!("`{text}` is no number from 1"));
            }
            number
        };
        let player = |name: &str, team: &str| PlayerSetup {
            name: text(name).unwrap_or_default().to_owned(),
            team: text(team).unwrap_or_default().to_owned(),
        };
        let Some(board) = text("board") else {
            page.fault(line, "board", "is empty");
            continue;
        };
        let board = BoardSetup {
            board: board.to_owned(),
            table: number("table"),
            clock: None,
            first_side: None,
            match_no: number("match"),
            first: player("first", "first_team"),
            second: player("second", "second_team"),
        };
        drafts.push(Draft { board, line });
    }
    drafts
}

/// Records with the line each begins in; empty lines are none. Fields as RFC 4180 has them.
fn records(page: Page<'_>) -> Vec<(usize, Vec<String>)> {
    let mut records = Vec::new();
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut quoted, mut line, mut begun) = (false, 1, 1);
    let mut chars = page.text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\n' {
            line += 1;
        }
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.trim().is_empty() => {
                field.clear();
                quoted = true;
            }
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                let record = std::mem::take(&mut fields);
                if record.iter().any(|field| !field.trim().is_empty()) {
                    records.push((begun, record));
                }
                begun = line;
            }
            _ => field.push(c),
        }
    }
    if quoted {
        page.fault(begun, "", "a quote is opened and never closed");
    }
    fields.push(field);
    if fields.iter().any(|field| !field.trim().is_empty()) {
        records.push((begun, fields));
    }
    records
}
