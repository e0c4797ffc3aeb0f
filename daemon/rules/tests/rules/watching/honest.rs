//! Games in which nothing is wrong with the clock, whatever else happens: nothing is asked about it.

use super::Game;
use flagfall_clock::{Kind, Period, Periods, PeriodsAt, Player, SideTimes, TimeControl};
use flagfall_rules::{Mode, Regulations};
use serde_json::json;

fn under(control: TimeControl) -> Regulations {
    Regulations {
        kind: control.kind,
        base_ms: control.base_ms,
        increment_ms: control.increment_ms,
        increment_on_first_move: control.increment_on_first_move,
        cap_ms: control.cap_ms,
        first: control.first,
        second: control.second,
        overtime_ms: control.overtime_ms,
        overtime_count: control.overtime_count,
        moves: control.moves,
        periods: control.periods,
        periods_at: control.periods_at,
        repeat: control.repeat,
        ..Regulations::default()
    }
}

/// Every kind of control that a game is played under.
pub fn kinds() -> Vec<TimeControl> {
    let of = |kind, base_ms, increment_ms| TimeControl::new(kind, base_ms, increment_ms);
    let periods = Periods::of(&[
        Period { moves: 5, base_ms: 300_000, increment_ms: 5_000 },
        Period { moves: 0, base_ms: 60_000, increment_ms: 2_000 },
    ])
    .unwrap();
    let fischer = TimeControl::fischer(600_000, 15_000);
    vec![
        fischer,
        TimeControl { increment_on_first_move: true, ..fischer },
        TimeControl { cap_ms: Some(610_000), ..fischer },
        TimeControl {
            first: Some(SideTimes { base_ms: 360_000, increment_ms: 3_000 }),
            second: Some(SideTimes { base_ms: 240_000, increment_ms: 3_000 }),
            ..fischer
        },
        TimeControl { moves: 8, periods, ..fischer },
        TimeControl { moves: 4, periods, repeat: true, ..fischer },
        TimeControl { base_ms: 90_000, increment_ms: 0, periods, periods_at: PeriodsAt::Zero, ..fischer },
        of(Kind::SuddenDeath, 900_000, 0),
        of(Kind::Bronstein, 600_000, 5_000),
        of(Kind::Delay, 600_000, 5_000),
        TimeControl { overtime_ms: 30_000, overtime_count: 3, ..of(Kind::Byoyomi, 60_000, 0) },
        TimeControl { overtime_ms: 180_000, overtime_count: 5, ..of(Kind::Canadian, 60_000, 0) },
        of(Kind::Hourglass, 300_000, 0),
        of(Kind::PerMove, 60_000, 0),
        of(Kind::UpCount, 0, 0),
    ]
}

/// Thinking times of a game, neither even nor random.
fn thinks(n: u64) -> u64 {
    [7_340, 1_210, 19_985, 402, 12_000, 3_333, 8_001, 15_999][n as usize % 8] + n % 7 * 113
}

#[test]
fn no_false_alarm_in_any_kind_of_control() {
    for control in kinds() {
        for coarse in [1, 100, 1_000] {
            let mut game = Game::of(under(control), control, coarse, Mode::Act);
            game.start(Player::First);
            for n in 0..60 {
                if n % 9 == 4 {
                    game.status(700);
                }
                if n % 17 == 11 {
                    game.wait(1_500);
                    game.stop();
                    game.wait(30_000);
                    game.resume();
                }
                game.play(thinks(n));
                if game.clock.flag().is_some() {
                    panic!("{control:?} {n}: {:?}", game.clock.ms());
                }
            }
            assert!(game.asked().is_empty(), "{control:?} coarse {coarse}: {:#?}", game.asked());
            game.goes_on_after_recovery();
        }
    }
}

#[test]
fn missing_presses_deductions_and_corrections_are_no_drift() {
    for control in kinds() {
        for coarse in [1, 1_000] {
            let mut game = Game::of(under(control), control, coarse, Mode::Act);
            game.start(Player::First);
            for n in 0..36 {
                match n {
                    6 | 19 => {
                        let clock = "C1".parse().unwrap();
                        game.unheard(2_000);
                        game.hall.input(flagfall_rules::Input::Gap { clock, from_seq: 5, to_seq: 6 });
                        game.play(3_000);
                        continue;
                    }
                    12 => {
                        game.stop();
                        let adjust = json!({ "board": "1", "player": "first", "delta_ms": -20_000 });
                        game.hall.ask("board.adjust", adjust).unwrap();
                        game.adjust([-20_000, 0]);
                        game.wait(20_000);
                        game.resume();
                    }
                    25 => {
                        // a reading that was kept back
                        game.hall.live = false;
                        game.play(900);
                        game.hall.live = true;
                        continue;
                    }
                    _ => {}
                }
                game.play(thinks(n) / 2);
                if game.clock.flag().is_some() {
                    panic!("{control:?} {n}: {:?}", game.clock.ms());
                }
            }
            assert!(game.asked().is_empty(), "{control:?} coarse {coarse}: {:#?}", game.asked());
            game.goes_on_after_recovery();
        }
    }
}

#[test]
fn times_that_an_arbiter_gave_before_the_start_are_right() {
    let control = TimeControl::fischer(3_000_000, 15_000);
    let mut game = Game::new(under(control), control);
    game.hall
        .ask("board.set_times", json!({ "board": "1", "first_ms": 2_400_000, "second_ms": 3_000_000 }))
        .unwrap();
    game.clock.set([2_400_000, 3_000_000]);
    game.adjust([0, 0]);
    game.start(Player::First);
    for n in 0..8 {
        game.play(thinks(n));
    }
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
    let mut game = Game::new(under(control), TimeControl::fischer(2_700_000, 15_000));
    game.hall
        .ask("board.start", json!({ "board": "1", "first_ms": 2_700_000, "second_ms": 2_700_000 }))
        .unwrap();
    game.hall.orders.clear();
    game.start(Player::First);
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
}

#[test]
fn a_clock_is_tried_before_the_round_with_any_times() {
    let control = TimeControl::fischer(3_000_000, 15_000);
    let mut game = Game::of(under(control), TimeControl::fischer(60_000, 0), 1, Mode::Act);
    game.hall = crate::hall::Hall::with(2, under(control), flagfall_rules::StartBy::Players, Mode::Act);
    game.start(Player::Second);
    for _ in 0..6 {
        game.play(1_000);
    }
    assert!(game.asked().is_empty(), "{:#?}", game.asked());
}
