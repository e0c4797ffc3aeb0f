//! Silence is not absence: what falls due at the default time, and for whom.

use flagfall_tests::clock::Side;
use flagfall_tests::desk::{Desk, holds, is};
use flagfall_tests::hall::Plan;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::time::Duration;

const RULES: &str = "default_ms = 3000\nbase_ms = 60000\nincrement_ms = 0\nrecording_exempt_ms = 0";

fn plan(boards: u32) -> Plan {
    Plan { boards, regulations: RULES.into(), ..Plan::default() }
}

fn ms(event: &Value, name: &str) -> i64 {
    // "2012-06-14T08:30:00.123Z"; a test does not run over midnight more than once
    let text = event[name].as_str().unwrap_or_else(|| panic!("{name}: {event}"));
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().expect("digits");
    ((number(11, 13) * 60 + number(14, 16)) * 60 + number(17, 19)) * 1000 + number(20, 23)
}

fn after(later: &Value, earlier: &Value) -> i64 {
    (ms(later, "at") - ms(earlier, "at")).rem_euclid(86_400_000)
}

async fn begin(desk: &Desk) -> Value {
    desk.done("round.start", json!({"round": 1})).await;
    desk.wait("the round", |event| event["type"] == "round_started").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_known_absence_is_proposed_as_default_at_the_boundary_and_never_before() {
    let hall = plan(3).open().await;
    let desk = hall.desk("arbiter").await;
    let started = begin(&desk).await;
    let absent = json!([
        {"board": "1", "player": "first"}, {"board": "2", "player": "first"}, {"board": "2", "player": "second"},
    ]);
    desk.done("round.absent", json!({"round": 1, "players": absent, "complete": true})).await;
    let single = desk.wait("the default", |event| is(event, "ruling", &json!({"kind": "default"}))).await;
    let expected = json!({
        "article": "四.1", "offender": "first", "state": "proposed", "effect": {"result": "0-1", "forfeit": true},
    });
    assert!(single["board"] == "1" && holds(&single["ruling"], &expected), "{single}");
    let double = desk
        .wait("the double default", |event| is(event, "ruling", &json!({"kind": "double_default"})))
        .await;
    let expected = json!({
        "article": "四.2", "offender": "both", "state": "proposed", "effect": {"result": "0-0", "forfeit": true},
    });
    assert!(double["board"] == "2" && holds(&double["ruling"], &expected), "{double}");
    for ruling in [&single, &double] {
        let late = after(ruling, &started);
        assert!((3_000..4_500).contains(&late), "proposed {late} ms after the start: {ruling}");
    }
    // Never by itself, and nothing on the board where both chairs are taken.
    desk.nothing(Duration::from_secs(2), 0, "what nobody said", |event| {
        is(event, "ruling", &json!({"state": "confirmed"}))
            || (event["board"] == "3"
                && ["ruling", "incident"].contains(&event["type"].as_str().unwrap_or("")))
            || is(event, "incident", &json!({"kind": "presence_unknown"}))
    })
    .await;
    let id = single["ruling"]["id"].clone();
    desk.done("ruling.confirm", json!({"id": id})).await;
    let result = desk.wait("the result", |event| event["type"] == "result" && event["board"] == "1").await;
    assert!(
        holds(&result["result"], &json!({"result": "0-1", "cause": "default", "forfeit": true})),
        "{result}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn he_who_came_in_time_is_not_defaulted() {
    let hall = plan(1).open().await;
    let desk = hall.desk("arbiter").await;
    begin(&desk).await;
    let absent = json!([{"board": "1", "player": "second"}]);
    desk.done("round.absent", json!({"round": 1, "players": absent, "complete": true})).await;
    desk.done("player.arrived", json!({"board": "1", "player": "second"})).await;
    let here = desk
        .wait("he is there", |event| is(event, "presence", &json!({"player": "second", "state": "present"})))
        .await;
    assert!(here["presence"]["late_ms"].as_u64().is_some_and(|late| late < 3_000), "{here}");
    desk.nothing(Duration::from_secs(5), 0, "a default", |event| event["type"] == "ruling").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chairs_nobody_spoke_of_are_one_question_for_the_hall() {
    let hall = plan(4).open().await;
    let desk = hall.desk("arbiter").await;
    let started = begin(&desk).await;
    // From two thirds of the time on the chairs are listed, at the time they are asked about.
    let lane = |lane: &str| json!({"kind": "presence_unknown", "lane": lane});
    let list = desk.wait("the list", |event| is(event, "incident", &lane("look"))).await;
    assert!(after(&list, &started) >= 2_000, "{list}");
    let question = desk.wait("the question", |event| is(event, "incident", &lane("decide"))).await;
    assert!(after(&question, &started) >= 3_000, "{question}");
    desk.nothing(Duration::from_secs(2), 0, "an accusation", |event| event["type"] == "ruling").await;
    let ids: std::collections::BTreeSet<_> = desk
        .events()
        .iter()
        .filter(|event| is(event, "incident", &json!({"kind": "presence_unknown"})))
        .map(|event| event["incident"]["id"].as_u64())
        .collect();
    assert_eq!(ids.len(), 1, "one line for four boards");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_heard_throughout_that_never_ran_shows_absence() {
    let hall = plan(2).open().await;
    let desk = hall.desk("arbiter").await;
    let (_silent, _line1) = hall.clock(1, 60_000, 0).await;
    let (hinted, _line2) = hall.clock(2, 60_000, 0).await;
    for clock in ["A01", "A02"] {
        desk.wait("the clock is heard", |event| event["clock"] == clock && event["type"] == "clock_online")
            .await;
    }
    // On board 2 Black pressed: a hint that he is there.
    hinted.ready(Side::Right);
    begin(&desk).await;
    let double = desk.wait("board 1", |event| is(event, "ruling", &json!({"kind": "double_default"}))).await;
    assert_eq!((&double["board"], &double["ruling"]["state"]), (&json!("1"), &json!("proposed")), "{double}");
    let single = desk
        .wait("board 2", |event| event["board"] == "2" && is(event, "ruling", &json!({"kind": "default"})));
    let single = single.await;
    assert_eq!(single["ruling"]["offender"], "first", "{single}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_late_lose_their_own_lateness_and_red_is_started() {
    let hall = plan(1).open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 60_000, 0).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    begin(&desk).await;
    let absent = json!([{"board": "1", "player": "first"}, {"board": "1", "player": "second"}]);
    desk.done("round.absent", json!({"round": 1, "players": absent, "complete": true})).await;
    let mut late = Vec::new();
    for player in ["first", "second"] {
        desk.nothing(Duration::from_millis(700), 0, "a start", |event| event["type"] == "game_started").await;
        desk.done("player.arrived", json!({"board": "1", "player": player})).await;
        let here = desk
            .wait("he is there", |event| {
                is(event, "presence", &json!({"player": player, "state": "present"}))
            })
            .await;
        late.push(here["presence"]["late_ms"].as_i64().unwrap_or_else(|| panic!("his lateness: {here}")));
    }
    assert!(late[0] >= 700 && late[1] >= late[0] + 700, "{late:?}");
    assert_eq!(clock.running(), None, "nothing starts by itself");
    desk.done("board.start", json!({"board": "1"})).await;
    until("Red is started", SOON, || clock.running()).await;
    assert_eq!(clock.running(), Some(Side::Left));
    let started = desk.wait("the start", |event| event["type"] == "game_started").await;
    let expected = json!({
        "player": "first", "by": "command", "both_late": true,
        "first_ms": 60_000 - late[0], "second_ms": 60_000 - late[1],
    });
    assert!(holds(&started["game_started"], &expected), "{expected} is not {started}");
    assert_eq!(clock.times()[1], 60_000 - late[1], "on the clock itself");
    desk.nothing(Duration::from_secs(3), 0, "an accusation", |event| event["type"] == "ruling").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recording_may_end_strictly_below_the_limit_once_a_game() {
    let rules = "base_ms = 5000\nincrement_ms = 3000\nrecording_exempt_ms = 4000";
    let hall = Plan { regulations: rules.into(), ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 5_000, 3_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    begin(&desk).await;
    clock.start(Side::Left);
    let available = json!({"player": "first", "state": "available"});
    let told = desk.wait("Red is below it", |event| is(event, "recording_exempt", &available)).await;
    assert_eq!(told["board"], "1");
    // The increment lifts him above it again; the second time is not said.
    clock.press(Side::Left);
    assert!(clock.times()[0] > 4_000);
    clock.press(Side::Right);
    until("Red is below it again", SOON, || (clock.times()[0] < 3_500).then_some(())).await;
    desk.done("recording.exempt", json!({"board": "1"})).await;
    desk.wait("for both", |event| {
        is(event, "recording_exempt", &json!({"player": "both", "state": "granted"}))
    })
    .await;
    assert_eq!(desk.count(|event| is(event, "recording_exempt", &available)), 1);
    assert_eq!(
        desk.count(|event| is(event, "recording_exempt", &json!({"player": "second", "state": "available"}))),
        0
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_base_is_below_the_limit_recording_is_optional_from_the_start() {
    let rules = "base_ms = 20000\nincrement_ms = 0\nrecording_exempt_ms = 180000";
    let hall = Plan { regulations: rules.into(), ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 20_000, 0).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    begin(&desk).await;
    clock.start(Side::Left);
    clock.moves(2);
    for player in ["first", "second"] {
        let available = json!({"player": player, "state": "available"});
        desk.wait("it is said", |event| is(event, "recording_exempt", &available)).await;
        assert_eq!(desk.count(|event| is(event, "recording_exempt", &available)), 1);
    }
}
