//! 三(2), 六.9, 八.2: a stop is not an offence until play goes on or an arbiter says so.

use crate::hall::{Hall, playing};
use flagfall_arbiter::{IncidentKind, Lane, Offender, Outcome, ProofBy, RulingKind, RulingState, Status};
use flagfall_clock::By;
use flagfall_rules::{Input, Mode, Regulations, StartBy, StopAsked, Unprovable};
use serde_json::json;

#[test]
fn a_stop_is_one_question_at_once_and_asks_for_a_result_after_twenty_seconds() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    let open = hall.open(IncidentKind::UnexplainedStop);
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].lane, Lane::Look);
    hall.wait(19_999);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop)[0].lane, Lane::Look);
    hall.wait(1);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop)[0].lane, Lane::ResultWanted);
    hall.seconds(600);
    assert!(hall.rulings().is_empty());
}

#[test]
fn a_stop_followed_by_a_result_leaves_nothing() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.seconds(300);
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "cause": "repetition" })).unwrap();
    assert!(
        hall.incidents().iter().all(|incident| incident.state == flagfall_arbiter::IncidentState::Closed)
    );
    assert!(hall.rulings().is_empty());
    hall.resume(1, flagfall_clock::Side::Left, By::Button); // they analyse
    hall.press(1);
    assert!(hall.rulings().is_empty() && hall.open(IncidentKind::UnexplainedStart).is_empty());
}

#[test]
fn after_board_stop_all_stops_are_the_arbiters_until_board_resume() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.stop(1, By::Button);
    assert!(hall.incidents().is_empty());
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.orders.clear();
    hall.resume(1, flagfall_clock::Side::Left, By::Command);
    hall.seconds(5);
    hall.stop(1, By::Button);
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
}

#[test]
fn a_stop_heard_late_is_judged_by_what_was_in_force_when_it_happened() {
    let mut hall = playing();
    hall.seconds(10);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.seconds(60);
    let during = hall.now - 30_000;
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.seconds(60);
    hall.clocks[0].running = None;
    hall.clocks[0].left -= 40_000;
    hall.report_at(1, Some(flagfall_clock::ClockEvent::Stop { by: By::Button }), Some(0), during, false);
    assert!(hall.incidents().is_empty());
}

#[test]
fn play_that_goes_on_without_an_arbiter_is_proposed_against_nobody_yet() {
    let mut hall = playing();
    let side = hall.stop(1, By::Button);
    hall.seconds(8);
    hall.resume(1, side, By::Button);
    assert!(hall.rulings().is_empty());
    hall.seconds(3);
    hall.press(1);
    let ruling = hall.ruling(RulingKind::UnauthorisedStop);
    assert_eq!(
        (ruling.state, ruling.offender, ruling.article.as_ref()),
        (RulingState::Proposed, None, "八.2")
    );
    assert_eq!((ruling.effect.foul, ruling.effect.deduct_ms), (Some(1), Some(300_000)));
    assert_eq!(ruling.options.len(), 2, "either player; the times are proved, so no loss is offered");
    assert!(ruling.grounds.proof.unwrap().provable);
    assert!(hall.ask("ruling.confirm", json!({ "id": ruling.id })).is_err(), "an arbiter names him first");
}

#[test]
fn an_analysis_after_a_long_stop_accuses_nobody() {
    let mut hall = playing();
    let side = hall.stop(1, By::Button);
    hall.seconds(150);
    hall.resume(1, side, By::Button);
    for _ in 0..6 {
        hall.seconds(2);
        hall.press(1);
    }
    assert!(hall.rulings().is_empty());
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
}

#[test]
fn clocks_tried_before_the_round_raise_nothing() {
    let mut hall = Hall::new(8);
    hall.start(1);
    hall.seconds(3);
    hall.press(1);
    hall.press(1);
    let side = hall.stop(1, By::Button);
    hall.seconds(1);
    hall.resume(1, side, By::Button);
    hall.press(1);
    hall.stop(1, By::Button);
    hall.reset(1, By::Button);
    assert!(hall.rulings().is_empty());
    assert!(
        hall.incidents().iter().all(|incident| incident.state == flagfall_arbiter::IncidentState::Closed)
    );
    hall.round_starts();
    hall.start(1);
    hall.seconds(20);
    hall.press(1);
    assert_eq!(hall.news("game_started").len(), 2, "the round's game is another one");
}

