//! A value whose meaning waits until the `type` beside it is known.
//!
//! The members of `event` belong to their `type`, which may be of a later version and may
//! stand last; so whatever a member holds is taken, and only a known type asks for more.

use crate::Can;
use core::fmt;
use heapless::String;
use serde::de::{Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// One member's value, as far as any known type could use it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Not there.
    #[default]
    Absent,
    Null,
    Bool(bool),
    Positive(u64),
    Negative(i64),
    /// Cut to fit; longer than any name of ours.
    Text(String<48>),
    /// A list; the known commands named in it.
    List(Can),
    /// Anything else.
    Other,
}

impl Value {
    /// A whole number, if it is one of the type.
    pub fn number<N: TryFrom<u64> + TryFrom<i64>>(&self) -> Option<N> {
        match self {
            Self::Positive(n) => N::try_from(*n).ok(),
            Self::Negative(n) => N::try_from(*n).ok(),
            _ => None,
        }
    }

    pub const fn bool(&self) -> Option<bool> {
        match self {
            Self::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The plain name of an enum; `None` for a name it does not have.
    pub fn name<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        let text: serde::de::value::StrDeserializer<'a, serde::de::value::Error> =
            self.text()?.into_deserializer();
        T::deserialize(text).ok()
    }

    /// Not there, or null.
    pub const fn is_unsaid(&self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }
}

/// What a known type needs and did not get.
pub fn needs<T, E: Error>(field: &'static str, value: &Value, got: Option<T>) -> Result<T, E> {
    got.ok_or_else(|| match value {
        Value::Absent => E::missing_field(field),
        _ => E::custom(format_args!("{field} is not what it should be")),
    })
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(Value::Positive(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(u64::try_from(value).map_or(Value::Negative(value), Value::Positive))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
                Ok(Value::Other)
            }
            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                let mut kept = String::new();
                for c in text.chars() {
                    if kept.push(c).is_err() {
                        break;
                    }
                }
                Ok(Value::Text(kept))
            }
            fn visit_bytes<E>(self, _: &[u8]) -> Result<Value, E> {
                Ok(Value::Other)
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_none<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
                Value::deserialize(from)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut can = Can::none();
                while let Some(Element(name)) = list.next_element()? {
                    can = can.with(&name);
                }
                Ok(Value::List(can))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }
        }
        from.deserialize_any(Any)
    }
}

/// An element of a list: its text, or empty for anything else, which is passed over flat.
struct Element(String<16>);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = Element;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Element, E> {
                Ok(Element(String::try_from(text).unwrap_or_default()))
            }
            fn visit_bytes<E>(self, _: &[u8]) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_unit<E>(self) -> Result<Element, E> {
                Ok(Element(String::new()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Element, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Element(String::new()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Element(String::new()))
            }
        }
        from.deserialize_any(Name)
    }
}
