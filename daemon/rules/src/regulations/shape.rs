//! What may stand in a file for a key: said once, read by whoever checks a file, prints a list of the keys or
//! writes the documentation.

use flagfall_arbiter::{BothLate, Points, RulingKind};
use flagfall_clock::{FlagAt, Kind, PeriodsAt};
use serde::Serialize;

/// A day, in milliseconds.
pub(super) const DAY: i64 = 86_400_000;
/// The most an increment can be, in milliseconds.
pub(super) const HOUR: i64 = 3_600_000;

/// What may stand for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A whole number.
    Whole {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
        /// Of what.
        unit: &'static str,
    },
    /// `true` or `false`.
    Yes,
    /// One of these words.
    Word(Vec<Choice>),
    /// A list of these words, none of them twice.
    Words(Vec<Choice>),
    /// Whole or half points.
    Points {
        /// The least.
        low: Points,
        /// The greatest.
        high: Points,
    },
    /// A table. What it leaves out stays as the lower layer has it.
    Table(Vec<Field>),
    /// A list of tables; it takes the place of a lower layer's list.
    Tables {
        /// At most so many.
        most: usize,
        /// What each holds.
        fields: Vec<Field>,
    },
    /// That, or the word `none`.
    Maybe(Box<Shape>),
}

/// A word that may stand for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Itself.
    pub word: String,
    /// What it means.
    pub meaning: &'static str,
}

/// A key within a table; a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
    /// Of what.
    pub unit: &'static str,
    /// It must be there where no lower layer has it.
    pub needed: bool,
}

impl Field {
    /// The same, as a shape.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        Shape::Whole { low: self.low, high: self.high, unit: self.unit }
    }
}

const fn field(name: &'static str, low: i64, high: i64, unit: &'static str, needed: bool) -> Field {
    Field { name, low, high, unit, needed }
}

/// One side's own times.
pub(super) const SIDE_TIMES: [Field; 2] =
    [field("base_ms", 0, DAY, "ms", true), field("increment_ms", 0, HOUR, "ms", true)];
/// A period after the first.
pub(super) const PERIOD: [Field; 3] = [
    field("moves", 0, 1_000, "moves", false),
    field("base_ms", 0, DAY, "ms", true),
    field("increment_ms", 0, HOUR, "ms", false),
];
/// What an offence costs.
pub(super) const OFFENCE: [Field; 4] = [
    field("foul", 0, 10, "fouls", false),
    field("deduct_ms", 0, DAY, "ms", false),
    field("opponent_ms", 0, DAY, "ms", false),
    field("loses_at", 0, 10, "offences", false),
];

pub(super) const fn ms(low: i64, high: i64) -> Shape {
    count(low, high, "ms")
}

pub(super) const fn count(low: i64, high: i64, unit: &'static str) -> Shape {
    Shape::Whole { low, high, unit }
}

/// Whole points.
pub(super) const fn points(low: i32, high: i32) -> Shape {
    Shape::Points { low: Points::halves(2 * low), high: Points::halves(2 * high) }
}

pub(super) fn maybe(shape: Shape) -> Shape {
    Shape::Maybe(Box::new(shape))
}

pub(super) fn word<T: Word>() -> Shape {
    Shape::Word(words::<T>())
}

pub(super) fn words<T: Word>() -> Vec<Choice> {
    let said = |value: &T| serde_json::to_value(value).ok()?.as_str().map(ToOwned::to_owned);
    T::ALL.iter().filter_map(|(value, meaning)| said(value).map(|word| Choice { word, meaning })).collect()
}

