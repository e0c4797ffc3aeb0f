//! Every scenario of the repository holds in virtual time; one of them plays alike over every kind of line.

use flagfall_tests::broker::{Broker, free_port};
use flagfall_tests::hall::Hall;
use flagfall_tests::http;
use flagfall_tests::program::{Ended, flagfall, program};
use flagfall_tests::until::SOON;
use rstest::rstest;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// `event.toml` has nine rounds; it is rehearsed once, alone.
const LONG: &str = "event.toml";
/// As long, and rehearsed by `event_day` with many seeds.
const EVENT_DAY: &str = "event-day.toml";

fn rehearse(scenario: &Path, seed: Option<u64>) -> Ended {
    let seed = seed.map(|seed| seed.to_string());
    let mut arguments = vec!["rehearse", scenario.to_str().expect("a path")];
    if let Some(seed) = &seed {
        arguments.extend(["--seed", seed]);
    }
    flagfall(&arguments)
}

fn holds(scenario: &Path, seed: Option<u64>) {
    let ended = rehearse(scenario, seed);
    assert_eq!(ended.code, 0, "{}, seed {seed:?}:\n{}{}", scenario.display(), ended.stdout, ended.stderr);
    let checked = ended.stdout.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(checked > 0, "{} expects nothing:\n{}", scenario.display(), ended.stdout);
}

fn scenarios() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(Hall::of_workspace("scenarios")).expect("scenarios/");
    let mut files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files
}

#[test]
fn every_scenario_holds() {
    for scenario in scenarios().iter().filter(|file| !file.ends_with(LONG) && !file.ends_with(EVENT_DAY)) {
        holds(scenario, None);
    }
}

#[test]
fn a_whole_event_of_nine_rounds_holds() {
    holds(&Hall::of_workspace("scenarios").join(LONG), None);
}

#[rstest]
fn an_ordinary_day_holds_whatever_chance_does(#[values(2, 3, 4, 5, 6)] seed: u64) {
    holds(&Hall::of_workspace("scenarios/ordinary-day.toml"), Some(seed));
}

#[test]
fn the_same_seed_gives_the_same_hall() {
    let day = Hall::of_workspace("scenarios/ordinary-day-offences.toml");
    let lines = |ended: Ended| -> Vec<String> {
        let decided =
            ended.stdout.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
        decided.map(str::to_owned).collect()
    };
    let first = lines(rehearse(&day, Some(11)));
    assert!(!first.is_empty());
    assert_eq!(first, lines(rehearse(&day, Some(11))));
    assert_ne!(first, lines(rehearse(&day, Some(12))), "another seed is another day");
}

#[test]
fn an_expectation_that_fails_is_exit_1_and_a_broken_scenario_64() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.toml");
    let right = std::fs::read_to_string(Hall::of_workspace("scenarios/one-flag.toml")).expect("a scenario");
    std::fs::write(&file, right.replace("offender = \"first\"", "offender = \"second\""))
        .expect("a scenario");
    assert_eq!(rehearse(&file, None).code, 1);
    std::fs::write(&file, right.replace("boards = 1", "bords = 1")).expect("a scenario");
    let ended = rehearse(&file, None);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(ended.stderr.contains("bords") && ended.stderr.contains("wrong.toml"), "{}", ended.stderr);
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What was decided: round and board, kind, article, offender, effect, state.
fn decided(stdout: &str) -> Vec<String> {
    let lines = stdout.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    lines.map(str::to_owned).collect()
}

#[rstest]
#[case::ptys("--pty")]
#[case::broker("--mqtt")]
#[case::tcp("--tcp")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_scenario_gives_the_same_rulings_live(#[case] lines: &str) {
    let scenario = Hall::of_workspace("tests/scenarios/quick.toml");
    let rehearsed = rehearse(&scenario, None);
    assert_eq!(rehearsed.code, 0, "{}", rehearsed.stdout);
    let wanted = decided(&rehearsed.stdout);
    assert_eq!(wanted.len(), 4, "{}", rehearsed.stdout);

    let folder = tempfile::tempdir().expect("a folder");
    let broker = (lines == "--mqtt").then(Broker::start);
    let to = match (lines, &broker) {
        ("--pty", _) => folder.path().join("lines").display().to_string(),
        (_, Some(broker)) => format!("mqtt://127.0.0.1:{}", broker.port),
        _ => format!("127.0.0.1:{}", free_port()),
    };
    let port = free_port();
    // SHA-256 of `secret`.
    let user = "people:chief:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    let venue = Command::new(program("flagfall-sim"))
        .arg("venue")
        .arg(&scenario)
        .args([lines, &to, "--user", user, "--listen", &format!("127.0.0.1:{port}"), "--journal"])
        .arg(folder.path().join("hall.journal"))
        .output()
        .expect("flagfall-sim starts");
    assert!(venue.status.success(), "{}", String::from_utf8_lossy(&venue.stderr));
    let file = folder.path().join("venue.toml");
    std::fs::write(&file, &venue.stdout).expect("a venue");
    let log = std::fs::File::create(folder.path().join("log")).expect("a log");
    let daemon = Command::new(program("flagfall"))
        .args(["serve", "--config"])
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn();
    let mut daemon = Killed(daemon.expect("the daemon starts"));
    let said = || std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    let end = Instant::now() + SOON;
    while http::get(port, "/healthz", None).await.is_none() {
        assert!(Instant::now() < end && daemon.0.try_wait().is_ok_and(|ended| ended.is_none()), "{}", said());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let played = tokio::process::Command::new(program("flagfall-sim"))
        .arg("run")
        .arg(&scenario)
        .args([lines, &to, "--desk", &format!("http://127.0.0.1:{port}"), "--token", "secret"])
        .kill_on_drop(true)
        .output()
        .await
        .expect("flagfall-sim starts");
    let (out, errors) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert_eq!(decided(&out), wanted, "{out}{errors}\n{}", said());
    assert!(played.status.success(), "{out}{errors}\n{}", said());
}
