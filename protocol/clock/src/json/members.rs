//! The members of an object, taken whatever they hold and judged once it is known what the object is.
//!
//! The members of a command belong to its `type`, which may be of a later version and may stand last. So a value is only
//! passed over, the place where it stands kept, and read when somebody asks for it. Nothing here depends on what is asked
//! for, a member is asked for by its place among the names and not by its name, and the first fault is kept beside in
//! place of being handed up at every step: so a small controller has this code once, and little on its stack.

use super::read::{Fault, Reader};
use core::cell::Cell;

/// The most members that any of our objects has.
pub const MOST: usize = 15;

/// Names of members, and for each a constant that is its place among them.
macro_rules! members {
    ($($place:ident = $name:literal),+ $(,)?) => {
        pub const NAMES: &[&str] = &[$($name),+];
        const _: () = assert!(NAMES.len() <= $crate::json::MOST);
        $crate::json::members!(@ 0; $($place)+);
    };
    (@ $number:expr; $place:ident $($rest:ident)*) => {
        pub const $place: usize = $number;
        $crate::json::members!(@ $number + 1; $($rest)*);
    };
    (@ $number:expr;) => {};
}
pub(crate) use members;

/// What a member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// Left out.
    Absent,
    Null,
    Bool(bool),
    Positive(u64),
    Negative(i64),
    Text,
    Object,
    List,
    /// A number that is no whole one.
    Other,
}

/// The first fault that was found in a text.
#[derive(Default)]
pub struct FirstFault(Cell<Option<Fault>>);

impl FirstFault {
    #[inline(never)]
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
pub struct Members<'a> {
    reader: Reader<'a>,
    names: &'static [&'static str],
    /// Where each stands in the text; 0, where the text begins and no member does: nowhere.
    members: [usize; MOST],
    fault: &'a FirstFault,
}

impl<'a> Members<'a> {
    /// Those of an object that fills `text`.
    pub fn whole(text: &'a [u8], names: &'static [&'static str], fault: &'a FirstFault) -> Self {
        let reader = Reader::new(text).unwrap_or_else(|error| {
            fault.found(error);
            Reader::empty()
        });
        let mut own = Self::of(reader, names, fault);
        let end = own.reader.end();
        own.keep(end);
        own
    }

    /// Those of the object that follows.
    #[inline(never)]
    fn of(reader: Reader<'a>, names: &'static [&'static str], fault: &'a FirstFault) -> Self {
        let mut own = Self { reader, names, members: [0; MOST], fault };
        let read = own.reader.members(names, &mut own.members);
        own.keep(read);
        own
    }

    /// Those of the object that is a member of this one.
    #[inline(never)]
    pub fn within(&self, place: usize, names: &'static [&'static str]) -> Self {
        let reader = if self.member(place) == Member::Object {
            self.reader.from(self.at(place))
        } else {
            self.wrong(place);
            Reader::empty()
        };
        Self::of(reader, names, self.fault)
    }

    /// Those of each element of the list that is a member of this one; none where it is left out. An element that is no
    /// object is a fault of `named`.
    pub fn each_within(
        &self,
        place: usize,
        named: &'static str,
        names: &'static [&'static str],
        each: &mut dyn FnMut(&Self),
    ) {
        if self.is_unsaid(place) {
            return;
        }
        if self.member(place) != Member::List {
            self.wrong(place);
            return;
        }
        let list = self.at(place);
        let read = self.reader.from(list).elements(&mut |at| match self.reader.member(at) {
            Member::Object => each(&Self::of(self.reader.from(at), names, self.fault)),
            _ => self.fault.found(Fault::wrong(named, list)),
        });
        self.keep(read);
    }

    fn keep(&self, read: Result<(), Fault>) {
        if let Err(fault) = read {
            self.fault.found(fault);
        }
    }

    /// Where a member stands; 0: nowhere.
    fn at(&self, place: usize) -> usize {
        self.members.get(place).copied().unwrap_or(0)
    }

    fn member(&self, place: usize) -> Member {
        match self.at(place) {
            0 => Member::Absent,
            at => self.reader.member(at),
        }
    }

    /// Left out, or null.
    #[inline(never)]
    pub fn is_unsaid(&self, place: usize) -> bool {
        matches!(self.member(place), Member::Absent | Member::Null)
    }

