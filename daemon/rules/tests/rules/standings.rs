//! Standings over rounds (九.1, 十.2, 十.3): each tie-break decides where those before it do not.

use crate::hall::Hall;
use flagfall_arbiter::Points;
use flagfall_rules::{BoardSetup, Mode, PlayerSetup, Regulations, RoundSetup, Standings, StartBy, TeamSetup};
use serde_json::json;

/// Teams of two players; each round's matches by team, results board by board of the team listed first.
fn event(regulations: Regulations, rounds: &[&[(&str, &str, &str)]]) -> Hall {
    let mut setup = crate::hall::setup(1, regulations, StartBy::Players, Mode::Act);
    let mut names: Vec<&str> =
        rounds.iter().flat_map(|round| round.iter().flat_map(|(one, other, _)| [*one, *other])).collect();
    names.sort_unstable();
    names.dedup();
    setup.teams = names
        .iter()
        .zip(1..)
        .map(|(name, number)| TeamSetup {
            number,
            name: (*name).to_owned(),
            city: None,
            players: vec![format!("{name}1"), format!("{name}2")],
        })
        .collect();
    setup.rounds = rounds
        .iter()
        .zip(1..)
        .map(|(matches, number)| RoundSetup {
            number,
            planned: None,
            boards: matches
                .iter()
                .zip(1..)
                .flat_map(|((one, other, _), no)| boards(no, one, other))
                .collect(),
        })
        .collect();
    let mut hall = Hall::of(1, setup);
    for (matches, round) in rounds.iter().zip(1..) {
        for ((_, _, line), no) in matches.iter().zip(1..) {
            let params = json!({ "round": round, "match": no, "results": *line });
            hall.ask("match.results", params).unwrap();
        }
    }
    hall
}

fn boards(no: u32, one: &str, other: &str) -> [BoardSetup; 2] {
    [1, 2].map(|place| {
        let player = |team: &str| PlayerSetup { name: format!("{team}{place}"), team: team.to_owned() };
        // 二.4: the team listed first has Red on odd boards
        let (first, second) = if place == 1 { (one, other) } else { (other, one) };
        BoardSetup {
            board: ((no - 1) * 2 + place).to_string(),
            table: None,
            clock: None,
            first_side: None,
            match_no: Some(no),
            first: player(first),
            second: player(second),
        }
    })
}

fn teams(standings: &Standings) -> Vec<&str> {
    standings.teams.iter().map(|line| line.team.as_str()).collect()
}

fn players(standings: &Standings, board: u32) -> Vec<&str> {
    standings.players.iter().filter(|line| line.board == Some(board)).map(|line| line.name.as_str()).collect()
}

#[test]
fn rule_33_match_points_come_from_the_sum_over_the_boards() {
    let hall = event(Regulations::default(), &[&[("甲", "乙", "1="), ("丙", "丁", "10")]]);
    let standings = hall.rules.standings();
    let points: Vec<_> = standings.teams.iter().map(|line| (line.team.as_str(), line.points)).collect();
    assert_eq!(
        points,
        [("甲", Points::ONE), ("丁", Points::HALF), ("丙", Points::HALF), ("乙", Points::ZERO)]
    );
    assert!(standings.teams[2].by_lot, "丙 and 丁 are equal by every article");
    assert_eq!(standings.teams[0].board_points, Points::halves(3));
    assert!(standings.open.is_empty() && standings.rounds == [1]);
}

#[test]
fn forfeits_count_and_a_double_default_gives_nobody_anything() {
    let mut hall = event(Regulations::default(), &[&[("甲", "乙", "+1")]]);
    let standings = hall.rules.standings();
    assert_eq!((standings.teams[0].points, standings.teams[0].match_wins), (Points::ONE, 1));
    assert_eq!(standings.players.iter().find(|line| line.name == "甲1").unwrap().wins, 1);
    for board in ["1", "2"] {
        hall.ask("board.result", json!({ "board": board, "result": "0-0", "forfeit": true })).unwrap();
    }
    let standings = hall.rules.standings();
    assert!(standings.teams.iter().all(|line| line.points == Points::ZERO), "nobody came");
}

