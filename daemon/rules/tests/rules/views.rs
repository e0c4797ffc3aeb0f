//! What the desk sees of a board beside its times: from when on lateness counts and when the default time falls due,
//! marks of a game; and a round that is not played now.

use crate::hall::{BEGIN, Hall, playing, playing_under, setup};
use flagfall_arbiter::{Audience, BoardView, PlayerView, RulingKind, Wall};
use flagfall_clock::{By, ClockEvent, Player, Side};
use flagfall_rules::{DefaultReference, Mode, Regulations, Rules, StartBy, Venue};
use rstest::rstest;
use serde_json::{Value, json};

const MINUTE: u64 = 60_000;

fn wall(ms: u64) -> Wall {
    Wall(BEGIN + ms as i64)
}

fn view(hall: &Hall, board: usize) -> BoardView {
    hall.rules.snapshot(Audience::Desk).boards[board - 1].clone()
}

fn due(hall: &Hall, board: usize) -> Option<Wall> {
    view(hall, board).default_at
}

fn late(hall: &Hall, board: usize) -> Option<Wall> {
    view(hall, board).late_from
}

/// Two boards of a match; the second player of the first one is known absent, all others are there.
fn one_is_away(regulations: Regulations) -> Hall {
    let mut setup = setup(2, regulations, StartBy::Players, Mode::Act);
    for board in &mut setup.rounds[0].boards {
        board.match_no = Some(1);
    }
    let mut hall = Hall::of(2, setup);
    hall.seconds(60);
    assert_eq!((due(&hall, 1), late(&hall, 1)), (None, None), "the round has not begun");
    hall.round_starts();
    let away = json!([{ "board": "1", "player": "second" }]);
    hall.ask("round.absent", json!({ "players": away, "complete": true })).unwrap();
    hall
}

/// What is shown is what happens: at that instant nobody is too late yet, and a millisecond after it he is.
fn falls_due_as_shown(hall: &mut Hall, shown: u64) {
    assert_eq!(due(hall, 1), Some(wall(shown)));
    hall.wait(shown - hall.now);
    assert!(hall.rulings().is_empty(), "not before: {:?}", hall.rulings());
    hall.wait(1);
    hall.ruling(RulingKind::Default);
    assert_eq!(due(hall, 1), Some(wall(shown)), "it stays when it is past");
    hall.recovers_at_every_step();
}

#[test]
fn the_default_time_falls_due_when_it_is_shown() {
    let mut hall = one_is_away(Regulations::default());
    assert_eq!(late(&hall, 1), Some(wall(MINUTE)), "the round's actual start");
    assert_eq!(due(&hall, 2), None, "all are there");
    falls_due_as_shown(&mut hall, 16 * MINUTE);
}

#[rstest]
#[case::the_round_began_later("round.start", json!({ "at": wall(3 * MINUTE) }), 3, 18)]
#[case::the_match_is_held("match.hold", json!({ "match": 1, "until": wall(10 * MINUTE) }), 10, 25)]
fn what_puts_the_default_time_off_puts_off_what_is_shown(
    #[case] method: &str,
    #[case] params: Value,
    #[case] from: u64,
    #[case] to: u64,
) {
    let mut hall = one_is_away(Regulations::default());
    hall.seconds(4 * 60);
    hall.ask(method, params).unwrap();
    assert_eq!(late(&hall, 1), Some(wall(from * MINUTE)));
    falls_due_as_shown(&mut hall, to * MINUTE);
}

#[test]
fn while_a_pause_puts_it_off_nobody_knows_when_it_comes() {
    let mut hall = one_is_away(Regulations::default());
    hall.seconds(4 * 60);
    hall.ask("round.pause", json!({})).unwrap();
    hall.seconds(100);
    assert_eq!((due(&hall, 1), late(&hall, 1)), (None, Some(wall(MINUTE))));
    hall.recovers();
    hall.ask("round.resume", json!({ "seated": true })).unwrap();
    falls_due_as_shown(&mut hall, 16 * MINUTE + 100_000);
}

#[test]
fn by_his_own_clock_it_falls_due_while_that_runs() {
    let regulations = Regulations { default_reference: DefaultReference::OwnClock, ..Regulations::default() };
    let mut hall = one_is_away(regulations);
    hall.start(1);
    assert_eq!(due(&hall, 1), None, "the clock of who is away stands");
    hall.seconds(120);
    hall.press(1);
    let comes = hall.now + 15 * MINUTE;
    falls_due_as_shown(&mut hall, comes);
}

