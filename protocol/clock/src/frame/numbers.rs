//! Names as numbers in frames. A number once given is never given again; 0 is what a reader takes
//! for one it does not know, where there is such a thing.

use crate::{By, Can, Claim, FlagAt, Kind, PeriodsAt, Refusal, Side, StopButton};

/// A name that travels as a number.
pub trait Numbered: Sized + Copy + 'static {
    /// Every name with its number.
    const TABLE: &'static [(u32, Self)];

    fn number(self) -> u32
    where
        Self: PartialEq,
    {
        Self::TABLE.iter().find(|(_, name)| *name == self).map_or(0, |(number, _)| *number)
    }

    fn of(number: u32) -> Option<Self> {
        Self::TABLE.iter().find(|(n, _)| *n == number).map(|(_, name)| *name)
    }
}

impl Numbered for Side {
    const TABLE: &'static [(u32, Self)] = &[(0, Self::Left), (1, Self::Right)];
}

impl Numbered for By {
    const TABLE: &'static [(u32, Self)] =
        &[(0, Self::Unknown), (1, Self::Button), (2, Self::ArbiterKey), (3, Self::Command), (4, Self::Power)];
}

impl Numbered for Claim {
    const TABLE: &'static [(u32, Self)] = &[(1, Self::First), (2, Self::Second), (3, Self::Draw)];
}

impl Numbered for Refusal {
    const TABLE: &'static [(u32, Self)] = &[
        (0, Self::Other),
        (1, Self::Expired),
        (2, Self::Boot),
        (3, Self::Running),
        (4, Self::Stopped),
        (5, Self::InGame),
        (6, Self::Flag),
        (7, Self::Range),
        (8, Self::Unable),
        (9, Self::Gone),
    ];
}

impl Numbered for Kind {
    const TABLE: &'static [(u32, Self)] = &[
        (0, Self::Fischer),
        (1, Self::SuddenDeath),
        (2, Self::Bronstein),
        (3, Self::Delay),
        (4, Self::Byoyomi),
        (5, Self::Canadian),
        (6, Self::Hourglass),
        (7, Self::PerMove),
        (8, Self::Gong),
        (9, Self::UpCount),
    ];
}

impl Numbered for FlagAt {
    const TABLE: &'static [(u32, Self)] = &[(0, Self::Zero), (1, Self::BelowZero)];
}

impl Numbered for PeriodsAt {
    const TABLE: &'static [(u32, Self)] = &[(0, Self::Moves), (1, Self::Zero)];
}

impl Numbered for StopButton {
    const TABLE: &'static [(u32, Self)] = &[(0, Self::On), (1, Self::Off), (2, Self::EndOnly)];
}

/// The set of commands: bit 0 is `configure`, in the order of [`Can::names`].
pub fn can(bits: u32) -> Can {
    Can::from_bits((bits & 0xffff) as u16)
}