    /// It is not what it should be, or missing.
    #[inline(never)]
    pub fn wrong(&self, place: usize) {
        self.wrong_as(place, self.names.get(place).copied().unwrap_or_default());
    }

    /// The same, called by a name that says more.
    #[inline(never)]
    pub fn wrong_as(&self, place: usize, named: &'static str) {
        let at = self.reader.at();
        self.fault.found(match self.member(place) {
            Member::Absent => Fault::missing(named, at),
            _ => Fault::wrong(named, at),
        });
    }

    /// A number from 0 to `most`; none where it is no such thing.
    fn limited(&self, place: usize, most: u32) -> Option<u32> {
        match self.member(place) {
            Member::Positive(number) => u32::try_from(number).ok().filter(|number| *number <= most),
            _ => None,
        }
    }

    /// A number of 64 bits that must be there.
    pub fn long(&self, place: usize) -> u64 {
        if let Member::Positive(number) = self.member(place) {
            return number;
        }
        self.wrong(place);
        0
    }

    /// A number from 0 to `most` that must be there, called by a name that says more.
    #[inline(never)]
    pub fn number_as(&self, place: usize, most: u32, named: &'static str) -> u32 {
        self.limited(place, most).unwrap_or_else(|| {
            self.wrong_as(place, named);
            0
        })
    }

    /// A number of 32 bits that must be there.
    #[inline(never)]
    pub fn short(&self, place: usize) -> u32 {
        self.limited(place, u32::MAX).unwrap_or_else(|| {
            self.wrong(place);
            0
        })
    }

    /// A number of 32 bits that may be left out.
    #[inline(never)]
    pub fn said(&self, place: usize) -> Option<u32> {
        (!self.is_unsaid(place)).then(|| self.short(place))
    }

    /// A number of 16 bits that must be there.
    #[inline(never)]
    pub fn small(&self, place: usize) -> u16 {
        u16::try_from(self.short(place)).unwrap_or_else(|_| {
            self.wrong(place);
            0
        })
    }

    /// A number of 16 bits, 0 where it is left out.
    #[inline(never)]
    pub fn small_or_0(&self, place: usize) -> u16 {
        if self.is_unsaid(place) { 0 } else { self.small(place) }
    }

    /// A number that may be below zero.
    #[inline(never)]
    pub fn signed(&self, place: usize) -> i64 {
        match self.member(place) {
            Member::Negative(number) => number,
            _ => i64::try_from(self.long(place)).unwrap_or_else(|_| {
                self.wrong(place);
                0
            }),
        }
    }

    /// Yes or no; `unsaid` where it is left out.
    #[inline(never)]
    pub fn flag(&self, place: usize, unsaid: bool) -> bool {
        if let Member::Bool(said) = self.member(place) {
            return said;
        }
        if !self.is_unsaid(place) {
            self.wrong(place);
        }
        unsaid
    }

    /// What `read` makes of a text that must be there.
    pub fn text<T>(&self, place: usize, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        if self.member(place) != Member::Text {
            self.wrong(place);
            return None;
        }
        self.reader.from(self.at(place)).text(read).ok().flatten()
    }

    /// What `read` makes of a text that must be there and make sense.
    pub fn must<T>(&self, place: usize, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let read = self.text(place, read);
        if read.is_none() {
            self.wrong(place);
        }
        read
    }

    /// Which of these a text is that must be there.
    #[inline(never)]
    pub fn one_of(&self, place: usize, names: &[&str]) -> Option<usize> {
        self.text(place, |text| names.iter().position(|name| *name == text))
    }

    /// A name that may be left out; none for one that this version does not have.
    pub fn name<T: Named + Default>(&self, place: usize) -> Option<T> {
        if self.is_unsaid(place) { Some(T::default()) } else { self.named(place) }
    }

    /// A name that must be there; none for one that this version does not have.
    pub fn named<T: Named>(&self, place: usize) -> Option<T> {
        T::ALL.get(self.one_of(place, T::NAMES)?).copied()
    }
}

/// Values that are called by names. Serde has them too, but in code of its own for each type.
pub trait Named: Copy + 'static {
    /// All of them.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const NAMES: &'static [&'static str];

    /// What it is called.
    fn called(self) -> &'static str
    where
        Self: PartialEq,
    {
        let place = Self::ALL.iter().position(|other| *other == self);
        place.and_then(|place| Self::NAMES.get(place)).copied().unwrap_or_default()
    }
}
