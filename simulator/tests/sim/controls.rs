//! Halls under every kind of control: the players come to the end of their games.

use crate::desk::{Desk, written};
use flagfall_clock::ClockEvent;
use flagfall_simulator::{Said, Scenario, World};

/// A hall of 4 boards under these regulations, and what its clocks said happened, of each kind of event how often.
fn hall(regulations: &str) -> (bool, impl Fn(&str) -> usize) {
    let hall = written(&format!(
        "boards = 4\n[players]\nmoves = [10, 14]\nflags_permille = 500\n[regulations]\n{regulations}\n"
    ));
    let mut world = World::new(&hall, 5).unwrap();
    let mut names = Vec::new();
    Desk::new().play(&mut world, |_, said| {
        if let Said::Report { report, .. } = said {
            names.extend(report.event.as_ref().map(ClockEvent::name));
        }
    });
    (world.finished(), move |name| names.iter().filter(|said| **said == name).count())
}

#[test]
fn a_game_under_any_control_comes_to_its_end() {
    for regulations in [
        "kind = \"sudden_death\"\nbase_ms = 300000",
        "kind = \"bronstein\"\nbase_ms = 300000\nincrement_ms = 5000",
        "kind = \"delay\"\nbase_ms = 300000\nincrement_ms = 5000",
        "kind = \"byoyomi\"\nbase_ms = 60000\nincrement_ms = 0\novertime_ms = 30000\novertime_count = 3",
        "kind = \"canadian\"\nbase_ms = 60000\nincrement_ms = 0\novertime_ms = 300000\novertime_count = 5",
        "kind = \"hourglass\"\nbase_ms = 120000\nincrement_ms = 0",
        "kind = \"per_move\"\nbase_ms = 30000\nincrement_ms = 0",
        "kind = \"gong\"\nbase_ms = 10000\nincrement_ms = 0",
        "kind = \"up_count\"\nbase_ms = 0\nincrement_ms = 0",
        "base_ms = 300000\ncap_ms = 310000",
        "base_ms = 300000\nmoves = 5\nrepeat = true\nperiods = [{ base_ms = 60000, moves = 2 }]",
        "base_ms = 60000\nincrement_ms = 0\nperiods_at = \"zero\"\nperiods = [{ base_ms = 60000 }]",
    ] {
        let (finished, said) = hall(regulations);
        assert!(finished, "{regulations}");
        assert_eq!(
            said("flag") > 0,
            !["gong", "up_count"].iter().any(|kind| regulations.contains(kind)),
            "{regulations}"
        );
        assert_eq!(said("press") > 20, !regulations.contains("gong"), "{regulations}");
        assert_eq!(
            said("period") > 0,
            regulations.contains("gong") || regulations.contains("zero"),
            "{regulations}"
        );
    }
}

#[test]
fn a_control_that_no_clock_plays_is_refused_before_anything_begins() {
    for regulations in
        ["kind = \"byoyomi\"", "repeat = true", "kind = \"gong\"\nbase_ms = 0", "kind = \"sand\""]
    {
        let begin = "name = \"x\"\nbegin = \"2012-06-14T08:25:00+08:00\"\nfirst_round = \"5m\"";
        let text = format!("{begin}\nboards = 1\n[regulations]\n{regulations}\n");
        let error = Scenario::parse("x.toml", &text).err().map(|error| error.to_string());
        assert!(
            error.as_ref().is_some_and(|error| error.contains("[regulations]")),
            "{regulations}: {error:?}"
        );
    }
}
