//! Wrong settings, and time that comes or goes.

use super::Game;
use flagfall_arbiter::{IncidentKind, IncidentState, Lane, RulingKind, RulingState};
use flagfall_clock::{Kind, Period, Periods, PeriodsAt, Player, TimeControl};
use flagfall_rules::{Mode, Regulations};
use serde_json::json;

fn fischer(base_ms: u32, increment_ms: u32) -> TimeControl {
    TimeControl::fischer(base_ms, increment_ms)
}

fn under(control: TimeControl) -> Regulations {
    Regulations {
        kind: control.kind,
        base_ms: control.base_ms,
        increment_ms: control.increment_ms,
        overtime_ms: control.overtime_ms,
        overtime_count: control.overtime_count,
        moves: control.moves,
        periods: control.periods,
        periods_at: control.periods_at,
        ..Regulations::default()
    }
}

/// A game of two full moves with a start and these two controls.
fn two_moves(right: TimeControl, clock: TimeControl, coarse: i64) -> Game {
    let mut game = Game::of(under(right), clock, coarse, Mode::Act);
    game.start(Player::First);
    for used in [20_300, 5_150, 12_700, 33_420] {
        game.play(used);
    }
    game
}

#[test]
fn a_wrong_base_is_named_at_the_start_with_what_is_owed() {
    let mut game = Game::new(under(fischer(3_000_000, 15_000)), fischer(2_700_000, 15_000));
    game.start(Player::First);
    let asked = game.only(IncidentKind::WrongSetting);
    assert_eq!(asked.lane, Lane::Look);
    assert!(asked.text.en.contains("began with 45:00 where the regulations give 50:00"), "{}", asked.text.en);
    assert!(asked.text.en.contains("owed so far: Red +5:00, Black +5:00"), "{}", asked.text.en);
    assert_eq!(asked.grounds.remarks, ["owed: first 300000 ms, second 300000 ms"]);
    for used in [20_000, 5_000, 900_000, 3_000] {
        game.play(used);
    }
    game.only(IncidentKind::WrongSetting);
    game.stop();
    let delta = [300_000, 300_000];
    let [first, second] = game.clock.ms();
    let right = json!({ "board": "1", "first_ms": first + 300_000, "second_ms": second + 300_000 });
    game.hall.ask("board.set_times", right).unwrap();
    game.adjust(delta);
    assert_eq!(game.only(IncidentKind::WrongSetting).outcome.as_deref(), Some("corrected"));
    game.resume();
    for used in [20_000, 5_000, 9_000, 3_000] {
        game.play(used);
    }
    game.only(IncidentKind::WrongSetting);
    game.goes_on_after_recovery();
}

#[test]
fn the_increment_that_stands_there_before_the_first_move_is_found_at_the_start() {
    let first = TimeControl { increment_on_first_move: true, ..fischer(3_000_000, 15_000) };
    let mut game = Game::new(under(fischer(3_000_000, 15_000)), first);
    game.start(Player::First);
    let asked = game.only(IncidentKind::WrongSetting);
    assert!(asked.text.en.contains("50:15 where the regulations give 50:00"), "{}", asked.text.en);
    assert!(asked.text.en.contains("Red -0:15, Black -0:15"), "{}", asked.text.en);
}

#[test]
fn a_wrong_increment_is_found_within_two_full_moves_on_any_clock() {
    for (clock, coarse) in
        [(10_000, 1), (0, 1), (20_000, 1), (14_000, 1), (10_000, 1_000), (0, 1_000), (12_000, 1_000)]
    {
        let game = two_moves(fischer(3_000_000, 15_000), fischer(3_000_000, clock), coarse);
        let asked = game.only(IncidentKind::WrongSetting);
        let gives = format!("gives {} s with each move where the regulations give 15 s", clock / 1_000);
        assert!(asked.text.en.contains(&gives), "{clock} {coarse}: {}", asked.text.en);
        game.goes_on_after_recovery();
    }
}

