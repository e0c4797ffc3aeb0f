//! What of the chip the clock takes, so that it fits smaller ones than a Pico's.

use flagfall_tests::pico::{Display, firmware, sizes};
use flagfall_tests::program::workspace;
use sha2::{Digest, Sha256};
use std::process::Command;

#[test]
fn it_fits_64_kib_of_flash_and_16_of_ram() {
    for display in [Display::Oled, Display::Digits] {
        let sizes = sizes(&firmware(display));
        let ram = sizes.fixed + sizes.stack;
        println!(
            "{display:?}: flash {} bytes, RAM {ram} bytes ({} fixed, {} stack)",
            sizes.flash, sizes.fixed, sizes.stack
        );
        assert!(sizes.flash < 65_536, "{display:?}: {} bytes of flash", sizes.flash);
        assert!(ram < 16_384, "{display:?}: {ram} bytes of RAM");
    }
}

/// What was built, as it is compared by hand: `sha256sum out/*`.
fn sums() -> Vec<String> {
    let names =
        ["flagfall-pico.elf", "flagfall-pico.uf2", "flagfall-pico-digits.elf", "flagfall-pico-digits.uf2"];
    let sum = |name: &str| {
        let bytes =
            std::fs::read(workspace().join("firmware/boards/pico/out").join(name)).expect("it was built");
        let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{sum}  {name}")
    };
    names.map(sum).into()
}

/// Minutes long, so only when asked for. The path of the sources is in the names of crates (docs/hardware/flashing.md), so it
/// is the same here.
#[test]
#[ignore = "builds the firmware anew, in another target folder"]
fn the_same_sources_make_the_same_bytes() {
    let _ = firmware(Display::Oled);
    let before = sums();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let build = workspace().join("firmware/boards/pico/build");
    let built = Command::new(build).env("CARGO_TARGET_DIR", elsewhere.path()).status().expect("it starts");
    assert!(built.success());
    println!("{}", before.join("\n"));
    assert_eq!(sums(), before);
}
