//! Two rounds at one table, clocks that change places, and mistakes that are put right: a hall goes on.

use crate::hall::{Hall, playing, playing_under};
use flagfall_arbiter::{IncidentKind, News, Outcome, PresenceState, RulingKind, RulingState, Status, Wall};
use flagfall_clock::{By, ClockEvent, Side};
use flagfall_rules::{Input, Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn an_analysis_after_the_result_decides_nothing_of_the_next_round() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.reset(1, By::Button);
    hall.start(1);
    hall.seconds(10);
    hall.press(1);
    hall.press(1);
    hall.flag(1);
    assert!(hall.rulings().iter().all(|ruling| ruling.state == RulingState::Proposed));
    assert_eq!(hall.result("1").unwrap().result, Outcome::First);
    assert!(hall.incidents().iter().all(|incident| incident.kind != IncidentKind::UnexplainedStop
        || incident.state == flagfall_arbiter::IncidentState::Closed));
    let present: Vec<_> = hall.news("presence").into_iter().filter(|event| event.round == Some(2)).collect();
    assert!(present.is_empty(), "presses before a round prove nobody's presence in it");
    let view = hall.ask("round.check", json!({ "round": 2 })).unwrap();
    assert_ne!(view["tables"][0]["state"], "in_play");
}

#[test]
fn the_next_round_plays_on_although_the_last_result_is_still_on_its_way() {
    let mut hall = playing_under(Regulations { still_playing_ms: 0, ..Regulations::default() });
    hall.stop(1, By::Button);
    hall.seconds(60);
    hall.reset(1, By::Button);
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    hall.start(1);
    hall.seconds(10);
    hall.press(1);
    assert!(hall.rulings().is_empty());
    let last = hall.news("press").pop().unwrap();
    assert_eq!(last.round, Some(2));
    hall.ask("board.result", json!({ "round": 1, "board": "1", "result": "1-0" })).unwrap();
    hall.press(1);
    hall.flag(1);
    assert_eq!(hall.ruling(RulingKind::TimeForfeit).state, RulingState::Confirmed);
    assert_eq!(hall.news("flag")[0].round, Some(2));
}

#[test]
fn a_second_tap_on_start_starts_no_other_round() {
    let mut hall = Hall::new(4);
    hall.round_starts();
    assert!(hall.ask("round.start", json!({})).is_err());
    hall.seconds(90);
    let at = Wall(crate::hall::BEGIN + 10_000);
    hall.ask("round.start", json!({ "at": at })).unwrap();
    hall.start(1);
    assert_eq!(hall.news("game_started")[0].round, Some(1));
    assert_eq!(hall.news("round_started").last().unwrap().happened, at);
}

#[test]
fn preparing_the_next_round_takes_no_clock_from_a_board_that_still_waits_for_its_players() {
    let mut hall = playing();
    hall.orders.clear();
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    assert!(hall.orders.is_empty(), "round 1 has begun and has no result at any table");
    hall.start(2);
    assert_eq!(hall.news("game_started").last().unwrap().round, Some(1));
}

#[test]
fn boards_with_clocks_of_their_own_play_the_next_round_too() {
    let mut setup = crate::hall::setup(2, Regulations::default(), StartBy::Players, Mode::Act);
    setup.tables.clear();
    for round in &mut setup.rounds {
        for board in &mut round.boards {
            board.table = None;
            board.clock = format!("C{}", board.board).parse().ok();
        }
    }
    let mut hall = Hall::of(2, setup);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.stop(1, By::Button);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    hall.reset(1, By::Button);
    hall.start(1);
    hall.press(1);
    assert_eq!(hall.news("press").last().unwrap().round, Some(2));
}

