//! Setting up, and the beginning of a round.

use super::stage::{Stage, Try};
use super::table::Part;
use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use flagfall_tests::hall::Plan;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_before_a_round_and_at_its_start() {
    let plan = Plan { boards: 6, rounds: 2, matches: true, ..Plan::default() };
    let mut stage = Stage::open(Part::Before, plan, &[1, 2, 3, 4, 5, 6], &["Z01", "Z02"]).await;

    stage
        .try_out(Try {
            method: "event.mode",
            params: json!({"mode": "act"}),
            change: ("event.mode", json!({"mode": "assist"})),
            answer: json!({"mode": "act"}),
            told: vec![("request", json!({"method": "event.mode", "by": "the chief", "ok": true}))],
        })
        .await;
    assert_eq!(stage.chief().welcome["mode"], "act", "it was assist before");

    stage
        .try_out(Try {
            method: "clock.identify",
            params: json!({"clock": "A01"}),
            change: ("board.assign", json!({"round": 1, "board": "6", "clock": "Z01"})),
            answer: json!({"clock": "A01"}),
            told: vec![("command", json!({"do": {"type": "identify"}, "state": "sent"}))],
        })
        .await;

    stage
        .try_out(Try {
            method: "setup.walk",
            params: json!({"from_table": 2, "to_table": 3}),
            change: ("board.assign", json!({"round": 1, "board": "6", "clock": "A06"})),
            answer: json!({"from_table": 2, "to_table": 3, "next": 2}),
            told: vec![("request", json!({"method": "setup.walk", "by": "the technician", "ok": true}))],
        })
        .await;
    // The walk goes on after the restart: the lever pressed next is at table 2.
    let mark = stage.chief().mark();
    stage.clock("Z01").ready(Side::Left);
    let bound = json!({"table": 2, "clock": "Z01"});
    stage.chief().since(mark, "it is bound", |event| is(event, "assigned", &bound)).await;
    stage.desk("technician").done("setup.walk", json!({"stop": true})).await;

    stage
        .try_out(Try {
            method: "board.assign",
            params: json!({"round": 1, "board": "5", "clock": "Z02"}),
            change: ("board.assign", json!({"round": 1, "board": "2", "clock": "A02"})),
            answer: json!({"board": "5", "clock": "Z02"}),
            told: vec![("assigned", json!({"table": 5, "clock": "Z02", "by": "the technician"}))],
        })
        .await;

    let list =
        |first: &str, second: &str| json!([{"board": "1", "table": 1, "first": first, "second": second}]);
    stage
        .try_out(Try {
            method: "round.load",
            params: json!({"round": 3, "boards": list("Anna", "Boris"), "replace": true}),
            change: ("round.load", json!({"round": 3, "boards": list("Clara", "Boris")})),
            answer: json!({"round": 3}),
            told: vec![("request", json!({"method": "round.load", "by": "the results", "ok": true}))],
        })
        .await;
    let entered = json!({"round": 3, "board": "1", "result": "1-0"});
    stage.desk("results").done("board.result", entered).await;
    let exported = stage.desk("results").done("round.export", json!({"round": 3})).await;
    let csv = exported["csv"].as_str().expect("a file");
    assert!(csv.contains("Anna") && !csv.contains("Clara"), "{csv}");

    stage
        .try_out(Try {
            method: "round.prepare",
            params: json!({"round": 1}),
            change: ("round.absent", json!({"round": 1, "players": []})),
            answer: json!({"round": 1}),
            told: vec![("command", json!({"do": {"type": "configure"}, "state": "done"}))],
        })
        .await;
    let ready = json!({"round": 1});
    stage.look("round.check", ready.clone(), ready.clone()).await;
    let checked = stage.desk("viewer").done("round.check", ready).await;
    let states: Vec<_> =
        checked["tables"].as_array().expect("tables").iter().map(|row| &row["state"]).collect();
    assert_eq!(states, ["ready"; 6], "{checked}");

    let third = json!({"round": 3});
    stage.look("round.view", third.clone(), third.clone()).await;
    let result = |shown: &Value| shown["boards"][0]["result"]["result"].clone();
    let shown = stage.desk("arbiter").done("round.view", third.clone()).await;
    assert_eq!(result(&shown), "1-0", "{shown}");
    let shown = stage.desk("viewer").done("round.view", third).await;
    assert_eq!(shown["boards"][0]["first"]["name"], "Anna");
    assert_eq!(result(&shown), Value::Null, "not signed: {shown}");

    // Until midnight: it is still to come, and less than a day away.
    let now = stage.chief().welcome["now"].as_str().expect("an instant").to_owned();
    let midnight = format!("{}T23:59:59.999Z", &now[..10]);
    stage
        .try_out(Try {
            method: "match.hold",
            params: json!({"round": 1, "match": 3, "until": midnight, "reason": "a bus"}),
            change: ("foul.record", json!({"round": 1, "board": "6", "player": "first", "article": "五.4"})),
            answer: json!({"round": 1, "match": 3}),
            told: vec![("notice", json!({"kind": "match_held"}))],
        })
        .await;

    stage
        .try_out(Try {
            method: "round.start",
            params: json!({"round": 1}),
            change: ("round.absent", json!({"round": 1, "players": []})),
            answer: json!({"round": 1, "adopted": 0}),
            told: vec![("round_started", json!({"by": "the arbiter", "adopted": 0}))],
        })
        .await;

    stage
        .try_out(Try {
            method: "round.absent",
            params: json!({"round": 1, "players": [{"board": "3", "player": "first"}]}),
            change: ("round.absent", json!({"round": 1, "players": []})),
            answer: json!({"round": 1, "absent": 1}),
            told: vec![("presence", json!({"player": "first", "state": "absent", "how": "arbiter"}))],
        })
        .await;

    // A round-wide request that names the board counts for the board.
    let second = json!([{"board": "3", "player": "second"}]);
    stage
        .try_out(Try {
            method: "player.arrived",
            params: json!({"round": 1, "board": "3", "player": "first"}),
            change: ("round.absent", json!({"round": 1, "players": second})),
            answer: json!({"board": "3", "player": "first"}),
            told: vec![("presence", json!({"player": "first", "state": "present"}))],
        })
        .await;

    let times = json!({"board": "4", "first_ms": 3_000_000, "second_ms": 3_000_000, "both_late": false});
    stage.look("board.start_times", json!({"round": 1, "board": "4"}), times).await;
    stage
        .try_out(Try {
            method: "board.start",
            params: json!({"round": 1, "board": "4", "first_ms": 3_000_000, "second_ms": 3_000_000}),
            change: ("player.arrived", json!({"round": 1, "board": "4", "player": "second"})),
            answer: json!({"board": "4", "first_ms": 3_000_000, "second_ms": 3_000_000}),
            told: vec![("command", json!({"do": {"type": "start", "side": "left"}, "state": "sent"}))],
        })
        .await;

    let history = json!({"round": 1, "board": "3", "more": false});
    stage.look("board.history", json!({"round": 1, "board": "3"}), history).await;
    stage.end().await;
}
