//! Matches held for a late bus, pauses, tables that were still in play: from when on a player is late.

use crate::hall::{BEGIN, Hall, setup};
use flagfall_arbiter::{IncidentKind, Lane, PresenceState, RulingKind, RulingState, Wall};
use flagfall_clock::By;
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

/// Eight boards, two matches of four.
fn matches(start_by: StartBy) -> Hall {
    let mut setup = setup(8, Regulations::default(), start_by, Mode::Act);
    for round in &mut setup.rounds {
        for (place, board) in round.boards.iter_mut().enumerate() {
            board.match_no = Some(place as u32 / 4 + 1);
        }
    }
    Hall::of(8, setup)
}

fn at(ms: i64) -> Wall {
    Wall(BEGIN + ms)
}

#[test]
fn nobody_of_a_match_that_is_held_is_late() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    let until = at(20 * 60_000);
    hall.ask("match.hold", json!({ "match": 2, "until": until, "reason": "the bus" })).unwrap();
    let absent: Vec<_> = (1..=8).map(|b| json!({ "board": b.to_string(), "player": "second" })).collect();
    hall.ask("round.absent", json!({ "players": absent, "complete": true })).unwrap();
    hall.seconds(15 * 60 + 1);
    let boards = |hall: &Hall| {
        let mut boards: Vec<String> = hall
            .events
            .iter()
            .filter(|event| event.r#type == "ruling")
            .filter_map(|event| event.board.clone())
            .collect();
        boards.sort();
        boards.dedup();
        boards
    };
    assert_eq!(boards(&hall), ["1", "2", "3", "4"]);
    hall.seconds(20 * 60);
    assert_eq!(boards(&hall).len(), 8, "its default time counts from when it begins");
    hall.recovers();
}

#[test]
fn a_hold_that_comes_late_withdraws_what_was_proposed() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "5", "player": "first" }], "complete": true }))
        .unwrap();
    hall.seconds(16 * 60);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
    hall.ask("match.hold", json!({ "match": 2, "until": at(20 * 60_000) })).unwrap();
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Withdrawn);
    hall.seconds(20 * 60);
    let last = hall.rulings().pop().unwrap();
    assert_eq!((last.kind, last.state), (RulingKind::Default, RulingState::Proposed));
    hall.recovers();
}

#[test]
fn lateness_in_a_match_that_was_held_counts_from_its_beginning() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    hall.ask("match.hold", json!({ "match": 2, "until": at(10 * 60_000) })).unwrap();
    for player in ["first", "second"] {
        hall.ask("round.absent", json!({ "players": [{ "board": "5", "player": player }] })).unwrap();
    }
    hall.seconds(14 * 60);
    let arrived = hall.ask("player.arrived", json!({ "board": "5", "player": "first" })).unwrap();
    assert_eq!(arrived["late_ms"], 4 * 60_000);
    hall.seconds(60);
    hall.ask("player.arrived", json!({ "board": "5", "player": "second" })).unwrap();
    let started = hall.ask("board.start", json!({ "board": "5" })).unwrap();
    assert_eq!(
        (started["first_ms"].as_i64(), started["second_ms"].as_i64()),
        (Some(2_760_000), Some(2_700_000))
    );
}

#[test]
fn under_start_by_daemon_a_match_that_is_held_starts_when_it_is_let_begin() {
    let mut hall = matches(StartBy::Daemon);
    hall.ask("match.hold", json!({ "round": 1, "match": 2, "until": at(20 * 60_000) })).unwrap();
    let started = hall.ask("round.start", json!({})).unwrap();
    assert_eq!(started["ordered"], 4);
    hall.seconds(600);
    let begins = hall.ask("match.hold", json!({ "match": 2, "until": at(600_000) })).unwrap();
    assert_eq!(begins["started"].as_array().unwrap().len(), 4);
    hall.recovers();
}

#[test]
fn a_match_nobody_knows_is_named_with_those_there_are() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    let refused = hall.ask("match.hold", json!({ "match": 9, "until": at(600_000) })).unwrap_err();
    assert_eq!(refused.message, "round 1 has no match 9; its matches are 1 to 2");
    hall.ask("match.hold", json!({ "match": 1, "until": at(90_000_000) })).unwrap_err();
}

