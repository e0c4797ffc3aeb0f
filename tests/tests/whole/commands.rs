//! Commands: carried out once, never late.

use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use flagfall_tests::hall::Plan;
use flagfall_tests::lines::Speech;
use flagfall_tests::mqtt;
use flagfall_tests::until::{SOON, until};
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_for_a_clock_that_is_away_expires_and_never_comes_late() {
    let hall = Plan::default().open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, line) = hall.clock(1, 3_000_000, 15_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(1);
    desk.wait("the press", |event| is(event, "press", &json!({"player": "second"}))).await;
    // Its cable breaks. The broker keeps its session, and whatever comes for it.
    drop(line);
    desk.wait("the will", |event| event["type"] == "clock_offline").await;
    let mark = desk.mark();
    let adjusted =
        desk.ask("board.adjust", json!({"board": "1", "player": "first", "delta_ms": 60_000})).await;
    let stopped = desk.ask("board.stop", json!({"board": "1"})).await;
    let away = std::time::Instant::now();
    desk.within(Duration::from_secs(14), mark, "a command is expired", |event| {
        is(event, "command", &json!({"state": "expired"}))
    })
    .await;
    assert!(away.elapsed() < Duration::from_secs(13), "after 10 s, not {:?}", away.elapsed());
    until("12 s are over", Duration::from_secs(13), || {
        (away.elapsed() > Duration::from_secs(12)).then_some(())
    })
    .await;
    let before = clock.heard().len();
    let mark = desk.mark();
    let _line = mqtt::connect(&clock, hall.broker_port(), Speech::Json).await;
    desk.since(mark, "it is back", |event| event["type"] == "clock_online").await;
    clock.press(Side::Left);
    desk.since(mark, "it is heard", |event| is(event, "press", &json!({"moves": 2}))).await;
    desk.nothing(Duration::from_secs(4), mark, "a change of the clock", |event| {
        event["type"] == "times_changed" || event["type"] == "stopped"
    })
    .await;
    let late: Vec<_> = clock.heard().split_off(before);
    let late: Vec<_> = late
        .into_iter()
        .filter(|command| {
            !["ack", "replay", "describe"].contains(&command["do"]["type"].as_str().unwrap_or(""))
        })
        .collect();
    assert!(late.is_empty(), "it came late: {late:?} ({adjusted:?}, {stopped:?})");
    assert_eq!(clock.running(), Some(Side::Right), "nothing was carried out late");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_repeated_with_one_number_and_carried_out_once() {
    let hall = Plan::default().open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(1);
    desk.wait("two presses", |event| is(event, "press", &json!({"player": "second"}))).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    desk.wait("it stands", |event| event["type"] == "stopped").await;
    let before = clock.times();
    // What the clock answers is lost for three seconds.
    clock.hold();
    let asking = desk.ask("board.adjust", json!({"board": "1", "player": "second", "delta_ms": -60_000}));
    let waiting = async {
        until("it is repeated", SOON, || (clock.heard_of("adjust").len() >= 3).then_some(())).await;
        for said in clock.release() {
            clock.put(said);
        }
    };
    let (answer, ()) = tokio::join!(asking, waiting);
    answer.expect("done");
    desk.wait("the clock's word", |event| {
        event["type"] == "times_changed" && event["times_changed"]["after"]["second_ms"] == before[1] - 60_000
    })
    .await;
    assert_eq!(clock.times(), [before[0], before[1] - 60_000], "once");
    let mut numbers: Vec<_> =
        clock.heard_of("adjust").iter().map(|command| command["command"].as_u64()).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), 1, "{numbers:?}");
    let done = json!({"state": "done", "do": {"type": "adjust"}});
    desk.wait("it is told as done", |event| is(event, "command", &done)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_carry_rising_numbers_the_boot_and_a_time_limit_of_the_clocks_own() {
    let done = |event: &&serde_json::Value| is(event, "command", &json!({"state": "done"}));
    let mut hall = Plan::default().open().await;
    let desk = hall.desk("technician").await;
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    for n in 1..=2 {
        desk.done("clock.identify", json!({"clock": "A01"})).await;
        until("it blinks", SOON, || (desk.count(done) >= n).then_some(())).await;
    }
    drop(desk);
    hall.kill();
    hall.start().await;
    let desk = hall.desk("technician").await;
    desk.done("clock.identify", json!({"clock": "A01"})).await;
    until("a third command", SOON, || (clock.heard_of("identify").len() >= 3).then_some(())).await;
    let mut numbers: Vec<u64> = clock
        .heard_of("identify")
        .iter()
        .map(|command| command["command"].as_u64().expect("a number"))
        .collect();
    numbers.dedup();
    assert!(numbers.len() == 3 && numbers.is_sorted(), "{numbers:?}");
    for command in clock.heard_of("identify") {
        assert_eq!((&command["clock"], &command["boot"]), (&json!("A01"), &json!(1)), "{command}");
        assert!(command["until_ms"].as_u64().is_some_and(|until| until < 120_000), "{command}");
    }
}

/// The word and the start cross on their way: the board was not known to run when he gave it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arbiters_stop_that_crosses_the_start_stops_the_clock_and_accuses_nobody() {
    let hall = Plan::default().open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.hold();
    clock.start(Side::Left);
    clock.moves(1);
    desk.done("board.stop", json!({"board": "1"})).await;
    for said in clock.release() {
        clock.put(said);
    }
    until("the clock stands", SOON, || clock.running().is_none().then_some(())).await;
    desk.nothing(Duration::from_secs(1), 0, "a ruling", |event| event["type"] == "ruling").await;
}
