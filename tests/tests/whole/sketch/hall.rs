//! A real daemon plays a round on the sketch.

use super::{LEFT_LIGHT, PINS, compile};
use flagfall_tests::desk::is;
use flagfall_tests::hall::Plan;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The sketch on a pseudo terminal, in the time of this host.
struct OnPort {
    child: Child,
    stdin: ChildStdin,
    light: Arc<Mutex<bool>>,
}

impl Drop for OnPort {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl OnPort {
    fn plug(program: &Path, port: &Path) -> Self {
        let mut child =
            Command::new(program).arg(port).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let light = Arc::new(Mutex::new(false));
        let (stdin, lines) =
            (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
        let seen = Arc::clone(&light);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some(level) = line.strip_prefix(&format!("pin {LEFT_LIGHT} ")) {
                    *seen.lock().unwrap() = level == "1";
                }
            }
        });
        Self { child, stdin, light }
    }

    fn tell(&mut self, word: &str) {
        writeln!(self.stdin, "{word}").expect("the sketch runs");
    }

    async fn press(&mut self, contact: usize) {
        for level in [0, 1] {
            self.tell(&format!("pin {} {level}", PINS[contact]));
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_hall_plays_a_game_on_a_sketch() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("clock");
    let mut clock = OnPort::plug(&compile(folder.path()), &port);
    let plan = Plan {
        broker: false,
        event: "start_by = \"daemon\"".into(),
        regulations: "base_ms = 600000\nincrement_ms = 5000".into(),
        more: format!("[[serial]]\nport = \"{}\"\n", port.display()),
        ..Plan::default()
    };
    let hall = plan.open().await;
    let desk = hall.desk("chief").await;
    desk.wait("it is heard", |event| event["type"] == "clock_online").await;
    let prepared = desk.done("round.prepare", json!({"round": 1})).await;
    assert_eq!(prepared["tables"][0]["state"], "ready", "{prepared}");
    desk.done("round.start", json!({"round": 1})).await;
    desk.wait("the start", |event| is(event, "game_started", &json!({"player": "first", "by": "command"})))
        .await;
    let light = Arc::clone(&clock.light);
    until("the left light", SOON, || light.lock().unwrap().then_some(())).await;

    let press = |player: &'static str, moves: u64| {
        move |event: &Value| is(event, "press", &json!({"player": player, "moves": moves}))
    };
    for contact in [0, 1, 0, 1] {
        clock.press(contact).await;
    }
    desk.wait("four presses", press("second", 2)).await;
    let moved = desk.events().into_iter().find(|event| press("first", 1)(event)).unwrap();
    let left = moved["press"]["first_ms"].as_i64().unwrap_or_else(|| panic!("{moved}"));
    assert!((595_000..=605_000).contains(&left), "the increment is credited: {moved}");

    // The cable is loose for two moves, and noise comes out of it.
    clock.tell("lose 1");
    clock.press(0).await;
    clock.press(1).await;
    clock.tell("lose 0");
    clock.press(0).await;
    desk.wait("the press after the loss", press("first", 4)).await;
    desk.wait("the lost one", press("second", 3)).await;
    let presses = |event: &&Value| event["type"] == "press";
    assert_eq!(desk.count(presses), 7);
    assert_eq!(desk.count(|event| event["type"] == "gap" || event["press"]["derived"] == true), 0);

    // The desk stops it, sets times and lets it go on; then a flag falls.
    desk.done("board.stop", json!({"board": "1"})).await;
    desk.wait("it stands", |event| is(event, "stopped", &json!({"ordered": true}))).await;
    desk.done_soon("board.set_times", json!({"board": "1", "first_ms": 300_000, "second_ms": 1_500})).await;
    desk.wait("it is set", |event| event["type"] == "times_changed").await;
    desk.done_soon("board.resume", json!({"board": "1"})).await;
    let flag = desk.wait("the flag", |event| is(event, "flag", &json!({"player": "second"}))).await;
    assert_eq!(flag["flag"]["side"], "right", "{flag}");
    desk.wait("the ruling", |event| is(event, "ruling", &json!({"kind": "time_forfeit"}))).await;

    let faults = |event: &&Value| {
        matches!(event["type"].as_str(), Some("clock_fault" | "gap" | "clock_offline"))
            || event["type"] == "incident"
    };
    let told = desk.events();
    let wrong: Vec<_> = told.iter().filter(faults).collect();
    assert!(wrong.is_empty(), "the daemon finds no fault with it: {wrong:?}");
    // Noise is a fault of the line, once, and costs nothing.
    clock.tell("say no line of a clock's");
    desk.wait("the noise", |event| event["type"] == "clock_fault").await;
}
