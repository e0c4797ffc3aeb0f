//! Taking back what a person did leaves what happened since.

use crate::hall::{BEGIN, Hall, playing};
use flagfall_arbiter::{Audience, IncidentKind, Outcome, PresenceState, RulingState, Status, Wall};
use flagfall_clock::By;
use serde_json::{Value, json};

fn undo(hall: &mut Hall, of: &Value) -> Result<Value, flagfall_arbiter::Refused> {
    hall.ask("undo", json!({ "seq": of["seq"] }))
}

fn chair(player: &str) -> Value {
    json!([{ "board": "1", "player": player }])
}

#[test]
fn who_was_there_all_the_time_is_so_after_an_arrival_is_taken_back() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": chair("first") })).unwrap();
    hall.seconds(120);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.start(1);
    hall.press(1);
    hall.press(1);
    hall.seconds(1_000);
    let slip = Wall(BEGIN + 1_000_000);
    let said = hall.ask("player.arrived", json!({ "board": "1", "player": "first", "at": slip })).unwrap();
    undo(&mut hall, &said).unwrap();
    hall.seconds(10);
    assert!(hall.rulings().iter().all(|ruling| ruling.state == RulingState::Withdrawn), "he came in time");
    hall.recovers();
}

#[test]
fn a_move_since_is_not_taken_back_with_what_was_said_of_a_chair() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": chair("first"), "complete": true })).unwrap();
    hall.seconds(60);
    let said = hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.start(1);
    hall.press(1);
    undo(&mut hall, &said).unwrap();
    hall.seconds(1_000);
    assert!(hall.rulings().is_empty(), "he has moved");
    let view = hall.rules.snapshot(Audience::Desk);
    assert_eq!(view.boards[0].first.presence, PresenceState::Present);
    hall.recovers();
}

#[test]
fn a_list_of_empty_chairs_sent_again_names_nobody_who_has_moved() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    let absent = json!({ "players": chair("first"), "complete": true });
    hall.ask("round.absent", absent.clone()).unwrap();
    hall.start(1);
    hall.seconds(60);
    hall.press(1);
    hall.ask("round.absent", absent).unwrap_err();
    hall.seconds(1_000);
    assert!(hall.rulings().is_empty());
    hall.recovers();
}

#[test]
fn a_chair_that_an_arbiter_took_for_taken_can_be_named_empty() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [], "complete": true })).unwrap();
    hall.ask("round.absent", json!({ "players": chair("first") })).unwrap();
    hall.seconds(901);
    assert_eq!(hall.rulings().len(), 1);
    hall.recovers();
}

#[test]
fn a_chair_named_twice_is_taken_back_once() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    let twice = json!([{ "board": "1", "player": "first" }, { "board": "1", "player": "first" }]);
    let said = hall.ask("round.absent", json!({ "players": twice })).unwrap();
    undo(&mut hall, &said).unwrap();
    hall.seconds(901);
    assert!(hall.rulings().is_empty());
    hall.recovers();
}

#[test]
fn chairs_taken_back_after_the_default_time_are_asked_about_again() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.seconds(901);
    let said = hall.ask("round.absent", json!({ "players": [], "complete": true })).unwrap();
    assert!(hall.open(IncidentKind::PresenceUnknown).is_empty());
    undo(&mut hall, &said).unwrap();
    assert_eq!(hall.open(IncidentKind::PresenceUnknown).len(), 1);
    hall.recovers();
}

#[test]
fn a_foul_is_taken_back_once() {
    let mut hall = playing();
    let foul = json!({ "board": "1", "player": "first", "article": "五.1" });
    let said = hall.ask("foul.record", foul.clone()).unwrap();
    hall.ask("foul.withdraw", foul).unwrap();
    undo(&mut hall, &said).unwrap_err();
    assert_eq!(hall.rules.snapshot(Audience::Desk).boards[0].first.fouls, 0);
    hall.recovers();
}

#[test]
fn a_rulings_foul_is_taken_back_once() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    let id = hall.rulings()[0].id;
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    hall.obey(1);
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "八.2" })).unwrap();
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "a mistake" })).unwrap();
    assert_eq!(hall.rules.snapshot(Audience::Desk).boards[0].first.fouls, 0);
    hall.recovers();
}

#[test]
fn a_later_result_stays_when_an_earlier_one_is_taken_back() {
    let mut hall = playing();
    let first = hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let second = hall.ask("board.result", json!({ "board": "1", "result": "0-1" })).unwrap();
    let refused = undo(&mut hall, &first).unwrap_err();
    assert!(refused.message.contains("later"), "{}", refused.message);
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
    undo(&mut hall, &second).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::First);
    undo(&mut hall, &first).unwrap();
    assert!(hall.result("1").is_none());
    hall.recovers();
}

#[test]
fn a_result_that_a_ruling_brought_since_is_not_taken_back_with_an_earlier_one() {
    let mut hall = playing();
    let said = hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let made = json!({ "board": "1", "kind": "article", "article": "六.7", "offender": "both" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    undo(&mut hall, &said).unwrap_err();
    assert_eq!(hall.result("1").unwrap().result, Outcome::None);
    hall.recovers();
}

#[test]
fn undoing_a_signature_in_a_closed_round_leaves_the_result_official() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let signed = hall.ask("board.sign", json!({ "board": "1" })).unwrap();
    hall.ask("round.close", json!({})).unwrap();
    let _ = undo(&mut hall, &signed);
    assert_eq!(hall.result("1").unwrap().status, Status::Official);
    hall.recovers();
}

#[test]
fn sides_are_not_swapped_back_under_a_flag() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    let swapped = hall.ask("board.swap_sides", json!({ "board": "1" })).unwrap();
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.flag(1);
    undo(&mut hall, &swapped).unwrap_err();
    hall.recovers();
}
