//! The same game, however it comes: duplicated, out of order, with holes.

use super::*;
use flagfall_clock::{About, By, Refusal, Side};
use proptest::prelude::*;
use rstest::rstest;

const CLOCK: &str = "A01";

/// A tiny clock: 50:00 a side, 15 s with each move.
struct Model {
    report: ClockReport,
}

impl Model {
    fn new(boot: u32) -> Self {
        Self {
            report: ClockReport {
                clock: CLOCK.parse().unwrap(),
                boot,
                seq: 0,
                events: Some(0),
                uptime_ms: 1_000,
                left_ms: 3_000_000,
                right_ms: 3_000_000,
                running: None,
                left_presses: 0,
                right_presses: 0,
                flag: Some(None),
                stopped_by: None,
                battery_pct: Some(80),
                periods: None,
                event: None,
            },
        }
    }

    fn pass(&mut self, ms: u64) {
        let report = &mut self.report;
        report.uptime_ms += ms;
        match report.running {
            Some(Side::Left) => report.left_ms -= ms as i64,
            Some(Side::Right) => report.right_ms -= ms as i64,
            None => {}
        }
    }

    fn say(&mut self, event: Option<ClockEvent>) -> ClockReport {
        self.report.seq += 1;
        if event.is_some() {
            self.report.events = self.report.events.map(|events| events + 1);
        }
        self.report.event = event;
        self.report.clone()
    }

    fn status(&mut self) -> ClockReport {
        self.say(None)
    }

    fn boot(&mut self) -> ClockReport {
        self.say(Some(ClockEvent::Boot(About::default())))
    }

    fn start(&mut self, side: Side) -> ClockReport {
        self.report.running = Some(side);
        self.say(Some(ClockEvent::Start { side, by: By::Button }))
    }

    fn press(&mut self) -> ClockReport {
        let Some(side) = self.report.running else { return self.start(Side::Left) };
        match side {
            Side::Left => {
                self.report.left_ms += 15_000;
                self.report.left_presses += 1;
            }
            Side::Right => {
                self.report.right_ms += 15_000;
                self.report.right_presses += 1;
            }
        }
        self.report.running = Some(side.other());
        self.say(Some(ClockEvent::Press { side }))
    }

    fn stop(&mut self) -> ClockReport {
        self.report.running = None;
        self.say(Some(ClockEvent::Stop { by: By::Button }))
    }

    fn done(&mut self, command: u32, ok: bool) -> ClockReport {
        let error = (!ok).then_some(Refusal::Gone);
        self.say(Some(ClockEvent::Done { command, ok, error }))
    }
}

/// A session, and all that it passed on.
struct Bench {
    session: Session,
    now: Venue,
    passed: Vec<Passed>,
}

impl Bench {
    fn new() -> Self {
        Self { session: Session::new(CLOCK.parse().unwrap()), now: Venue(10_000), passed: Vec::new() }
    }

    fn until(&mut self, at: Venue) {
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= at) {
            self.now = due.max(self.now);
            self.session.due(self.now, &mut self.passed);
        }
        self.now = at.max(self.now);
    }

    fn wait(&mut self, ms: u64) {
        self.until(self.now + ms);
    }

    fn hear(&mut self, report: &ClockReport) -> Taken {
        self.session.take(self.now, report.clone(), false, &mut self.passed)
    }

    /// Hears a report a second after the one before it.
    fn next(&mut self, report: &ClockReport) -> Taken {
        self.wait(1_000);
        self.hear(report)
    }

    fn seqs(&self) -> Vec<u32> {
        self.reports().map(|observation| observation.report.seq).collect()
    }

    fn reports(&self) -> impl Iterator<Item = &Observation> {
        self.passed.iter().filter_map(|passed| match passed {
            Passed::Report(observation) => Some(&**observation),
            _ => None,
        })
    }

    fn events(&self) -> Vec<u32> {
        self.reports().filter(|o| o.report.event.is_some()).map(|o| o.report.seq).collect()
    }

    fn gaps(&self) -> Vec<(u32, u32)> {
        self.passed
            .iter()
            .filter_map(|passed| match passed {
                Passed::Gap { from_seq, to_seq } => Some((*from_seq, *to_seq)),
                _ => None,
            })
            .collect()
    }

    fn replays(&self) -> Vec<(u32, u32)> {
        self.passed
            .iter()
            .filter_map(|passed| match passed {
                Passed::Replay { boot, from_seq } => Some((*boot, *from_seq)),
                _ => None,
            })
            .collect()
    }

    fn faults(&self) -> Vec<&str> {
        self.passed
            .iter()
            .filter_map(|passed| match passed {
                Passed::Fault { message, .. } => Some(message.as_str()),
                _ => None,
            })
            .collect()
    }
}

