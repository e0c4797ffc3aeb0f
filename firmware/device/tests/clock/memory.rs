//! The memory gives back what was written last, whatever the power did to what was being written.

use crate::flash::{Flash, SECTOR};
use flagfall_clock::{Encoding, Identity, Key};
use flagfall_device::memory::{Failed, Memory};
use flagfall_firmware::{Clock, Input, Saved, Settings};
use proptest::prelude::*;

/// A game some seconds old, so that each differs.
fn game(seconds: u64) -> Saved {
    let mut clock = Clock::new(Settings::new("A01".parse().unwrap(), 1), 0);
    clock.input(0, Input::StopButton { down: true });
    clock.poll(100);
    clock.saved(seconds * 1_000)
}

fn identity(name: &str) -> Identity {
    Identity {
        clock: name.parse().unwrap(),
        key: Some(Key::new(&[7; 33]).unwrap()),
        encoding: Encoding::Binary,
        trim_ppm: -28,
        sound: true,
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Keep,
    Later,
    Tend(u32),
    /// The power goes after so many further writes or erasures, in the middle of the next.
    Cut(u32, u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => Just(Step::Keep),
        12 => Just(Step::Later),
        2 => (0..6_u32).prop_map(Step::Tend),
        2 => (0..12_u32, any::<u64>()).prop_map(|(after, seed)| Step::Cut(after, seed)),
    ];
    proptest::collection::vec(step, 1..400)
}

proptest! {
    /// After a cut it holds the last thing that was written whole, or the one that was being written; never anything else.
    #[test]
    fn what_was_written_last_comes_back_after_any_cut(steps in steps(), sectors in 5..9_usize) {
        let flash = Flash::new(sectors);
        let (mut memory, found) = Memory::open(flash.clone()).unwrap();
        prop_assert!(found.boot == 0 && found.saved.is_none());
        let (mut boot, mut seconds) = (1, 0);
        // As written whole, and as it may be besides.
        let mut last: Option<(u32, (i64, i64))> = None;
        for step in steps {
            seconds += 1;
            let times = game(seconds).times();
            let (done, now): (Result<(), ()>, _) = match step {
                Step::Keep => (memory.keep(boot, Some(&game(seconds))).map_err(|_| ()), Some((boot, times))),
                Step::Later => match memory.later(times.0, times.1) {
                    Ok(true) => (Ok(()), Some((boot, times))),
                    Ok(false) => (Ok(()), last),
                    Err(_) => (Err(()), Some((boot, times))),
                },
                Step::Tend(ahead) => (memory.tend(ahead).map(|_| ()).map_err(|_| ()), last),
                Step::Cut(after, seed) => {
                    flash.cut_after(after, seed);
                    continue;
                }
            };
            if done.is_ok() {
                last = now;
                continue;
            }
            flash.power();
            let (fresh, found) = Memory::open(flash.clone()).unwrap();
            memory = fresh;
            let found = (found.boot > 0).then(|| (found.boot, found.saved.unwrap().times()));
            prop_assert!(found == last || found == now, "{found:?}: neither {last:?} nor {now:?}");
            last = found;
            boot += 1;
        }
    }
}

#[test]
fn every_sector_of_the_ring_wears_alike() {
    let flash = Flash::new(12);
    let (mut memory, _) = Memory::open(flash.clone()).unwrap();
    for seconds in 0..16 * 10 * 50 {
        memory.keep(1, Some(&game(seconds))).unwrap();
    }
    let erased = flash.0.borrow().erased.clone();
    assert!(erased[..10].iter().all(|times| (49..=51).contains(times)), "{erased:?}");
    assert_eq!(erased[10..], [0, 0], "the identity's sectors are never touched");
}

#[test]
fn a_name_stands_until_it_is_taken_away_and_boots_go_on_counting() {
    let flash = Flash::new(8);
    let (mut memory, _) = Memory::open(flash.clone()).unwrap();
    assert!(memory.identity().unwrap().is_none());
    assert!(memory.name(&identity("Tisch-7")).unwrap());
    memory.keep(41, Some(&game(3))).unwrap();
    let (mut memory, found) = Memory::open(flash.clone()).unwrap();
    let read = memory.identity().unwrap().unwrap();
    assert_eq!((read.clock.as_str(), read.trim_ppm, read.sound), ("Tisch-7", -28, true));
    assert_eq!((read.encoding, read.key.unwrap().bytes()), (Encoding::Binary, &[7; 33][..]));
    assert_eq!(found.boot, 41);
    memory.forget(41).unwrap();
    let (mut memory, found) = Memory::open(flash.clone()).unwrap();
    assert!(memory.identity().unwrap().is_none());
    assert!(found.boot == 41 && found.saved.is_none());
    let bytes = &flash.0.borrow().bytes;
    assert!(!bytes.windows(16).any(|window| window == [7; 16]), "the key is gone");
}

#[test]
fn a_name_that_was_cut_off_is_whole_or_none() {
    for after in 0..5 {
        for seed in 0..50 {
            let flash = Flash::new(8);
            let (mut memory, _) = Memory::open(flash.clone()).unwrap();
            flash.cut_after(after, seed);
            let done = memory.name(&identity("A01"));
            flash.power();
            let (mut memory, _) = Memory::open(flash).unwrap();
            let read = memory.identity().unwrap();
            assert!(done.is_err() || read.is_some());
            assert!(read.is_none_or(|read| read.clock.as_str() == "A01" && read.key.is_some()));
        }
    }
}

#[test]
fn a_memory_full_of_anything_is_no_game() {
    for seed in 0..200_u64 {
        let flash = Flash::new(6);
        let mut state = seed;
        for byte in &mut flash.0.borrow_mut().bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            *byte = (state >> 40) as u8;
        }
        let (mut memory, found) = Memory::open(flash.clone()).unwrap();
        assert!(found.boot == 0 && found.saved.is_none() && memory.identity().unwrap().is_none());
        memory.keep(1, Some(&game(5))).unwrap();
        assert_eq!(Memory::open(flash).unwrap().1.boot, 1);
    }
    assert_eq!(SECTOR % 256, 0);
}

#[test]
fn worn_sectors_are_passed_over_and_a_memory_of_worn_ones_says_so() {
    let flash = Flash::new(10);
    let (mut memory, _) = Memory::open(flash.clone()).unwrap();
    flash.0.borrow_mut().worn = vec![0, 2, 3];
    for seconds in 1..200 {
        memory.keep(seconds, Some(&game(u64::from(seconds)))).unwrap();
        let (_, found) = Memory::open(flash.clone()).unwrap();
        assert_eq!((found.boot, found.saved.unwrap().times()), (seconds, game(u64::from(seconds)).times()));
    }
    flash.0.borrow_mut().worn = (0..8).collect();
    let failed = (0..20).find_map(|_| memory.keep(7, Some(&game(3))).err());
    assert!(matches!(failed, Some(Failed::Worn)), "{failed:?}");
}
