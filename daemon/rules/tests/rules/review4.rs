//! Rulings and fouls in sequences that cross: made twice, undone, made again, with the clock away or exchanged.

use crate::hall::{Hall, playing, playing_under, setup};
use flagfall_arbiter::{
    IncidentKind, News, Offender, Outcome, Points, Refused, RulingKind, RulingState, Status,
};
use flagfall_clock::{Action, By, Side};
use flagfall_rules::{BoardSetup, Laws, Mode, Offence, PlayerSetup, Regulations, StartBy, TeamSetup};
use rstest::rstest;
use serde_json::{Value, json};

fn make(hall: &mut Hall, params: Value) -> u64 {
    let mut made = json!({ "board": "1", "offender": "first" });
    for (name, value) in params.as_object().unwrap() {
        made[name] = value.clone();
    }
    hall.ask("ruling.make", made).unwrap()["id"].as_u64().unwrap()
}

fn early(hall: &mut Hall) -> u64 {
    make(hall, json!({ "kind": "early_press" }))
}

fn confirm(hall: &mut Hall, id: u64) -> Result<Value, Refused> {
    hall.ask("ruling.confirm", json!({ "id": id }))
}

fn found(hall: &Hall, id: u64) -> flagfall_arbiter::Ruling {
    hall.rulings().into_iter().find(|ruling| ruling.id == id).unwrap()
}

fn overrule(hall: &mut Hall, id: u64) {
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "seen again" })).unwrap();
}

fn record(hall: &mut Hall, params: Value) -> Value {
    let mut all = json!({ "board": "1", "player": "first" });
    for (name, value) in params.as_object().unwrap() {
        all[name] = value.clone();
    }
    hall.ask("foul.record", all).unwrap()
}

fn last_foul(hall: &Hall) -> flagfall_arbiter::Foul {
    match &hall.news("foul").last().unwrap().news {
        News::Foul(foul) => foul.clone(),
        _ => unreachable!(),
    }
}

fn stopped(hall: &mut Hall) {
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
}

/// Red presses without moving; an arbiter stops the clock 4 s later.
fn false_press() -> Hall {
    let mut hall = playing();
    hall.seconds(30);
    hall.press(1);
    hall.seconds(4);
    stopped(&mut hall);
    hall
}

#[test]
fn an_offence_ruled_by_its_article_counts_as_its_kind() {
    let mut hall = playing();
    for _ in 0..2 {
        let id = make(&mut hall, json!({ "kind": "article", "article": "六.3" }));
        confirm(&mut hall, id).unwrap();
    }
    assert_eq!(hall.result("1").map(|result| result.result), Some(Outcome::Second), "六.3: the second loses");
    hall.recovers();
}

#[test]
fn of_two_that_wait_the_second_loses_once_the_first_is_confirmed() {
    let mut hall = playing();
    let (one, other) = (early(&mut hall), early(&mut hall));
    confirm(&mut hall, one).unwrap();
    assert_eq!(found(&hall, other).effect.result, Some(Outcome::Second), "it is told again, as it is now");
    confirm(&mut hall, other).unwrap();
    assert_eq!(hall.result("1").map(|result| result.result), Some(Outcome::Second));
    hall.recovers_at_every_step();
}

#[test]
fn a_loss_proposed_for_the_second_is_a_foul_again_once_the_first_is_overruled() {
    let mut hall = playing();
    let one = early(&mut hall);
    confirm(&mut hall, one).unwrap();
    let other = early(&mut hall);
    assert_eq!(found(&hall, other).effect.result, Some(Outcome::Second));
    overrule(&mut hall, one);
    let now = found(&hall, other);
    assert_eq!((now.effect.result, now.effect.foul, now.article.as_ref()), (None, Some(1), "六.3"));
    confirm(&mut hall, other).unwrap();
    assert_eq!(hall.result("1"), None, "nobody loses a game for his first early press");
    hall.recovers_at_every_step();
}

#[test]
fn two_rulings_on_a_board_are_not_confirmed_at_once() {
    let mut hall = playing();
    let (one, other) = (early(&mut hall), early(&mut hall));
    let before = hall.events.len();
    let refused = hall.ask("ruling.confirm", json!({ "ids": [one, other] })).unwrap_err();
    assert!(refused.message.contains("one after the other"), "{}", refused.message);
    assert_eq!(hall.events.len(), before + 1, "nothing but the refusal");
    hall.recovers();
}

