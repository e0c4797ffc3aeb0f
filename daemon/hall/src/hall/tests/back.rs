//! Clocks that come back, or do not: what is told, and in which order.

use super::*;
use flagfall_clock::By;

/// A game on board 1 that an arbiter has stopped, its clock at 2,997,000 and 3,000,000 and no longer heard.
fn stopped_and_gone() -> Bench {
    let mut bench = Bench::new();
    bench.reports(SERIAL, boot());
    bench.ask_as(Role::Arbiter, "round.start", json!({"round": 1})).unwrap().unwrap();
    let start = ClockEvent::Start { side: Side::Left, by: By::Button };
    bench.reports(SERIAL, report(2, 0, Some(Side::Left), Some(start)));
    bench.ask_as(Role::Arbiter, "board.stop", json!({"board": "1"})).unwrap().unwrap();
    bench.wait(3_000);
    bench.reports(SERIAL, stands(3, 3_000, 2_997_000, Some(ClockEvent::Stop { by: By::Command })));
    bench.hear(Heard::LineDown { line: SERIAL, cause: "unplugged".into() });
    bench
}

fn stands(seq: u32, uptime_ms: u64, left_ms: i64, event: Option<ClockEvent>) -> ClockReport {
    ClockReport { left_ms, ..report(seq, uptime_ms, None, event) }
}

fn order_of(bench: &Bench, from: usize) -> Vec<&'static str> {
    let name = |input: &Input| match input {
        Input::Report(_) => Some("report"),
        Input::Link { online: true, .. } => Some("online"),
        Input::Link { online: false, .. } => Some("offline"),
        _ => None,
    };
    bench.inputs()[from..].iter().filter_map(name).collect()
}

fn sent(bench: &Bench, name: &str) -> usize {
    bench.out.send.iter().filter(|send| send.command.action.name() == name).count()
}

#[test]
fn what_a_clock_owes_is_ordered_from_what_it_shows_when_it_is_back() {
    for shown in [2_937_000, 2_997_000] {
        let mut bench = stopped_and_gone();
        let adjust = json!({"board": "1", "player": "first", "delta_ms": -60_000});
        bench.ask_as(Role::Arbiter, "board.adjust", adjust).unwrap().unwrap();
        assert_eq!(sent(&bench, "adjust") + sent(&bench, "set_times"), 0, "nothing is kept for it");
        let before = bench.inputs().len();
        bench.wait(60_000);
        // somebody has set it by hand meanwhile, or nobody has
        bench.reports(SERIAL, stands(4, 63_000, shown, Some(ClockEvent::Adjust { by: By::Button })));
        assert_eq!(order_of(&bench, before), ["report", "online"]);
        let ordered = sent(&bench, "adjust") + sent(&bench, "set_times");
        assert_eq!(ordered > 0, shown == 2_997_000, "it shows {shown}");
    }
}

#[test]
fn a_clock_that_runs_again_when_it_is_back_is_not_told_times() {
    let mut bench = stopped_and_gone();
    let adjust = json!({"board": "1", "player": "first", "delta_ms": -60_000});
    bench.ask_as(Role::Arbiter, "board.adjust", adjust).unwrap().unwrap();
    bench.wait(60_000);
    let resumed = ClockEvent::Resume { by: By::Button };
    let back = ClockReport { left_ms: 2_997_000, ..report(4, 63_000, Some(Side::Left), Some(resumed)) };
    bench.reports(SERIAL, back);
    bench.wait(100);
    assert_eq!(sent(&bench, "adjust") + sent(&bench, "set_times"), 0);
}

#[test]
fn a_clock_is_told_of_as_back_once_what_it_did_meanwhile_is_known() {
    let mut bench = stopped_and_gone();
    bench.wait(60_000);
    let before = bench.inputs().len();
    // reports 4 and 5 are missing, and asked for
    bench.reports(SERIAL, stands(6, 63_000, 2_987_000, None));
    bench.wait(200);
    assert_eq!(order_of(&bench, before), [] as [&str; 0]);
    assert_eq!(sent(&bench, "replay"), 1);
    let resume = ClockEvent::Resume { by: By::Button };
    bench.reports(
        SERIAL,
        ClockReport { left_ms: 2_997_000, ..report(4, 40_000, Some(Side::Left), Some(resume)) },
    );
    bench.reports(SERIAL, stands(5, 50_000, 2_987_000, Some(ClockEvent::Stop { by: By::Button })));
    assert_eq!(order_of(&bench, before), ["report", "report", "online"]);
    assert_eq!(bench.links().last().unwrap().2, "back");
}

#[test]
fn a_hole_that_is_never_filled_keeps_no_clock_away() {
    let mut bench = stopped_and_gone();
    bench.wait(60_000);
    let before = bench.links().len();
    for second in 0..6_u32 {
        bench.reports(SERIAL, stands(9 + second, 63_000 + u64::from(second) * 1_000, 2_997_000, None));
        bench.wait(1_000);
    }
    let causes: Vec<_> =
        bench.links()[before..].iter().map(|(online, _, cause)| (*online, cause.clone())).collect();
    assert_eq!(causes, [(true, "back".to_owned())]);
}

#[test]
fn after_a_restart_a_clock_that_stays_away_is_told_of_after_its_silence() {
    for (running, patience) in [(Some(Side::Left), 3_500), (None, 12_000)] {
        let mut bench = Bench::new();
        bench.reports(SERIAL, report(1, 0, running, None));
        let mut back = bench.restarted(Venue(5_000));
        back.wait(patience - 1);
        assert_eq!(back.links(), []);
        back.wait(1);
        assert_eq!(back.links(), [(false, "/dev/ttyUSB0".into(), "silence".into())]);
        back.wait(600_000);
        assert_eq!(back.links().len(), 1, "once");
        // and after one more restart it is no news
        let mut again = back.after(&bench);
        again.wait(600_000);
        assert_eq!(again.links(), []);
    }
}

#[test]
fn after_a_restart_a_clock_that_is_heard_is_back_and_was_never_away() {
    let mut bench = Bench::new();
    bench.reports(SERIAL, report(1, 0, None, None));
    let mut back = bench.restarted(Venue(5_000));
    back.hear(Heard::LineUp { line: SERIAL, name: "/dev/ttyUSB0".into() });
    back.wait(11_000);
    back.reports(SERIAL, report(2, 16_000, None, None));
    back.wait(11_000);
    assert_eq!(back.links(), [(true, "/dev/ttyUSB0".into(), "back".into())]);
}
