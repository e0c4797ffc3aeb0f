//! The power may go at any instant: nothing that was said is lost, and of what was not, a second at most.

use crate::board::{Bench, LEFT, RIGHT, STOP};
use crate::flash::Flash;
use crate::line::identity;
use flagfall_clock::{Accept, By, ClockEvent, Encoding, Lexer, Message, Side};
use flagfall_device::memory::Memory;
use std::cell::RefCell;

/// When the first byte of a report goes out, the memory already holds the game of which it tells.
#[test]
fn the_game_is_in_memory_before_anything_is_said_of_it() {
    let mut bench = Bench::new(Flash::new(10));
    bench.name(identity(None, Encoding::Json));
    bench.said();
    bench.takes = 1_000;
    let flash = bench.flash.clone();
    let (lexer, seen) = (RefCell::new(Lexer::<1024>::new()), RefCell::new(0_u32));
    let seen = std::rc::Rc::new(seen);
    let counted = seen.clone();
    *bench.table.watches.borrow_mut() = Some(Box::new(move |mut bytes: &[u8]| {
        let Some(Ok(received)) = lexer.borrow_mut().next(&mut bytes, &Accept::CHECKED) else { return };
        let Message::Report(report) = received.message else { return };
        let (_, found) = Memory::open(flash.clone()).unwrap();
        let saved = found.saved.unwrap();
        let clock = flagfall_firmware::Clock::restored(
            flagfall_firmware::Settings::new("A01".parse().unwrap(), 9),
            saved,
            0,
        );
        for side in [Side::Left, Side::Right] {
            assert!(clock.presses(side) >= report.presses(side), "{report:?}");
        }
        *counted.borrow_mut() += 1;
    }));
    bench.press(STOP);
    for side in [LEFT, RIGHT].into_iter().cycle().take(60) {
        bench.run_ms(700);
        bench.press(side);
    }
    assert!(*seen.borrow() > 60);
}

/// 1,000 cuts in the middle of writes and erasures of a memory so small that it goes round all the time.
#[test]
fn a_thousand_cuts_lose_no_press_that_was_said_and_a_second_at_most() {
    let mut bench = Bench::new(Flash::new(6));
    bench.name(identity(None, Encoding::Binary));
    let mut chance = 7_u64;
    let mut next = move |below: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % below
    };
    let (mut boot, mut most) = (2, 0);
    for round in 0..1_000 {
        bench.said();
        bench.takes = if round % 2 == 0 { 32 } else { 1_000 };
        // The start button lets a clock run on that stands after a cut.
        bench.press(STOP);
        assert!(bench.clock().running().is_some(), "{round}");
        *bench.table.flash.borrow_mut() = Some(bench.flash.clone());
        bench.flash.cut_after(next(30) as u32, next(u64::MAX));
        while !bench.table.is_dead() {
            match (next(20), bench.clock().running()) {
                (0, Some(Side::Left)) => bench.press(LEFT),
                (0, _) => bench.press(RIGHT),
                _ => bench.run(50_000 + next(1_000) as u32),
            }
        }
        let running = bench.clock().running();
        let had = [Side::Left, Side::Right].map(|side| (side, bench.has(side)));
        let said = bench.reports(&Accept::CHECKED);
        bench.flash.power();
        bench = Bench::new(bench.flash.clone());
        bench.run_ms(300);
        let first = bench.reports(&Accept::CHECKED).remove(0);
        assert!(
            matches!(&first.event, Some(ClockEvent::Boot(about)) if about.restored),
            "{round}: {first:?}"
        );
        assert!(first.boot > boot && first.running.is_none(), "{round}: {first:?}");
        assert_eq!(first.stopped_by, Some(By::Power), "{round}");
        boot = first.boot;
        if let Some(last) = said.last() {
            assert!(first.left_presses >= last.left_presses, "{round}: {last:?} {first:?}");
            assert!(first.right_presses >= last.right_presses, "{round}: {last:?} {first:?}");
        }
        // Where the cut came before a press was in memory, it was not said, and its side has not been given anything.
        if said.last().is_some_and(|last| {
            (last.left_presses, last.right_presses) == (first.left_presses, first.right_presses)
        }) && let Some(running) = running
            && bench.presses() == (first.left_presses, first.right_presses)
            && said.last().is_some_and(|last| last.running == Some(running))
        {
            for (side, had) in had {
                let lost = first.ms(side) - had;
                let may = if side == running { 1_000 } else { 0 };
                assert!((0..=may).contains(&lost), "{round}: {side:?} had {had}, has {}", first.ms(side));
                most = most.max(lost);
            }
        }
    }
    assert!(most > 300, "the most that was lost is {most} ms: the cuts come too early to show anything");
    println!("1,000 cuts: at most {most} ms of the running side");
}
