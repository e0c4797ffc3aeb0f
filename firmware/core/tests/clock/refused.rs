//! Controls that no clock plays, and those that merely look odd.

use crate::bench::{Bench, LEFT, settings};
use flagfall_clock::{
    Action, FlagAt, Kind, Period, Periods, PeriodsAt, Refusal, SideTimes, StopButton, TimeControl,
};
use flagfall_firmware::{Clock, Settings, Setup};
use rstest::rstest;

/// 99:59:59.
const ALL: u32 = 359_999_000;

fn overtime(kind: Kind, base_ms: u32, overtime_ms: u32, overtime_count: u16) -> TimeControl {
    TimeControl { overtime_ms, overtime_count, ..TimeControl::new(kind, base_ms, 0) }
}

fn periods(kind: Kind, moves: u16, later: &[(u16, u32)]) -> TimeControl {
    let mut all = [Period::default(); 4];
    for (period, (moves, base_ms)) in all.iter_mut().zip(later) {
        *period = Period { moves: *moves, base_ms: *base_ms, increment_ms: 0 };
    }
    TimeControl {
        moves,
        periods: Periods::of(&all[..later.len()]).unwrap(),
        ..TimeControl::new(kind, 60_000, 0)
    }
}

fn second(control: TimeControl, base_ms: u32, increment_ms: u32) -> TimeControl {
    TimeControl { second: Some(SideTimes { base_ms, increment_ms }), ..control }
}

#[rstest]
#[case::byoyomi_without_periods(overtime(Kind::Byoyomi, 60_000, 30_000, 0))]
#[case::byoyomi_of_no_length(overtime(Kind::Byoyomi, 60_000, 0, 3))]
#[case::a_block_without_moves(overtime(Kind::Canadian, 60_000, 300_000, 0))]
#[case::a_block_of_no_length(overtime(Kind::Canadian, 60_000, 0, 10))]
#[case::a_gong_without_time(TimeControl::new(Kind::Gong, 0, 0))]
#[case::a_gong_without_time_for_one(second(TimeControl::new(Kind::Gong, 10_000, 0), 0, 0))]
#[case::repeat_of_no_period(TimeControl { repeat: true, moves: 40, ..TimeControl::fischer(60_000, 0) })]
#[case::repeat_without_moves(TimeControl { repeat: true, ..periods(Kind::Fischer, 40, &[(20, 1_000), (0, 1_000)]) })]
#[case::repeat_at_zero(TimeControl { repeat: true, periods_at: PeriodsAt::Zero, ..periods(Kind::Fischer, 40, &[(20, 1_000)]) })]
#[case::periods_after_one_without_end(periods(Kind::Fischer, 0, &[(0, 1_000)]))]
#[case::periods_after_a_later_one_without_end(periods(Kind::Fischer, 40, &[(0, 1_000), (20, 1_000)]))]
#[case::periods_of_an_hourglass(periods(Kind::Hourglass, 40, &[(0, 1_000)]))]
#[case::base(TimeControl::fischer(ALL + 1, 0))]
#[case::increment(TimeControl::fischer(0, ALL + 1))]
#[case::first_increment(TimeControl { increment_on_first_move: true, ..TimeControl::fischer(ALL, 1) })]
#[case::delay(TimeControl::new(Kind::Delay, ALL, 1))]
#[case::one_sides_own(second(TimeControl::fischer(60_000, 0), ALL + 1, 0))]
#[case::all_periods_together(periods(Kind::SuddenDeath, 40, &[(20, ALL / 2), (0, ALL / 2)]))]
#[case::all_periods_of_byoyomi(overtime(Kind::Byoyomi, 0, ALL / 2, 3))]
#[case::the_sand_of_both(TimeControl::new(Kind::Hourglass, ALL / 2 + 1, 0))]
#[case::cap(TimeControl { cap_ms: Some(ALL + 1), ..TimeControl::fischer(0, 0) })]
fn what_makes_no_sense_or_does_not_fit_is_out_of_range(#[case] control: TimeControl) {
    let setup = Setup { control, ..Setup::default() };
    assert!(!setup.in_range());
    let mut bench = Bench::new();
    let before = bench.times();
    let action = Action::Configure { time_control: control, first_side: LEFT, stop_button: StopButton::On };
    assert_eq!(bench.command(100, action), Err(Refusal::Range));
    assert_eq!((bench.times(), bench.clock.setup()), (before, &Setup::default()));
    // Nor does it come up so, whatever its maker wrote into it.
    let clock = Clock::new(Settings { setup, ..settings() }, 0);
    assert_eq!(clock.setup(), &Setup::default());
}

#[rstest]
#[case::no_time(TimeControl::fischer(0, 0))]
#[case::all_there_is(TimeControl::fischer(ALL, ALL))]
#[case::moves_of_the_only_period(TimeControl { moves: 40, ..TimeControl::fischer(60_000, 0) })]
#[case::overtime_of_a_kind_that_has_none(overtime(Kind::Fischer, 60_000, 30_000, 0))]
#[case::a_cap_below_the_base(TimeControl { cap_ms: Some(1_000), ..TimeControl::fischer(60_000, 5_000) })]
#[case::no_main_time(overtime(Kind::Byoyomi, 0, 30_000, 3))]
#[case::moves_where_periods_end_at_zero(TimeControl { periods_at: PeriodsAt::Zero, ..periods(Kind::Delay, 0, &[(20, 1), (0, 1)]) })]
#[case::five_periods(periods(Kind::Bronstein, 1, &[(1, 1), (1, 1), (1, 1), (1, 1)]))]
#[case::all_the_sand(TimeControl::new(Kind::Hourglass, ALL / 2, 0))]
#[case::below_zero(TimeControl { flag_at: FlagAt::BelowZero, ..overtime(Kind::Canadian, 0, 1, 1) })]
fn what_is_merely_unlikely_is_played(#[case] control: TimeControl) {
    let mut bench = Bench::new();
    let action = Action::Configure { time_control: control, first_side: LEFT, stop_button: StopButton::On };
    assert_eq!(bench.command(100, action), Ok(()));
    assert_eq!(bench.clock.setup().control, control);
}
