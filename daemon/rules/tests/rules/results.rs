//! Results, and who may do what over whom.

use crate::hall::Hall;
use flagfall_arbiter::{Audience, IncidentKind, Outcome, Role, Status};
use flagfall_clock::{By, Claim, ClockEvent};
use serde_json::json;

#[test]
fn a_result_is_public_once_signed_and_accepted_for_a_board_that_never_ran() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.ask("board.result", json!({ "board": 2, "result": "1-0", "cause": "broken chair" })).unwrap();
    assert!(hall.news("result").iter().all(|event| event.audience == Audience::Desk));
    hall.ask("board.sign", json!({ "board": "2" })).unwrap();
    let last = hall.news("result").pop().unwrap().clone();
    assert_eq!(last.audience, Audience::Public);
    assert_eq!(hall.result("2").unwrap().status, Status::Signed);
}

#[test]
fn the_players_own_end_is_a_claim_and_wants_a_result() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.stop(1, By::Button);
    hall.report(1, Some(ClockEvent::Over { claim: None, agreed: true }), Some(0));
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty());
    hall.report(1, Some(ClockEvent::Over { claim: Some(Claim::Draw), agreed: true }), Some(0));
    let result = hall.result("1").unwrap();
    assert_eq!((result.result, result.status), (Outcome::Draw, Status::Claimed));
    assert_eq!(hall.open(IncidentKind::OverClaimed).len(), 1);
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "status": "signed" })).unwrap();
    assert!(hall.incidents().iter().all(|i| i.state == flagfall_arbiter::IncidentState::Closed));
}

#[test]
fn a_signed_result_is_withdrawn_before_another_is_entered() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    assert!(hall.ask("board.result", json!({ "board": "1", "result": "0-1" })).is_err());
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    assert!(hall.result("1").is_none());
    hall.ask("board.result", json!({ "board": "1", "result": "0-1", "status": "signed" })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
}

#[test]
fn only_an_arbiter_sets_a_flag_aside() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.flag(1);
    let over = json!({ "board": "1", "result": "1-0", "cause": "mate", "over": hall.rulings()[0].id });
    assert!(hall.ask_as(Role::Results, "board.result", over.clone()).is_err());
    hall.ask_as(Role::Arbiter, "board.result", over).unwrap();
}

#[test]
fn a_refused_request_is_told_and_changes_nothing() {
    let mut hall = Hall::new(1);
    for (method, params) in [
        ("board.result", json!({ "board": "9", "result": "1-0" })),
        ("board.result", json!({ "board": "1", "result": "2-0" })),
        ("board.result", json!({ "board": "1", "result": "1-0", "status": "official" })),
        ("ruling.confirm", json!({ "id": 99 })),
        ("incident.close", json!({ "id": 99 })),
        ("undo", json!({ "seq": 1 })),
        ("stop.explain", json!({ "board": "1", "cause": "accident" })),
        ("recording.exempt", json!({ "board": "1", "player": "first", "article": "五.3" })),
        ("foul.record", json!({ "board": "1", "player": "first", "article": "drop table" })),
        ("event.mode", json!({ "mode": "strict" })),
        ("round.start", json!({ "round": 9 })),
    ] {
        let head = hall.events.len();
        let refused = hall.ask(method, params.clone());
        assert!(refused.is_err(), "{method} {params}");
        assert_eq!(hall.events.len(), head + 1, "{method}: only the refusal is told");
        let flagfall_arbiter::News::Request(request) = &hall.events[head].news else { panic!() };
        assert!(!request.ok && request.error.is_some());
    }
}

#[test]
fn the_next_round_plays_at_the_same_table() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.reset(1, By::Button);
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    hall.start(1);
    hall.press(1);
    let last = hall.news("press").pop().unwrap();
    assert_eq!((last.round, last.board.as_deref()), (Some(2), Some("1")));
    assert!(hall.ask("board.stop", json!({ "board": "1" })).is_err(), "two rounds are open: name one");
    hall.ask("board.stop", json!({ "round": 2, "board": "1" })).unwrap();
}
