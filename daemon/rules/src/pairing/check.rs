//! What must hold of a round's boards wherever they come from: no board, table, clock or player twice,
//! every table, team and name known, each team in one match.

use super::names::{nearest, no_name};
use super::{Draft, Finding, Known};
use crate::{PlayerSetup, TableSetup, TeamSetup};
use std::collections::BTreeMap;

/// A round has no more boards.
const MOST: usize = 1_000;

/// Checks a round's boards. A player named without his team gets it where only one has such a player; where
/// teams are known and no board says which match it belongs to, the matches are numbered by the teams.
pub fn check(drafts: &mut [Draft], known: &Known<'_>, findings: &mut Vec<Finding>) {
    if drafts.len() > MOST {
        findings.push(Finding::of_all(format!("{} boards; a round has at most {MOST}", drafts.len())));
        return;
    }
    for draft in drafts.iter_mut() {
        let (board, row) = (draft.board.board.clone(), draft.row);
        for player in [&mut draft.board.first, &mut draft.board.second] {
            if let Err(finding) = belongs(player, &board, row, known.teams) {
                findings.push(finding);
            }
        }
    }
    places(drafts, known, findings);
    players(drafts, findings);
    if !known.teams.is_empty() && drafts.iter().all(|draft| draft.board.match_no.is_none()) {
        number_matches(drafts);
    }
    matches(drafts, findings);
}

/// A player with a name, in a team that is known and has him.
fn belongs(player: &mut PlayerSetup, board: &str, row: usize, teams: &[TeamSetup]) -> Result<(), Finding> {
    let (name, of) = (player.name.as_str(), player.team.as_str());
    if let Some(what) = no_name(name) {
        return Err(Finding::at(
            row,
            format!("board {board}: a player's name {what}; leave out a board where nobody plays"),
        ));
    }
    if let Some(what) = no_name(of).filter(|_| !of.is_empty()) {
        return Err(Finding::at(row, format!("board {board}: a team's name {what}")));
    }
    if teams.is_empty() {
        return Ok(());
    }
    let has = |team: &&TeamSetup| team.players.iter().any(|player| player == name);
    if of.is_empty() {
        let mut of_this_name = teams.iter().filter(has);
        return match (of_this_name.next(), of_this_name.next()) {
            (Some(team), None) => {
                player.team.clone_from(&team.name);
                Ok(())
            }
            (Some(one), Some(other)) => Err(Finding::at(
                row,
                format!(
                    "board {board}: `{name}` plays for {} and for {}; name his team",
                    one.name, other.name
                ),
            )),
            (None, _) => {
                let all = teams.iter().flat_map(|team| team.players.iter().map(String::as_str));
                Err(Finding::at(row, format!("board {board}: `{name}` plays for no team"))
                    .or(nearest(name, all)))
            }
        };
    }
    let Some(team) = teams.iter().find(|team| team.name == of) else {
        let near = nearest(of, teams.iter().map(|team| team.name.as_str()));
        return Err(Finding::at(row, format!("board {board}: team `{of}` is unknown")).or(near));
    };
    if has(&team) {
        return Ok(());
    }
    if let Some(own) = teams.iter().find(has) {
        let finding =
            Finding::at(row, format!("board {board}: `{name}` does not play for {of} but for another team"));
        return Err(finding.or(Some(&own.name)));
    }
    let near = nearest(name, team.players.iter().map(String::as_str));
    Err(Finding::at(row, format!("board {board}: `{name}` does not play for {of}")).or(near))
}

