//! Draws agreed too early (六.7) and draws that a player wins (armageddon).

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{Outcome, RulingKind};
use flagfall_clock::SideTimes;
use flagfall_rules::{DrawFrom, DrawWinner, Mode, Regulations, StartBy};
use rstest::rstest;
use serde_json::json;

/// So many moves of both together.
fn after(plies: u32, regulations: Regulations) -> Hall {
    let mut hall = playing_under(regulations);
    for _ in 2..plies {
        hall.seconds(1);
        hall.press(1);
    }
    hall
}

#[rstest]
#[case(38, DrawFrom::Complete, false)] // 19 full rounds
#[case(39, DrawFrom::Complete, false)]
#[case(40, DrawFrom::Complete, true)] // 20
#[case(40, DrawFrom::After, false)] // from round 21 on
#[case(41, DrawFrom::After, true)]
fn rule_30_a_draw_is_agreed_only_after_twenty_full_rounds(
    #[case] plies: u32,
    #[case] draw_ban_from: DrawFrom,
    #[case] accepted: bool,
) {
    let mut hall = after(plies, Regulations { draw_ban_from, ..Regulations::default() });
    let draw = json!({ "board": "1", "result": "1/2-1/2", "cause": "agreed" });
    match hall.ask("board.result", draw) {
        Ok(_) => assert!(accepted, "after {plies} moves"),
        Err(refused) => {
            assert!(!accepted, "after {plies} moves: {}", refused.message);
            assert!(refused.message.contains("no draw is agreed within 20 (六.7)"), "{}", refused.message);
            assert!(hall.result("1").is_none());
        }
    }
    hall.recovers();
}

#[test]
fn rule_30_who_insists_loses_and_both_choices_are_offered() {
    let mut hall = after(38, Regulations::default());
    let id = hall.ask("ruling.make", json!({ "board": "1", "kind": "short_draw" })).unwrap()["id"].clone();
    let ruling = hall.ruling(RulingKind::ShortDraw);
    let results: Vec<_> = ruling.options.iter().map(|way| way.effect.result).collect();
    assert_eq!(results, [Some(Outcome::None), None], "both lose, or they are sent back to play");
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::None);
    hall.recovers();
}

#[test]
fn rule_30_sent_back_to_play_nothing_changes() {
    let mut hall = after(38, Regulations::default());
    let id = hall.ask("ruling.make", json!({ "board": "1", "kind": "short_draw" })).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id, "option": 1 })).unwrap();
    assert!(hall.result("1").is_none() && hall.news("foul").is_empty() && hall.orders.is_empty());
    hall.press(1);
    hall.recovers();
}

#[test]
fn rule_30_red_must_deviate() {
    let mut hall = after(20, Regulations::default());
    let second = json!({ "board": "1", "kind": "short_draw", "offender": "second" });
    assert!(
        hall.ask("ruling.make", second).unwrap_err().message.contains("the first player who must deviate")
    );
    let red = json!({ "board": "1", "kind": "short_draw", "offender": "first" });
    let id = hall.ask("ruling.make", red).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::Second);
}

/// Named by its article it is the same ruling: the second player never has to deviate.
#[test]
fn rule_30_only_red_must_deviate_by_whichever_name_it_is_ruled() {
    for named in [json!({ "kind": "short_draw" }), json!({ "kind": "article", "article": "六.7" })] {
        let mut hall = after(10, Regulations::default());
        let mut make = |offender: &str| {
            let mut made = named.clone();
            (made["board"], made["offender"]) = (json!("1"), json!(offender));
            hall.ask("ruling.make", made)
        };
        assert!(make("second").unwrap_err().message.contains("the first player who must deviate"), "{named}");
        make("first").unwrap();
        make("both").unwrap();
    }
}

#[test]
fn rule_30_the_score_sheets_count_more_than_the_presses() {
    let mut hall = after(38, Regulations::default());
    let draw = |rounds| json!({ "board": "1", "result": "1/2-1/2", "cause": "agreed", "rounds": rounds });
    hall.ask("board.result", draw(19)).unwrap_err();
    hall.ask("board.result", draw(20)).unwrap();
}

#[test]
fn a_draw_of_another_cause_or_without_a_ban_is_entered() {
    let mut hall = after(10, Regulations::default());
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "cause": "repetition" })).unwrap();
    let mut hall = after(10, Regulations { draw_ban_rounds: 0, ..Regulations::default() });
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "cause": "agreed" })).unwrap();
    // a clock that never ran counted nothing
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "3", "result": "1/2-1/2", "cause": "agreed" })).unwrap();
}

#[test]
fn rule_46_a_drawn_armageddon_is_won_by_black() {
    let times = |base_ms| Some(SideTimes { base_ms, increment_ms: 3_000 });
    let regulations = Regulations {
        base_ms: 360_000,
        increment_ms: 3_000,
        first: times(360_000),
        second: times(240_000),
        draw_winner: DrawWinner::Second,
        draw_ban_rounds: 0,
        ..Regulations::default()
    };
    let control = regulations.time_control();
    assert_eq!(
        (
            regulations.at_start(flagfall_arbiter::Player::First),
            regulations.at_start(flagfall_arbiter::Player::Second)
        ),
        (360_000, 240_000)
    );
    assert_eq!(control.of(flagfall_arbiter::Player::Second).increment_ms, 3_000);
    let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.ask("board.result", json!({ "board": "1", "result": "1/2-1/2", "cause": "agreed" })).unwrap();
    let result = hall.result("1").unwrap();
    assert_eq!((result.result, result.counts), (Outcome::Draw, Some(Outcome::Second)));
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "cause": "mate" })).unwrap();
    assert_eq!(hall.result("1").unwrap().counts, None, "a win is a win");
    hall.recovers();
}
