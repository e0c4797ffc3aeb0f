//! The members of an object, taken whatever they hold and judged once it is known what the object is.
//!
//! The members of a command belong to its `type`, which may be of a later version and may stand last. So a text, a list or
//! an object within is only passed over, its place kept, and read when somebody asks for it. Nothing here depends on
//! what is asked for, so that a small controller has this code once and little on its stack.

use super::read::{JsonError, Reader, Reason};
use serde::Deserialize;
use serde::de::IntoDeserializer;

type Result<T> = core::result::Result<T, JsonError>;

/// What a member holds, or where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Member {
    /// Left out.
    #[default]
    Absent,
    Null,
    Bool(bool),
    Positive(u64),
    Negative(i64),
    /// A text begins there.
    Text(usize),
    /// An object begins there.
    Object(usize),
    /// A list begins there.
    List(usize),
    /// A number that is no whole one.
    Other,
}

impl Member {
    /// Left out, or null.
    pub const fn is_unsaid(self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }

    fn whole<N: TryFrom<u64> + TryFrom<i64>>(self) -> Option<N> {
        match self {
            Self::Positive(n) => N::try_from(n).ok(),
            Self::Negative(n) => N::try_from(n).ok(),
            _ => None,
        }
    }
}

/// The members of these names of one object.
pub struct Members<'de, const N: usize> {
    reader: Reader<'de>,
    names: &'static [&'static str; N],
    members: [Member; N],
}

impl<'de, const N: usize> Members<'de, N> {
    /// Those of an object that fills `text`.
    pub fn whole(text: &'de [u8], names: &'static [&'static str; N]) -> Result<Self> {
        let mut reader = Reader::new(text)?;
        let mut members = [Member::Absent; N];
        reader.members(names, &mut members)?;
        reader.end()?;
        Ok(Self { reader, names, members })
    }

    /// Those of the object that is a member of this one.
    pub fn within<const M: usize>(
        &self,
        name: &'static str,
        names: &'static [&'static str; M],
    ) -> Result<Members<'de, M>> {
        let Member::Object(at) = self.member(name) else { return Err(self.wrong(name)) };
        self.object(at, names)
    }

    /// Those of the object at a place.
    pub fn object<const M: usize>(
        &self,
        at: usize,
        names: &'static [&'static str; M],
    ) -> Result<Members<'de, M>> {
        let mut reader = self.reader.from(at);
        let mut members = [Member::Absent; M];
        reader.members(names, &mut members)?;
        Ok(Members { reader, names, members })
    }

    /// Each element of the list at a place.
    pub fn elements(&self, at: usize, each: &mut dyn FnMut(Member)) -> Result<()> {
        self.reader.from(at).elements(each)
    }

    pub fn member(&self, name: &str) -> Member {
        self.names.iter().position(|other| *other == name).map_or(Member::Absent, |place| self.members[place])
    }

    /// It is not what it should be, or missing.
    pub fn wrong(&self, name: &'static str) -> JsonError {
        let reason = match self.member(name) {
            Member::Absent => Reason::Missing(name),
            _ => Reason::Wrong(name),
        };
        JsonError { at: self.reader.at(), reason }
    }

    /// A number that must be there.
    pub fn number<T: TryFrom<u64> + TryFrom<i64>>(&self, name: &'static str) -> Result<T> {
        self.member(name).whole().ok_or_else(|| self.wrong(name))
    }

    /// A number that may be left out.
    pub fn said<T: TryFrom<u64> + TryFrom<i64>>(&self, name: &'static str) -> Result<Option<T>> {
        if self.member(name).is_unsaid() { Ok(None) } else { self.number(name).map(Some) }
    }

    /// Yes or no; `unsaid` where it is left out.
    pub fn flag(&self, name: &'static str, unsaid: bool) -> Result<bool> {
        match self.member(name) {
            Member::Bool(said) => Ok(said),
            member if member.is_unsaid() => Ok(unsaid),
            _ => Err(self.wrong(name)),
        }
    }

    /// A text, given to `read`, that must be there.
    pub fn text<T>(&self, name: &'static str, read: impl FnOnce(&str) -> T) -> Result<T> {
        let Member::Text(at) = self.member(name) else { return Err(self.wrong(name)) };
        self.reader.from(at).text(read)
    }

    /// A name of an enum that may be left out; `Ok(None)` for one that this version does not have.
    pub fn name<T: for<'a> Deserialize<'a>>(&self, name: &'static str, unsaid: T) -> Result<Option<T>> {
        if self.member(name).is_unsaid() { Ok(Some(unsaid)) } else { self.text(name, of_name) }
    }
}

/// The value of an enum that is called so.
pub fn of_name<T: for<'a> Deserialize<'a>>(text: &str) -> Option<T> {
    let text: serde::de::value::StrDeserializer<'_, NoMatter> = text.into_deserializer();
    T::deserialize(text).ok()
}

/// An error of which only its being one counts; it keeps no words.
#[derive(Debug)]
pub struct NoMatter;

impl core::fmt::Display for NoMatter {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no such name")
    }
}

impl core::error::Error for NoMatter {}

impl serde::de::Error for NoMatter {
    fn custom<T: core::fmt::Display>(_: T) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }
}
