//! Wall time: for people, never compared by the rules.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// An instant of wall time, in milliseconds since 1970-01-01T00:00:00Z. On the wire RFC 3339 in
/// UTC with milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wall(pub i64);

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(instant) => write!(f, "{instant:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl fmt::Debug for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Wall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<jiff::Timestamp>()
            .map(|instant| Self(instant.as_millisecond()))
            .map_err(|_| format!("`{text}` is no instant; write it as 2012-06-14T00:30:00.000Z"))
    }
}

impl Serialize for Wall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Wall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Wall;

    #[test]
    fn is_written_in_utc_with_milliseconds_and_read_with_any_offset() {
        let instant: Wall = "2012-06-14T08:30:00+08:00".parse().unwrap();
        assert_eq!(instant.to_string(), "2012-06-14T00:30:00.000Z");
        assert_eq!(serde_json::from_str::<Wall>("\"2012-06-14T00:30:00.000Z\"").unwrap(), instant);
        assert!("tomorrow".parse::<Wall>().is_err());
    }
}
