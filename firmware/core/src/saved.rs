//! A game that outlives a power cut: what to keep, and how it comes back.
//!
//! The side that ran stands when the clock comes up again, with the time of the last saving: what passed without power
//! is charged to nobody, and nobody's clock runs before a person says so. A board saves at each report, so at most a
//! second of the running side is lost. What memory gives back is checked like everything from outside.

use crate::clock::Clock;
use crate::game::{Account, Game, Phase, settable};
use crate::settings::{Settings, Setup};
use core::fmt;
use flagfall_clock::{By, FlagAt, Kind, Side, SideTimes, StopButton, TimeControl};

/// Length of a saved game, in bytes.
const LENGTH: usize = 72;
/// First byte of a saved game; changes with the layout.
const LAYOUT: u8 = 1;

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
    over: bool,
    number: Option<u16>,
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
        let account = |side| Account { ms: self.game.ms(side, at), presses: self.game.account(side).presses };
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
            over: self.ending.is_over(),
            number: self.number.map(|(number, _)| number),
        }
    }

    /// A clock that comes up at `at` with a game kept from before. Its first report is `boot`, restored.
    #[must_use]
    pub fn restored(settings: Settings, saved: Saved, at: u64) -> Self {
        let mut game = Game::new(saved.setup);
        *game.account_mut(Side::Left) = saved.left;
        *game.account_mut(Side::Right) = saved.right;
        game.flag = saved.flag;
        if let Some(side) = saved.last {
            game.phase = Phase::Stopped { side, by: saved.stopped_by };
        }
        let mut clock = Self::up(settings, game, at, true);
        if saved.over {
            clock.ending.was_over();
        }
        clock.number = saved.number.map(|number| (number, at));
        clock
    }
}

const fn side_code(side: Option<Side>) -> u8 {
    match side {
        None => 0,
        Some(Side::Left) => 1,
        Some(Side::Right) => 2,
    }
}

const fn side_of(code: u8) -> Result<Option<Side>, SavedError> {
    match code {
        0 => Ok(None),
        1 => Ok(Some(Side::Left)),
        2 => Ok(Some(Side::Right)),
        _ => Err(SavedError::Value),
    }
}

const STOPPERS: [Option<By>; 6] =
    [None, Some(By::Button), Some(By::ArbiterKey), Some(By::Command), Some(By::Power), Some(By::Unknown)];

const BUTTONS: [StopButton; 3] = [StopButton::On, StopButton::Off, StopButton::EndOnly];

/// CRC-32 as in Ethernet, bit by bit: 72 bytes, seldom.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

struct Bytes {
    bytes: [u8; LENGTH],
    place: usize,
}

impl Bytes {
    fn put<const N: usize>(&mut self, value: [u8; N]) {
        for byte in value {
            if let Some(place) = self.bytes.get_mut(self.place) {
                *place = byte;
            }
            self.place += 1;
        }
    }

    fn get<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| {
            let byte = self.bytes.get(self.place).copied().unwrap_or(0);
            self.place += 1;
            byte
        })
    }

    fn byte(&mut self) -> u8 {
        let [byte] = self.get();
        byte
    }
}

impl Saved {
    /// As bytes, to be written to memory in one piece.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        let mut to = Bytes { bytes: [0; LENGTH], place: 0 };
        let control = &self.setup.control;
        let kind = match control.kind {
            Kind::Fischer => 0,
        };
        to.put([LAYOUT, kind]);
        for own in [
            Some(SideTimes { base_ms: control.base_ms, increment_ms: control.increment_ms }),
            control.first,
            control.second,
        ] {
            to.put([u8::from(own.is_some())]);
            let own = own.unwrap_or(SideTimes { base_ms: 0, increment_ms: 0 });
            to.put(own.base_ms.to_le_bytes());
            to.put(own.increment_ms.to_le_bytes());
        }
        to.put([
            u8::from(control.increment_on_first_move),
            u8::from(control.flag_at == FlagAt::BelowZero),
            u8::from(control.freeze_on_flag),
            side_code(Some(self.setup.first_side)),
            position(&BUTTONS, self.setup.stop_button),
            side_code(self.last),
            position(&STOPPERS, self.stopped_by),
            side_code(self.flag),
            u8::from(self.over),
        ]);
        for account in [self.left, self.right] {
            to.put(account.ms.to_le_bytes());
            to.put(account.presses.to_le_bytes());
        }
        to.put(self.number.unwrap_or(u16::MAX).to_le_bytes());
        let check = crc(&to.bytes[..LENGTH - 4]).to_le_bytes();
        to.place = LENGTH - 4;
        to.put(check);
        to.bytes
    }

    /// From bytes out of memory.
    ///
    /// # Errors
    /// Where they are not what [`Saved::to_bytes`] gives: then the clock comes up as new.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let bytes: [u8; LENGTH] = bytes.try_into().map_err(|_| SavedError::Layout)?;
        if bytes[0] != LAYOUT {
            return Err(SavedError::Layout);
        }
        let mut from = Bytes { bytes, place: LENGTH - 4 };
        if u32::from_le_bytes(from.get()) != crc(&bytes[..LENGTH - 4]) {
            return Err(SavedError::Check);
        }
        from.place = 1;
        if from.byte() != 0 {
            return Err(SavedError::Value);
        }
        let mut times = || -> Result<Option<SideTimes>, SavedError> {
            let given = flag(from.byte())?;
            let base_ms = u32::from_le_bytes(from.get());
            let increment_ms = u32::from_le_bytes(from.get());
            Ok(given.then_some(SideTimes { base_ms, increment_ms }))
        };
        let both = times()?.ok_or(SavedError::Value)?;
        let (first, second) = (times()?, times()?);
        let control = TimeControl {
            increment_on_first_move: flag(from.byte())?,
            flag_at: if flag(from.byte())? { FlagAt::BelowZero } else { FlagAt::Zero },
            freeze_on_flag: flag(from.byte())?,
            first,
            second,
            ..TimeControl::fischer(both.base_ms, both.increment_ms)
        };
        let setup = Setup {
            control,
            first_side: side_of(from.byte())?.ok_or(SavedError::Value)?,
            stop_button: *BUTTONS.get(usize::from(from.byte())).ok_or(SavedError::Value)?,
        };
        let last = side_of(from.byte())?;
        let stopped_by = *STOPPERS.get(usize::from(from.byte())).ok_or(SavedError::Value)?;
        let fallen = side_of(from.byte())?;
        let over = flag(from.byte())?;
        let mut account =
            || Account { ms: i64::from_le_bytes(from.get()), presses: u32::from_le_bytes(from.get()) };
        let (left, right) = (account(), account());
        let number = u16::from_le_bytes(from.get());
        // Before the start there is nobody to have fallen or ended it; an increment may lift a side over what can be set.
        if !setup.in_range()
            || !settable(left.ms.min(0))
            || !settable(right.ms.min(0))
            || (last.is_none() && (fallen.is_some() || over || stopped_by.is_some()))
            || (number > 9_999 && number != u16::MAX)
        {
            return Err(SavedError::Value);
        }
        Ok(Self {
            setup,
            left,
            right,
            last,
            stopped_by,
            flag: fallen,
            over,
            number: (number <= 9_999).then_some(number),
        })
    }
}

const fn flag(byte: u8) -> Result<bool, SavedError> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(SavedError::Value),
    }
}

fn position<T: PartialEq>(all: &[T], one: T) -> u8 {
    all.iter().position(|other| *other == one).and_then(|place| u8::try_from(place).ok()).unwrap_or(0)
}
