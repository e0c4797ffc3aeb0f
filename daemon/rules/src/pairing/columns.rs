//! The columns of a pairing program's file, by the names that programs and people give them.

use super::Finding;
use super::names::{listed, nearest};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Board,
    Table,
    Match,
    First,
    FirstTeam,
    Second,
    SecondTeam,
    /// What `round.export` adds: read over, so that its file can be loaded again.
    Passed,
}

/// The names that are written, in the order of an export.
pub(crate) const WRITTEN: [&str; 7] =
    ["board", "table", "match", "first", "first_team", "second", "second_team"];

/// What an export has beside them.
pub(crate) const RESULTS: [&str; 9] = [
    "result",
    "forfeit",
    "status",
    "cause",
    "first_points",
    "second_points",
    "first_match_points",
    "second_match_points",
    "changed_from",
];

const NAMES: &[(Column, &[&str])] = &[
    (Column::Board, &["board", "台", "台次", "台号", "棋台"]),
    (Column::Table, &["table", "桌", "桌号", "桌次"]),
    (Column::Match, &["match", "场", "场次", "对阵"]),
    (Column::First, &["first", "red", "white", "红方", "先手", "先手方", "白方", "红方姓名", "先手姓名"]),
    (
        Column::FirstTeam,
        &[
            "first_team",
            "red_team",
            "white_team",
            "红方队",
            "红方队伍",
            "红方单位",
            "红方队名",
            "先手队",
            "先手单位",
            "先走队",
            "白方队",
            "白方单位",
            "主队",
        ],
    ),
    (Column::Second, &["second", "black", "黑方", "后手", "后手方", "黑方姓名", "后手姓名"]),
    (
        Column::SecondTeam,
        &[
            "second_team",
            "black_team",
            "黑方队",
            "黑方队伍",
            "黑方单位",
            "黑方队名",
            "后手队",
            "后手单位",
            "后走队",
            "客队",
        ],
    ),
];

/// The column of this name.
pub(super) fn column(name: &str) -> Option<Column> {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let known = NAMES.iter().find(|(_, names)| names.contains(&name.as_str()));
    known.map(|(column, _)| *column).or_else(|| RESULTS.contains(&name.as_str()).then_some(Column::Passed))
}

impl Column {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Table => "table",
            Self::Match => "match",
            Self::First => "first",
            Self::FirstTeam => "first_team",
            Self::Second => "second",
            Self::SecondTeam => "second_team",
            Self::Passed => "",
        }
    }
}

/// A header's columns; what is wrong with it is told.
pub(super) fn header(row: usize, names: &[String], findings: &mut Vec<Finding>) -> Vec<Option<Column>> {
    let columns: Vec<Option<Column>> = names.iter().map(|name| column(name)).collect();
    for (place, (name, found)) in names.iter().zip(&columns).enumerate() {
        let name = name.trim();
        match found {
            None => {
                let all = NAMES.iter().flat_map(|(_, names)| names.iter().copied());
                let near = nearest(name, all);
                let possible =
                    if near.is_some() { String::new() } else { format!("; possible: {}", listed(&WRITTEN)) };
                findings.push(Finding::at(row, format!("unknown column `{name}`{possible}")).or(near));
            }
            Some(Column::Passed) => {}
            Some(column) if columns[..place].contains(found) => {
                findings.push(Finding::at(row, format!("the column `{}` is there twice", column.name())));
            }
            Some(_) => {}
        }
    }
    columns
}
