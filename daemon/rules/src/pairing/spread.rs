//! Matches of teams spread over boards, and boards seated at tables.

use super::names::nearest;
use super::{Draft, Finding, Known};
use crate::{BoardSetup, PlayerSetup, TeamSetup};
use flagfall_arbiter::TeamName;
use std::collections::BTreeMap;

/// A match of a list: the team listed first, and the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its own number; its place in the list where it has none.
    pub match_no: Option<u32>,
    /// The team listed first moves first on odd boards (二.4).
    pub teams: [TeamName; 2],
    /// The row it stands in, from 1.
    pub row: usize,
}

/// The boards of a round's matches, numbered through in the order of the list.
pub fn spread(pairs: &[Pair], known: &Known<'_>, findings: &mut Vec<Finding>) -> Vec<Draft> {
    let mut playing: BTreeMap<u32, u32> = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    let mut drafts = Vec::new();
    for (place, pair) in (1..).zip(pairs) {
        let match_no = pair.match_no.unwrap_or(place);
        let before = findings.len();
        let mut say = |finding: Finding| findings.push(finding);
        if numbers.insert(match_no, ()).is_some() {
            say(Finding::at(pair.row, format!("match {match_no} is there twice")));
        }
        let mut found = [None; 2];
        for (side, name) in pair.teams.iter().enumerate() {
            let team = team(known.teams, name);
            found[side] = team;
            let Some(team) = team else {
                say(unknown(pair.row, match_no, name, known.teams));
                continue;
            };
            if let Some(other) = playing.insert(team.number, match_no) {
                let number = team.number;
                say(Finding::at(
                    pair.row,
                    if other == match_no {
                        format!("match {match_no}: team {number} against itself")
                    } else {
                        format!("team {number} plays in match {other} and in match {match_no}")
                    },
                ));
            }
        }
        let [Some(listed_first), Some(other)] = found else { continue };
        let (boards, others) = (listed_first.players.len(), other.players.len());
        if boards != others {
            let (first, second) = (listed_first.number, other.number);
            say(Finding::at(
                pair.row,
                format!("match {match_no}: team {first} has {boards} players and team {second} has {others}"),
            ));
            continue;
        }
        if findings.len() > before {
            // what is wrong with the match is not said again of each of its boards
            continue;
        }
        let begun = drafts.len();
        drafts.extend(
            boards_of(match_no, begun, listed_first, other).map(|board| Draft { board, row: pair.row }),
        );
    }
    drafts
}

/// A team by its number or name; a name of digits is a number where no team has that name.
fn team<'t>(teams: &'t [TeamSetup], name: &TeamName) -> Option<&'t TeamSetup> {
    let numbered = |number: u32| teams.iter().find(|team| team.number == number);
    let named = |name: &str| teams.iter().find(|team| team.name == name);
    match name {
        TeamName::Number(number) => numbered(*number).or_else(|| named(&number.to_string())),
        TeamName::Name(name) => named(name.trim()).or_else(|| numbered(name.trim().parse().ok()?)),
    }
}

fn unknown(row: usize, match_no: u32, name: &TeamName, teams: &[TeamSetup]) -> Finding {
    if teams.is_empty() {
        let what = "a list of matches needs teams; name them as [[team]] in the venue file, or load boards";
        return Finding::at(row, format!("match {match_no}: no team is known; {what}"));
    }
    match name {
        TeamName::Number(number) => {
            Finding::at(row, format!("match {match_no}: there is no team {number} among [[team]]"))
        }
        TeamName::Name(name) => {
            Finding::at(row, format!("match {match_no}: there is no team `{name}` among [[team]]"))
                .or(nearest(name.trim(), teams.iter().map(|team| team.name.as_str())))
        }
    }
}

/// One match: the team listed first moves first on odd boards, second on even ones (二.4).
fn boards_of<'t>(
    match_no: u32,
    begun: usize,
    listed_first: &'t TeamSetup,
    other: &'t TeamSetup,
) -> impl Iterator<Item = BoardSetup> + 't {
    let pairs = listed_first.players.iter().zip(&other.players);
    (1..).zip(pairs).map(move |(place, (ours, theirs)): (usize, _)| {
        let ours = PlayerSetup { name: ours.clone(), team: listed_first.name.clone() };
        let theirs = PlayerSetup { name: theirs.clone(), team: other.name.clone() };
        let (first, second) = if place % 2 == 1 { (ours, theirs) } else { (theirs, ours) };
        BoardSetup {
            board: (begun + place).to_string(),
            table: None,
            clock: None,
            first_side: None,
            match_no: Some(match_no),
            first,
            second,
        }
    })
}

/// Boards that name no table are seated in order, lowest table first; only where none of them names one.
/// Where tables may still come, those beyond the last one get the numbers that follow it.
pub fn seat(drafts: &mut [Draft], known: &Known<'_>) {
    if drafts.iter().any(|draft| draft.board.table.is_some()) {
        return;
    }
    let mut numbers: Vec<u32> = known.tables.iter().map(|table| table.number).collect();
    numbers.sort_unstable();
    let next = numbers.last().map_or(1, |last| last + 1);
    let more = (next..).take(if known.tables_come { drafts.len() } else { 0 });
    for (draft, number) in drafts.iter_mut().zip(numbers.into_iter().chain(more)) {
        draft.board.table = Some(number);
    }
}