/// A clock on which the left side runs, heard for a while.
fn playing() -> (Model, Bench) {
    let (mut model, mut bench) = (Model::new(3), Bench::new());
    bench.hear(&model.boot());
    model.pass(1_000);
    bench.next(&model.start(Side::Left));
    for _ in 0..6 {
        model.pass(1_000);
        bench.next(&model.status());
    }
    bench.passed.clear();
    (model, bench)
}

#[test]
fn what_was_predicted_is_not_passed_on_and_what_changed_is() {
    let (mut model, mut bench) = playing();
    for _ in 0..100 {
        model.pass(1_000);
        bench.next(&model.status());
    }
    assert_eq!(bench.passed, []);
    model.pass(500);
    let press = model.press();
    bench.wait(500);
    bench.hear(&press);
    let observation = bench.reports().next().unwrap();
    assert_eq!((observation.off_ms, observation.live), (Some(0), true));
    assert_eq!(observation.happened, bench.now);
}

#[test]
fn a_second_and_a_hundredth_time_is_no_time() {
    let (mut model, mut bench) = playing();
    let press = model.press();
    assert_eq!(bench.hear(&press), Taken::New);
    for _ in 0..100 {
        assert_eq!(bench.hear(&press), Taken::Again);
    }
    for _ in 0..3 {
        model.pass(600_000);
        bench.wait(600_000);
        bench.hear(&model.status());
        assert_eq!(bench.hear(&press), Taken::Again);
    }
    assert_eq!(bench.events(), [press.seq]);
}

#[test]
fn lost_statuses_are_no_hole_where_events_are_counted() {
    let (mut model, mut bench) = playing();
    for _ in 0..5 {
        model.pass(1_000);
        model.status();
    }
    let press = model.press();
    bench.wait(5_000);
    bench.hear(&press);
    assert_eq!(bench.events(), [press.seq]);
    assert_eq!(bench.replays(), []);
}

#[test]
fn a_lost_event_is_asked_for_and_what_came_after_it_waits() {
    let (mut model, mut bench) = playing();
    model.pass(1_000);
    let (lost, stop) = (model.press(), model.stop());
    bench.next(&stop);
    assert_eq!(bench.seqs(), [0_u32; 0]);
    bench.wait(150);
    assert_eq!(bench.replays(), [(3, lost.seq)]);
    bench.wait(100);
    bench.hear(&lost);
    assert_eq!(bench.events(), [lost.seq, stop.seq]);
    assert_eq!(bench.gaps(), []);
    assert!(bench.passed.contains(&Passed::ReplayOver));
    assert!(bench.reports().all(|observation| !observation.live), "kept back is not live");
}

#[test]
fn a_hole_that_nobody_fills_is_one_gap_and_loses_nothing_after_it() {
    let (mut model, mut bench) = playing();
    model.pass(1_000);
    let lost = [model.press().seq, model.press().seq];
    let stop = model.stop();
    bench.next(&stop);
    for _ in 0..3 {
        model.pass(500);
        bench.wait(500);
        bench.hear(&model.status());
    }
    bench.wait(3_000);
    assert_eq!(bench.gaps(), [(lost[0], lost[1])]);
    assert_eq!(bench.seqs(), [stop.seq]);
    assert_eq!(bench.reports().next().unwrap().off_ms, None);
    // late now: it is told already that it is lost
    let mut late = stop.clone();
    late.seq = lost[1];
    assert_eq!(bench.hear(&late), Taken::Again);
}

#[test]
fn the_report_after_a_gap_tells_the_counts_even_as_a_status() {
    let (mut model, mut bench) = playing();
    model.press();
    model.press();
    model.pass(1_000);
    let status = model.status();
    bench.next(&status);
    bench.wait(3_000);
    assert_eq!(bench.gaps().len(), 1);
    assert_eq!(bench.seqs(), [status.seq]);
}

