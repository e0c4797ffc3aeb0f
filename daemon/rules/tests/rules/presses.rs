//! Early presses and illegal moves (六.2, 六.3; FIDE 7.5): counted in their game, times left or restored.

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{Offender, Outcome, Refused, RulingKind, RulingState};
use flagfall_clock::{By, ClockEvent, Side};
use flagfall_rules::{Laws, Mode, Offence, PressTimes, Regulations, StartBy};
use rstest::rstest;
use serde_json::{Value, json};

fn make(hall: &mut Hall, kind: &str, offender: &str) -> u64 {
    let made = json!({ "board": "1", "kind": kind, "offender": offender });
    hall.ask("ruling.make", made).unwrap()["id"].as_u64().unwrap()
}

fn confirm(hall: &mut Hall, id: u64, more: Value) -> Result<Value, Refused> {
    let mut params = json!({ "id": id });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    hall.ask("ruling.confirm", params)
}

fn found(hall: &Hall, id: u64) -> flagfall_arbiter::Ruling {
    hall.rulings().into_iter().find(|ruling| ruling.id == id).unwrap()
}

/// Red at 20:00 presses after 30 s without moving; an arbiter stops 4 s later.
fn false_press(regulations: Regulations) -> Hall {
    let mut hall = playing_under(regulations);
    hall.clocks[0].left = 1_200_000;
    hall.clocks[0].right = 1_500_000;
    hall.report(1, Some(ClockEvent::Adjust { by: By::Command }), None);
    hall.seconds(30);
    hall.press(1);
    hall.seconds(4);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall
}

#[test]
fn rule_24_the_times_are_left_as_they_are_or_as_they_stood_at_the_false_press() {
    let mut hall = false_press(Regulations::default());
    let id = make(&mut hall, "early_press", "first");
    let ruling = found(&hall, id);
    assert_eq!((ruling.article.as_ref(), ruling.effect.foul), ("六.3", Some(1)));
    let times: Vec<_> = ruling.options.iter().map(|way| (way.first_ms, way.second_ms)).collect();
    assert_eq!(
        times,
        [(Some(1_185_000), Some(1_496_000)), (Some(1_170_000), Some(1_500_000))],
        "left: 19:45 with the increment; restored: 19:30 without it, Black as at the press"
    );
    assert!(ruling.options[1].effect.restored && !ruling.options[0].effect.restored);
    confirm(&mut hall, id, json!({ "option": 1 })).unwrap();
    assert!(hall.ask("board.resume", json!({ "board": "1" })).is_err(), "the board owes times");
    hall.obey(1);
    let clock = &hall.clocks[0];
    assert_eq!((clock.left, clock.right, clock.running), (1_170_000, 1_500_000, None));
    assert_eq!(clock.presses, [1, 1], "the false press counts for nothing");
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].running, Some(Side::Left), "he is to move");
    hall.seconds(10);
    hall.press(1);
    assert_eq!(hall.clocks[0].left, 1_175_000);
    assert!(hall.incidents().iter().all(|i| i.state == flagfall_arbiter::IncidentState::Closed));
    hall.recovers_at_every_step();
}

#[test]
fn rule_24_left_alone_the_clock_is_not_touched() {
    let mut hall = false_press(Regulations::default());
    let id = make(&mut hall, "early_press", "first");
    confirm(&mut hall, id, json!({})).unwrap();
    assert!(hall.orders.is_empty(), "{:?}", hall.orders);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].running, Some(Side::Right), "Black's turn goes on");
    hall.recovers();
}

#[test]
fn rule_24_an_event_may_propose_the_times_restored() {
    let mut hall = false_press(Regulations { press_times: PressTimes::Restore, ..Regulations::default() });
    let id = make(&mut hall, "early_press", "first");
    assert!(found(&hall, id).effect.restored);
    assert_eq!(found(&hall, id).options[0].first_ms, Some(1_170_000));
}

#[test]
fn rule_24_the_second_early_press_in_the_game_loses() {
    let mut hall = playing();
    let id = make(&mut hall, "early_press", "first");
    confirm(&mut hall, id, json!({})).unwrap();
    let again = make(&mut hall, "early_press", "first");
    assert_eq!(found(&hall, again).effect.result, Some(Outcome::Second));
    confirm(&mut hall, again, json!({})).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
    hall.recovers();
}

#[test]
fn rule_24_in_another_game_it_is_the_first_again() {
    let mut hall = playing();
    let id = make(&mut hall, "early_press", "first");
    confirm(&mut hall, id, json!({})).unwrap();
    let other = json!({ "board": "2", "kind": "early_press", "offender": "first" });
    let id = hall.ask("ruling.make", other).unwrap()["id"].as_u64().unwrap();
    assert_eq!(found(&hall, id).effect.result, None);
}

#[test]
fn a_press_restored_and_withdrawn_comes_back_by_difference() {
    let mut hall = false_press(Regulations::default());
    let id = make(&mut hall, "early_press", "first");
    confirm(&mut hall, id, json!({ "option": 1 })).unwrap();
    hall.obey(1);
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "he had moved" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (1_185_000, 1_496_000));
    assert_eq!(hall.clocks[0].running, None, "stopped for an arbiter to resume");
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].running, Some(Side::Right));
    hall.recovers_at_every_step();
}

