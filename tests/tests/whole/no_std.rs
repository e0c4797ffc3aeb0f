//! What runs on a clock needs neither std nor an allocator: a program linked without both plays a move.

use flagfall_tests::program::workspace;
use std::process::Command;

#[test]
fn a_program_without_std_and_alloc_plays_a_move() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--manifest-path",
            "tests/no_std/Cargo.toml",
            "--target-dir",
            "target/no_std",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo run");
    assert!(output.status.success(), "{:?}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
}
