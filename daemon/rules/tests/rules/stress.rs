//! An arbiter under stress, links that come and go, two rounds at once.

use crate::hall::{Hall, four_games, playing, playing_under, setup};
use flagfall_arbiter::{IncidentKind, RulingKind, RulingState, Status};
use flagfall_clock::{By, ClockEvent, FlagAt, Side};
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn rulings_are_announced_together_or_not_at_all() {
    let mut hall = playing();
    let made = json!({ "board": "1", "kind": "illegal_move", "offender": "first" });
    let one = hall.ask("ruling.make", made.clone()).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": one })).unwrap();
    let other = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.announce", json!({ "ids": [one, other] })).unwrap_err();
    assert!(hall.rulings().iter().all(|ruling| !ruling.announced), "nothing half done");
    hall.recovers();
}

#[test]
fn a_ruling_on_a_stop_with_the_key_stays_proposed() {
    let mut hall = playing();
    hall.stop(1, By::ArbiterKey);
    let made = json!({ "board": "1", "kind": "unauthorised_stop", "offender": "first" });
    hall.ask("ruling.make", made).unwrap();
    assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).state, RulingState::Proposed);
    hall.recovers();
}

#[test]
fn who_goes_to_look_at_a_key_has_not_answered_for_it() {
    let mut hall = playing();
    hall.stop(1, By::ArbiterKey);
    let id = hall.open(IncidentKind::UnexplainedStop)[0].id;
    hall.ask("incident.take", json!({ "id": id })).unwrap();
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
    hall.recovers();
}

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
    let mut hall = four_games();
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
fn a_signed_flag_leaves_the_record_to_be_completed_too() {
    let mut hall = playing_under(Regulations { base_ms: 200_000, ..Regulations::default() });
    hall.seconds(30);
    hall.flag(1);
    hall.ask("recording.exempt", json!({ "board": "1" })).unwrap();
    assert_eq!(hall.result("1").unwrap().status, Status::Provisional);
    hall.ask("board.sign", json!({ "board": "1" })).unwrap();
    assert_eq!(hall.news("task").len(), 1, "五.3");
    hall.recovers();
}

#[test]
fn what_the_players_claimed_is_not_signed_over_a_flag() {
    let mut hall = playing();
    let over = ClockEvent::Over { claim: Some(flagfall_clock::Claim::Second), agreed: true };
    hall.report(1, Some(over), Some(0));
    assert_eq!(hall.result("1").unwrap().status, Status::Claimed);
    let flagged = hall.flag(1);
    assert_eq!(flagged, Side::Left);
    let lost = hall.ruling(RulingKind::TimeForfeit);
    assert_eq!(lost.state, RulingState::Proposed);
    let over = ClockEvent::Over { claim: Some(flagfall_clock::Claim::First), agreed: true };
    hall.report(1, Some(over), Some(0));
    assert_eq!(hall.result("1").unwrap().result, flagfall_arbiter::Outcome::First);
    hall.ask("board.sign", json!({ "board": "1" })).unwrap_err();
    assert_eq!(hall.result("1").unwrap().status, Status::Claimed);
    hall.recovers();
}

#[test]
fn a_result_that_says_no_cause_keeps_the_one_that_is_known() {
    let mut hall = playing_under(Regulations { base_ms: 200_000, ..Regulations::default() });
    hall.flag(1);
    hall.ask("board.result", json!({ "board": "1", "result": "0-1" })).unwrap();
    assert_eq!(hall.result("1").unwrap().cause, flagfall_arbiter::Cause::Time);
    hall.recovers();
}

#[test]
fn a_false_claim_made_says_the_times_that_would_follow() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    let made = json!({ "board": "1", "kind": "false_claim", "offender": "first" });
    hall.ask("ruling.make", made).unwrap();
    let way = hall.ruling(RulingKind::FalseClaim).options[0].clone();
    assert_eq!(way.first_ms, Some(hall.clocks[0].left - 300_000));
    hall.recovers();
}

