//! Levers: patterns of presses in vain, and what is none.

use super::Game;
use flagfall_arbiter::{IncidentKind, Lane};
use flagfall_clock::Player::{First, Second};
use flagfall_rules::Regulations;

fn game() -> Game {
    let mut game = Game::new(Regulations::default(), Regulations::default().time_control());
    game.start(First);
    game.play(10_000);
    game.play(10_000);
    game
}

#[test]
fn a_side_that_never_presses_though_the_game_goes_on_is_named() {
    let mut game = game();
    game.play(10_000);
    for _ in 0..3 {
        game.ignored(30_000, First);
    }
    let asked = game.only(IncidentKind::Lever);
    assert_eq!(asked.lane, Lane::Technical);
    assert!(asked.text.en.contains("Black's side runs and does not press"), "{}", asked.text.en);
    game.ignored(30_000, First);
    game.only(IncidentKind::Lever);
    game.play(5_000);
    assert_eq!(game.only(IncidentKind::Lever).outcome.as_deref(), Some("pressed"));
    game.goes_on_after_recovery();
}

#[test]
fn a_side_that_misses_one_press_in_three_is_named() {
    let mut game = game();
    for n in 0..12 {
        game.play(10_000);
        if n % 3 == 1 {
            game.ignored(20_000, First); // Black's press was missed, Red moved
        }
        game.play(10_000);
    }
    let asked = game.only(IncidentKind::Lever);
    assert!(asked.text.en.contains("presses on Black's side seem to be missed"), "{}", asked.text.en);
}

#[test]
fn a_lever_that_makes_two_contacts_is_named() {
    let mut game = game();
    for _ in 0..4 {
        game.play(10_000);
        game.play(10_000);
        game.ignored(20, Second);
    }
    let asked = game.only(IncidentKind::Lever);
    assert!(asked.text.en.contains("Black's side often come twice"), "{}", asked.text.en);
}

#[test]
fn presses_in_vain_alone_are_no_question() {
    let mut game = game();
    for n in 0..20 {
        game.play(10_000);
        game.ignored(300, First); // pushed again to be sure
        if n % 6 == 0 {
            game.ignored(8_000, First); // and once while he waited
        }
        game.ignored(400, First);
        game.play(10_000);
    }
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
}
