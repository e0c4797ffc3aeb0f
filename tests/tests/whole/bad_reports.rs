//! Everything from outside is hostile or broken: one clear fault that names the thing, and the hall goes on.

use flagfall_tests::broker::Broker;
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::{AtBroker, Raw};
use serde_json::{Value, json};
use std::time::Duration;

struct Bench {
    hall: Hall,
    desk: Desk,
    clock: Clock,
    _line: AtBroker,
    moves: u64,
}

impl Bench {
    /// Two boards; at the second somebody plays on whatever comes.
    async fn open() -> Self {
        let hall = Plan { boards: 2, ..Plan::default() }.open().await;
        let desk = hall.desk("technician").await;
        let arbiter = hall.desk("arbiter").await;
        let (clock, line) = hall.clock(2, 3_000_000, 15_000).await;
        desk.wait("the clock is heard", |event| event["clock"] == "A02" && event["type"] == "clock_online")
            .await;
        arbiter.done("round.start", json!({"round": 1})).await;
        clock.start(Side::Left);
        desk.wait("the game", |event| event["board"] == "2" && event["type"] == "game_started").await;
        Self { hall, desk, clock, _line: line, moves: 0 }
    }

    async fn goes_on(&mut self) {
        self.clock.moves(1);
        self.moves += 1;
        let press = json!({"player": "second", "moves": self.moves});
        self.desk
            .wait("another board's press", |event| event["board"] == "2" && is(event, "press", &press))
            .await;
        assert!(self.hall.runs());
    }

    /// One fault of this kind, named.
    async fn fault(&mut self, mark: usize, kind: &str, names: &[&str]) -> Value {
        let fault =
            self.desk.since(mark, kind, |event| is(event, "clock_fault", &json!({"kind": kind}))).await;
        let message = fault["clock_fault"]["message"].as_str().expect("a sentence").to_owned();
        for name in names {
            assert!(message.contains(name), "{kind} names {name}: {message}");
        }
        self.goes_on().await;
        assert_eq!(
            self.desk.events()[mark..].iter().filter(|event| event["type"] == "clock_fault").count(),
            1
        );
        fault
    }
}

