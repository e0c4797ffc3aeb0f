//! The house without power, a shout, a game that overruns: what the people and the clocks do then.

use crate::desk::{Desk, scenario, written};
use flagfall_clock::{By, ClockEvent};
use flagfall_simulator::{Said, World};
use std::collections::BTreeMap;

const HALL: &str =
    "boards = 12\n[players]\nmoves = [40, 60]\nuses_pct = [40, 70]\n[arbiter]\nwalks = [\"20s\", \"40s\"]\n";
/// From 20:00 to 26:00 after the word, which is said at 5:00.
const DARK: (u64, u64) = (1_500_000, 1_860_000);

fn blackout(shout: bool) -> String {
    format!("{HALL}[[fault]]\nkind = \"blackout\"\nround = 1\nat = \"20m\"\nfor = \"6m\"\nshout = {shout}\n")
}

/// A hall in which all was said that a test looks at.
fn played(text: &str) -> (Vec<Said>, Desk) {
    let (mut said, mut desk) = (Vec::new(), Desk::new());
    desk.play(&mut World::new(&written(text), 3).unwrap(), |_, word| said.push(word.clone()));
    (said, desk)
}

#[test]
fn in_the_dark_nobody_asks_and_nothing_is_heard_and_afterwards_all_is() {
    // results that would reach the desk in the dark
    let text = blackout(false)
        .replace("moves = [40, 60]\nuses_pct = [40, 70]", "moves = [8, 14]\nuses_pct = [10, 25]");
    let (said, desk) = played(&text);
    let (from, to) = DARK;
    assert!(said.contains(&Said::Dark { at: from }) && said.contains(&Said::Light { at: to }));
    let meanwhile: Vec<_> = said.iter().filter(|word| from < word.at() && word.at() < to).collect();
    assert_eq!(meanwhile, Vec::<&Said>::new());
    let results: Vec<u64> =
        desk.asked.iter().filter(|(_, method, _)| method == "board.result").map(|(at, _, _)| *at).collect();
    assert_eq!(results.len(), 12, "each result is entered once");
    let late = results.iter().filter(|at| (to..to + 190_000).contains(at)).count();
    assert!(late >= 2, "{results:?}");
}

#[test]
fn half_of_the_clocks_keep_their_words_back_in_the_dark_and_half_speak_into_nothing() {
    let (said, _) = played(&blackout(false));
    let mut kept: BTreeMap<String, u32> = BTreeMap::new();
    for word in &said {
        let Said::Report { at, clock, report } = word else { continue };
        let pressed = matches!(report.event, Some(ClockEvent::Press { .. }));
        if pressed && (DARK.1..DARK.1 + 3_100).contains(at) {
            *kept.entry(clock.to_string()).or_default() += 1;
        }
    }
    let of = |clock: &str| kept.get(clock).copied().unwrap_or(0);
    for keeps in ["A01", "A03", "A05", "A07", "A09", "A11"] {
        assert!(of(keeps) >= 2, "{keeps}: {kept:?}");
    }
    // at most the one that is pressed in these very seconds
    for loses in ["A02", "A04", "A06", "A08", "A10", "A12"] {
        assert!(of(loses) <= 1, "{loses}: {kept:?}");
    }
}

#[test]
fn who_hears_the_shout_stops_his_clock_and_all_go_on_when_they_sit() {
    let (said, desk) = played(&blackout(true));
    let asked = |method: &str| desk.asked.iter().find(|(_, asked, _)| asked == method).unwrap();
    let (paused, _, params) = asked("round.pause");
    let (resumed, _, seated) = asked("round.resume");
    assert!(DARK.1 < *paused && paused < resumed && seated["seated"] == true);
    let at = params["at"].as_str().unwrap();
    assert!(
        ("2012-06-14T00:50:04".."2012-06-14T00:50:16").contains(&at),
        "the pause counts from the shout: {at}"
    );
    let stopped: Vec<_> = said
        .iter()
        .filter(|word| (DARK.1..*paused).contains(&word.at()))
        .filter_map(|word| match word {
            Said::Report { clock, report, .. }
                if report.event == Some(ClockEvent::Stop { by: By::Button }) =>
            {
                Some(clock.to_string())
            }
            _ => None,
        })
        .collect();
    assert!((4..=6).contains(&stopped.len()), "of the six that keep their words back: {stopped:?}");
    let results = desk.asked.iter().filter(|(_, method, _)| method == "board.result").count();
    assert_eq!(results, 12);
    // The pause explains all of them; nobody goes to a single board.
    let singly = |method: &str| desk.asked.iter().filter(|(_, asked, _)| asked == method).count();
    assert_eq!((singly("stop.explain"), singly("board.resume")), (0, 0));
}

#[test]
fn a_live_run_leaves_blackouts_out_and_names_them() {
    let hall = written(&(blackout(true) + "[[fault]]\nkind = \"broker\"\nat = \"40m\"\nfor = \"1m\"\n"));
    let (hall, out) = hall.without_blackouts();
    assert_eq!(hall.fault.len(), 1, "the broker's outage stays");
    assert_eq!(out.len(), 1);
    assert!(
        out[0].contains("00:20:00") && out[0].contains("round 1") && out[0].contains("rehearse"),
        "{out:?}"
    );
}

#[test]
fn a_broker_s_outage_takes_all_lines_at_once_and_gives_them_back() {
    let (said, _) =
        played(&format!("{HALL}[[fault]]\nkind = \"broker\"\nround = 1\nat = \"20m\"\nfor = \"4m\"\n"));
    let gone = |word: &&Said| matches!(word, Said::Unplug { at: 1_500_000, cause: "broker", .. });
    assert_eq!(said.iter().filter(gone).count(), 12);
    let back: Vec<u64> = said.iter().filter(|word| matches!(word, Said::Plug { .. })).map(Said::at).collect();
    assert_eq!(back.len(), 12);
    assert!(back.iter().all(|at| (1_740_000..1_743_000).contains(at)), "{back:?}");
    let silent =
        |word: &&Said| matches!(word, Said::Report { at, .. } if (1_500_001..1_740_000).contains(at));
    assert_eq!(said.iter().filter(silent).count(), 0);
}

#[test]
fn the_next_players_of_a_table_wait_for_a_game_that_overruns() {
    let hall = scenario("overrun");
    for seed in 1..=4 {
        let mut starts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let mut desk = Desk::new();
        let mut world = World::new(&hall, seed).unwrap();
        desk.play(&mut world, |_, word| {
            if let Said::Report { at, clock, report } = word
                && matches!(report.event, Some(ClockEvent::Start { .. }))
            {
                starts.entry(clock.to_string()).or_default().push(*at);
            }
        });
        let results = desk.asked.iter().filter(|(_, method, _)| method == "board.result").count();
        assert_eq!(results, 24, "seed {seed}: every game of three rounds is played");
        let after = |clock: &str, at: u64| starts[clock].iter().filter(|start| **start > at).count();
        // Table 3 in round 2, table 6 in round 3: no start before the former game is over, some time into the round.
        let word = |round| hall.word(round);
        let late = starts["A03"].iter().find(|at| **at > word(2)).unwrap();
        assert!(*late > word(2) + 600_000 && *late < word(3), "seed {seed}: {:?}", starts["A03"]);
        assert!(
            after("A03", word(3)) >= 1 && after("A06", word(3) + 600_000) >= 1,
            "seed {seed}: {starts:?}"
        );
    }
}