#[test]
fn who_came_and_what_is_decided_is_waited_for_no_longer() {
    let mut hall = one_is_away(Regulations::default());
    hall.ask("player.arrived", json!({ "board": "1", "player": "second" })).unwrap();
    assert_eq!(
        (due(&hall, 1), late(&hall, 1)),
        (None, Some(wall(MINUTE))),
        "his lateness is still to be used"
    );
    hall.start(1);
    assert_eq!(late(&hall, 1), None);

    let mut hall = one_is_away(Regulations::default());
    hall.ask("board.result", json!({ "board": "1", "result": "1-0", "forfeit": true })).unwrap();
    assert_eq!((due(&hall, 1), late(&hall, 1)), (None, None));
    hall.recovers();
}

fn ignored(hall: &mut Hall, side: Side) {
    hall.report(1, Some(ClockEvent::IgnoredPress { side }), Some(0));
}

fn marks(hall: &Hall) -> [u32; 2] {
    let board = view(hall, 1);
    [board.first.ignored, board.second.ignored]
}

#[test]
fn presses_in_vain_are_counted_in_a_game_only() {
    let mut hall = Hall::new(2);
    hall.round_starts();
    ignored(&mut hall, Side::Left);
    assert_eq!(marks(&hall), [0, 0], "before the game clocks are tried");
    hall.start(1);
    ignored(&mut hall, Side::Right);
    ignored(&mut hall, Side::Right);
    hall.press(1);
    ignored(&mut hall, Side::Left);
    assert_eq!(marks(&hall), [1, 2]);
    assert_eq!(view(&hall, 2).first.ignored, 0);
    hall.recovers_at_every_step();
    // whoever sits there pressed
    hall.ask("board.swap_sides", json!({ "board": "1" })).unwrap();
    assert_eq!(marks(&hall), [2, 1]);
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    ignored(&mut hall, Side::Left);
    assert_eq!(marks(&hall), [2, 1], "after its result it is history");
    hall.recovers();
}

#[test]
fn another_game_begins_without_marks() {
    let low_time_ms = 2_994_000;
    let regulations = Regulations { low_time_ms, ..Regulations::default() };
    let mut hall = Hall::with(2, regulations, StartBy::Players, Mode::Act);
    // the clock is tried before the round, and set anew
    hall.start(1);
    hall.seconds(10);
    ignored(&mut hall, Side::Right);
    assert_eq!((view(&hall, 1).first.low_time, marks(&hall)), (true, [0, 1]));
    assert!(!view(&hall, 1).second.low_time);
    hall.recovers();
    hall.reset(1, By::Button);
    assert_eq!((view(&hall, 1).first.low_time, marks(&hall)), (false, [0, 0]));
    hall.recovers_at_every_step();
}

#[test]
fn a_mark_that_is_not_there_takes_no_room_and_battery_and_link_are_shown() {
    let mut hall = playing();
    let board = view(&hall, 1);
    assert_eq!(board.battery_pct, Some(90));
    assert_eq!(board.heard, Some(wall(25_000)));
    let json = serde_json::to_value(&board).unwrap();
    for key in ["late_from", "default_at"] {
        assert!(json.get(key).is_none(), "{json}");
    }
    for key in ["low_time", "ignored"] {
        assert!(json["first"].get(key).is_none(), "{json}");
    }
    ignored(&mut hall, Side::Right);
    assert_eq!(serde_json::to_value(view(&hall, 1)).unwrap()["second"]["ignored"], 1);
}

#[test]
fn everybody_sees_names_and_nothing_of_this() {
    let mut hall = one_is_away(Regulations::default());
    ignored(&mut hall, Side::Left);
    for board in hall.rules.snapshot(Audience::Public).boards {
        assert_eq!(
            (board.late_from, board.default_at, board.battery_pct, board.heard),
            (None, None, None, None)
        );
        for player in [board.first, board.second] {
            let seen =
                PlayerView { name: player.name.clone(), team: player.team.clone(), ..PlayerView::default() };
            assert_eq!(player, seen);
        }
    }
}

#[test]
fn the_snapshot_has_the_time_zone_and_every_value_in_force() {
    let mut setup =
        setup(2, Regulations { base_ms: 600_000, ..Regulations::default() }, StartBy::Players, Mode::Act);
    assert_eq!(Hall::of(2, setup.clone()).rules.snapshot(Audience::Public).timezone, "UTC");
    setup.timezone = Some("Asia/Shanghai".to_owned());
    let mut hall = Hall::of(2, setup.clone());
    for audience in [Audience::Desk, Audience::Public] {
        let snapshot = hall.rules.snapshot(audience);
        assert_eq!(snapshot.timezone, "Asia/Shanghai");
        let known = setup.regulations.values();
        assert_eq!(snapshot.values.len(), known.len());
        for value in known {
            assert_eq!(
                snapshot.values.get(value.key),
                setup.regulations.get(value.key).as_ref(),
                "{}",
                value.key
            );
        }
        assert_eq!(snapshot.values["base_ms"], 600_000);
    }
    // whoever corrects the file is shown right
    setup.timezone = Some("Europe/Berlin".to_owned());
    hall.input(flagfall_rules::Input::Setup(Box::new(setup)));
    assert_eq!(hall.rules.snapshot(Audience::Desk).timezone, "Europe/Berlin");
    hall.recovers();
}

