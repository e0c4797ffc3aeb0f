//! A board that can be bought, in a real hall: the program a Pico is flashed with runs in the emulator in the world's own
//! time, is named with the technician's tool, and plays a round that the desk sees.

mod table;

use flagfall_tests::desk::{holds, is};
use flagfall_tests::pico::{Contact, Happened};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use table::{NEAR, Table, game};

/// Moves are seen with the right times; those made while the cable was out come later, as they were.
async fn play(table: &mut Table) {
    for (player, moves, thinks) in
        [("first", 1, 700), ("second", 1, 300), ("first", 2, 150), ("second", 2, 500)]
    {
        let mark = table.chief.mark();
        table.moves(thinks).await;
        let press = table.pressed(mark, player, moves).await;
        table.agree(&press["press"], &press);
    }
    let mark = table.chief.mark();
    table.clock.unplug();
    for thinks in [400, 250, 300] {
        table.moves(thinks).await;
    }
    table.clock.plug();
    for (player, moves) in [("first", 3), ("second", 3), ("first", 4)] {
        let press = table.pressed(mark, player, moves).await;
        assert_ne!(press["press"]["derived"], true, "it is the clock's own word: {press}");
    }
    let press = table.pressed(mark, "first", 4).await;
    table.agree(&press["press"], &press);
    let told = table.chief.events();
    let lost: Vec<_> = told.iter().filter(|event| event["type"] == "gap").collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// The button is pushed, and nobody knows why: a question, a ruling in private, five minutes.
async fn stopped(table: &mut Table) {
    let mark = table.chief.mark();
    let at = table.push(Contact::Stop).await;
    table.stands(at);
    let stopped = json!({"by": "button", "ordered": false, "player": "second"});
    let stop = table.chief.since(mark, "the stop", |event| is(event, "stopped", &stopped)).await;
    table.agree(&stop["stopped"], &stop);
    let question = json!({"kind": "unexplained_stop", "state": "open"});
    let incident = table.chief.since(mark, "a question", |event| is(event, "incident", &question)).await;
    assert_eq!(incident["audience"], "desk", "{incident}");
    let nothing = |event: &Value| event["type"] == "ruling";
    table.chief.nothing(Duration::from_millis(500), mark, "a ruling nobody asked for", nothing).await;

    let word = json!({"board": "1", "cause": "without_cause", "offender": "second"});
    table.chief.done("stop.explain", word).await;
    let ruling = table.chief.since(mark, "the ruling", |event| event["type"] == "ruling").await;
    let proposed = json!({"kind": "unauthorised_stop", "article": "八.2", "offender": "second", "state": "proposed",
        "effect": {"foul": 1, "deduct_ms": 300_000}, "announced": false});
    assert!(holds(&ruling["ruling"], &proposed), "{ruling}");
    table.chief.done("ruling.confirm", json!({"id": ruling["ruling"]["id"]})).await;
    table.ms[1] -= 300_000;
    let less = json!({"after": {"first_ms": table.ms[0], "second_ms": table.ms[1]}});
    table.chief.since(mark, "five minutes less", |event| is(event, "times_changed", &less)).await;
    table.resume().await;
}

/// An arbiter's stop is nobody's offence.
async fn ordered(table: &mut Table) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mark = table.chief.mark();
    table.chief.done("board.stop", json!({"board": "1", "reason": "a question"})).await;
    table.stands(Instant::now());
    let stopped = json!({"ordered": true, "player": "second"});
    let stop = table.chief.since(mark, "it stands", |event| is(event, "stopped", &stopped)).await;
    table.agree(&stop["stopped"], &stop);
    table.resume().await;
    let fault = |event: &Value| matches!(event["type"].as_str(), Some("ruling" | "incident"));
    table.chief.nothing(Duration::from_millis(500), mark, "a question or a ruling", fault).await;
}

