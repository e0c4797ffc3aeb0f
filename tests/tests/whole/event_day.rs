//! An event day as it is lived, in rehearsal: the hall, the rules and the journal are the real ones.

use flagfall_tests::hall::Hall;
use flagfall_tests::program::{Ended, flagfall};
use rstest::rstest;
use std::path::Path;

fn rehearse(scenario: &Path, seed: u64) -> Ended {
    let seed = seed.to_string();
    flagfall(&["rehearse", scenario.to_str().expect("a path"), "--seed", &seed])
}

/// Holds with this seed; what it printed.
fn holds(name: &str, seed: u64) -> String {
    let ended = rehearse(&Hall::of_workspace(&format!("scenarios/{name}.toml")), seed);
    assert_eq!(ended.code, 0, "{name}, seed {seed}:\n{}{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// Nine rounds of 48 boards with two blackouts, a broker's outage and a game that overruns: exactly the four offences
/// are ruled, all 432 results are official and true, at most three questions wait in a round, and nobody asks more than
/// twice for a board.
#[rstest]
fn an_event_day_holds_whatever_chance_does(
    #[values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)] seed: u64,
) {
    let said = holds("event-day", seed);
    let offences = ["unauthorised_stop", "unauthorised_start", "default", "double_default"];
    let ruled: Vec<&str> = said
        .lines()
        .filter(|line| offences.iter().any(|kind| line.split(' ').nth(1) == Some(kind)))
        .collect();
    assert_eq!(ruled.len(), 4, "{ruled:#?}");
    assert!(ruled.iter().all(|line| line.ends_with("confirmed")), "{ruled:#?}");
    for must in [
        "ok     every result is official and true: 432 results",
        "ok     at most 3 questions to decide a round",
    ] {
        assert!(said.contains(must), "{said}");
    }
}

#[rstest]
fn forty_eight_clocks_are_bound_by_forty_eight_presses(#[values(1, 2)] seed: u64) {
    let said = holds("walk", seed);
    let bound = "ok     48 clocks bound to their tables by 48 presses: 48 by 48";
    assert!(said.contains(bound), "{said}");
}

#[rstest]
fn two_blackouts_hurt_nobody_whatever_chance_does(#[values(2, 3, 4, 5, 6, 7, 8)] seed: u64) {
    holds("blackout", seed);
}

/// A scenario of the repository with something in it changed: what fails, as it is printed.
fn failures(name: &str, changes: &[(&str, &str)]) -> String {
    let file = Hall::of_workspace(&format!("scenarios/{name}.toml"));
    let mut text = std::fs::read_to_string(file).expect("a scenario");
    for (this, that) in changes {
        assert!(text.contains(this), "{name}: {this}");
        text = text.replace(this, that);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let changed = folder.path().join(format!("{name}.toml"));
    std::fs::write(&changed, text).expect("a scenario");
    let ended = rehearse(&changed, 1);
    assert_eq!(ended.code, 1, "it must fail:\n{}{}", ended.stdout, ended.stderr);
    let failed: Vec<&str> = ended.stdout.lines().filter(|line| line.starts_with("FAILED")).collect();
    failed.join("\n")
}

#[test]
fn a_check_that_fails_names_round_and_board() {
    let decide = failures("default", &[("[check]", "[check]\nmax_decide_per_round = 0")]);
    assert!(decide.contains("round 1: 1 (default board 1)"), "{decide}");

    let acts =
        failures("pause", &[("[check]", "[arbiter]\nsigns = \"later\"\n[check]\nmax_acts_per_board = 1")]);
    assert!(acts.contains("round 1: ") && acts.contains("requests for 4 boards"), "{acts}");
    assert!(acts.contains("round 1 board 3: 2 (board.result, board.sign)"), "{acts}");

    let open = failures(
        "calm",
        &[("[check]", "[check]\nall_official = true"), ("[arbiter]", "[arbiter]\ncloses_rounds = false")],
    );
    assert!(open.contains("48 times: round 1 board 1: signed"), "{open}");

    let unbound = failures("walk", &[("walks_tables = true", "walks_tables = false")]);
    assert!(unbound.contains("48 clocks bound to their tables by 48 presses: 0 by 0"), "{unbound}");
}

/// Presses as told, with the times they left: by board, in order.
fn presses(scenario: &Path, journal: &Path) -> Vec<String> {
    let (scenario, journal) = (scenario.to_str().expect("a path"), journal.to_str().expect("a path"));
    let ended = flagfall(&["rehearse", scenario, "--seed", "4", "--journal", journal]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let export = flagfall(&["journal", "export", journal, "--events"]);
    let mut told: Vec<String> = Vec::new();
    for line in export.stdout.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("an exported record");
        let event = &record["body"]["tell"];
        assert_ne!(event["type"], "gap", "nothing is missing in the ledger: {event}");
        if event["type"] == "press" {
            told.push(format!("{} {}", event["board"], event["press"]));
        }
    }
    told.sort();
    told
}

/// The network is away for three minutes in the middle of a round: the clocks know nothing of it, and afterwards the
/// journal has every press with its times, as if it had been there.
#[test]
fn rule_48_a_network_cut_leaves_no_gap_in_the_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = Hall::of_workspace("scenarios/calm.toml");
    let mut text = std::fs::read_to_string(&plain).expect("the scenario");
    text.push_str("\n[[fault]]\nkind = \"offline\"\nround = 1\nat = \"4m\"\nfor = \"3m\"\n");
    let cut = folder.path().join("cut.toml");
    std::fs::write(&cut, text).expect("written");
    let whole = presses(&plain, &folder.path().join("whole.journal"));
    let with_cut = presses(&cut, &folder.path().join("cut.journal"));
    assert!(whole.len() > 2_000, "{} presses", whole.len());
    assert_eq!(whole, with_cut);
}
