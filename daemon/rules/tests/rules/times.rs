//! Corrections, and taking them back by difference.

use crate::hall::Hall;
use flagfall_clock::{By, Side};
use serde_json::json;

fn stopped() -> Hall {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.start(1);
    hall.seconds(20);
    hall.press(1);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall
}

#[test]
fn an_adjustment_is_one_decision_that_the_clock_follows() {
    let mut hall = stopped();
    let before = hall.clocks[0].right;
    let answer =
        hall.ask("board.adjust", json!({ "board": "1", "player": "second", "delta_ms": 120_000 })).unwrap();
    assert!(hall.ask("board.resume", json!({ "board": "1" })).is_err());
    hall.obey(1);
    assert_eq!(hall.clocks[0].right, before + 120_000);
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].running, Some(Side::Right));
    hall.seconds(10);
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.ask("undo", json!({ "seq": answer["seq"] })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].right, before - 10_000, "by difference: what he used stays used");
    assert!(hall.ask("undo", json!({ "seq": answer["seq"] })).is_err(), "once");
}

#[test]
fn the_clocks_own_event_of_a_correction_can_be_undone_too() {
    let mut hall = stopped();
    let before = hall.clocks[0].left;
    hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": -60_000 })).unwrap();
    hall.obey(1);
    let seq = hall.news("times_changed").pop().unwrap().seq;
    hall.ask("undo", json!({ "seq": seq })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].left, before);
}

#[test]
fn set_times_sets_both_and_two_corrections_add_up_while_the_clock_is_slow() {
    let mut hall = stopped();
    hall.ask("board.set_times", json!({ "board": "1", "first_ms": 600_000, "second_ms": 700_000 })).unwrap();
    hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": -1_000 })).unwrap();
    assert!(hall.ask("board.resume", json!({ "board": "1" })).is_err());
    // only the last order is carried out: it holds the whole difference
    hall.orders = hall.orders.pop().into_iter().collect();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].right), (599_000, 700_000));
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
}

#[test]
fn a_running_board_is_not_corrected() {
    let mut hall = stopped();
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    assert!(hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": 1 })).is_err());
    assert!(hall.ask("board.set_times", json!({ "board": "1", "first_ms": 1, "second_ms": 1 })).is_err());
}

#[test]
fn sides_are_swapped_without_touching_the_times() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.seconds(9);
    hall.press(1);
    let answer = hall.ask("board.swap_sides", json!({ "board": "1" })).unwrap();
    assert_eq!(answer["first_side"], "right");
    assert!(hall.orders.is_empty());
    let view = hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].clone();
    assert_eq!((view.first.ms, view.second.ms), (Some(3_000_000), Some(3_006_000)));
    hall.ask("undo", json!({ "seq": answer["seq"] })).unwrap();
    assert_eq!(hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].first.ms, Some(3_006_000));
}

#[test]
fn an_overruled_ruling_is_taken_back_by_difference_and_the_board_stays_stopped() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.stop(1, By::Button);
    let before = hall.clocks[0].left;
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    let id = hall.rulings()[0].id;
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    hall.obey(1);
    assert_eq!(hall.clocks[0].left, before - 300_000);
    assert!(hall.ask("ruling.overrule", json!({ "id": id })).is_err(), "a reason is needed");
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "he felt ill" })).unwrap();
    hall.obey(1);
    assert_eq!((hall.clocks[0].left, hall.clocks[0].running), (before, None));
    let fouls = hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].first.fouls;
    assert_eq!(fouls, 0);
}

#[test]
fn a_replacement_clock_carries_times_and_counts() {
    let mut hall = stopped();
    let (left, right) = (hall.clocks[0].left, hall.clocks[0].right);
    assert!(
        hall.ask_as(
            flagfall_arbiter::Role::Technician,
            "board.assign",
            json!({ "board": "1", "clock": "C9", "carry": true })
        )
        .is_err()
    );
    hall.ask("board.assign", json!({ "board": "1", "clock": "C9", "carry": true })).unwrap();
    let order = hall.orders.pop().unwrap();
    assert_eq!(order.clock, "C9".parse().unwrap());
    let flagfall_clock::Action::SetTimes(times) = order.action else { panic!() };
    assert_eq!(
        (times.left_ms, times.right_ms, times.left_presses, times.right_presses),
        (left, right, Some(1), Some(0))
    );
}

#[test]
fn missed_presses_are_told_in_turns_with_their_own_numbers_before_the_one_that_was_heard() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.press(1);
    let clock = "C1".parse().unwrap();
    hall.input(flagfall_rules::Input::Gap { clock, from_seq: 5, to_seq: 6 });
    hall.clocks[0].presses = [2, 2];
    hall.press(1);
    let told: Vec<(String, u32, bool)> = hall
        .news("press")
        .iter()
        .map(|event| match &event.news {
            flagfall_arbiter::News::Press(moved) => {
                (format!("{:?}", moved.player), moved.moves, moved.derived)
            }
            _ => unreachable!(),
        })
        .collect();
    let told: Vec<(&str, u32, bool)> =
        told.iter().map(|(who, moves, derived)| (who.as_str(), *moves, *derived)).collect();
    assert_eq!(
        told,
        [
            ("First", 1, false),
            ("Second", 1, false),
            ("First", 2, true),
            ("Second", 2, true),
            ("First", 3, false)
        ]
    );
    let flagfall_arbiter::News::Gap(gap) = &hall.news("gap")[0].news else { panic!() };
    assert_eq!((gap.first_presses, gap.second_presses), (1, 1));
}
