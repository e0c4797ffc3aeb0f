//! A round is set up while a game of the round before plays on. Its clock is not touched: no command goes to it, and it
//! serves the new round only once its game has a result.

use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, holds, is};
use flagfall_tests::hall::{Hall, Plan, clock_name};
use flagfall_tests::lines::Speech;
use flagfall_tests::pty::{self, Plugged};
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const BOARDS: u32 = 8;
/// The board whose game takes long.
const LONG: u32 = 8;
const BASE: i64 = 3_000_000;

struct Room {
    hall: Hall,
    clocks: Vec<(Clock, Plugged)>,
    _ports: tempfile::TempDir,
}

/// Eight clocks on serial ports, half of them speaking JSON, half in frames.
async fn room() -> (Room, Desk) {
    let ports = tempfile::tempdir().expect("a folder");
    let mut clocks = Vec::new();
    let mut more = String::new();
    for table in 1..=BOARDS {
        let clock = Clock::new(&clock_name(table), BASE, 15_000);
        let port = ports.path().join(clock_name(table));
        let speech = if table % 2 == 0 { Speech::Json } else { Speech::Binary };
        let plugged = pty::plug(&clock, &port, speech);
        let _ = write!(more, "[[serial]]\nport = \"{}\"\n", port.display());
        clocks.push((clock, plugged));
    }
    let plan = Plan { boards: BOARDS, broker: false, more, ..Plan::default() };
    let room = Room { hall: plan.open().await, clocks, _ports: ports };
    let chief = room.hall.desk("chief").await;
    let end = Instant::now() + SOON;
    loop {
        let heard = |table: u32| {
            let name = clock_name(table);
            chief.count(|event| event["type"] == "clock_online" && event["clock"] == name.as_str()) > 0
        };
        let silent: Vec<u32> = (1..=BOARDS).filter(|table| !heard(*table)).collect();
        if silent.is_empty() {
            return (room, chief);
        }
        assert!(Instant::now() < end, "not heard: {silent:?}");
        for table in silent {
            room.clock(table).greet();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Room {
    fn clock(&self, table: u32) -> &Clock {
        &self.clocks[table as usize - 1].0
    }

    /// What was written to the clock of the long game, from that byte on: the messages, whatever they say.
    fn written(&self, from: usize) -> Vec<Value> {
        let bytes = self.clocks[LONG as usize - 1].1.bytes();
        let text = String::from_utf8(bytes[from..].to_vec()).expect("this clock is spoken to in JSON");
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).expect("lines of JSON")).collect()
    }
}

fn on(event: &Value, round: u32, board: u32, kind: &str, fields: &Value) -> bool {
    let board = board.to_string();
    event["round"] == round && event["board"] == board && is(event, kind, fields)
}

fn state(tables: &Value, board: u32) -> String {
    let rows = tables["tables"].as_array().unwrap_or_else(|| panic!("tables: {tables}"));
    let name = board.to_string();
    let row = rows.iter().find(|row| row["board"] == name);
    row.unwrap_or_else(|| panic!("board {board}: {tables}"))["state"].as_str().expect("a state").to_owned()
}

/// Round 2 as the pairing program has it: everybody moves up a table.
fn pairings() -> Vec<Value> {
    let name = |colour: &str, board: u32| json!({"name": format!("{colour} {board}"), "team": &colour[..1]});
    let row = |board: u32| {
        let before = board % BOARDS + 1;
        json!({"board": board, "table": board, "first": name("Black", before), "second": name("Red", board)})
    };
    (1..=BOARDS).map(row).collect()
}

/// Round 1: all play, seven have their results signed, and the clocks stand.
async fn first_round(room: &Room, chief: &Desk) {
    chief.done("round.prepare", json!({"round": 1})).await;
    chief.done("round.start", json!({"round": 1})).await;
    for table in 1..=BOARDS {
        room.clock(table).start(Side::Left);
        room.clock(table).moves(3);
    }
    for board in 1..=BOARDS {
        let moved = json!({"player": "second", "moves": 3});
        chief.wait("three moves of each", |event| on(event, 1, board, "press", &moved)).await;
    }
    let results = room.hall.desk("results").await;
    for board in (1..=BOARDS).filter(|board| *board != LONG) {
        // Most stop the clock, some end the game at it.
        if board % 3 == 0 {
            room.clock(board).over(Some("first"), true);
        } else {
            room.clock(board).push_stop();
        }
        let signed =
            json!({"round": 1, "board": board, "result": "1-0", "cause": "resign", "status": "signed"});
        results.done("board.result", signed).await;
        chief.wait("its result", |event| on(event, 1, board, "result", &json!({"status": "signed"}))).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_is_set_up_by_three_requests_while_a_game_of_the_one_before_plays_on() {
    let (room, chief) = room().await;
    first_round(&room, &chief).await;
    let (technician, arbiter) = (room.hall.desk("technician").await, room.hall.desk("arbiter").await);
    let results = room.hall.desk("results").await;
    let long = room.clock(LONG).clone();
    let silence = room.clocks[LONG as usize - 1].1.bytes().len();
    let commands = room.written(0).len() - room.written(silence).len();
    assert!(commands > 0, "it was spoken to before");

    let asked = Instant::now();
    let loaded = results.done("round.load", json!({"round": 2, "boards": pairings()})).await;
    let prepared = technician.done("round.prepare", json!({"round": 2})).await;
    let started = arbiter.done("round.start", json!({"round": 2})).await;
    let took = asked.elapsed();
    println!("round 2 was set up in {} ms", took.as_millis());
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert_eq!(loaded["boards"].as_array().map(Vec::len), Some(BOARDS as usize), "{loaded}");
    let doubts = loaded["doubts"].as_array().expect("doubts");
    let in_play = doubts.iter().find(|doubt| doubt["kind"] == "in_play").expect("a game is still on");
    assert_eq!(in_play["boards"], json!([LONG.to_string()]), "{loaded}");
    for board in (1..=BOARDS).filter(|board| *board != LONG) {
        assert_eq!(state(&prepared, board), "ready", "{prepared}");
        assert_eq!(room.clock(board).times(), [BASE; 2], "board {board}");
        assert_eq!(room.clock(board).presses(), [0; 2], "board {board}");
    }
    assert_eq!(state(&prepared, LONG), "in_play", "{prepared}");
    assert_eq!((&started["round"], &started["adopted"]), (&json!(2), &json!(0)), "{started}");

    // Both rounds are played side by side, and nothing is mistaken for the other.
    let mark = chief.mark();
    room.clock(1).start(Side::Left);
    room.clock(1).moves(1);
    long.moves(2);
    chief
        .since(mark, "round 2", |event| on(event, 2, 1, "press", &json!({"player": "second", "moves": 1})))
        .await;
    chief
        .since(mark, "round 1", |event| on(event, 1, LONG, "press", &json!({"player": "second", "moves": 5})))
        .await;
    let again = technician.done("round.prepare", json!({"round": 2})).await;
    assert_eq!(state(&again, 1), "in_play", "{again}");
    assert_eq!(state(&again, LONG), "in_play", "{again}");
    assert_eq!(room.clock(1).running(), Some(Side::Left), "a game is left alone");

    // The long game ends as it should, in its own round.
    long.over(Some("draw"), true);
    let draw = json!({"result": "1/2-1/2", "status": "claimed"});
    chief.since(mark, "the players' word", |event| on(event, 1, LONG, "result", &draw)).await;
    let signed =
        json!({"round": 1, "board": LONG, "result": "1/2-1/2", "cause": "repetition", "status": "signed"});
    arbiter.done("board.result", signed).await;
    chief.done("round.close", json!({"round": 1})).await;
    // What is written comes in order: once its last event is acknowledged, nothing is on its way any more.
    let last = long.kept().last().expect("events").value()["seq"].clone();
    let acked = |message: &Value| message["do"]["type"] == "ack" && message["do"]["seq"] == last;
    until("its last event is acknowledged", SOON, || {
        room.written(silence).iter().find(|it| acked(it)).map(|_| ())
    })
    .await;
    let told: Vec<Value> =
        room.written(silence).into_iter().filter(|message| message["do"]["type"] != "ack").collect();
    assert!(told.is_empty(), "the clock of a game was told {told:?}");

    // Now the clock is free, and the round it was waited for.
    let free = technician.done("round.prepare", json!({"round": 2})).await;
    assert_eq!(state(&free, LONG), "ready", "{free}");
    assert_eq!((long.times(), long.presses()), ([BASE; 2], [0; 2]));
    let mark = chief.mark();
    long.start(Side::Left);
    long.moves(1);
    chief
        .since(mark, "its new game", |event| {
            on(event, 2, LONG, "game_started", &json!({"player": "first", "by": "button"}))
        })
        .await;
    chief
        .since(mark, "and its moves", |event| {
            on(event, 2, LONG, "press", &json!({"player": "second", "moves": 1}))
        })
        .await;
    until("nothing of it is anybody's fault", SOON, || {
        let accused =
            |event: &&Value| event["type"] == "ruling" || is(event, "incident", &json!({"state": "open"}));
        let open = chief.events().iter().filter(accused).cloned().collect::<Vec<_>>();
        let open: Vec<Value> = open.into_iter().filter(|event| !closed(&chief, event)).collect();
        assert!(open.iter().all(|event| event["type"] != "ruling"), "{open:?}");
        open.is_empty().then_some(())
    })
    .await;
}

/// Whether a question was answered since.
fn closed(chief: &Desk, question: &Value) -> bool {
    let id = &question["incident"]["id"];
    let closed = json!({"incident": {"id": id, "state": "closed"}});
    chief.events().iter().any(|event| holds(event, &closed))
}
