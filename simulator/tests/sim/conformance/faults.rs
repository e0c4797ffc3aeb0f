//! Faults that the suite must find, each by the case that is there for it.

use super::core_key;
use super::falsified::{Falsified, Fault, Memory};
use flagfall_clock::{
    Action, By, Can, ClockCommand, ClockEvent, ClockReport, Encoding, FlagAt, Kind, Periods, PeriodsAt, Side,
    StopButton,
};
use flagfall_firmware::Setup;
use flagfall_simulator::conformance::{Case, Contact, Options, Suite, Verdict};

/// The cases that find a fault; all of them when `only` is empty, else those whose names begin so.
fn found_by(fault: Fault, sealed: bool) -> Vec<String> {
    let mut clock = Falsified::new(Encoding::Json, sealed.then(core_key), fault);
    let mut suite = Suite::open(&mut clock, Options::default()).unwrap();
    let mut found = Vec::new();
    for case in Case::all().unwrap() {
        if let Verdict::Failed(_) = suite.run(&case).unwrap().verdict {
            found.push(case.name.clone());
        }
    }
    found
}

#[track_caller]
fn is_found_by(fault: Fault, case: &str) {
    let found = found_by(fault, false);
    assert!(found.iter().any(|name| name == case), "{case} does not find it; {found:?} do");
}

fn press(report: &ClockReport) -> Option<Side> {
    match report.event {
        Some(ClockEvent::Press { side }) => Some(side),
        _ => None,
    }
}

fn add(report: &mut ClockReport, side: Side, ms: i64) {
    match side {
        Side::Left => report.left_ms += ms,
        Side::Right => report.right_ms += ms,
    }
}

#[test]
fn a_millisecond_too_much_at_a_press() {
    is_found_by(
        Fault::Report(|report, _| {
            if let Some(side) = press(report) {
                add(report, side, 1);
            }
            true
        }),
        "pressing/moves",
    );
}

#[test]
fn a_millisecond_less_in_a_status() {
    is_found_by(
        Fault::Report(|report, _| {
            if report.event.is_none() && report.running == Some(Side::Right) {
                report.right_ms -= 1;
            }
            true
        }),
        "saying/statuses-running",
    );
}

#[test]
fn a_lost_increment() {
    // The third press of a side has none, and all that follows is consistent with that.
    is_found_by(
        Fault::Report(|report, memory| {
            if press(report) == Some(Side::Left) {
                memory.count += 1;
            }
            if memory.count >= 3 {
                report.left_ms -= 5_000;
            }
            true
        }),
        "pressing/moves",
    );
}

#[test]
fn a_press_credited_after_the_flag() {
    is_found_by(
        Fault::Report(|report, _| {
            if let (Some(Some(fallen)), Some(ClockEvent::IgnoredPress { side })) =
                (report.flag, &report.event)
                && fallen == *side
            {
                let side = *side;
                add(report, side, 2_000);
            }
            true
        }),
        "flag/too-late",
    );
}

#[test]
fn a_flag_a_millisecond_late() {
    is_found_by(
        Fault::Report(|report, _| {
            if let Some(ClockEvent::Flag { .. }) = report.event {
                report.uptime_ms += 1;
            }
            true
        }),
        "flag/falls",
    );
}

#[test]
fn a_flag_that_is_told_of_the_wrong_side() {
    is_found_by(
        Fault::Report(|report, _| {
            if let Some(ClockEvent::Flag { side }) = &mut report.event {
                *side = side.other();
            }
            true
        }),
        "flag/falls",
    );
}

#[test]
fn a_report_that_is_lost() {
    is_found_by(Fault::Report(|report, _| report.seq % 9 != 0), "saying/replay");
}

#[test]
fn a_hole_in_the_count_of_events() {
    is_found_by(
        Fault::Report(|report, _| {
            report.events = report.events.map(|events| events + u32::from(events > 5));
            true
        }),
        "pressing/moves",
    );
}

#[test]
fn statuses_that_do_not_come() {
    is_found_by(
        Fault::Report(|report, memory| {
            if report.seq == 1 {
                memory.count = 0;
            }
            let said = report.event.is_some();
            memory.count += u32::from(!said);
            report.seq -= memory.count;
            said
        }),
        "saying/statuses-running",
    );
}

#[test]
fn statuses_that_come_too_seldom() {
    is_found_by(
        Fault::Report(|report, memory| {
            if report.seq == 1 {
                memory.count = 0;
            }
            // Each second status is not said.
            memory.flag = report.event.is_none() && !memory.flag;
            memory.count += u32::from(memory.flag);
            report.seq -= memory.count;
            !memory.flag
        }),
        "saying/statuses-standing",
    );
}

#[test]
fn no_answer_to_a_repeated_command() {
    is_found_by(
        Fault::Report(|report, memory| {
            if report.seq == 1 {
                memory.count = 0;
            }
            let fresh = report.seq > memory.count;
            memory.count = memory.count.max(report.seq);
            fresh
        }),
        "commands/once",
    );
}

