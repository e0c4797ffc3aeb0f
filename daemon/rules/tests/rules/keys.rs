//! The clock's arbiter key: believed near an arbiter's act on that board, else a question and no more.

use crate::hall::playing;
use flagfall_arbiter::IncidentKind;
use flagfall_clock::{By, Side};
use serde_json::json;

#[test]
fn a_key_right_after_an_arbiters_act_is_his() {
    let mut hall = playing();
    hall.ask("foul.record", json!({ "board": "1", "player": "first", "article": "五.1" })).unwrap();
    hall.seconds(30);
    hall.stop(1, By::ArbiterKey);
    assert!(hall.incidents().is_empty());
    hall.recovers();
}

#[test]
fn a_key_right_before_an_arbiters_act_is_his() {
    let mut hall = playing();
    hall.stop(1, By::ArbiterKey);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
    hall.seconds(15);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty());
    assert_eq!(hall.incidents()[0].outcome.as_deref(), Some("arbiter"));
    hall.recovers();
}

#[test]
fn an_act_on_another_board_or_long_ago_says_nothing_of_a_key() {
    let mut hall = playing();
    hall.ask("foul.record", json!({ "board": "2", "player": "first", "article": "五.1" })).unwrap();
    hall.ask("foul.record", json!({ "board": "1", "player": "first", "article": "五.1" })).unwrap();
    hall.seconds(300);
    let side = hall.stop(1, By::ArbiterKey);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
    hall.resume(1, side, By::ArbiterKey);
    hall.press(1);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1, "it stays a question");
    assert!(hall.rulings().is_empty(), "a key accuses nobody by itself");
    hall.recovers();
}

#[test]
fn a_start_by_key_against_an_arbiters_stop_is_a_question_without_a_proposal() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(300);
    hall.resume(1, Side::Left, By::ArbiterKey);
    assert_eq!(hall.open(IncidentKind::UnexplainedStart).len(), 1);
    hall.press(1);
    assert!(hall.rulings().is_empty());
    hall.recovers();
}
