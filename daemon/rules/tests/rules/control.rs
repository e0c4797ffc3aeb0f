//! The checking model against the rows of the table of time controls, with times in milliseconds.

use flagfall_clock::Kind::{
    Bronstein, Byoyomi, Canadian, Delay, Gong, Hourglass, PerMove, SuddenDeath, UpCount,
};
use flagfall_clock::Player::{First, Second};
use flagfall_clock::{FlagAt, Kind, Period, Periods, PeriodsAt, SideTimes, TimeControl};
use flagfall_rules::control::Course;
use proptest::prelude::*;

const MINUTE: u32 = 60_000;

fn begun(control: &TimeControl) -> Course {
    let mut course = Course::new(control);
    course.start(First);
    course
}

/// The side to move thinks so long and presses.
fn plays(course: &mut Course, used_ms: u64) {
    *course = course.after_press(used_ms);
}

fn of(kind: Kind, base_ms: u32, increment_ms: u32) -> TimeControl {
    TimeControl::new(kind, base_ms, increment_ms)
}

fn periods(moves: u16, at: PeriodsAt, list: &[(u16, u32, u32)]) -> TimeControl {
    let list: Vec<Period> = list
        .iter()
        .map(|(moves, base_ms, increment_ms)| Period {
            moves: *moves,
            base_ms: *base_ms,
            increment_ms: *increment_ms,
        })
        .collect();
    let periods = Periods::of(&list).unwrap();
    TimeControl { moves, periods, periods_at: at, ..TimeControl::fischer(90 * MINUTE, 30_000) }
}

#[test]
fn rule_01_fifty_minutes_and_fifteen_seconds_a_move() {
    let mut course = begun(&TimeControl::fischer(50 * MINUTE, 15_000));
    assert_eq!(course.ms(), [3_000_000, 3_000_000]);
    plays(&mut course, 20_000);
    plays(&mut course, 5_000);
    assert_eq!(course.ms(), [2_995_000, 3_010_000]);
}

#[test]
fn rule_02_the_increment_stands_there_before_the_first_move() {
    let control = TimeControl { increment_on_first_move: true, ..TimeControl::fischer(50 * MINUTE, 15_000) };
    let mut course = begun(&control);
    assert_eq!(course.ms()[0], 3_015_000);
    plays(&mut course, 20_000);
    assert_eq!(course.ms()[0], 3_010_000);
}

#[test]
fn rule_03_a_press_in_the_last_millisecond_is_in_time() {
    let mut course = begun(&TimeControl::fischer(12_000, 15_000));
    assert_eq!(course.falls_in(), Some(12_000));
    plays(&mut course, 11_999);
    assert_eq!((course.ms()[0], course.running(), course.flag()), (15_001, Some(Second), None));
}

#[test]
fn rule_04_a_press_at_zero_or_later_is_too_late_and_gives_nothing() {
    for late in [12_000, 12_400] {
        let course = begun(&TimeControl::fischer(12_000, 15_000)).after_press(late);
        assert_eq!((course.ms(), course.flag(), course.running()), ([0, 12_000], Some(First), None));
    }
    let below = TimeControl { flag_at: FlagAt::BelowZero, ..TimeControl::fischer(12_000, 15_000) };
    assert_eq!(begun(&below).falls_in(), Some(12_001));
    assert_eq!(begun(&below).after_press(12_000).ms()[0], 15_000);
    assert_eq!(begun(&below).after_press(12_001).flag(), Some(First));
}

#[test]
fn rule_05_the_other_side_keeps_what_it_had_or_plays_on_without_increments() {
    let control = TimeControl::fischer(300_000, 5_000);
    let mut course = begun(&control);
    course.set([1_000, 200_400]);
    course.pass(60_000);
    assert_eq!((course.ms(), course.flag()), ([0, 200_400], Some(First)));
    let mut on = begun(&TimeControl { freeze_on_flag: false, ..control });
    on.set([1_000, 200_400]);
    plays(&mut on, 60_000);
    assert_eq!((on.ms(), on.running()), ([0, 200_400], Some(Second)));
    plays(&mut on, 400);
    assert_eq!(on.ms(), [0, 200_000], "nothing is given after a flag");
    plays(&mut on, 5_000);
    plays(&mut on, 900_000);
    assert_eq!((on.ms(), on.flag()), ([0, 0], Some(First)), "the first flag stays, the second is none");
}

#[test]
fn sudden_death_gives_nothing() {
    let mut course = begun(&of(SuddenDeath, 60_000, 15_000));
    plays(&mut course, 20_000);
    assert_eq!(course.ms(), [40_000, 60_000]);
}

