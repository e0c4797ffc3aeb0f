//! The members of an object, taken whatever they hold and judged once it is known what the object is.
//!
//! The members of a command belong to its `type`, which may be of a later version and may stand last. So a text, a list or
//! an object within is only passed over, its place kept, and read when somebody asks for it. Nothing here depends on
//! what is asked for, and the first fault is kept beside in place of being handed up at every step: so a small controller
//! has this code once, and little on its stack.

use super::read::{Fault, Reader};
use core::cell::Cell;
use serde::Deserialize;
use serde::de::IntoDeserializer;

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
}

/// The first fault that was found in a text.
#[derive(Default)]
pub struct FirstFault(Cell<Option<Fault>>);

impl FirstFault {
    fn found(&self, fault: Fault) {
        if self.0.get().is_none() {
            self.0.set(Some(fault));
        }
    }

    /// What was read, if no fault was found.
    pub fn or<T>(self, read: T) -> Result<T, Fault> {
        self.0.take().map_or(Ok(read), Err)
    }
}

/// The members of these names of one object. Where one is not what it should be, that is kept as a fault, and what is
/// given in its place has no meaning.
pub struct Members<'a, const N: usize> {
    reader: Reader<'a>,
    names: &'static [&'static str; N],
    members: [Member; N],
    fault: &'a FirstFault,
}

impl<'a, const N: usize> Members<'a, N> {
    /// Those of an object that fills `text`.
    pub fn whole(text: &'a [u8], names: &'static [&'static str; N], fault: &'a FirstFault) -> Self {
        let reader = Reader::new(text).unwrap_or_else(|error| {
            fault.found(error);
            Reader::empty()
        });
        let mut own = Self { reader, names, members: [Member::Absent; N], fault };
        let read = own.reader.members(names, &mut own.members).and_then(|()| own.reader.end());
        own.keep(read);
        own
    }

    /// Those of the object at a place.
    fn at<const M: usize>(&self, at: usize, names: &'static [&'static str; M]) -> Members<'a, M> {
        let mut own =
            Members { reader: self.reader.from(at), names, members: [Member::Absent; M], fault: self.fault };
        let read = own.reader.members(names, &mut own.members);
        own.keep(read);
        own
    }

    /// Those of the object that is a member of this one.
    pub fn within<const M: usize>(
        &self,
        name: &'static str,
        names: &'static [&'static str; M],
    ) -> Members<'a, M> {
        match self.member(name) {
            Member::Object(at) => self.at(at, names),
            _ => {
                self.wrong(name);
                Members { reader: Reader::empty(), names, members: [Member::Absent; M], fault: self.fault }
            }
        }
    }

    /// Those of each element of the list that is a member of this one; none where it is left out. An element that is no
    /// object is a fault of `named`.
    pub fn each_within<const M: usize>(
        &self,
        name: &'static str,
        named: &'static str,
        names: &'static [&'static str; M],
        each: &mut dyn FnMut(&Members<'a, M>),
    ) {
        let member = self.member(name);
        let Member::List(at) = member else {
            if !member.is_unsaid() {
                self.wrong(name);
            }
            return;
        };
        let read = self.reader.from(at).elements(&mut |element| match element {
            Member::Object(at) => each(&self.at(at, names)),
            _ => self.fault.found(Fault::wrong(named, at)),
        });
        self.keep(read);
    }

    fn keep(&self, read: Result<(), Fault>) {
        if let Err(fault) = read {
            self.fault.found(fault);
        }
    }

    pub fn member(&self, name: &str) -> Member {
        self.names
            .iter()
            .zip(&self.members)
            .find(|(other, _)| **other == name)
            .map_or(Member::Absent, |(_, own)| *own)
    }

    /// It is not what it should be, or missing.
    pub fn wrong(&self, name: &'static str) {
        self.wrong_as(name, name);
    }

    /// The same, called by a name that says more.
    pub fn wrong_as(&self, name: &'static str, named: &'static str) {
        let at = self.reader.at();
        self.fault.found(match self.member(name) {
            Member::Absent => Fault::missing(named, at),
            _ => Fault::wrong(named, at),
        });
    }

    /// A number from 0 to `most` that must be there.
    pub fn number(&self, name: &'static str, most: u64) -> u64 {
        match self.member(name) {
            Member::Positive(number) if number <= most => number,
            _ => {
                self.wrong(name);
                0
            }
        }
    }

    /// The same in 32 bits.
    pub fn short(&self, name: &'static str) -> u32 {
        self.number(name, u64::from(u32::MAX)) as u32
    }

    /// A number of 32 bits that may be left out.
    pub fn said(&self, name: &'static str) -> Option<u32> {
        (!self.member(name).is_unsaid()).then(|| self.short(name))
    }

    /// A number of 16 bits that may be left out.
    pub fn said_small(&self, name: &'static str) -> Option<u16> {
        (!self.member(name).is_unsaid()).then(|| self.number(name, u64::from(u16::MAX)) as u16)
    }

    /// A number that may be below zero.
    pub fn signed(&self, name: &'static str) -> i64 {
        match self.member(name) {
            Member::Negative(number) => number,
            _ => self.number(name, i64::MAX as u64) as i64,
        }
    }

    /// Yes or no; `unsaid` where it is left out.
    pub fn flag(&self, name: &'static str, unsaid: bool) -> bool {
        match self.member(name) {
            Member::Bool(said) => said,
            member => {
                if !member.is_unsaid() {
                    self.wrong(name);
                }
                unsaid
            }
        }
    }

    /// What `read` makes of a text that must be there.
    pub fn text<T>(&self, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let Member::Text(at) = self.member(name) else {
            self.wrong(name);
            return None;
        };
        self.reader.from(at).text(read).ok().flatten()
    }

    /// What `read` makes of a text that must be there and make sense.
    pub fn must<T>(&self, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let read = self.text(name, read);
        if read.is_none() {
            self.wrong(name);
        }
        read
    }

    /// A name of an enum that may be left out; none for one that this version does not have.
    pub fn name<T: for<'n> Deserialize<'n>>(&self, name: &'static str, unsaid: T) -> Option<T> {
        if self.member(name).is_unsaid() { Some(unsaid) } else { self.text(name, of_name) }
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
