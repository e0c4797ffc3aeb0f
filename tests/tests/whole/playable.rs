//! What the regulations find contradictory and what a clock refuses were written apart: they must be the same controls.

use flagfall_clock::{Kind, Period, Periods, PeriodsAt, SideTimes};
use flagfall_firmware::Setup;
use flagfall_rules::Regulations;

const DAY: u32 = 86_400_000;

fn periods(of: &[(u16, u32)]) -> Periods {
    let all: Vec<Period> = of
        .iter()
        .map(|(moves, base_ms)| Period { moves: *moves, base_ms: *base_ms, increment_ms: 5 })
        .collect();
    Periods::of(&all).expect("at most four")
}

#[test]
fn a_control_without_contradictions_is_one_that_a_clock_plays_and_no_other() {
    let lists = [
        periods(&[]),
        periods(&[(0, 1)]),
        periods(&[(20, 1)]),
        periods(&[(0, 1), (20, 1)]),
        periods(&[(20, 1), (0, 1)]),
        periods(&[(20, DAY), (20, DAY), (20, DAY)]),
        periods(&[(20, DAY), (20, DAY), (20, DAY), (20, DAY)]),
    ];
    let seconds = [None, Some(SideTimes { base_ms: 0, increment_ms: 0 })];
    let (mut played, mut refused) = (0, 0);
    for kind in Kind::ALL {
        for base_ms in [0, 60_000, DAY] {
            for (overtime_ms, overtime_count) in
                [(0, 0), (30_000, 0), (0, 3), (30_000, 3), (DAY, 3), (DAY, 5), (DAY, 1_000)]
            {
                for list in lists {
                    for second in seconds {
                        for bits in 0..8_u8 {
                            let regulations = Regulations {
                                kind,
                                base_ms,
                                overtime_ms,
                                overtime_count,
                                periods: list,
                                second,
                                moves: if bits & 1 == 0 { 0 } else { 40 },
                                repeat: bits & 2 != 0,
                                periods_at: if bits & 4 == 0 { PeriodsAt::Moves } else { PeriodsAt::Zero },
                                // a flag that confirms itself is no matter of the clock's
                                automatic: Vec::new(),
                                ..Regulations::default()
                            };
                            let control = regulations.time_control();
                            let plays = Setup { control, ..Setup::default() }.in_range();
                            let said = regulations.contradictions();
                            assert_eq!(plays, said.is_empty(), "{control:?}: {said:?}");
                            if plays { played += 1 } else { refused += 1 }
                        }
                    }
                }
            }
        }
    }
    assert!(played > 1_000 && refused > 1_000, "both are met: {played} and {refused}");
}