#[test]
fn a_cap_takes_nothing_away_and_lets_no_increment_lift_above_it() {
    let control = TimeControl { cap_ms: Some(65_000), ..TimeControl::fischer(60_000, 10_000) };
    let mut course = begun(&control);
    plays(&mut course, 2_000);
    assert_eq!(course.ms()[0], 65_000);
    course.set([90_000, 50_000]);
    plays(&mut course, 5_000);
    assert_eq!(course.ms(), [90_000, 60_000 - 5_000]);
    plays(&mut course, 5_000);
    assert_eq!(course.ms()[0], 85_000, "above the cap it keeps what it has");
}

#[test]
fn what_is_left_of_a_delay_is_never_kept() {
    for kind in [Bronstein, Delay] {
        let mut course = begun(&of(kind, 60_000, 5_000));
        assert_eq!((course.ms(), course.falls_in()), ([65_000, 60_000], Some(65_000)));
        plays(&mut course, 3_000);
        assert_eq!(course.ms(), [60_000, 65_000]);
        plays(&mut course, 9_000);
        assert_eq!(course.ms(), [65_000, 56_000]);
        assert_eq!(begun(&of(kind, 60_000, 5_000)).after_press(64_999).ms()[0], 1);
        assert_eq!(begun(&of(kind, 60_000, 5_000)).after_press(65_000).flag(), Some(First));
    }
}

#[test]
fn a_stop_keeps_the_rest_of_a_delay_and_times_set_meanwhile_are_those_of_the_turn() {
    let control = of(Bronstein, 60_000, 5_000);
    let mut course = begun(&control);
    course.pass(2_000);
    course.stop();
    course.pass(100_000);
    let mut kept = course.clone();
    kept.resume();
    plays(&mut kept, 1_000);
    assert_eq!(kept.ms(), [60_000, 65_000], "3 s of 5 used");
    let mut set = course.clone();
    set.set([30_000, 60_000]);
    set.resume();
    assert_eq!(set.ms()[0], 30_000, "no delay on top");
    plays(&mut set, 1_000);
    assert_eq!(set.ms()[0], 29_000);
    course.adjust([-10_000, 0]);
    course.resume();
    assert_eq!(course.ms()[0], 53_000);
    plays(&mut course, 2_000);
    assert_eq!(course.ms()[0], 50_000, "4 s of 5 used");
}

#[test]
fn rule_36_a_period_by_count_comes_with_the_last_move_of_the_one_before() {
    let control = periods(40, PeriodsAt::Moves, &[(0, 30 * MINUTE, 30_000)]);
    let nearly = |used: u64| {
        let mut course = begun(&control);
        for _ in 0..39 {
            plays(&mut course, 1_000);
            plays(&mut course, 1_000);
        }
        assert_eq!((course.moves(), course.period(First)), ([39, 39], 1));
        course.set([10_000, 60_000]);
        course.after_press(used)
    };
    let pressed = nearly(5_000);
    assert_eq!((pressed.ms()[0], pressed.period(First), pressed.period(Second)), (1_835_000, 2, 1));
    let late = nearly(10_000);
    assert_eq!((late.ms()[0], late.flag(), late.period(First)), (0, Some(First), 1), "no 30 minutes");
}

#[test]
fn the_increment_is_that_of_the_period_completed_or_of_the_one_that_begins() {
    let control = periods(1, PeriodsAt::Moves, &[(1, 10_000, 7_000), (1, 20_000, 3_000)]);
    let mut course = begun(&control);
    let before = course.ms()[0];
    plays(&mut course, 0);
    assert_eq!(course.ms()[0] - before, 30_000 + 10_000);
    plays(&mut course, 0);
    plays(&mut course, 0);
    assert_eq!(course.ms()[0] - before, 30_000 + 10_000 + 7_000 + 20_000);
    plays(&mut course, 0);
    let third = course.ms()[0];
    plays(&mut course, 0);
    assert_eq!(course.ms()[0] - third, 3_000, "the last one has no end");
    let first = TimeControl { increment_on_first_move: true, ..control };
    let mut course = begun(&first);
    let before = course.ms()[0];
    plays(&mut course, 0);
    assert_eq!(course.ms()[0] - before, 7_000 + 10_000);
    let again = TimeControl { repeat: true, ..control };
    let mut course = begun(&again);
    for _ in 0..2 {
        plays(&mut course, 0);
        plays(&mut course, 0);
    }
    for _ in 0..5 {
        let before = course.ms()[0];
        plays(&mut course, 0);
        plays(&mut course, 0);
        assert_eq!(course.ms()[0] - before, 3_000 + 20_000);
    }
}