#[test]
fn times_are_named_for_one_ruling_only() {
    let mut hall = playing();
    let one = early(&mut hall);
    let other = make(&mut hall, json!({ "board": "2", "kind": "early_press" }));
    let params = json!({ "ids": [one, other], "times": { "first_ms": 1_000_000, "second_ms": 1_000_000 } });
    assert!(hall.ask("ruling.confirm", params).unwrap_err().message.contains("times"));
}

#[rstest]
#[case(true)]
#[case(false)]
fn a_foul_taken_back_takes_the_loss_with_it_that_was_proposed(#[case] by_undo: bool) {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "六.3" }));
    let second = record(&mut hall, json!({ "article": "六.3" }));
    let id = second["ruling"].as_u64().unwrap();
    if by_undo {
        hall.ask("undo", json!({ "seq": second["seq"] })).unwrap();
    } else {
        hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "六.3" })).unwrap();
    }
    assert_eq!(found(&hall, id).state, RulingState::Withdrawn);
    assert!(confirm(&mut hall, id).is_err());
    hall.recovers_at_every_step();
}

#[test]
fn undo_takes_back_all_fouls_that_were_recorded_at_once() {
    let mut hall = playing();
    let both = record(&mut hall, json!({ "article": "五.1", "moves": 9 }));
    assert_eq!(both["in_game"], 2);
    hall.ask("undo", json!({ "seq": both["seq"] })).unwrap();
    assert_eq!((last_foul(&hall).count, last_foul(&hall).in_game), (-2, 0));
    hall.recovers_at_every_step();
}

#[test]
fn a_foul_that_was_waived_takes_no_other_back() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "八.1" }));
    let waived = record(&mut hall, json!({ "article": "八.1", "waived": true }));
    assert!(hall.ask("undo", json!({ "seq": waived["seq"] })).is_err(), "there is nothing to take back");
    assert_eq!(last_foul(&hall).in_game, 1);
    hall.recovers();
}

#[test]
fn of_two_fouls_of_a_team_the_one_taken_back_gives_its_own_point_back() {
    let mut hall = playing();
    let player = record(&mut hall, json!({ "article": "八.11" }));
    record(&mut hall, json!({ "article": "八.11", "not_player": true }));
    hall.ask("undo", json!({ "seq": player["seq"] })).unwrap();
    assert_eq!(last_foul(&hall).points, Some(Points::ONE));
    hall.recovers();
}

#[test]
fn a_foul_recorded_and_the_minutes_ruled_for_it_are_one_offence() {
    let offence = Offence { foul: 0, deduct_ms: 0, opponent_ms: 120_000, loses_at: 3 };
    let fide = Regulations { laws: Laws::Fide, illegal_move: offence, ..Regulations::default() };
    let mut hall = playing_under(fide);
    let foul = record(&mut hall, json!({ "article": "7.5.1" }));
    confirm(&mut hall, foul["ruling"].as_u64().unwrap()).unwrap();
    let second = make(&mut hall, json!({ "kind": "illegal_move" }));
    assert_eq!(found(&hall, second).effect.result, None, "the third loses, this is the second");
    hall.recovers();
}

#[test]
fn a_foul_withdrawn_by_hand_and_its_ruling_overruled_count_once() {
    let mut hall = playing();
    let one = early(&mut hall);
    confirm(&mut hall, one).unwrap();
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "六.3" })).unwrap();
    let other = early(&mut hall);
    assert_eq!(found(&hall, other).effect.result, None, "what was withdrawn counts for nothing");
    overrule(&mut hall, other);
    overrule(&mut hall, one);
    let again = early(&mut hall);
    confirm(&mut hall, again).unwrap();
    let second = early(&mut hall);
    assert_eq!(found(&hall, second).effect.result, Some(Outcome::Second), "the second that stands");
    hall.recovers_at_every_step();
}

#[test]
fn minutes_taken_off_follow_the_game_to_another_clock() {
    let mut hall = playing();
    stopped(&mut hall);
    let before = [hall.clocks[0].left, hall.clocks[0].right];
    let id = make(&mut hall, json!({ "kind": "unauthorised_stop" }));
    confirm(&mut hall, id).unwrap();
    // its clock breaks before it has set them
    hall.link(1, false, "silence");
    hall.orders.clear();
    hall.input(flagfall_rules::Input::Link {
        clock: "C9".parse().unwrap(),
        online: true,
        by: "line".into(),
        cause: "first".into(),
    });
    hall.ask("board.assign", json!({ "board": "1", "clock": "C9", "carry": true })).unwrap();
    let set = hall.orders.iter().find_map(|order| match &order.action {
        Action::SetTimes(times) => Some([times.left_ms, times.right_ms]),
        _ => None,
    });
    assert_eq!(set, Some([before[0] - 300_000, before[1]]));
    hall.recovers_at_every_step();
}

