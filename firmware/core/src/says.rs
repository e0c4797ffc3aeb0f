//! What a clock says, and when: each event with its whole state, and a status where nothing happens.

use crate::clock::Clock;
use crate::outbox::{Happened, Kept, Origin, STATUSES};
use crate::settings::Settings;
use flagfall_clock::{About, ClockReport, Side};

/// A status each second while a side runs, in milliseconds.
pub(crate) const STATUS_RUNNING: u64 = 1_000;
/// A status each 5 s else, in milliseconds.
const STATUS_STANDING: u64 = 5_000;
/// A battery counts as well again from this much above the limit, in percent.
const BATTERY_WELL: u8 = 5;

impl Clock {
    #[inline(never)]
    pub(crate) fn status(&mut self, at: u64, until: u64) {
        let report = self.report(at, None);
        self.outbox.status(report);
        let period = self.status_period();
        self.next_status = at.saturating_add(period);
        // Looked at very late: leave out those that would be merged anyway, but pass nothing else that is due.
        let (next, _) = self.due_before(until);
        let late = (next.saturating_sub(self.next_status) / period).saturating_sub(STATUSES as u64);
        self.next_status += late * period;
    }

    pub(crate) const fn status_period(&self) -> u64 {
        if self.game.running().is_some() { STATUS_RUNNING } else { STATUS_STANDING }
    }

    pub(crate) fn battery_measured(&mut self, at: u64, percent: u8) {
        self.battery = Some(percent);
        let limit = self.settings.battery_low_pct;
        if percent < limit && !self.battery_low {
            self.battery_low = true;
            self.tell(at, Happened::BatteryLow);
        } else if percent >= limit.saturating_add(BATTERY_WELL).min(100) {
            self.battery_low = false;
        }
    }

    /// Says an event; the next status has time again. Gives the report's `seq`.
    pub(crate) fn tell(&mut self, at: u64, event: Happened) -> u32 {
        let report = self.report(at, Some(event));
        self.next_status = at.saturating_add(self.status_period());
        self.outbox.event(report)
    }

    #[inline(never)]
    fn report(&self, at: u64, event: Option<Happened>) -> Kept {
        let game = &self.game;
        // No clock is set beyond 100 h, so every time fits; the bounds only say so.
        let ms = |side| game.ms(side, at).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        let kept = Kept {
            left_ms: ms(Side::Left),
            right_ms: ms(Side::Right),
            running: game.running(),
            left_presses: game.account(Side::Left).presses,
            right_presses: game.account(Side::Right).presses,
            flag: game.flag,
            stopped_by: game.stopped_by(),
            battery_pct: self.battery,
            periods: (game.period(Side::Left, at), game.period(Side::Right, at)),
            event,
            ..Kept::default()
        };
        kept.at(at)
    }

    pub(crate) fn about(&self) -> About {
        About {
            firmware: self.settings.firmware.clone(),
            restored: self.restored,
            resolution_ms: self.settings.resolution_ms,
            can: Some(self.settings.can),
        }
    }

    /// The next report to send, and it is the caller's from then on. Statuses that nobody fetches are merged, events
    /// stay for `replay`.
    #[inline(never)]
    pub fn next_report(&mut self) -> Option<ClockReport> {
        let kept = self.outbox.next()?;
        let Settings { clock, boot, .. } = self.settings;
        Some(kept.report(Origin { clock, boot, about: self.about() }))
    }

    /// How many events have happened in this boot: where it changes, a board writes the game to its memory before it sends
    /// the next report.
    #[must_use]
    pub const fn events(&self) -> u32 {
        self.outbox.events()
    }

    /// Events the daemon has not yet said to be durable, at most 64: a sign for the display that the link is down.
    #[must_use]
    pub fn unacked(&self) -> usize {
        self.outbox.unacked()
    }
}
