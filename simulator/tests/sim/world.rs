//! Worlds in virtual time.

use crate::desk::{Desk, scenario, scenarios, written};
use flagfall_clock::{ClockEvent, ClockReport, Side};
use flagfall_simulator::{Said, Scenario, World};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn words_of(scenario: &Scenario, seed: u64) -> (u64, u64) {
    let mut world = World::new(scenario, seed).unwrap();
    let (mut hasher, mut count) = (DefaultHasher::new(), 0);
    Desk::new().play(&mut world, |_, said| {
        count += 1;
        format!("{said:?}").hash(&mut hasher);
    });
    (count, hasher.finish())
}

#[test]
fn every_scenario_of_the_repository_is_read() {
    let files = scenarios();
    assert!(files.len() >= 15, "{files:?}");
    for file in files {
        let scenario = Scenario::load(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Some(scenario.name.as_str()), file.file_stem().and_then(|stem| stem.to_str()));
        assert!(!scenario.about.is_empty());
        assert!(
            !scenario.expect.is_empty() || scenario.check.results_true,
            "{}: expects nothing",
            scenario.name
        );
    }
}

#[test]
fn the_same_seed_says_the_same_and_another_seed_something_else() {
    let hall = written("boards = 8\n[line]\nlost_permille = 5\nlate_permille = 20\ndoubled_permille = 5\n");
    let one = words_of(&hall, 7);
    assert!(one.0 > 10_000, "{one:?}");
    assert_eq!(one, words_of(&hall, 7));
    assert_ne!(one, words_of(&hall, 8));
}

#[test]
fn a_change_of_one_board_changes_nothing_on_another() {
    let of_board_2 = |scenario: &Scenario| {
        let mut world = World::new(scenario, 3).unwrap();
        let mut reports = Vec::new();
        Desk::new().play(&mut world, |_, said| match said {
            Said::Report { at, clock, report } if clock.as_str() == "A02" && *at < 2_000_000 => {
                reports.push((*at, report.clone()));
            }
            _ => {}
        });
        reports
    };
    let plain = of_board_2(&written("boards = 4\n"));
    let other = of_board_2(&written(
        "boards = 4\n[[board]]\nboard = 1\nresult = \"0-1\"\ncause = \"time\"\nmoves = 2\n",
    ));
    assert!(plain.len() > 500);
    assert_eq!(plain, other);
}

/// What must hold of every clock's words, whatever happens.
#[derive(Default)]
struct Watch {
    latest: BTreeMap<String, ClockReport>,
    at: u64,
    presses: u64,
}

