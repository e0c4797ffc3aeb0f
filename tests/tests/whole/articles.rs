//! Articles at a live desk: a press before moving with the times as they stood, fouls by article, and what is refused by
//! name and kept as refused.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::AtBroker;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};

async fn game() -> (Hall, Desk, Clock, AtBroker) {
    let hall = Plan::default().open().await;
    let arbiter = hall.desk("arbiter").await;
    let (clock, line) = hall.clock(1, 3_000_000, 15_000).await;
    arbiter.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    arbiter.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(2);
    let moves = json!({"player": "second", "moves": 2});
    arbiter.wait("four presses", |event| is(event, "press", &moves)).await;
    (hall, arbiter, clock, line)
}

/// Red presses without moving; the arbiter stops the clock and gives both the times of that press back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rule_24_a_press_before_moving_is_taken_back_at_the_clock() {
    let (_hall, arbiter, clock, _line) = game().await;
    let before = clock.times();
    clock.press(Side::Left);
    let third = json!({"player": "first", "moves": 3});
    let press = arbiter.wait("his press", |event| is(event, "press", &third)).await;
    arbiter.done("board.stop", json!({"board": "1"})).await;
    until("it stands", SOON, || clock.running().is_none().then_some(())).await;
    let made = json!({"board": "1", "kind": "early_press", "offender": "first"});
    let id = arbiter.done("ruling.make", made).await["id"].clone();
    let ruling = arbiter.wait("the ruling", |event| is(event, "ruling", &json!({"id": id}))).await;
    let options = ruling["ruling"]["options"].as_array().expect("options").clone();
    assert_eq!(options.len(), 2, "{ruling}");
    let first = press["press"]["first_ms"].as_i64().expect("a time");
    assert_eq!(options[1]["first_ms"], first - 15_000, "without the increment of that press: {ruling}");
    assert_eq!(options[1]["effect"]["restored"], true);
    let text = ruling["ruling"]["text"]["zh"].as_str().expect("a text");
    assert!(text.contains("未走棋先按钟") && text.contains("六.3") && text.contains("记犯规1次"), "{text}");
    arbiter.done_soon("ruling.confirm", json!({"id": id, "option": 1})).await;
    arbiter.done_soon("board.resume", json!({"board": "1"})).await;
    until("Red's time runs", SOON, || (clock.running() == Some(Side::Left)).then_some(())).await;
    assert_eq!(clock.presses(), [2, 2], "the press counts for nothing");
    assert!(clock.times()[0] <= before[0], "{:?}, not more than {before:?}", clock.times());
    assert_eq!(clock.times()[1], options[1]["second_ms"], "Black as at the press: {options:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_is_refused_by_name_and_kept_as_refused() {
    let mut hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk = hall.desk("chief").await;
    desk.done("round.start", json!({"round": 1})).await;
    desk.done("board.result", json!({"board": "1", "result": "1-0", "cause": "mate", "status": "signed"}))
        .await;
    let refusals = [
        (
            "foul.record",
            json!({"board": "1", "player": "first", "article": "六.99"}),
            "`六.99` is no article",
        ),
        ("foul.record", json!({"board": "1", "player": "first", "article": "六.10"}), "六.10 is no foul"),
        (
            "ruling.make",
            json!({"board": "1", "kind": "article", "article": "12.34", "offender": "first"}),
            "`12.34` is no article",
        ),
        ("board.result", json!({"board": "1", "result": "0-1", "cause": "mate"}), "board 1 has 1-0 signed"),
    ];
    for (method, params, why) in &refusals {
        let refused = desk.ask(method, params.clone()).await.expect_err("refused");
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(why), "{method} {params}: {message}");
        let told =
            |event: &Value| is(event, "request", &json!({"method": method, "ok": false, "error": message}));
        desk.wait("it is told", told).await;
    }
    assert!(desk.events().iter().all(|event| event["type"] != "foul"));
    hall.end().await;
    let journal = hall.journal();
    let export = hall.flagfall(&["journal", "export", journal.to_str().expect("a path"), "--events"]);
    for (_, _, why) in &refusals {
        assert!(export.stdout.contains(why), "the journal keeps that it was refused: {why}");
    }
}
