//! A default time that is put off afterwards: by another start, by a pause said late, by a match held. Who is
//! not too late any more is proposed for and asked about no longer, and again once it has come.

use crate::hall::{BEGIN, Hall, setup};
use flagfall_arbiter::{IncidentKind, Lane, RulingKind, RulingState, Wall};
use flagfall_clock::By;
use flagfall_rules::{Mode, Regulations, StartBy};
use rstest::rstest;
use serde_json::{Value, json};

fn at(seconds: i64) -> Wall {
    Wall(BEGIN + seconds * 1_000)
}

fn hall(start_by: StartBy) -> Hall {
    let mut setup = setup(4, Regulations::default(), start_by, Mode::Act);
    for round in &mut setup.rounds {
        for (place, board) in round.boards.iter_mut().enumerate() {
            board.match_no = Some(place as u32 / 2 + 1);
        }
    }
    Hall::of(4, setup)
}

fn chairs(chairs: &[(&str, &str)]) -> Value {
    chairs.iter().map(|(board, player)| json!({ "board": board, "player": player })).collect()
}

#[rstest]
#[case("round.start", json!({ "round": 1, "at": at(600) }), 1_500)]
#[case("match.hold", json!({ "match": 1, "until": at(600) }), 1_500)]
#[case("round.pause", json!({ "at": at(300) }), 1_660)]
fn a_default_that_is_put_off_is_proposed_when_it_comes(
    #[case] method: &str,
    #[case] params: Value,
    #[case] comes: u64,
) {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": chairs(&[("1", "first")]), "complete": true })).unwrap();
    hall.seconds(960);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
    hall.ask(method, params).unwrap();
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Withdrawn, "he is not too late");
    if method == "round.pause" {
        hall.seconds(100);
        hall.ask("round.resume", json!({ "seated": true })).unwrap();
    }
    hall.seconds(comes - hall.now / 1_000);
    assert_eq!(hall.rulings().len(), 1);
    hall.seconds(1);
    assert_eq!(hall.rulings().pop().unwrap().state, RulingState::Proposed);
    hall.recovers();
}

#[test]
fn what_silence_showed_until_an_earlier_time_shows_nothing_of_a_later_one() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.seconds(901);
    assert_eq!(hall.rulings().len(), 4);
    hall.ask("match.hold", json!({ "match": 1, "until": at(1_200) })).unwrap();
    hall.link(1, false, "silence");
    hall.seconds(1_300);
    let proposed: Vec<_> = hall.rulings().into_iter().filter(|r| r.state == RulingState::Proposed).collect();
    assert_eq!(proposed.len(), 3, "nobody knows what clock 1 did meanwhile");
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!((asked.len(), asked[0].boards.clone()), (1, vec!["1".to_owned()]));
    hall.recovers();
}

#[test]
fn nobody_is_asked_any_more_who_sits_where_a_match_is_held() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
    }
    hall.seconds(901);
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!((asked[0].lane, asked[0].boards.len()), (Lane::Decide, 4));
    hall.ask("match.hold", json!({ "match": 1, "until": at(1_200) })).unwrap();
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!(asked[0].boards, ["3", "4"]);
    assert!(!asked[0].text.zh.contains("1台"), "{}", asked[0].text.zh);
    hall.ask("round.start", json!({ "round": 1, "at": at(600) })).unwrap();
    assert!(hall.open(IncidentKind::PresenceUnknown).is_empty());
    hall.seconds(1_300);
    assert_eq!(hall.open(IncidentKind::PresenceUnknown)[0].boards.len(), 4);
    hall.recovers();
}

#[test]
fn the_line_says_who_is_still_asked_about() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
    }
    hall.seconds(901);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.ask("board.result", json!({ "board": "2", "result": "1-0" })).unwrap();
    let asked = hall.open(IncidentKind::PresenceUnknown).pop().unwrap();
    assert!(!asked.text.zh.contains("1台红方") && !asked.text.en.contains("2 Red"), "{:?}", asked.text);
    assert!(asked.text.zh.contains("1台黑方"));
    hall.recovers();
}

#[test]
fn lateness_that_was_no_lateness_is_not_deducted() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": chairs(&[("1", "first"), ("1", "second")]) })).unwrap();
    hall.seconds(480);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.seconds(120);
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    hall.ask("match.hold", json!({ "match": 1, "until": at(540), "reason": "the bus" })).unwrap();
    let started = hall.ask("board.start", json!({ "board": "1" })).unwrap();
    assert_eq!(
        (started["first_ms"].as_i64(), started["second_ms"].as_i64()),
        (Some(3_000_000), Some(3_000_000))
    );
    hall.recovers();
}