impl Watch {
    fn see(&mut self, said: &Said) {
        assert!(said.at() >= self.at, "time went back");
        self.at = said.at();
        let Said::Report { clock, report, .. } = said else { return };
        assert_eq!(*clock, report.clock);
        self.presses += u64::from(matches!(report.event, Some(ClockEvent::Press { .. })));
        if let Some(before) = self.latest.insert(clock.to_string(), report.clone())
            && before.boot == report.boot
        {
            assert_eq!(report.seq, before.seq + 1, "{clock} left something out on a line without fault");
            assert!(report.uptime_ms >= before.uptime_ms);
            for side in [Side::Left, Side::Right] {
                if before.running == Some(side) && report.event.is_none() {
                    let passed = (report.uptime_ms - before.uptime_ms) as i64;
                    assert_eq!(report.ms(side), before.ms(side) - passed, "{clock}");
                } else if report.event.is_none() {
                    assert_eq!(report.ms(side), before.ms(side), "{clock}: a side that stands stands");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn clocks_reckon_and_games_end_whatever_the_people_do(
        seed in any::<u64>(), boards in 1_u32..6, flags in 0_u32..500, calls in 0_u32..300, mixed in any::<bool>(),
    ) {
        let side = if mixed { "mixed" } else { "left" };
        let hall = written(&format!(
            "boards = {boards}\nfirst_side = \"{side}\"\n[players]\nmoves = [5, 30]\nflags_permille = {flags}\n\
             calls_permille = {calls}\naccidents_permille = 100\nlate_permille = 200\nshort_permille = 30\n\
             [regulations]\nbase_ms = 600_000\nincrement_ms = 5_000\n"
        ));
        let mut world = World::new(&hall, seed).unwrap();
        let mut watch = Watch::default();
        let mut desk = Desk::new();
        desk.play(&mut world, |_, said| watch.see(said));
        prop_assert!(watch.presses > 5 * u64::from(boards));
        let results = desk.asked.iter().filter(|(_, method, _)| method == "board.result").count();
        prop_assert_eq!(results, boards as usize, "each game ends and its result is entered once");
    }
}

/// The results as entered, by round and board, with their causes.
fn entered(desk: &Desk) -> BTreeMap<(u64, String), (String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let results = desk.asked.iter().filter(|(_, method, _)| method == "board.result");
    results
        .map(|(_, _, p)| {
            ((p["round"].as_u64().unwrap(), text(&p["board"])), (text(&p["result"]), text(&p["cause"])))
        })
        .collect()
}

#[test]
fn what_is_entered_is_what_happened_at_the_clocks() {
    let hall = written("boards = 24\n[players]\nflags_permille = 300\nmoves = [10, 40]\n");
    let mut world = World::new(&hall, 5).unwrap();
    let mut flags = BTreeMap::new();
    let mut desk = Desk::new();
    desk.play(&mut world, |_, said| {
        if let Said::Report { clock, report, .. } = said
            && let Some(ClockEvent::Flag { side }) = report.event
        {
            let board = clock.as_str().trim_start_matches('A').parse::<u32>().unwrap().to_string();
            flags.insert(board, if side == Side::Left { "0-1" } else { "1-0" });
        }
    });
    let lost_on_time: BTreeMap<_, _> = entered(&desk)
        .into_iter()
        .filter(|(_, (_, cause))| cause == "time")
        .map(|((_, board), (result, _))| (board, result))
        .collect();
    assert!(lost_on_time.len() >= 3, "{lost_on_time:?}");
    for (board, result) in &lost_on_time {
        assert_eq!(flags.get(board), Some(&result.as_str()), "board {board} lost on time without that flag");
    }
}

#[test]
fn nobody_who_does_not_mean_to_loses_on_time() {
    let hall = scenario("calm");
    for seed in 1..=6 {
        let mut desk = Desk::new();
        desk.play(&mut World::new(&hall, seed).unwrap(), |_, _| {});
        let results = entered(&desk);
        assert_eq!(results.len(), 48);
        assert!(results.values().all(|(_, cause)| cause != "time"), "seed {seed}: {results:?}");
    }
}

#[test]
fn an_ordinary_day_is_as_people_found_it() {
    let day = scenario("ordinary-day");
    let mut world = World::new(&day, day.seed).unwrap();
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    let mut desk = Desk::new();
    desk.play(&mut world, |_, said| {
        if let Said::Report { report, .. } = said {
            let name = match &report.event {
                Some(ClockEvent::Stop { .. }) => "stop",
                Some(ClockEvent::Over { claim: None, .. }) => "over",
                Some(ClockEvent::Start { .. }) => "start",
                Some(ClockEvent::Ready { .. }) => "ready",
                Some(ClockEvent::IgnoredPress { .. }) => "ignored",
                _ => return,
            };
            *ends.entry(name).or_default() += 1;
        }
    });
    let count = |name| ends.get(name).copied().unwrap_or(0);
    assert!(count("stop") + count("over") >= 24 && count("start") >= 48 && count("ready") >= 20, "{ends:?}");
    assert!(count("ignored") >= 1 && count("over") >= 1, "{ends:?}");
    assert_eq!(entered(&desk).len(), 48);
    let start = desk.asked.iter().find(|(_, method, _)| method == "round.start").unwrap();
    assert_eq!((start.0, start.2["at"].as_str()), (1_890_000, Some("2012-06-14T00:30:00.000Z")));
}

#[test]
fn an_event_of_nine_rounds_is_played_through() {
    let event = scenario("event");
    let mut world = World::new(&event, event.seed).unwrap();
    let (mut statuses, mut starts) = (0_u64, 0);
    let mut desk = Desk::new();
    desk.play(&mut world, |_, said| {
        if let Said::Report { report, .. } = said {
            statuses += u64::from(report.event.is_none());
            starts += u64::from(matches!(report.event, Some(ClockEvent::Start { .. })));
        }
    });
    assert_eq!(entered(&desk).len(), 9 * 48);
    assert!(starts >= 9 * 48, "{starts}");
    assert!((1_500_000..5_000_000).contains(&statuses), "{statuses}");
    let closed = desk.asked.iter().filter(|(_, method, _)| method == "round.close").count();
    assert_eq!(closed, 9);
}

#[test]
fn a_clock_out_of_reach_keeps_its_events_and_sends_them_when_it_is_back() {
    let hall = written(
        "boards = 2\n[[fault]]\nkind = \"offline\"\ntables = [1]\nround = 1\nat = \"5m\"\nfor = \"10m\"\n",
    );
    let mut world = World::new(&hall, 1).unwrap();
    let (from, to) = (600_000, 1_200_000);
    let (mut early, mut at_once) = (0, 0);
    Desk::new().play(&mut world, |_, said| match said {
        Said::Report { at, clock, report } if clock.as_str() == "A01" && (from..=to).contains(at) => {
            early += u32::from(*at < to);
            at_once += u32::from(*at == to && matches!(report.event, Some(ClockEvent::Press { .. })));
        }
        _ => {}
    });
    assert_eq!(early, 0);
    assert!(at_once >= 2, "{at_once}");
}

#[test]
fn both_late_wait_for_the_arbiter_and_he_starts_them() {
    let hall = scenario("late-both");
    let mut world = World::new(&hall, 1).unwrap();
    let mut started = None;
    let mut desk = Desk::new();
    desk.play(&mut world, |_, said| {
        if let Said::Report { at, clock, report } = said
            && clock.as_str() == "A01"
            && matches!(report.event, Some(ClockEvent::Start { .. }))
        {
            started.get_or_insert(*at);
        }
    });
    let asked: Vec<_> =
        desk.asked.iter().filter(|(_, _, p)| p["board"] == "1").map(|(_, m, _)| m.as_str()).collect();
    assert_eq!(asked[..3], ["player.arrived", "player.arrived", "board.start"]);
    assert!(started.is_some_and(|at| at > 300_000 + 600_000), "{started:?}");
}

#[test]
fn a_scenario_without_a_daemon_fails_what_it_expects() {
    let hall = scenario("one-flag");
    let mut world = World::new(&hall, 1).unwrap();
    Desk::new().play(&mut world, |_, _| {});
    let verdict = world.verdict();
    assert!(verdict.iter().any(|finding| !finding.holds && finding.expected.starts_with("time_forfeit")));
    assert!(verdict.iter().any(|finding| !finding.holds && finding.expected == "every result is true"));
}
