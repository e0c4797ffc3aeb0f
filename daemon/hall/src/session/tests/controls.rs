//! Games under every kind of control: each report passes at once, without a fault and without a step. And
//! what a session still does not believe.

use super::*;
use flagfall_clock::{Kind, Period, Periods, PeriodsAt, Player, SideTimes, TimeControl};
use flagfall_rules::control::Course;

/// A clock that plays by a control.
struct Played {
    course: Course,
    report: ClockReport,
    coarse: i64,
}

impl Played {
    fn new(control: &TimeControl, coarse: i64) -> Self {
        Self { course: Course::new(control), report: Model::new(3).report, coarse }
    }

    fn say(&mut self, event: Option<ClockEvent>) -> ClockReport {
        let coarse = self.coarse;
        let shown = self.course.ms().map(|ms| (ms + coarse - 1).div_euclid(coarse) * coarse);
        let side = |player: Player| player.side(Side::Left);
        let report = &mut self.report;
        report.seq += 1;
        report.events = report.events.map(|events| events + u32::from(event.is_some()));
        [report.left_ms, report.right_ms] = shown;
        [report.left_presses, report.right_presses] = self.course.moves();
        report.running = self.course.running().map(side);
        report.flag = Some(self.course.flag().map(side));
        report.event = event;
        report.clone()
    }

    /// So much time passes, in steps of at most a second; whatever the clock says meanwhile is heard.
    fn pass(&mut self, bench: &mut Bench, ms: u64) {
        let mut left = ms;
        while left > 0 {
            let step = left.min(1_000);
            let (period, turn) = (self.course.period(Player::First), self.course.turn());
            self.course.pass(step);
            self.report.uptime_ms += step;
            bench.wait(step);
            let zero = turn.filter(|turn| {
                self.course.period(Player::First) != period || self.course.turn() != Some(*turn)
            });
            let event = match (self.course.flag(), zero) {
                (Some(player), _) => Some(ClockEvent::Flag { side: player.side(Side::Left) }),
                (None, Some(player)) => Some(ClockEvent::Period { side: player.side(Side::Left) }),
                (None, None) => None,
            };
            let report = self.say(event);
            bench.hear(&report);
            if self.course.flag().is_some() {
                return;
            }
            left -= step;
        }
    }
}

fn kinds() -> Vec<TimeControl> {
    let of = |kind, base_ms, increment_ms| TimeControl::new(kind, base_ms, increment_ms);
    let period = |moves, base_ms| Period { moves, base_ms, increment_ms: 20_000 };
    let periods = Periods::of(&[period(5, 7_200_000), period(0, 60_000)]).unwrap();
    let fischer = TimeControl::fischer(600_000, 15_000);
    let odds = |base_ms| Some(SideTimes { base_ms, increment_ms: 3_000 });
    vec![
        fischer,
        TimeControl { increment_on_first_move: true, cap_ms: Some(610_000), ..fischer },
        TimeControl { first: odds(360_000), second: odds(240_000), ..fischer },
        TimeControl { moves: 4, periods, ..fischer },
        TimeControl { base_ms: 30_000, increment_ms: 0, periods, periods_at: PeriodsAt::Zero, ..fischer },
        of(Kind::SuddenDeath, 600_000, 15_000),
        of(Kind::Bronstein, 600_000, 12_000),
        of(Kind::Delay, 600_000, 12_000),
        TimeControl { overtime_ms: 30_000, overtime_count: 3, ..of(Kind::Byoyomi, 20_000, 0) },
        TimeControl { overtime_ms: 180_000, overtime_count: 4, ..of(Kind::Canadian, 20_000, 0) },
        of(Kind::Hourglass, 120_000, 0),
        of(Kind::PerMove, 60_000, 0),
        of(Kind::Gong, 10_000, 0),
        of(Kind::UpCount, 0, 0),
    ]
}

