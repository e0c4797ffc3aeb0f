//! Coming in: hello, tokens, where a client goes on, ticks, and what is no request at all.

use flagfall_tests::desk::{hello, is, socket};
use flagfall_tests::hall::{Plan, token};
use flagfall_tests::http;
use flagfall_tests::until::{SOON, until};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// What comes back for one message, and whether the connection is closed then.
async fn say(port: u16, message: Message) -> (Option<Value>, bool) {
    let mut socket = socket(port).await;
    // Whoever is shut out in the middle of a megabyte cannot write it to its end.
    let _ = socket.send(message).await;
    let mut answer = None;
    let end = tokio::time::Instant::now() + SOON;
    loop {
        match tokio::time::timeout_at(end, socket.next()).await {
            Ok(Some(Ok(Message::Text(text)))) => answer = serde_json::from_str(&text).ok(),
            Ok(Some(Ok(Message::Close(_))) | Some(Err(_)) | None) => return (answer, true),
            Ok(Some(Ok(_))) => {}
            Err(_) => return (answer, false),
        }
    }
}

fn call(method: &str, params: Value) -> Message {
    Message::text(json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_say_hello_rightly_is_told_why_and_shut_out() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    for (what, message) in [
        ("a wrong token", call("hello", json!({"token": "guessed", "client": "x"}))),
        ("no token", call("hello", json!({"client": "x"}))),
        ("no hello first", call("round.check", json!({"round": 1}))),
        ("no json", Message::text("hello")),
    ] {
        let (answer, closed) = say(hall.port, message).await;
        let answer = answer.unwrap_or_else(|| panic!("{what}: no answer"));
        assert!(answer["error"]["code"].is_i64(), "{what}: {answer}");
        assert!(!answer["error"]["message"].as_str().unwrap_or("").is_empty(), "{what}: {answer}");
        assert!(answer.get("result").is_none(), "{what}: {answer}");
        assert!(closed, "{what}: the connection stays open");
    }
    let (_, closed) = say(hall.port, Message::binary(vec![0; 16])).await;
    assert!(closed, "bytes are no text");
    let (_, closed) = say(hall.port, Message::text("x".repeat(1 << 20))).await;
    assert!(closed, "a megabyte before hello");
    // Nobody else minds.
    hall.desk("viewer").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hello_answers_with_all_the_contract_says() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk =
        hello(hall.port, json!({"token": token("arbiter"), "client": "t", "unknown": 1})).await.expect("in");
    let welcome = &desk.welcome;
    assert_eq!(welcome["version"], 1, "{welcome}");
    assert_eq!(welcome["role"], "arbiter");
    assert_eq!(welcome["user"], "the arbiter");
    assert_eq!(welcome["speed"], 1);
    assert_eq!(welcome["mode"], "act");
    assert!(welcome["server"].as_str().is_some_and(|server| server.starts_with("flagfall")), "{welcome}");
    assert!(welcome["journal"].is_string() && welcome["head"].is_u64(), "{welcome}");
    let snapshot = &welcome["snapshot"];
    assert_eq!(snapshot["boards"][0]["board"], "1", "{snapshot}");
    assert_eq!(snapshot["boards"][0]["first"]["name"], "Red 1");
    assert_eq!(snapshot["timezone"], "Asia/Shanghai", "{snapshot}");
    assert_eq!(snapshot["values"]["base_ms"], 3_000_000, "{snapshot}");
    assert_ne!(welcome["reset"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_client_goes_on() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    desk.done("round.start", json!({"round": 1})).await;
    desk.wait("the start", |event| event["type"] == "round_started").await;
    desk.done("foul.record", json!({"board": "1", "player": "first", "article": "五.1"})).await;
    desk.wait("the foul", |event| event["type"] == "foul").await;
    let journal = desk.welcome["journal"].clone();
    let head = hall.get("/api/1/events?after=0", "arbiter").await.json()["head"].as_u64().expect("a head");
    until("all of it", SOON, || (desk.head() == head).then_some(())).await;
    let all = desk.events();
    assert!(desk.welcome.get("snapshot").is_none(), "after 0: every event and no snapshot");

    let arbiter = |more: Value| {
        let mut params = json!({"token": token("arbiter"), "client": "again"});
        for (name, value) in more.as_object().expect("an object") {
            params[name] = value.clone();
        }
        params
    };
    // From where it was.
    for params in [json!({"after": 2}), json!({"after": 2, "journal": journal})] {
        let again = hall.hello(arbiter(params)).await;
        until("what it missed", SOON, || (again.head() == head && again.mark() > 0).then_some(())).await;
        assert_eq!(again.events()[..], all[2..]);
        assert!(again.welcome.get("snapshot").is_none() && again.welcome["reset"] != true);
    }
    // From what it cannot have.
    for params in [json!({"after": head + 100}), json!({"after": 1, "journal": "another one"})] {
        let again = hall.hello(arbiter(params)).await;
        assert_eq!(again.welcome["reset"], true, "{}", again.welcome);
        assert_eq!(again.welcome["head"], head);
        assert!(again.welcome["snapshot"]["boards"].is_array());
        assert_eq!(again.welcome["snapshot"]["boards"][0]["first"]["fouls"], 1, "as of head");
    }
    // As new: the snapshot, and only what comes.
    let fresh = hall.hello(arbiter(json!({}))).await;
    desk.done("foul.withdraw", json!({"board": "1", "player": "first", "article": "五.1"})).await;
    fresh.wait("what comes", |event| event["type"] == "foul").await;
    assert!(fresh.events().iter().all(|event| event["seq"].as_u64() > Some(head)));
    // A cumulative word of thanks, no answer.
    fresh.send(&json!({"jsonrpc": "2.0", "method": "ack", "params": {"seq": head}})).await;
    fresh.done("round.check", json!({"round": 1})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_request_is_refused_and_the_desk_stays() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    assert_eq!(desk.refused("no.such", json!({})).await, -32601);
    assert_eq!(desk.refused("board.adjust", json!({"board": "1"})).await, -32602);
    assert_eq!(desk.refused("board.stop", json!({"board": "77"})).await, -32004);
    assert_eq!(desk.refused("ruling.confirm", json!({"id": 4_711})).await, -32004);
    desk.done("board.history", json!({"board": "1", "what_else": [1, 2]})).await;
    desk.send(&json!([1, 2])).await;
    desk.send(&json!({"jsonrpc": "2.0", "id": {}, "method": "undo"})).await;
    desk.done("round.check", json!({"round": 1})).await;
    assert_eq!(desk.complaints(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seen_is_refused_when_a_person_changed_the_board_and_only_then() {
    let hall = Plan { boards: 2, ..Plan::default() }.open().await;
    let (one, other) = (hall.desk("arbiter").await, hall.desk("chief").await);
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    one.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    one.done("round.start", json!({"round": 1})).await;
    clock.start(flagfall_tests::clock::Side::Left);
    one.wait("the start", |event| event["type"] == "game_started").await;
    let seen = one.head();
    // Presses, and what happens elsewhere, change nothing that he looks at.
    clock.moves(2);
    other.done("foul.record", json!({"board": "2", "player": "first", "article": "五.1"})).await;
    one.wait("presses", |event| is(event, "press", &json!({"moves": 2, "player": "second"}))).await;
    one.done("foul.record", json!({"board": "1", "player": "second", "article": "五.1", "seen": seen})).await;
    // The chief was quicker.
    one.wait("it is told", |event| event["board"] == "1" && event["type"] == "foul").await;
    let seen = one.head();
    other.done("board.stop", json!({"board": "1"})).await;
    let refused = one
        .ask("foul.record", json!({"board": "1", "player": "first", "article": "五.1", "seen": seen}))
        .await
        .expect_err("somebody was there");
    assert_eq!(refused["code"], -32002, "{refused}");
    let followed =
        refused["data"]["followed"].as_array().unwrap_or_else(|| panic!("with what followed: {refused}"));
    assert!(
        followed.iter().all(|event| event["seq"].as_u64() > Some(seen)) && !followed.is_empty(),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_request_is_done_once() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let params = json!({"board": "1", "player": "first", "article": "五.1", "request_id": "foul-7"});
    let (first, second) =
        tokio::join!(desk.ask("foul.record", params.clone()), desk.ask("foul.record", params.clone()));
    assert_eq!(first, second);
    assert_eq!(desk.ask("foul.record", params).await, first);
    desk.wait("the foul", |event| event["type"] == "foul").await;
    assert_eq!(desk.count(|event| event["type"] == "foul"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ticks_come_to_those_who_ask() {
    let hall = Plan::default().open().await;
    let without = hall.desk("arbiter").await;
    let with = hall.hello(json!({"token": token("arbiter"), "after": 0, "ticks": true})).await;
    let viewer = hall.hello(json!({"token": token("viewer"), "after": 0, "ticks": true})).await;
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    without.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    without.done("round.start", json!({"round": 1})).await;
    clock.start(flagfall_tests::clock::Side::Left);
    let of_board = |tick: &Value| tick["boards"][0]["board"] == "1";
    until("a tick with the running clock", SOON, || {
        with.ticks()
            .iter()
            .any(|tick| of_board(tick) && tick["boards"][0]["running"] == "first")
            .then_some(())
    })
    .await;
    // What a viewer is shown of it is the hall's to say, but never a flag or a hand on the clock.
    until("a tick for the viewer", SOON, || viewer.ticks().iter().any(of_board).then_some(())).await;
    assert!(viewer.ticks().iter().all(|tick| tick["boards"][0]["flag"].is_null()));
    assert!(with.ticks().iter().all(|tick| tick.get("seq").is_none()));
    assert!(without.ticks().is_empty());
    assert_eq!(viewer.count(|event| event["audience"] != "public"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_it_plain_http_for_reading() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let get =
        async |path: &str, token: Option<&str>| http::get(hall.port, path, token).await.expect("an answer");
    for path in ["/healthz", "/readyz", "/"] {
        assert_eq!(get(path, None).await.status, 200, "{path}");
    }
    // Flags and stops are counted in the metrics: they are for the desk.
    for (path, role) in
        [("/metrics", "chief"), ("/api/1/boards", "viewer"), ("/api/1/events?after=0", "viewer")]
    {
        assert_eq!(get(path, None).await.status, 401, "{path} without a token");
        assert_eq!(get(path, Some("guessed")).await.status, 401, "{path} with a wrong token");
        let answer = get(path, Some(&token(role))).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.body.contains("token of") && !answer.body.contains("token_sha256"), "{path}");
    }
    assert_eq!(get("/metrics", Some(&token("viewer"))).await.status, 403);
    assert!(get("/metrics", Some(&token("chief"))).await.body.contains("flagfall_"));
    assert_eq!(get("/no/such", None).await.status, 404);
}
