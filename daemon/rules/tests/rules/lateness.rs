//! 四.1, 四.2: lateness counts from the round's actual start; silence is not absence.

use crate::hall::{BEGIN, Hall};
use flagfall_arbiter::{IncidentKind, Lane, Offender, Outcome, RulingKind, RulingState, Wall};
use flagfall_rules::{Boundary, Input, Mode, Regulations, StartBy};
use serde_json::json;

const MINUTE: u64 = 60_000;

fn wall(ms: u64) -> Wall {
    Wall(BEGIN + ms as i64)
}

#[test]
fn rule_08_a_known_absent_player_is_proposed_for_after_fifteen_minutes_of_the_wall() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "1", "player": "second" }], "complete": true }))
        .unwrap();
    hall.start(1);
    hall.wait(10 * MINUTE);
    hall.press(1);
    hall.wait(5 * MINUTE);
    assert!(hall.rulings().is_empty(), "not at 15:00.000");
    hall.wait(1);
    let ruling = hall.ruling(RulingKind::Default);
    assert_eq!((ruling.state, ruling.offender), (RulingState::Proposed, Some(Offender::Second)));
    assert_eq!(
        (ruling.article.as_ref(), ruling.effect.result, ruling.effect.forfeit),
        ("四.1", Some(Outcome::First), true)
    );
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    assert!(hall.result("1").unwrap().forfeit);
    assert!(hall.open(IncidentKind::PresenceUnknown).is_empty());
}

#[test]
fn rule_09_the_boundary_of_the_default_time() {
    for (boundary, arrives, due) in [
        (Boundary::After, 15 * MINUTE, false),
        (Boundary::After, 15 * MINUTE + 1, true),
        (Boundary::At, 15 * MINUTE, true),
        (Boundary::At, 15 * MINUTE - 1, false),
    ] {
        let regulations = Regulations { default_boundary: boundary, ..Regulations::default() };
        let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
        hall.round_starts();
        hall.ask(
            "round.absent",
            json!({ "players": [{ "board": "1", "player": "second" }], "complete": true }),
        )
        .unwrap();
        hall.start(1);
        hall.wait(16 * MINUTE);
        hall.ask("player.arrived", json!({ "board": "1", "player": "second", "at": wall(arrives) })).unwrap();
        let proposed = hall.rulings().iter().any(|ruling| ruling.state == RulingState::Proposed);
        assert_eq!(proposed, due, "{boundary:?} at {arrives}");
    }
}

#[test]
fn rule_10_both_late_lose_their_own_lateness_and_the_clocks_are_started() {
    let mut hall = both_come_late(Regulations::default());
    let told = hall.events.len();
    let before = hall.ask("board.start_times", json!({ "board": "1" })).unwrap();
    assert_eq!((&before["first_late_ms"], &before["second_late_ms"]), (&json!(480_000), &json!(600_000)));
    assert_eq!((hall.events.len(), hall.orders.len()), (told, 0), "only looked at");
    let answer = hall.ask("board.start", json!({ "board": "1" })).unwrap();
    for key in ["board", "first_ms", "second_ms", "both_late"] {
        assert_eq!(before[key], answer[key], "as it then is started");
    }
    assert_eq!(
        (answer["first_ms"].as_i64(), answer["second_ms"].as_i64()),
        (Some(2_520_000), Some(2_400_000))
    );
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (2_520_000, 2_400_000));
    assert_eq!(hall.clocks[0].running, Some(flagfall_clock::Side::Left));
    let started = hall.news("game_started");
    let flagfall_arbiter::News::GameStarted(game) = &started[0].news else { panic!() };
    assert!(game.both_late);
    hall.wait(10 * MINUTE);
    assert!(hall.rulings().is_empty());
}

#[test]
fn rule_12_neither_there_is_a_double_default_and_no_clock_runs() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    let both = json!({ "players": [{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }], "complete": true });
    hall.ask("round.absent", both).unwrap();
    hall.wait(20 * MINUTE);
    let ruling = hall.ruling(RulingKind::DoubleDefault);
    assert_eq!((ruling.article.as_ref(), ruling.effect.result), ("四.2", Some(Outcome::None)));
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::None);
    assert!(hall.orders.is_empty() && hall.clocks[0].running.is_none());
}

