//! What concerns a clock and its hall: an exchange, a clock made new, boards that wait for each other, who may
//! call a flag, lateness by the own clock.

use super::Game;
use crate::hall::{Hall, playing, playing_under, setup};
use flagfall_arbiter::{IncidentKind, IncidentState, Lane, News, RulingKind, RulingState};
use flagfall_clock::{Kind, Player, TimeControl};
use flagfall_rules::{DefaultReference, FlagCall, Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn a_replacement_clock_carries_times_and_counts_and_says_how_exact_they_are() {
    let mut hall = playing();
    hall.seconds(7);
    hall.status(1);
    hall.wait(400);
    let answer = hall.ask("board.assign", json!({ "board": "1", "clock": "C9", "carry": true })).unwrap();
    let carried = &answer["carried"];
    assert_eq!(
        (carried["first_ms"].as_i64(), carried["second_ms"].as_i64()),
        (Some(2_987_600), Some(3_010_000))
    );
    assert_eq!(carried["bound_ms"].as_u64(), Some(420), "not heard for 400 ms, and 20 ms of its time");
    let assigned = hall.news("assigned").pop().unwrap().clone();
    let News::Assigned(assigned) = assigned.news else { panic!("{assigned:?}") };
    assert_eq!(assigned.carried.map(|carried| carried.bound_ms), Some(420));
    hall.recovers();
}

#[test]
fn the_delay_of_the_turn_is_not_carried_twice() {
    let control = TimeControl::new(Kind::Bronstein, 600_000, 10_000);
    let regulations = Regulations {
        kind: Kind::Bronstein,
        base_ms: 600_000,
        increment_ms: 10_000,
        ..Regulations::default()
    };
    let mut game = Game::new(regulations, control);
    game.start(Player::First);
    game.play(15_000);
    game.status(2_000);
    let answer =
        game.hall.ask("board.assign", json!({ "board": "1", "clock": "C9", "carry": true })).unwrap();
    assert_eq!(
        answer["carried"]["second_ms"].as_i64(),
        Some(600_000),
        "and not what is left of its ten seconds"
    );
}

#[test]
fn a_clock_that_comes_up_as_new_in_a_game_offers_what_was_known_before() {
    let mut hall = playing();
    hall.seconds(3);
    hall.status(1);
    hall.reboot(1, 700);
    let asked = hall.open(IncidentKind::ClockReset);
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].grounds.proof.as_ref().and_then(|proof| proof.bound_ms), Some(720));
    assert!(
        asked[0].text.en.contains("known to within 1 s and can be set again (Red 49:52, Black 50:10)"),
        "{}",
        asked[0].text.en
    );
    assert!(asked[0].text.zh.contains("误差 1 秒以内"), "{}", asked[0].text.zh);
    assert!(hall.incidents().iter().all(|i| i.kind == IncidentKind::ClockReset), "times as new are no drift");
}

fn matched(waiting_ms: u64) -> Hall {
    let regulations = Regulations { waiting_ms, still_playing_ms: 0, ..Regulations::default() };
    let mut setup = setup(4, regulations, StartBy::Players, Mode::Act);
    for round in &mut setup.rounds {
        for (n, board) in round.boards.iter_mut().enumerate() {
            board.match_no = Some(n as u32 / 2 + 1);
        }
    }
    let mut hall = Hall::of(4, setup);
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
        hall.press(board);
    }
    hall
}