impl Shape {
    /// The unit, where it has one.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Whole { unit, .. } => unit,
            Self::Points { .. } => "points",
            Self::Maybe(of) => of.unit(),
            Self::Yes | Self::Word(_) | Self::Words(_) | Self::Table(_) | Self::Tables { .. } => "",
        }
    }

    /// The range, as a person reads it.
    #[must_use]
    pub fn range(&self) -> String {
        let listed = |choices: &[Choice]| {
            choices.iter().map(|choice| format!("\"{}\"", choice.word)).collect::<Vec<_>>().join(", ")
        };
        let within = |fields: &[Field]| {
            let fields: Vec<String> = fields
                .iter()
                .map(|Field { name, low, high, unit, .. }| format!("{name} = {low} to {high} {unit}"))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        };
        match self {
            Self::Whole { low, high, .. } => format!("{low} to {high}"),
            Self::Points { low, high } => format!("{low} to {high}, halves too"),
            Self::Yes => "true, false".to_owned(),
            Self::Word(choices) => listed(choices),
            Self::Words(choices) => format!("a list of {}", listed(choices)),
            Self::Table(fields) => within(fields),
            Self::Tables { most, fields } => format!("a list of at most {most} of {}", within(fields)),
            Self::Maybe(of) => format!("{}, or \"none\"", of.range()),
        }
    }

    /// Its words, where it is made of words.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        match self {
            Self::Word(choices) | Self::Words(choices) => choices,
            Self::Maybe(of) => of.choices(),
            Self::Whole { .. } | Self::Yes | Self::Points { .. } | Self::Table(_) | Self::Tables { .. } => {
                &[]
            }
        }
    }
}

/// A type whose values are words.
pub(super) trait Word: Serialize + Sized + 'static {
    /// All of them, each with what it means.
    const ALL: &'static [(Self, &'static str)];
}

/// Words of a type of another crate. One that is left out here does not compile.
macro_rules! words {
    ($name:ident { $($variant:ident: $meaning:literal,)* }) => {
        impl Word for $name {
            const ALL: &'static [(Self, &'static str)] = &[$(($name::$variant, $meaning),)*];
        }
        const _: fn($name) = |value| match value { $($name::$variant => (),)* };
    };
}

words! {
    Kind {
        Fischer: "Base time for all moves, and the increment credited with each completed move.",
        SuddenDeath: "Base time for all moves and nothing more (包干制).",
        Bronstein: "What a move used of the increment is given back with the press; the total never grows.",
        Delay: "The base time stands still for the increment at each turn (US delay).",
        Byoyomi: "Base time, then overtime_count periods of overtime_ms; a turn that ends within one gives it back.",
        Canadian: "Base time, then overtime_count moves in each block of overtime_ms; the rest of a block is lost.",
        Hourglass: "What one side uses the other side gets.",
        PerMove: "The base time anew for each move.",
        Gong: "The base time for each turn; the clock itself passes the turn on.",
        UpCount: "Counts up from the base time and never falls.",
    }
}
words! {
    FlagAt {
        Zero: "At 0 ms: a press in that very millisecond is too late.",
        BelowZero: "Only below 0 ms.",
    }
}
words! {
    PeriodsAt {
        Moves: "With a side's own last move of the period; its next time is added to that side.",
        Zero: "When the first side reaches zero; both get the next time, and people count the moves.",
    }
}
words! {
    BothLate {
        OwnLateness: "Each his own lateness, once both sit.",
        JointThenTurn: "The common lateness from both at the first arrival, then 四.1 for the other.",
        FirstMoverAll: "The first mover loses all of it (FIDE 6.7.2).",
        Split: "The time that is gone is split (US Chess 16K).",
        Doubled: "Twice the lateness.",
    }
}
words! {
    RulingKind {
        TimeForfeit: "Exceeded the time.",
        Default: "Not there at the default time.",
        DoubleDefault: "Neither there at the default time.",
        UnauthorisedStop: "Stopped the clock without cause.",
        UnauthorisedStart: "Started the clock without cause.",
        EarlyPress: "Pressed before moving.",
        IllegalMove: "Broke the rules of movement.",
        FalseClaim: "A claim found wrong.",
        ShortDraw: "Agreed a draw too early.",
        FoulLimit: "Too many fouls.",
        Article: "Lost under another article, as an arbiter names it.",
    }
}