/// The battery falls out in the middle of a move.
async fn powerless(table: &mut Table) {
    let mark = table.chief.mark();
    table.moves(300).await;
    let press = table.pressed(mark, "second", 4).await;
    table.agree(&press["press"], &press);
    tokio::time::sleep(Duration::from_millis(1_300)).await;
    let mark = table.chief.mark();
    table.clock.cut(7);
    table.stands(Instant::now());
    tokio::time::sleep(Duration::from_millis(400)).await;
    table.clock.power();
    let by = json!({"by": "power", "player": "first", "ordered": false});
    let stop = table.chief.since(mark, "it stands", |event| is(event, "stopped", &by)).await;
    let kept =
        [&stop["stopped"]["first_ms"], &stop["stopped"]["second_ms"]].map(|ms| ms.as_i64().expect("ms"));
    let lost = kept[0] - table.ms[0];
    println!("a power cut gave the side to move {lost} ms");
    assert!((-NEAR..=1_000 + NEAR).contains(&lost), "at most a second, in his favour: {lost} in {stop}");
    assert_eq!(kept[1], table.ms[1], "{stop}");
    table.ms = kept;
    let question = json!({"kind": "clock_reset", "state": "open"});
    table.chief.since(mark, "a question", |event| is(event, "incident", &question)).await;
    table.resume().await;
    table
        .chief
        .since(mark, "answered", |event| {
            is(event, "incident", &json!({"kind": "clock_reset", "state": "closed"}))
        })
        .await;
    let mark = table.chief.mark();
    table.moves(400).await;
    let press = table.pressed(mark, "first", 5).await;
    table.agree(&press["press"], &press);
}

/// Little time, and it runs out.
async fn flag(table: &mut Table) {
    let mark = table.chief.mark();
    table.chief.done("board.stop", json!({"board": "1"})).await;
    table.chief.since(mark, "it stands", |event| is(event, "stopped", &json!({"ordered": true}))).await;
    table
        .chief
        .done_soon("board.set_times", json!({"board": "1", "first_ms": 300_000, "second_ms": 1_500}))
        .await;
    let set = json!({"after": {"first_ms": 300_000, "second_ms": 1_500}});
    table.chief.since(mark, "it is set", |event| is(event, "times_changed", &set)).await;
    table.resume().await;
    let flag =
        table.chief.since(mark, "the flag", |event| is(event, "flag", &json!({"player": "second"}))).await;
    let after = table.since.elapsed();
    assert!(after > Duration::from_millis(1_300), "the flag came after {after:?}");
    assert_eq!(flag["flag"]["side"], "right", "{flag}");
    let forfeit = json!({"kind": "time_forfeit", "offender": "second"});
    table.chief.since(mark, "the ruling", |event| is(event, "ruling", &forfeit)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pico_is_named_and_plays_a_round_in_a_real_hall() {
    let began = Instant::now();
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = game(folder.path()).await;
    let viewer = table.hall.desk("viewer").await;
    play(&mut table).await;
    stopped(&mut table).await;
    ordered(&mut table).await;
    powerless(&mut table).await;
    flag(&mut table).await;

    let private = ["incident", "ruling", "foul", "stopped", "flag", "result"];
    let told = viewer.events();
    let leaked: Vec<_> =
        told.iter().filter(|event| private.contains(&event["type"].as_str().unwrap_or(""))).collect();
    assert!(leaked.is_empty(), "a viewer was told {leaked:?}");
    // That the port was gone for a while is all the daemon finds wrong.
    let fault = |event: &&Value| event["type"] == "clock_fault" && event["clock_fault"]["kind"] != "port";
    let faults: Vec<_> = table.chief.events().into_iter().filter(|event| fault(&event)).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let resets = table.clock.happened();
    let wrong = |it: &&Happened| matches!(it, Happened::Reset { .. } | Happened::Lost(_));
    let resets: Vec<_> = resets.iter().filter(wrong).collect();
    assert!(resets.is_empty(), "{resets:?}");
    println!("named and played in {} ms", began.elapsed().as_millis());
}
