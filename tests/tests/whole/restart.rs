//! Killed in the middle: what was told stays told, and counting goes on.

use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use flagfall_tests::hall::{Plan, token};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_kill_the_same_events_have_the_same_seqs_and_counting_goes_on() {
    let mut hall = Plan { boards: 2, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (red, _red) = hall.clock(1, 3_000_000, 15_000).await;
    let (other, _other) = hall.clock(2, 3_000_000, 15_000).await;
    for clock in ["A01", "A02"] {
        desk.wait("the clock is heard", |event| event["clock"] == clock && event["type"] == "clock_online")
            .await;
    }
    let start = json!({"round": 1, "request_id": "start-1"});
    let first = desk.done("round.start", start.clone()).await;
    red.start(Side::Left);
    other.start(Side::Left);
    red.moves(5);
    let refusal = desk.ask("board.resume", json!({"board": "2", "request_id": "no-1"})).await;
    desk.wait("ten presses", |event| {
        event["board"] == "1" && is(event, "press", &json!({"moves": 5, "player": "second"}))
    })
    .await;
    let left_at = desk.head();
    other.push_stop();
    desk.wait("a question", |event| is(event, "incident", &json!({"kind": "unexplained_stop"}))).await;
    let before = desk.events();
    let journal = desk.welcome["journal"].clone();
    hall.kill();
    drop(desk);
    // The games go on meanwhile.
    red.moves(3);
    other.push_resume();
    hall.start().await;

    let desk = hall.desk("arbiter").await;
    assert_eq!(desk.welcome["journal"], journal, "the same journal");
    desk.wait("what happened meanwhile", |event| {
        event["board"] == "1" && is(event, "press", &json!({"moves": 8, "player": "second"}))
    })
    .await;
    desk.wait("it runs on", |event| event["board"] == "2" && is(event, "resumed", &json!({"by": "button"})))
        .await;
    let after = desk.events();
    assert_eq!(after[..before.len()], before[..], "what was told never changes");
    for (at, event) in after.iter().enumerate() {
        assert_eq!(event["seq"].as_u64(), u64::try_from(at + 1).ok(), "without holes: {event}");
    }
    let presses: Vec<&Value> =
        after.iter().filter(|event| event["type"] == "press" && event["board"] == "1").collect();
    assert_eq!(presses.len(), 16, "each once");
    assert_eq!(after.iter().filter(|event| event["type"] == "gap").count(), 0);

    // A client that was here before gets exactly what it missed.
    let resumed = hall.hello(json!({"token": token("arbiter"), "journal": journal, "after": left_at})).await;
    assert!(resumed.welcome.get("snapshot").is_none(), "{}", resumed.welcome);
    assert_ne!(resumed.welcome["reset"], true);
    let last = after.last().expect("events")["seq"].clone();
    resumed.wait("the last", |event| event["seq"] == last).await;
    let missed: Vec<Value> =
        after.iter().filter(|event| event["seq"].as_u64() > Some(left_at)).cloned().collect();
    assert_eq!(resumed.events()[..missed.len()], missed[..]);

    // A repeat gets the first answer; nothing is done twice.
    let mark = desk.mark();
    assert_eq!(desk.done("round.start", start).await, first);
    assert_eq!(desk.ask("board.resume", json!({"board": "2", "request_id": "no-1"})).await, refusal);
    desk.nothing(Duration::from_millis(500), mark, "the round starts again", |event| {
        event["type"] == "round_started" || event["type"] == "request"
    })
    .await;

    // And it counts on.
    red.press(Side::Left);
    desk.since(mark, "the next press", |event| is(event, "press", &json!({"moves": 9, "player": "first"})))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_again_and_again_while_clocks_play_it_loses_and_doubles_nothing() {
    let mut hall = Plan { boards: 3, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let mut clocks = Vec::new();
    for table in 1..=3 {
        clocks.push(hall.clock(table, 3_000_000, 15_000).await);
    }
    for clock in ["A01", "A02", "A03"] {
        desk.wait("the clock is heard", |event| event["clock"] == clock && event["type"] == "clock_online")
            .await;
    }
    desk.done("round.start", json!({"round": 1})).await;
    for (clock, _) in &clocks {
        clock.start(Side::Left);
    }
    let playing: Vec<_> = clocks
        .iter()
        .map(|(clock, _)| {
            let clock = clock.clone();
            tokio::spawn(async move {
                for _ in 0..60 {
                    clock.moves(1);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            })
        })
        .collect();
    let mut told = desk.events();
    for kill in 0..3 {
        let desk = hall.desk("arbiter").await;
        // Somewhere in the middle of a game, each time elsewhere.
        let pause = Duration::from_millis(700 + kill * 170);
        tokio::time::sleep(pause).await;
        hall.kill();
        let seen = desk.events();
        let same = told.len().min(seen.len());
        assert_eq!(seen[..same], told[..same]);
        told = seen;
        hall.start().await;
    }
    for playing in playing {
        playing.await.expect("played");
    }
    let desk = hall.desk("arbiter").await;
    for board in ["1", "2", "3"] {
        desk.within(Duration::from_secs(20), 0, "the last press", |event| {
            event["board"] == board && is(event, "press", &json!({"moves": 60, "player": "second"}))
        })
        .await;
        let events = desk.events();
        let presses: Vec<u64> = events
            .iter()
            .filter(|event| event["type"] == "press" && event["board"] == board)
            .map(|event| event["press"]["moves"].as_u64().expect("moves"))
            .collect();
        let wanted: Vec<u64> = (1..=60).flat_map(|n| [n, n]).collect();
        assert_eq!(presses, wanted, "board {board}");
    }
    let events = desk.events();
    assert_eq!(events[..told.len()], told[..]);
    assert!(events.iter().all(|event| event["type"] != "ruling" && event["type"] != "gap"), "{events:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_does_not_come_back_after_a_restart_is_told_of_as_gone() {
    let mut hall = Plan { boards: 2, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (stays, _line) = hall.clock(1, 3_000_000, 15_000).await;
    let (goes, line) = hall.clock(2, 3_000_000, 15_000).await;
    desk.done("round.start", json!({"round": 1})).await;
    for clock in [&stays, &goes] {
        let name = clock.name();
        desk.wait("the clock is heard", |event| event["clock"] == name && event["type"] == "clock_online")
            .await;
        clock.start(Side::Left);
        desk.wait("it runs", |event| event["clock"] == name && event["type"] == "game_started").await;
    }
    let before = desk.mark();
    hall.kill();
    drop(line);
    hall.start().await;
    let desk = hall.desk("arbiter").await;
    let gone = desk
        .within(Duration::from_secs(8), before, "it is gone", |event| event["type"] == "clock_offline")
        .await;
    assert_eq!((&gone["clock"], &gone["board"]), (&json!("A02"), &json!("2")), "{gone}");
    desk.since(before, "the other is back", |event| {
        event["clock"] == "A01" && is(event, "clock_online", &json!({"cause": "back"}))
    })
    .await;
    let ruled = desk.count(|event| event["type"] == "ruling");
    assert_eq!(ruled, 0, "silence is nobody's fault");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_end_it_ends_well_and_says_so_to_its_desks() {
    let mut hall = Plan::default().open().await;
    let desk = hall.desk("chief").await;
    assert_eq!(hall.end().await, 0, "{}", hall.log());
    flagfall_tests::until::until("the desk is closed", flagfall_tests::until::SOON, || {
        desk.closed().then_some(())
    })
    .await;
}
