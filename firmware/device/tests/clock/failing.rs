//! A part that fails takes nothing from the game.

use crate::board::{Bench, LEFT, RIGHT, STOP};
use crate::flash::Flash;
use crate::line::identity;
use flagfall_clock::{Accept, ClockEvent, Encoding, Identity, Provision, ProvisionError, Side};
use flagfall_device::memory::Memory;

#[test]
fn a_display_that_is_not_there_is_left_alone_and_tried_again() {
    let mut bench = Bench::new(Flash::new(10));
    bench.run_ms(500);
    bench.table.screen_fails.set(true);
    let before = bench.table.slices.get();
    bench.press(STOP);
    bench.run_ms(10_000);
    let tried = bench.table.slices.get() - before;
    assert!((4..=6).contains(&tried), "{tried} times in 10 s");
    assert_eq!(bench.clock().running(), Some(Side::Left));
    bench.table.screen_fails.set(false);
    bench.run_ms(3_000);
    assert!(bench.table.slices.get() > before + tried, "it is shown again");
}

#[test]
fn a_memory_that_takes_nothing_leaves_the_game_as_it_is() {
    let mut bench = Bench::new(Flash::new(10));
    bench.name(identity(None, Encoding::Json));
    bench.said();
    bench.flash.cut_after(0, 5);
    bench.press(STOP);
    bench.press(LEFT);
    bench.run_ms(5_000);
    let reports = bench.reports(&Accept::CHECKED);
    assert!(reports.iter().any(|report| report.event == Some(ClockEvent::Press { side: Side::Left })));
    assert_eq!(bench.clock().running(), Some(Side::Right));
}

/// More edges than the interrupt can keep: the contacts count as they stand.
#[test]
fn where_edges_are_lost_the_contacts_count_as_they_stand() {
    let mut bench = Bench::new(Flash::new(10));
    bench.run_ms(500);
    bench.press(STOP);
    for edge in 0..201 {
        bench.set(LEFT, edge % 2 == 0);
    }
    bench.run_ms(200);
    assert_eq!(bench.clock().presses(Side::Left), 1, "it stayed closed");
    bench.set(LEFT, false);
    bench.run_ms(200);
    bench.press(RIGHT);
    assert_eq!(bench.clock().presses(Side::Right), 1);
}

#[test]
fn a_battery_that_runs_down_is_told_and_one_that_cannot_be_measured_is_not() {
    let mut bench = Bench::new(Flash::new(10));
    bench.name(identity(None, Encoding::Json));
    bench.table.millivolts.set(Some(4_100));
    bench.run_ms(12_000);
    bench.table.millivolts.set(Some(3_200));
    bench.run_ms(12_000);
    bench.table.millivolts.set(None);
    bench.run_ms(12_000);
    let reports = bench.reports(&Accept::CHECKED);
    let low = reports.iter().filter(|report| report.event == Some(ClockEvent::BatteryLow)).count();
    assert_eq!(low, 1);
    assert_eq!(reports[0].battery_pct, None);
    assert_eq!(reports.last().unwrap().battery_pct, Some(5), "as last measured");
}

#[test]
fn it_sounds_at_a_flag_only_where_it_may() {
    for sound in [true, false] {
        let mut bench = Bench::new(Flash::new(10));
        bench.name(Identity { sound, ..identity(None, Encoding::Json) });
        bench.press(STOP);
        // 50:00 pass.
        for _ in 0..2_999 {
            bench.run_ms(1_000);
        }
        assert!(!bench.table.pins.borrow()[2]);
        bench.run_ms(1_500);
        assert_eq!(bench.clock().flag(), Some(Side::Left));
        assert_eq!(*bench.table.pins.borrow(), [false, false, sound]);
        bench.run_ms(2_500);
        assert!(!bench.table.pins.borrow()[2]);
    }
}

/// A memory that does not keep a name has not lost the game for it.
#[test]
fn a_name_that_is_not_kept_costs_no_game() {
    let mut bench = Bench::new(Flash::new(10));
    bench.press(STOP);
    bench.press(LEFT);
    bench.press(STOP);
    bench.flash.0.borrow_mut().worn = vec![8, 9];
    let said = bench.provision(&Provision::Be(identity(None, Encoding::Json)));
    assert_eq!(said, Err(ProvisionError::Memory));
    bench.run_ms(1_000);
    let (_, found) = Memory::open(bench.flash.clone()).unwrap();
    assert!(found.saved.is_some(), "it plays on as it did");
}