#[test]
fn rule_16_confirmed_takes_a_foul_and_five_minutes_and_the_board_stays_stopped() {
    let mut hall = playing();
    hall.clocks[0].left = 754_000;
    hall.clocks[0].right = 600_000;
    hall.report(1, Some(flagfall_clock::ClockEvent::Adjust { by: By::Unknown }), None);
    let side = hall.stop(1, By::Button);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    let ruling = hall.ruling(RulingKind::UnauthorisedStop);
    assert_eq!((ruling.options[0].first_ms, ruling.options[0].second_ms), (Some(454_000), Some(600_000)));
    hall.ask("ruling.confirm", json!({ "id": ruling.id, "proof": "journal" })).unwrap();
    assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).grounds.proof.unwrap().by, Some(ProofBy::Journal));
    assert!(hall.ask("board.resume", json!({ "board": "1" })).is_err(), "it owes times");
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (454_000, 600_000));
    assert_eq!(hall.news("foul").len(), 1);
    assert!(hall.clocks[0].running.is_none() && hall.result("1").is_none());
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].running, Some(side), "the same side runs");
}

#[test]
fn rule_17_a_deduction_below_zero_loses() {
    let mut hall = playing();
    hall.clocks[0].left = 290_000;
    hall.report(1, Some(flagfall_clock::ClockEvent::Adjust { by: By::Unknown }), None);
    hall.stop(1, By::Button);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    let ruling = hall.ruling(RulingKind::UnauthorisedStop);
    assert_eq!(ruling.options[0].first_ms, Some(-10_000));
    assert_eq!(ruling.effect.result, Some(Outcome::Second));
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    let result = hall.result("1").unwrap();
    assert_eq!((result.result, result.status), (Outcome::Second, Status::Provisional));
}

#[test]
fn rule_17_exactly_five_minutes_left_loses_where_the_flag_falls_at_zero() {
    for (flag_at, loses) in [(flagfall_clock::FlagAt::Zero, true), (flagfall_clock::FlagAt::BelowZero, false)]
    {
        let regulations = Regulations { flag_at, ..Regulations::default() };
        let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
        hall.round_starts();
        hall.start(1);
        hall.press(1);
        hall.clocks[0].right = 300_000;
        hall.report(1, Some(flagfall_clock::ClockEvent::Adjust { by: By::Unknown }), None);
        hall.stop(1, By::Button);
        hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "second" }))
            .unwrap();
        assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).effect.result.is_some(), loses, "{flag_at:?}");
    }
}

#[test]
fn rule_19_where_nothing_proves_the_times_the_loss_is_offered_and_not_proposed() {
    let mut hall = playing();
    hall.input(Input::Link {
        clock: "C1".parse().unwrap(),
        online: false,
        by: "test".into(),
        cause: "silence".into(),
    });
    hall.reboot(1, 180_000);
    assert_eq!(hall.open(IncidentKind::ClockReset).len(), 1);
    assert!(hall.rulings().is_empty(), "a clock that was switched off accuses nobody");
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    let ruling = hall.ruling(RulingKind::UnauthorisedStop);
    let proof = ruling.grounds.proof.unwrap();
    assert!(!proof.provable && proof.bound_ms.unwrap() >= 180_000);
    assert_eq!(ruling.article, "八.2");
    let articles: Vec<&str> = ruling.options.iter().map(|way| way.article.as_ref()).collect();
    assert_eq!(articles, ["八.2", "六.9"]);
    hall.ask("ruling.confirm", json!({ "id": ruling.id, "option": 1 })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
    assert!(hall.news("foul").is_empty());
}

#[test]
fn an_event_may_propose_the_loss_or_a_ruling_at_once() {
    let regulations = Regulations {
        unexplained_stop: StopAsked::Propose,
        stop_unprovable: Unprovable::Loss,
        ..Regulations::default()
    };
    let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.stop(1, By::Button);
    assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).article, "八.2");
    hall.start(2);
    hall.press(2);
    hall.reboot(2, 60_000);
    hall.ask("stop.explain", json!({ "board": "2", "cause": "without_cause", "offender": "second" }))
        .unwrap();
    let last = hall.rulings().pop().unwrap();
    assert_eq!((last.article.as_ref(), last.effect.result), ("六.9", Some(Outcome::First)));
}

#[test]
fn what_is_played_on_a_clock_made_new_accuses_nobody() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.seconds(8);
    hall.reset(1, By::ArbiterKey);
    hall.seconds(20);
    hall.start(1);
    hall.seconds(5);
    hall.press(1);
    hall.press(1);
    assert!(hall.rulings().is_empty(), "an analysis, or the next game");
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1, "the result is still wanted");
    hall.recovers();
}

#[test]
fn a_clock_made_new_serves_the_next_round_that_has_begun_although_the_result_is_still_on_its_way() {
    let mut hall = playing();
    for board in 2..=4 {
        hall.ask("board.result", json!({ "board": board.to_string(), "result": "1-0" })).unwrap();
    }
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    hall.seconds(300);
    hall.stop(1, By::Button);
    hall.seconds(8);
    hall.reset(1, By::ArbiterKey);
    hall.seconds(20);
    hall.start(1);
    hall.seconds(5);
    hall.press(1);
    assert!(hall.rulings().is_empty());
    let last = hall.news("press").pop().unwrap();
    assert_eq!((last.round, last.board.as_deref()), (Some(2), Some("1")));
    hall.ask("board.result", json!({ "round": 1, "board": "1", "result": "0-1" })).unwrap();
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty());
    hall.press(1);
    assert_eq!(hall.news("press").pop().unwrap().round, Some(2));
    hall.recovers();
}

