//! Standings over all rounds: players by board and teams, in the order of the regulations (十.2, 十.3). Reckoned from
//! results that a person entered and from the ledger of fouls; the arbiter system stays the master of pairings.
//!
//! What the text leaves open is read so: a point taken off for fouls counts from the round of the foul on (in 累进分
//! too); games as second player are those played, wins are all of them; a team's fouls are those of its players and
//! its own; a round counts once one of its boards has a result.

mod players;
pub(crate) mod score;
mod teams;

use crate::board::{Board, BoardIx};
use crate::pairing::counted;
use crate::state::State;
use crate::{PlayerSetup, Regulations};
use flagfall_arbiter::{Outcome, Player, Points};
use serde::Serialize;

/// The standings as of now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// The event.
    pub event: String,
    /// Rounds that count, ascending.
    pub rounds: Vec<u32>,
    /// Boards of those rounds that have no result yet: round and board.
    pub open: Vec<(u32, String)>,
    /// Teams in order; empty where nobody plays for one.
    pub teams: Vec<TeamLine>,
    /// Players in order, board by board.
    pub players: Vec<PlayerLine>,
}

/// A team's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamLine {
    /// Its place, from 1. No two share one (十.1).
    pub place: u32,
    /// The number it drew.
    pub number: Option<u32>,
    /// Its name.
    pub team: String,
    /// Match points (场分), with what was taken off.
    pub points: Points,
    /// Sum of the match points of the teams it met (团体对手分).
    pub opponents: Points,
    /// Board points of all its players (全队总局分).
    pub board_points: Points,
    /// Matches won (全队胜场).
    pub match_wins: u32,
    /// Boards won (全队胜局).
    pub board_wins: u32,
    /// Fouls of its players and its own (全队犯规次数).
    pub fouls: i32,
    /// A foul of its own places it last among those of its score (八.11).
    pub last_of_its_score: bool,
    /// Nothing in the regulations tells it from the one before: the number it drew, or its name, did.
    pub by_lot: bool,
}

/// A player's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerLine {
    /// His board in the team, from 1; `None` where there are no matches of teams.
    pub board: Option<u32>,
    /// His place on that board, from 1.
    pub place: u32,
    /// His name.
    pub name: String,
    /// His team.
    pub team: String,
    /// Points (个人积分), with what was taken off.
    pub points: Points,
    /// Sum of his points after each round (累进分).
    pub progressive: Points,
    /// Games won (胜局数).
    pub wins: u32,
    /// Fouls (犯规).
    pub fouls: i32,
    /// Games played as second player (后手局数).
    pub second_games: u32,
    /// Of his points, what was taken off for fouls; never positive.
    pub taken_off: Points,
    /// Nothing in the regulations tells him from the one before.
    pub by_lot: bool,
}

/// One player's part in one game.
#[derive(Clone, Debug)]
struct Game<'a> {
    round: u32,
    /// Which match, where there is one, and which of its boards.
    of_match: Option<(u32, u32)>,
    who: &'a PlayerSetup,
    opponent: &'a PlayerSetup,
    player: Player,
    result: Option<(Outcome, bool)>,
    points: Points,
    /// What fouls here add to his points.
    added: Points,
    /// The part of it that follows from fouls over the event (六.4).
    of_event: Points,
    fouls: i32,
    team_fouls: i32,
}

impl Game<'_> {
    fn won(&self) -> bool {
        self.result.is_some_and(|(result, _)| score::won(result, self.player))
    }

    /// Played as second player.
    fn second(&self) -> bool {
        self.player == Player::Second && self.result.is_some_and(|(_, forfeit)| !forfeit)
    }
}

impl State {
    pub(crate) fn standings(&self) -> Standings {
        let r = &self.setup.regulations;
        let count =
            |round: &&crate::state::Round| round.order.iter().any(|ix| counted(&self.boards[ix.0]).is_some());
        let mut rounds = Vec::new();
        let (mut games, mut open) = (Vec::new(), Vec::new());
        for round in self.rounds.values().filter(count) {
            rounds.push(round.number);
            let mut in_match = std::collections::BTreeMap::<u32, u32>::new();
            for &BoardIx(ix) in &round.order {
                let board = &self.boards[ix];
                let of_match = board.setup.match_no.map(|no| {
                    let place = in_match.entry(no).or_default();
                    *place += 1;
                    (no, *place)
                });
                if counted(board).is_none() {
                    open.push((round.number, board.name.clone()));
                }
                games.extend(Player::BOTH.map(|player| game(r, board, of_match, player)));
            }
        }
        // by rounds, as the ledger stands now: a foul taken back costs nothing in any of them
        let mut fouls = std::collections::BTreeMap::<&PlayerSetup, i32>::new();
        for game in &mut games {
            // of whom nobody knows the name, nobody knows where else he played
            let mut unknown = 0;
            let named = !game.who.name.is_empty();
            let sum = if named { fouls.entry(game.who).or_default() } else { &mut unknown };
            let before = score::fouls_cost(r, *sum);
            *sum += game.fouls;
            game.of_event = score::fouls_cost(r, *sum) - before;
            game.added += game.of_event;
        }
        Standings {
            event: self.setup.event.clone(),
            teams: teams::lines(r, &self.setup.teams, &games, &rounds),
            players: players::lines(&games, &rounds),
            rounds,
            open,
        }
    }
}

fn game<'a>(r: &Regulations, board: &'a Board, of_match: Option<(u32, u32)>, player: Player) -> Game<'a> {
    let result = counted(board);
    let chair = player as usize;
    let of_team: Points = board.team_points[chair].iter().copied().sum();
    Game {
        round: board.round,
        of_match,
        who: board.player_setup(player),
        opponent: board.player_setup(player.other()),
        player,
        result,
        points: result.map_or(Points::ZERO, |result| score::points(r, result, player)),
        added: of_team,
        of_event: Points::ZERO,
        fouls: board.fouls_of(player),
        team_fouls: board
            .team_fouls
            .iter()
            .filter(|((who, _), _)| *who == player)
            .map(|(_, count)| count)
            .sum(),
    }
}

/// Places from 1, in order; `same` says that nothing in the regulations tells two apart.
fn placed<T>(sorted: Vec<T>, same: impl Fn(&T, &T) -> bool) -> Vec<(u32, bool, T)> {
    let ties: Vec<bool> = std::iter::once(false)
        .chain(sorted.windows(2).map(|two| match two {
            [one, other] => same(one, other),
            _ => false,
        }))
        .collect();
    sorted.into_iter().zip(ties).zip(1..).map(|((it, tie), place)| (place, tie, it)).collect()
}