#[test]
fn a_pause_puts_the_default_time_off_and_is_nobodys_lateness() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    let chairs = json!([{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }]);
    hall.ask("round.absent", json!({ "players": chairs, "complete": true })).unwrap();
    hall.seconds(300);
    hall.ask("round.pause", json!({})).unwrap();
    hall.seconds(1_200);
    assert!(hall.rulings().is_empty(), "nobody is too late in a pause");
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.seconds(60);
    let arrived = hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    assert_eq!(arrived["late_ms"], 360_000);
    hall.seconds(538);
    assert!(hall.rulings().is_empty());
    hall.seconds(3);
    assert_eq!(hall.ruling(RulingKind::Default).offender, Some(flagfall_arbiter::Offender::Second));
    hall.recovers();
}

#[test]
fn whose_table_is_still_in_play_is_not_late() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    hall.start(1);
    hall.seconds(60);
    hall.press(1);
    hall.press(1);
    for board in 2..=8 {
        let result = json!({ "round": 1, "board": board.to_string(), "result": "1-0", "status": "signed" });
        hall.ask("board.result", result).unwrap();
    }
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    let chairs: Vec<_> = ["first", "second"].map(|player| json!({ "board": "1", "player": player })).into();
    hall.ask("round.absent", json!({ "round": 2, "players": chairs, "complete": true })).unwrap();
    hall.seconds(1_000);
    assert!(hall.rulings().is_empty() && hall.open(IncidentKind::PresenceUnknown).is_empty());
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "round": 1, "board": "1", "result": "1-0", "status": "signed" }))
        .unwrap();
    hall.seconds(895);
    assert!(hall.rulings().is_empty(), "from when it is free the default time counts");
    hall.seconds(10);
    assert_eq!(hall.ruling(RulingKind::DoubleDefault).state, RulingState::Proposed);
    hall.recovers();
}

#[test]
fn boards_of_a_list_that_was_replaced_fall_due_nowhere() {
    let mut hall = matches(StartBy::Players);
    let row = |n: u32| json!({ "board": n.to_string(), "first": format!("a{n}"), "second": format!("b{n}") });
    let boards: Vec<_> = (1..=4).map(row).collect();
    hall.ask("round.load", json!({ "round": 1, "boards": boards, "replace": true })).unwrap();
    hall.round_starts();
    hall.seconds(601);
    assert_eq!(hall.open(IncidentKind::PresenceUnknown)[0].boards, ["1", "2", "3", "4"]);
    hall.seconds(600);
    assert_eq!(hall.rulings().len(), 4, "nobody came to them and their clocks never ran");
    hall.recovers();
}

#[test]
fn unknown_chairs_are_one_line_in_look_and_then_asked_about() {
    let mut hall = matches(StartBy::Players);
    hall.round_starts();
    for board in 1..=3 {
        hall.start(board);
        hall.press(board);
        hall.press(board);
    }
    hall.start(4);
    hall.seconds(599);
    assert!(hall.incidents().is_empty());
    hall.seconds(2);
    let line = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!((line.len(), line[0].lane), (1, Lane::Look));
    assert_eq!(line[0].boards, ["4", "5", "6", "7", "8"]);
    hall.ask("player.arrived", json!({ "board": "4", "player": "first" })).unwrap();
    hall.ask("player.arrived", json!({ "board": "4", "player": "second" })).unwrap();
    // nobody can say what clock 5 did while it was not heard
    hall.link(5, false, "silence");
    hall.link(5, true, "back");
    hall.seconds(300);
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!((asked.len(), asked[0].id, asked[0].lane), (1, line[0].id, Lane::Decide));
    assert_eq!(asked[0].boards, ["5"]);
    // clocks that never ran while they were heard, with neither word nor hint: known absent
    let silent = |event: &&flagfall_arbiter::Event| matches!(&event.news, flagfall_arbiter::News::Presence(p) if p.state == PresenceState::Absent && p.how == "silence");
    assert_eq!(hall.events.iter().filter(silent).count(), 6);
    hall.recovers();
}
