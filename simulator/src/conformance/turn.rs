//! The turn that is under way: what its side had when it began (`r`) and what it has used of it (`u`).

use flagfall_clock::{ClockEvent, ClockReport, Side};

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub side: Side,
    /// What the report that began it said its side has, in milliseconds; an adjustment says it anew.
    pub had: i64,
    /// Used before the last stop.
    used: i64,
    /// Runs since then, in milliseconds of uptime.
    since: Option<u64>,
}

impl Turn {
    /// What is used of it by an uptime, in milliseconds.
    pub(crate) fn used_at(&self, uptime_ms: u64) -> i64 {
        let running = self.since.map_or(0, |since| uptime_ms.saturating_sub(since));
        self.used.saturating_add(i64::try_from(running).unwrap_or(i64::MAX))
    }

    /// The turn after a report.
    pub(crate) fn after(turn: Option<Self>, report: &ClockReport) -> Option<Self> {
        let at = report.uptime_ms;
        let Some(side) = report.running else {
            return match (&report.event, turn) {
                (Some(ClockEvent::Reset { .. } | ClockEvent::Boot(_)), _) | (_, None) => None,
                (Some(ClockEvent::Adjust { .. }), Some(turn)) => {
                    Some(Self { had: report.ms(turn.side), used: 0, since: None, ..turn })
                }
                (_, Some(turn)) => Some(Self { used: turn.used_at(at), since: None, ..turn }),
            };
        };
        let begun = Self { side, had: report.ms(side), used: 0, since: Some(at) };
        let Some(turn) = turn else { return Some(begun) };
        match &report.event {
            Some(ClockEvent::Press { .. } | ClockEvent::Start { .. } | ClockEvent::Period { .. }) => {
                Some(begun)
            }
            _ if turn.side != side => Some(begun),
            _ => Some(Self { used: turn.used_at(at), since: Some(at), ..turn }),
        }
    }
}