#[test]
fn every_other_cause_closes_the_question() {
    for cause in ["game_over", "arbiter", "player_called", "fault", "accident", "hall"] {
        let mut hall = playing();
        hall.stop(1, By::Button);
        hall.ask("stop.explain", json!({ "board": "1", "cause": cause })).unwrap();
        assert!(hall.open(IncidentKind::UnexplainedStop).is_empty());
        assert!(hall.rulings().is_empty(), "{cause}");
    }
}

#[test]
fn rule_20_an_arbiters_stop_takes_no_time_and_no_foul() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    let before = (hall.clocks[0].left, hall.clocks[0].right);
    hall.seconds(600);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), before);
    let here = |event: &&flagfall_arbiter::Event| event.board.as_deref() == Some("1");
    assert!(hall.news("incident").into_iter().filter(here).count() == 0 && hall.rulings().is_empty());
}

#[test]
fn a_start_against_an_arbiters_stop_is_a_question_and_a_ruling_when_play_goes_on() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(1);
    hall.resume(1, flagfall_clock::Side::Left, By::Button);
    assert_eq!(hall.open(IncidentKind::UnexplainedStart).len(), 1);
    assert!(hall.rulings().is_empty());
    hall.seconds(4);
    hall.press(1);
    let ruling = hall.ruling(RulingKind::UnauthorisedStart);
    assert_eq!((ruling.article.as_ref(), ruling.effect.deduct_ms), ("三(2)", None));
}

#[test]
fn under_start_by_daemon_a_start_before_the_rounds_is_a_question() {
    let mut hall = Hall::with(4, Regulations::default(), StartBy::Daemon, Mode::Act);
    hall.start(1);
    assert_eq!(hall.open(IncidentKind::UnexplainedStart).len(), 1);
    hall.round_starts();
    assert_eq!(hall.orders.len(), 3, "the boards that do not run yet are started");
}

#[test]
fn a_pause_explains_what_was_stopped_by_shout_and_resumes_only_what_it_stopped() {
    let mut hall = playing();
    hall.start(2);
    hall.press(2);
    hall.start(3);
    hall.press(3);
    hall.stop(3, By::Button);
    hall.seconds(120); // board 3 stopped long before
    let shout = hall.now;
    hall.stop(1, By::Button);
    hall.seconds(5);
    let at = flagfall_arbiter::Wall(crate::hall::BEGIN + shout as i64);
    hall.ask("round.pause", json!({ "at": at, "reason": "fire alarm" })).unwrap();
    hall.obey(2);
    let open = hall.open(IncidentKind::UnexplainedStop);
    assert_eq!(open.len(), 1, "only board 3's");
    hall.seconds(600);
    assert!(hall.ask("round.resume", json!({})).is_err(), "first they sit");
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.obey(1);
    hall.obey(2);
    hall.obey(3);
    let runs: Vec<bool> = hall.clocks.iter().map(|clock| clock.running.is_some()).collect();
    assert_eq!(runs, [true, true, false, false]);
    assert!(hall.rulings().is_empty());
}

#[test]
fn both_may_be_named() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "both" })).unwrap();
    let ruling = hall.ruling(RulingKind::UnauthorisedStop);
    assert_eq!(ruling.offender, Some(Offender::Both));
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    let before = (hall.clocks[0].left, hall.clocks[0].right);
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (before.0 - 300_000, before.1 - 300_000));
    assert_eq!(hall.news("foul").len(), 2);
}

#[test]
fn a_stop_that_was_ruled_on_is_not_ruled_on_again() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    let explain = json!({ "board": "1", "cause": "without_cause", "offender": "first" });
    hall.ask("stop.explain", explain.clone()).unwrap();
    let id = hall.rulings()[0].id;
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert!(hall.ask("stop.explain", explain.clone()).is_err());
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "the other one did it" })).unwrap();
    hall.ask("stop.explain", explain).unwrap();
    assert_eq!(hall.rulings().len(), 2);
}

#[test]
fn a_start_that_crosses_an_arbiters_stop_accuses_nobody_and_is_stopped() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.seconds(5);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    assert!(hall.orders.is_empty(), "it stood");
    let before = hall.now - 5;
    hall.clocks[0].running = Some(flagfall_clock::Side::Left);
    let start = flagfall_clock::ClockEvent::Start { side: flagfall_clock::Side::Left, by: By::Button };
    hall.report_at(1, Some(start), Some(0), before, true);
    assert_eq!(hall.orders.len(), 1, "the stop is sent now");
    hall.press(1);
    assert!(hall.incidents().is_empty() && hall.rulings().is_empty());
}