#[test]
fn a_clock_given_in_one_round_stays_at_its_table() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    hall.start(1);
    hall.press(1);
    // table 2's clock goes to board 1, whose own is broken
    hall.ask("board.result", json!({ "board": "2", "result": "1-0", "status": "signed" })).unwrap();
    hall.ask("board.assign", json!({ "board": "1", "clock": "C2", "carry": true })).unwrap();
    assert_eq!(hall.news("assigned")[0].clock, Some("C2".parse().unwrap()));
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "status": "signed" })).unwrap();
    hall.orders.clear();
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    let configured: Vec<_> = hall.orders.iter().map(|order| order.clock.to_string()).collect();
    assert_eq!(configured, ["C2"], "the clock that stands there now, and no other");
}

#[test]
fn silence_shows_nothing_on_a_clock_that_came_late_to_the_board() {
    let mut hall = Hall::new(3);
    hall.input(Input::Link {
        clock: "C1".parse().unwrap(),
        online: false,
        by: "t".into(),
        cause: "silence".into(),
    });
    hall.ask("board.result", json!({ "board": "3", "result": "1-0" })).unwrap();
    hall.round_starts();
    hall.seconds(890);
    hall.ask("board.assign", json!({ "board": "1", "clock": "C3" })).unwrap();
    hall.seconds(30);
    assert!(
        hall.rulings().iter().all(|ruling| ruling.text.en.contains("board 2")),
        "only table 2 was heard throughout"
    );
}

#[test]
fn a_start_heard_late_takes_silence_back() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    hall.seconds(901);
    assert_eq!(hall.ruling(RulingKind::DoubleDefault).state, RulingState::Proposed);
    hall.clocks[0].running = Some(Side::Left);
    let start = ClockEvent::Start { side: Side::Left, by: By::Button };
    hall.report_at(1, Some(start), Some(0), 898_000, false);
    assert_eq!(hall.ruling(RulingKind::DoubleDefault).state, RulingState::Withdrawn);
}

#[test]
fn an_answered_stop_leaves_no_proposal_behind() {
    for cause in ["player_called", "fault", "game_over"] {
        let mut hall = playing();
        let side = hall.stop(1, By::Button);
        hall.resume(1, side, By::Button);
        hall.press(1);
        assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).state, RulingState::Proposed);
        hall.ask("stop.explain", json!({ "board": "1", "cause": cause })).unwrap();
        assert_eq!(hall.ruling(RulingKind::UnauthorisedStop).state, RulingState::Withdrawn, "{cause}");
    }
}

#[test]
fn a_power_cut_or_an_arbiters_key_accuses_nobody() {
    for (stop, resume) in [(By::Power, By::Button), (By::Button, By::ArbiterKey), (By::Unknown, By::Button)] {
        let mut hall = playing();
        let side = hall.stop(1, stop);
        hall.seconds(3);
        hall.resume(1, side, resume);
        hall.press(1);
        assert!(hall.rulings().is_empty(), "{stop:?} {resume:?}");
    }
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(5);
    hall.resume(1, Side::Left, By::ArbiterKey);
    hall.press(1);
    assert!(hall.rulings().is_empty() && hall.open(IncidentKind::UnexplainedStart).is_empty());
}

#[test]
fn what_the_chief_says_afterwards_explains_what_was_started_at_his_word() {
    let mut hall = playing();
    hall.ask("round.pause", json!({})).unwrap();
    hall.obey(1);
    hall.seconds(60);
    hall.resume(1, Side::Left, By::Button);
    hall.seconds(1);
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    hall.press(1);
    assert!(hall.rulings().is_empty());

    let mut hall = Hall::with(4, Regulations::default(), StartBy::Daemon, Mode::Act);
    hall.start(1);
    hall.seconds(5);
    hall.ask("round.start", json!({ "at": Wall(crate::hall::BEGIN) })).unwrap();
    hall.press(1);
    assert!(hall.rulings().is_empty());
}

