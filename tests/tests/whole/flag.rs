//! A flag is not yet a result: what is decided by itself, and who may see it.

use flagfall_tests::clock::Side;
use flagfall_tests::desk::{holds, is};
use flagfall_tests::hall::Plan;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flag_gives_one_confirmed_forfeit_that_no_viewer_sees() {
    let plan = Plan { boards: 2, regulations: "base_ms = 4000\nincrement_ms = 0".into(), ..Plan::default() };
    let hall = plan.open().await;
    let (arbiter, viewer) = (hall.desk("arbiter").await, hall.desk("viewer").await);
    let (clock, _line) = hall.clock(1, 4_000, 0).await;
    arbiter.wait("the clock is heard", |event| event["clock"] == "A01" && event["type"] == "clock_online").await;
    arbiter.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(2);

    let flag = arbiter.wait("the flag", |event| is(event, "flag", &json!({"player": "first"}))).await;
    assert_eq!((&flag["board"], &flag["flag"]["side"]), (&json!("1"), &json!("left")), "{flag}");
    assert_eq!(flag["audience"], "desk", "{flag}");
    let ruling = arbiter
        .wait("the ruling", |event| is(event, "ruling", &json!({"kind": "time_forfeit", "state": "confirmed"})))
        .await;
    let expected = json!({
        "article": "三(1)", "offender": "first", "effect": {"result": "0-1"}, "announced": false,
    });
    assert!(holds(&ruling["ruling"], &expected), "{ruling}");
    let grounds = ruling["ruling"]["grounds"]["events"].as_array().expect("grounds");
    assert!(grounds.contains(&flag["seq"]), "the ruling rests on the flag: {ruling}");
    for language in ["zh", "en"] {
        assert_ne!(ruling["ruling"]["text"][language], "", "{ruling}");
    }
    let result = arbiter.wait("the result", |event| event["type"] == "result").await;
    assert!(holds(&result["result"], &json!({"result": "0-1", "status": "provisional", "cause": "time"})), "{result}");
    assert_eq!(result["audience"], "desk", "{result}");

    // Nothing more of it comes, and to a viewer nothing of it at all.
    arbiter.nothing(Duration::from_millis(1_500), 0, "a second ruling", {
        let id = ruling["ruling"]["id"].clone();
        move |event| event["type"] == "ruling" && event["ruling"]["id"] != id
    })
    .await;
    let confirmed = |event: &&serde_json::Value| is(event, "ruling", &json!({"state": "confirmed"}));
    assert_eq!(arbiter.count(confirmed), 1);
    assert_eq!(arbiter.count(|event| event["type"] == "result"), 1);
    let told = viewer.events();
    assert!(told.iter().any(|event| event["type"] == "round_started"), "a viewer sees the round start: {told:?}");
    let hidden = ["flag", "ruling", "result", "incident", "request", "command"];
    let leaked: Vec<_> = told.iter().filter(|event| hidden.contains(&event["type"].as_str().unwrap_or(""))).collect();
    assert!(leaked.is_empty(), "a viewer was told {leaked:?}");
    let read = hall.get("/api/1/events?after=0&limit=1000", "viewer").await.json();
    let read = read["events"].as_array().expect("events").clone();
    assert_eq!(read, told, "HTTP and WebSocket tell a viewer the same");
    let boards = hall.get("/api/1/boards", "viewer").await.json();
    assert_eq!(boards["boards"][0]["result"], json!(null), "{boards}");
    assert_eq!(boards["boards"][0]["flag"], json!(null), "a viewer's board: {boards}");
    let boards = hall.get("/api/1/boards", "arbiter").await.json();
    assert_eq!(boards["boards"][0]["result"]["status"], "provisional", "{boards}");

    // A person signs it: now it is public.
    arbiter.done("board.result", json!({"board": "1", "result": "0-1", "cause": "time", "status": "signed"})).await;
    viewer.wait("the signed result", |event| is(event, "result", &json!({"result": "0-1", "status": "signed"}))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flag_on_a_board_with_a_result_is_history() {
    let plan = Plan { regulations: "base_ms = 3000\nincrement_ms = 0".into(), ..Plan::default() };
    let hall = plan.open().await;
    let arbiter = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 3_000, 0).await;
    arbiter.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    arbiter.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(1);
    arbiter.wait("two presses", |event| is(event, "press", &json!({"player": "second"}))).await;
    arbiter.done("board.result", json!({"board": "1", "result": "1-0", "cause": "resign"})).await;
    arbiter.wait("the flag", |event| event["type"] == "flag").await;
    arbiter.nothing(Duration::from_millis(1_500), 0, "a ruling or an incident after the result", |event| {
        event["type"] == "ruling" || event["type"] == "incident"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_mode_assist_a_flag_is_only_proposed_and_in_observe_only_told() {
    for (mode, proposed) in [("assist", true), ("observe", false)] {
        let plan = Plan {
            event: format!("mode = \"{mode}\""),
            regulations: "base_ms = 2000\nincrement_ms = 0".into(),
            ..Plan::default()
        };
        let hall = plan.open().await;
        let arbiter = hall.desk("arbiter").await;
        let (clock, _line) = hall.clock(1, 2_000, 0).await;
        arbiter.wait("the clock is heard", |event| event["type"] == "clock_online").await;
        arbiter.done("round.start", json!({"round": 1})).await;
        clock.start(Side::Left);
        arbiter.wait("the flag", |event| event["type"] == "flag").await;
        if proposed {
            arbiter
                .wait("the proposal", |event| {
                    is(event, "ruling", &json!({"kind": "time_forfeit", "state": "proposed"}))
                })
                .await;
        }
        arbiter
            .nothing(Duration::from_millis(1_500), 0, "a decision of the daemon's own", |event| {
                is(event, "ruling", &json!({"state": "confirmed"}))
                    || event["type"] == "result"
                    || (!proposed && event["type"] == "ruling")
            })
            .await;
    }
}