#[rstest]
#[case(true)]
#[case(false)]
fn a_clock_that_has_it_no_longer_makes_a_gap_at_once(#[case] ok: bool) {
    let (mut model, mut bench) = playing();
    let lost = model.press();
    let stop = model.stop();
    bench.next(&stop);
    bench.wait(150);
    bench.session.sent_own(7, true);
    let done = model.done(7, ok);
    bench.hear(&done);
    assert_eq!(bench.gaps(), [(lost.seq, lost.seq)]);
    assert_eq!(bench.events(), [stop.seq], "the answer to our own question is no news");
}

#[test]
fn without_a_count_of_events_every_hole_is_asked_for_and_mere_statuses_are_no_gap() {
    let (mut model, mut bench) = (Model::new(3), Bench::new());
    model.report.events = None;
    bench.hear(&model.start(Side::Left));
    model.pass(1_000);
    let lost = model.status();
    model.pass(1_000);
    bench.wait(1_000);
    bench.next(&model.status());
    bench.wait(200);
    assert_eq!(bench.replays(), [(3, lost.seq)]);
    bench.session.sent_own(9, true);
    bench.hear(&model.done(9, true));
    assert_eq!(bench.gaps(), []);
    // but nobody answers: it may have been an event
    model.pass(1_000);
    model.status();
    model.pass(1_000);
    bench.next(&model.status());
    bench.wait(3_000);
    assert_eq!(bench.gaps().len(), 1);
}

#[test]
fn another_boot_of_a_known_clock_is_wanted_from_its_first_event() {
    let (_, mut bench) = playing();
    let mut model = Model::new(4);
    let first = model.boot();
    let start = model.start(Side::Right);
    bench.next(&start);
    bench.wait(200);
    assert_eq!(bench.replays(), [(4, 1)]);
    bench.hear(&first);
    assert_eq!(bench.events(), [first.seq, start.seq]);
}

#[test]
fn an_older_boot_counts_when_the_next_report_agrees_and_not_before() {
    let (mut model, mut bench) = playing();
    let mut old = Model::new(2);
    old.boot();
    let strays = [old.status(), {
        old.pass(1_000);
        old.status()
    }];
    bench.hear(&strays[0]);
    bench.hear(&strays[0]);
    assert_eq!(bench.passed, []);
    model.pass(1_000);
    bench.next(&model.status());
    assert_eq!(bench.faults().len(), 1, "{:?}", bench.faults());
    assert_eq!(bench.session.boot(), Some(3));
    bench.hear(&strays[0]);
    bench.hear(&strays[1]);
    assert_eq!(bench.session.boot(), Some(2));
}

#[test]
fn a_sealed_clock_has_no_older_boot() {
    let (_, mut bench) = playing();
    let mut old = Model::new(2);
    for _ in 0..3 {
        assert_eq!(bench.session.take(bench.now, old.status(), true, &mut bench.passed), Taken::Refused);
    }
    assert!(matches!(bench.passed[0], Passed::Fault { kind: "old_boot", .. }));
    assert_eq!(bench.session.boot(), Some(3));
}

#[test]
fn a_leap_of_numbers_counts_when_the_next_report_agrees() {
    let (mut model, mut bench) = playing();
    let mut wild = model.status();
    wild.seq += 60_000;
    bench.hear(&wild);
    model.pass(1_000);
    let press = model.press();
    bench.next(&press);
    assert_eq!(bench.events(), [press.seq]);
    assert_eq!(bench.faults().len(), 1);
    model.report.seq += 5_000;
    model.pass(1_000);
    let (stop, status) = (model.stop(), model.status());
    bench.next(&stop);
    bench.next(&status);
    bench.wait(3_000);
    assert_eq!(bench.events(), [press.seq, stop.seq]);
    assert_eq!(bench.gaps(), []);
}

#[test]
fn a_wild_reading_is_dropped_and_named() {
    let (mut model, mut bench) = playing();
    model.pass(1_000);
    let mut wild = model.status();
    wild.left_ms = 12_345;
    bench.next(&wild);
    model.pass(1_000);
    bench.next(&model.status());
    assert_eq!(bench.seqs(), [0_u32; 0]);
    assert!(bench.faults()[0].contains("left shows 12345 ms"), "{:?}", bench.faults());
}

#[test]
fn a_wild_event_is_dropped_whole_and_the_next_event_is_not() {
    let (mut model, mut bench) = playing();
    model.pass(1_000);
    let mut wild = model.press();
    wild.left_ms = -900_000;
    bench.next(&wild);
    model.pass(1_000);
    let stop = model.stop();
    bench.next(&stop);
    // what the wild press hid is seen on the stop, which then needs the next one too
    model.pass(1_000);
    bench.next(&model.status());
    assert_eq!(bench.events(), [stop.seq]);
    assert_eq!(bench.gaps(), []);
    assert_eq!(bench.hear(&wild), Taken::Again);
}

