//! What a clock shows. Decides the text; the board decides the pixels.
//!
//! Seconds are rounded up, so that 0:00 shows only when no time is left: a player must never lose with a second
//! showing, nor play on with none. There is no reminder to press (八.11, FIDE 12.6).

use crate::clock::Clock;
use crate::game::{Beside, Phase};
use core::fmt::Write;
use flagfall_clock::{Claim, Kind, Side};
use heapless::String;

/// Half a period of the blinking `identify`, in milliseconds.
const BLINK: u64 = 500;
/// The table's number and the times take turns at this pace, in milliseconds.
const TURNS: u64 = 3_000;
/// A clock stopped in a game shows the number for so long, in milliseconds.
const NUMBER_IN_GAME: u64 = 10_000;

/// What one side shows.
pub type Shown = String<16>;

/// What the clock is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As new, nothing has run.
    Idle,
    /// A side runs.
    Running,
    /// A game stands.
    Stopped,
    /// A flag has fallen and froze the clock.
    Flag,
    /// The players ended the game at the clock.
    Over,
}

/// What the clock shows at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// Left side: `m:ss`, `h:mm:ss`, below 20 s with tenths; `1`, `0`, `1/2` of a claimed result.
    pub left: Shown,
    /// Right side.
    pub right: Shown,
    /// What it is at.
    pub mode: Mode,
    /// Whose time passes: to be seen from 10 m.
    pub running: Option<Side>,
    /// Which side fell first: a flag sign on that side only.
    pub flag: Option<Side>,
    /// Which side came to zero at the end of a period in the last 5 minutes: a still sign on that side, which is no
    /// flag. Humans now look whether enough moves were made.
    pub period_flag: Option<Side>,
    /// What stands small beside the left side's time.
    pub left_beside: Beside,
    /// What stands small beside the right side's time.
    pub right_beside: Beside,
    /// Which sides pressed before the start (left, right): a small sign each.
    pub ready: (bool, bool),
    /// To be shown in place of the times at this instant.
    pub number: Option<u16>,
    /// Dark at this instant: it blinks so that a person finds it.
    pub blank: bool,
    /// The battery sign.
    pub battery_low: bool,
    /// The period of each side, from 1 (left, right).
    pub periods: (u8, u8),
}

/// Whole seconds as shown: rounded up, never below 0.
#[must_use]
pub const fn shown_seconds(ms: i64) -> i64 {
    if ms <= 0 { 0 } else { (ms - 1) / 1_000 + 1 }
}

/// A side's time as text; tenths, rounded up too, where less than `tenths_below_ms` is left.
#[must_use]
pub fn shown(ms: i64, tenths_below_ms: u32) -> Shown {
    let mut text = Shown::new();
    // Longer than 999 h is beyond any display.
    let seconds = shown_seconds(ms).min(3_599_999);
    let tenths = (ms > 0 && ms < i64::from(tenths_below_ms)).then(|| (ms - 1) / 100 + 1);
    // Rounded up tenths are never more than a minute is long, so they agree with the seconds.
    let seconds = u32::try_from(tenths.map_or(seconds, |tenths| tenths / 10)).unwrap_or(0);
    let hours = seconds / 3_600;
    if hours > 0 {
        put_number(&mut text, hours, 1);
        put(&mut text, ':');
    }
    put_number(&mut text, seconds / 60 % 60, if hours > 0 { 2 } else { 1 });
    put(&mut text, ':');
    put_number(&mut text, seconds % 60, 2);
    if let Some(tenths) = tenths {
        put(&mut text, '.');
        put_number(&mut text, u32::try_from(tenths % 10).unwrap_or(0), 1);
    }
    text
}

fn put(text: &mut dyn Write, sign: char) {
    let written = text.write_char(sign);
    debug_assert!(written.is_ok(), "there is room for every text of a display");
}

/// Writes a number behind what stands in `text`, with zeros in front up to `digits` (1 to 10). The way of `write!` would cost a
/// small controller 4 KB.
pub fn put_number(text: &mut dyn Write, number: u32, digits: u32) {
    let mut scale = 1_000_000_000;
    for place in (1..=10).rev() {
        if number >= scale || place <= digits.max(1) {
            let digit = char::from_digit(number / scale % 10, 10).unwrap_or('0');
            put(text, digit);
        }
        scale = (scale / 10).max(1);
    }
}

impl Clock {
    /// What it shows at `at`.
    #[must_use]
    #[inline(never)]
    pub fn display(&self, at: u64) -> Display {
        let mode = match self.game.phase {
            Phase::Idle => Mode::Idle,
            Phase::Running { .. } => Mode::Running,
            Phase::Stopped { .. } if self.ending.is_over() => Mode::Over,
            Phase::Stopped { .. } if !self.may_run() => Mode::Flag,
            Phase::Stopped { .. } => Mode::Stopped,
        };
        Display {
            left: self.side_shown(Side::Left, at),
            right: self.side_shown(Side::Right, at),
            mode,
            running: self.running(),
            flag: self.flag(),
            period_flag: self.game.sign.and_then(|(side, until)| (at < until).then_some(side)),
            left_beside: self.game.shown(Side::Left, at).1,
            right_beside: self.game.shown(Side::Right, at).1,
            ready: if mode == Mode::Idle { self.ready } else { (false, false) },
            number: self.number_shown(mode, at),
            blank: self.identify_until.is_some_and(|until| until.saturating_sub(at) / BLINK % 2 == 1),
            battery_low: self.battery_low,
            periods: (self.game.period(Side::Left, at), self.game.period(Side::Right, at)),
        }
    }

