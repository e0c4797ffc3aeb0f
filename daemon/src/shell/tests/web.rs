//! What is had by plain HTTP.

use super::{Clock, Venue, desk, http};
use serde_json::{Value, json};

/// The paths in a text that stand between these two.
fn between<'a>(text: &'a str, before: &'a str, after: char) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(move |rest| rest.split(after).next())
}

/// Where a module's import leads, from the module's own path.
fn from(module: &str, import: &str) -> String {
    let (folder, _) = module.rsplit_once('/').expect("a path");
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The page, and every style and module that it reads, one through another.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_self_contained_and_strict() {
    let venue = Venue::new().await;
    let daemon = venue.open().await;
    let mut wanted = vec!["/".to_owned()];
    let mut read = std::collections::BTreeSet::new();
    while let Some(path) = wanted.pop() {
        if !read.insert(path.clone()) {
            continue;
        }
        let (status, answer) = http(daemon.desk(), &path, "").await;
        assert_eq!(status, 200, "{path}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        let kind = match path.rsplit_once('.') {
            Some((_, "js")) => "text/javascript",
            Some((_, "css")) => "text/css",
            _ => "text/html",
        };
        assert!(head.contains(kind) && head.contains("default-src 'none'"), "{path}: {head}");
        // the name of the language of a drawing is no place to fetch from
        let text = body.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http://", "https://", "innerHTML", "document.write", "eval("] {
            assert!(!text.contains(foreign), "{path} has {foreign}");
        }
        wanted.extend(between(body, "<script src=\"", '"').map(str::to_owned));
        wanted.extend(between(body, "<link rel=\"stylesheet\" href=\"", '"').map(str::to_owned));
        if kind == "text/javascript" {
            let imports = between(body, " from \"", '"').chain(between(body, "import \"", '"'));
            wanted.extend(imports.filter(|import| import.starts_with('.')).map(|import| from(&path, import)));
        }
    }
    let of = |ending: &str| read.iter().filter(|path| path.ends_with(ending)).count();
    assert!(of(".js") > 20 && of(".css") > 0, "the whole page was read: {read:?}");
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
