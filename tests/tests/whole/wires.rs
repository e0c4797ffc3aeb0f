//! Serial lines, serial servers and brokers: unplugged, replugged, restarted, and nothing is lost.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::lines::Speech;
use flagfall_tests::until::{SOON, until};
use flagfall_tests::{pty, tcp};
use rstest::rstest;
use serde_json::json;

async fn open(more: impl Fn(&Hall) -> String) -> (Hall, Desk) {
    // The port's path lies in the hall's own folder, so the file is written again before the daemon counts.
    let mut hall = Plan { broker: false, ..Plan::default() }.open().await;
    hall.kill();
    let mut plan = hall.plan.clone();
    plan.more = more(&hall);
    std::fs::write(&hall.venue, plan.venue(hall.port, None)).expect("a venue");
    std::fs::remove_file(hall.journal()).expect("begun anew");
    for tail in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(hall.path(&format!("hall.journal{tail}")));
    }
    hall.start().await;
    let desk = hall.desk("arbiter").await;
    (hall, desk)
}

async fn presses(desk: &Desk, pairs: u64) {
    let last = json!({"player": "second", "moves": pairs});
    desk.wait("the last press", |event| is(event, "press", &last)).await;
    let told: Vec<u64> = desk
        .events()
        .iter()
        .filter(|event| event["type"] == "press")
        .map(|event| event["press"]["moves"].as_u64().expect("moves"))
        .collect();
    let wanted: Vec<u64> = (1..=pairs).flat_map(|n| [n, n]).collect();
    assert_eq!(told, wanted);
    assert_eq!(desk.count(|event| event["type"] == "gap" || event["press"]["derived"] == true), 0);
}

#[rstest]
#[case::json(Speech::Json)]
#[case::binary(Speech::Binary)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_serial_clock_is_unplugged_and_plugged_in_again(#[case] speech: Speech) {
    let (hall, desk) =
        open(|hall| format!("[[serial]]\nport = \"{}\"\n", hall.path("usb-clock").display())).await;
    let port = hall.path("usb-clock");
    let clock = Clock::new("A01", 3_000_000, 15_000);
    let plug = pty::plug(&clock, &port, speech);
    let first = desk.wait("it is heard", |event| event["type"] == "clock_online").await;
    assert!(first["clock_online"]["by"].as_str().expect("text").contains("usb-clock"), "{first}");
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(3);
    presses(&desk, 3).await;

    let mark = desk.mark();
    plug.pull();
    clock.moves(2);
    let gone = desk.since(mark, "it is away", |event| event["type"] == "clock_offline").await;
    assert_eq!((&gone["clock"], &gone["board"]), (&json!("A01"), &json!("1")), "{gone}");
    let mark = desk.mark();
    let _plug = pty::plug(&clock, &port, speech);
    desk.since(mark, "it is back", |event| event["type"] == "clock_online").await;
    clock.moves(1);
    presses(&desk, 6).await;

    // It hears us, too.
    desk.done("board.stop", json!({"board": "1"})).await;
    until("the clock stands", SOON, || clock.running().is_none().then_some(())).await;
    desk.wait("it is told", |event| is(event, "stopped", &json!({"ordered": true}))).await;
}

#[rstest]
#[case::json(Speech::Json)]
#[case::binary(Speech::Binary)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_serial_server_hangs_up_and_is_called_again(#[case] speech: Speech) {
    let clock = Clock::new("A01", 3_000_000, 15_000);
    let server = tcp::serve(&clock, speech).await;
    let port = server.port;
    let (_hall, desk) = open(move |_| format!("[[serial]]\ntcp = \"127.0.0.1:{port}\"\n")).await;
    desk.wait("it is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(3);
    presses(&desk, 3).await;
    server.hang_up();
    clock.moves(2);
    presses(&desk, 5).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    until("the clock stands", SOON, || clock.running().is_none().then_some(())).await;
}

#[rstest]
#[case::json(Speech::Json)]
#[case::binary(Speech::Binary)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_broker_is_restarted_in_mid_game(#[case] speech: Speech) {
    let mut hall = Plan::default().open().await;
    let desk = hall.desk("arbiter").await;
    let clock = Clock::new("A01", 3_000_000, 15_000);
    let _line = flagfall_tests::mqtt::connect(&clock, hall.broker_port(), speech).await;
    desk.wait("it is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(3);
    presses(&desk, 3).await;
    hall.broker.as_mut().expect("a broker").kill();
    clock.moves(2);
    hall.broker.as_mut().expect("a broker").run();
    clock.moves(1);
    desk.within(std::time::Duration::from_secs(20), 0, "the last press", |event| {
        is(event, "press", &json!({"player": "second", "moves": 6}))
    })
    .await;
    presses(&desk, 6).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    until("the clock stands", SOON, || clock.running().is_none().then_some(())).await;
    assert_eq!(desk.count(|event| event["type"] == "ruling"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn noise_on_a_serial_line_costs_nothing_but_itself() {
    let (hall, desk) =
        open(|hall| format!("[[serial]]\nport = \"{}\"\n", hall.path("usb-clock").display())).await;
    let clock = Clock::new("A01", 3_000_000, 15_000);
    let _plug = pty::plug(&clock, &hall.path("usb-clock"), Speech::Json);
    desk.wait("it is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    for n in 0..5 {
        clock.moves(1);
        // A line with a report in it whose checksum does not fit: whoever changed it, it does not count.
        clock.put(flagfall_tests::clock::Said { json: format!("{{\"noise\":{n}}}"), event: false });
    }
    clock.moves(1);
    presses(&desk, 6).await;
    let faults = desk.count(|event| event["type"] == "clock_fault");
    assert!((1..=2).contains(&faults), "{faults} lines about the noise");
}
