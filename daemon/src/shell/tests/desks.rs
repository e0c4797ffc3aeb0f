//! Hello, events and requests over WebSocket.

use super::client::Client;
use super::{Clock, Venue, desk};
use flagfall_clock::ClockEvent;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn hello_comes_first_and_needs_a_token() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    for (text, code) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"board.stop","params":{"board":"1"}}"#, -32000),
        (r#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"token":"guess"}}"#, -32000),
        (r#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{}}"#, -32602),
        ("{", -32700),
        ("[]", -32600),
    ] {
        let mut client = Client::connect(daemon.desk()).await;
        client.say(text).await;
        let answer = client.heard().await.expect("an error");
        assert_eq!(answer["error"]["code"], code, "{text}: {answer}");
        assert_eq!(client.heard().await, None, "closed after {text}");
    }
    let (_client, welcome) = desk(&daemon, "arbiter", json!({})).await;
    assert_eq!(welcome["role"], "arbiter");
    assert_eq!(welcome["version"], 1);
    assert_eq!(welcome["speed"], 1);
    assert_eq!(welcome["mode"], "act");
    assert_eq!(welcome["snapshot"]["boards"][0]["board"], "1");
    assert_eq!(welcome.get("reset"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_clock_does_is_told_in_order_and_can_be_had_again_from_any_seq() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut live, welcome) = desk(&daemon, "chief", json!({})).await;
    let journal = welcome["journal"].as_str().expect("an id").to_owned();
    let mut line = venue.line().await;
    for name in ["A01", "X01", "X02"] {
        Clock::new(name).ready(&mut line).await;
    }
    let mut seqs = Vec::new();
    let mut online = 0;
    while online < 3 {
        let event = live.next_event().await;
        online += usize::from(event["type"] == "clock_online");
        seqs.push(event["seq"].as_u64().expect("a seq"));
    }
    let head = welcome["head"].as_u64().expect("a head");
    let expected: Vec<u64> = (head + 1..).take(seqs.len()).collect();
    assert_eq!(seqs, expected, "without holes from the head on");

    let (mut all, welcome) = desk(&daemon, "chief", json!({ "journal": journal, "after": 0 })).await;
    assert_eq!(welcome.get("snapshot"), None);
    for seq in 1..=*seqs.last().expect("events") {
        assert_eq!(all.next_event().await["seq"], seq);
    }
    for lost in [json!({ "after": 9_999 }), json!({ "journal": "another", "after": 1 })] {
        let (_client, welcome) = desk(&daemon, "chief", lost).await;
        assert_eq!(welcome["reset"], true);
        assert!(welcome["snapshot"].is_object());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_hears_nothing_that_is_for_the_desk() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut arbiter, _) = desk(&daemon, "arbiter", json!({ "after": 0 })).await;
    let (mut viewer, _) = desk(&daemon, "viewer", json!({ "after": 0 })).await;
    let mut line = venue.line().await;
    Clock::new("A01").ready(&mut line).await;
    let event = arbiter.event("clock_online").await;
    assert_eq!(event["audience"], "desk");
    assert!(viewer.silent(Duration::from_millis(300)).await);
    let answer = viewer.call("board.stop", json!({ "board": "1" })).await;
    assert_eq!(answer["error"]["code"], -32001, "{answer}");
    let answer = viewer.call("board.history", json!({ "board": "1" })).await;
    let shown = answer["result"]["events"].as_array().expect("events");
    assert!(shown.iter().all(|event| event["audience"] == "public"), "{answer}");
    let answer = arbiter.call("board.history", json!({ "board": "1" })).await;
    assert!(!answer["result"]["events"].as_array().expect("events").is_empty(), "{answer}");
    let answer = arbiter.call("board.history", json!({ "board": "77" })).await;
    assert_eq!(answer["error"]["code"], -32004);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_arbiters_stop_reaches_the_clock_and_is_told() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut arbiter, _) = desk(&daemon, "arbiter", json!({})).await;
    let mut line = venue.line().await;
    let mut clock = Clock::new("A01");
    clock.say(&mut line, None).await;
    arbiter.event("clock_online").await;
    clock.report.running = Some(flagfall_clock::Side::Left);
    let start = ClockEvent::Start { side: flagfall_clock::Side::Left, by: flagfall_clock::By::Button };
    clock.say(&mut line, Some(start)).await;
    arbiter.event("game_started").await;
    let id = arbiter.send("board.stop", json!({ "board": "1", "reason": "a question" })).await;
    let said = async {
        use tokio::io::{AsyncBufReadExt, BufReader};
        let mut lines = BufReader::new(&mut line).lines();
        while let Ok(Some(text)) = lines.next_line().await {
            if text.contains(r#""do":{"type":"stop"}"#) {
                return text;
            }
        }
        panic!("the line went down");
    };
    let text = tokio::time::timeout(Duration::from_secs(10), said).await.expect("a stop");
    assert!(text.contains(r#""clock":"A01""#), "{text}");
    let request = arbiter.event("request").await;
    assert_eq!(request["request"]["ok"], true, "{request}");
    let _ = id;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_too_fast_is_told_so_and_unknown_methods_have_their_code() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut client, _) = desk(&daemon, "viewer", json!({})).await;
    for _ in 0..300 {
        client.send("no.such", json!({})).await;
    }
    let mut codes = Vec::new();
    while codes.len() < 300 {
        let answer: Value = client.heard().await.expect("an answer");
        codes.extend(answer["error"]["code"].as_i64());
    }
    let busy = codes.iter().filter(|code| **code == -32005).count();
    assert!((100..=200).contains(&busy), "{busy}");
    assert!(codes.contains(&-32601));
}

#[tokio::test(flavor = "multi_thread")]
async fn ticks_come_where_they_are_asked_for() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut client, _) = desk(&daemon, "chief", json!({ "ticks": true })).await;
    let mut ticks = 0;
    while ticks < 2 {
        let heard = client.heard().await.expect("a tick");
        if heard["method"] == "tick" {
            assert!(heard["params"]["now"].is_string() && heard["params"]["boards"].is_array(), "{heard}");
            ticks += 1;
        }
    }
}

/// Field fault: one reader that stops reading grew memory without limit and held the others up.
#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_no_longer_answers_is_closed_and_holds_nobody_up() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (dead, _) = desk(&daemon, "chief", json!({ "after": 0, "ticks": true })).await;
    let (mut live, _) = desk(&daemon, "chief", json!({ "after": 0 })).await;
    let gone = Instant::now();
    let mut line = venue.line().await;
    for n in 0..50 {
        Clock::new(&format!("X{n}")).ready(&mut line).await;
    }
    for _ in 0..50 {
        live.event("clock_online").await;
    }
    assert!(gone.elapsed() < Duration::from_secs(5));
    let clients = || {
        let page = daemon.bulletin().metrics.page();
        page.lines().find_map(|line| line.strip_prefix("flagfall_desk_clients ")?.parse::<u32>().ok())
    };
    assert_eq!(clients(), Some(2));
    while clients() != Some(1) {
        assert!(gone.elapsed() < Duration::from_secs(14));
        // The live one answers pings while it waits.
        live.silent(Duration::from_millis(200)).await;
    }
    drop(dead);
}