#[test]
fn who_is_to_move_after_a_press_taken_back_is_so_on_another_clock() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.start(1);
    hall.seconds(5);
    hall.press(1);
    hall.seconds(2);
    stopped(&mut hall);
    let id = early(&mut hall);
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap();
    hall.orders.clear();
    hall.ask("board.assign", json!({ "board": "1", "clock": "C2", "carry": true })).unwrap_err();
    // a spare one
    let mut hall = {
        hall.ask("board.result", json!({ "board": "2", "result": "1-0" })).unwrap();
        hall
    };
    hall.ask("board.assign", json!({ "board": "1", "clock": "C2", "carry": true })).unwrap();
    hall.obey(2);
    let clock = &hall.clocks[1];
    assert_eq!((clock.left, clock.right, clock.presses), (2_995_000, 3_000_000, [0, 0]));
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(2);
    assert_eq!(hall.clocks[1].running, Some(Side::Left), "Red is to move");
    hall.recovers();
}

#[test]
fn times_are_not_restored_while_the_clock_runs() {
    let mut hall = playing();
    hall.seconds(3);
    hall.press(1);
    let id = early(&mut hall);
    let refused = hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap_err();
    assert!(refused.message.contains("stop it first"), "{}", refused.message);
    assert_eq!(found(&hall, id).state, RulingState::Proposed);
    hall.recovers();
}

#[test]
fn a_press_that_counts_again_after_the_clock_ran_gives_the_turn_back() {
    let mut hall = false_press();
    let id = early(&mut hall);
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap();
    hall.obey(1);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(2);
    stopped(&mut hall);
    overrule(&mut hall, id);
    hall.obey(1);
    assert_eq!(hall.clocks[0].presses, [2, 1], "his press counts");
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    assert!(
        hall.orders.iter().any(|order| order.action == Action::Start { side: Side::Right }),
        "the other is to move, whoever ran last: {:?}",
        hall.orders
    );
    hall.recovers_at_every_step();
}

#[test]
fn a_press_taken_back_in_a_pause_gives_the_turn_back_when_it_ends() {
    let mut hall = playing();
    hall.seconds(30);
    hall.press(1);
    hall.seconds(4);
    hall.ask("round.pause", json!({})).unwrap();
    hall.obey(1);
    let id = early(&mut hall);
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap();
    hall.obey(1);
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    assert!(
        hall.orders.iter().any(|order| order.action == Action::Start { side: Side::Left }),
        "{:?}",
        hall.orders
    );
    hall.recovers();
}

#[test]
fn a_flag_after_a_false_press_set_aside_lets_him_move_who_pressed() {
    let mut hall = playing();
    hall.seconds(30);
    hall.press(1);
    hall.flag(1);
    let flag = hall.ruling(RulingKind::TimeForfeit).id;
    overrule(&mut hall, flag);
    stopped(&mut hall);
    let id = early(&mut hall);
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap();
    // the clock is set and still shows its flag
    hall.obey(1);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    assert!(
        hall.orders.iter().any(|order| order.action == Action::Start { side: Side::Left }),
        "{:?}",
        hall.orders
    );
    hall.recovers();
}

#[test]
fn times_an_arbiter_names_are_those_that_follow_whatever_is_owed() {
    let mut hall = playing();
    stopped(&mut hall);
    let one = make(&mut hall, json!({ "kind": "unauthorised_stop" }));
    confirm(&mut hall, one).unwrap();
    let other = make(&mut hall, json!({ "kind": "unauthorised_stop", "offender": "second" }));
    let way = found(&hall, other).options[0].clone();
    assert_eq!(way.first_ms, Some(hall.clocks[0].left - 300_000), "the first one's minutes are off already");
    let times = json!({ "first_ms": 1_200_000, "second_ms": 1_500_000 });
    hall.ask("ruling.confirm", json!({ "id": other, "times": times })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (1_200_000, 1_200_000));
    hall.recovers_at_every_step();
}

#[test]
fn times_named_with_a_press_taken_back_are_those_that_follow() {
    let mut hall = false_press();
    let id = early(&mut hall);
    let times = json!({ "first_ms": 1_200_000, "second_ms": 1_500_000 });
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1, "times": times })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (1_200_000, 1_500_000));
    hall.recovers();
}

#[test]
fn a_signed_result_that_a_ruling_reversed_accuses_nobody_of_signing_it_wrong() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    let id = make(&mut hall, json!({ "kind": "article", "article": "六.10" }));
    confirm(&mut hall, id).unwrap();
    hall.ask("board.sign", json!({ "board": "1" })).unwrap();
    assert_eq!(hall.result("1").map(|result| result.result), Some(Outcome::Second));
    assert!(hall.rulings().iter().all(|ruling| ruling.article != "九.2"), "they signed what was played");
    hall.recovers();
}

