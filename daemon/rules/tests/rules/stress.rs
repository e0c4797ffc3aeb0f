//! An arbiter under stress, links that come and go, two rounds at once.

use crate::hall::{Hall, playing, playing_under, setup};
use flagfall_arbiter::{IncidentKind, RulingKind, RulingState, Status};
use flagfall_clock::{By, ClockEvent, FlagAt, Side};
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn a_flag_that_needs_less_than_nothing_is_suspected_too() {
    let regulations = Regulations { flag_at: FlagAt::BelowZero, base_ms: 60_000, ..Regulations::default() };
    let mut hall = playing_under(regulations);
    hall.link(1, false, "silence");
    hall.seconds(200);
    assert_eq!(hall.news("flag_suspected").len(), 1);
    hall.recovers();
}

#[test]
fn a_walk_takes_no_table_from_a_game() {
    let mut setup = setup(3, Regulations::default(), StartBy::Players, Mode::Act);
    setup.tables.truncate(2);
    setup.rounds[0].boards.truncate(2);
    setup.rounds[1].boards.truncate(2);
    let mut hall = Hall::of(3, setup);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    let walk = hall.ask("setup.walk", json!({ "from_table": 1, "to_table": 3 })).unwrap();
    assert_eq!(walk["next"], 2, "at table 1 a game is on");
    hall.report(3, Some(ClockEvent::Ready { side: Side::Left }), None);
    let flagfall_arbiter::News::Assigned(assigned) = &hall.news("assigned")[0].news else { panic!() };
    assert_eq!(assigned.table, Some(2));
    hall.press(1);
    assert_eq!(hall.news("press").last().unwrap().board.as_deref(), Some("1"));
    hall.recovers();
}

#[test]
fn no_clock_is_given_away_from_a_game() {
    let mut setup = setup(5, Regulations::default(), StartBy::Players, Mode::Act);
    setup.tables.truncate(4);
    setup.rounds[0].boards.truncate(4);
    setup.rounds[1].boards.truncate(4);
    let mut hall = Hall::of(5, setup);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    // its own clock for a board of the next round; a spare one for the next board of its table
    for (board, clock) in [("2", "C1"), ("1", "C5")] {
        let refused =
            hall.ask("board.assign", json!({ "round": 2, "board": board, "clock": clock })).unwrap_err();
        assert!(refused.message.contains("board 1"), "{}", refused.message);
    }
    hall.press(1);
    assert_eq!(hall.news("press").len(), 2);
    hall.recovers();
}

#[test]
fn a_clock_that_is_exchanged_is_waited_for_no_longer() {
    let mut hall = Hall::of(5, {
        let mut setup = setup(5, Regulations::default(), StartBy::Players, Mode::Act);
        setup.tables.truncate(4);
        setup.rounds[0].boards.truncate(4);
        setup.rounds[1].boards.truncate(4);
        setup
    });
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
        hall.press(board);
        hall.press(board);
    }
    hall.link(1, false, "silence");
    assert_eq!(hall.open(IncidentKind::ClockSilent).len(), 1);
    hall.ask("board.assign", json!({ "board": "1", "clock": "C5", "carry": true })).unwrap();
    assert!(hall.open(IncidentKind::ClockSilent).is_empty());
    hall.recovers();
}

#[test]
fn a_group_that_is_silent_ends_with_its_games() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
        hall.press(board);
        hall.press(board);
    }
    for board in 1..=4 {
        hall.link(board, false, "broker");
    }
    for board in 1..=4 {
        assert_eq!(hall.open(IncidentKind::GroupOffline)[0].boards.len(), 5 - board);
        hall.ask("board.result", json!({ "board": board.to_string(), "result": "1-0" })).unwrap();
    }
    assert!(hall.open(IncidentKind::GroupOffline).is_empty());
    hall.recovers();
}

#[test]
fn nothing_begins_or_pauses_in_a_closed_round() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    hall.ask("round.close", json!({})).unwrap();
    for method in ["round.start", "round.pause"] {
        let refused = hall
            .ask(method, json!({ "round": 1, "at": flagfall_arbiter::Wall(crate::hall::BEGIN) }))
            .unwrap_err();
        assert!(refused.message.contains("closed"), "{method}: {}", refused.message);
    }
    hall.recovers();
}