#[test]
fn moves_already_made_say_which_period_it_is() {
    let control = TimeControl {
        repeat: true,
        ..periods(40, PeriodsAt::Moves, &[(20, 30 * MINUTE, 0), (10, 5 * MINUTE, 0)])
    };
    let all = Course::after(&TimeControl { moves: 1, ..control }, [1, 1], [u32::MAX, 0]);
    assert_eq!(all.period(First), (u32::MAX - 21) / 10 + 3, "and takes no time");
    for (moves, period) in [(0, 1), (39, 1), (40, 2), (59, 2), (60, 3), (69, 3), (70, 4), (80, 5)] {
        assert_eq!(Course::after(&control, [1, 1], [moves, 0]).period(First), period, "{moves}");
    }
}

#[test]
fn rule_37_a_period_at_zero_comes_for_both_in_the_same_instant() {
    let control = TimeControl {
        periods: Periods::of(&[Period { moves: 0, base_ms: 60 * MINUTE, increment_ms: 0 }]).unwrap(),
        periods_at: PeriodsAt::Zero,
        ..TimeControl::fischer(120 * MINUTE, 0)
    };
    let mut course = begun(&control);
    assert_eq!(course.falls_in(), Some(10_800_000));
    course.pass(7_199_999);
    assert_eq!(course.ms(), [1, 7_200_000]);
    course.pass(1);
    assert_eq!((course.ms(), course.flag()), ([3_600_000, 10_800_000], None));
    course.pass(3_599_999);
    assert_eq!(course.flag(), None);
    course.pass(1);
    assert_eq!(course.flag(), Some(First));
    let ever = TimeControl { repeat: true, ..control };
    let mut course = begun(&ever);
    assert_eq!(course.falls_in(), None);
    course.pass(86_400_000);
    assert_eq!((course.flag(), course.ms()[0]), (None, 3_600_000));
}

#[test]
fn rule_39_a_byo_yomi_turn_within_a_period_gives_it_back_whole() {
    let control = TimeControl { overtime_ms: 30_000, overtime_count: 3, ..of(Byoyomi, 0, 0) };
    for (used, left) in [(29_999, 90_000), (30_000, 60_000), (65_000, 30_000)] {
        assert_eq!(begun(&control).after_press(used).ms()[0], left, "{used}");
    }
    assert_eq!(begun(&control).after_press(90_000).flag(), Some(First));
    let main = TimeControl { base_ms: 4_000, ..control };
    assert_eq!(begun(&main).ms()[0], 94_000);
    assert_eq!(begun(&main).after_press(40_000).ms()[0], 60_000);
    assert_eq!(begun(&main).after_press(3_000).ms()[0], 91_000, "main time is kept as it is");
}

#[test]
fn rule_40_what_is_left_of_a_canadian_block_is_lost() {
    let control = TimeControl { overtime_ms: 5 * MINUTE, overtime_count: 10, ..of(Canadian, 60_000, 0) };
    let mut course = begun(&control);
    assert_eq!(course.ms()[0], 360_000);
    plays(&mut course, 85_000); // runs over: the first of the block
    for _ in 0..8 {
        plays(&mut course, 1_000);
        plays(&mut course, 25_000);
    }
    plays(&mut course, 1_000);
    assert_eq!(course.ms()[0], 300_000 - 225_000);
    plays(&mut course, 25_000);
    assert_eq!(course.ms()[0], 300_000, "0:50 is lost");
    // used up exactly, the next move is the first
    let mut exactly = begun(&control);
    plays(&mut exactly, 60_000);
    for _ in 0..9 {
        plays(&mut exactly, 1_000);
        plays(&mut exactly, 10_000);
    }
    plays(&mut exactly, 1_000);
    assert_eq!(exactly.ms()[0], 300_000 - 90_000);
    plays(&mut exactly, 10_000);
    assert_eq!(exactly.ms()[0], 300_000);
}

#[test]
fn rule_41_an_hourglass_gives_the_other_what_one_uses() {
    let mut course = begun(&of(Hourglass, 60_000, 0));
    course.pass(20_000);
    assert_eq!(course.ms(), [40_000, 80_000]);
    course.pass(40_000);
    assert_eq!((course.ms(), course.flag(), course.running()), ([0, 120_000], Some(First), None));
}

