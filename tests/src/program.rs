//! The built programs, found beside the test itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The path of a program of this workspace.
///
/// # Panics
/// If it was not built: cargo builds a program for the tests of its own package only.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("tests lie in target/PROFILE/deps");
    let path = folder.join(name);
    assert!(
        path.is_file(),
        "{} is not there: run `cargo build --workspace --bins` first, or `tests/run`, which does",
        path.display()
    );
    path
}

/// The root of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace").to_owned()
}

/// How a program ended, and what it said.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its exit code; -1 where a signal ended it.
    pub code: i32,
    /// Its answer.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs `flagfall` to its end.
///
/// # Panics
/// If it cannot be started.
#[must_use]
pub fn flagfall(arguments: &[&str]) -> Ended {
    let mut command = Command::new(program("flagfall"));
    command.args(arguments).current_dir(workspace()).env_remove("RUST_LOG");
    command.output().expect("flagfall starts").into()
}