#[test]
fn a_game_goes_on_after_its_flag_was_set_aside() {
    let mut hall = playing();
    hall.flag(1);
    let id = hall.ruling(RulingKind::TimeForfeit).id;
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "the clock was wrong" })).unwrap();
    assert!(hall.result("1").is_none());
    hall.ask("board.set_times", json!({ "board": "1", "first_ms": 60_000, "second_ms": 60_000 })).unwrap();
    hall.obey(1);
    hall.orders.clear();
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    let names: Vec<&str> = hall.orders.iter().map(|order| order.action.name()).collect();
    assert_eq!(
        names,
        ["configure", "set_times", "start"],
        "a clock whose flag fell is made to stand as the game stands"
    );
    hall.obey(1);
    hall.flag(1);
    assert_eq!(hall.news("flag").len(), 2);
    let flags = hall.rulings().iter().filter(|ruling| ruling.kind == RulingKind::TimeForfeit).count();
    assert_eq!(flags, 2);
}

#[test]
fn a_flag_under_a_result_that_is_taken_back_is_looked_at() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    hall.flag(1);
    assert!(hall.rulings().iter().all(|ruling| ruling.kind != RulingKind::TimeForfeit));
    hall.ask("board.withdraw_result", json!({ "board": "1" })).unwrap();
    assert_eq!(hall.ruling(RulingKind::TimeForfeit).state, RulingState::Proposed);
}

#[test]
fn signing_does_not_make_a_later_flag_an_earlier_one() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "0-1" })).unwrap();
    hall.seconds(30);
    let fell = hall.now;
    hall.seconds(30);
    hall.ask("board.sign", json!({ "board": "1" })).unwrap();
    hall.seconds(30);
    hall.clocks[0].flag = Some(Side::Right);
    hall.report_at(1, Some(ClockEvent::Flag { side: Side::Right }), Some(0), fell, false);
    assert!(hall.open(IncidentKind::FlagAgainstResult).is_empty());
}

#[test]
fn a_ruling_over_a_result_puts_it_back_when_it_is_overruled() {
    let mut hall = playing();
    hall.live = false;
    hall.flag(1); // proposed
    let ruling = hall.ruling(RulingKind::TimeForfeit);
    let other = if ruling.effect.result == Some(Outcome::First) { "0-1" } else { "1-0" };
    hall.ask("board.result", json!({ "board": "1", "result": other })).unwrap();
    assert!(
        hall.ask("board.result", json!({ "board": "1", "result": other, "status": "signed" })).is_err(),
        "nothing is signed against a flag without naming it"
    );
    hall.ask("ruling.confirm", json!({ "id": ruling.id })).unwrap();
    assert_eq!(hall.result("1").unwrap().status, Status::Provisional);
    assert!(hall.open(IncidentKind::FlagAgainstResult).is_empty());
    hall.ask("ruling.overrule", json!({ "id": ruling.id, "reason": "mate before the flag" })).unwrap();
    let result = hall.result("1").unwrap();
    assert_eq!((result.result.as_str(), result.status), (other, Status::Entered));
}

#[test]
fn an_end_said_by_mistake_ends_nothing() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.report(
        1,
        Some(ClockEvent::Over { claim: Some(flagfall_clock::Claim::First), agreed: true }),
        Some(0),
    );
    assert_eq!(hall.result("1").unwrap().status, Status::Claimed);
    hall.resume(1, Side::Left, By::Button);
    hall.press(1);
    assert!(hall.result("1").is_none() && hall.open(IncidentKind::OverClaimed).is_empty());
    hall.flag(1);
    assert_eq!(hall.news("flag").len(), 1);
}

#[test]
fn a_resume_that_overtakes_the_stop_leaves_no_game_standing() {
    let mut hall = playing();
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    let names: Vec<&str> = hall.orders.iter().map(|order| order.action.name()).collect();
    assert_eq!(names, ["stop", "resume"]);
}

#[test]
fn the_time_of_a_dead_clock_is_charged_to_nobody() {
    let mut hall = playing();
    hall.seconds(7);
    hall.report(1, None, Some(0));
    let before = hall.rules.snapshot(flagfall_arbiter::Audience::Desk).boards[0].clone();
    hall.input(Input::Link {
        clock: "C1".parse().unwrap(),
        online: false,
        by: "t".into(),
        cause: "silence".into(),
    });
    hall.seconds(300);
    let answer = hall.ask("board.assign", json!({ "board": "1", "clock": "C9", "carry": true })).unwrap();
    assert_eq!(answer["carried"]["first_ms"].as_i64(), before.first.ms);
    assert!(
        hall.ask("board.resume", json!({ "board": "1" })).is_err(),
        "the new clock does not show them yet"
    );
}