#[test]
fn a_report_that_comes_again_otherwise() {
    is_found_by(
        Fault::Report(|report, memory| {
            if report.seq == 1 {
                memory.count = 0;
            }
            report.uptime_ms += u64::from(report.seq <= memory.count);
            memory.count = memory.count.max(report.seq);
            true
        }),
        "saying/replay",
    );
}

#[test]
fn an_uptime_that_wraps_with_its_counter() {
    is_found_by(
        Fault::Report(|report, _| {
            report.uptime_ms %= 4_294_967;
            true
        }),
        "long/counter-wrap",
    );
}

#[test]
fn a_clock_that_runs_slow() {
    is_found_by(
        Fault::Report(|report, _| {
            report.uptime_ms -= report.uptime_ms / 1_000;
            true
        }),
        "saying/statuses-standing",
    );
}

#[test]
fn time_given_by_a_power_cut() {
    is_found_by(
        Fault::Report(|report, memory| {
            memory.flag |= matches!(&report.event, Some(ClockEvent::Boot(about)) if about.restored);
            memory.flag &= report.boot > 1;
            if memory.flag && report.left_ms < 300_000 {
                report.left_ms += 2_000;
            }
            true
        }),
        "power/twice",
    );
}

#[test]
fn a_game_that_is_forgotten() {
    is_found_by(Fault::Forgets, "power/running");
}

#[test]
fn a_stop_that_is_laid_to_somebody_else() {
    is_found_by(
        Fault::Report(|report, _| {
            if let Some(ClockEvent::Stop { by } | ClockEvent::Resume { by }) = &mut report.event
                && *by == By::ArbiterKey
            {
                *by = By::Button;
            }
            true
        }),
        "stopping/key-stops",
    );
}

#[test]
fn a_bounce_that_presses_twice() {
    is_found_by(
        Fault::Hand(|edge, moves, memory| {
            // More than four edges within 5 ms press once more, a little later.
            let (at, contact, _) = edge;
            memory.count = if at < memory.at + 5_000 { memory.count + 1 } else { 0 };
            memory.at = at;
            moves.push(edge);
            if memory.count == 5 {
                moves.extend([(at + 30_000, contact, false), (at + 50_000, contact, true)]);
            }
        }),
        "pressing/bounce",
    );
}

#[test]
fn a_press_that_counts_only_from_when_it_is_believed() {
    is_found_by(
        Fault::Hand(|(at, contact, down), moves, _| {
            moves.retain(|(_, other, _)| *other != contact);
            moves.push((at + 4_000, contact, down));
        }),
        "pressing/bounce",
    );
}

#[test]
fn a_spark_that_presses() {
    is_found_by(
        Fault::Hand(|(at, contact, down), moves, memory| {
            let short = !down && at < memory.at + 5_000;
            memory.at = at;
            moves.push((if short { at + 30_000 } else { at }, contact, down));
        }),
        "pressing/spark",
    );
}

#[test]
fn a_press_that_starts_the_game() {
    is_found_by(
        Fault::Hand(|edge, moves, _| {
            let (at, contact, down) = edge;
            moves.push(edge);
            if down {
                moves.extend([(at + 20_000, contact, false), (at + 40_000, contact, true)]);
            }
        }),
        "starting/twice",
    );
}

#[test]
fn a_hold_that_begins_by_stopping_and_makes_all_new() {
    is_found_by(
        Fault::Hand(|edge, moves, _| {
            let (at, contact, down) = edge;
            moves.push(edge);
            if contact == Contact::Key && down {
                moves.extend([(at + 20_000, contact, false), (at + 40_000, contact, true)]);
            }
        }),
        "stopping/key-stops",
    );
}

fn again(command: &mut ClockCommand, memory: &mut Memory) {
    // Every command has a number that was never seen.
    memory.count += 1;
    command.command = memory.count;
}

#[test]
fn a_repeat_that_is_carried_out() {
    is_found_by(Fault::Command(again), "commands/once");
}

#[test]
fn a_command_past_its_end_that_is_carried_out() {
    is_found_by(Fault::Command(|command, _| command.until_ms = u64::MAX), "commands/expired");
}

#[test]
fn a_command_for_another_boot_that_is_carried_out() {
    let fault = Fault::Command(|command, memory| {
        memory.boot = if memory.boot == 0 { command.boot } else { memory.boot };
        if command.boot > 0 {
            command.boot = memory.boot;
        }
    });
    is_found_by(fault, "commands/another-boot");
}

#[test]
fn another_clocks_command_that_is_carried_out() {
    is_found_by(Fault::Command(|command, _| command.clock = "A01".parse().unwrap()), "lines/another-clocks");
}

#[test]
fn a_command_that_is_taken_without_its_check_or_seal() {
    assert!(found_by(Fault::TakesAll, false).contains(&"lines/unchecked".to_owned()));
    let found = found_by(Fault::TakesAll, true);
    assert!(
        ["lines/unsealed", "lines/forged"].iter().all(|case| found.iter().any(|name| name == case)),
        "{found:?}"
    );
}