#[test]
fn a_clock_heard_throughout_that_never_ran_shows_absence_where_there_is_neither_word_nor_hint() {
    let mut hall = Hall::new(3);
    hall.report(2, Some(flagfall_clock::ClockEvent::Ready { side: flagfall_clock::Side::Left }), Some(0));
    hall.input(Input::Link {
        clock: "C3".parse().unwrap(),
        online: false,
        by: "t".into(),
        cause: "silence".into(),
    });
    hall.round_starts();
    hall.wait(16 * MINUTE);
    // board 1: both; board 2: one was ready, the other not; board 3 was not heard: nothing is known
    let kinds: Vec<(RulingKind, Option<Offender>)> =
        hall.rulings().iter().map(|r| (r.kind, r.offender)).collect();
    assert_eq!(
        kinds,
        [(RulingKind::DoubleDefault, Some(Offender::Both)), (RulingKind::Default, Some(Offender::Second))]
    );
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!(asked.len(), 1, "one line for the round");
    assert_eq!(asked[0].lane, Lane::Decide);
    let chairs: Vec<&str> = asked[0].chairs.iter().map(|(board, _)| board.as_str()).collect();
    assert_eq!(chairs, ["2", "3", "3"]);
}

#[test]
fn sixteen_minutes_on_move_one_accuse_nobody() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.wait(16 * MINUTE);
    assert!(hall.rulings().is_empty());
    assert_eq!(hall.open(IncidentKind::PresenceUnknown).len(), 1);
    hall.press(1);
    hall.wait(30_000);
    hall.press(1);
    assert!(hall.open(IncidentKind::PresenceUnknown).is_empty(), "two moves answer it");
    assert!(hall.rulings().is_empty());
}

#[test]
fn a_move_made_in_time_but_heard_late_withdraws_a_default() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "1", "player": "first" }], "complete": true }))
        .unwrap();
    hall.wait(16 * MINUTE);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
    hall.clocks[0].presses = [1, 0];
    hall.clocks[0].running = Some(flagfall_clock::Side::Right);
    let press = flagfall_clock::ClockEvent::Press { side: flagfall_clock::Side::Left };
    hall.report_at(1, Some(press), Some(0), 9 * MINUTE, false);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Withdrawn);
}

#[test]
fn an_arrival_after_the_limit_leaves_it_to_the_arbiter() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "1", "player": "first" }], "complete": true }))
        .unwrap();
    hall.wait(16 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
    hall.start(1);
    hall.press(1);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
}

#[test]
fn one_in_time_and_one_beyond_is_no_double_default() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    let both = json!({ "players": [{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }], "complete": true });
    hall.ask("round.absent", both).unwrap();
    hall.wait(14 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.wait(2 * MINUTE);
    let ruling = hall.ruling(RulingKind::Default);
    assert_eq!((ruling.offender, ruling.effect.result), (Some(Offender::Second), Some(Outcome::First)));
}

#[test]
fn the_round_counts_from_when_it_actually_began() {
    let mut hall = Hall::new(8);
    for board in 1..=2 {
        hall.start(board);
        hall.seconds(10);
        hall.press(board);
    }
    let asked = hall.open(IncidentKind::RoundStartMissing);
    assert_eq!(asked.len(), 1, "a quarter of the clocks run: one question for the hall");
    hall.start(3);
    assert_eq!(hall.open(IncidentKind::RoundStartMissing).len(), 1);
    hall.seconds(70);
    let answer = hall.ask("round.start", json!({ "at": wall(0) })).unwrap();
    assert_eq!(answer["adopted"], 3);
    assert!(hall.open(IncidentKind::RoundStartMissing).is_empty());
    hall.ask("round.absent", json!({ "players": [{ "board": "8", "player": "first" }], "complete": true }))
        .unwrap();
    hall.wait(15 * MINUTE - hall.now);
    assert!(hall.rulings().is_empty());
    hall.wait(1);
    assert_eq!(hall.rulings().len(), 1);
    assert!(hall.ask("round.start", json!({ "at": wall(99 * MINUTE) })).is_err(), "an instant to come");
}

#[test]
fn a_pause_does_not_count_towards_the_default_time() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "1", "player": "first" }], "complete": true }))
        .unwrap();
    hall.wait(8 * MINUTE);
    hall.ask("round.pause", json!({ "reason": "alarm" })).unwrap();
    hall.wait(20 * MINUTE);
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.wait(7 * MINUTE);
    assert!(hall.rulings().is_empty());
    hall.wait(1);
    assert_eq!(hall.rulings().len(), 1);
}

