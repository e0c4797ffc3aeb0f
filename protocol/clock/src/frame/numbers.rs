//! Names as numbers in frames. A number once given is never given again; 0 is what a reader takes
//! for one it does not know, where there is such a thing.

use crate::{By, Can, Claim, FlagAt, Kind, PeriodsAt, Refusal, Side, StopButton};

/// A name that travels as a number.
pub trait Numbered: Sized + Copy + 'static {
    /// Every name, at the place of its number.
    const TABLE: &'static [Self];

    fn number(self) -> u32
    where
        Self: PartialEq,
    {
        Self::TABLE.iter().position(|name| *name == self).unwrap_or(0) as u32
    }

    fn of(number: u32) -> Option<Self> {
        Self::TABLE.get(number as usize).copied()
    }
}

impl Numbered for Side {
    const TABLE: &'static [Self] = &[Self::Left, Self::Right];
}

impl Numbered for By {
    const TABLE: &'static [Self] =
        &[Self::Unknown, Self::Button, Self::ArbiterKey, Self::Command, Self::Power];
}

impl Numbered for Option<Claim> {
    const TABLE: &'static [Self] = &[None, Some(Claim::First), Some(Claim::Second), Some(Claim::Draw)];
}

impl Numbered for Refusal {
    const TABLE: &'static [Self] = &[
        Self::Other,
        Self::Expired,
        Self::Boot,
        Self::Running,
        Self::Stopped,
        Self::InGame,
        Self::Flag,
        Self::Range,
        Self::Unable,
        Self::Gone,
    ];
}

impl Numbered for Kind {
    const TABLE: &'static [Self] = &[
        Self::Fischer,
        Self::SuddenDeath,
        Self::Bronstein,
        Self::Delay,
        Self::Byoyomi,
        Self::Canadian,
        Self::Hourglass,
        Self::PerMove,
        Self::Gong,
        Self::UpCount,
    ];
}

impl Numbered for FlagAt {
    const TABLE: &'static [Self] = &[Self::Zero, Self::BelowZero];
}

impl Numbered for PeriodsAt {
    const TABLE: &'static [Self] = &[Self::Moves, Self::Zero];
}

impl Numbered for StopButton {
    const TABLE: &'static [Self] = &[Self::On, Self::Off, Self::EndOnly];
}

/// The set of commands: bit 0 is `configure`, in the order of [`Can::names`].
pub fn can(bits: u32) -> Can {
    Can::from_bits((bits & 0xffff) as u16)
}