#[test]
fn counts_of_a_mad_clock_break_nothing() {
    let mut hall = playing();
    hall.clocks[0].presses = [u32::MAX, u32::MAX];
    hall.report(1, None, Some(0));
    hall.clocks[0].presses = [0, 1];
    hall.report(1, None, Some(0));
    assert!(hall.rulings().is_empty());
}

#[test]
fn a_step_of_the_wall_clock_does_not_move_the_question_for_the_result() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.input(Input::Anchor { wall: Wall(crate::hall::BEGIN - 10_800_000) });
    hall.seconds(20);
    let lanes: Vec<_> = hall.incidents().iter().map(|incident| incident.lane).collect();
    assert_eq!(lanes, [flagfall_arbiter::Lane::ResultWanted]);
}

#[test]
fn presence_is_three_values_from_the_first_to_the_last() {
    let mut hall = Hall::new(1);
    hall.start(1);
    hall.press(1);
    hall.round_starts();
    let states: Vec<PresenceState> = hall
        .news("presence")
        .iter()
        .map(|event| match &event.news {
            News::Presence(presence) => presence.state,
            _ => unreachable!(),
        })
        .collect();
    assert_eq!(states, [PresenceState::Present], "who has moved in an adopted game is there");
}

#[test]
fn a_side_at_zero_has_fallen_only_as_the_regulations_say_and_if_it_ever_had_time() {
    for (flag_at, flags) in [(flagfall_clock::FlagAt::Zero, 1), (flagfall_clock::FlagAt::BelowZero, 0)] {
        let regulations = Regulations { base_ms: 5_000, flag_at, ..Regulations::default() };
        let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
        hall.round_starts();
        hall.start(1);
        hall.seconds(5);
        hall.clocks[0].left = 0;
        hall.report(1, None, Some(0));
        assert_eq!(hall.news("flag").len(), flags, "{flag_at:?}");
    }
    let regulations = Regulations { base_ms: 0, ..Regulations::default() };
    let mut hall = Hall::with(1, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.start(1);
    hall.report(1, None, Some(0));
    assert!(hall.news("flag").is_empty());
}

#[test]
fn a_pause_said_afterwards_does_not_restart_a_game_that_was_over() {
    let mut hall = playing();
    let since = hall.now;
    hall.seconds(120);
    hall.stop(1, By::Button); // mate
    hall.seconds(60);
    let at = Wall(crate::hall::BEGIN + since as i64);
    hall.ask("round.pause", json!({ "at": at })).unwrap();
    hall.orders.clear();
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    assert!(hall.orders.is_empty());
}

#[test]
fn an_arrival_said_twice_keeps_its_lateness() {
    let mut hall = Hall::new(1);
    hall.round_starts();
    let absent =
        json!({ "players": [{ "board": "1", "player": "first" }, { "board": "1", "player": "second" }] });
    hall.ask("round.absent", absent).unwrap();
    hall.seconds(480);
    for player in ["first", "second", "first"] {
        hall.ask("player.arrived", json!({ "board": "1", "player": player })).unwrap();
    }
    let answer = hall.ask("board.start", json!({ "board": "1" })).unwrap();
    assert_eq!(answer["first_ms"].as_i64(), Some(2_520_000));
}

#[test]
fn one_stop_is_deducted_once_however_often_it_is_ruled_on() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "without_cause", "offender": "first" })).unwrap();
    hall.ask("ruling.make", json!({ "board": "1", "kind": "unauthorised_stop", "offender": "first" }))
        .unwrap();
    let waiting: Vec<u64> = hall
        .rulings()
        .iter()
        .filter(|ruling| ruling.state == RulingState::Proposed)
        .map(|ruling| ruling.id)
        .collect();
    assert_eq!(waiting.len(), 1);
}
