//! After the game: tasks with their times (五.3, 五.5) and results signed the wrong way round (九.2).

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{IncidentKind, Lane, News, Offender, RulingKind, RulingState, Task};
use flagfall_clock::{Claim, ClockEvent};
use flagfall_rules::{Mode, Regulations};
use serde_json::{Value, json};

fn tasks(hall: &Hall) -> Vec<Task> {
    let mut all: Vec<Task> = Vec::new();
    for event in hall.news("task") {
        if let News::Task(task) = &event.news {
            all.retain(|known| known.id != task.id);
            all.push(task.clone());
        }
    }
    all
}

fn result(hall: &mut Hall, result: &str, more: Value) -> Result<Value, flagfall_arbiter::Refused> {
    let mut params = json!({ "board": "1", "result": result, "cause": "mate" });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    hall.ask("board.result", params)
}

/// Other boards of the hall are left alone for so long that their chairs are asked about.
fn no_foul_proposed(hall: &Hall) -> bool {
    hall.rulings().iter().all(|ruling| ruling.kind != RulingKind::Article)
}

fn broadcast() -> Regulations {
    Regulations { broadcast_task_ms: 1_800_000, ..Regulations::default() }
}

#[test]
fn the_winner_enters_the_game_and_a_foul_is_proposed_only_once_its_time_is_past() {
    let mut hall = playing_under(broadcast());
    result(&mut hall, "0-1", json!({})).unwrap();
    let task = &tasks(&hall)[0];
    assert_eq!((task.kind.as_ref(), task.player), ("broadcast_entry", Some(Offender::Second)));
    assert_eq!(task.article.as_deref(), Some("五.5"));
    hall.seconds(1_799);
    assert!(!tasks(&hall)[0].overdue && no_foul_proposed(&hall));
    hall.seconds(1);
    assert!(tasks(&hall)[0].overdue);
    let ruling = hall.ruling(RulingKind::Article);
    assert_eq!((ruling.article.as_ref(), ruling.state), ("五.5", RulingState::Proposed));
    assert_eq!((ruling.offender, ruling.effect.foul), (Some(Offender::Second), Some(1)));
    hall.ask("task.done", json!({ "id": tasks(&hall)[0].id })).unwrap();
    assert_eq!(hall.ruling(RulingKind::Article).state, RulingState::Withdrawn, "done after all");
    hall.recovers_at_every_step();
}

#[test]
fn in_a_draw_it_is_reds_and_another_result_makes_it_anothers() {
    let mut hall = playing_under(broadcast());
    result(&mut hall, "1/2-1/2", json!({ "cause": "repetition" })).unwrap();
    assert_eq!(tasks(&hall)[0].player, Some(Offender::First));
    result(&mut hall, "0-1", json!({})).unwrap();
    let all = tasks(&hall);
    assert!(all[0].dropped && all[0].done);
    assert_eq!((all[1].player, all[1].done), (Some(Offender::Second), false));
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    assert!(tasks(&hall).iter().all(|task| task.done));
    hall.seconds(4_000);
    assert!(no_foul_proposed(&hall), "nobody is late with what is not wanted");
    hall.recovers_at_every_step();
}

#[test]
fn without_a_time_set_by_the_event_nothing_is_kept_track_of() {
    let mut hall = playing();
    result(&mut hall, "1-0", json!({})).unwrap();
    hall.seconds(100_000);
    assert!(tasks(&hall).is_empty() && no_foul_proposed(&hall));
}

#[test]
fn a_record_that_is_not_completed_in_time_is_a_question_of_who() {
    let mut hall = playing_under(Regulations { record_task_ms: 600_000, ..Regulations::default() });
    hall.clocks[0].left = 100_000;
    hall.status(1);
    hall.press(1);
    hall.ask("recording.exempt", json!({ "board": "1" })).unwrap();
    result(&mut hall, "1-0", json!({})).unwrap();
    hall.seconds(600);
    let ruling = hall.ruling(RulingKind::Article);
    assert_eq!((ruling.article.as_ref(), ruling.offender, ruling.options.len()), ("五.3", None, 3));
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap_err();
    hall.ask("ruling.confirm", json!({ "id": ruling.id, "offender": "second" })).unwrap();
    assert_eq!(hall.news("foul").len(), 1);
    hall.recovers_at_every_step();
}