#[test]
fn what_is_owed_for_the_increments_is_told_again_when_the_clock_stands() {
    let mut game = two_moves(fischer(3_000_000, 15_000), fischer(3_000_000, 10_000), 1);
    assert_eq!(
        game.only(IncidentKind::WrongSetting).grounds.remarks,
        ["owed: first 5000 ms, second 5000 ms"]
    );
    game.play(5_000);
    game.stop();
    let asked = game.only(IncidentKind::WrongSetting);
    assert_eq!(asked.grounds.remarks, ["owed: first 15000 ms, second 10000 ms"]);
    assert!(
        asked
            .text
            .zh
            .contains("每步加秒与规程不符：棋钟加 10 秒，应加 15 秒；至今应补：红方 +0:15，黑方 +0:10"),
        "{}",
        asked.text.zh
    );
}

#[test]
fn a_delay_is_none_where_an_increment_is_due_and_the_other_way_round() {
    let right = fischer(3_000_000, 15_000);
    let delay = TimeControl { kind: Kind::Delay, ..right };
    let game = two_moves(right, delay, 1);
    assert!(game.asked().iter().any(|asked| asked.kind == IncidentKind::WrongSetting), "{:#?}", game.asked());
    let game = two_moves(delay, right, 1);
    let asked = game.only(IncidentKind::WrongSetting);
    assert!(asked.text.en.contains("what the clock leaves after each move"), "{}", asked.text.en);
    // US Chess 15715: ten seconds of increment where five of delay were due
    let game = two_moves(TimeControl::new(Kind::Delay, 1_500_000, 5_000), fischer(1_500_000, 10_000), 1);
    game.only(IncidentKind::WrongSetting);
}

#[test]
fn a_wrong_delay_is_found_although_nothing_is_lost_yet() {
    let right = TimeControl::new(Kind::Bronstein, 1_500_000, 5_000);
    let mut game = Game::new(under(right), TimeControl { increment_ms: 10_000, ..right });
    game.start(Player::First);
    for _ in 0..4 {
        game.play(2_000);
    }
    let asked = game.only(IncidentKind::WrongSetting);
    assert!(asked.text.en.contains("delay is 10 s where the regulations give 5 s"), "{}", asked.text.en);
    assert_eq!(asked.grounds.remarks, ["owed: first 0 ms, second 0 ms"]);
    for _ in 0..4 {
        game.play(8_000);
    }
    game.stop();
    assert_eq!(
        game.only(IncidentKind::WrongSetting).grounds.remarks,
        ["owed: first -6000 ms, second -6000 ms"]
    );
}

#[test]
fn a_hidden_period_is_named_when_it_comes() {
    let right = fischer(3_000_000, 15_000);
    let period = Periods::of(&[Period { moves: 0, base_ms: 1_800_000, increment_ms: 15_000 }]).unwrap();
    let hidden = TimeControl { moves: 10, periods: period, ..right };
    for (right, clock, off) in [(right, hidden, "+30:00"), (hidden, right, "-30:00")] {
        let mut game = Game::new(under(right), clock);
        game.start(Player::First);
        for _ in 0..11 {
            game.play(4_000);
            game.play(3_000);
        }
        let asked = game.only(IncidentKind::WrongSetting);
        let says = format!("with move 10 the clock's period is {off} on each side");
        assert!(asked.text.en.contains(&says), "{}", asked.text.en);
    }
    let at_zero = TimeControl { periods: period, periods_at: PeriodsAt::Zero, ..right };
    let mut game = Game::new(under(right), at_zero);
    game.start(Player::First);
    game.play(4_000);
    game.wait(game.clock.ms()[1] as u64 - 1_000);
    game.status(500);
    game.status(1_000);
    let asked = game.only(IncidentKind::WrongSetting);
    assert!(asked.text.en.contains("when a side reached zero both got +30:00"), "{}", asked.text.en);
}

