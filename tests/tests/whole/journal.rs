//! The proof: whole after a real run, decided again alike, and a changed byte is found.

use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use flagfall_tests::hall::{Hall, Plan};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A run with a stop, a ruling, a correction and a flag, ended as it should be.
async fn run() -> (Hall, PathBuf, Vec<Value>) {
    let rules = "base_ms = 6000\nincrement_ms = 0\nstop_deduct_ms = 1000";
    let mut hall = Plan { boards: 2, regulations: rules.into(), ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (one, _line1) = hall.clock(1, 6_000, 0).await;
    let (two, _line2) = hall.clock(2, 6_000, 0).await;
    for clock in ["A01", "A02"] {
        desk.wait("the clock is heard", |event| event["clock"] == clock && event["type"] == "clock_online")
            .await;
    }
    desk.done("round.start", json!({"round": 1})).await;
    one.start(Side::Left);
    two.start(Side::Left);
    one.moves(3);
    two.moves(3);
    desk.wait("presses", |event| {
        event["board"] == "2" && is(event, "press", &json!({"moves": 3, "player": "second"}))
    })
    .await;
    two.push_stop();
    desk.wait("a question", |event| is(event, "incident", &json!({"kind": "unexplained_stop"}))).await;
    desk.done("stop.explain", json!({"board": "2", "cause": "without_cause", "offender": "first"})).await;
    let ruling = desk.wait("a ruling", |event| event["board"] == "2" && event["type"] == "ruling").await;
    desk.done("ruling.confirm", json!({"id": ruling["ruling"]["id"]})).await;
    desk.wait("the clock follows", |event| event["board"] == "2" && event["type"] == "times_changed").await;
    desk.refused("board.adjust", json!({"board": "9", "player": "first", "delta_ms": 1})).await;
    desk.wait("a flag", |event| event["board"] == "1" && event["type"] == "result").await;
    desk.done("board.result", json!({"board": "2", "result": "1-0", "cause": "resign"})).await;
    let told = desk.events();
    assert_eq!(hall.end().await, 0, "{}", hall.log());
    let journal = hall.journal();
    (hall, journal, told)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_run_is_whole_exported_and_decided_again_alike() {
    let (hall, journal, told) = run().await;
    let file = journal.to_str().expect("a path");
    let verified = hall.flagfall(&["journal", "verify", file]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let replayed = hall.flagfall(&["journal", "replay", file]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.stdout.contains("all the same"), "{}", replayed.stdout);

    let exported = hall.flagfall(&["journal", "export", file]);
    assert_eq!(exported.code, 0, "{exported:?}");
    let lines: Vec<Value> =
        exported.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    let events: Vec<&Value> = lines.iter().filter(|line| line.to_string().contains("\"happened\"")).collect();
    assert!(events.len() >= told.len(), "{} of {} events", events.len(), told.len());
    // Every event told stands in it, as it was told.
    for event in &told {
        let text = event.to_string();
        let found = events
            .iter()
            .any(|line| line.to_string().contains(&text[1..text.len() - 1]) || holds_event(line, event));
        assert!(found, "not in the export: {event}");
    }
    for secret in ["token of", "token_sha256"] {
        assert!(!exported.stdout.contains(secret), "the export holds {secret:?}");
    }
}

fn holds_event(line: &Value, event: &Value) -> bool {
    line == event || line.as_object().is_some_and(|line| line.values().any(|value| value == event))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_byte_is_found_and_named() {
    let (hall, journal, _) = run().await;
    let file = journal.to_str().expect("a path");
    let mut bytes = std::fs::read(&journal).expect("the journal");
    // What somebody would like to change: who was at fault.
    let was = b"\"without_cause\"";
    let at = bytes.windows(was.len()).position(|window| window == was).expect("the request is in it");
    bytes[at + 1] = b'W';
    std::fs::write(&journal, bytes).expect("changed");
    let verified = hall.flagfall(&["journal", "verify", file]);
    assert_eq!(verified.code, 65, "{verified:?}");
    assert!(verified.stderr.contains("record"), "it names the record: {}", verified.stderr);
    let number = verified.stderr.chars().any(|letter| letter.is_ascii_digit());
    assert!(number && !verified.stderr.contains("panicked"), "{}", verified.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_journal_is_said() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let file = hall.path("notes.txt");
    std::fs::write(&file, "not a journal").expect("a file");
    for command in ["verify", "export", "replay"] {
        let ended = hall.flagfall(&["journal", command, file.to_str().expect("a path")]);
        assert_eq!(ended.code, 65, "{ended:?}");
        assert!(ended.stderr.contains("notes.txt"), "{ended:?}");
        let ended = hall.flagfall(&["journal", command, "/no/such/file"]);
        assert_eq!(ended.code, 74, "{ended:?}");
    }
}
