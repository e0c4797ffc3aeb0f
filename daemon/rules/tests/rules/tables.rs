//! Tables and set-up: the walk along the row, what a person must set.

use crate::hall::{Hall, playing, setup};
use flagfall_arbiter::{IncidentKind, Role};
use flagfall_clock::{About, Action, By, Can, ClockEvent, Side};
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::{Value, json};

/// Clocks that stand nowhere yet.
fn unbound(boards: u32) -> Hall {
    let mut setup = setup(boards, Regulations::default(), StartBy::Players, Mode::Act);
    setup.tables.clear();
    Hall::of(boards, setup)
}

fn lever(hall: &mut Hall, clock: u32) {
    hall.report(clock, Some(ClockEvent::Ready { side: Side::Left }), None);
}

#[test]
fn each_lever_binds_the_next_table_and_the_clock_shows_its_number() {
    let mut hall = unbound(4);
    hall.ask_as(Role::Technician, "setup.walk", json!({ "from_table": 1, "to_table": 4 })).unwrap();
    for clock in [3, 1, 1, 4, 2] {
        hall.seconds(5);
        lever(&mut hall, clock);
    }
    let bound: Vec<(Option<u32>, String)> = hall
        .news("assigned")
        .iter()
        .filter_map(|event| match &event.news {
            flagfall_arbiter::News::Assigned(assigned) => Some((assigned.table, assigned.clock.to_string())),
            _ => None,
        })
        .collect();
    let expected = [(1, "C3"), (2, "C1"), (3, "C4"), (4, "C2")];
    assert_eq!(bound, expected.map(|(table, clock)| (Some(table), clock.to_owned())));
    let shown: Vec<u16> = hall
        .orders
        .iter()
        .filter_map(|order| match order.action {
            Action::Show { number } => Some(number),
            _ => None,
        })
        .collect();
    assert_eq!(shown, [1, 2, 3, 4]);
    lever(&mut hall, 3);
    assert_eq!(hall.news("assigned").len(), 4, "the walk is over");
    // boards of the round play at their tables' clocks
    hall.round_starts();
    hall.start(3);
    assert_eq!(hall.news("game_started")[0].board.as_deref(), Some("1"));
    hall.recovers();
}

#[test]
fn a_press_on_the_walk_is_no_hint_and_no_game() {
    let mut hall = unbound(2);
    hall.ask("setup.walk", json!({})).unwrap();
    // the second player's lever starts a clock that is as new: it is stopped again
    hall.start(1);
    assert!(hall.orders.iter().any(|order| order.action == Action::Stop));
    hall.obey(1);
    lever(&mut hall, 2);
    assert!(hall.news("game_started").is_empty() && hall.incidents().is_empty());
    hall.recovers();
}

#[test]
fn a_walk_leaves_games_alone_that_began_before_anybody_said_so() {
    let mut hall = Hall::new(4);
    hall.start(2);
    hall.seconds(5);
    hall.ask("setup.walk", json!({})).unwrap();
    hall.press(2);
    lever(&mut hall, 1);
    hall.seconds(5);
    hall.start(1);
    assert_eq!(hall.news("assigned").len(), 1);
    let stops = hall.orders.iter().filter(|order| order.action == Action::Stop).count();
    assert_eq!((stops, hall.news("game_started").len(), hall.news("press").len()), (0, 2, 1));
    hall.recovers();
}

#[test]
fn a_walk_that_is_forgotten_ends_by_itself() {
    let mut hall = unbound(4);
    hall.ask("setup.walk", json!({})).unwrap();
    lever(&mut hall, 1);
    hall.seconds(121);
    assert_eq!(hall.news("notice").len(), 1);
    lever(&mut hall, 2);
    assert_eq!(hall.news("assigned").len(), 1, "what players press before their round binds nothing");
    hall.recovers();
}

#[test]
fn a_clock_in_play_is_not_bound() {
    let mut hall = playing();
    hall.ask("setup.walk", json!({ "from_table": 3, "to_table": 4 })).unwrap();
    hall.press(1);
    assert!(hall.news("assigned").is_empty());
    lever(&mut hall, 2);
    assert_eq!(hall.news("assigned").len(), 1, "board 2 has no game yet; its clock stands at table 3 now");
    hall.ask("setup.walk", json!({ "stop": true })).unwrap();
    hall.ask("setup.walk", json!({ "stop": true })).unwrap_err();
    hall.recovers();
}

#[test]
fn a_row_that_goes_nowhere_is_refused() {
    let mut hall = unbound(4);
    hall.ask("setup.walk", json!({ "from_table": 4, "to_table": 1 })).unwrap_err();
    hall.ask("setup.walk", json!({ "from_table": 1, "to_table": 100_000 })).unwrap_err();
}

fn table(hall: &mut Hall, board: &str) -> Value {
    let checked = hall.ask("round.check", json!({ "round": 1 })).unwrap();
    checked["tables"].as_array().unwrap().iter().find(|table| table["board"] == board).unwrap().clone()
}

