//! A game that outlives a power cut: what to keep, and how it comes back.
//!
//! The side that ran stands when the clock comes up again, with the time of the last saving: what passed without power
//! is charged to nobody, and nobody's clock runs before a person says so. A board saves at each report, so at most a
//! second of the running side is lost. What memory gives back is checked like everything from outside.

mod bytes;
mod control;

use crate::clock::Clock;
use crate::control::delays;
use crate::game::{Account, Game, PERIOD_SIGN, Phase, settable};
use crate::settings::{Settings, Setup};
pub use bytes::LENGTH;
use bytes::{Bytes, Opened};
use core::fmt;
use flagfall_clock::{By, Side, StopButton};

/// First byte of a saved game; changes with the layout.
const LAYOUT: u8 = 2;

/// A game as kept in memory that needs no power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    setup: Setup,
    left: Account,
    right: Account,
    /// Who ran last; none before the start.
    last: Option<Side>,
    stopped_by: Option<By>,
    flag: Option<Side>,
    /// Who ended a period at zero, and how long that is still shown, in milliseconds.
    sign: Option<(Side, u32)>,
    pub(crate) over: bool,
    pub(crate) number: Option<u16>,
}

/// Why bytes are no saved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedError {
    /// Not of this length or layout: nothing was saved, or by another version.
    Layout,
    /// The check does not fit: it was being written when the power went, or the memory is worn.
    Check,
    /// A value that no clock saves.
    Value,
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Layout => "no saved game of this version",
            Self::Check => "the saved game is damaged",
            Self::Value => "the saved game has an impossible value",
        })
    }
}

impl core::error::Error for SavedError {}

impl Clock {
    /// The game as it stands at `at`, to be kept over a power cut.
    #[must_use]
    pub fn saved(&self, at: u64) -> Saved {
        let account = |side| Account { ms: self.game.ms(side, at), ..self.game.account(side) };
        let (last, stopped_by) = match self.game.phase {
            Phase::Idle => (None, None),
            Phase::Running { side, .. } => (Some(side), Some(By::Power)),
            Phase::Stopped { side, by } => (Some(side), by),
        };
        Saved {
            setup: self.game.setup,
            left: account(Side::Left),
            right: account(Side::Right),
            last,
            stopped_by,
            flag: self.game.flag,
            sign: self.game.sign.and_then(|(side, until)| {
                let left = until.saturating_sub(at).min(PERIOD_SIGN);
                u32::try_from(left).ok().filter(|left| *left > 0).map(|left| (side, left))
            }),
            over: self.ending.is_over(),
            number: self.number.map(|(number, _)| number),
        }
    }

    /// A clock that comes up at `at` with a game kept from before. Its first report is `boot`, restored.
    #[must_use]
    pub fn restored(settings: Settings, saved: Saved, at: u64) -> Self {
        let mut clock = Self::coming_up(settings, Some(saved), at);
        clock.came_up();
        clock
    }
}

impl Game {
    /// As it was kept; the side that ran stands.
    pub(crate) fn restored(saved: &Saved, at: u64) -> Self {
        let mut game = Self::new(saved.setup);
        *game.account_mut(Side::Left) = saved.left;
        *game.account_mut(Side::Right) = saved.right;
        game.flag = saved.flag;
        game.sign = saved.sign.map(|(side, left)| (side, at.saturating_add(u64::from(left))));
        if let Some(side) = saved.last {
            game.phase = Phase::Stopped { side, by: saved.stopped_by };
        }
        game
    }
}

const STOPPERS: [Option<By>; 6] =
    [None, Some(By::Button), Some(By::ArbiterKey), Some(By::Command), Some(By::Power), Some(By::Unknown)];

const BUTTONS: [StopButton; 3] = [StopButton::On, StopButton::Off, StopButton::EndOnly];

#[inline(never)]
fn put_account(account: &Account, to: &mut Bytes) {
    to.signed(account.ms);
    to.number(account.presses);
    to.flag(account.turn.is_some());
    to.signed(account.turn.unwrap_or(0));
    to.small(account.period);
    to.small(account.made);
}

#[inline(never)]
fn get_account(from: &mut Opened<'_>, setup: &Setup) -> Account {
    let (ms, presses) = (from.signed(), from.number());
    let (in_turn, had) = (from.flag(), from.signed());
    let (period, made) = (from.small(), from.small());
    from.must(settable(ms) && period != 0 && (!in_turn || settable(had) && delays(&setup.control)));
    Account { ms, presses, turn: in_turn.then_some(had), period, made }
}

impl Saved {
    /// The same game some time later, where nothing but time has passed since: a board may keep whole games at events and
    /// two times each second between them.
    ///
    /// # Errors
    /// [`SavedError::Value`] for a time that no clock holds.
    pub fn later(self, left_ms: i64, right_ms: i64) -> Result<Self, SavedError> {
        if !settable(left_ms) || !settable(right_ms) {
            return Err(SavedError::Value);
        }
        let (left, right) = (Account { ms: left_ms, ..self.left }, Account { ms: right_ms, ..self.right });
        Ok(Self { left, right, ..self })
    }

    /// What each side has, left and right, in milliseconds.
    #[must_use]
    pub const fn times(&self) -> (i64, i64) {
        (self.left.ms, self.right.ms)
    }

    /// As bytes, to be written to memory in one piece.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        let mut to = Bytes::new();
        to.byte(LAYOUT);
        control::put(&self.setup.control, &mut to);
        to.side(Some(self.setup.first_side));
        to.one_of(&BUTTONS, &self.setup.stop_button);
        to.side(self.last);
        to.one_of(&STOPPERS, &self.stopped_by);
        to.side(self.flag);
        to.flag(self.over);
        to.side(self.sign.map(|(side, _)| side));
        to.number(self.sign.map_or(0, |(_, left)| left));
        put_account(&self.left, &mut to);
        put_account(&self.right, &mut to);
        to.small(self.number.unwrap_or(u16::MAX));
        to.sealed()
    }

    /// From bytes out of memory.
    ///
    /// # Errors
    /// Where they are not what [`Saved::to_bytes`] gives: then the clock comes up as new.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let mut from = Opened::new(bytes, LAYOUT)?;
        let control = control::get(&mut from);
        let first_side = from.side();
        from.must(first_side.is_some());
        let first_side = first_side.unwrap_or(Side::Left);
        let setup = Setup { control, first_side, stop_button: from.one_of(&BUTTONS) };
        let last = from.side();
        let stopped_by = from.one_of(&STOPPERS);
        let fallen = from.side();
        let over = from.flag();
        let (signed, sign_left) = (from.side(), from.number());
        let (left, right) = (get_account(&mut from, &setup), get_account(&mut from, &setup));
        let number = from.small();
        // Before the start there is nobody to have fallen or ended it.
        from.must(last.is_some() || (fallen.is_none() && !over && stopped_by.is_none()));
        from.must(u64::from(sign_left) <= PERIOD_SIGN);
        from.must(number <= 9_999 || number == u16::MAX);
        from.must(setup.in_range());
        from.or_wrong(Self {
            setup,
            left,
            right,
            last,
            stopped_by,
            flag: fallen,
            sign: signed.map(|side| (side, sign_left)),
            over,
            number: (number <= 9_999).then_some(number),
        })
    }
}
