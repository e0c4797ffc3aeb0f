//! Teams among each other (十.2): match points; a team with a foul of its own after the others of its score (八.11);
//! then 对手分, board points, matches won, boards won, fewer fouls; then the same as it stood a round before, two
//! rounds before, and so on.

use super::score::match_points;
use super::{Game, TeamLine, placed};
use crate::{Regulations, TeamSetup};
use flagfall_arbiter::Points;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What is compared, the better the greater.
type Key = (Points, bool, Points, Points, u32, u32, Reverse<i32>);

/// A team's part in one round.
#[derive(Clone, Debug, Default)]
struct Round<'a> {
    points: Points,
    board_points: Points,
    won: u32,
    board_wins: u32,
    fouls: i32,
    own_fouls: i32,
    met: Vec<&'a str>,
}

type Rounds<'a> = BTreeMap<u32, Round<'a>>;

/// Of each team of a match: the points of its boards, and whether all of them have a result.
type Sums<'a> = BTreeMap<&'a str, (Points, bool)>;

pub(super) fn lines(
    r: &Regulations,
    known: &[TeamSetup],
    games: &[Game<'_>],
    rounds: &[u32],
) -> Vec<TeamLine> {
    let teams = of_teams(r, games);
    let keys: BTreeMap<&str, Vec<Key>> = teams
        .keys()
        .map(|&team| {
            let keys = (1..=rounds.len()).rev().map(|to| key(&teams, team, &rounds[..to])).collect();
            (team, keys)
        })
        .collect();
    let number = |team: &str| known.iter().find(|known| known.name == team).map(|known| known.number);
    let mut order: Vec<&str> = teams.keys().copied().collect();
    // equal in all of it: the number they drew, or their names
    order.sort_by_key(|team| (number(team).unwrap_or(u32::MAX), *team));
    order.sort_by(|one, other| keys[other].cmp(&keys[one]));
    placed(order, |one, other| keys[one] == keys[other])
        .into_iter()
        .map(|(place, by_lot, team)| {
            let all = key(&teams, team, rounds);
            TeamLine {
                place,
                number: number(team),
                team: team.to_owned(),
                points: all.0,
                opponents: all.2,
                board_points: all.3,
                match_wins: all.4,
                board_wins: all.5,
                fouls: all.6.0,
                last_of_its_score: !all.1,
                by_lot,
            }
        })
        .collect()
}

fn of_teams<'a>(r: &Regulations, games: &[Game<'a>]) -> BTreeMap<&'a str, Rounds<'a>> {
    let mut teams: BTreeMap<&'a str, Rounds<'a>> = BTreeMap::new();
    let mut matches: BTreeMap<(u32, u32), Sums<'a>> = BTreeMap::new();
    for game in games.iter().filter(|game| !game.who.team.is_empty()) {
        let team = game.who.team.as_str();
        let round = teams.entry(team).or_default().entry(game.round).or_default();
        round.board_points += game.points;
        round.board_wins += u32::from(game.won());
        round.fouls += game.fouls + game.team_fouls;
        round.own_fouls += game.team_fouls;
        if r.event_fouls_team {
            round.points += game.of_event;
        }
        let other = game.opponent.team.as_str();
        if let Some((no, _)) = game.of_match.filter(|_| !other.is_empty() && other != team) {
            let sum =
                matches.entry((game.round, no)).or_default().entry(team).or_insert((Points::ZERO, true));
            sum.0 += game.points;
            sum.1 &= game.result.is_some();
        }
    }
    for ((number, _), sums) in matches {
        let sums: Vec<(&str, Points, bool)> =
            sums.into_iter().map(|(team, (sum, complete))| (team, sum, complete)).collect();
        let [(one, first, done), (other, second, _)] = sums[..] else { continue };
        let mut give = |team: &'a str, met: &'a str, points: Option<Points>| {
            let round = teams.entry(team).or_default().entry(number).or_default();
            round.met.push(met);
            if let Some(points) = points {
                round.points += points;
                round.won += u32::from(points == r.points_win && points > r.points_draw);
            }
        };
        // a match counts once its last board has a result
        let points = done.then(|| match_points(r, [first, second]));
        give(one, other, points.map(|[first, _]| first));
        give(other, one, points.map(|[_, second]| second));
    }
    teams
}

fn key(teams: &BTreeMap<&str, Rounds<'_>>, team: &str, rounds: &[u32]) -> Key {
    fn in_rounds<'a>(
        teams: &'a BTreeMap<&str, Rounds<'a>>,
        team: &str,
        rounds: &'a [u32],
    ) -> impl Iterator<Item = &'a Round<'a>> {
        let own = teams.get(team);
        rounds.iter().filter_map(move |number| own?.get(number))
    }
    let in_rounds = |team| in_rounds(teams, team, rounds);
    let points = |team| in_rounds(team).map(|round| round.points).sum::<Points>();
    let own: i32 = in_rounds(team).map(|round| round.own_fouls).sum();
    (
        points(team),
        own <= 0,
        in_rounds(team).flat_map(|round| &round.met).map(|met| points(met)).sum(),
        in_rounds(team).map(|round| round.board_points).sum(),
        in_rounds(team).map(|round| round.won).sum(),
        in_rounds(team).map(|round| round.board_wins).sum(),
        Reverse(in_rounds(team).map(|round| round.fouls).sum()),
    )
}
