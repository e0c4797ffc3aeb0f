//! A game over a power cut (field fault B2.25, B6.64: no time given, none taken).

use crate::bench::{BASE, Bench, LEFT, RIGHT, settings};
use flagfall_clock::{Action, By, ClockEvent, FlagAt, SideTimes, StopButton, TimeControl};
use flagfall_firmware::{Clock, Saved, SavedError, Settings, Setup};
use proptest::prelude::*;

const LENGTH: usize = 160;

fn after_a_cut(bench: &Bench) -> Bench {
    let saved = Saved::from_bytes(&bench.clock.saved(bench.now).to_bytes()).expect("what was saved");
    Bench::on(Clock::restored(Settings { boot: 4, ..settings() }, saved, 20))
}

#[test]
fn the_side_that_ran_stands_and_runs_on_when_somebody_says_so() {
    let mut bench = Bench::new();
    bench.button(0);
    bench.press(20_000, LEFT);
    bench.run_to(25_000);
    let mut bench = after_a_cut(&bench);
    let boot = &bench.reports[0];
    let Some(ClockEvent::Boot(about)) = &boot.event else { panic!("{boot:?}") };
    assert!(about.restored);
    assert_eq!((boot.boot, boot.seq, boot.uptime_ms), (4, 1, 20));
    assert_eq!((boot.left_ms, boot.right_ms), (BASE - 5_000, BASE - 5_000));
    assert_eq!((boot.running, boot.stopped_by, boot.left_presses), (None, Some(By::Power), 1));
    bench.run_to(600_000);
    assert_eq!(bench.times(), (BASE - 5_000, BASE - 5_000));
    bench.button(601_000);
    assert_eq!(bench.clock.running(), Some(RIGHT));
}

#[test]
fn a_flag_an_end_and_a_stop_come_back_as_they_were() {
    let mut fallen = Bench::under(TimeControl::fischer(5_000, 0));
    fallen.button(0);
    fallen.run_to(9_000);
    let mut fallen = after_a_cut(&fallen);
    assert_eq!((fallen.clock.flag(), fallen.times()), (Some(LEFT), (0, 5_000)));
    fallen.button(1_000);
    assert_eq!(fallen.clock.running(), None);

    let mut over = Bench::new();
    over.button(0);
    over.hold(1_000, LEFT);
    over.hold(1_000, RIGHT);
    over.run_to(3_500);
    let mut over = after_a_cut(&over);
    assert!(over.clock.is_over());
    over.button(1_000);
    assert_eq!(over.clock.running(), None);

    let mut stopped = Bench::new();
    stopped.button(0);
    stopped.key(1_000, 100);
    let stopped = after_a_cut(&stopped);
    assert_eq!(stopped.reports[0].stopped_by, Some(By::ArbiterKey));
}

#[test]
fn a_clock_that_was_as_new_comes_back_as_new_with_its_number_and_setup() {
    let mut bench = Bench::new();
    let time_control = TimeControl {
        increment_on_first_move: true,
        flag_at: FlagAt::BelowZero,
        freeze_on_flag: false,
        second: Some(SideTimes { base_ms: 7, increment_ms: 8 }),
        ..TimeControl::fischer(600_000, 5_000)
    };
    let setup = Setup { control: time_control, first_side: RIGHT, stop_button: StopButton::EndOnly };
    let Setup { first_side, stop_button, .. } = setup;
    bench.command(0, Action::Configure { time_control, first_side, stop_button }).unwrap();
    bench.command(100, Action::Show { number: 48 }).unwrap();
    let bench = after_a_cut(&bench);
    assert_eq!(bench.clock.setup(), &setup);
    assert!(bench.clock.is_idle());
    assert_eq!((bench.times(), bench.clock.display(20).number), ((15, 605_000), Some(48)));
}

#[test]
fn nothing_saved_is_told_from_something_damaged() {
    let bytes = Bench::new().clock.saved(0).to_bytes();
    assert_eq!(Saved::from_bytes(&[]), Err(SavedError::Layout));
    assert_eq!(Saved::from_bytes(&[0xff; LENGTH]), Err(SavedError::Layout), "erased flash");
    assert_eq!(Saved::from_bytes(&[0; LENGTH]), Err(SavedError::Layout));
    for bit in 8..LENGTH * 8 {
        let mut damaged = bytes;
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Saved::from_bytes(&damaged), Err(SavedError::Check), "bit {bit}");
    }
}

proptest! {
    #[test]
    fn what_is_saved_comes_back(left in -1_000_000_i64..1_000_000, right in -1_000_000_i64..1_000_000, moves in 0..9_u64) {
        let mut bench = Bench::new();
        bench.command(0, Action::Adjust { left_delta_ms: left, right_delta_ms: right }).unwrap();
        bench.button(200);
        for move_ in 0..moves {
            bench.press(1_000 + move_ * 1_000, if move_ % 2 == 0 { LEFT } else { RIGHT });
        }
        let saved = bench.clock.saved(bench.now);
        prop_assert_eq!(Saved::from_bytes(&saved.to_bytes()), Ok(saved));
        let again = Clock::restored(settings(), saved, 0);
        prop_assert_eq!((again.remaining_ms(LEFT, 0), again.remaining_ms(RIGHT, 0)), bench.times());
    }
}

/// Every byte that is a name or a yes or no: what no clock writes there is refused, though the check fits.
#[test]
fn a_name_or_a_yes_or_no_that_no_clock_writes_is_refused() {
    let kept = Bench::new().clock.saved(0).to_bytes();
    for place in [1, 2, 11, 20].into_iter().chain(29..35).chain(88..95) {
        for value in [10, 0xee] {
            let mut bytes = kept;
            bytes[place] = value;
            let check = flagfall_clock::crc32(&bytes[..LENGTH - 4]).to_le_bytes();
            bytes[LENGTH - 4..].copy_from_slice(&check);
            assert_eq!(Saved::from_bytes(&bytes), Err(SavedError::Value), "{value} in the place {place}");
        }
    }
}
