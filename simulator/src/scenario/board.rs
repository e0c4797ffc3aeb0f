//! What a scenario says of a single board: who comes when, how the game ends, which hands touch the clock.

use crate::span::Span;
use flagfall_arbiter::{Cause, Outcome, StopCause};
use flagfall_clock::{Claim, Player};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use std::fmt;

/// A board that is not left to habit; what is left out is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardScript {
    /// Its number.
    #[serde(deserialize_with = "number")]
    pub board: u32,
    /// In this round only.
    #[serde(default)]
    pub round: Option<u32>,
    /// When the first player comes, from the round's word: a span, `there` or `never`.
    #[serde(default)]
    pub first: Option<Arrival>,
    /// When the second player comes.
    #[serde(default)]
    pub second: Option<Arrival>,
    /// Moves of the first player when the game ends.
    #[serde(default)]
    pub moves: Option<u32>,
    /// How the game ends.
    #[serde(default)]
    pub result: Option<Outcome>,
    /// By what.
    #[serde(default)]
    pub cause: Option<Cause>,
    /// What they do with the clock when it has ended.
    #[serde(default)]
    pub finish: Option<Finish>,
    /// Whether the clock is pressed after the last move.
    #[serde(default)]
    pub presses_last: Option<bool>,
    /// How long after the end the result reaches the desk.
    #[serde(default)]
    pub result_after: Option<Span>,
    /// Time used of the base time over the whole game, in percent.
    #[serde(default)]
    pub uses_pct: Option<u32>,
    /// Single moves with their own time.
    #[serde(default)]
    pub think: Vec<Think>,
    /// What hands do beside playing.
    #[serde(default, rename = "do")]
    pub hands: Vec<Hand>,
}

/// When somebody comes, from the round's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Then; at or before zero he is there in time.
    At(Span),
    /// Not at all.
    Never,
}

/// What players do with the clock of a game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// Stop it with the button.
    Button,
    /// Nothing: it runs on.
    Running,
    /// Switch it off.
    Off,
    /// Stop it and make it as new.
    Reset,
    /// Both hold their levers, and say who won.
    Hold,
}

/// A move with its own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Think {
    /// Whose.
    pub player: Player,
    /// Which of his moves, from 1.
    pub r#move: u32,
    /// How long; his flag may fall meanwhile.
    pub time: Span,
}

/// A hand at the clock, at `at` after the round's word or `after` the player's `move`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// From the round's word.
    #[serde(default)]
    pub at: Option<Span>,
    /// After this many completed moves of `player`, ...
    #[serde(default)]
    pub r#move: Option<u32>,
    /// ... so long after.
    #[serde(default)]
    pub after: Option<Span>,
    /// Whose hand; the first player's where left out.
    #[serde(default = "first")]
    pub player: Player,
    /// What it does.
    pub hand: HandKind,
    /// Why, where it stops the clock; the arbiter of the scenario knows it.
    #[serde(default)]
    pub why: Option<StopCause>,
    /// What both say, with `hold`.
    #[serde(default)]
    pub claim: Option<Claim>,
}

const fn first() -> Player {
    Player::First
}

/// What a hand does to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandKind {
    /// Presses his lever.
    Press,
    /// Touches his lever for 3 ms.
    ShortPress,
    /// Pushes the start/stop button.
    Button,
    /// Pushes the arbiter's key.
    Key,
    /// Holds the arbiter's key on a clock that stands until all is new.
    Reset,
    /// Both hold their levers for 2 s.
    Hold,
    /// Switches it off; its memory keeps the game.
    Off,
    /// Switches it on; the game is restored.
    On,
    /// Switches it on; it has forgotten the game.
    OnNew,
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    struct Number;
    impl Visitor<'_> for Number {
        type Value = u32;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a board's number")
        }
        fn visit_i64<E: de::Error>(self, number: i64) -> Result<u32, E> {
            u32::try_from(number).map_err(|_| E::custom(format!("{number} is no board's number")))
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<u32, E> {
            text.parse().map_err(|_| E::custom(format!("`{text}` is no board's number")))
        }
    }
    deserializer.deserialize_any(Number)
}

impl<'de> Deserialize<'de> for Arrival {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Arrival;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`there`, `never` or a span of time after the round's word")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Arrival, E> {
                match text {
                    "there" => Ok(Arrival::At(Span::minutes(-10))),
                    "never" => Ok(Arrival::Never),
                    span => span.parse().map(Arrival::At).map_err(E::custom),
                }
            }
        }
        deserializer.deserialize_str(Text)
    }
}
