//! What looks wrong with a list and may be right: told, and the round loads.

use super::{Draft, Known};
use crate::TeamSetup;
use flagfall_arbiter::Text;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Something that looks wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// What kind, for programs.
    pub kind: &'static str,
    /// The boards it is about; none where it is about none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<String>,
    /// In words.
    pub text: Text,
}

impl Doubt {
    pub(super) fn new(kind: &'static str, boards: Vec<String>, zh: String, en: String) -> Self {
        Self { kind, boards, text: Text { zh, en } }
    }
}

/// A match of a round: the team listed first, the other, and its boards in order.
pub(crate) struct Match<'d> {
    /// Its number.
    pub number: u32,
    /// The team that has the first move on its first board, and the other.
    pub teams: [&'d str; 2],
    /// Its boards, in board order.
    pub boards: Vec<&'d crate::BoardSetup>,
}

/// The matches of a round's boards, in their order.
pub(crate) fn matches<'d>(boards: impl Iterator<Item = &'d crate::BoardSetup>) -> Vec<Match<'d>> {
    let mut matches: Vec<Match<'d>> = Vec::new();
    for board in boards {
        let Some(number) = board.match_no else { continue };
        match matches.iter_mut().find(|known| known.number == number) {
            Some(known) => known.boards.push(board),
            None => {
                let teams = [board.first.team.as_str(), board.second.team.as_str()];
                matches.push(Match { number, teams, boards: vec![board] });
            }
        }
    }
    matches
}

/// Doubts that rest on the list and the teams alone.
#[must_use]
pub fn of_the_list(drafts: &[Draft], known: &Known<'_>) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let matches = matches(drafts.iter().map(|draft| &draft.board));
    for found in &matches {
        colours(found, &mut doubts);
        if let [Some(first), Some(second)] = found.teams.map(|name| team(known.teams, name)) {
            order(found, [first, second], &mut doubts);
            same_city(found, [first, second], &mut doubts);
        }
    }
    byes(&matches, known.teams, &mut doubts);
    doubts
}

fn team<'t>(teams: &'t [TeamSetup], name: &str) -> Option<&'t TeamSetup> {
    teams.iter().find(|team| team.name == name)
}

pub(super) fn names(boards: &[&crate::BoardSetup]) -> Vec<String> {
    boards.iter().map(|board| board.board.clone()).collect()
}

/// The team listed first has the first move on odd boards, the other on even ones (二.4).
fn colours(found: &Match<'_>, doubts: &mut Vec<Doubt>) {
    if found.teams.contains(&"") || found.teams[0] == found.teams[1] {
        return;
    }
    let against = |(place, board): (usize, &&crate::BoardSetup)| {
        (board.first.team != found.teams[place % 2]).then_some(board.board.clone())
    };
    let boards: Vec<String> = found.boards.iter().enumerate().filter_map(against).collect();
    if !boards.is_empty() {
        let (number, named) = (found.number, boards.join(", "));
        doubts.push(Doubt::new(
            "colours",
            boards,
            format!("第 {number} 场：第 {named} 台先后手与单双台次不符（二.4）"),
            format!(
                "match {number}: on board {named} the colours do not alternate from board to board (二.4)"
            ),
        ));
    }
}

/// Every player sits at the board at which his team lists him (二.2).
fn order(found: &Match<'_>, teams: [&TeamSetup; 2], doubts: &mut Vec<Doubt>) {
    let mut boards = Vec::new();
    let (mut zh, mut en) = (Vec::new(), Vec::new());
    for (place, board) in (1..).zip(&found.boards) {
        for player in [&board.first, &board.second] {
            let own = teams.iter().find(|team| team.name == player.team);
            let own = own.and_then(|team| team.players.iter().position(|name| *name == player.name));
            if let Some(own) = own.map(|own| own + 1).filter(|own| *own != place) {
                boards.push(board.board.clone());
                zh.push(format!("{}（{}）报名第 {own} 台，现排第 {place} 台", player.name, player.team));
                en.push(format!(
                    "{} ({}) is entered for board {own} and sits at board {place}",
                    player.name, player.team
                ));
            }
        }
    }
    if !boards.is_empty() {
        boards.dedup();
        let number = found.number;
        doubts.push(Doubt::new(
            "board_order",
            boards,
            format!("第 {number} 场：{}（二.2）", zh.join("；")),
            format!("match {number}: {} (二.2)", en.join("; ")),
        ));
    }
}

/// Teams of one city avoid each other (二.5).
fn same_city(found: &Match<'_>, [one, other]: [&TeamSetup; 2], doubts: &mut Vec<Doubt>) {
    if let (Some(city), Some(same)) = (&one.city, &other.city)
        && city == same
    {
        let number = found.number;
        doubts.push(Doubt::new(
            "same_city",
            names(&found.boards),
            format!("第 {number} 场：{} 与 {} 同属{city}，应予回避（二.5）", one.name, other.name),
            format!("match {number}: {} and {} are both of {city} (二.5)", one.name, other.name),
        ));
    }
}

/// Teams that play nobody in this round.
fn byes(matches: &[Match<'_>], teams: &[TeamSetup], doubts: &mut Vec<Doubt>) {
    let playing: BTreeSet<&str> = matches.iter().flat_map(|found| found.teams).collect();
    let idle: Vec<&str> =
        teams.iter().map(|team| team.name.as_str()).filter(|name| !playing.contains(name)).collect();
    if idle.is_empty() || matches.is_empty() {
        return;
    }
    let (zh, en) = (idle.join("、"), idle.join(", "));
    let odd = teams.len() % 2 == 1 && idle.len() == 1;
    doubts.push(if odd {
        let count = teams.len();
        Doubt::new(
            "bye",
            vec![],
            format!("{count} 队为单数，{zh} 轮空"),
            format!("{count} teams are odd: {en} has the bye"),
        )
    } else {
        Doubt::new("not_paired", vec![], format!("未排对手：{zh}"), format!("without an opponent: {en}"))
    });
}

/// Who met whom in which round, by the teams' names.
#[derive(Debug, Default)]
pub(super) struct Met(BTreeMap<[String; 2], u32>);

impl Met {
    pub(super) fn add(&mut self, round: u32, found: &Match<'_>) {
        self.0.entry(key(found.teams)).or_insert(round);
    }

    /// Teams that met before.
    pub(super) fn again(&self, found: &Match<'_>) -> Option<Doubt> {
        let before = *self.0.get(&key(found.teams)).filter(|_| !found.teams.contains(&""))?;
        let (number, [one, other]) = (found.number, found.teams);
        Some(Doubt::new(
            "rematch",
            names(&found.boards),
            format!("第 {number} 场：{one} 与 {other} 在第 {before} 轮已相遇"),
            format!("match {number}: {one} and {other} met in round {before} already"),
        ))
    }
}

fn key(teams: [&str; 2]) -> [String; 2] {
    let mut key = teams.map(str::to_owned);
    key.sort_unstable();
    key
}