#[test]
fn a_default_confirms_itself_only_where_the_event_says_so() {
    let regulations = Regulations { automatic: vec![RulingKind::Default], ..Regulations::default() };
    let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "1", "player": "first" }], "complete": true }))
        .unwrap();
    hall.wait(16 * MINUTE);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Confirmed);
}

#[test]
fn rule_06_who_comes_late_as_first_player_has_lost_what_his_clock_has_run() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    let absent = json!({ "players": [{ "board": "1", "player": "first" }], "complete": true });
    hall.ask("round.absent", absent).unwrap();
    hall.start(1);
    hall.wait(7 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.status(1);
    let clock = &hall.clocks[0];
    assert_eq!((clock.left, clock.right), (2_580_000, 3_000_000), "43:00, and it runs");
    assert_eq!(clock.running, Some(flagfall_clock::Side::Left));
    hall.wait(MINUTE);
    hall.press(1);
    hall.wait(20 * MINUTE);
    assert!(hall.rulings().is_empty() && hall.news("foul").is_empty());
    hall.recovers();
}

#[test]
fn rule_07_who_comes_late_as_second_player_loses_from_his_first_turn_on() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    let absent = json!({ "players": [{ "board": "1", "player": "second" }], "complete": true });
    hall.ask("round.absent", absent).unwrap();
    hall.start(1);
    hall.wait(2 * MINUTE);
    hall.press(1);
    hall.wait(7 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    hall.status(1);
    let clock = &hall.clocks[0];
    assert_eq!((clock.left, clock.right), (2_895_000, 2_580_000), "48:15 and 43:00");
    assert_eq!(clock.running, Some(flagfall_clock::Side::Right));
    hall.seconds(30);
    hall.press(1);
    hall.wait(20 * MINUTE);
    assert!(hall.rulings().is_empty() && hall.news("foul").is_empty());
    hall.recovers();
}

/// Both named absent; the first player comes at 8 min, the second at 10.
fn both_come_late(regulations: Regulations) -> Hall {
    let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    let absent =
        json!({ "players": [{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }] });
    hall.ask("round.absent", absent).unwrap();
    hall.wait(8 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "first" })).unwrap();
    hall.wait(2 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    hall
}

#[test]
fn rule_14_under_fide_the_first_mover_loses_all_until_he_comes() {
    let regulations = Regulations {
        both_late: flagfall_rules::BothLate::FirstMoverAll,
        increment_on_first_move: true,
        ..Regulations::default()
    };
    let mut hall = both_come_late(regulations);
    hall.ask("board.start", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (2_535_000, 3_015_000), "42:15 and 50:15");
}

/// A3: the five readings of 四.2, each of the same two latenesses.
#[test]
fn rule_10_the_other_readings_of_both_late() {
    use flagfall_rules::BothLate::{Doubled, FirstMoverAll, JointThenTurn, OwnLateness, Split};
    for (both_late, first, second) in [
        (OwnLateness, 42, 40),
        (JointThenTurn, 42, 42),
        (FirstMoverAll, 42, 50),
        (Split, 46, 46),
        (Doubled, 34, 30),
    ] {
        let mut hall = both_come_late(Regulations { both_late, ..Regulations::default() });
        hall.ask("board.start", json!({ "board": "1" })).unwrap();
        hall.obey(1);
        let shown = (hall.clocks[0].left, hall.clocks[0].right);
        assert_eq!(shown, (first * 60_000, second * 60_000), "{both_late:?}");
        hall.recovers();
    }
}

#[test]
fn rule_15_under_us_chess_the_time_until_the_first_came_is_split() {
    let regulations = Regulations {
        base_ms: 1_800_000,
        increment_ms: 0,
        default_ms: 3_600_000,
        both_late: flagfall_rules::BothLate::Split,
        ..Regulations::default()
    };
    let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    let absent =
        json!({ "players": [{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }] });
    hall.ask("round.absent", absent).unwrap();
    hall.wait(10 * MINUTE);
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    hall.ask("board.start", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (1_500_000, 1_500_000), "25:00 each");
    hall.wait(24 * MINUTE);
    assert!(hall.result("1").is_none() && hall.rulings().is_empty(), "the other loses only by his flag");
    hall.flag(1);
    assert_eq!(hall.ruling(RulingKind::TimeForfeit).effect.result, Some(Outcome::Second));
}