#[test]
fn teams_equal_on_points_go_by_their_opponents_then_board_points_then_wins_then_fouls() {
    // 甲 and 乙 both win one of two; 甲 met the stronger ones
    let rounds: &[&[(&str, &str, &str)]] = &[
        &[("甲", "丙", "00"), ("乙", "丁", "00"), ("戊", "己", "11")],
        &[("甲", "戊", "11"), ("乙", "己", "11"), ("丙", "丁", "11")],
    ];
    let hall = event(Regulations::default(), rounds);
    let standings = hall.rules.standings();
    let one = standings.teams.iter().find(|line| line.team == "甲").unwrap();
    let other = standings.teams.iter().find(|line| line.team == "乙").unwrap();
    assert_eq!((one.points, other.points), (Points::ONE, Points::ONE));
    assert!(one.opponents > other.opponents && one.place < other.place, "{standings:#?}");
    // equal opponents: board points
    let hall = event(Regulations::default(), &[&[("甲", "乙", "=1"), ("丙", "丁", "11")]]);
    assert_eq!(teams(&hall.rules.standings())[..2], ["丙", "甲"]);
    // equal so far: fewer fouls
    let mut hall = event(Regulations::default(), &[&[("甲", "乙", "11"), ("丙", "丁", "11")]]);
    hall.ask("foul.record", json!({ "board": "1", "player": "first", "article": "五.4" })).unwrap();
    let standings = hall.rules.standings();
    assert_eq!((teams(&standings)[0], standings.teams[1].fouls), ("丙", 1));
    assert!(!standings.teams[1].by_lot);
}

#[test]
fn what_no_criterion_tells_apart_goes_by_the_standings_a_round_before() {
    let rounds: &[&[(&str, &str, &str)]] =
        &[&[("甲", "丙", "11"), ("乙", "丁", "00")], &[("甲", "丁", "00"), ("乙", "丙", "11")]];
    let hall = event(Regulations::default(), rounds);
    let standings = hall.rules.standings();
    // 甲 and 乙 have a win each with the same boards, against teams of one point each
    let (one, other) = (
        standings.teams.iter().find(|line| line.team == "甲").unwrap(),
        standings.teams.iter().find(|line| line.team == "乙").unwrap(),
    );
    assert_eq!(
        (one.points, one.opponents, one.board_points, one.board_wins),
        (other.points, other.opponents, other.board_points, other.board_wins)
    );
    assert!(one.place < other.place, "甲 won the round before");
}

#[test]
fn a_teams_own_foul_places_it_last_of_its_score_only() {
    let mut hall =
        event(Regulations::default(), &[&[("甲", "乙", "11"), ("丙", "丁", "10"), ("戊", "己", "11")]]);
    assert_eq!(teams(&hall.rules.standings())[..2], ["戊", "甲"]);
    hall.ask("foul.record", json!({ "board": "5", "player": "first", "article": "八.11" })).unwrap();
    let standings = hall.rules.standings();
    assert_eq!(teams(&standings)[..3], ["甲", "戊", "丁"], "behind the other winner, before those of less");
    assert!(standings.teams[1].last_of_its_score);
    let him = standings.players.iter().find(|line| line.name == "戊1").unwrap();
    assert_eq!((him.points, him.taken_off), (Points::ZERO, -Points::ONE), "a point of his own");
    assert_eq!(him.fouls, 0, "the foul is his team's");
    hall.recovers();
}

#[test]
fn players_go_by_points_progress_wins_fouls_and_games_as_second() {
    let rounds: &[&[(&str, &str, &str)]] =
        &[&[("甲", "乙", "1="), ("丙", "丁", "01")], &[("甲", "丙", "01"), ("乙", "丁", "1=")]];
    let hall = event(Regulations::default(), rounds);
    let standings = hall.rules.standings();
    // board 1: 甲1 1+0, 丁1 1+0, 乙1 0+1, 丙1 0+1
    let board = players(&standings, 1);
    assert_eq!(board[..2].iter().filter(|name| ["甲1", "丁1"].contains(name)).count(), 2, "{board:?}");
    let line = |name: &str| standings.players.iter().find(|line| line.name == name).unwrap();
    assert_eq!((line("甲1").progressive, line("乙1").progressive), (Points::halves(4), Points::ONE));
    assert_eq!((line("甲1").second_games, line("丁1").second_games), (0, 2));
    assert!(line("丁1").place < line("甲1").place, "more games as second player");
}