#[test]
fn whose_table_is_in_play_is_not_late_whenever_an_arbiter_names_him() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    for board in 2..=4 {
        let result = json!({ "round": 1, "board": board.to_string(), "result": "1-0", "status": "signed" });
        hall.ask("board.result", result).unwrap();
    }
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    hall.seconds(1_000);
    let both = chairs(&[("1", "first"), ("1", "second")]);
    hall.ask("round.absent", json!({ "round": 2, "players": both })).unwrap();
    let of_board_1 = |hall: &Hall| {
        let mine = |event: &&flagfall_arbiter::Event| {
            event.r#type == "ruling" && event.round == Some(2) && event.board.as_deref() == Some("1")
        };
        hall.events.iter().filter(mine).count()
    };
    assert_eq!(of_board_1(&hall), 0, "their table is still in play");
    hall.ask("player.arrived", json!({ "round": 2, "board": "1", "player": "first" })).unwrap();
    hall.ask("player.arrived", json!({ "round": 2, "board": "1", "player": "second" })).unwrap();
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "round": 1, "board": "1", "result": "1-0" })).unwrap();
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    hall.orders.retain(|order| order.clock == "C1".parse().unwrap());
    hall.obey(1);
    let started = hall.ask("board.start", json!({ "round": 2, "board": "1" })).unwrap();
    assert_eq!(started["first_ms"], 3_000_000, "they waited for their table");
    hall.seconds(1_000);
    assert_eq!(of_board_1(&hall), 0);
    hall.recovers();
}

#[test]
fn a_pause_that_is_said_to_begin_within_another_counts_once() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": chairs(&[("1", "first")]), "complete": true })).unwrap();
    hall.seconds(300);
    hall.ask("round.pause", json!({})).unwrap();
    hall.seconds(300);
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.seconds(60);
    hall.ask("round.pause", json!({ "at": at(400) })).unwrap();
    hall.seconds(60);
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    // 300 to 720 s
    hall.seconds(900 + 420 - 720);
    assert!(hall.rulings().is_empty());
    let came = hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    assert_eq!(came["late_ms"], 900_000);
    hall.recovers();
}

#[test]
fn where_the_daemon_starts_the_clocks_a_corrected_start_starts_none() {
    let mut hall = hall(StartBy::Daemon);
    hall.ask("round.start", json!({ "except": [3, 4] })).unwrap();
    for board in 1..=2 {
        hall.obey(board);
    }
    hall.seconds(60);
    let again = hall.ask("round.start", json!({ "round": 1, "at": at(-60) })).unwrap();
    assert_eq!(again["ordered"], 0, "tables 3 and 4 were left out on purpose");
    assert!(hall.orders.is_empty());
    hall.recovers();
}

#[test]
fn a_match_let_begin_starts_no_clock_in_a_paused_round() {
    let mut hall = hall(StartBy::Daemon);
    hall.ask("match.hold", json!({ "round": 1, "match": 2, "until": at(1_200) })).unwrap();
    hall.round_starts();
    hall.obey(1);
    hall.obey(2);
    hall.seconds(60);
    hall.ask("round.pause", json!({})).unwrap();
    hall.obey(1);
    hall.obey(2);
    let begins = hall.ask("match.hold", json!({ "match": 2, "until": at(0) })).unwrap();
    assert_eq!(begins["started"], json!([]));
    assert!(hall.orders.is_empty());
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.recovers();
}

#[test]
fn the_next_rounds_beginning_is_not_taken_for_another_start_of_one_that_runs_over() {
    let mut hall = hall(StartBy::Players);
    hall.round_starts();
    hall.start(1);
    for board in 2..=4 {
        hall.ask("board.result", json!({ "board": board.to_string(), "result": "1-0" })).unwrap();
    }
    hall.seconds(19_800);
    let refused = hall.ask("round.start", json!({ "at": at(19_740) })).unwrap_err();
    assert!(refused.message.contains("name the round"), "{}", refused.message);
    assert_eq!(hall.ask("round.start", json!({ "round": 2, "at": at(19_740) })).unwrap()["round"], 2);
    hall.recovers();
}