#[test]
fn after_further_play_the_times_at_the_press_are_no_option() {
    let mut hall = playing();
    hall.seconds(3);
    hall.press(1);
    let id = make(&mut hall, "early_press", "first");
    assert_eq!(found(&hall, id).options.len(), 2);
    hall.seconds(3);
    hall.press(1);
    let refused = confirm(&mut hall, id, json!({ "option": 1 })).unwrap_err();
    assert!(refused.message.contains("choose another option"), "{}", refused.message);
    confirm(&mut hall, id, json!({ "option": 0 })).unwrap();
    hall.recovers();
}

#[rstest]
#[case(false, None)]
#[case(true, Some(Outcome::First))]
fn rule_26_one_illegal_move_and_one_early_press(#[case] pooled: bool, #[case] lost: Option<Outcome>) {
    let mut hall = playing_under(Regulations { pooled_fouls: pooled, ..Regulations::default() });
    for kind in ["illegal_move", "early_press"] {
        let id = make(&mut hall, kind, "second");
        confirm(&mut hall, id, json!({})).unwrap();
    }
    assert_eq!(hall.result("1").map(|result| result.result), lost);
    if lost.is_none() {
        let fouls: i32 = hall
            .news("foul")
            .iter()
            .map(|event| match &event.news {
                flagfall_arbiter::News::Foul(foul) => foul.count,
                _ => 0,
            })
            .sum();
        assert_eq!(fouls, 2, "two fouls, and the game goes on");
    }
    hall.recovers();
}

fn fide(minutes: u32) -> Regulations {
    let offence = Offence { foul: 0, deduct_ms: 0, opponent_ms: minutes * 60_000, loses_at: 2 };
    Regulations {
        laws: Laws::Fide,
        early_press: offence,
        illegal_move: offence,
        pooled_fouls: true,
        unless_cannot_win: true,
        ..Regulations::default()
    }
}

#[rstest]
#[case(2)]
#[case(1)]
fn rule_25_the_opponent_gets_the_minutes_and_the_second_loses(#[case] minutes: u32) {
    let mut hall = playing_under(fide(minutes));
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    let before = hall.clocks[0].right;
    let id = make(&mut hall, "early_press", "first");
    let ruling = found(&hall, id);
    assert_eq!(ruling.article, "7.5.3");
    assert_eq!(ruling.effect.opponent_ms, Some(i64::from(minutes) * 60_000));
    confirm(&mut hall, id, json!({})).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].right, before + i64::from(minutes) * 60_000);
    let again = make(&mut hall, "illegal_move", "first");
    let ruling = found(&hall, again);
    assert_eq!((ruling.article.as_ref(), ruling.effect.result), ("7.5.5", Some(Outcome::Second)));
    assert_eq!(ruling.options[1].effect.result, Some(Outcome::Draw), "where the opponent cannot mate");
    confirm(&mut hall, again, json!({ "option": 1 })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Draw);
    hall.recovers();
}

#[test]
fn minutes_for_the_opponent_come_back_when_it_is_overruled() {
    let mut hall = playing_under(fide(2));
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    let before = (hall.clocks[0].left, hall.clocks[0].right);
    let id = make(&mut hall, "illegal_move", "first");
    confirm(&mut hall, id, json!({})).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].right, before.1 + 120_000);
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "the move was legal" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), before);
    hall.recovers_at_every_step();
}

#[test]
fn rule_25_a_flag_is_a_draw_where_an_arbiter_sees_that_the_opponent_cannot_win() {
    let mut hall = playing_under(fide(2));
    hall.flag(1);
    let ruling = hall.ruling(RulingKind::TimeForfeit);
    assert_eq!((ruling.state, ruling.article.as_ref()), (RulingState::Proposed, "6.9"), "never by itself");
    let results: Vec<_> = ruling.options.iter().map(|way| way.effect.result).collect();
    assert_eq!(results, [Some(Outcome::Second), Some(Outcome::Draw)]);
    assert!(ruling.text.zh.contains("对方无法取胜时判和"), "{}", ruling.text.zh);
    confirm(&mut hall, ruling.id, json!({ "option": 1 })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Draw);
    hall.recovers();
}

#[test]
fn a_foul_recorded_alone_counts_as_the_first() {
    let mut hall = playing();
    let first =
        hall.ask("foul.record", json!({ "board": "1", "player": "first", "article": "八.6" })).unwrap();
    assert!(first.get("ruling").is_none(), "{first}");
    let second =
        hall.ask("foul.record", json!({ "board": "1", "player": "first", "article": "六.3" })).unwrap();
    let id = second["ruling"].as_u64().expect("the second of its kind loses");
    let ruling = found(&hall, id);
    assert_eq!((ruling.kind, ruling.offender), (RulingKind::EarlyPress, Some(Offender::First)));
    assert_eq!((ruling.effect.result, ruling.effect.foul), (Some(Outcome::Second), None));
    assert_eq!(ruling.state, RulingState::Proposed, "an arbiter confirms it");
    hall.recovers();
}

#[test]
fn a_stop_of_another_player_is_no_press() {
    let mut hall = Hall::with(2, Regulations::default(), StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.start(1);
    hall.stop(1, By::Button);
    let id = make(&mut hall, "early_press", "first");
    assert_eq!(found(&hall, id).options.len(), 1, "nobody pressed: nothing to restore");
}
