//! Who sits where: pairings, colours, sides of the clocks, names.
//!
//! Colours are those of 二.4: the team named first has the first move on odd boards. Pairings turn in a circle, so that
//! hardly anybody meets twice; a real event's computer would pair by points, which no rule of a clock depends on.

use super::Scenario;
use flagfall_clock::{Player, Side};
use serde::Deserialize;

/// Where the first players sit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// At the clocks' left, as all over China.
    #[default]
    Left,
    /// At their right.
    Right,
    /// Left at odd tables, right at even ones.
    Mixed,
}

impl Seating {
    /// The first player's side at this table.
    #[must_use]
    pub const fn side(self, table: u32) -> Side {
        match self {
            Self::Left => Side::Left,
            Self::Right => Side::Right,
            Self::Mixed if table % 2 == 1 => Side::Left,
            Self::Mixed => Side::Right,
        }
    }
}

/// A player's place in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// His name.
    pub name: String,
    /// His team's name.
    pub team: String,
}

/// Boards of a team (二.2).
const TEAM: u32 = 4;

const CITIES: [&str; 8] = ["武汉", "宜昌", "襄阳", "荆州", "黄石", "十堰", "孝感", "咸宁"];

impl Scenario {
    /// How many teams play; none where the boards do not divide into matches of four.
    #[must_use]
    pub fn teams(&self) -> u32 {
        if self.boards.is_multiple_of(TEAM) { self.boards / TEAM * 2 } else { 0 }
    }

    /// A team's name and city, by the number it drew.
    #[must_use]
    pub fn team(&self, number: u32) -> (String, &'static str) {
        let city = CITIES[number as usize % CITIES.len()];
        (format!("{city}{number}队"), city)
    }

    /// A team's players in board order.
    #[must_use]
    pub fn team_players(&self, number: u32) -> Vec<String> {
        (1..=TEAM).map(|board| format!("{number}-{board}")).collect()
    }

    /// The boards of a match (from 1), in their order; none where there are no matches.
    pub fn boards_of_match(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        let matches = self.teams() / 2;
        let first = number.saturating_sub(1).saturating_mul(TEAM);
        let boards = if (1..=matches).contains(&number) { TEAM } else { 0 };
        (1..=boards).map(move |board| first + board)
    }

    /// The match of a board, from 1; none where there are no matches.
    #[must_use]
    pub fn match_of(&self, board: u32) -> Option<u32> {
        (self.teams() > 0).then(|| (board.saturating_sub(1)) / TEAM + 1)
    }

    /// The matches of `round` in the order of their boards, each the team named first and the other.
    #[must_use]
    pub fn matches(&self, round: u32) -> Vec<[u32; 2]> {
        (0..self.teams() / 2).map(|number| self.teams_of(round, number)).collect()
    }

    /// The teams of the `number`th match (from 0) of `round`: the team named first, and the other.
    fn teams_of(&self, round: u32, number: u32) -> [u32; 2] {
        let (one, two) = pair(self.teams(), round, number);
        // "1 v 13, 14 v 2, ...": who is named first alternates.
        if (number + round).is_multiple_of(2) { [two, one] } else { [one, two] }
    }

    /// Who plays whom in `round` on `board` (both from 1): first player, second player.
    #[must_use]
    pub fn seats(&self, round: u32, board: u32) -> (Seat, Seat) {
        let teams = self.teams();
        if teams == 0 {
            let seat = |n: u32| Seat { name: format!("player {n}"), team: String::new() };
            let (one, two) = pair(self.boards * 2, round, board - 1);
            return if round % 2 == 1 { (seat(one), seat(two)) } else { (seat(two), seat(one)) };
        }
        let (number, place) = ((board - 1) / TEAM, (board - 1) % TEAM + 1);
        let [one, two] = self.teams_of(round, number);
        let seat = |team: u32| Seat { name: format!("{team}-{place}"), team: self.team(team).0 };
        match Player::BOTH[usize::from(place % 2 == 0)] {
            Player::First => (seat(one), seat(two)),
            Player::Second => (seat(two), seat(one)),
        }
    }
}

/// The `match`th pairing (from 0) of `n` (even) opponents in `round`; round 1 pairs top half against bottom half.
fn pair(n: u32, round: u32, game: u32) -> (u32, u32) {
    let half = n / 2;
    if n == 2 {
        return (1, 2);
    }
    // Places 1..n on two rows; number 1 stays, all others move on by one place a round.
    let at = |place: u32| if place == 0 { 1 } else { (place - 1 + round - 1) % (n - 1) + 2 };
    let top = at(game);
    let bottom = at(if game == 0 { half } else { half + game });
    if round == 1 {
        (top, bottom)
    } else {
        let mirror = at(n - 1 - game);
        (top, mirror)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scenario;
    use std::collections::BTreeSet;

    fn hall(boards: u32) -> Scenario {
        let text =
            format!("name = \"x\"\nbegin = \"2012-06-14T08:00:00+08:00\"\nboards = {boards}\nrounds = 9\n");
        Scenario::parse("x", &text).unwrap()
    }

    #[test]
    fn everybody_plays_once_a_round() {
        for boards in [1, 3, 4, 10, 48] {
            let hall = hall(boards);
            for round in 1..=9 {
                let names: BTreeSet<_> = (1..=boards)
                    .flat_map(|board| {
                        let (first, second) = hall.seats(round, board);
                        [first.name, second.name]
                    })
                    .collect();
                assert_eq!(names.len(), 2 * boards as usize, "{boards} boards, round {round}");
            }
        }
    }

    #[test]
    fn the_first_round_is_that_of_the_regulations() {
        // Test 32: in "14 v 2" team 14 has the first move on boards 1 and 3.
        let hall = hall(48);
        let names = |board| {
            let (first, second) = hall.seats(1, board);
            (first.name, second.name)
        };
        assert_eq!(names(1), ("1-1".into(), "13-1".into()));
        assert_eq!(names(2), ("13-2".into(), "1-2".into()));
        assert_eq!(names(5), ("14-1".into(), "2-1".into()));
        assert_eq!(names(6), ("2-2".into(), "14-2".into()));
    }
}
