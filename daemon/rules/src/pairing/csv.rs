//! A CSV file as a pairing program writes it: boards, or matches only.
//!
//! The first line names the columns, in any order and in English or Chinese. A file of teams only may do
//! without: two columns are the teams, a third before them the match. Comma, semicolon or tab.

use super::columns::{Column, column, header};
use super::names::listed;
use super::{Draft, Finding, Pair};
use crate::{BoardSetup, PlayerSetup};
use flagfall_arbiter::TeamName;

/// What a file lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Boards, one a line.
    Boards(Vec<Draft>),
    /// Matches, one a line.
    Matches(Vec<Pair>),
}

/// How a team is written that has no opponent.
const BYE: [&str; 5] = ["", "bye", "轮空", "-", "0"];

/// A record and the line it begins in.
type Record = (usize, Vec<String>);

/// Reads a file's text; what is wrong with it is told. `None` where no row can be made out.
pub fn read(text: &str, findings: &mut Vec<Finding>) -> Option<Rows> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(place) = text.find('\u{fffd}') {
        let line = 1 + text[..place].matches('\n').count();
        findings.push(Finding::at(
            line,
            "has a character that was lost in another encoding; send the file's bytes as `csv_base64`, or save it as UTF-8",
        ));
        return None;
    }
    let records = records(text, findings)?;
    let ((line, first), rest) = records.split_first()?;
    if !first.iter().any(|name| column(name).is_some()) && matches!(first.len(), 2 | 3) {
        let columns: &[Option<Column>] =
            &[Some(Column::Match), Some(Column::FirstTeam), Some(Column::SecondTeam)][3 - first.len()..];
        return Some(Rows::Matches(pairs(&records, columns, findings)));
    }
    let columns = header(*line, first, findings);
    let has = |column| columns.contains(&Some(column));
    let teams_only = !has(Column::First) && !has(Column::Second) && !has(Column::Board);
    if teams_only && has(Column::FirstTeam) && has(Column::SecondTeam) {
        return Some(Rows::Matches(pairs(rest, &columns, findings)));
    }
    let needed = [Column::Board, Column::First, Column::Second];
    let missing: Vec<&str> = needed.into_iter().filter(|column| !has(*column)).map(Column::name).collect();
    if !missing.is_empty() {
        findings.push(Finding::at(*line, format!("the columns {} are missing", listed(&missing))));
        return None;
    }
    Some(Rows::Boards(boards(rest, &columns, findings)))
}

/// All records that hold anything, each with its line.
fn records(text: &str, findings: &mut Vec<Finding>) -> Option<Vec<Record>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut records: Vec<Record> = Vec::new();
    let (mut at, mut line) = (0, 1);
    for record in reader.records() {
        // the text is UTF-8 and rows may have any length: nothing else can fail
        let record = record.ok()?;
        // the reader says where it went on reading; the record begins after the empty lines there
        let from = record.position().map_or(at, |position| position.byte() as usize);
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        let begins = from + rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = text.as_bytes().get(at..begins).unwrap_or_default();
        line += passed.iter().filter(|byte| **byte == b'\n').count();
        at = begins;
        if record.iter().any(|field| !field.trim().is_empty()) {
            records.push((line, record.iter().map(str::to_owned).collect()));
        }
    }
    if text.matches('"').count() % 2 == 1 {
        let line = records.last().map_or(1, |(line, _)| *line);
        findings.push(Finding::at(line, "a quote is opened and never closed"));
    }
    if records.is_empty() {
        let columns = listed(&super::columns::WRITTEN);
        findings.push(Finding::of_all(format!("is empty; its first line names the columns: {columns}")));
        return None;
    }
    Some(records)
}

/// What separates the first line's fields: whichever of the three it has most of.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let count = |c: u8| first.bytes().filter(|byte| *byte == c).count();
    let most = [b',', b';', b'\t'].into_iter().rev().max_by_key(|c| count(*c));
    most.unwrap_or(b',')
}

/// A record's fields by their columns.
struct Fields<'r> {
    line: usize,
    columns: &'r [Option<Column>],
    fields: &'r [String],
}

impl<'r> Fields<'r> {
    /// A record with as many fields as there are columns.
    fn of(
        (line, fields): &'r Record,
        columns: &'r [Option<Column>],
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        if fields.len() != columns.len() {
            let (is, should) = (fields.len(), columns.len());
            let message = format!("{is} fields where the first line names {should} columns");
            findings.push(Finding::at(*line, message));
            return None;
        }
        Some(Self { line: *line, columns, fields })
    }

    fn text(&self, column: Column) -> Option<&'r str> {
        let place = self.columns.iter().position(|own| *own == Some(column))?;
        self.fields.get(place).map(|field| field.trim()).filter(|field| !field.is_empty())
    }

    fn number(&self, column: Column, findings: &mut Vec<Finding>) -> Option<u32> {
        let text = self.text(column)?;
        let number = text.parse::<u32>().ok().filter(|number| (1..=9_999).contains(number));
        if number.is_none() {
            let finding = Finding::at(self.line, format!("`{text}` is no number from 1 to 9999"));
            findings.push(finding.in_column(column.name()));
        }
        number
    }

    fn player(&self, name: Column, team: Column) -> PlayerSetup {
        PlayerSetup {
            name: self.text(name).unwrap_or_default().to_owned(),
            team: self.text(team).unwrap_or_default().to_owned(),
        }
    }
}

fn boards(records: &[Record], columns: &[Option<Column>], findings: &mut Vec<Finding>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for record in records {
        let Some(fields) = Fields::of(record, columns, findings) else { continue };
        let Some(board) = fields.text(Column::Board) else {
            findings.push(Finding::at(fields.line, "is empty").in_column("board"));
            continue;
        };
        let board = BoardSetup {
            board: board.to_owned(),
            table: fields.number(Column::Table, findings),
            clock: None,
            first_side: None,
            match_no: fields.number(Column::Match, findings),
            first: fields.player(Column::First, Column::FirstTeam),
            second: fields.player(Column::Second, Column::SecondTeam),
        };
        drafts.push(Draft { board, row: fields.line });
    }
    drafts
}

fn pairs(records: &[Record], columns: &[Option<Column>], findings: &mut Vec<Finding>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for record in records {
        let Some(fields) = Fields::of(record, columns, findings) else { continue };
        let team = |column| fields.text(column).unwrap_or_default().to_owned();
        let teams = [team(Column::FirstTeam), team(Column::SecondTeam)];
        let byes = teams.iter().filter(|team| BYE.contains(&team.to_lowercase().as_str())).count();
        if byes == 1 {
            // it plays nobody: what is told of it is told from the teams
            continue;
        }
        let match_no = fields.number(Column::Match, findings);
        pairs.push(Pair { match_no, teams: teams.map(TeamName::Name), row: fields.line });
    }
    pairs
}
