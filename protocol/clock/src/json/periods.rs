//! A control's `periods` as a JSON list.
//!
//! Like every member of an action it is taken whatever it holds, and judged only once the action is known.

use super::value::{Object, Value};
use crate::{MAX_PERIODS, Period, Periods};
use core::fmt;
use heapless::Vec;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The list, as far as this version can hold it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum List {
    /// Left out, or null.
    #[default]
    Unsaid,
    Is(Periods),
    /// More periods than this version holds.
    TooMany,
    /// A period that is none, or has no such member.
    Wrong(&'static str),
    /// No list.
    Other,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Members {
    moves: Value,
    base_ms: Value,
    increment_ms: Value,
}

impl Members {
    /// The period, or the name of what is wrong with it.
    fn period(&self) -> Result<Period, &'static str> {
        fn or_none<N: TryFrom<u64> + TryFrom<i64> + Default>(value: &Value) -> Option<N> {
            if value.is_unsaid() { Some(N::default()) } else { value.number() }
        }
        Ok(Period {
            moves: or_none(&self.moves).ok_or("moves")?,
            base_ms: self.base_ms.number().ok_or("base_ms")?,
            increment_ms: or_none(&self.increment_ms).ok_or("increment_ms")?,
        })
    }
}

impl List {
    /// The periods; `None` where this version cannot hold them.
    pub fn periods<E: Error>(&self) -> Result<Option<Periods>, E> {
        match self {
            Self::Unsaid => Ok(Some(Periods::new())),
            Self::Is(periods) => Ok(Some(*periods)),
            Self::TooMany => Ok(None),
            Self::Wrong(field) => {
                Err(E::custom(format_args!("{field} of a period is missing or not what it should be")))
            }
            Self::Other => Err(E::custom("periods is not what it should be")),
        }
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = List;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_u64<E>(self, _: u64) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_i64<E>(self, _: i64) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_f64<E>(self, _: f64) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_str<E>(self, _: &str) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_bytes<E>(self, _: &[u8]) -> Result<List, E> {
                Ok(List::Other)
            }
            fn visit_unit<E>(self) -> Result<List, E> {
                Ok(List::Unsaid)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(List::Other)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List, A::Error> {
                let mut periods: Vec<Period, MAX_PERIODS> = Vec::new();
                let (mut wrong, mut more) = (None, false);
                while let Some(element) = list.next_element::<Object<Members>>()? {
                    match element {
                        Object::Is(members) => match members.period() {
                            Ok(period) => more |= periods.push(period).is_err(),
                            Err(field) => wrong = wrong.or(Some(field)),
                        },
                        Object::Absent | Object::Null | Object::Other => wrong = wrong.or(Some("base_ms")),
                    }
                }
                Ok(match wrong {
                    _ if more => List::TooMany,
                    Some(field) => List::Wrong(field),
                    None => List::Is(periods.into()),
                })
            }
        }
        from.deserialize_any(Any)
    }
}