#[test]
fn in_observe_a_task_is_told_and_no_foul_proposed() {
    let mut hall = playing_under(broadcast());
    hall.ask("event.mode", json!({ "mode": Mode::Observe.as_str() })).unwrap();
    result(&mut hall, "1-0", json!({})).unwrap();
    hall.seconds(2_000);
    assert!(tasks(&hall)[0].overdue && no_foul_proposed(&hall));
}

/// The players say at the clock that the first player won.
fn said(hall: &mut Hall) {
    hall.stop(1, flagfall_clock::By::Button);
    hall.report(1, Some(ClockEvent::Over { claim: Some(Claim::First), agreed: true }), Some(0));
}

#[test]
fn a_result_against_what_the_players_said_is_looked_at_before_it_is_signed() {
    let mut hall = playing();
    said(&mut hall);
    let signed = result(&mut hall, "0-1", json!({ "status": "signed" })).unwrap_err();
    assert!(signed.message.contains("the players said 1-0"), "{}", signed.message);
    result(&mut hall, "0-1", json!({})).unwrap();
    let open = hall.open(IncidentKind::ResultReversed);
    assert_eq!((open.len(), open[0].lane), (1, Lane::Decide));
    assert!(hall.ask("board.sign", json!({ "board": "1" })).is_err());
    hall.ask("incident.close", json!({ "id": open[0].id, "outcome": "0-1 is right" })).unwrap();
    hall.ask("board.sign", json!({ "board": "1" })).unwrap();
    assert!(no_foul_proposed(&hall), "nobody signed the wrong way round");
    hall.recovers_at_every_step();
}

#[test]
fn the_same_result_asks_nothing_and_a_correction_answers_the_question() {
    let mut hall = playing();
    said(&mut hall);
    result(&mut hall, "1-0", json!({ "status": "signed" })).unwrap();
    assert!(hall.open(IncidentKind::ResultReversed).is_empty());
    let mut hall = playing();
    said(&mut hall);
    result(&mut hall, "0-1", json!({})).unwrap();
    result(&mut hall, "1-0", json!({ "status": "signed" })).unwrap();
    assert!(hall.open(IncidentKind::ResultReversed).is_empty());
    hall.recovers();
}

#[test]
fn a_round_is_not_closed_over_a_result_the_other_way_round() {
    let mut hall = playing();
    said(&mut hall);
    result(&mut hall, "0-1", json!({})).unwrap();
    for board in ["2", "3", "4"] {
        hall.ask("board.result", json!({ "board": board, "result": "1-0", "cause": "mate" })).unwrap();
    }
    let refused = hall.ask("round.close", json!({})).unwrap_err();
    assert!(refused.message.contains("board 1"), "{}", refused.message);
}

#[test]
fn a_result_signed_the_wrong_way_round_is_a_foul_of_both() {
    let mut hall = playing();
    result(&mut hall, "1-0", json!({ "status": "signed" })).unwrap();
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    result(&mut hall, "0-1", json!({ "status": "signed" })).unwrap();
    let ruling = hall.ruling(RulingKind::Article);
    assert_eq!((ruling.article.as_ref(), ruling.offender), ("九.2", Some(Offender::Both)));
    assert_eq!((ruling.effect.foul, ruling.state), (Some(1), RulingState::Proposed));
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    assert_eq!(hall.news("foul").len(), 2);
    hall.recovers_at_every_step();
}

#[test]
fn a_signed_result_corrected_to_a_draw_is_no_reversal() {
    let mut hall = playing();
    result(&mut hall, "1-0", json!({ "status": "signed" })).unwrap();
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    result(&mut hall, "1/2-1/2", json!({ "status": "signed", "cause": "repetition" })).unwrap();
    assert!(no_foul_proposed(&hall));
}