fn round(rules: &Rules, at: u64, round: Option<u32>, audience: Audience) -> flagfall_arbiter::RoundSnapshot {
    rules.round_view(Venue(at), round, audience).unwrap()
}

#[test]
fn a_round_is_shown_whether_it_is_loaded_played_or_closed() {
    let mut hall = Hall::new(2);
    let loaded = round(&hall.rules, hall.now, Some(2), Audience::Desk);
    assert_eq!((loaded.round, loaded.rounds.len(), loaded.boards.len()), (2, 2, 2));
    assert_eq!(loaded.boards[0].first.name, "R2红1");
    assert_eq!(round(&hall.rules, 0, None, Audience::Desk).round, 1, "the lowest loaded one");

    hall.round_starts();
    hall.start(1);
    hall.press(1);
    hall.press(1);
    hall.press(1);
    let made = json!({ "board": "1", "kind": "article", "article": "六.1", "offender": "second" });
    let lost = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": lost })).unwrap();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    hall.ask("board.result", json!({ "board": "2", "result": "1/2-1/2", "cause": "agreed", "rounds": 40 }))
        .unwrap();
    for board in ["1", "2"] {
        hall.ask("board.sign", json!({ "board": board })).unwrap();
    }
    let (desk, all) = (Audience::Desk, Audience::Public);
    let open = round(&hall.rules, hall.now, Some(1), desk);
    let snapshot = hall.rules.snapshot(desk);
    assert_eq!((&open.boards, &open.rulings), (&snapshot.boards, &snapshot.rulings), "like the snapshot's");
    assert!(round(&hall.rules, hall.now, Some(1), all).rulings.is_empty(), "nothing is announced");
    hall.ask("ruling.announce", json!({ "id": lost })).unwrap();

    hall.ask("round.close", json!({ "round": 1 })).unwrap();
    hall.ask("round.start", json!({ "round": 2 })).unwrap();
    let closed = round(&hall.rules, hall.now, Some(1), desk);
    assert_eq!((closed.head, closed.now), (hall.rules.head(), wall(hall.now)));
    assert_eq!(closed.boards[0].state, "finished");
    assert_eq!((closed.boards[0].first.moves, closed.boards[0].second.moves), (2, 1), "of its own game");
    assert_eq!(closed.rulings.len(), 1);
    let shown = round(&hall.rules, hall.now, Some(1), all);
    assert_eq!(shown.boards[0].result, closed.boards[0].result);
    assert_eq!((shown.boards[0].clock, shown.boards[0].first.moves), (None, 0));
    assert_eq!(shown.rulings.len(), 1);
    assert!(shown.rulings[0].it.options.is_empty() && shown.rulings[0].it.decided_by.is_none());
    assert_eq!(round(&hall.rules, hall.now, None, desk).round, 2);
    assert_eq!(hall.rules.round_view(Venue(0), Some(7), desk).unwrap_err().message, "there is no round 7");
    hall.recovers();
}

#[test]
fn whose_press_was_in_vain_goes_by_where_he_sits() {
    let mut hall = playing();
    hall.ask("board.swap_sides", json!({ "board": "1" })).unwrap();
    ignored(&mut hall, Side::Right);
    let board = view(&hall, 1);
    assert_eq!((board.first_side, board.running), (Side::Right, Some(Player::Second)));
    assert_eq!([board.first.ignored, board.second.ignored], [1, 0]);
}

#[test]
fn times_set_below_a_limit_are_low_from_then_on_and_not_before() {
    let mut hall = playing_under(Regulations { low_time_ms: 60_000, ..Regulations::default() });
    hall.ask("board.stop", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(5);
    hall.ask("board.set_times", json!({ "board": "1", "first_ms": 20_000, "second_ms": 25_000 })).unwrap();
    hall.obey(1);
    let set = hall.now;
    hall.ask("board.resume", json!({ "board": "1" })).unwrap();
    hall.obey(1);
    hall.seconds(4);
    for name in ["low_time", "recording_exempt"] {
        let told = hall.news(name);
        assert!(!told.is_empty(), "{name} is told");
        for event in told {
            assert!(event.happened >= wall(set), "{name} happened before the times were set: {event:?}");
        }
    }
    hall.recovers_at_every_step();
}