#[test]
fn a_game_under_any_control_passes_at_once_and_without_a_doubt() {
    for control in kinds() {
        for coarse in [1, 1_000] {
            let mut clock = Played::new(&control, coarse);
            let mut bench = Bench::new();
            bench.session.under(&control);
            bench.hear(&clock.say(Some(ClockEvent::Boot(About::default()))));
            bench.wait(500);
            clock.report.uptime_ms += 500;
            clock.course.start(Player::First);
            bench.hear(&clock.say(Some(ClockEvent::Start { side: Side::Left, by: By::Button })));
            for n in 0..24_u64 {
                clock.pass(&mut bench, [9_600, 700, 12_345, 4_000, 2_300][n as usize % 5]);
                if n % 7 == 5 {
                    clock.course.stop();
                    bench.hear(&clock.say(Some(ClockEvent::Stop { by: By::Command })));
                    bench.wait(3_000);
                    clock.report.uptime_ms += 3_000;
                    clock.course.resume();
                    bench.hear(&clock.say(Some(ClockEvent::Resume { by: By::Command })));
                }
                if let Some(player) = clock.course.running()
                    && clock.course.press(player)
                {
                    bench.hear(&clock.say(Some(ClockEvent::Press { side: player.side(Side::Left) })));
                }
                assert_eq!(bench.faults(), Vec::<&str>::new(), "{control:?} coarse {coarse}");
                assert!(bench.session.complete(), "{control:?} coarse {coarse}: nothing waits");
            }
            let off: Vec<_> =
                bench.reports().filter_map(|seen| seen.off_ms.filter(|off| off.abs() > 1_000)).collect();
            assert_eq!(off, [0_i64; 0], "{control:?} coarse {coarse}: no steps");
            assert_eq!(bench.gaps(), []);
            let by_itself =
                bench.reports().filter(|seen| matches!(seen.report.event, Some(ClockEvent::Period { .. })));
            let zero = control.kind == Kind::Gong || control.periods_at == PeriodsAt::Zero;
            assert_eq!(by_itself.count() > 0, zero, "{control:?}: periods at zero, and turns passed on");
            let statuses = bench.reports().filter(|seen| seen.report.event.is_none()).count();
            assert!(statuses <= 2, "{control:?} coarse {coarse}: {statuses} statuses that only confirm");
        }
    }
}

#[test]
fn what_one_control_allows_another_does_not() {
    // a delay that stands on the side that waits, in a hall of increments
    let delay = TimeControl::new(Kind::Bronstein, 600_000, 12_000);
    let mut clock = Played::new(&delay, 1);
    let mut bench = Bench::new();
    bench.session.under(&TimeControl::fischer(600_000, 15_000));
    bench.hear(&clock.say(Some(ClockEvent::Boot(About::default()))));
    clock.course.start(Player::First);
    bench.hear(&clock.say(Some(ClockEvent::Start { side: Side::Left, by: By::Button })));
    assert!(!bench.session.complete(), "it waits for the next report to agree");
    clock.pass(&mut bench, 2_000);
    assert!(bench.session.complete());
    assert_eq!(bench.reports().filter(|seen| seen.off_ms == Some(12_000)).count(), 1);
    // under increments a waiting side that rises, or a running one, is a wild reading
    for (wild, name) in [([600_000, 590_000], "rises"), ([640_000, 600_000], "runs up")] {
        let plain = TimeControl::fischer(600_000, 15_000);
        let mut clock = Played::new(&plain, 1);
        let mut bench = Bench::new();
        bench.session.under(&plain);
        bench.hear(&clock.say(Some(ClockEvent::Boot(About::default()))));
        clock.course.start(Player::First);
        bench.hear(&clock.say(Some(ClockEvent::Start { side: Side::Left, by: By::Button })));
        clock.pass(&mut bench, 20_000);
        let mut report = clock.say(None);
        [report.left_ms, report.right_ms] = wild;
        bench.hear(&report);
        assert!(!bench.session.complete(), "{name}");
        clock.pass(&mut bench, 1_000);
        assert_eq!(bench.faults().len(), 1, "{name}");
    }
}