    /// Until when it shows what it shows at `at`, if nothing happens before: a board need not look at the times more often
    /// than they change. A delay beside a time counts in whole seconds here. Always later than `at`; none while nothing
    /// moves by itself.
    #[must_use]
    #[inline(never)]
    pub fn display_changes_at(&self, at: u64) -> Option<u64> {
        let moving = self.running().map(|running| {
            let hourglass = self.game.setup.control.kind == Kind::Hourglass;
            let sides = [Side::Left, Side::Right].into_iter().filter(|side| hourglass || *side == running);
            sides.map(|side| at.saturating_add(self.text_lasts(side, at))).min().unwrap_or(at)
        });
        let number = self.number.and_then(|(_, since)| match self.game.phase {
            Phase::Idle => Some(at + TURNS - at.saturating_sub(since) % TURNS),
            Phase::Stopped { .. } => Some(since + NUMBER_IN_GAME).filter(|end| *end > at),
            Phase::Running { .. } => None,
        });
        let sign = self.game.sign.map(|(_, until)| until).filter(|until| *until > at);
        let blink = self.identify_until.map(|until| at + until.saturating_sub(at) % BLINK + 1);
        [moving, number, sign, blink].into_iter().flatten().min()
    }

    /// For how long the text of a side that moves stays, in milliseconds; at least 1.
    #[inline(never)]
    fn text_lasts(&self, side: Side, at: u64) -> u64 {
        let (ms, beside) = self.game.shown(side, at);
        let ms = match beside {
            Beside::DelayMs(rest) => rest,
            _ => ms,
        };
        let down = self.game.setup.control.kind != Kind::UpCount && self.running() == Some(side);
        let tenths = i64::from(self.settings.tenths_below_ms);
        let step = if ms <= tenths { 100 } else { 1_000 };
        let lasts = if down {
            // Rounded up: what is shown changes as soon as a whole step is used, and when tenths begin.
            let to_tenths = if ms >= tenths { ms - tenths + 1 } else { i64::MAX };
            ((ms - 1).rem_euclid(step) + 1).min(to_tenths)
        } else {
            (step - (ms - 1).rem_euclid(step)).min(if ms < tenths { tenths - ms } else { i64::MAX })
        };
        u64::try_from(lasts).unwrap_or(1).max(1)
    }

    #[inline(never)]
    fn side_shown(&self, side: Side, at: u64) -> Shown {
        let points = self.claim().map(|claim| match claim {
            Claim::Draw => "1/2",
            Claim::First if side == self.game.setup.first_side => "1",
            Claim::Second if side != self.game.setup.first_side => "1",
            Claim::First | Claim::Second => "0",
        });
        match points.map(Shown::try_from) {
            Some(Ok(points)) => points,
            _ => shown(self.game.shown(side, at).0, self.settings.tenths_below_ms),
        }
    }

    fn number_shown(&self, mode: Mode, at: u64) -> Option<u16> {
        let (number, since) = self.number?;
        let ago = at.saturating_sub(since);
        let show = match mode {
            Mode::Idle => (ago / TURNS).is_multiple_of(2),
            Mode::Running => false,
            Mode::Stopped | Mode::Flag | Mode::Over => ago < NUMBER_IN_GAME,
        };
        show.then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_rounded_up() {
        for (ms, text) in [
            (3_000_000, "50:00"),
            (300_000, "5:00"),
            (299_001, "5:00"),
            (299_000, "4:59"),
            (59_001, "1:00"),
            (1, "0:01"),
            (0, "0:00"),
            (-300, "0:00"),
            (3_599_000, "59:59"),
            (3_600_000, "1:00:00"),
            (3_599_001, "1:00:00"),
            (35_999_000, "9:59:59"),
            (36_000_000, "10:00:00"),
            (i64::MAX, "999:59:59"),
            (i64::MIN, "0:00"),
        ] {
            assert_eq!(shown(ms, 0), text, "{ms}");
        }
    }

    #[test]
    fn tenths_are_rounded_up_below_20_s() {
        for (ms, text) in [
            (20_000, "0:20"),
            (19_999, "0:20.0"),
            (19_900, "0:19.9"),
            (900, "0:00.9"),
            (500, "0:00.5"),
            (101, "0:00.2"),
            (100, "0:00.1"),
            (40, "0:00.1"),
            (1, "0:00.1"),
            (0, "0:00"),
        ] {
            assert_eq!(shown(ms, 20_000), text, "{ms}");
        }
    }
}
