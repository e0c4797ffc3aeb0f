//! A hall of honest clocks under every kind of control, in virtual time: nothing is asked about any clock.

use flagfall_tests::program::flagfall;
use rstest::rstest;
use std::fs;

const HALL: &str = r#"
name = "quiet"
about = "Honest clocks, whatever the control."
begin = "2012-06-14T08:00:00+08:00"
boards = 8
first_round = "10m"
until = "5h"
drift_ppm = 80

[players]
uses_pct = [25, 60]
calls_permille = 200
accidents_permille = 100

[regulations]
"#;

/// Kinds of incidents that are about a clock and how it is set.
const ABOUT_CLOCKS: [&str; 4] = ["wrong_setting", "time_drift", "lever", "sides_reversed"];

fn incidents(regulations: &str, seed: u64) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    fs::write(path("quiet.toml"), format!("{HALL}{regulations}\n")).expect("written");
    let (scenario, journal) = (path("quiet.toml"), path("quiet.journal"));
    let played = flagfall(&["rehearse", &scenario, "--seed", &seed.to_string(), "--journal", &journal]);
    assert_eq!(played.code, 0, "{}{}", played.stdout, played.stderr);
    let told = flagfall(&["journal", "export", "--events", &journal]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let events = told.stdout.lines();
    let presses = events.clone().filter(|line| line.contains(r#""type":"press""#)).count();
    let about = |line: &&str| ABOUT_CLOCKS.iter().any(|kind| line.contains(&format!(r#""kind":"{kind}""#)));
    (presses, events.filter(about).map(str::to_owned).collect())
}

#[rstest]
#[case("base_ms = 600000")]
#[case("base_ms = 600000\nincrement_on_first_move = true\ncap_ms = 650000")]
#[case("kind = 'sudden_death'\nbase_ms = 900000")]
#[case("kind = 'bronstein'\nbase_ms = 600000\nincrement_ms = 10000")]
#[case("kind = 'delay'\nbase_ms = 600000\nincrement_ms = 5000")]
#[case("kind = 'byoyomi'\nbase_ms = 300000\novertime_ms = 30000\novertime_count = 5")]
#[case("kind = 'canadian'\nbase_ms = 300000\novertime_ms = 300000\novertime_count = 10")]
#[case("kind = 'hourglass'\nbase_ms = 300000")]
#[case("kind = 'per_move'\nbase_ms = 120000")]
#[case("kind = 'up_count'\nbase_ms = 0")]
#[case(
    "base_ms = 600000\nmoves = 20\nperiods = [{ moves = 10, base_ms = 300000, increment_ms = 15000 }, { base_ms = 120000, increment_ms = 5000 }]"
)]
#[case(
    "base_ms = 400000\nincrement_ms = 5000\nperiods_at = 'zero'\nperiods = [{ base_ms = 300000, increment_ms = 5000 }]"
)]
#[case(
    "first = { base_ms = 600000, increment_ms = 3000 }\nsecond = { base_ms = 400000, increment_ms = 3000 }"
)]
fn nothing_is_asked_about_an_honest_clock(#[case] regulations: &str) {
    for seed in 1..=3 {
        let (presses, asked) = incidents(regulations, seed);
        assert!(presses > 200, "a hall in which people play: {presses} presses under {regulations}");
        assert!(asked.is_empty(), "{regulations}, seed {seed}: {asked:#?}");
    }
}