#[test]
fn a_start_that_an_arbiter_rules_on_is_answered_by_the_ruling() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(60);
    hall.resume(1, Side::Left, By::Button);
    assert_eq!(hall.open(IncidentKind::UnexplainedStart).len(), 1);
    let made = json!({ "board": "1", "kind": "unauthorised_start", "offender": "first" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert!(hall.open(IncidentKind::UnexplainedStart).is_empty());
    hall.recovers();
}

#[test]
fn times_of_a_board_with_a_result_are_not_corrected() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let refused =
        hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": 60_000 })).unwrap_err();
    assert!(refused.message.contains("result"), "{}", refused.message);
    hall.recovers();
}

#[test]
fn a_claim_whose_question_is_closed_is_open_no_longer() {
    let mut hall = playing();
    let claim = json!({ "board": "1", "player": "first", "kind": "draw" });
    let id = hall.ask("claim.open", claim.clone()).unwrap()["incident"].clone();
    hall.obey(1);
    hall.ask("incident.close", json!({ "id": id, "outcome": "withdrawn" })).unwrap();
    hall.ask("claim.open", claim).unwrap();
    hall.recovers();
}

#[test]
fn two_rounds_at_once_are_told_apart_in_both_languages() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    let text = hall.open(IncidentKind::UnexplainedStop)[0].text.clone();
    assert!(text.zh.starts_with("第1轮第1台") && text.en.starts_with("Round 1, board 1"), "{}", text.en);
}

#[test]
fn a_loss_ruled_after_the_result_is_the_result() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "status": "signed" })).unwrap();
    let made = json!({ "board": "1", "kind": "article", "article": "六.7", "offender": "both" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, flagfall_arbiter::Outcome::None);
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "the twentieth round was played" })).unwrap();
    let back = hall.result("1").unwrap();
    assert_eq!((back.result, back.status), (flagfall_arbiter::Outcome::Draw, Status::Signed));
    hall.recovers();
}

#[test]
fn a_flag_confirmed_after_the_same_was_signed_leaves_it_signed() {
    let mut hall = playing();
    hall.flag(1);
    let id = hall.ruling(RulingKind::TimeForfeit).id;
    hall.ask("board.result", json!({ "board": "1", "result": "0-1", "status": "signed" })).unwrap();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.result("1").unwrap().status, Status::Signed);
    hall.recovers();
}

#[test]
fn a_pause_said_after_a_flag_that_fell_in_it_leaves_it_to_an_arbiter() {
    let mut hall = playing_under(Regulations { base_ms: 200_000, ..Regulations::default() });
    hall.flag(1);
    assert_eq!(hall.result("1").unwrap().status, Status::Provisional);
    let since = flagfall_arbiter::Wall(crate::hall::BEGIN + hall.now as i64 - 60_000);
    hall.ask("round.pause", json!({ "at": since })).unwrap();
    assert_eq!(hall.open(IncidentKind::FlagAgainstResult).len(), 1);
    hall.recovers();
}

#[test]
fn an_end_said_while_the_daemon_only_observed_is_asked_about_afterwards() {
    let mut hall = playing();
    hall.ask("event.mode", json!({ "mode": "observe" })).unwrap();
    hall.stop(1, By::Button);
    let over = ClockEvent::Over { claim: Some(flagfall_clock::Claim::Draw), agreed: true };
    hall.report(1, Some(over), Some(0));
    hall.ask("event.mode", json!({ "mode": "act" })).unwrap();
    assert_eq!(hall.open(IncidentKind::OverClaimed).len(), 1);
    hall.recovers();
}

#[test]
fn a_link_lost_while_the_daemon_only_observed_is_told_afterwards() {
    let mut hall = playing();
    hall.ask("event.mode", json!({ "mode": "observe" })).unwrap();
    hall.link(1, false, "silence");
    hall.ask("event.mode", json!({ "mode": "act" })).unwrap();
    assert_eq!(hall.open(IncidentKind::ClockSilent).len(), 1);
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