/// No board's name, table or clock twice; a clock where it stands.
fn places(drafts: &[Draft], known: &Known<'_>, findings: &mut Vec<Finding>) {
    let tables: BTreeMap<u32, &TableSetup> = known.tables.iter().map(|table| (table.number, table)).collect();
    let (mut names, mut at_tables, mut clocks) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for Draft { board: setup, row } in drafts {
        let board = setup.board.as_str();
        let mut say = |message: String| findings.push(Finding::at(*row, message));
        if let Some(what) = no_name(board) {
            say(format!("a board's name {what}"));
        } else if let Some(first) = names.insert(board, row) {
            say(format!("board {board} is there twice in the round, first in {} {first}", known.row));
        }
        let table = setup.table.and_then(|number| tables.get(&number));
        if let Some(number) = setup.table {
            if table.is_none() && !known.tables_come {
                let numbers = tables.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let numbers = if numbers.is_empty() {
                    "there is no [[table]]".into()
                } else {
                    format!("tables: {numbers}")
                };
                say(format!("board {board} is at table {number}, which is unknown; {numbers}"));
            } else if !(1..=9_999).contains(&number) {
                say(format!("board {board} is at table {number}; tables have numbers from 1 to 9999"));
            } else if let Some(other) = at_tables.insert(number, board) {
                say(format!("boards {other} and {board} are both at table {number}"));
            }
        }
        let stands = table.and_then(|table| table.clock);
        if let (Some(own), Some(stands), Some(number)) = (setup.clock, stands, setup.table)
            && own != stands
        {
            say(format!("board {board} has clock {own}, but on its table {number} stands clock {stands}"));
        }
        if let Some(clock) = setup.clock.or(stands)
            && let Some(other) = clocks.insert(clock, board).filter(|other| *other != board)
        {
            say(format!("boards {other} and {board} both have clock {clock}"));
        }
        if setup.match_no.is_some_and(|number| !(1..=9_999).contains(&number)) {
            say(format!("board {board}: a match has a number from 1 to 9999"));
        }
    }
}

/// Nobody sits at two boards.
fn players(drafts: &[Draft], findings: &mut Vec<Finding>) {
    let mut sits = BTreeMap::new();
    for Draft { board: setup, row } in drafts {
        for player in [&setup.first, &setup.second] {
            let (name, of) = (player.name.as_str(), player.team.as_str());
            if !name.is_empty()
                && let Some(other) = sits.insert((of, name), setup.board.as_str())
            {
                let of = if of.is_empty() { String::new() } else { format!(" of {of}") };
                let board = &setup.board;
                findings.push(Finding::at(
                    *row,
                    format!("{name}{of} sits at board {other} and at board {board}"),
                ));
            }
        }
    }
}

/// The two teams of a board, in the order of their names; none where one is not said.
fn teams_of(draft: &Draft) -> Option<[&str; 2]> {
    let mut teams = [draft.board.first.team.as_str(), draft.board.second.team.as_str()];
    teams.sort_unstable();
    (!teams[0].is_empty()).then_some(teams)
}

/// Numbers the matches in the order in which their teams come.
fn number_matches(drafts: &mut [Draft]) {
    let mut seen: Vec<[String; 2]> = Vec::new();
    for draft in drafts {
        let Some(teams) = teams_of(draft).map(|teams| teams.map(str::to_owned)) else { continue };
        let place = seen.iter().position(|other| *other == teams).unwrap_or_else(|| {
            seen.push(teams);
            seen.len() - 1
        });
        draft.board.match_no = Some(place as u32 + 1);
    }
}

/// A match has two teams, and a team one match. Boards that belong to no match are nobody's team match.
fn matches(drafts: &[Draft], findings: &mut Vec<Finding>) {
    let mut plays: BTreeMap<&str, u32> = BTreeMap::new();
    let mut between: BTreeMap<u32, [&str; 2]> = BTreeMap::new();
    for draft in drafts {
        let (Some(number), Some(teams)) = (draft.board.match_no, teams_of(draft)) else { continue };
        let (board, row) = (&draft.board.board, draft.row);
        if teams[0] == teams[1] {
            findings.push(Finding::at(row, format!("board {board}: team {} against itself", teams[0])));
            continue;
        }
        let own = *between.entry(number).or_insert(teams);
        if own != teams {
            let message = format!(
                "board {board}: match {number} is {} against {}, not {} against {}",
                own[0], own[1], teams[0], teams[1]
            );
            findings.push(Finding::at(row, message));
            continue;
        }
        for team in teams {
            let other = *plays.entry(team).or_insert(number);
            if other != number {
                let message = format!("team {team} plays in match {other} and in match {number}");
                if !findings.iter().any(|finding| finding.message == message) {
                    findings.push(Finding::at(row, message));
                }
            }
        }
    }
}
