//! A clock under test, seen from outside only: hands on its contacts, bytes to it and from it, its power, and time.
//!
//! Whoever makes something into a specimen writes this trait and nothing else. It works in lock step: nothing happens
//! but by [`Specimen::run_until`], so that an emulator is as easy as a port. Times are microseconds of test time, which
//! begins when the specimen is made and goes on over power cuts.

use flagfall_clock::{ClockId, Key, Side};

/// What a hand can close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contact {
    /// The lever of the left side.
    Left,
    /// The lever of the right side.
    Right,
    /// The start/stop button.
    Stop,
    /// The arbiter's key.
    Key,
}

impl Contact {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Stop, Self::Key];

    /// Its name in a script and on a jig's line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Stop => "stop",
            Self::Key => "key",
        }
    }

    /// A side's lever.
    #[must_use]
    pub const fn lever(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }

    /// For people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Left => "left lever",
            Self::Right => "right lever",
            Self::Stop => "start/stop button",
            Self::Key => "arbiter's key",
        }
    }

    /// By that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|contact| contact.name() == name)
    }
}

/// How well a specimen's contacts can be closed. Each is better than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hands {
    /// Not at all: only the line.
    None,
    /// By a person who reads what to do.
    Person,
    /// By a machine that is a few milliseconds late.
    Jig,
    /// To the microsecond.
    Exact,
}

impl Hands {
    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "no hands",
            Self::Person => "a person's hands",
            Self::Jig => "a jig's hands",
            Self::Exact => "exact hands",
        }
    }
}

/// What a specimen offers, and how exactly. A case that needs more is skipped, and said to be.
#[derive(Clone, Debug)]
pub struct Means {
    /// Time passes only by [`Specimen::run_until`], as fast as the machine can.
    pub virtual_time: bool,
    /// Who closes contacts.
    pub hands: Hands,
    /// Contacts that it does not have.
    pub without: Vec<Contact>,
    /// A contact closes at most so long before or after the time asked for.
    pub exact_us: u64,
    /// What a report tells of is heard at most so long after it happened, debouncing and all lines before it included.
    pub latency_us: u64,
    /// So long is waited for what a hand or a command should bring about.
    pub patience_us: u64,
    /// Its crystal is off by at most so many millionths.
    pub drift_ppm: u32,
    /// A status comes at most so much before or after its time, in milliseconds of the clock's uptime.
    pub cadence_ms: u64,
    /// Power can be cut and given back.
    pub power: bool,
    /// It keeps its game over a power cut.
    pub memory: bool,
    /// It reads commands in both encodings.
    pub both_encodings: bool,
    /// It has this key: all is sealed.
    pub key: Option<Key>,
    /// Only what this clock says counts; none: the first clock heard is the one.
    pub clock: Option<ClockId>,
}

impl Means {
    /// Those of something in virtual time with exact hands and power under control, without a key.
    #[must_use]
    pub const fn exact() -> Self {
        Self {
            virtual_time: true,
            hands: Hands::Exact,
            without: Vec::new(),
            exact_us: 1,
            latency_us: 100_000,
            patience_us: 500_000,
            drift_ppm: 0,
            cadence_ms: 0,
            power: true,
            memory: true,
            both_encodings: true,
            key: None,
            clock: None,
        }
    }
}

/// Bytes that came from a specimen together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// When the last of them was there.
    pub at: u64,
    /// They themselves.
    pub bytes: Vec<u8>,
}

/// Why a specimen cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SpecimenError {
    /// Its line is gone.
    #[error("line {line}: {why}")]
    Line {
        /// Which.
        line: String,
        /// Why.
        why: String,
    },
    /// Its hands do not do what they are asked.
    #[error("hands {hands}: {why}")]
    Hands {
        /// Which.
        hands: String,
        /// Why.
        why: String,
    },
    /// Something else.
    #[error("{0}")]
    Other(String),
}

/// A clock under test.
pub trait Specimen {
    /// What it offers; never changes.
    fn means(&self) -> &Means;

    /// Test time now, in microseconds.
    fn now(&self) -> u64;

    /// Lets time pass until `until` and gives what came meanwhile, in order. Nothing where that has passed.
    ///
    /// # Errors
    /// The specimen is gone.
    fn run_until(&mut self, until: u64) -> Result<Vec<Heard>, SpecimenError>;

    /// A contact closes (`down`) or opens now. Repeating a level changes nothing.
    ///
    /// # Errors
    /// There are no hands, or they did not.
    fn hand(&mut self, contact: Contact, down: bool) -> Result<(), SpecimenError>;

    /// Bytes go to it from now on, at the pace of its line.
    ///
    /// # Errors
    /// The specimen is gone.
    fn feed(&mut self, bytes: &[u8]) -> Result<(), SpecimenError>;

    /// Its power goes now; by `seed` what it was writing is torn. Contacts keep their places.
    ///
    /// # Errors
    /// Its power is not under control.
    fn cut(&mut self, seed: u64) -> Result<(), SpecimenError>;

    /// Its power comes back now.
    ///
    /// # Errors
    /// Its power is not under control.
    fn power(&mut self) -> Result<(), SpecimenError>;

    /// Makes it as it comes out of its box: on, no game, all contacts open. False where that cannot be done; then the next
    /// case begins where the last one ended.
    ///
    /// # Errors
    /// The specimen is gone.
    fn fresh(&mut self) -> Result<bool, SpecimenError> {
        Ok(false)
    }

    /// What a person is to do, before each hand; only of [`Hands::Person`]. Where nothing is to come of it (`seen` false)
    /// he must say that he has done it.
    ///
    /// # Errors
    /// There is nobody to be told.
    fn ask(&mut self, _what: &str, _seen: bool) -> Result<(), SpecimenError> {
        Ok(())
    }
}
