//! When the display is written, and what happens when it is not there.

use crate::screen::{Face, Screen};
use flagfall_firmware::Clock;

/// A display that failed is tried again after so long, in milliseconds.
const RETRY: u64 = 2_000;
/// A display is sent its settings again so often, in milliseconds.
const REFRESH: u64 = 1_000;
/// Reports that nobody confirmed for so long, in milliseconds, are shown as waiting.
const WAITS: u64 = 10_000;

pub(crate) struct Shown<S> {
    screen: S,
    /// It failed, and is left alone until then.
    away_until: Option<u64>,
    refresh_at: u64,
    /// Since when there is always something unconfirmed.
    unconfirmed_since: Option<u64>,
    drawn_at: Option<u64>,
    more: bool,
}

impl<S: Screen> Shown<S> {
    pub(crate) const fn new(screen: S) -> Self {
        Self {
            screen,
            away_until: None,
            refresh_at: REFRESH,
            unconfirmed_since: None,
            drawn_at: None,
            more: true,
        }
    }

    /// Sends at most one slice of what is to be seen at `now`. Gives when to be called again at the latest.
    #[inline(never)]
    pub(crate) fn turn(&mut self, clock: &Clock, nameless: bool, now: u64) -> Option<u64> {
        self.unconfirmed_since =
            (clock.unacked() > 0 && !nameless).then(|| self.unconfirmed_since.unwrap_or(now));
        if let Some(until) = self.away_until {
            if now < until {
                return Some(until);
            }
            self.away_until = None;
            self.screen.restart();
            self.more = true;
        }
        if self.drawn_at != Some(now) {
            self.drawn_at = Some(now);
            self.screen.show(&Face {
                display: clock.display(now),
                link_waits: self.unconfirmed_since.is_some_and(|since| now >= since + WAITS),
                nameless,
            });
        }
        if now >= self.refresh_at && !self.more {
            self.refresh_at = now + REFRESH;
            self.screen.refresh();
        }
        match self.screen.slice() {
            Ok(more) => self.more = more,
            Err(_) => self.away_until = Some(now + RETRY),
        }
        if let Some(until) = self.away_until {
            return Some(until);
        }
        if self.more {
            return Some(now);
        }
        let changes = clock.display_changes_at(now);
        Some(changes.map_or(self.refresh_at, |changes| changes.min(self.refresh_at)))
    }
}
