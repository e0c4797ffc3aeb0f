//! Players of one board among each other (十.3): points, 累进分, wins, fewer fouls, games as second player; then the
//! same without the first round, without the first two, and so on.

use super::{Game, PlayerLine, placed};
use crate::PlayerSetup;
use flagfall_arbiter::Points;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What is compared, the better the greater.
type Key = (Points, Points, u32, Reverse<i32>, u32);

struct Player<'a> {
    who: &'a PlayerSetup,
    games: Vec<&'a Game<'a>>,
    /// Of all rounds, then without the first, and so on.
    keys: Vec<Key>,
}

pub(super) fn lines(games: &[Game<'_>], rounds: &[u32]) -> Vec<PlayerLine> {
    let mut boards: BTreeMap<Option<u32>, BTreeMap<&PlayerSetup, Vec<&Game<'_>>>> = BTreeMap::new();
    let mut first_seen: BTreeMap<&PlayerSetup, Option<u32>> = BTreeMap::new();
    for game in games.iter().filter(|game| !game.who.name.is_empty()) {
        // boards are fixed for the event (二.2); where somebody changed he stays where he began
        let board = *first_seen.entry(game.who).or_insert_with(|| game.of_match.map(|(_, place)| place));
        boards.entry(board).or_default().entry(game.who).or_default().push(game);
    }
    boards.into_iter().flat_map(|(board, players)| of_board(board, players, rounds)).collect()
}

fn of_board<'a>(
    board: Option<u32>,
    players: BTreeMap<&'a PlayerSetup, Vec<&'a Game<'a>>>,
    rounds: &[u32],
) -> Vec<PlayerLine> {
    let mut players: Vec<Player<'_>> = players
        .into_iter()
        .map(|(who, games)| {
            let keys = (0..rounds.len()).map(|from| key(&games, &rounds[from..])).collect();
            Player { who, games, keys }
        })
        .collect();
    // stable: who is equal in all of it stays in the order of names
    players.sort_by(|one, other| other.keys.cmp(&one.keys));
    placed(players, |one, other| one.keys == other.keys)
        .into_iter()
        .map(|(place, by_lot, player)| {
            let all = key(&player.games, rounds);
            PlayerLine {
                board,
                place,
                name: player.who.name.clone(),
                team: player.who.team.clone(),
                points: all.0,
                progressive: all.1,
                wins: all.2,
                fouls: all.3.0,
                second_games: all.4,
                taken_off: player.games.iter().map(|game| game.added).sum(),
                by_lot,
            }
        })
        .collect()
}

fn key(games: &[&Game<'_>], rounds: &[u32]) -> Key {
    let (mut points, mut progressive) = (Points::ZERO, Points::ZERO);
    let (mut wins, mut fouls, mut second) = (0, 0, 0);
    for round in rounds {
        for game in games.iter().filter(|game| game.round == *round) {
            points += game.points + game.added;
            wins += u32::from(game.won());
            second += u32::from(game.second());
            fouls += game.fouls;
        }
        progressive += points;
    }
    (points, progressive, wins, Reverse(fouls), second)
}
