//! Rounds: clocks set and started, paused, moved to other boards, put right again.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, holds, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::mqtt::AtBroker;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn heard(desk: &Desk, clock: &str) {
    desk.wait("the clock is heard", |event| event["clock"] == clock && event["type"] == "clock_online").await;
}

async fn game(plan: Plan) -> (Hall, Desk, Clock, AtBroker) {
    let hall = plan.open().await;
    let desk = hall.desk("chief").await;
    let (clock, line) = hall.clock(1, 3_000_000, 15_000).await;
    heard(&desk, "A01").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    clock.moves(2);
    let moves = json!({"player": "second", "moves": 2});
    desk.wait("four presses", |event| is(event, "press", &moves)).await;
    (hall, desk, clock, line)
}

/// Stands, and the daemon has heard of it.
async fn stands(desk: &Desk, clock: &Clock) -> [i64; 2] {
    let name = clock.name();
    until("the clock stands", SOON, || {
        let told = desk.events();
        let last = told.iter().rev().find(|event| {
            event["clock"] == name.as_str()
                && ["stopped", "resumed"].contains(&event["type"].as_str().unwrap_or(""))
        });
        (clock.running().is_none() && last.is_some_and(|event| event["type"] == "stopped")).then_some(())
    })
    .await;
    clock.times()
}

