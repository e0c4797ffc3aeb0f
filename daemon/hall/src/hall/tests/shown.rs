//! What people are shown of a hall beside what its rules know.

use super::*;
use flagfall_arbiter::Audience;

fn wall(ms: i64) -> Option<Wall> {
    Some(Wall(WALL.0 + ms))
}

/// When the clock of the only board was heard last, in every view of it.
fn heard(bench: &mut Bench) -> Option<Wall> {
    let board = bench.hall.snapshot(Audience::Desk).boards[0].heard;
    let clock = bench.hall.snapshot(Audience::Desk).clocks[0].heard;
    let tick = bench.hall.tick(bench.now, Audience::Desk).boards[0].heard;
    let view = bench.ask_as(Role::Viewer, "round.view", json!({})).unwrap().unwrap();
    assert!(view["boards"][0].get("heard").is_none(), "everybody hears nothing of clocks: {view}");
    let view = bench.ask_as(Role::Technician, "round.view", json!({})).unwrap().unwrap();
    let view: Option<Wall> = serde_json::from_value(view["boards"][0]["heard"].clone()).unwrap();
    assert_eq!([clock, tick, view], [board; 3]);
    board
}

#[test]
fn a_clock_that_stands_is_heard_though_it_says_nothing_new() {
    let mut bench = Bench::new();
    assert_eq!(heard(&mut bench), None);
    bench.reports(SERIAL, boot());
    bench.now = Venue(4_000);
    let records = bench.out.records.len();
    bench.reports(SERIAL, report(2, 4_000, None, None));
    assert_eq!(bench.out.records.len(), records, "nothing in it was to be kept");
    assert_eq!(heard(&mut bench), wall(4_000));
    bench.now = Venue(9_000);
    assert_eq!(heard(&mut bench), wall(4_000), "its age is known");
}

#[test]
fn a_look_at_a_round_is_journalled_nowhere() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, boot());
    let before = bench.out.records.len();
    let view = bench.ask_as(Role::Chief, "round.view", json!({"round": 1, "seen": 0})).unwrap().unwrap();
    assert_eq!((&view["round"], &view["boards"][0]["board"]), (&json!(1), &json!("1")));
    let refused = bench.ask_as(Role::Chief, "round.view", json!({"round": 9})).unwrap().unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Refused::UNKNOWN, "there is no round 9"));
    assert_eq!(bench.out.records.len(), before);
}
