//! The second player's side runs first: perhaps the clock stands the wrong way round.

use super::{Game, side};
use flagfall_arbiter::{IncidentKind, IncidentState, Lane};
use flagfall_clock::{By, ClockEvent, Player};
use flagfall_rules::Regulations;
use serde_json::json;

fn reversed() -> Game {
    let regulations = Regulations::default();
    let control = regulations.time_control();
    let mut game = Game::new(regulations, control);
    game.start(Player::Second);
    game
}

#[test]
fn reversed_sides_are_asked_about_once_and_swapped_in_one_step() {
    let mut game = reversed();
    let asked = game.only(IncidentKind::SidesReversed);
    assert_eq!(asked.lane, Lane::Look);
    assert!(asked.text.en.contains("Black's side ran first"), "{}", asked.text.en);
    game.play(10_000);
    let answer = game.hall.ask("board.swap_sides", json!({ "board": "1" })).unwrap();
    assert_eq!(answer["first_side"], "right");
    assert!(game.hall.orders.is_empty(), "times are left as they are");
    assert_eq!(game.only(IncidentKind::SidesReversed).outcome.as_deref(), Some("swapped"));
    for _ in 0..10 {
        game.play(4_000);
    }
    game.only(IncidentKind::SidesReversed);
    game.goes_on_after_recovery();
}

#[test]
fn a_question_that_nobody_answers_stays_and_no_flag_confirms_itself_under_it() {
    let mut game = reversed();
    for _ in 0..10 {
        game.play(4_000);
    }
    assert_eq!(game.only(IncidentKind::SidesReversed).state, IncidentState::Open);
}

#[test]
fn an_arbiter_who_starts_that_side_means_it() {
    let mut game = Game::new(Regulations::default(), Regulations::default().time_control());
    game.clock.start(Player::Second);
    game.say(Some(ClockEvent::Start { side: side(Player::Second), by: By::Command }));
    for _ in 0..4 {
        game.play(4_000);
    }
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
}

#[test]
fn an_honest_start_is_no_question() {
    let mut game = Game::new(Regulations::default(), Regulations::default().time_control());
    game.start(Player::First);
    for _ in 0..6 {
        game.play(4_000);
    }
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
}
