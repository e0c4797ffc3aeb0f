//! The built firmware, and what of the chip it takes.

use super::Display;
use crate::program::workspace;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders and files that the firmware is made of, in the workspace.
const SOURCES: [&str; 9] = [
    "firmware/core/src",
    "firmware/core/Cargo.toml",
    "firmware/device/src",
    "firmware/device/Cargo.toml",
    "firmware/boards/pico/src",
    "firmware/boards/pico/Cargo.lock",
    "firmware/boards/pico/memory.x",
    "firmware/boards/pico/build",
    "protocol/clock/src",
];

/// The ELF that is flashed to a board with this display.
///
/// # Panics
/// If it was not built, or is older than anything it is made of: what is tested must be what is there to be read.
#[must_use]
pub fn firmware(display: Display) -> PathBuf {
    let name = if display == Display::Digits { "flagfall-pico-digits.elf" } else { "flagfall-pico.elf" };
    let path = workspace().join("firmware/boards/pico/out").join(name);
    let Some(built) = changed(&path) else {
        panic!("{} is not there: run firmware/boards/pico/build", path.display());
    };
    for source in SOURCES {
        let source = workspace().join(source);
        let (newest, when) = newest(&source);
        assert!(
            when <= built,
            "{} is older than {}: run firmware/boards/pico/build",
            path.display(),
            newest.display()
        );
    }
    path
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The file at or under a path that was changed last.
fn newest(path: &Path) -> (PathBuf, SystemTime) {
    let when = changed(path).unwrap_or_else(|| panic!("{} is not there", path.display()));
    if path.is_file() {
        return (path.into(), when);
    }
    let inside =
        std::fs::read_dir(path).expect("a folder").map(|entry| newest(&entry.expect("an entry").path()));
    inside.max_by_key(|(_, when)| *when).unwrap_or((path.into(), SystemTime::UNIX_EPOCH))
}

/// What of the chip a program takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// From the flash's begin to the last byte of the program.
    pub flash: u32,
    /// What is fixed in RAM: variables, and code that runs from there.
    pub fixed: u32,
    /// What is left to the stack.
    pub stack: u32,
}

/// Where an RP2040 has its flash and its RAM.
const FLASH: u32 = 0x1000_0000;
const RAM: u32 = 0x2000_0000;
const RAM_END: u32 = 0x2004_2000;

/// Reads what a program takes out of its ELF.
///
/// # Panics
/// If it is no ELF for the chip.
#[must_use]
pub fn sizes(elf: &Path) -> Sizes {
    let bytes = std::fs::read(elf).expect("it can be read");
    assert_eq!(bytes[..6], *b"\x7fELF\x01\x01", "a program of 32 bits, low bytes first");
    let half = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"));
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let (first, size, count) = (word(28) as usize, usize::from(half(42)), usize::from(half(44)));
    let (mut flash, mut ram_from, mut ram_to) = (0, RAM_END, RAM);
    for header in (0..count).map(|number| first + number * size) {
        // Type, offset, address in use, address in the flash, bytes in the file, bytes in use.
        let [kind, _, at, lies, filed, used] = std::array::from_fn(|number| word(header + number * 4));
        if kind != 1 {
            continue;
        }
        if filed > 0 {
            flash = flash.max(lies + filed - FLASH);
        }
        if (RAM..RAM_END).contains(&at) && used > 0 {
            (ram_from, ram_to) = (ram_from.min(at), ram_to.max(at + used));
        }
    }
    // The stack begins where the table of vectors says, after the boot loader's 256 bytes, and grows down to the begin of
    // the RAM.
    let table = (0..count).map(|number| first + number * size).find_map(|header| {
        let (offset, lies, filed) = (word(header + 4), word(header + 12), word(header + 16));
        let vectors = FLASH + 0x100;
        (word(header) == 1 && lies <= vectors && vectors < lies + filed).then(|| offset + vectors - lies)
    });
    let top = word(table.expect("a table of vectors") as usize);
    assert!(top <= ram_from, "the stack lies below all that is fixed, so that it can run over nothing");
    Sizes { flash, fixed: ram_to - ram_from, stack: top - RAM }
}