#[test]
fn one_request_tells_all_of_a_table() {
    let mut hall = Hall::new(2);
    let ready = table(&mut hall, "1");
    assert_eq!(ready["state"], "ready");
    assert_eq!(
        (&ready["online"], &ready["running"], &ready["first_side"]),
        (&json!(true), &json!(null), &json!("left"))
    );
    assert_eq!((&ready["first_ms"], &ready["battery_pct"]), (&json!(3_000_000), &json!(90)));
    hall.link(2, false, "silence");
    assert_eq!(table(&mut hall, "2")["state"], "offline");
}

#[test]
fn a_clock_left_running_by_a_game_that_is_signed_is_set_for_the_next() {
    let mut hall = playing();
    for board in 1..=4 {
        let status = if board == 1 { "signed" } else { "entered" };
        let result = json!({ "board": board.to_string(), "result": "1-0", "status": status });
        hall.ask("board.result", result).unwrap();
    }
    hall.start(2);
    hall.seconds(60);
    let checked = hall.ask("round.check", json!({ "round": 2 })).unwrap();
    let states: Vec<&str> =
        checked["tables"].as_array().unwrap().iter().map(|table| table["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["wrong_times", "in_play", "ready", "ready"], "before it is prepared too");
    hall.orders.clear();
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    let to = |hall: &Hall, clock: &str| -> Vec<&'static str> {
        hall.orders
            .iter()
            .filter(|order| order.clock.to_string() == clock)
            .map(|order| order.action.name())
            .collect()
    };
    assert_eq!(to(&hall, "C1"), ["stop", "configure"]);
    assert!(to(&hall, "C2").is_empty(), "somebody plays there");
    hall.obey(1);
    // the one question is about clock 2, which runs before its round
    let asked: Vec<IncidentKind> = hall.incidents().iter().map(|incident| incident.kind).collect();
    assert_eq!(asked, [IncidentKind::RoundStartMissing]);
    assert!(hall.rulings().is_empty());
    hall.recovers();
}

#[test]
fn a_clock_on_which_somebody_pressed_after_the_result_is_left_alone() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.seconds(10);
    hall.press(1);
    hall.orders.clear();
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    assert!(hall.orders.iter().all(|order| order.clock.to_string() != "C1"));
}

/// All clocks say that they cannot be set, and show 50:15.
fn set_by_hand() -> Hall {
    let mut hall = Hall::new(3);
    for n in 1..=3 {
        let clock = &mut hall.clocks[n as usize - 1];
        (clock.left, clock.right) = (3_015_000, 3_015_000);
        let can = Can::none().with("start").with("stop").with("resume").with("describe");
        let about = About { can: Some(can), ..About::default() };
        hall.report(n, Some(ClockEvent::About(about)), None);
    }
    hall
}

#[test]
fn clocks_that_a_person_sets_are_one_question() {
    let mut hall = set_by_hand();
    hall.ask("round.prepare", json!({})).unwrap();
    let open = hall.open(IncidentKind::SetByHand);
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].boards, ["1", "2", "3"]);
    assert!(
        open[0].text.en.contains("they show 50:15 / 50:15, first increment added: accept or set"),
        "{}",
        open[0].text.en
    );
    assert!(hall.orders.is_empty(), "nothing is sent that cannot be done");
    // one is set by hand, the others are accepted
    (hall.clocks[0].left, hall.clocks[0].right) = (3_000_000, 3_000_000);
    hall.report(1, Some(ClockEvent::Adjust { by: By::Button }), None);
    assert_eq!(hall.open(IncidentKind::SetByHand)[0].boards, ["2", "3"]);
    hall.ask("incident.close", json!({ "id": open[0].id, "outcome": "accept" })).unwrap();
    for board in ["1", "2", "3"] {
        assert_eq!(table(&mut hall, board)["state"], "ready");
    }
    hall.recovers();
}

#[test]
fn targets_of_a_clock_set_by_hand_are_whole_seconds() {
    let mut hall = set_by_hand();
    hall.round_starts();
    let chairs = json!([{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }]);
    hall.ask("round.absent", json!({ "players": chairs })).unwrap();
    hall.wait(61_250);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    let started = hall.ask("board.start", json!({ "board": "1" })).unwrap();
    assert_eq!((&started["first_ms"], &started["second_ms"]), (&json!(2_939_000), &json!(2_939_000)));
}

#[test]
fn what_both_lose_may_be_said_for_one_board() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    let chairs = json!([{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }]);
    hall.ask("round.absent", json!({ "players": chairs })).unwrap();
    hall.seconds(480);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.seconds(120);
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    let started = hall.ask("board.start", json!({ "board": "1", "policy": "joint_then_turn" })).unwrap();
    assert_eq!((&started["first_ms"], &started["second_ms"]), (&json!(2_520_000), &json!(2_520_000)));
}
