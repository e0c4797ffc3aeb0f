//! The reader as serde wants it.

use super::{JsonError, Number, Reader, Text, unescaped};
use serde::de::{self, IntoDeserializer, Visitor};

type Read<T> = Result<T, JsonError>;

impl<'de> Reader<'de> {
    fn visit_string<V: Visitor<'de>>(&mut self, visitor: V) -> Read<V::Value> {
        match self.string()? {
            Text::Plain(text) => visitor.visit_borrowed_str(text),
            Text::Escaped(text) => visitor.visit_str(&unescaped(text)),
        }
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.token() {
            Some(b'{') => {
                self.at += 1;
                let value = visitor.visit_map(Members { reader: self, first: true })?;
                self.take(b'}', "the end of an object was due")?;
                Ok(value)
            }
            Some(b'[') => {
                self.at += 1;
                let value = visitor.visit_seq(Members { reader: self, first: true })?;
                self.take(b']', "the end of a list was due")?;
                Ok(value)
            }
            Some(b'"') => self.visit_string(visitor),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                match self.number()? {
                    Number::Positive(value) => visitor.visit_u64(value),
                    Number::Negative(value) => visitor.visit_i64(value),
                    Number::NotWhole => visitor.visit_borrowed_bytes(&self.text.as_bytes()[start..self.at]),
                }
            }
            Some(b't') => {
                self.word("true")?;
                visitor.visit_bool(true)
            }
            Some(b'f') => {
                self.word("false")?;
                visitor.visit_bool(false)
            }
            Some(b'n') => {
                self.word("null")?;
                visitor.visit_unit()
            }
            _ => Ok(self.wrong("a value was due")?),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.token() == Some(b'n') {
            self.word("null")?;
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// Only enums of plain names travel.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        match self.string()? {
            Text::Plain(text) => visitor.visit_enum(IntoDeserializer::<JsonError>::into_deserializer(text)),
            Text::Escaped(text) => {
                visitor.visit_enum(IntoDeserializer::<JsonError>::into_deserializer(unescaped(text).as_str()))
            }
        }
    }

    /// An object only: serde would take a list of its fields, too.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        match self.token() {
            Some(b'{') => self.deserialize_any(visitor),
            _ => Ok(self.wrong("an object was due")?),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier
    }
}

/// The members of an object or a list, after its opening.
struct Members<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
}

impl<'de> de::MapAccess<'de> for Members<'_, 'de> {
    type Error = JsonError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        if !self.reader.more(b'}', &mut self.first)? {
            return Ok(None);
        }
        if self.reader.token() != Some(b'"') {
            return Ok(self.reader.wrong("a name was due")?);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        self.reader.take(b':', "a colon was due")?;
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> de::SeqAccess<'de> for Members<'_, 'de> {
    type Error = JsonError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if self.reader.more(b']', &mut self.first)? {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }
}
