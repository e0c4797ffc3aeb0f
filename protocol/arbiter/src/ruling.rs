//! Rulings: what the regulations make of what happened.

use crate::{Outcome, Player, Points};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What kind of ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RulingKind {
    /// Exceeded the time: 三(1).
    TimeForfeit,
    /// Not there at the default time: 四.1.
    Default,
    /// Neither there at the default time: 四.2.
    DoubleDefault,
    /// Stopped the clock without cause: 八.2, 六.9.
    UnauthorisedStop,
    /// Started the clock without cause: 三(2).
    UnauthorisedStart,
    /// Pressed before moving: 六.3, 八.6.
    EarlyPress,
    /// Broke the rules of movement: 六.2, 八.7.
    IllegalMove,
    /// A natural-limit claim found false: 七.4, 六.5.
    FalseClaim,
    /// Agreed a draw too early: 六.7.
    ShortDraw,
    /// Too many fouls.
    FoulLimit,
    /// Lost under another article, as an arbiter names it.
    Article,
}

impl RulingKind {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TimeForfeit => "time_forfeit",
            Self::Default => "default",
            Self::DoubleDefault => "double_default",
            Self::UnauthorisedStop => "unauthorised_stop",
            Self::UnauthorisedStart => "unauthorised_start",
            Self::EarlyPress => "early_press",
            Self::IllegalMove => "illegal_move",
            Self::FalseClaim => "false_claim",
            Self::ShortDraw => "short_draw",
            Self::FoulLimit => "foul_limit",
            Self::Article => "article",
        }
    }
}

/// Whom a ruling is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offender {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Both.
    Both,
}

impl Offender {
    /// The players it names.
    #[must_use]
    pub const fn players(self) -> &'static [Player] {
        match self {
            Self::First => &[Player::First],
            Self::Second => &[Player::Second],
            Self::Both => &Player::BOTH,
        }
    }
}

impl From<Player> for Offender {
    fn from(player: Player) -> Self {
        match player {
            Player::First => Self::First,
            Player::Second => Self::Second,
        }
    }
}

/// What a ruling does. Any of its parts; what is left out does not happen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The game ends so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// Without play.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// So many fouls for the offender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foul: Option<u32>,
    /// Taken off the offender's time; positive milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduct_ms: Option<i64>,
    /// Added to the opponent's time; positive milliseconds (FIDE 7.5.5, 9.5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_ms: Option<i64>,
    /// Added to the offender's own points (negative: taken off).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// The times are those at his last press, without what that press gave, and he is to move (六.3).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
    /// So many fouls for his team, which is placed last among those of its score (八.11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_foul: Option<u32>,
}

/// One way that the regulations allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Against whom.
    pub offender: Option<Offender>,
    /// Under which article.
    pub article: Cow<'static, str>,
    /// What follows.
    pub effect: Effect,
    /// The first player's time afterwards, in milliseconds.
    pub first_ms: Option<i64>,
    /// The second player's time afterwards, in milliseconds.
    pub second_ms: Option<i64>,
}

/// Who proved the remaining times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofBy {
    /// The journal.
    Journal,
    /// The clock still shows them.
    ClockFace,
    /// An arbiter saw them.
    Arbiter,
    /// The opponent confirms them.
    Opponent,
}

/// Whether the remaining times can be proved (六.9, 八.2), and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Within the regulations' bound.
    pub provable: bool,
    /// By whom.
    pub by: Option<ProofBy>,
    /// The times are exact to so many milliseconds.
    pub bound_ms: Option<u64>,
}

/// What a ruling or an incident rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grounds {
    /// Events, by seq.
    #[serde(default)]
    pub events: Vec<u64>,
    /// Proof of the remaining times, where it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Why it does not confirm itself, or what else an arbiter should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Cow<'static, str>>,
}

/// A sentence in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

/// How far a ruling has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RulingState {
    /// Waits for an arbiter.
    Proposed,
    /// In force.
    Confirmed,
    /// An arbiter decided against it.
    Overruled,
    /// What it rested on is no longer so.
    Withdrawn,
}

/// A ruling, whole at each change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// Its number in this journal.
    pub id: u64,
    /// What kind.
    pub kind: RulingKind,
    /// Under which article, as the regulations number it.
    pub article: Cow<'static, str>,
    /// Against whom; `None` until somebody names him.
    pub offender: Option<Offender>,
    /// What it does; while proposed, what the proposed way would do.
    pub effect: Effect,
    /// What the regulations allow.
    pub options: Vec<Way>,
    /// How far it has come.
    pub state: RulingState,
    /// Told to the players and the public (八.12).
    pub announced: bool,
    /// What it rests on.
    pub grounds: Grounds,
    /// In words.
    pub text: Text,
    /// Who confirmed or overruled it; the daemon itself where `automatic` lists the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// Why, in the arbiter's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The incident it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident: Option<u64>,
    /// The foul it follows from was recorded beside it and counts by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recorded: bool,
    /// By so much it changed both players' times; the same comes back where it is withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<crate::Times>,
}

impl Ruling {
    /// What everybody may hear of it once it is announced: what was ruled, not what it was weighed from.
    #[must_use]
    pub fn for_all(&self) -> Self {
        Self {
            options: Vec::new(),
            grounds: Grounds::default(),
            decided_by: None,
            reason: None,
            incident: None,
            ..self.clone()
        }
    }
}
