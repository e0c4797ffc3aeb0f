//! What follows from one report to the next by the rules of every control.
//!
//! Written apart from the firmware that it checks.

use flagfall_clock::{ClockEvent, ClockReport, FlagAt, Kind, Side, TimeControl};

/// The most a clock can say, in milliseconds: 99:59:59.
const MOST: i64 = 359_999_000;

/// What both sides have at `uptime_ms` if nothing but time passes after `was`: left, right.
pub(crate) fn carried(control: &TimeControl, was: &ClockReport, uptime_ms: u64) -> (i64, i64) {
    let passed = i64::try_from(uptime_ms.saturating_sub(was.uptime_ms)).unwrap_or(i64::MAX);
    let Some(running) = was.running else { return (was.left_ms, was.right_ms) };
    let (had, other) = (was.ms(running), was.ms(running.other()));
    let (own, other) = match control.kind {
        Kind::UpCount => ((had + passed).min(MOST), other),
        Kind::Hourglass => (had - passed.min(had.max(0)), (other + passed.min(had.max(0))).min(MOST)),
        // Running down ends at zero; only a deduction goes below.
        _ => ((had - passed).max(had.min(0)), other),
    };
    match running {
        Side::Left => (own, other),
        Side::Right => (other, own),
    }
}

/// When the running side comes to zero by `was`, in milliseconds of uptime; none where nothing falls.
pub(crate) fn zero(control: &TimeControl, was: &ClockReport, fallen: bool) -> Option<u64> {
    let side = was.running?;
    if fallen || control.kind == Kind::UpCount {
        return None;
    }
    let left = was.ms(side);
    u64::try_from(left.max(0)).ok()?.checked_add(was.uptime_ms)
}

/// How turns, counts and flags change.
pub(crate) fn rules(control: &TimeControl, was: &ClockReport, report: &ClockReport) -> Result<(), String> {
    runs(control, was, report)?;
    counts(was, report)?;
    flags(control, was, report)
}

fn name(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "none",
    }
}

/// Who may run after a report.
fn runs(control: &TimeControl, was: &ClockReport, report: &ClockReport) -> Result<(), String> {
    let freezes = control.freeze_on_flag || control.kind == Kind::Hourglass;
    let expected = match &report.event {
        Some(ClockEvent::Press { side }) => {
            if was.running != Some(*side) {
                return Err(format!("a press of {} where {} runs", name(Some(*side)), name(was.running)));
            }
            Some(side.other())
        }
        Some(ClockEvent::Start { side, .. }) => Some(*side),
        Some(ClockEvent::Resume { .. }) if was.running.is_none() && report.running.is_some() => return Ok(()),
        Some(ClockEvent::Resume { .. }) => {
            return Err("a resume after which nothing runs, or nothing stood".into());
        }
        Some(ClockEvent::Stop { .. } | ClockEvent::Reset { .. } | ClockEvent::Over { .. }) => None,
        Some(ClockEvent::Flag { .. }) if freezes => None,
        Some(ClockEvent::Period { side }) if control.kind == Kind::Gong => Some(side.other()),
        // Of an event of a later version only its state is known.
        Some(ClockEvent::Unknown) => return Ok(()),
        _ => was.running,
    };
    if report.running == expected {
        Ok(())
    } else {
        Err(format!("running is {}, {} is expected", name(report.running), name(expected)))
    }
}

/// A move is counted with a press and with nothing else.
fn counts(was: &ClockReport, report: &ClockReport) -> Result<(), String> {
    for side in [Side::Left, Side::Right] {
        let expected = match &report.event {
            Some(ClockEvent::Press { side: pressed }) => was.presses(side) + u32::from(*pressed == side),
            Some(ClockEvent::Reset { .. }) => 0,
            Some(ClockEvent::Adjust { .. } | ClockEvent::Unknown) => continue,
            _ => was.presses(side),
        };
        if report.presses(side) != expected {
            let (name, came) = (name(Some(side)), report.presses(side));
            return Err(format!("{name}_presses is {came}, {expected} is expected"));
        }
    }
    Ok(())
}

/// The flag falls at its instant, once, and stays; before it nothing else is done.
fn flags(control: &TimeControl, was: &ClockReport, report: &ClockReport) -> Result<(), String> {
    let fallen = was.flag.flatten();
    let expected = match &report.event {
        Some(ClockEvent::Flag { side }) => Some(*side),
        Some(ClockEvent::Reset { .. }) => None,
        _ => fallen,
    };
    if let Some(came) = report.flag
        && came != expected
    {
        return Err(format!("flag is {}, {} is expected", name(came), name(expected)));
    }
    let Some(zero) = zero(control, was, fallen.is_some()) else { return Ok(()) };
    let below = u64::from(control.flag_at == FlagAt::BelowZero);
    match &report.event {
        Some(ClockEvent::Flag { side }) => {
            // After a deduction it falls in the instant in which the side is to run.
            let owed = was.running.is_some_and(|side| was.ms(side) < 0);
            let falls = zero + if owed { 0 } else { below };
            if was.running != Some(*side) || report.uptime_ms != falls {
                return Err(format!("the flag is told at {}, and falls at {falls}", report.uptime_ms));
            }
        }
        Some(ClockEvent::Period { side }) if was.running != Some(*side) || report.uptime_ms != zero => {
            return Err(format!("a period is told to end at {}, and ends at {zero}", report.uptime_ms));
        }
        Some(ClockEvent::Press { .. }) if report.uptime_ms >= zero + below => {
            return Err(format!("a press at {}, the time is out at {}", report.uptime_ms, zero + below));
        }
        _ if report.uptime_ms > zero + below => {
            return Err(format!(
                "the time is out at {}, and no flag is told by {}",
                zero + below,
                report.uptime_ms
            ));
        }
        _ => {}
    }
    Ok(())
}
