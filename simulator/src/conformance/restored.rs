//! What a clock comes back with after a power cut: nothing that was told is lost, no time is given, at most the last
//! second of the running side is.

use super::sums::carried;
use flagfall_clock::{By, ClockEvent, ClockReport, Side, TimeControl};

/// Holds what came back against the last report before the cut, which was between these two uptimes, in milliseconds.
pub(crate) fn restored(
    control: &TimeControl,
    was: &ClockReport,
    report: &ClockReport,
    cut: (i64, i64),
) -> Result<(), String> {
    let Some(ClockEvent::Boot(about)) = &report.event else { return Ok(()) };
    if !about.restored {
        return Err("it came up as new after a power cut".into());
    }
    if report.running.is_some() {
        return Err("a side runs after a power cut".into());
    }
    for side in [Side::Left, Side::Right] {
        if report.presses(side) < was.presses(side) {
            return Err(format!(
                "it told of {} moves and came back with {}",
                was.presses(side),
                report.presses(side)
            ));
        }
    }
    if report.flag.flatten().is_none() && was.flag.flatten().is_some() {
        return Err("it told of a flag and came back without".into());
    }
    if report.left_presses != was.left_presses || report.right_presses != was.right_presses {
        // A press that it could no more tell of is in its memory all the same.
        return Ok(());
    }
    if was.running.is_none() || report.flag.flatten() != was.flag.flatten() {
        return Ok(());
    }
    if report.stopped_by.is_some_and(|by| by != By::Power && by != By::Unknown) {
        return Err("a side ran when the power went, and `stopped_by` is not power".into());
    }
    let at_cut = |uptime: i64| carried(control, was, u64::try_from(uptime).unwrap_or(0).max(was.uptime_ms));
    // Somewhere within its last second, and not before what it told.
    let (early, late) = (at_cut(cut.0 - 1_000 - SLACK), at_cut(cut.1 + 1));
    for (member, came, early, late) in
        [("left_ms", report.left_ms, early.0, late.0), ("right_ms", report.right_ms, early.1, late.1)]
    {
        let (least, most) = (early.min(late), early.max(late));
        if !(least..=most).contains(&came) {
            return Err(format!("{member} came back as {came}; by what it told it is {least} to {most}"));
        }
    }
    Ok(())
}

/// Saving takes time, and a board that is just erasing needs up to 400 ms for it.
const SLACK: i64 = 500;
