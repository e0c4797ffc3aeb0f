//! Wall time at which a scenario begins, with the offset in which its timetable is written.

use flagfall_arbiter::Wall;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;

/// An instant and the hall's offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The instant.
    pub wall: Wall,
    /// East of UTC, in milliseconds.
    pub offset_ms: i64,
}

impl Begin {
    /// Wall time so many milliseconds later.
    #[must_use]
    pub fn after(&self, ms: u64) -> Wall {
        Wall(self.wall.0 + i64::try_from(ms).unwrap_or(i64::MAX / 4))
    }

    /// Local date and time so many milliseconds later, as a timetable writes it: `2012-06-14T08:30:00`.
    #[must_use]
    pub fn local(&self, ms: u64) -> String {
        let text = Wall(self.after(ms).0 + self.offset_ms).to_string();
        text.get(..19).unwrap_or(&text).to_owned()
    }
}

impl std::str::FromStr for Begin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no instant with an offset; write it as 2012-06-14T08:00:00+08:00");
        let wall: Wall = text.parse().map_err(|_| wrong())?;
        let offset_ms = if text.ends_with(['Z', 'z']) { 0 } else { offset(text).ok_or_else(wrong)? };
        Ok(Self { wall, offset_ms })
    }
}

fn offset(text: &str) -> Option<i64> {
    let tail = text.get(text.len().checked_sub(6)?..)?;
    let (sign, rest) = match tail.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000)
}

impl<'de> Deserialize<'de> for Begin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Begin;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an instant in quotes such as \"2012-06-14T08:00:00+08:00\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Begin, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::Begin;

    #[test]
    fn keeps_the_hall_s_own_time_of_day() {
        let begin: Begin = "2012-06-14T08:00:00+08:00".parse().unwrap();
        assert_eq!(begin.after(0).to_string(), "2012-06-14T00:00:00.000Z");
        assert_eq!(begin.local(1_800_000), "2012-06-14T08:30:00");
        let west: Begin = "2012-06-14T20:00:00-05:30".parse().unwrap();
        assert_eq!(west.local(0), "2012-06-14T20:00:00");
        assert!("2012-06-14T08:00:00".parse::<Begin>().is_err());
    }
}