#[test]
fn a_step_that_the_next_report_bears_out_is_passed_on_with_its_size() {
    let (mut model, mut bench) = playing();
    model.report.left_ms -= 300_000;
    model.pass(1_000);
    let step = model.status();
    bench.next(&step);
    assert_eq!(bench.passed, []);
    model.pass(1_000);
    bench.next(&model.status());
    assert_eq!(bench.seqs(), [step.seq]);
    assert_eq!(bench.reports().next().unwrap().off_ms, Some(-300_000));
}

#[test]
fn no_flag_from_a_single_reading() {
    let (mut model, mut bench) = playing();
    let mut wild = model.status();
    wild.flag = Some(Some(Side::Left));
    bench.hear(&wild);
    model.pass(1_000);
    bench.next(&model.status());
    assert!(bench.reports().next().is_none());
    assert_eq!(bench.faults().len(), 1);
}

#[test]
fn a_flag_event_that_fits_passes_at_once() {
    let (mut model, mut bench) = playing();
    let left = model.report.left_ms as u64;
    model.pass(left);
    model.report.flag = Some(Some(Side::Left));
    model.report.running = None;
    bench.wait(left);
    bench.hear(&model.say(Some(ClockEvent::Flag { side: Side::Left })));
    let flag = bench.reports().next().unwrap();
    assert_eq!((flag.off_ms, flag.live), (Some(0), true));
}

#[test]
fn a_counter_run_below_zero_never_counts() {
    let (mut model, mut bench) = playing();
    let left = model.report.left_ms as u64;
    model.pass(left - 1_000);
    bench.wait(left - 1_000);
    bench.hear(&model.status());
    for below in 1..5 {
        model.pass(1_000);
        let mut status = model.status();
        status.left_ms = 65_536 - below * 1_000;
        bench.next(&status);
    }
    assert!(bench.reports().next().is_none());
    assert_eq!(bench.faults().len(), 4);
}

#[test]
fn the_session_goes_on_where_the_journal_left_it() {
    let (mut model, mut bench) = playing();
    let press = model.press();
    bench.hear(&press);
    let Some(Passed::Report(journalled)) = bench.passed.pop() else { panic!("{:?}", bench.passed) };
    let mut back = Bench::new();
    back.session.restore(&journalled);
    back.now = bench.now + 60_000;
    assert_eq!(back.hear(&press), Taken::Again);
    model.pass(20_000);
    let (lost, stop) = (model.press(), model.stop());
    model.pass(40_000);
    back.hear(&stop);
    back.wait(200);
    assert_eq!(back.replays(), [(3, lost.seq)]);
    back.hear(&lost);
    assert_eq!(back.events(), [lost.seq, stop.seq]);
    let stopped = back.reports().last().unwrap();
    assert!(!stopped.live && stopped.happened.since(bench.now + 20_000).abs() < 500, "{stopped:?}");
}

#[test]
fn a_session_never_holds_back_without_bound() {
    let (mut model, mut bench) = playing();
    model.press();
    for _ in 0..600 {
        bench.hear(&model.press());
    }
    assert_eq!(bench.gaps().len(), 1);
    bench.wait(3_000);
    assert_eq!(bench.events().len(), 600);
}

/// How one report comes.
#[derive(Clone, Debug)]
struct Fate {
    delay: u64,
    again: Option<u64>,
    lost: bool,
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let one = (0_u64..2_000, proptest::option::of(0_u64..60_000), proptest::bool::weighted(0.2))
        .prop_map(|(delay, again, lost)| Fate { delay, again, lost });
    proptest::collection::vec(one, 120)
}

/// A game: each step is so long, then a press, a stop, or only a status.
fn game() -> impl Strategy<Value = Vec<(u64, u8)>> {
    proptest::collection::vec((1_u64..1_000, 0_u8..10), 1..100)
}

