//! Files of regulations from outside: what is built in is right, what is wrong is named by file, line and key, and the
//! desk hears what is in force.

use flagfall_tests::desk::hello;
use flagfall_tests::hall::{Plan, token};
use flagfall_tests::program::{Ended, flagfall};
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

/// A venue beside a file of regulations.
fn venue(event: &str, own: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("venue.toml");
    let plan = Plan { event: event.to_owned(), broker: false, ..Plan::default() };
    std::fs::write(&file, plan.venue(flagfall_tests::broker::free_port(), None)).expect("a venue");
    std::fs::write(folder.path().join("own.toml"), own).expect("regulations");
    (folder, file.to_str().expect("a path").to_owned())
}

fn names() -> Vec<String> {
    let ended = flagfall(&["regulations"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    ended.stdout.lines().filter_map(|line| line.split(' ').next()).map(ToOwned::to_owned).collect()
}

#[test]
fn each_set_that_is_built_in_goes_through_check_and_can_be_printed_and_used_as_a_file() {
    let names = names();
    assert!(names.len() >= 15 && names.iter().any(|name| name == "fide-rapid"), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("2020")), "there is no text of those: {names:?}");
    for name in names {
        let (_folder, file) = venue(&format!("regulations = \"{name}\""), "");
        let built_in = flagfall(&["check", &file]);
        assert_eq!(built_in.code, 0, "{name}: {built_in:?}");
        assert!(built_in.stdout.contains(&format!("regulations {name}\n")), "{}", built_in.stdout);
        assert!(built_in.stdout.contains(&format!("{name} (built in)")), "{}", built_in.stdout);
        assert!(!built_in.stdout.contains("regulations."), "no doubts: {}", built_in.stdout);
        assert_eq!(flagfall(&["check", &file, "--readings"]).code, 0, "{name}");

        let printed = flagfall(&["regulations", &name]);
        let (_folder, file) = venue("regulations = \"own.toml\"", &printed.stdout);
        let copied = flagfall(&["check", &file]);
        assert_eq!(copied.code, 0, "{name}: {copied:?}");
        // the same values, from elsewhere
        let values = |ended: &Ended| -> Vec<String> {
            let lines = ended.stdout.lines().skip_while(|line| !line.starts_with("regulations "));
            let lines = lines.skip(1).take_while(|line| !line.is_empty());
            lines.map(|line| line.get(..50).unwrap_or(line).to_owned()).collect()
        };
        assert_eq!(values(&copied), values(&built_in), "{name}");
    }
}

#[rstest]
#[case::misspelt("base_ms = 60000\nincremet_ms = 5\n", "own.toml:2: incremet_ms", "`increment_ms`")]
#[case::nested("[early_press]\nfoul = 1\nlooses_at = 2\n", "own.toml:3: early_press.looses_at", "`loses_at`")]
#[case::range("base_ms = 86400001\n", "own.toml:1: base_ms", "0 to 86400000")]
#[case::kind("\nbase_ms = \"an hour\"\n", "own.toml:2: base_ms", "a whole number")]
#[case::contradiction("kind = \"byoyomi\"\novertime_ms = 30000\n", "own.toml:1: overtime_count", "byoyomi")]
#[case::based_on("based_on = \"fide-blits\"\n", "own.toml:1: based_on", "`fide-blitz`")]
fn what_is_wrong_in_a_file_of_regulations_is_named_by_check_and_serve(
    #[case] own: &str,
    #[case] place: &str,
    #[case] hint: &str,
) {
    let (folder, file) = venue("regulations = \"own.toml\"", own);
    for arguments in [vec!["check", &file], vec!["serve", "--config", &file]] {
        let ended = flagfall(&arguments);
        assert_eq!(ended.code, 64, "{arguments:?}: {ended:?}");
        assert!(ended.stderr.contains(place), "{place} is not named:\n{}", ended.stderr);
        assert!(ended.stderr.contains(hint), "{hint} is not said:\n{}", ended.stderr);
    }
    assert!(!folder.path().join("hall.journal").exists(), "nothing was begun");
}

#[test]
fn a_set_that_is_not_built_in_is_refused_with_the_nearest() {
    let ended = flagfall(&["regulations", "fide-blits"]);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(ended.stderr.contains("fide-blitz"), "{}", ended.stderr);
    assert_eq!(flagfall(&["regulations", "fide-blitz", "--keys"]).code, 64, "one or the other");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_desk_hears_which_regulations_are_in_force_also_after_a_restart() {
    let event = "regulations = \"fide-rapid\"".to_owned();
    let regulations = "default_ms = 600000\nearly_press = { loses_at = 3 }\nbase_ms = 900000".to_owned();
    let mut hall = Plan { event, regulations, broker: false, ..Plan::default() }.open().await;
    let changed = json!([
        {"key": "default_ms", "value": 600_000},
        {"key": "early_press", "value": {"foul": 0, "deduct_ms": 0, "opponent_ms": 60_000, "loses_at": 3}},
    ]);
    for run in ["at first", "after a restart"] {
        let hello_says = json!({"token": token("arbiter"), "client": "t"});
        let desk = hello(hall.port, hello_says).await.expect("in");
        let snapshot = &desk.welcome["snapshot"];
        assert_eq!(snapshot["regulations"], "fide-rapid", "{run}");
        assert_eq!(snapshot["regulations_changed"], changed, "{run}: what is as in the set is no change");
        drop(desk);
        hall.kill();
        hall.start().await;
    }
}
