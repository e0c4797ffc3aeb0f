//! Nothing is told before it is durable, nothing is lost by ending.

use super::{Clock, Venue, desk, http};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_comes_back_goes_on_counting_and_tells_the_past_from_the_journal() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut client, welcome) = desk(&daemon, "chief", json!({ "after": 0 })).await;
    let mut line = venue.line().await;
    Clock::new("A01").ready(&mut line).await;
    let last = client.event("clock_online").await;
    daemon.stop();
    daemon.ended().await.expect("ended well");
    // Everything it was told, and then the end.
    while client.heard().await.is_some() {}

    let daemon = venue.open().await;
    let (mut again, second) = desk(&daemon, "chief", json!({ "after": 0 })).await;
    assert_eq!(second["journal"], welcome["journal"]);
    let mut before = None;
    for seq in 1.. {
        let event = again.next_event().await;
        assert_eq!(event["seq"], seq);
        if event["seq"] == last["seq"] {
            before = Some(event);
            break;
        }
    }
    assert_eq!(before, Some(last.clone()), "an event once told never changes");
    let mut line = venue.line().await;
    Clock::new("X01").ready(&mut line).await;
    loop {
        let event = again.event("clock_online").await;
        if event["clock"] == "X01" {
            assert!(event["seq"].as_u64() > last["seq"].as_u64());
            assert!(event["at"].as_str() >= last["at"].as_str());
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_journal_cannot_be_written_events_wait_and_everybody_is_told() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut client, welcome) = desk(&daemon, "chief", json!({ "ticks": true })).await;
    let mut line = venue.line().await;
    let (status, _) = http(daemon.desk(), "/readyz", "").await;
    assert_eq!(status, 200);
    // Another program holds the file.
    let other = rusqlite::Connection::open(venue.journal()).expect("opened");
    while other.execute_batch("BEGIN IMMEDIATE").is_err() {}
    Clock::new("A01").ready(&mut line).await;
    let since = Instant::now();
    while http(daemon.desk(), "/readyz", "").await.0 != 503 {
        assert!(since.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let answer = client.call("event.mode", json!({ "mode": "assist" })).await;
    assert_eq!(answer["error"]["code"], -32005, "{answer}");
    let mut said = false;
    while !said {
        let heard = client.heard().await.expect("a tick");
        assert_ne!(heard["method"], "event", "told before it was durable: {heard}");
        said = heard["params"]["journal_fault"].is_string();
    }
    // A desk that comes now sees the hall as of what is durable.
    let (_, late) = desk(&daemon, "chief", json!({})).await;
    assert_eq!(late["head"], welcome["head"]);
    other.execute_batch("ROLLBACK").expect("let go");
    let event = client.event("clock_online").await;
    assert_eq!(event["clock"], "A01");
    let since = Instant::now();
    while http(daemon.desk(), "/readyz", "").await.0 != 200 {
        assert!(since.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let answer = client.call("event.mode", json!({ "mode": "assist" })).await;
    assert!(answer.get("result").is_some(), "{answer}");
}
