//! 三(1): flags, and what stands against one.

use crate::hall::Hall;
use crate::hall::playing;
use flagfall_arbiter::{Audience, IncidentKind, News, Outcome, RulingKind, RulingState, Status};
use flagfall_clock::{By, Side};
use flagfall_rules::{Input, Mode, Regulations, StartBy};
use serde_json::json;

fn short() -> Hall {
    let regulations = Regulations { base_ms: 60_000, increment_ms: 5_000, ..Regulations::default() };
    let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.start(1);
    hall
}

#[test]
fn a_flag_confirms_itself_and_its_result_is_provisional_and_not_public() {
    let mut hall = short();
    hall.seconds(10);
    hall.press(1);
    assert_eq!(hall.flag(1), Side::Right);
    let ruling = hall.ruling(RulingKind::TimeForfeit);
    assert_eq!((ruling.state, ruling.decided_by.as_deref()), (RulingState::Confirmed, Some("automatic")));
    assert_eq!(ruling.article, "三(1)");
    let result = hall.result("1").unwrap();
    assert_eq!((result.result, result.status), (Outcome::First, Status::Provisional));
    assert!(hall.news("result").iter().all(|event| event.audience == Audience::Desk));
    assert_eq!(hall.news("flag").len(), 1);
}

#[test]
fn the_first_flag_is_latched() {
    let mut hall = short();
    hall.flag(1);
    hall.clocks[0].flag = Some(Side::Right);
    hall.report(1, Some(flagfall_clock::ClockEvent::Flag { side: Side::Right }), Some(0));
    assert_eq!(hall.news("flag").len(), 1);
    hall.clocks[0].left = 15_000;
    hall.report(1, None, Some(15_000));
    assert_eq!(hall.news("flag").len(), 1);
    assert!(hall.rulings().iter().all(|ruling| ruling.state == RulingState::Confirmed));
}

#[test]
fn what_stands_against_a_flag_leaves_it_to_an_arbiter() {
    type Trouble = fn(&mut Hall);
    let troubles: [(&str, Trouble); 5] = [
        ("not heard as it happened", |hall| hall.live = false),
        ("mode assist", |hall| {
            hall.ask("event.mode", json!({ "mode": "assist" })).unwrap();
        }),
        ("journal", |hall| {
            hall.input(Input::Journal { ok: false });
        }),
        ("a stop", |hall| {
            let side = hall.stop(1, By::Button);
            hall.resume(1, side, By::ArbiterKey);
        }),
        ("a correction", |hall| {
            hall.ask("board.stop", json!({ "board": "1" })).unwrap();
            hall.obey(1);
            hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": -30_000 }))
                .unwrap();
            hall.obey(1);
            hall.ask("board.resume", json!({ "board": "1" })).unwrap();
            hall.obey(1);
        }),
    ];
    for (what, trouble) in troubles {
        let mut hall = short();
        trouble(&mut hall);
        hall.flag(1);
        let ruling = hall.ruling(RulingKind::TimeForfeit);
        assert_eq!(ruling.state, RulingState::Proposed, "{what}");
        assert!(!ruling.grounds.remarks.is_empty(), "{what}: says why");
        assert!(hall.result("1").is_none(), "{what}");
    }
}

#[test]
fn in_mode_observe_there_are_facts_only() {
    let mut hall = short();
    hall.ask("event.mode", json!({ "mode": "observe" })).unwrap();
    hall.flag(1);
    assert_eq!(hall.news("flag").len(), 1);
    assert!(hall.rulings().is_empty() && hall.incidents().is_empty());
}

#[test]
fn a_result_that_says_otherwise_is_a_question_and_both_facts_stay() {
    let mut hall = short();
    hall.flag(1);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "cause": "mate" })).unwrap();
    assert_eq!(hall.open(IncidentKind::FlagAgainstResult).len(), 1);
    assert_eq!(hall.result("1").unwrap().result, Outcome::First);
    assert!(hall.ask("board.sign", json!({ "board": "1" })).is_err(), "not signed while it is a question");
    let flag = hall.ruling(RulingKind::TimeForfeit).id;
    hall.ask(
        "board.result",
        json!({ "board": "1", "result": "1-0", "cause": "mate", "status": "signed", "over": flag }),
    )
    .unwrap();
    assert_eq!(hall.ruling(RulingKind::TimeForfeit).state, RulingState::Overruled);
    assert!(hall.open(IncidentKind::FlagAgainstResult).is_empty());
    assert_eq!(hall.result("1").unwrap().status, Status::Signed);
}

#[test]
fn after_a_result_a_flag_is_history_unless_it_fell_before() {
    let mut hall = short();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "cause": "mate" })).unwrap();
    hall.flag(1);
    assert!(hall.incidents().is_empty() && hall.rulings().is_empty());

    let mut hall = short();
    hall.seconds(30);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "cause": "mate" })).unwrap();
    hall.seconds(30);
    hall.clocks[0].flag = Some(Side::Left);
    hall.report_at(1, Some(flagfall_clock::ClockEvent::Flag { side: Side::Left }), Some(0), 20_000, false);
    assert_eq!(hall.open(IncidentKind::FlagAgainstResult).len(), 1);
    assert!(hall.rulings().is_empty());
}

#[test]
fn a_silent_clock_is_suspected_and_nothing_more() {
    let mut hall = short();
    hall.input(Input::Link {
        clock: "C1".parse().unwrap(),
        online: false,
        by: "test".into(),
        cause: "silence".into(),
    });
    hall.seconds(120);
    assert_eq!(hall.news("flag_suspected").len(), 1);
    assert!(hall.rulings().is_empty() && hall.result("1").is_none() && hall.news("flag").is_empty());
}

#[test]
fn rule_22_exempt_strictly_below_three_minutes_once_latched_and_granted_to_both() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.seconds(2_820);
    hall.press(1); // at 3:00.000 sharp
    assert!(hall.news("recording_exempt").is_empty());
    hall.press(1);
    hall.clocks[0].left = 180_000;
    hall.report(1, Some(flagfall_clock::ClockEvent::Adjust { by: By::ArbiterKey }), None);
    hall.wait(1);
    hall.press(1); // at 2:59.999, and 3:14.999 afterwards
    let news = hall.news("recording_exempt");
    assert_eq!(news.len(), 1);
    let News::RecordingExempt(exempt) = &news[0].news else { panic!() };
    assert_eq!(exempt.player, flagfall_arbiter::Offender::First);
    hall.ask("recording.exempt", json!({ "board": "1" })).unwrap();
    assert_eq!(hall.news("recording_exempt").len(), 2);
}

#[test]
fn rule_22_the_crossing_is_told_although_statuses_keep_coming() {
    let mut hall = playing();
    for _ in 0..2_900 {
        hall.wait(1_003);
        hall.status(1);
    }
    assert_eq!(hall.news("recording_exempt").len(), 1);
}

#[test]
fn rule_22_the_crossing_itself_is_told_with_its_own_time() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.seconds(2_900);
    let news = hall.news("recording_exempt");
    assert_eq!(news.len(), 1);
    assert_eq!(news[0].happened.0, crate::hall::BEGIN + 2_820_001);
}
