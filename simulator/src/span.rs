//! Spans of time as a person writes them in a scenario: `00:12:30`, `12:30`, `90s`, `15m`, `1h`, `250ms`, `-5m`.
//!
//! Carries milliseconds, which may be negative (before the round's word). Never a bare number: a reader must see the
//! unit.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;
use std::str::FromStr;

/// A span of time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub i64);

impl Span {
    /// So many seconds.
    #[must_use]
    pub const fn seconds(seconds: i64) -> Self {
        Self(seconds * 1_000)
    }

    /// So many minutes.
    #[must_use]
    pub const fn minutes(minutes: i64) -> Self {
        Self(minutes * 60_000)
    }

    /// Its milliseconds, none where it is negative.
    #[must_use]
    pub fn ms(self) -> u64 {
        u64::try_from(self.0).unwrap_or(0)
    }
}

/// Why a text is no span of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no span of time; write it as 00:12:30, 12:30, 90s, 15m, 1h or 250ms")]
pub struct SpanError(String);

/// The longest span taken: a hundred days.
const LONGEST: i64 = 100 * 86_400_000;

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let wrong = || SpanError(text.chars().take(40).collect());
        let (sign, plain) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        if !plain.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(wrong());
        }
        let ms = if plain.contains(':') { colons(plain) } else { with_unit(plain) }.ok_or_else(wrong)?;
        if ms > LONGEST {
            return Err(wrong());
        }
        Ok(Self(sign * ms))
    }
}

fn whole(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 9 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn colons(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').map_or((text, None), |(clock, rest)| (clock, Some(rest)));
    let fraction = match fraction {
        None => 0,
        Some(digits) if digits.len() == 3 => whole(digits)?,
        Some(_) => return None,
    };
    let mut parts = clock.split(':').map(whole).collect::<Option<Vec<_>>>()?;
    if parts.len() == 2 {
        parts.insert(0, 0);
    }
    let [hours, minutes, seconds] = parts[..] else { return None };
    if minutes > 59 && hours > 0 || seconds > 59 {
        return None;
    }
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction)
}

fn with_unit(text: &str) -> Option<i64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let unit = match &text[digits..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    whole(&text[..digits])?.checked_mul(unit)
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, ms) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
        write!(f, "{sign}{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % 1_000)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a span of time such as \"00:12:30\" or \"90s\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn is_read_as_people_write_it() {
        for (text, ms) in [
            ("00:12:30", 750_000),
            ("12:30", 750_000),
            ("90:00", 5_400_000),
            ("00:00:01.250", 1_250),
            ("90s", 90_000),
            ("15m", 900_000),
            ("1h", 3_600_000),
            ("250ms", 250),
            ("-5m", -300_000),
        ] {
            assert_eq!(text.parse(), Ok(Span(ms)), "{text}");
        }
        for wrong in
            ["", "90", "1:2:3:4", "00:75:00x", "1d", "12:99", "+5m", "--5m", "99999999999h", "1:00.5"]
        {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn reads_back_what_it_writes() {
        for ms in [0, 1, 999, 750_000, 90_061_007, -300_000] {
            assert_eq!(Span(ms).to_string().parse(), Ok(Span(ms)));
        }
    }
}