#[test]
fn what_is_signed_in_a_closed_round_is_official() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.ask("round.close", json!({})).unwrap();
    let id = make(&mut hall, json!({ "round": 1, "kind": "article", "article": "六.10" }));
    confirm(&mut hall, id).unwrap();
    hall.ask("board.sign", json!({ "round": 1, "board": "1" })).unwrap();
    assert_eq!(hall.result("1").map(|result| result.status), Some(Status::Official));
    hall.recovers();
}

#[test]
fn a_draw_agreed_too_early_does_not_pass_by_naming_any_ruling() {
    let mut hall = playing();
    let draw = json!({ "board": "1", "result": "1/2-1/2", "cause": "agreed", "over": 99 });
    let refused = hall.ask_as(flagfall_arbiter::Role::Results, "board.result", draw).unwrap_err();
    assert!(refused.message.contains("六.7"), "{}", refused.message);
    hall.recovers();
}

#[test]
fn fouls_of_rulings_reach_the_limit_of_a_game_as_well() {
    let mut hall = playing_under(Regulations { foul_limit: 2, ..Regulations::default() });
    record(&mut hall, json!({ "article": "八.1" }));
    let id = early(&mut hall);
    confirm(&mut hall, id).unwrap();
    let limit = hall.ruling(RulingKind::FoulLimit);
    assert_eq!((limit.state, limit.offender), (RulingState::Proposed, Some(Offender::First)));
    overrule(&mut hall, id);
    assert_eq!(found(&hall, limit.id).state, RulingState::Withdrawn, "one foul is left");
    hall.recovers_at_every_step();
}

#[test]
fn a_second_false_claim_that_is_recorded_loses_as_one_that_is_decided() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "七.4" }));
    let second = record(&mut hall, json!({ "article": "八.3" }));
    let ruling = found(&hall, second["ruling"].as_u64().expect("六.5"));
    assert_eq!((ruling.article.as_ref(), ruling.effect.result), ("六.5", Some(Outcome::Second)));
    hall.recovers();
}

#[rstest]
#[case("early_press", "八.9")]
#[case("time_forfeit", "六.3")]
#[case("unauthorised_stop", "六.3")]
#[case("false_claim", "六.2")]
fn an_article_that_says_nothing_of_a_kind_is_refused(#[case] kind: &str, #[case] article: &str) {
    let mut hall = playing();
    let before = hall.events.len();
    let made = json!({ "board": "1", "offender": "first", "kind": kind, "article": article });
    let refused = hall.ask("ruling.make", made).unwrap_err();
    assert!(refused.message.contains(article), "{}", refused.message);
    assert_eq!(hall.events.len(), before + 1);
}

#[test]
fn a_start_of_ones_own_is_a_foul_or_the_game_by_its_article() {
    let mut hall = playing();
    let id = make(&mut hall, json!({ "kind": "article", "article": "三(2)" }));
    let results: Vec<_> = found(&hall, id).options.iter().map(|way| way.effect.result).collect();
    assert_eq!(results, [None, Some(Outcome::Second)], "根据情况记犯规或判负");
}

#[test]
fn a_telephone_that_rang_is_what_the_ruling_says() {
    let mut hall = playing();
    let id = make(&mut hall, json!({ "kind": "article", "article": "六.11" }));
    assert!(!found(&hall, id).text.zh.contains("携带"), "判负 is for ringing: {}", found(&hall, id).text.zh);
}

#[test]
fn a_match_counts_when_its_nameless_boards_do() {
    let mut setup = setup(1, Regulations::default(), StartBy::Players, Mode::Act);
    let player = |name: &str, team: &str| PlayerSetup { name: name.into(), team: team.into() };
    setup.teams = ["甲队", "乙队"]
        .iter()
        .zip(1..)
        .map(|(name, number)| TeamSetup { number, name: (*name).into(), city: None, players: vec![] })
        .collect();
    let board = |n: u32, first, second| BoardSetup {
        board: n.to_string(),
        table: None,
        clock: None,
        first_side: None,
        match_no: Some(1),
        first,
        second,
    };
    setup.rounds.truncate(1);
    setup.rounds[0].boards = vec![
        board(1, player("甲1", "甲队"), player("乙1", "乙队")),
        board(2, player("", "乙队"), player("", "甲队")),
        board(3, player("", "甲队"), player("", "乙队")),
    ];
    let mut hall = Hall::of(1, setup);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let points = |hall: &Hall| -> Vec<(String, Points, Points)> {
        let lines = hall.rules.standings().teams;
        lines.into_iter().map(|line| (line.team, line.points, line.board_points)).collect()
    };
    assert!(points(&hall).iter().all(|(_, points, _)| *points == Points::ZERO), "two boards are open");
    hall.ask("board.result", json!({ "board": "2", "result": "1-0" })).unwrap();
    hall.ask("board.result", json!({ "board": "3", "result": "0-1" })).unwrap();
    let expected = [("乙队", Points::ONE, Points::halves(4)), ("甲队", Points::ZERO, Points::ONE)];
    assert_eq!(points(&hall), expected.map(|(team, points, boards)| (team.to_owned(), points, boards)));
    assert!(hall.rules.standings().players.iter().all(|line| !line.name.is_empty()));
}

