//! While games are played.

use super::stage::{Stage, Try};
use super::table::Part;
use flagfall_tests::clock::Side;
use flagfall_tests::hall::Plan;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};

/// What somebody else does on a board of round 1: a foul of Black's, which hinders nothing.
fn foul(board: u32) -> (&'static str, Value) {
    ("foul.record", json!({"round": 1, "board": board, "player": "second", "article": "五.4"}))
}

fn on(board: u32, more: Value) -> Value {
    let mut params = json!({"round": 1, "board": board.to_string()});
    for (name, value) in more.as_object().expect("an object") {
        params[name] = value.clone();
    }
    params
}

fn sent(action: &str) -> (&'static str, Value) {
    ("command", json!({"do": {"type": action}, "state": "sent"}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_while_games_are_played() {
    let plan = Plan { boards: 10, regulations: "recording_exempt_ms = 2_999_000".into(), ..Plan::default() };
    let tables: Vec<u32> = (1..=10).collect();
    let mut stage = Stage::open(Part::Play, plan, &tables, &[]).await;
    stage.chief().done("round.start", json!({"round": 1})).await;
    // Red at board 9 thinks; after his move he need not record any more.
    stage.clock("A09").start(Side::Left);

    stage.play(1).await;
    stage
        .try_out(Try {
            method: "board.stop",
            params: on(1, json!({})),
            change: foul(1),
            answer: json!({"board": "1", "held": true}),
            told: vec![sent("stop")],
        })
        .await;

    stage.stop(2).await;
    stage
        .try_out(Try {
            method: "board.resume",
            params: on(2, json!({})),
            change: foul(2),
            answer: json!({"board": "2", "held": false}),
            told: vec![sent("resume")],
        })
        .await;

    stage.stop(3).await;
    stage
        .try_out(Try {
            method: "board.swap_sides",
            params: on(3, json!({})),
            change: foul(3),
            answer: json!({"board": "3", "first_side": "right"}),
            told: vec![("request", json!({"method": "board.swap_sides", "ok": true}))],
        })
        .await;
    let boards = stage.hall.get("/api/1/boards", "arbiter").await.json();
    assert_eq!(boards["boards"][2]["first_side"], "right", "{boards}");

    stage.stop(4).await;
    stage
        .try_out(Try {
            method: "board.set_times",
            params: on(4, json!({"first_ms": 600_000, "second_ms": 700_000})),
            change: foul(4),
            answer: json!({"board": "4", "first_ms": 600_000, "second_ms": 700_000}),
            told: vec![sent("adjust")],
        })
        .await;

    stage.stop(5).await;
    stage
        .try_out(Try {
            method: "board.adjust",
            params: on(5, json!({"player": "first", "delta_ms": -60_000})),
            change: foul(5),
            answer: json!({"board": "5"}),
            told: vec![(
                "command",
                json!({"do": {"type": "adjust", "left_delta_ms": -60_000}, "state": "sent"}),
            )],
        })
        .await;

    let undone = on(6, json!({"player": "first", "article": "六.2"}));
    let undone = stage.chief().done("foul.record", undone).await["seq"].clone();
    stage
        .try_out(Try {
            method: "undo",
            params: json!({"seq": undone, "reason": "the wrong board"}),
            change: foul(6),
            answer: json!({"undone": undone, "board": "6"}),
            told: vec![
                ("undone", json!({"seq": undone, "by": "the arbiter"})),
                ("foul", json!({"player": "first", "article": "六.2", "count": -1})),
            ],
        })
        .await;

    stage.play(7).await;
    stage.clock("A07").push_stop();
    stage.wait_on(7, "incident", json!({"kind": "unexplained_stop", "state": "open"})).await;
    stage
        .try_out(Try {
            method: "stop.explain",
            params: on(7, json!({"cause": "accident"})),
            change: foul(7),
            answer: json!({"board": "7", "cause": "accident"}),
            told: vec![(
                "incident",
                json!({"kind": "unexplained_stop", "state": "closed", "outcome": "accident"}),
            )],
        })
        .await;

    stage
        .try_out(Try {
            method: "foul.record",
            params: on(8, json!({"player": "first", "article": "六.2"})),
            change: foul(8),
            answer: json!({"in_game": 1}),
            told: vec![(
                "foul",
                json!({"player": "first", "article": "六.2", "count": 1, "by": "the arbiter"}),
            )],
        })
        .await;
    stage
        .try_out(Try {
            method: "foul.withdraw",
            params: on(8, json!({"player": "first", "article": "六.2"})),
            change: foul(8),
            answer: json!({"in_game": 0}),
            told: vec![("foul", json!({"player": "first", "article": "六.2", "count": -1, "in_game": 0}))],
        })
        .await;
    looks(&mut stage).await;

    let clock = stage.clock("A09").clone();
    until("Red has little time left", SOON, || (clock.times()[0] < 2_999_000).then_some(())).await;
    clock.press(Side::Left);
    stage.wait_on(9, "recording_exempt", json!({"player": "first", "state": "available"})).await;
    stage
        .try_out(Try {
            method: "recording.exempt",
            params: on(9, json!({})),
            change: foul(9),
            answer: json!({"board": "9", "state": "granted"}),
            told: vec![("recording_exempt", json!({"player": "both", "state": "granted"}))],
        })
        .await;

    stage.play(10).await;
    stage
        .try_out(Try {
            method: "claim.open",
            params: on(10, json!({"player": "first", "kind": "natural_limit"})),
            change: foul(10),
            answer: json!({"board": "10", "player": "first", "kind": "natural_limit"}),
            told: vec![("incident", json!({"kind": "claim", "state": "open"})), sent("stop")],
        })
        .await;
    stage
        .try_out(Try {
            method: "claim.decide",
            params: on(10, json!({"player": "first", "outcome": "refused"})),
            change: foul(10),
            answer: json!({"board": "10", "outcome": "refused"}),
            told: vec![("incident", json!({"kind": "claim", "state": "closed", "outcome": "refused"}))],
        })
        .await;

    let absent = || ("round.absent", json!({"round": 1, "players": []}));
    stage
        .try_out(Try {
            method: "round.pause",
            params: json!({"round": 1, "reason": "no light"}),
            change: absent(),
            answer: json!({"round": 1}),
            told: vec![sent("stop")],
        })
        .await;
    assert_eq!(stage.hall.get("/api/1/boards", "arbiter").await.json()["boards"][8]["held"], true);
    stage
        .try_out(Try {
            method: "round.resume",
            params: json!({"round": 1, "seated": true}),
            change: absent(),
            answer: json!({"round": 1}),
            told: vec![sent("resume")],
        })
        .await;
    stage.end().await;
}

/// What was recorded and withdrawn above, and what would follow from the next one.
async fn looks(stage: &mut Stage) {
    let player = on(8, json!({"player": "second"}));
    let answer = json!({"round": 1, "board": "8", "player": "second", "in_game": 2});
    stage.look("foul.articles", player.clone(), answer).await;
    let said = stage.desk("arbiter").done("foul.articles", player).await;
    let articles = said["articles"].as_array().expect("articles");
    let third = articles.iter().find(|article| article["article"] == "五.4").expect("五.4");
    assert_eq!(third["follows"][0]["kind"], "points", "the third over the event (六.4): {third}");

    stage.look("foul.list", json!({"round": 1}), json!({})).await;
    let list = stage.desk("results").done("foul.list", json!({"round": 1})).await;
    let lines = list["fouls"].as_array().expect("a list");
    let withdrawn =
        lines.iter().find(|line| line["board"] == "8" && line["player"] == "first").expect("it stays");
    assert_eq!((&withdrawn["article"], &withdrawn["count"]), (&json!("六.2"), &json!(1)));
    assert_eq!(
        (&withdrawn["withdrawn"]["count"], &withdrawn["withdrawn"]["by"]),
        (&json!(1), &json!("the arbiter"))
    );
}