fn state(answer: &Value, table: u32) -> String {
    let tables = answer["tables"].as_array().unwrap_or_else(|| panic!("tables: {answer}"));
    let found =
        tables.iter().find(|row| row["table"] == table).unwrap_or_else(|| panic!("table {table}: {answer}"));
    assert_eq!(found["board"], table.to_string(), "{answer}");
    assert_eq!(found["clock"], format!("A{table:02}"), "{answer}");
    found["state"].as_str().expect("a state").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prepare_sets_every_clock_that_has_no_game_and_says_how_each_is() {
    let plan = Plan {
        boards: 4,
        event: "start_by = \"daemon\"".into(),
        regulations:
            "base_ms = 1800000\nincrement_ms = 7000\nfirst = { base_ms = 1200000, increment_ms = 5000 }"
                .into(),
        ..Plan::default()
    };
    let hall = plan.open().await;
    let desk = hall.desk("chief").await;
    // 1 shows other times, 2 is right already but used, 3 hears nothing, 4 is not there.
    let (one, _line1) = hall.clock(1, 300_000, 0).await;
    let (two, _line2) = hall.clock(2, 60_000, 0).await;
    let (three, _line3) = hall.clock(3, 60_000, 0).await;
    for clock in ["A01", "A02", "A03"] {
        heard(&desk, clock).await;
    }
    three.deaf(true);
    let checked = desk.done("round.check", json!({"round": 1})).await;
    assert_eq!(
        (state(&checked, 1).as_str(), state(&checked, 4).as_str()),
        ("wrong_times", "offline"),
        "{checked}"
    );
    assert!(one.heard_of("configure").is_empty(), "check changes nothing");

    let asked = Instant::now();
    let prepared = desk.done("round.prepare", json!({"round": 1})).await;
    assert!(asked.elapsed() < Duration::from_millis(8_500), "within 8 s, not {:?}", asked.elapsed());
    for clock in [&one, &two] {
        let times = clock.times();
        assert_eq!(times, [1_200_000, 1_800_000], "Red sits on the left and has his own time");
    }
    assert_eq!(state(&prepared, 1), "ready", "{prepared}");
    assert_eq!(state(&prepared, 2), "ready", "{prepared}");
    assert_eq!(state(&prepared, 3), "wrong_times", "{prepared}");
    assert_eq!(state(&prepared, 4), "offline", "{prepared}");
    let control = &one.heard_of("configure")[0]["do"];
    assert_eq!(control["time_control"]["kind"], "fischer", "{control}");
    assert_eq!(control["first_side"], "left", "{control}");

    // The daemon starts them; who is not there is not waited for.
    three.deaf(false);
    desk.done("round.start", json!({"round": 1})).await;
    for clock in [&one, &two] {
        until("Red's clock runs", SOON, || clock.running()).await;
        assert_eq!(clock.running(), Some(Side::Left));
    }
    for board in ["1", "2"] {
        desk.wait("it is told", |event| {
            event["board"] == board && is(event, "game_started", &json!({"player": "first", "by": "command"}))
        })
        .await;
    }
    let checked = desk.done("round.check", json!({"round": 1})).await;
    assert_eq!(state(&checked, 1), "in_play", "{checked}");
    one.moves(1);
    assert_eq!(one.presses(), [1, 1]);
    let before = one.heard_of("configure").len();
    let again = desk.done("round.prepare", json!({"round": 1})).await;
    assert_eq!(state(&again, 1), "in_play", "{again}");
    assert_eq!(one.heard_of("configure").len(), before, "a game is left alone");
    desk.nothing(Duration::from_millis(300), 0, "a question", |event| {
        is(event, "incident", &json!({"kind": "unexplained_start"}))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_start_by_daemon_nobody_starts_a_board_with_both_absent() {
    let plan = Plan { boards: 2, event: "start_by = \"daemon\"".into(), ..Plan::default() };
    let hall = plan.open().await;
    let desk = hall.desk("chief").await;
    let (one, _line1) = hall.clock(1, 3_000_000, 15_000).await;
    let (two, _line2) = hall.clock(2, 3_000_000, 15_000).await;
    heard(&desk, "A01").await;
    heard(&desk, "A02").await;
    let absent = json!([{"board": "2", "player": "first"}, {"board": "2", "player": "second"}]);
    desk.done("round.absent", json!({"round": 1, "players": absent, "complete": true})).await;
    desk.done("round.start", json!({"round": 1})).await;
    until("board 1 runs", SOON, || one.running()).await;
    desk.nothing(Duration::from_secs(2), 0, "board 2 starts", |event| {
        event["board"] == "2" && event["type"] == "game_started"
    })
    .await;
    assert_eq!(two.running(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_daemon_starts_it_a_start_by_button_is_a_question() {
    let plan = Plan { boards: 1, event: "start_by = \"daemon\"".into(), ..Plan::default() };
    let hall = plan.open().await;
    let desk = hall.desk("arbiter").await;
    let (clock, _line) = hall.clock(1, 3_000_000, 15_000).await;
    heard(&desk, "A01").await;
    clock.start(Side::Left);
    desk.wait("the question", |event| is(event, "incident", &json!({"kind": "unexplained_start"}))).await;
    assert_eq!(clock.running(), Some(Side::Left), "nothing of ours stops a game");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn times_are_changed_and_put_back_by_difference() {
    let (_hall, desk, clock, _line) = game(Plan::default()).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    let before = stands(&desk, &clock).await;
    let changed = json!({"board": "1", "player": "first", "delta_ms": 60_000, "reason": "a fault"});
    desk.done("board.adjust", changed).await;
    until("a minute more", SOON, || (clock.times() == [before[0] + 60_000, before[1]]).then_some(())).await;
    let told = desk
        .wait("the clock's word", |event| {
            event["type"] == "times_changed"
                && event["times_changed"]["after"]["first_ms"] == before[0] + 60_000
        })
        .await;
    assert_eq!(told["times_changed"]["before"]["first_ms"], before[0], "{told}");
    // Play goes on before he sees that it was the wrong board: what was used since stays used.
    desk.done("board.resume", json!({"board": "1"})).await;
    until("it runs", SOON, || clock.running()).await;
    clock.press(Side::Left);
    desk.wait("the press", |event| is(event, "press", &json!({"moves": 3}))).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    let later = stands(&desk, &clock).await;
    let request = desk
        .wait("what was asked", |event| is(event, "request", &json!({"method": "board.adjust", "ok": true})))
        .await;
    desk.done("undo", json!({"seq": request["seq"], "reason": "the wrong board"})).await;
    until("a minute less", SOON, || (clock.times() == [later[0] - 60_000, later[1]]).then_some(())).await;
    desk.wait("it is told", |event| is(event, "undone", &json!({"seq": request["seq"]}))).await;
    // Absolute times, too.
    let set = json!({"board": "1", "first_ms": 600_000, "second_ms": 700_000});
    desk.done("board.set_times", set).await;
    until("as he says", SOON, || (clock.times() == [600_000, 700_000]).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn swapped_sides_carry_times_and_counts_along() {
    let (hall, desk, clock, _line) = game(Plan::default()).await;
    desk.done("board.stop", json!({"board": "1"})).await;
    let before = stands(&desk, &clock).await;
    desk.done("board.swap_sides", json!({"board": "1", "reason": "they sat down the wrong way"})).await;
    // As docs/api/clocks.md and the request's own words have it: the players sit the other way round.
    let boards = hall.get("/api/1/boards", "chief").await.json();
    assert_eq!(boards["boards"][0]["first_side"], "right", "{boards}");
    assert!(
        clock.times() == before || clock.times() == [before[1], before[0]],
        "no time is lost: {:?}",
        clock.times()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_stops_what_runs_and_resumes_what_it_stopped_and_was_told_to() {
    let plan = Plan { boards: 2, ..Plan::default() };
    let (hall, desk, one, _line1) = game(plan).await;
    let (two, _line2) = hall.clock(2, 3_000_000, 15_000).await;
    heard(&desk, "A02").await;
    two.start(Side::Left);
    desk.wait("board 2", |event| event["board"] == "2" && event["type"] == "game_started").await;
    // Board 2 was stopped for its own reason before.
    desk.done("board.stop", json!({"board": "2"})).await;
    stands(&desk, &two).await;
    desk.done("round.pause", json!({"round": 1, "reason": "the light went out"})).await;
    stands(&desk, &one).await;
    let mark = desk.mark();
    desk.refused("round.resume", json!({"round": 1})).await;
    assert_eq!(one.running(), None, "not while nobody says that they sit");
    desk.done("round.resume", json!({"round": 1, "seated": true})).await;
    until("board 1 runs on", SOON, || one.running()).await;
    desk.since(mark, "it is told", |event| event["board"] == "1" && event["type"] == "resumed").await;
    desk.nothing(Duration::from_secs(2), mark, "board 2 runs on, or anybody is accused", |event| {
        (event["board"] == "2" && event["type"] == "resumed") || event["type"] == "ruling"
    })
    .await;
    assert_eq!(two.running(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_in_force_reaches_a_clock_that_was_away() {
    let (hall, desk, clock, line) = game(Plan::default()).await;
    drop(line);
    desk.wait("it is away", |event| event["type"] == "clock_offline").await;
    desk.done("round.pause", json!({"round": 1, "reason": "fire"})).await;
    let _line =
        flagfall_tests::mqtt::connect(&clock, hall.broker_port(), flagfall_tests::lines::Speech::Json).await;
    stands(&desk, &clock).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_clock_takes_over_with_times_and_counts_and_stands() {
    let (hall, desk, clock, line) = game(Plan::default()).await;
    let times = clock.times();
    // It breaks.
    clock.off();
    drop(line);
    desk.wait("it is away", |event| event["type"] == "clock_offline").await;
    let spare = Clock::new("S01", 3_000_000, 0);
    let _line =
        flagfall_tests::mqtt::connect(&spare, hall.broker_port(), flagfall_tests::lines::Speech::Json).await;
    heard(&desk, "S01").await;
    desk.done("board.assign", json!({"board": "1", "clock": "S01", "carry": true})).await;
    let assigned = desk.wait("it is told", |event| is(event, "assigned", &json!({"clock": "S01"}))).await;
    assert!(holds(&assigned["assigned"], &json!({"clock": "S01", "by": "the chief"})), "{assigned}");
    until("the counts are carried", SOON, || (spare.presses() == [2, 2]).then_some(())).await;
    assert_eq!(spare.running(), None, "stopped");
    let carried = spare.times();
    assert!((carried[1] - times[1]).abs() <= 1_000, "Black's time was proven: {carried:?} after {times:?}");
    assert!(carried[0] <= times[0] + 1_000 && carried[0] > times[0] - 30_000, "{carried:?} after {times:?}");
    desk.done_soon("board.resume", json!({"board": "1"})).await;
    until("it runs on", SOON, || spare.running()).await;
    let side = spare.running().expect("it runs");
    spare.press(side);
    desk.wait("and plays on", |event| event["clock"] == "S01" && event["type"] == "press").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quarter_of_the_clocks_running_is_one_question_for_the_hall() {
    let hall = Plan { boards: 4, ..Plan::default() }.open().await;
    let desk = hall.desk("arbiter").await;
    let (one, _line1) = hall.clock(1, 3_000_000, 15_000).await;
    let (two, _line2) = hall.clock(2, 3_000_000, 15_000).await;
    heard(&desk, "A01").await;
    heard(&desk, "A02").await;
    one.start(Side::Left);
    two.start(Side::Left);
    let missing = |state: &'static str| {
        move |event: &Value| is(event, "incident", &json!({"kind": "round_start_missing", "state": state}))
    };
    desk.wait("the question", missing("open")).await;
    desk.done("round.start", json!({"round": 1})).await;
    desk.wait("it is answered", missing("closed")).await;
    let started = desk.wait("the start", |event| event["type"] == "round_started").await;
    assert_eq!(started["round_started"]["adopted"], 2, "{started}");
    assert_eq!(desk.count(|event| event["type"] == "incident" && missing("open")(event)), 1);
    assert_eq!(desk.count(|event| event["type"] == "ruling"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_is_closed_when_nothing_is_missing_and_its_results_are_official() {
    let hall = Plan { boards: 2, broker: false, ..Plan::default() }.open().await;
    let (desk, viewer) = (hall.desk("chief").await, hall.desk("viewer").await);
    desk.done("round.start", json!({"round": 1})).await;
    desk.done("board.result", json!({"board": "1", "result": "1-0", "cause": "mate", "status": "signed"}))
        .await;
    let refused = desk.ask("round.close", json!({"round": 1})).await.expect_err("board 2 has no result");
    assert!(refused.to_string().contains('2'), "it lists what is missing: {refused}");
    desk.done("board.result", json!({"board": "2", "result": "1/2-1/2", "cause": "repetition"})).await;
    viewer
        .nothing(Duration::from_millis(500), 0, "an entered result", |event| {
            event["board"] == "2" && event["type"] == "result"
        })
        .await;
    desk.done("board.sign", json!({"board": "2"})).await;
    viewer
        .wait("the signed one", |event| {
            event["board"] == "2" && is(event, "result", &json!({"status": "signed"}))
        })
        .await;
    desk.done("round.close", json!({"round": 1})).await;
    for board in ["1", "2"] {
        viewer
            .wait("official", |event| {
                event["board"] == board && is(event, "result", &json!({"status": "official"}))
            })
            .await;
    }
}