#[test]
fn two_boards_of_one_match_that_wait_are_one_line_to_look_at() {
    let mut hall = matched(600_000);
    hall.seconds(400);
    hall.press(3);
    hall.press(2);
    hall.seconds(300);
    assert!(hall.open(IncidentKind::Waiting).is_empty(), "one of each match");
    hall.seconds(310);
    let open = hall.open(IncidentKind::Waiting);
    assert_eq!(open.len(), 2, "{open:#?}");
    assert!(open.iter().all(|line| line.lane == Lane::Look && line.boards.len() == 2));
    assert!(
        open[0].text.en.contains("nobody has pressed for 10 minutes on boards 1, 2"),
        "{}",
        open[0].text.en
    );
    hall.seconds(900);
    assert_eq!(hall.incidents().iter().filter(|i| i.kind == IncidentKind::Waiting).count(), 2, "said once");
    hall.press(1);
    assert_eq!(hall.open(IncidentKind::Waiting).len(), 1);
    hall.ask("board.result", json!({ "board": "3", "result": "1-0", "cause": "resign" })).unwrap();
    assert!(hall.open(IncidentKind::Waiting).is_empty());
    hall.recovers_at_every_step();
    let mut off = matched(0);
    off.seconds(2_000);
    assert!(off.open(IncidentKind::Waiting).is_empty());
}

#[test]
fn where_players_call_a_flag_it_is_a_fact_and_no_ruling() {
    let regulations = Regulations { flag_call: FlagCall::Players, ..Regulations::default() };
    let mut hall = playing_under(regulations);
    hall.flag(1);
    assert_eq!(hall.news("flag").len(), 1);
    let ruled = |hall: &Hall| hall.rulings().iter().filter(|r| r.kind == RulingKind::TimeForfeit).count();
    assert!(ruled(&hall) == 0 && hall.result("1").is_none());
    let made =
        json!({ "board": "1", "kind": "time_forfeit", "offender": "first", "reason": "Black called it" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    assert_eq!(hall.ruling(RulingKind::TimeForfeit).state, RulingState::Confirmed);
    assert_eq!(hall.result("1").map(|result| result.result), Some(flagfall_arbiter::Outcome::Second));
    hall.recovers_at_every_step();
    let mut plain = playing_under(Regulations::default());
    plain.flag(1);
    assert_eq!(ruled(&plain), 1);
}

/// Row 8 the other way (A4): Black's clock began at 08:40; it has run 15 minutes at 08:55, not at 08:45.
#[test]
fn rule_08_by_his_own_clock_a_player_is_late_when_that_has_run_so_long() {
    for (reference, early, later) in
        [(DefaultReference::RoundStart, 1, 1), (DefaultReference::OwnClock, 0, 1)]
    {
        let regulations = Regulations { default_reference: reference, ..Regulations::default() };
        let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
        hall.round_starts();
        hall.start(1);
        let absent = json!({ "players": [{ "board": "1", "player": "second" }], "complete": true });
        hall.ask("round.absent", absent).unwrap();
        hall.seconds(600);
        hall.press(1);
        hall.seconds(301);
        let proposed = |hall: &Hall| hall.rulings().iter().filter(|r| r.kind == RulingKind::Default).count();
        assert_eq!(proposed(&hall), early, "{reference:?} at 08:45");
        hall.seconds(600);
        assert_eq!(proposed(&hall), later, "{reference:?} at 08:55");
        assert!(hall.rulings().iter().all(|r| r.state == RulingState::Proposed));
        hall.recovers_at_every_step();
    }
}

#[test]
fn a_flag_of_a_control_with_another_period_at_zero_is_for_an_arbiter() {
    let period = flagfall_clock::Period { moves: 0, base_ms: 60_000, increment_ms: 0 };
    let periods = flagfall_clock::Periods::of(&[period]).unwrap();
    let at_zero = Regulations {
        base_ms: 60_000,
        increment_ms: 0,
        periods,
        periods_at: flagfall_clock::PeriodsAt::Zero,
        ..Regulations::default()
    };
    let mut hall = playing_under(at_zero);
    hall.flag(1);
    let ruling = hall.ruling(RulingKind::TimeForfeit);
    assert_eq!(ruling.state, RulingState::Proposed);
    assert!(ruling.grounds.remarks.iter().any(|said| said.contains("another period")), "{ruling:#?}");
    assert!(hall.open(IncidentKind::WrongSetting).iter().all(|i| i.state == IncidentState::Open));
}
