//! A stop is not an offence: the question, the ruling after an arbiter's word, and the five minutes.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, holds, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::AtBroker;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::time::Duration;

const BASE: i64 = 3_000_000;

async fn game() -> (Hall, Desk, Clock, AtBroker) {
    let hall = Plan::default().open().await;
    let arbiter = hall.desk("arbiter").await;
    let (clock, line) = hall.clock(1, BASE, 15_000).await;
    arbiter.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    arbiter.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(2);
    let moves = json!({"player": "second", "moves": 2});
    arbiter.wait("four presses", |event| is(event, "press", &moves)).await;
    (hall, arbiter, clock, line)
}

fn unexplained(event: &Value, state: &str) -> bool {
    is(event, "incident", &json!({"kind": "unexplained_stop", "state": state}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_is_a_question_and_an_arbiters_word_makes_it_a_ruling() {
    let (hall, arbiter, clock, _line) = game().await;
    let viewer = hall.desk("viewer").await;
    clock.push_stop();
    let stopped = arbiter
        .wait("the stop", |event| is(event, "stopped", &json!({"by": "button", "ordered": false})))
        .await;
    let incident = arbiter.wait("the question", |event| unexplained(event, "open")).await;
    assert_eq!((&incident["board"], &incident["audience"]), (&json!("1"), &json!("desk")), "{incident}");
    let grounds = incident["incident"]["grounds"]["events"].as_array().expect("grounds");
    assert!(grounds.contains(&stopped["seq"]), "{incident}");
    arbiter
        .nothing(Duration::from_secs(10), 0, "a ruling nobody asked for", |event| event["type"] == "ruling")
        .await;
    let opened: std::collections::BTreeSet<_> = arbiter
        .events()
        .iter()
        .filter(|event| event["type"] == "incident")
        .map(|event| event["incident"]["id"].as_u64())
        .collect();
    assert_eq!(opened.len(), 1, "one question");

    let mark = arbiter.mark();
    let stood = clock.times();
    arbiter.done("stop.explain", json!({"board": "1", "cause": "without_cause", "offender": "first"})).await;
    let ruling = arbiter.since(mark, "the ruling", |event| event["type"] == "ruling").await;
    let expected = json!({
        "kind": "unauthorised_stop", "article": "八.2", "offender": "first", "state": "proposed",
        "effect": {"foul": 1, "deduct_ms": 300_000}, "announced": false,
    });
    assert!(holds(&ruling["ruling"], &expected), "{ruling}");
    assert_eq!(ruling["ruling"]["effect"], json!({"foul": 1, "deduct_ms": 300_000}), "{ruling}");
    assert_eq!(ruling["ruling"]["grounds"]["proof"]["provable"], true, "{ruling}");
    let option = ruling["ruling"]["options"]
        .as_array()
        .expect("options")
        .iter()
        .find(|option| option["offender"] == "first" && option["article"] == "八.2");
    let option = option.unwrap_or_else(|| panic!("八.2 against Red is offered: {ruling}"));
    assert_eq!(option["first_ms"], stood[0] - 300_000, "{ruling}");
    assert_eq!(option["second_ms"], stood[1], "{ruling}");
    arbiter.since(mark, "the question is closed", |event| unexplained(event, "closed")).await;

    let id = ruling["ruling"]["id"].clone();
    // The clock hears nothing for a moment: the board owes times.
    clock.deaf(true);
    let mark = arbiter.mark();
    arbiter.done("ruling.confirm", json!({"id": id})).await;
    arbiter
        .since(mark, "it is confirmed", |event| is(event, "ruling", &json!({"id": id, "state": "confirmed"})))
        .await;
    arbiter
        .since(mark, "the foul", |event| {
            is(event, "foul", &json!({"player": "first", "article": "八.2", "count": 1}))
        })
        .await;
    arbiter.refused("board.resume", json!({"board": "1"})).await;
    let boards = hall.get("/api/1/boards", "arbiter").await.json();
    assert_eq!(boards["boards"][0]["owes"]["first_ms"], stood[0] - 300_000, "{boards}");
    assert_eq!(boards["boards"][0]["held"], true, "{boards}");
    clock.deaf(false);
    until("the clock shows five minutes less", SOON, || {
        (clock.times() == [stood[0] - 300_000, stood[1]]).then_some(())
    })
    .await;
    assert_eq!(clock.running(), None, "the board stays stopped");
    arbiter
        .since(mark, "the clock's own word", |event| {
            event["type"] == "times_changed"
                && event["times_changed"]["after"]["first_ms"] == stood[0] - 300_000
        })
        .await;
    arbiter.done_soon("board.resume", json!({"board": "1"})).await;
    until("the clock runs on", SOON, || clock.running()).await;
    assert_eq!(clock.running(), Some(Side::Left), "he whose time ran");
    let seen = ["incident", "ruling", "foul", "stopped"];
    let leaked: Vec<_> = viewer
        .events()
        .into_iter()
        .filter(|event| seen.contains(&event["type"].as_str().unwrap_or("")))
        .collect();
    assert!(leaked.is_empty(), "a viewer was told {leaked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arbiters_stop_leaves_nothing_open() {
    let (_hall, arbiter, clock, _line) = game().await;
    let mark = arbiter.mark();
    arbiter.done("board.stop", json!({"board": "1", "reason": "a question"})).await;
    arbiter.since(mark, "the clock stands", |event| is(event, "stopped", &json!({"ordered": true}))).await;
    assert_eq!(clock.running(), None);
    arbiter.done("board.resume", json!({"board": "1"})).await;
    until("the clock runs on", SOON, || clock.running()).await;
    arbiter.since(mark, "it is told", |event| event["type"] == "resumed").await;
    arbiter
        .nothing(Duration::from_secs(3), mark, "a question or a ruling", |event| {
            event["type"] == "ruling" || event["type"] == "incident"
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_after_the_arbiters_word_is_authorised() {
    let (_hall, arbiter, clock, line) = game().await;
    // His command does not reach the clock; he, or a player at his word, pushes the button.
    clock.deaf(true);
    let mark = arbiter.mark();
    arbiter.done("board.stop", json!({"board": "1"})).await;
    clock.push_stop();
    arbiter.since(mark, "the stop", |event| is(event, "stopped", &json!({"ordered": true}))).await;
    arbiter
        .nothing(Duration::from_secs(4), mark, "a question or a ruling", |event| {
            event["type"] == "ruling" || event["type"] == "incident"
        })
        .await;
    drop(line);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_closes_the_question() {
    let (_hall, arbiter, clock, _line) = game().await;
    clock.push_stop();
    arbiter.wait("the question", |event| unexplained(event, "open")).await;
    let mark = arbiter.mark();
    arbiter.done("board.result", json!({"board": "1", "result": "1/2-1/2", "cause": "repetition"})).await;
    arbiter.since(mark, "the question is closed", |event| unexplained(event, "closed")).await;
    arbiter
        .nothing(Duration::from_secs(3), mark, "a ruling, or a new question", |event| {
            event["type"] == "ruling" || is(event, "incident", &json!({"state": "open"}))
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn play_that_goes_on_without_an_arbiter_is_proposed() {
    let (_hall, arbiter, clock, _line) = game().await;
    clock.push_stop();
    arbiter.wait("the question", |event| unexplained(event, "open")).await;
    clock.push_resume();
    arbiter.wait("it runs on", |event| is(event, "resumed", &json!({"by": "button"}))).await;
    let mark = arbiter.mark();
    clock.press(Side::Left);
    let ruling = arbiter.since(mark, "the ruling", |event| event["type"] == "ruling").await;
    let expected = json!({
        "kind": "unauthorised_stop", "article": "八.2", "state": "proposed",
        "effect": {"foul": 1, "deduct_ms": 300_000},
    });
    assert!(holds(&ruling["ruling"], &expected), "{ruling}");
    assert_eq!(clock.running(), Some(Side::Right), "nothing of ours stops a game");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_asks_for_the_result_after_twenty_seconds() {
    let (_hall, arbiter, clock, _line) = game().await;
    clock.push_stop();
    arbiter.wait("the question", |event| unexplained(event, "open")).await;
    arbiter
        .within(Duration::from_secs(25), 0, "it moves to the lane of results", |event| {
            unexplained(event, "open") && event["incident"]["lane"] == "result_wanted"
        })
        .await;
    clock.over(Some("draw"), true);
    arbiter.wait("closed by the players' own word", |event| unexplained(event, "closed")).await;
}
