//! Silence: a clock on which nobody presses, clocks that are no longer heard.

use crate::hall::{four_games, playing, playing_under};
use flagfall_arbiter::{IncidentKind, IncidentState, Lane};
use flagfall_rules::Regulations;
use serde_json::json;

#[test]
fn a_side_that_runs_unusually_long_wants_a_result_once_a_turn() {
    let mut hall = playing();
    hall.seconds(1_199);
    assert!(hall.open(IncidentKind::StillPlaying).is_empty());
    hall.seconds(2);
    let open = hall.open(IncidentKind::StillPlaying);
    assert_eq!((open.len(), open[0].lane), (1, Lane::ResultWanted));
    hall.ask("incident.close", json!({ "id": open[0].id, "outcome": "he thinks" })).unwrap();
    hall.seconds(600);
    assert!(
        hall.open(IncidentKind::StillPlaying).is_empty(),
        "once said, it is not asked again in this turn"
    );
    hall.press(1);
    hall.seconds(1_201);
    assert_eq!(hall.open(IncidentKind::StillPlaying).len(), 1);
    hall.press(1);
    assert!(hall.open(IncidentKind::StillPlaying).is_empty());
    hall.recovers();
}

#[test]
fn it_can_be_switched_off() {
    let mut hall = playing_under(Regulations { still_playing_ms: 0, ..Regulations::default() });
    hall.seconds(2_000);
    assert!(hall.open(IncidentKind::StillPlaying).is_empty());
}

#[test]
fn clocks_that_fall_silent_together_are_one_line() {
    let mut hall = four_games();
    for board in 1..=4 {
        hall.wait(300);
        hall.link(board, false, "broker");
    }
    let group = hall.open(IncidentKind::GroupOffline);
    assert_eq!((group.len(), group[0].lane), (1, Lane::Technical));
    assert_eq!(group[0].boards, ["1", "2", "3", "4"]);
    assert!(hall.open(IncidentKind::ClockSilent).is_empty());
    hall.seconds(240);
    for board in 1..=3 {
        hall.link(board, true, "back");
        assert_eq!(hall.open(IncidentKind::GroupOffline)[0].boards.len(), 4 - board as usize);
    }
    hall.link(4, true, "back");
    assert_eq!(hall.incidents().iter().filter(|i| i.state == IncidentState::Open).count(), 0);
    hall.recovers();
}

#[test]
fn one_clock_after_the_other_is_no_group() {
    let mut hall = four_games();
    for board in 1..=3 {
        hall.seconds(20);
        hall.link(board, false, "silence");
    }
    assert_eq!(hall.open(IncidentKind::ClockSilent).len(), 3);
    assert!(hall.open(IncidentKind::GroupOffline).is_empty());
    hall.link(2, true, "back");
    assert_eq!(hall.open(IncidentKind::ClockSilent).len(), 2);
    hall.recovers();
}

#[test]
fn a_clock_without_a_game_may_be_silent() {
    let mut hall = four_games();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    hall.link(1, false, "silence");
    assert!(hall.incidents().is_empty());
}