#[test]
fn a_flag_of_a_clock_that_gave_too_little_is_for_an_arbiter() {
    let right = fischer(60_000, 15_000);
    let mut game = Game::new(under(right), fischer(60_000, 0));
    game.start(Player::First);
    game.play(20_000);
    game.wait(59_000);
    game.status(100);
    game.wait(900);
    game.say(Some(flagfall_clock::ClockEvent::Flag { side: super::side(Player::Second) }));
    assert_eq!(
        game.hall.ruling(RulingKind::TimeForfeit).state,
        RulingState::Confirmed,
        "nothing was kept from Black"
    );
    let mut game = Game::new(under(right), fischer(60_000, 0));
    game.start(Player::First);
    game.play(20_000);
    game.play(1_000);
    game.wait(40_000);
    game.say(Some(flagfall_clock::ClockEvent::Flag { side: super::side(Player::First) }));
    let ruling = game.hall.ruling(RulingKind::TimeForfeit);
    assert_eq!(ruling.state, RulingState::Proposed);
    assert!(!ruling.grounds.remarks.is_empty());
}

#[test]
fn time_that_goes_without_a_cause_is_told_once_with_its_amount() {
    for coarse in [1, 1_000] {
        let mut game =
            Game::of(under(fischer(3_000_000, 15_000)), fischer(3_000_000, 15_000), coarse, Mode::Act);
        game.start(Player::First);
        for used in [20_000, 5_000, 12_000] {
            game.play(used);
        }
        game.wrong = [-14_000, 0];
        for used in [7_000, 5_000, 8_000, 9_000] {
            game.play(used);
        }
        let asked = game.only(IncidentKind::TimeDrift);
        assert_eq!(asked.lane, Lane::Technical);
        assert!(asked.text.en.contains("14 s less than moves and time used give"), "{}", asked.text.en);
        game.goes_on_after_recovery();
    }
}

#[test]
fn a_clock_whose_seconds_are_not_ours_is_told_of() {
    let mut game = Game::new(under(fischer(3_000_000, 15_000)), fischer(3_000_000, 15_000));
    game.start(Player::First);
    for n in 0..40_u64 {
        game.play(10_000);
        // its own time is two seconds slow in each hundred
        game.hall.slow_ms = (n + 1) * 200;
        game.clock.adjust(if n % 2 == 0 { [200, 0] } else { [0, 200] });
    }
    let asked = game.asked();
    assert!(
        !asked.is_empty() && asked.iter().all(|asked| asked.kind == IncidentKind::TimeDrift),
        "{asked:#?}"
    );
    assert!(asked[0].text.en.contains("the clock runs slow"), "{}", asked[0].text.en);
    assert!(asked.len() <= 3, "not at each move: {asked:#?}");
}

#[test]
fn nothing_is_asked_in_observe_before_the_round_or_twice() {
    let wrong = fischer(2_700_000, 10_000);
    let mut game = Game::of(under(fischer(3_000_000, 15_000)), wrong, 1, Mode::Observe);
    game.start(Player::First);
    for _ in 0..6 {
        game.play(3_000);
    }
    assert!(game.hall.incidents().is_empty());
    let mut game = Game::of(under(fischer(3_000_000, 15_000)), wrong, 1, Mode::Act);
    game.start(Player::First);
    for _ in 0..20 {
        game.play(3_000);
    }
    let asked = game.asked();
    assert_eq!(asked.len(), 2, "the base and the increment: {asked:#?}");
    for asked in &asked {
        game.hall
            .ask("incident.close", json!({ "id": asked.id, "outcome": "agreed", "reason": "played so" }))
            .unwrap();
    }
    for _ in 0..20 {
        game.play(3_000);
    }
    assert_eq!(game.asked().len(), 2);
    assert!(game.asked().iter().all(|asked| asked.state == IncidentState::Closed));
    game.goes_on_after_recovery();
}
