//! A list as a request carries it, read into boards.

use super::{Doubt, Draft, Encoding, Finding, Known, Pair, Rows, decode, misread, spread};
use crate::{BoardSetup, PlayerSetup};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use flagfall_arbiter::{BoardRow, MatchRow, PairingList, PlayerName};

/// A list as read: its boards, and what must be told of its text.
pub(super) struct Read {
    pub drafts: Vec<Draft>,
    pub doubts: Vec<Doubt>,
    /// What the text really says, where somebody took Chinese for Latin letters.
    pub misread: Option<String>,
}

/// Reads whichever form is given. Where nothing of it can be read, the findings say why.
pub(super) fn list(list: &PairingList, known: Known<'_>, findings: &mut Vec<Finding>) -> Read {
    let mut read = Read { drafts: Vec::new(), doubts: Vec::new(), misread: None };
    match (&list.matches, &list.boards, &list.csv, &list.csv_base64) {
        (Some(rows), None, None, None) => {
            let pairs: Vec<Pair> = (1..).zip(rows).map(|(row, pair)| of_match(row, pair)).collect();
            read.drafts = spread(&pairs, &Known { row: "match", ..known }, findings);
        }
        (None, Some(rows), None, None) => {
            read.drafts = (1..).zip(rows).map(|(row, board)| of_board(row, board)).collect();
        }
        (None, None, Some(text), None) => {
            read.misread = misread(text);
            of_text(text, &mut read, known, findings);
        }
        (None, None, None, Some(coded)) => {
            let bytes = match bytes(coded) {
                Ok(bytes) => bytes,
                Err(error) => {
                    findings.push(Finding::of_all(format!("csv_base64 is no base64: {error}")));
                    return read;
                }
            };
            let (text, encoding) = match decode(&bytes) {
                Ok(read) => read,
                Err(what) => {
                    findings.push(Finding::of_all(format!("the file {what}")));
                    return read;
                }
            };
            if encoding == Encoding::Gb18030 {
                let (zh, en) =
                    ("文件按 GB18030 读取，请核对姓名", "the file was read as GB18030; look at the names");
                read.doubts.push(Doubt::new("encoding", vec![], zh.into(), en.into()));
            }
            read.misread = misread(&text);
            of_text(&text, &mut read, known, findings);
        }
        (None, None, None, None) => {
            findings
                .push(Finding::of_all("no list is given; give `matches`, `boards`, `csv` or `csv_base64`"));
            return read;
        }
        _ => {
            let what = "more than one list is given; give one of `matches`, `boards`, `csv`, `csv_base64`";
            findings.push(Finding::of_all(what));
            return read;
        }
    }
    if read.drafts.is_empty() && findings.is_empty() {
        findings.push(Finding::of_all("the list has no boards"));
    }
    read
}

/// What the rows of a list are called.
pub(super) const fn row(list: &PairingList) -> &'static str {
    match (&list.matches, &list.csv, &list.csv_base64) {
        (_, Some(_), _) | (_, _, Some(_)) => "line",
        (Some(_), _, _) => "match",
        _ => "row",
    }
}

/// Base64 as programs and people send it: with or without its padding, lines or not.
fn bytes(coded: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let coded: String = coded.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    engine.decode(coded)
}

fn of_text(text: &str, read: &mut Read, known: Known<'_>, findings: &mut Vec<Finding>) {
    read.drafts = match super::read(text, findings) {
        Some(Rows::Boards(drafts)) => drafts,
        Some(Rows::Matches(pairs)) => spread(&pairs, &Known { row: "line", ..known }, findings),
        None => Vec::new(),
    };
}

fn of_match(row: usize, pair: &MatchRow) -> Pair {
    match pair {
        MatchRow::Pair(teams) => Pair { match_no: None, teams: teams.clone(), row },
        MatchRow::Row { match_no, teams } => Pair { match_no: *match_no, teams: teams.clone(), row },
    }
}

fn of_board(row: usize, board: &BoardRow) -> Draft {
    let player = |player: &PlayerName| match player {
        PlayerName::Name(name) => PlayerSetup { name: name.trim().to_owned(), team: String::new() },
        PlayerName::Of { name, team } => {
            PlayerSetup { name: name.trim().to_owned(), team: team.trim().to_owned() }
        }
    };
    let board = BoardSetup {
        board: board.board.trim().to_owned(),
        table: board.table,
        clock: None,
        first_side: None,
        match_no: board.match_no,
        first: player(&board.first),
        second: player(&board.second),
    };
    Draft { board, row }
}
