//! What is had by plain HTTP.

use super::{Clock, Venue, desk, http};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_self_contained_and_strict() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (_, page) = http(daemon.desk(), "/", "").await;
    let named = |before: &'static str| {
        page.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect::<Vec<&str>>()
    };
    let (scripts, styles) = (named("<script src=\""), named("<link rel=\"stylesheet\" href=\""));
    assert!(scripts.contains(&"/main.js") && !styles.is_empty(), "{scripts:?} {styles:?}");
    let styles = styles.into_iter().map(|path| (path, "text/css"));
    let scripts = scripts.into_iter().map(|path| (path, "text/javascript"));
    for (path, kind) in [("/", "text/html")].into_iter().chain(styles).chain(scripts) {
        let (status, answer) = http(daemon.desk(), path, "").await;
        assert_eq!(status, 200, "{path}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(head.contains(kind) && head.contains("default-src 'none'"), "{head}");
        for foreign in ["http://", "https://", "innerHTML", "document.write", "eval("] {
            assert!(!body.contains(foreign), "{path} has {foreign}");
        }
    }
    assert_eq!(http(daemon.desk(), "/other.js", "").await.0, 404);
    let (status, _) = http(daemon.desk(), "/healthz", "Origin: http://evil.example\r\n").await;
    assert_eq!(status, 403);
    let (status, _) = http(daemon.desk(), "/healthz", "").await;
    assert_eq!(status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_boards_and_events_need_a_token_and_a_viewer_gets_what_is_public() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let (mut client, _) = desk(&daemon, "chief", json!({})).await;
    let mut line = venue.line().await;
    Clock::new("A01").ready(&mut line).await;
    client.event("clock_online").await;
    for path in ["/metrics", "/api/1/boards", "/api/1/events"] {
        assert_eq!(http(daemon.desk(), path, "").await.0, 401);
        assert_eq!(http(daemon.desk(), path, "Authorization: Bearer guess\r\n").await.0, 401);
    }
    let of = |role: &str| format!("Authorization: Bearer token of the {role}\r\n");
    let (status, page) = http(daemon.desk(), "/metrics", &of("chief")).await;
    assert_eq!(status, 200);
    assert_eq!(
        http(daemon.desk(), "/metrics", &of("viewer")).await.0,
        403,
        "flags and stops are counted there"
    );
    for line in [
        "flagfall_reports_total 1",
        "flagfall_clocks_online 1",
        "flagfall_desk_clients 1",
        "flagfall_journal_ok 1",
    ] {
        assert!(page.contains(line), "{line} in {page}");
    }
    let json = |answer: &str| -> Value {
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("json")
    };
    let (_, answer) = http(daemon.desk(), "/api/1/boards", &of("chief")).await;
    assert_eq!(json(&answer)["boards"][0]["board"], "1");
    let (_, answer) = http(daemon.desk(), "/api/1/events?after=0&limit=1000", &of("chief")).await;
    let events = json(&answer);
    let events = events["events"].as_array().expect("events");
    assert!(events.iter().any(|event| event["type"] == "clock_online"));
    let (_, answer) = http(daemon.desk(), "/api/1/events?after=0", &of("viewer")).await;
    let public = json(&answer);
    let public = public["events"].as_array().expect("events");
    assert!(public.len() < events.len() && public.iter().all(|event| event["audience"] == "public"));
    let (_, answer) = http(daemon.desk(), "/api/1/events?after=1&limit=1", &of("chief")).await;
    assert!(json(&answer)["events"].as_array().is_some_and(|events| events.len() <= 1));
}