#[test]
fn a_time_for_each_move_a_gong_and_a_count_upwards() {
    let mut each = begun(&of(PerMove, 60_000, 0));
    plays(&mut each, 59_999);
    assert_eq!(each.ms(), [60_000, 60_000]);
    assert_eq!(begun(&of(PerMove, 60_000, 0)).after_press(60_000).flag(), Some(First));
    let mut gong = begun(&of(Gong, 10_000, 0));
    gong.pass(4_000);
    assert!(!gong.press(First));
    gong.pass(6_000);
    assert_eq!((gong.running(), gong.ms()), (Some(Second), [10_000, 10_000]));
    gong.pass(25_000);
    assert_eq!((gong.running(), gong.flag(), gong.falls_in()), (Some(Second), None, None));
    assert_eq!(gong.ms(), [10_000, 5_000]);
    let mut up = begun(&of(UpCount, 0, 15_000));
    plays(&mut up, 20_000);
    up.pass(5_000);
    assert_eq!((up.ms(), up.falls_in()), ([20_000, 5_000], None));
}

#[test]
fn time_odds_and_nothing_at_all() {
    let odds = TimeControl {
        first: Some(SideTimes { base_ms: 6 * MINUTE, increment_ms: 3_000 }),
        second: Some(SideTimes { base_ms: 4 * MINUTE, increment_ms: 0 }),
        ..TimeControl::fischer(50 * MINUTE, 15_000)
    };
    let mut course = begun(&odds);
    plays(&mut course, 1_000);
    plays(&mut course, 1_000);
    assert_eq!(course.ms(), [362_000, 239_000]);
    assert_eq!(begun(&TimeControl::fischer(0, 15_000)).flag(), Some(First));
    // a deduction below nothing falls when the side is to run
    let mut course = begun(&TimeControl::fischer(60_000, 0));
    course.stop();
    course.adjust([0, -70_000]);
    assert_eq!((course.flag(), course.ms()[1]), (None, -10_000));
    course.resume();
    plays(&mut course, 1_000);
    assert_eq!((course.flag(), course.ms()[1]), (Some(Second), -10_000));
}

#[test]
fn what_can_be_shown_next_and_what_cannot() {
    let course = begun(&TimeControl::fischer(60_000, 10_000));
    assert!(course.reaches([65_000, 60_000], 5_000, Some(First), 0));
    assert!(course.reaches([65_900, 60_000], 5_000, Some(First), 1_000));
    assert!(!course.reaches([55_000, 60_000], 5_000, Some(First), 1_000), "no increment");
    assert!(!course.reaches([65_000, 62_000], 5_000, Some(First), 1_000));
    assert!(course.reaches([0, 60_000], 90_000, None, 0));
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Fischer),
        Just(SuddenDeath),
        Just(Bronstein),
        Just(Delay),
        Just(Byoyomi),
        Just(Canadian),
        Just(Hourglass),
        Just(PerMove),
        Just(Gong),
        Just(UpCount),
    ]
}

proptest! {
    /// However a span of time is cut, the same is there at its end, and the flag falls when it was said to.
    #[test]
    fn time_passes_alike_however_it_is_cut(
        kind in any_kind(), base in 0_u32..60_000, increment in 0_u32..20_000, over in 0_u32..20_000,
        count in 0_u16..5, moves in 0_u16..4, last in 0_u32..30_000, below: bool, freeze: bool, zero: bool, repeat: bool,
        steps in proptest::collection::vec((0_u64..20_000, 0_u64..20_000), 1..30),
    ) {
        let control = TimeControl {
            overtime_ms: over, overtime_count: count, moves, repeat, freeze_on_flag: freeze,
            flag_at: if below { FlagAt::BelowZero } else { FlagAt::Zero },
            periods_at: if zero { PeriodsAt::Zero } else { PeriodsAt::Moves },
            periods: Periods::of(&[Period { moves, base_ms: last, increment_ms: increment / 2 }]).unwrap(),
            ..of(kind, base, increment)
        };
        let (mut whole, mut cut) = (begun(&control), begun(&control));
        for (one, other) in steps {
            let falls = whole.falls_in();
            whole.pass(one + other);
            cut.pass(one);
            cut.pass(other);
            prop_assert_eq!(&whole, &cut);
            let fell = falls.is_some_and(|in_ms| in_ms <= one + other);
            prop_assert!(!fell || whole.flag().is_some());
            if let Some(player) = whole.running() {
                let (before, flagged) = (whole.ms(), whole.flag().is_some());
                whole.press(player);
                cut.press(player);
                let given: i64 = whole.ms().iter().zip(before).map(|(now, was)| now - was).sum();
                prop_assert!(!flagged || given == 0, "nothing is given after a flag");
            }
        }
    }
}
