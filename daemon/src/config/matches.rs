//! `matches = [[1, 13], [14, 2]]`: team matches spread over boards, colours by parity (二.4).

use super::boards::{Draft, check, seat};
use super::page::{Section, Written};
use flagfall_rules::{BoardSetup, PlayerSetup, TableSetup, TeamSetup};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::DeValue;

/// The boards of a round's matches.
pub(super) fn read(
    round: &Section<'_>,
    tables: &[Written<TableSetup>],
    teams: &[Written<TeamSetup>],
) -> Vec<BoardSetup> {
    let Some(found) = round.raw("matches") else { return Vec::new() };
    let DeValue::Array(array) = found.get_ref() else {
        round.wrong_type("matches", found.get_ref(), "a list of team numbers by two, `[[1, 13], [14, 2]]`");
        return Vec::new();
    };
    let key = round.key("matches");
    let by_number: BTreeMap<u32, &TeamSetup> =
        teams.iter().map(|team| (team.value.number, &team.value)).collect();
    let mut playing = BTreeMap::new();
    let mut drafts = Vec::new();
    for (match_no, value) in (1..).zip(array) {
        let line = round.page.line(value.span().start);
        let fault = |message: String| round.page.fault(line, &key, message);
        let Some(pair) = pair(value) else {
            fault(format!("match {match_no} is not two team numbers; write it as `[14, 2]`"));
            continue;
        };
        for number in pair {
            if let Some(other) = playing.insert(number, match_no) {
                fault(if other == match_no {
                    format!("match {match_no}: team {number} against itself")
                } else {
                    format!("team {number} plays in match {other} and in match {match_no}")
                });
            }
            if !by_number.contains_key(&number) {
                fault(format!("match {match_no}: there is no team {number} among [[team]]"));
            }
        }
        let (Some(listed_first), Some(other)) = (by_number.get(&pair[0]), by_number.get(&pair[1])) else {
            continue;
        };
        let (boards, others) = (listed_first.players.len(), other.players.len());
        if boards != others {
            fault(format!(
                "match {match_no}: team {} has {boards} players and team {} has {others}",
                pair[0], pair[1]
            ));
            continue;
        }
        let begun = drafts.len();
        drafts.extend(spread(match_no, begun, listed_first, other).map(|board| Draft { board, line }));
    }
    seat(&mut drafts, tables);
    check(round.page, &key, &drafts, tables, teams);
    drafts.into_iter().map(|draft| draft.board).collect()
}

/// One match: the team listed first moves first on odd boards, second on even ones (二.4).
fn spread<'t>(
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

fn pair(value: &Spanned<DeValue<'_>>) -> Option<[u32; 2]> {
    let array = value.get_ref().as_array()?;
    let numbers: Option<Vec<u32>> =
        array.iter().map(|value| value.get_ref().as_integer()?.as_str().parse().ok()).collect();
    <[u32; 2]>::try_from(numbers?).ok()
}