fn played(steps: &[(u64, u8)], counts: bool) -> Vec<(Venue, ClockReport)> {
    let mut model = Model::new(5);
    if !counts {
        model.report.events = None;
    }
    let mut at = Venue(20_000);
    let mut truth = vec![(at, model.boot())];
    at = at + 3_000;
    model.pass(3_000);
    for (ms, what) in steps {
        at = at + *ms;
        model.pass(*ms);
        truth.push((
            at,
            match what {
                0..4 => model.press(),
                4 if model.report.running.is_some() => model.stop(),
                _ => model.status(),
            },
        ));
    }
    for _ in 0..4 {
        at = at + 1_000;
        model.pass(1_000);
        truth.push((at, model.status()));
    }
    truth
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_same_game_however_it_comes(steps in game(), fates in fates(), counts: bool) {
        let truth = played(&steps, counts);
        let mut bench = Bench::new();
        let mut on_the_way: Vec<(Venue, ClockReport)> = Vec::new();
        for (n, (at, report)) in truth.iter().enumerate() {
            let fate = &fates[n];
            let whole = n == 0 || n + 4 >= truth.len();
            let delay = if whole { 0 } else { fate.delay };
            if whole || !fate.lost {
                on_the_way.push((*at + delay, report.clone()));
            }
            if let Some(again) = fate.again
                && !fate.lost
            {
                on_the_way.push((*at + delay + again, report.clone()));
            }
        }
        let mut asked = 0;
        loop {
            on_the_way.sort_by_key(|(at, report)| std::cmp::Reverse((*at, report.seq)));
            let due = bench.session.next_deadline();
            let next = on_the_way.last().map(|(at, _)| *at);
            match (due, next) {
                (Some(due), next) if next.is_none_or(|next| due < next) => bench.until(due),
                (_, Some(next)) => {
                    bench.until(next);
                    let Some((_, report)) = on_the_way.pop() else { break };
                    bench.hear(&report);
                }
                _ => break,
            }
            let replays = bench.replays();
            for (_, from) in &replays[asked..] {
                // statuses come again too, so that a clock without a count leaves no hole
                on_the_way.extend(
                    truth.iter()
                        .filter(|(at, report)| {
                            report.seq >= *from && *at <= bench.now && (report.event.is_some() || !counts)
                        })
                        .map(|(_, report)| (bench.now + 300, report.clone())),
                );
            }
            asked = replays.len();
        }
        let wanted: Vec<u32> =
            truth.iter().filter(|(_, report)| report.event.is_some()).map(|(_, report)| report.seq).collect();
        prop_assert_eq!(bench.events(), wanted);
        prop_assert_eq!(bench.gaps(), []);
        prop_assert_eq!(bench.faults(), Vec::<&str>::new());
        let mut before = Venue(0);
        for observation in bench.reports() {
            prop_assert!(observation.happened >= before);
            before = observation.happened;
        }
    }

    #[test]
    fn what_cannot_be_had_again_is_exactly_one_gap(steps in game(), which: prop::sample::Index) {
        let truth = played(&steps, true);
        let events: Vec<u32> = truth.iter().skip(1).filter(|(_, r)| r.event.is_some()).map(|(_, r)| r.seq).collect();
        prop_assume!(!events.is_empty());
        let lost = *which.get(&events);
        let mut bench = Bench::new();
        for (at, report) in truth.iter().filter(|(_, report)| report.seq != lost) {
            bench.until(*at);
            bench.hear(report);
        }
        bench.wait(5_000);
        prop_assert_eq!(bench.gaps(), [(lost, lost)]);
        let wanted: Vec<u32> = std::iter::once(1).chain(events.into_iter().filter(|seq| *seq != lost)).collect();
        prop_assert_eq!(bench.events(), wanted);
    }

    #[test]
    fn no_report_makes_it_panic(reports in proptest::collection::vec((0_u32..4, any::<u32>(), any::<u64>(), any::<i64>(), any::<u8>(), 0_u64..5_000), 0..60)) {
        let mut bench = Bench::new();
        for (boot, seq, uptime, left, what, wait) in reports {
            let mut report = Model::new(boot).boot();
            report.seq = if what & 1 == 0 { seq % 50 } else { seq };
            report.uptime_ms = if what & 2 == 0 { uptime % 100_000 } else { uptime };
            report.left_ms = if what & 4 == 0 { left % 100_000 } else { left };
            report.events = (what & 8 == 0).then_some(seq);
            if what & 16 == 0 {
                report.event = None;
            }
            bench.wait(wait);
            bench.hear(&report);
            prop_assert!(bench.session.next_deadline().is_none_or(|due| due > bench.now));
        }
    }
}

mod controls;