#[test]
fn what_no_criterion_tells_apart_goes_by_the_event_without_its_first_round() {
    // 甲1 and 乙1: half a point, then a win; the same progress; only later rounds could tell
    let rounds: &[&[(&str, &str, &str)]] = &[
        &[("甲", "乙", "==")],
        &[("甲", "丙", "1="), ("乙", "丁", "1=")],
        &[("丙", "甲", "=="), ("丁", "乙", "==")],
    ];
    let hall = event(Regulations::default(), rounds);
    let standings = hall.rules.standings();
    let (one, other) = (
        standings.players.iter().find(|line| line.name == "甲1").unwrap(),
        standings.players.iter().find(|line| line.name == "乙1").unwrap(),
    );
    assert_eq!((one.points, one.progressive, one.wins), (other.points, other.progressive, other.wins));
    assert_ne!(one.second_games, other.second_games, "乙1 was second in round 1");
    assert!(other.place < one.place);
}

#[test]
fn points_off_for_fouls_count_from_their_round_on() {
    let rounds: &[&[(&str, &str, &str)]] = &[&[("甲", "乙", "11")], &[("甲", "丙", "11")]];
    let mut hall = event(Regulations::default(), rounds);
    for _ in 0..3 {
        let foul = json!({ "round": 1, "board": "1", "player": "first", "article": "八.1" });
        hall.ask("foul.record", foul).unwrap();
    }
    let standings = hall.rules.standings();
    let him = standings.players.iter().find(|line| line.name == "甲1").unwrap();
    assert_eq!((him.points, him.fouls, him.taken_off), (Points::ONE, 3, -Points::ONE));
    assert_eq!(him.progressive, Points::ONE, "0 after the first round, 1 after the second");
    let team = &standings.teams[0];
    assert_eq!(team.points, Points::halves(4), "his team keeps its points");
    let with_team = Regulations { event_fouls_team: true, ..Regulations::default() };
    let mut hall = event(with_team, rounds);
    for _ in 0..3 {
        let foul = json!({ "round": 1, "board": "1", "player": "first", "article": "八.1" });
        hall.ask("foul.record", foul).unwrap();
    }
    assert_eq!(hall.rules.standings().teams[0].points, Points::ONE, "unless the event says otherwise (A10)");
}

#[test]
fn a_foul_taken_back_costs_nothing_in_any_round() {
    let rounds: &[&[(&str, &str, &str)]] =
        &[&[("甲", "乙", "11")], &[("甲", "丙", "11")], &[("甲", "丁", "11")]];
    let mut hall = event(Regulations::default(), rounds);
    let foul = |round| json!({ "round": round, "board": "1", "player": "first", "article": "八.1" });
    for round in 1..=3 {
        hall.ask("foul.record", foul(round)).unwrap();
    }
    let him =
        |hall: &Hall| hall.rules.standings().players.iter().find(|line| line.name == "甲1").cloned().unwrap();
    assert_eq!((him(&hall).points, him(&hall).progressive), (Points::halves(4), Points::halves(10)));
    hall.ask("foul.withdraw", foul(1)).unwrap();
    assert_eq!((him(&hall).points, him(&hall).progressive), (Points::halves(6), Points::halves(12)));
    assert_eq!((him(&hall).fouls, him(&hall).taken_off), (2, Points::ZERO));
    hall.recovers();
}

#[test]
fn a_round_without_results_does_not_count_and_an_open_board_is_named() {
    let mut hall = event(Regulations::default(), &[&[("甲", "乙", "1.")], &[("甲", "丙", "..")]]);
    let standings = hall.rules.standings();
    assert_eq!(standings.rounds, [1]);
    assert_eq!(standings.open, [(1, "2".to_owned())]);
    assert!(standings.teams.iter().all(|line| line.points == Points::ZERO), "the match is not over");
    // what the players only said at the clock, or a ruling nobody has entered, is no result yet
    hall.ask("board.result", json!({ "round": 1, "board": "2", "result": "1/2-1/2" })).unwrap();
    let standings = hall.rules.standings();
    assert!(standings.open.is_empty());
    assert_eq!(standings.teams[0].points, Points::ONE);
}

#[test]
fn rule_46_a_drawn_armageddon_counts_as_won_in_the_standings() {
    let regulations =
        Regulations { draw_winner: flagfall_rules::DrawWinner::Second, ..Regulations::default() };
    let hall = event(regulations, &[&[("甲", "乙", "=0")]]);
    let standings = hall.rules.standings();
    let line = |name: &str| standings.players.iter().find(|line| line.name == name).unwrap();
    assert_eq!((line("甲1").points, line("乙1").points), (Points::ZERO, Points::ONE));
}