/// What a clock makes of what it is set to, and which case finds it.
type Wrong = (fn(&mut Setup), &'static str);

const WRONGLY_SET: [Wrong; 22] = [
    (|set| set.first_side = Side::Left, "starting/twice-first-on-the-right"),
    (|set| set.stop_button = StopButton::On, "stopping/button-off"),
    (
        |set| {
            if set.stop_button == StopButton::EndOnly {
                set.stop_button = StopButton::Off;
            }
        },
        "stopping/button-end-only",
    ),
    (|set| set.control.cap_ms = None, "controls/fischer-cap"),
    (
        |set| set.control.base_ms = set.control.base_ms.min(set.control.cap_ms.unwrap_or(u32::MAX)),
        "controls/fischer-above-the-cap",
    ),
    (|set| set.control.second = None, "controls/odds"),
    (|set| set.control.increment_on_first_move = false, "controls/fischer-first-move"),
    (|set| set.control.flag_at = FlagAt::Zero, "flag/below-zero"),
    (|set| set.control.flag_at = FlagAt::BelowZero, "flag/falls"),
    (|set| set.control.freeze_on_flag = true, "flag/no-freeze"),
    (|set| set.control.overtime_count += 1, "controls/byoyomi"),
    (|set| set.control.moves += u16::from(set.control.moves > 0), "periods/by-moves"),
    (|set| set.control.repeat = false, "periods/repeat"),
    (
        |set| {
            if set.control.periods_at == PeriodsAt::Zero {
                set.control.periods = Periods::new();
            }
        },
        "periods/at-zero",
    ),
    (|set| taken_for(set, Kind::SuddenDeath, Kind::Fischer), "controls/sudden-death"),
    (|set| taken_for(set, Kind::Bronstein, Kind::Fischer), "controls/delay-bronstein"),
    (|set| taken_for(set, Kind::Delay, Kind::SuddenDeath), "controls/delay-delay"),
    (|set| taken_for(set, Kind::Byoyomi, Kind::Canadian), "controls/byoyomi"),
    (|set| taken_for(set, Kind::Canadian, Kind::Byoyomi), "controls/canadian"),
    (|set| taken_for(set, Kind::Hourglass, Kind::SuddenDeath), "controls/hourglass"),
    (|set| taken_for(set, Kind::PerMove, Kind::SuddenDeath), "controls/per-move"),
    (|set| taken_for(set, Kind::UpCount, Kind::SuddenDeath), "controls/up-count"),
];

fn taken_for(set: &mut Setup, kind: Kind, other: Kind) {
    if set.control.kind == kind {
        set.control.kind = other;
    }
}

#[test]
fn a_setting_that_is_passed_over() {
    for (wrong, case) in WRONGLY_SET {
        is_found_by(Fault::Set(wrong), case);
    }
}

/// No fault: it can do less, and says so.
#[test]
fn what_a_clock_cannot_do_is_skipped_and_said() {
    let poor = Fault::Report(|report, _| {
        if let Some(ClockEvent::Boot(about)) = &mut report.event {
            about.can = Some(
                ["configure", "start", "stop", "describe"]
                    .iter()
                    .fold(Can::none(), |can, name| can.with(name)),
            );
        }
        true
    });
    let mut clock = Falsified::new(Encoding::Json, None, poor);
    let mut suite = Suite::open(&mut clock, Options::default()).unwrap();
    let mut verdicts = std::collections::BTreeMap::new();
    for case in Case::all().unwrap() {
        verdicts.insert(case.name.clone(), suite.run(&case).unwrap().verdict);
    }
    assert_eq!(verdicts["commands/once"], Verdict::Skipped("its `can` lacks adjust".into()));
    assert_eq!(verdicts["saying/replay"], Verdict::Skipped("its `can` lacks replay".into()));
    assert_eq!(verdicts["pressing/moves"], Verdict::Passed);
    assert!(!verdicts.values().any(|verdict| matches!(verdict, Verdict::Failed(_))));
}

/// A clock that can play one kind only answers `unable` to the others.
#[test]
fn a_control_that_a_clock_cannot_play_is_skipped_and_said() {
    let mut fischer_only = Falsified::new(
        Encoding::Json,
        None,
        Fault::Command(|command, _| {
            if let Action::Configure { time_control, .. } = &command.action
                && time_control.kind != Kind::Fischer
            {
                command.action = Action::Unknown;
            }
        }),
    );
    let mut suite = Suite::open(&mut fischer_only, Options::default()).unwrap();
    let mut skipped = 0;
    for case in Case::all().unwrap() {
        match suite.run(&case).unwrap().verdict {
            Verdict::Passed => {}
            Verdict::Skipped(why) => skipped += u32::from(why.starts_with("it cannot play")),
            Verdict::Failed(why) => panic!("{}: {why}", case.name),
        }
    }
    assert!(skipped > 30, "{skipped}");
}
