//! Names: which clock, which side of it, which player.

use core::fmt;
use core::str::FromStr;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A clock's own name: 1 to 16 of `A-Za-z0-9._-`. It survives re-plugging and a new port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockId {
    bytes: [u8; 16],
    len: u8,
}

/// Why a text is not the name of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockIdError {
    /// Empty, or longer than 16 bytes.
    Length,
    /// A character other than `A-Za-z0-9._-`.
    Character,
}

impl fmt::Display for ClockIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "a clock's id has 1 to 16 characters",
            Self::Character => "a clock's id is made of A-Z a-z 0-9 . _ -",
        })
    }
}

impl core::error::Error for ClockIdError {}

impl ClockId {
    /// What a clock is called that nobody has given a name yet; it says nothing to anybody.
    pub const NAMELESS: Self = Self { bytes: *b"-\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", len: 1 };

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or("?")
    }
}

impl FromStr for ClockId {
    type Err = ClockIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() || text.len() > 16 {
            return Err(ClockIdError::Length);
        }
        if !text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-')) {
            return Err(ClockIdError::Character);
        }
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self { bytes, len: text.len() as u8 })
    }
}

impl fmt::Display for ClockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ClockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ClockId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ClockId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = ClockId;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a clock's id")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<ClockId, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A side of the clock as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Left as seen from the front.
    Left,
    /// Right as seen from the front.
    Right,
}

impl Side {
    /// The opposite side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A player: `first` moves first (Red in xiangqi, White in chess).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Red in xiangqi, White in chess.
    First,
    /// Black.
    Second,
}

impl Player {
    /// Both, the first player first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The side he sits at, where the first player has `first_side`.
    #[must_use]
    pub const fn side(self, first_side: Side) -> Side {
        match self {
            Self::First => first_side,
            Self::Second => first_side.other(),
        }
    }

    /// Who sits at `side`, where the first player has `first_side`.
    #[must_use]
    pub fn at(side: Side, first_side: Side) -> Self {
        if side == first_side { Self::First } else { Self::Second }
    }
}
