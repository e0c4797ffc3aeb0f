//! Little time: the mark, and the exemption from recording in its variants (A8).

use super::Game;
use crate::hall::{Hall, playing_under};
use flagfall_arbiter::{ExemptState, IncidentKind, News, Offender, Role};
use flagfall_clock::{Kind, Period, Periods, Player, TimeControl};
use flagfall_rules::{ExemptBy, ExemptFor, Regulations};
use serde_json::json;

fn told(hall: &Hall) -> Vec<(Offender, ExemptState)> {
    let exempt = hall.events.iter().filter_map(|event| match &event.news {
        News::RecordingExempt(exempt) => Some((exempt.player, exempt.state)),
        _ => None,
    });
    exempt.collect()
}

fn low(hall: &Hall) -> Vec<(Player, i64)> {
    let low = hall.events.iter().filter_map(|event| match &event.news {
        News::LowTime(low) => {
            Some((low.player, if low.player == Player::First { low.first_ms } else { low.second_ms }))
        }
        _ => None,
    });
    low.collect()
}

#[test]
fn little_time_is_told_once_a_player_and_game_strictly_below_the_limit() {
    let mut hall = playing_under(Regulations { low_time_ms: 2_000_000, ..Regulations::default() });
    // Red has 49:55
    hall.wait(2_995_000 - 2_000_000 + 1_500);
    assert_eq!(low(&hall), []);
    hall.wait(1);
    assert_eq!(low(&hall), [(Player::First, 1_999_999)]);
    hall.press(1);
    hall.seconds(30);
    hall.press(1);
    hall.seconds(60);
    assert_eq!(low(&hall).len(), 1);
    assert!(hall.incidents().iter().all(|i| i.kind != IncidentKind::Lever), "a mark, no question");
    hall.recovers_at_every_step();
    let never = playing_under(Regulations { low_time_ms: 0, base_ms: 30_000, ..Regulations::default() });
    assert_eq!(low(&never), []);
}

#[test]
fn low_time_before_the_increment_counts() {
    let control = TimeControl::fischer(65_000, 15_000);
    let regulations = Regulations { base_ms: 65_000, recording_exempt_ms: 0, ..Regulations::default() };
    let mut game = Game::new(regulations, control);
    game.start(Player::First);
    game.play(5_001);
    assert_eq!(low(&game.hall), [(Player::First, 74_999)]);
}

/// 90 + 30, and 50 + 15: below five minutes one must record, the other need not (FIDE 8.4).
#[test]
fn rule_23_where_a_move_gives_half_a_minute_everything_is_recorded() {
    for (base_ms, increment_ms, exempt) in [(5_400_000, 30_000, false), (3_000_000, 15_000, true)] {
        let regulations = Regulations {
            base_ms,
            increment_ms,
            recording_exempt_ms: 300_000,
            recording_exempt_increment_ms: 30_000,
            recording_exempt_for: ExemptFor::Period,
            recording_exempt_by: ExemptBy::Itself,
            ..Regulations::default()
        };
        let mut game = Game::new(regulations, TimeControl::fischer(base_ms, increment_ms));
        game.start(Player::First);
        game.play(u64::from(base_ms) - 299_000);
        let wanted: &[_] = if exempt { &[(Offender::First, ExemptState::Granted)] } else { &[] };
        assert_eq!(told(&game.hall), wanted, "{base_ms}");
        let view = game.hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].clone();
        assert_eq!((view.first.exempt, view.second.exempt), (exempt, false));
        game.goes_on_after_recovery();
    }
}

/// Till the period's end: with the next period he records again, and is exempt again in its turn.
#[test]
fn rule_23_an_exemption_of_the_period_ends_with_it() {
    let next = Periods::of(&[Period { moves: 0, base_ms: 400_000, increment_ms: 15_000 }]).unwrap();
    for (lasts, then) in [(ExemptFor::Period, false), (ExemptFor::Game, true)] {
        let regulations = Regulations {
            base_ms: 400_000,
            moves: 2,
            periods: next,
            recording_exempt_ms: 300_000,
            recording_exempt_for: lasts,
            recording_exempt_by: ExemptBy::Itself,
            ..Regulations::default()
        };
        let mut game = Game::new(regulations.clone(), regulations.time_control());
        game.start(Player::First);
        game.play(150_000);
        game.play(1_000);
        let exempt =
            |game: &Game| game.hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].first.exempt;
        assert!(exempt(&game));
        game.play(1_000);
        game.play(1_000);
        assert_eq!(exempt(&game), then, "{lasts:?}");
        game.play(600_000);
        assert!(exempt(&game));
        assert_eq!(told(&game.hall).len(), if then { 1 } else { 2 });
        assert!(game.asked().is_empty(), "{:#?}", game.asked());
        game.goes_on_after_recovery();
    }
}

/// 五.3: an arbiter's acknowledgement exempts both; in the alternative it holds by itself, for him alone.
#[test]
fn rule_22_an_arbiter_grants_it_to_both_or_it_holds_by_itself_for_one() {
    for by in [ExemptBy::Arbiter, ExemptBy::Itself] {
        let regulations = Regulations { base_ms: 200_000, recording_exempt_by: by, ..Regulations::default() };
        let mut game = Game::new(regulations.clone(), regulations.time_control());
        game.start(Player::First);
        game.play(20_000);
        assert_eq!(told(&game.hall), [], "at 3:00.000 nothing");
        game.play(1_000);
        game.play(15_001);
        let state = if by == ExemptBy::Arbiter { ExemptState::Available } else { ExemptState::Granted };
        assert_eq!(told(&game.hall), [(Offender::First, state)], "at 2:59.999 + 15 s");
        if by == ExemptBy::Arbiter {
            game.hall.ask_as(Role::Arbiter, "recording.exempt", json!({ "board": "1" })).unwrap();
            assert_eq!(told(&game.hall)[1], (Offender::Both, ExemptState::Granted));
        }
        let view = game.hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].clone();
        assert_eq!((view.first.exempt, view.second.exempt), (true, by == ExemptBy::Arbiter));
        game.goes_on_after_recovery();
    }
}

#[test]
fn a_clock_that_counts_up_exempts_nobody_and_has_no_flag() {
    let regulations = Regulations { kind: Kind::UpCount, base_ms: 0, ..Regulations::default() };
    let mut game = Game::new(regulations.clone(), regulations.time_control());
    game.start(Player::First);
    for _ in 0..10 {
        game.play(70_000);
        game.status(1_000);
    }
    assert!(told(&game.hall).is_empty() && low(&game.hall).is_empty());
    assert!(game.hall.news("flag").is_empty());
    let asked = game.hall.incidents().into_iter().filter(|i| i.kind != IncidentKind::PresenceUnknown);
    assert_eq!(asked.map(|i| i.text.en).collect::<Vec<_>>(), [""; 0], "nobody sits at the other board");
}