fn report(clock: &str) -> Value {
    json!({
        "clock": clock, "boot": 1, "seq": 1, "events": 1, "uptime_ms": 1_000, "left_ms": 3_000_000,
        "right_ms": 3_000_000, "running": null, "left_presses": 0, "right_presses": 0, "flag": null,
        "event": {"type": "boot", "firmware": "x"},
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_broken_message_is_one_fault_and_the_hall_goes_on() {
    let mut bench = Bench::open().await;
    let mut raw = Raw::connect(bench.hall.broker_port(), "stranger").await;
    let topic = "flagfall/1/A01/report";

    for (bytes, said) in [(11 << 10, "11264"), (2 << 20, "2097152")] {
        // Each kind is said once in a while for each clock: another one each time.
        let topic = format!("flagfall/1/BIG{bytes}/report");
        let mark = bench.desk.mark();
        raw.publish(&topic, &vec![b'x'; bytes], false, false).await;
        bench.fault(mark, "oversized", &[&topic, said]).await;
    }
    let mark = bench.desk.mark();
    raw.publish(topic, b"{\"clock\":\"A01\",\"boot\":", false, false).await;
    let fault = bench.fault(mark, "malformed", &[topic]).await;
    assert_eq!(fault["clock"], "A01", "{fault}");

    for (n, payload) in [
        &b""[..],
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{\"clock\":\"A 1\"}",
        br#"{"clock":"N5","boot":-1,"seq":1,"uptime_ms":1,"left_ms":1,"right_ms":1,"running":null,"left_presses":0,"right_presses":0}"#,
        br#"{"clock":"N6","boot":1,"seq":1,"uptime_ms":1,"left_ms":99999999999999999999,"right_ms":1,"running":null,"left_presses":0,"right_presses":0}"#,
        br#"{"clock":"N7","boot":1,"seq":1,"uptime_ms":1,"left_ms":1,"right_ms":1,"running":"up","left_presses":0,"right_presses":0}"#,
        br#"{"clock":"N8","boot":1,"boot":2,"seq":1,"uptime_ms":1,"left_ms":1,"right_ms":1,"running":null,"left_presses":0,"right_presses":0}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let topic = format!("flagfall/1/N{n}/report");
        let mark = bench.desk.mark();
        raw.publish(&topic, payload, false, false).await;
        bench.fault(mark, "malformed", &[&topic]).await;
    }
    let mark = bench.desk.mark();
    raw.publish("flagfall/1/F1/frame", &[1, 2, 3, 255, 0, 7], false, false).await;
    bench.fault(mark, "malformed", &["flagfall/1/F1/frame"]).await;
    let mark = bench.desk.mark();
    raw.publish("flagfall/1/L1/link", b"perhaps", false, false).await;
    bench.fault(mark, "malformed", &["flagfall/1/L1/link"]).await;

    let mark = bench.desk.mark();
    raw.publish(topic, report("A02").to_string().as_bytes(), false, false).await;
    bench.fault(mark, "foreign_topic", &[topic, "A02"]).await;
    assert_eq!(bench.clock.running(), Some(Side::Left), "nothing of it reached the real A02");
    bench
        .desk
        .nothing(Duration::from_millis(300), 0, "a game disturbed", |event| {
            event["board"] == "2"
                && ["stopped", "times_changed", "gap", "incident"]
                    .contains(&event["type"].as_str().unwrap_or(""))
        })
        .await;
}

fn in_game(clock: &str) -> Vec<u8> {
    let mut game = report(clock);
    game["running"] = "left".into();
    game.to_string().into_bytes()
}

async fn refused_as_retained(desk: &Desk, topic: &str) {
    let fault =
        desk.wait("it is refused", |event| event["clock"] == "A01" && event["type"] == "clock_fault").await;
    assert_eq!(fault["clock_fault"]["kind"], "retained", "{fault}");
    assert!(fault["clock_fault"]["message"].as_str().expect("text").contains(topic), "{fault}");
    assert_eq!(desk.count(|event| event["type"] == "game_started"), 0);
    assert_eq!(desk.count(|event| event["clock"] == "A01" && event["type"] == "clock_online"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_retained_from_before_is_refused() {
    let broker = Broker::start();
    let mut raw = Raw::connect(broker.port, "stranger").await;
    let topic = "flagfall/1/A01/report";
    raw.publish(topic, &in_game("A01"), false, true).await;
    // Retained and far too large, before the daemon ever comes.
    raw.publish("flagfall/1/A02/report", &vec![b'x'; 2 << 20], false, true).await;
    let hall = Plan { boards: 2, ..Plan::default() }.open_with(Some(broker)).await;
    let desk = hall.desk("technician").await;
    refused_as_retained(&desk, topic).await;
    let (_clock, _line) = hall.clock(2, 3_000_000, 0).await;
    desk.wait("another clock is heard", |event| event["clock"] == "A02" && event["type"] == "clock_online")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_sent_with_the_retain_flag_is_refused() {
    let mut bench = Bench::open().await;
    let mut raw = Raw::connect(bench.hall.broker_port(), "stranger").await;
    let topic = "flagfall/1/A01/report";
    raw.publish(topic, &in_game("A01"), false, true).await;
    bench.goes_on().await;
    let fault =
        bench.desk.wait("it is refused", |event| event["clock"] == "A01" && event["type"] == "clock_fault");
    assert_eq!(fault.await["clock_fault"]["kind"], "retained");
    assert_eq!(bench.desk.count(|event| event["board"] == "1" && event["type"] == "game_started"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_clock_is_shown_once_and_assigned_to_nothing() {
    let mut bench = Bench::open().await;
    let stranger = Clock::new("Z99", 3_000_000, 0);
    let port = bench.hall.broker_port();
    let mark = bench.desk.mark();
    let _line = flagfall_tests::mqtt::connect(&stranger, port, flagfall_tests::lines::Speech::Json).await;
    stranger.start(Side::Left);
    let named = |event: &Value| event["clock"] == "Z99";
    let told = bench.desk.since(mark, "it is shown", named).await;
    assert_eq!(told["board"], Value::Null, "{told}");
    bench.goes_on().await;
    let about: Vec<Value> = bench.desk.events().into_iter().filter(named).collect();
    assert!(about.iter().all(|event| event["board"].is_null()), "{about:?}");
    let shown = ["clock_online", "clock_fault"];
    let lines = about.iter().filter(|event| shown.contains(&event["type"].as_str().unwrap_or(""))).count();
    assert!((1..=2).contains(&lines), "it is shown once: {about:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_noise_is_one_line_and_holds_nobody_up() {
    let mut bench = Bench::open().await;
    let mut raw = Raw::connect(bench.hall.broker_port(), "noise").await;
    let mark = bench.desk.mark();
    for n in 0..2_000 {
        raw.publish("flagfall/1/A01/report", format!("{{noise {n}").as_bytes(), false, false).await;
    }
    bench.goes_on().await;
    let faults = bench.desk.events()[mark..].iter().filter(|event| event["type"] == "clock_fault").count();
    assert!((1..=3).contains(&faults), "{faults} lines for one noisy clock");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leap_counts_only_when_the_next_report_agrees() {
    let mut bench = Bench::open().await;
    let mut raw = Raw::connect(bench.hall.broker_port(), "liar").await;
    let real: Value = bench.clock.kept().last().expect("events").value();
    let mark = bench.desk.mark();
    // Somebody says that Red's flag fell, with a state that cannot be.
    let mut lie = real.clone();
    lie["seq"] = (real["seq"].as_u64().expect("a number") + 5_000).into();
    lie["left_ms"] = 0.into();
    lie["running"] = Value::Null;
    lie["flag"] = "left".into();
    lie["event"] = json!({"type": "flag", "side": "left"});
    raw.publish("flagfall/1/A02/report", lie.to_string().as_bytes(), false, false).await;
    bench.goes_on().await;
    bench
        .desk
        .nothing(Duration::from_millis(1_500), mark, "no flag from a single bad reading", |event| {
            ["flag", "ruling", "result"].contains(&event["type"].as_str().unwrap_or(""))
        })
        .await;
}
