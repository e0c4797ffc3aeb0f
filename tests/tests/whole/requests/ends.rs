//! Results, rulings, questions, and the end of a round.

use super::stage::{Stage, Try};
use super::table::Part;
use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use flagfall_tests::hall::Plan;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};

fn foul(board: u32) -> (&'static str, Value) {
    ("foul.record", json!({"round": 1, "board": board, "player": "second", "article": "五.4"}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_at_and_after_the_end_of_games() {
    let plan = Plan {
        boards: 10,
        rounds: 2,
        matches: true,
        regulations: "recording_exempt_ms = 2_999_000".into(),
        ..Plan::default()
    };
    let mut stage = Stage::open(Part::Ends, plan, &[9, 10], &[]).await;
    stage.chief().done("round.start", json!({"round": 1})).await;
    // Red at board 10 thinks; after his move he need not record any more.
    stage.clock("A10").start(Side::Left);

    stage
        .try_out(Try {
            method: "board.result",
            params: json!({"round": 1, "board": "1", "result": "1-0", "cause": "mate"}),
            change: foul(1),
            answer: json!({"board": "1", "result": "1-0", "status": "entered"}),
            told: vec![("result", json!({"result": "1-0", "status": "entered", "cause": "mate"}))],
        })
        .await;
    stage
        .try_out(Try {
            method: "board.sign",
            params: json!({"round": 1, "board": "1"}),
            change: foul(1),
            answer: json!({"board": "1", "status": "signed"}),
            told: vec![("result", json!({"result": "1-0", "status": "signed"}))],
        })
        .await;
    stage
        .try_out(Try {
            method: "board.withdraw_result",
            params: json!({"round": 1, "board": "1", "reason": "the wrong board"}),
            change: foul(1),
            answer: json!({"board": "1", "result": null}),
            told: vec![("result", json!({"result": "1-0", "withdrawn": true}))],
        })
        .await;
    // Somebody has entered one of its boards meanwhile: the sheet says otherwise, and counts once he has seen that.
    stage
        .try_out(Try {
            method: "match.results",
            params: json!({"round": 1, "match": 2, "results": ["1-0", "0-1"], "cause": "resign"}),
            change: ("board.result", json!({"round": 1, "board": "3", "result": "1/2-1/2"})),
            answer: json!({"round": 1, "match": 2, "complete": true}),
            told: vec![
                ("result", json!({"result": "1-0", "status": "entered"})),
                ("result", json!({"result": "0-1", "status": "entered"})),
            ],
        })
        .await;

    rulings(&mut stage).await;
    questions(&mut stage).await;

    // The second round has no game: its results are entered, and it is closed.
    for board in 1..=10 {
        let entered =
            json!({"round": 2, "board": board, "result": "0-1", "cause": "resign", "status": "signed"});
        stage.chief().done("board.result", entered).await;
    }
    let absent = || ("round.absent", json!({"round": 2, "players": []}));
    stage
        .try_out(Try {
            method: "round.export",
            params: json!({"round": 2}),
            change: absent(),
            answer: json!({"round": 2, "complete": true, "closed": false, "missing": []}),
            told: vec![("request", json!({"method": "round.export", "by": "the results", "ok": true}))],
        })
        .await;
    stage
        .try_out(Try {
            method: "round.close",
            params: json!({"round": 2}),
            change: absent(),
            answer: json!({"round": 2}),
            told: vec![("result", json!({"result": "0-1", "status": "official"}))],
        })
        .await;
    stage.look("event.standings", json!({}), json!({"rounds": [1, 2]})).await;
    stage.end().await;
}

async fn rulings(stage: &mut Stage) {
    let made = stage
        .try_out(Try {
            method: "ruling.make",
            params: json!({"round": 1, "board": "5", "kind": "illegal_move", "offender": "first"}),
            change: foul(5),
            answer: json!({}),
            told: vec![("ruling", json!({"kind": "illegal_move", "offender": "first", "state": "proposed"}))],
        })
        .await["id"]
        .clone();
    stage
        .try_out(Try {
            method: "ruling.confirm",
            params: json!({"id": made}),
            change: foul(5),
            answer: json!({"confirmed": [made]}),
            told: vec![
                ("ruling", json!({"id": made, "state": "confirmed", "decided_by": "the arbiter"})),
                ("foul", json!({"player": "first", "article": "六.2", "count": 1, "ruling": made})),
            ],
        })
        .await;
    stage
        .try_out(Try {
            method: "ruling.announce",
            params: json!({"ids": [made]}),
            change: foul(5),
            answer: json!({"announced": [made]}),
            told: vec![("ruling", json!({"id": made, "announced": true}))],
        })
        .await;
    stage
        .try_out(Try {
            method: "ruling.overrule",
            params: json!({"id": made, "reason": "it was legal"}),
            change: foul(5),
            answer: json!({"overruled": [made]}),
            told: vec![
                ("ruling", json!({"id": made, "state": "overruled"})),
                ("foul", json!({"player": "first", "article": "六.2", "count": -1, "ruling": made})),
            ],
        })
        .await;
}

async fn questions(stage: &mut Stage) {
    stage.play(9).await;
    stage.clock("A09").push_stop();
    let asked = stage.wait_on(9, "incident", json!({"kind": "unexplained_stop", "state": "open"})).await;
    let id = asked["incident"]["id"].clone();
    stage
        .try_out(Try {
            method: "incident.take",
            params: json!({"id": id}),
            change: foul(9),
            answer: json!({"id": id, "taken_by": "the arbiter"}),
            told: vec![("incident", json!({"id": id, "state": "open", "taken_by": "the arbiter"}))],
        })
        .await;
    let mark = stage.chief().mark();
    let left = stage.desk("arbiter").done("incident.take", json!({"id": id, "leave": true})).await;
    assert_eq!(left["taken_by"], Value::Null, "{left}");
    let nobody = json!({"id": id, "state": "open", "taken_by": null});
    stage.chief().since(mark, "nobody goes there", |event| is(event, "incident", &nobody)).await;
    stage
        .try_out(Try {
            method: "incident.close",
            params: json!({"id": id, "outcome": "nothing"}),
            change: foul(9),
            answer: json!({"id": id}),
            told: vec![("incident", json!({"id": id, "state": "closed", "outcome": "nothing"}))],
        })
        .await;

    let clock = stage.clock("A10").clone();
    until("Red has little time left", SOON, || (clock.times()[0] < 2_999_000).then_some(())).await;
    clock.press(Side::Left);
    stage.wait_on(10, "recording_exempt", json!({"state": "available"})).await;
    stage.chief().done("recording.exempt", json!({"round": 1, "board": "10"})).await;
    stage.chief().done("board.result", json!({"round": 1, "board": "10", "result": "1-0"})).await;
    let task = stage.wait_on(10, "task", json!({"done": false})).await["task"]["id"].clone();
    stage
        .try_out(Try {
            method: "task.done",
            params: json!({"id": task}),
            change: foul(10),
            answer: json!({"id": task, "done": true}),
            told: vec![("task", json!({"id": task, "done": true}))],
        })
        .await;
}
