//! Who sits there, in one line with the teams that are missing.

use crate::hall::{Hall, setup};
use flagfall_arbiter::{IncidentKind, Lane};
use flagfall_clock::{ClockEvent, Side};
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

/// A match of four boards and one board of two others.
fn teams() -> Hall {
    let mut setup = setup(5, Regulations::default(), StartBy::Players, Mode::Act);
    for board in &mut setup.rounds[0].boards[..4] {
        board.match_no = Some(1);
        board.first.team = "武汉队".into();
        board.second.team = "宜昌队".into();
    }
    setup.rounds[0].boards[4].first.team = "甲".into();
    setup.rounds[0].boards[4].second.team = "乙".into();
    Hall::of(5, setup)
}

#[test]
fn a_team_of_whom_nobody_is_there_is_one_word() {
    let mut hall = teams();
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
        hall.press(board);
    }
    hall.seconds(601);
    let line = hall.open(IncidentKind::PresenceUnknown).pop().unwrap();
    assert_eq!(line.lane, Lane::Look);
    assert_eq!(line.chairs.len(), 6);
    assert_eq!(line.text.zh, "第1轮：迟到时限将到，尚未确认到场：宜昌队全队（4人）、5台红方、5台黑方");
    hall.recovers();
}

#[test]
fn a_result_takes_a_boards_chairs_out_of_the_line() {
    let mut hall = teams();
    hall.round_starts();
    hall.seconds(601);
    for board in 1..=5 {
        assert_eq!(hall.open(IncidentKind::PresenceUnknown)[0].boards.len(), 6 - board);
        hall.ask("board.result", json!({ "board": board.to_string(), "result": "1-0" })).unwrap();
    }
    assert!(hall.open(IncidentKind::PresenceUnknown).is_empty());
    hall.recovers();
}

#[test]
fn where_the_daemon_starts_the_clocks_one_that_stands_shows_nothing_of_its_players() {
    let mut hall = Hall::with(2, Regulations::default(), StartBy::Daemon, Mode::Act);
    hall.ask("round.start", json!({ "except": [1, 2] })).unwrap();
    hall.seconds(1_000);
    assert!(hall.rulings().is_empty(), "nobody is accused of what an arbiter left standing");
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!((asked.len(), asked[0].lane, asked[0].chairs.len()), (1, Lane::Decide, 4));
    hall.recovers();
}

#[test]
fn empty_chairs_named_by_mistake_are_taken_back_together() {
    let mut hall = teams();
    hall.round_starts();
    hall.seconds(1_000);
    let line = hall.open(IncidentKind::PresenceUnknown);
    assert!(line.is_empty(), "clocks that never ran show who is not there");
    let mut hall = teams();
    hall.round_starts();
    for board in 1..=5 {
        hall.start(board);
    }
    hall.seconds(1_000);
    let chairs = json!([{ "board": "1", "player": "first" }, { "board": "2", "player": "first" }]);
    let said = hall.ask("round.absent", json!({ "players": chairs, "complete": true })).unwrap();
    assert_eq!(hall.rulings().len(), 2);
    hall.ask("undo", json!({ "seq": said["seq"] })).unwrap();
    assert!(hall.rulings().iter().all(|ruling| ruling.state == flagfall_arbiter::RulingState::Withdrawn));
    let view = hall.rules.snapshot(flagfall_arbiter::Audience::Desk);
    let unknown =
        |player: &flagfall_arbiter::PlayerView| player.presence == flagfall_arbiter::PresenceState::Unknown;
    assert!(view.boards.iter().all(|board| unknown(&board.first) && unknown(&board.second)));
    hall.recovers();
}

#[test]
fn a_chair_with_a_hint_is_asked_about_and_not_accused() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.report(1, Some(ClockEvent::Ready { side: Side::Right }), None);
    hall.seconds(1_000);
    let asked = hall.open(IncidentKind::PresenceUnknown);
    assert_eq!(asked[0].chairs, [("1".to_owned(), flagfall_arbiter::Player::Second)]);
}
