//! Each report once, in the clock's order; what is lost is asked for, what cannot be had is a gap.

use flagfall_tests::clock::{Clock, Said, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::{AtBroker, Raw};
use serde_json::{Value, json};
use std::time::Duration;

async fn started(boards: u32) -> (Hall, Desk, Vec<(Clock, AtBroker)>) {
    let hall = Plan { boards, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let mut clocks = Vec::new();
    for table in 1..=boards {
        let (clock, line) = hall.clock(table, 3_000_000, 15_000).await;
        let name = clock.name();
        desk.wait("the clock is heard", |event| {
            event["clock"] == name.as_str() && event["type"] == "clock_online"
        })
        .await;
        clocks.push((clock, line));
    }
    desk.done("round.start", json!({"round": 1})).await;
    (hall, desk, clocks)
}

/// The presses told of a board, as (player, moves), in order.
fn presses(desk: &Desk, board: &str) -> Vec<(String, u64)> {
    let told = desk.events().into_iter().filter(|event| event["type"] == "press" && event["board"] == board);
    told.map(|event| {
        let press = &event["press"];
        (press["player"].as_str().expect("a player").to_owned(), press["moves"].as_u64().expect("a count"))
    })
    .collect()
}

fn played(pairs: u64) -> Vec<(String, u64)> {
    (1..=pairs).flat_map(|n| [("first".to_owned(), n), ("second".to_owned(), n)]).collect()
}

async fn last_press(desk: &Desk, board: &str, pairs: u64) {
    let wanted = json!({"player": "second", "moves": pairs});
    desk.wait("the last press", |event| event["board"] == board && is(event, "press", &wanted)).await;
}

/// Nothing but online, start, press and what people asked.
fn quiet(desk: &Desk) {
    let odd = ["gap", "clock_fault", "incident", "ruling", "times_changed", "stopped"];
    let told: Vec<Value> = desk
        .events()
        .into_iter()
        .filter(|event| odd.contains(&event["type"].as_str().unwrap_or("")))
        .collect();
    assert!(told.is_empty(), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_report_sent_twice_counts_once() {
    let (hall, desk, clocks) = started(3).await;
    let mut raw = Raw::connect(hall.broker_port(), "echo").await;
    // A clock that says all twice.
    let (twice, line) = &clocks[0];
    line.copies(2);
    twice.start(Side::Left);
    twice.moves(10);
    // One whose client repeats with the dup flag what the broker had already.
    let (dup, _line) = &clocks[1];
    dup.hold();
    dup.start(Side::Left);
    dup.moves(10);
    for said in dup.release() {
        for again in [false, true, true] {
            raw.publish("flagfall/1/A02/report", said.json.as_bytes(), again, false).await;
        }
    }
    // One whose reports come again later, between others.
    let (late, _line) = &clocks[2];
    late.hold();
    late.start(Side::Left);
    late.moves(10);
    let said = late.release();
    for (at, report) in said.iter().enumerate() {
        raw.publish("flagfall/1/A03/report", report.json.as_bytes(), false, false).await;
        if let Some(old) = at.checked_sub(3).map(|old| &said[old]) {
            raw.publish("flagfall/1/A03/report", old.json.as_bytes(), true, false).await;
        }
    }
    for board in ["1", "2", "3"] {
        last_press(&desk, board, 10).await;
    }
    // Whatever comes doubled from here on would be told before this.
    for (clock, _) in &clocks {
        clock.moves(1);
    }
    for board in ["1", "2", "3"] {
        last_press(&desk, board, 11).await;
        assert_eq!(presses(&desk, board), played(11), "board {board}");
    }
    assert_eq!(desk.count(|event| event["type"] == "game_started"), 3);
    quiet(&desk);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reordered_reports_are_told_in_the_clocks_order() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.hold();
    clock.moves(6);
    let mut said = clock.release();
    // Pairs change places, and the first of the rest comes last.
    for pair in said.chunks_mut(2) {
        pair.reverse();
    }
    said[4..].rotate_left(1);
    for report in said {
        clock.put(report);
    }
    last_press(&desk, "1", 6).await;
    assert_eq!(presses(&desk, "1"), played(6));
    quiet(&desk);
    let happened: Vec<String> = desk
        .events()
        .iter()
        .filter(|event| event["type"] == "press")
        .map(|event| event["happened"].as_str().expect("an instant").to_owned())
        .collect();
    assert!(happened.is_sorted(), "{happened:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_event_is_asked_for_and_had_again() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.moves(1);
    last_press(&desk, "1", 1).await;
    clock.hold();
    clock.moves(2);
    let lost = clock.release();
    // Only the last of four is heard.
    clock.put(lost[3].clone());
    last_press(&desk, "1", 3).await;
    assert_eq!(presses(&desk, "1"), played(3));
    quiet(&desk);
    let asked = clock.heard_of("replay");
    assert!(!asked.is_empty(), "the clock was asked");
    let first = lost[0].value()["seq"].as_u64();
    assert_eq!(asked[0]["do"]["from_seq"].as_u64(), first, "{asked:?}");
    assert_eq!(asked[0]["do"]["boot"], 1);
    assert!(
        asked[0]["command"].is_u64() && asked[0]["until_ms"].is_u64() && asked[0]["boot"] == 1,
        "{asked:?}"
    );
    let derived = desk.count(|event| event["press"]["derived"] == true);
    assert_eq!(derived, 0, "nothing had to be derived");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_event_lost_is_noticed_by_the_next_status() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.moves(1);
    last_press(&desk, "1", 1).await;
    clock.hold();
    clock.moves(1);
    clock.release();
    // No event any more: the status a second later shows that some are missing.
    last_press(&desk, "1", 2).await;
    assert_eq!(presses(&desk, "1"), played(2));
    quiet(&desk);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_had_again_is_one_gap_and_derived_presses() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.moves(1);
    last_press(&desk, "1", 1).await;
    // It neither answers nor remembers.
    clock.deaf(true);
    clock.hold();
    clock.moves(2);
    let lost = clock.release();
    clock.moves(1);
    last_press(&desk, "1", 4).await;
    let gaps: Vec<Value> = desk.events().into_iter().filter(|event| event["type"] == "gap").collect();
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    let seq = |said: &Said| said.value()["seq"].clone();
    let wanted = json!({
        "from_seq": seq(&lost[0]), "to_seq": seq(&lost[3]), "first_presses": 2, "second_presses": 2,
    });
    assert!(is(&gaps[0], "gap", &wanted), "{wanted} is not {}", gaps[0]);
    let derived: Vec<Value> =
        desk.events().into_iter().filter(|event| event["press"]["derived"] == true).collect();
    let counted: u64 = u64::try_from(derived.len()).expect("few");
    assert_eq!(counted, 4, "{derived:?}");
    assert_eq!(presses(&desk, "1"), played(4), "with what the counts show nothing is missing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_refuses_to_replay_is_a_gap_too() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.moves(1);
    last_press(&desk, "1", 1).await;
    clock.forget();
    clock.hold();
    clock.moves(1);
    clock.release();
    clock.moves(1);
    last_press(&desk, "1", 3).await;
    desk.nothing(Duration::from_millis(500), 0, "a second gap", {
        let mut gaps = 0;
        move |event| {
            gaps += usize::from(event["type"] == "gap");
            // `nothing` looks at all of them again and again.
            gaps > 1_000_000
        }
    })
    .await;
    assert_eq!(desk.count(|event| event["type"] == "gap"), 1);
    assert_eq!(presses(&desk, "1"), played(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_durable_is_acknowledged_to_the_clock() {
    let (_hall, desk, clocks) = started(1).await;
    let (clock, _line) = &clocks[0];
    clock.start(Side::Left);
    clock.moves(2);
    last_press(&desk, "1", 2).await;
    let last = clock.kept().last().expect("events").value()["seq"].as_u64();
    flagfall_tests::until::until("an ack of the last event", flagfall_tests::until::SOON, || {
        let acks = clock.heard_of("ack");
        let last_ack = acks.iter().filter_map(|ack| ack["do"]["seq"].as_u64()).max();
        (last_ack >= last).then_some(())
    })
    .await;
    for ack in clock.heard_of("ack") {
        assert!(ack.get("command").is_none() && ack["do"]["boot"] == 1, "an ack has no number: {ack}");
    }
}