#[test]
fn a_record_is_not_wanted_while_the_game_goes_on_again() {
    let mut hall = playing_under(Regulations { record_task_ms: 600_000, ..Regulations::default() });
    hall.clocks[0].left = 170_000;
    hall.status(1);
    hall.seconds(1);
    hall.press(1);
    hall.ask("recording.exempt", json!({ "board": "1" })).unwrap();
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(700);
    assert!(hall.rulings().iter().all(|ruling| ruling.article != "五.3"), "the game is on");
    assert!(hall.open(IncidentKind::Claim).is_empty());
    hall.recovers();
}

#[test]
fn after_a_press_that_nobody_reported_there_is_nothing_to_restore() {
    let mut hall = playing();
    hall.seconds(3);
    hall.press(1);
    // Black's move was not heard; the counts show it
    hall.seconds(3);
    hall.clocks[0].presses[1] += 1;
    hall.clocks[0].running = Some(Side::Left);
    hall.status(1);
    assert_eq!(hall.news("press").len(), 4);
    let id = early(&mut hall);
    assert_eq!(found(&hall, id).options.len(), 1, "Black has moved since");
    hall.recovers_at_every_step();
}

#[test]
fn minutes_that_were_never_taken_off_do_not_come_back() {
    let mut hall = playing();
    stopped(&mut hall);
    let before = [hall.clocks[0].left, hall.clocks[0].right];
    let id = make(&mut hall, json!({ "kind": "unauthorised_stop" }));
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    confirm(&mut hall, id).unwrap();
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    overrule(&mut hall, id);
    hall.obey(1);
    assert_eq!(
        [hall.clocks[0].left, hall.clocks[0].right],
        before,
        "the game was over when it was confirmed"
    );
    hall.recovers_at_every_step();
}

#[test]
fn of_two_rulings_that_decide_a_board_the_first_counts_again_when_the_second_is_overruled() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    let one = make(&mut hall, json!({ "kind": "article", "article": "六.11" }));
    confirm(&mut hall, one).unwrap();
    let both = make(&mut hall, json!({ "kind": "article", "article": "六.6" }));
    confirm(&mut hall, both).unwrap();
    assert_eq!(hall.result("1").map(|result| result.result), Some(Outcome::None));
    overrule(&mut hall, both);
    assert_eq!(hall.result("1").and_then(|result| result.ruling), Some(one));
    overrule(&mut hall, one);
    let said = hall.result("1").map(|result| (result.result, result.status));
    assert_eq!(said, Some((Outcome::First, Status::Signed)), "what a person had said");
    hall.recovers_at_every_step();
}

#[test]
fn of_two_rulings_the_first_overruled_leaves_the_second() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    let one = make(&mut hall, json!({ "kind": "article", "article": "六.11" }));
    confirm(&mut hall, one).unwrap();
    let both = make(&mut hall, json!({ "kind": "article", "article": "六.6" }));
    confirm(&mut hall, both).unwrap();
    overrule(&mut hall, one);
    assert_eq!(hall.result("1").and_then(|result| result.ruling), Some(both));
    overrule(&mut hall, both);
    assert_eq!(hall.result("1").map(|result| result.result), Some(Outcome::First));
    hall.recovers();
}

#[test]
fn a_result_that_a_person_took_back_does_not_return_with_another_ruling() {
    let mut hall = playing();
    hall.flag(1);
    let flag = hall.ruling(RulingKind::TimeForfeit).id;
    confirm(&mut hall, flag).unwrap();
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    let id = make(&mut hall, json!({ "kind": "article", "article": "六.10", "offender": "second" }));
    confirm(&mut hall, id).unwrap();
    overrule(&mut hall, id);
    assert_eq!(hall.result("1"), None);
    hall.recovers();
}
