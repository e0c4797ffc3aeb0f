//! Fouls to look at: what an arbiter can record and what would follow, and the list of what was recorded.

use crate::{Effect, Player, Points, RulingKind, Text, Wall};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What would follow from a foul beside the foul itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FollowsKind {
    /// The game is lost, by him or by both.
    Loss,
    /// Times change.
    Time,
    /// His own points change (六.4, 八.11).
    Points,
    /// His team has a foul (八.11).
    TeamFoul,
}

/// One thing that would follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Follows {
    /// Of which sort.
    pub kind: FollowsKind,
    /// In a sentence.
    pub text: Text,
    /// As in a ruling.
    pub effect: Effect,
    /// The kind of the ruling that would be proposed; none where it follows by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingKind>,
}

/// An article under which a foul can be recorded, and what the very next one comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoulArticle {
    /// Its key: `六.3`.
    pub article: Cow<'static, str>,
    /// What it is about.
    pub text: Text,
    /// How often he was found in this offence in this game before, under whichever article it is counted.
    pub before: u32,
    /// How many fouls it gives.
    pub count: u32,
    /// His fouls in this game after it.
    pub in_game: i32,
    /// His fouls over the event after it; of a team's foul, the team's.
    pub in_event: i32,
    /// What `foul.record` takes for it beside the article: `moves` (五.1), `not_player` (八.11).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<Cow<'static, str>>,
    /// What would follow; empty: nothing but the foul.
    pub follows: Vec<Follows>,
}

/// An article that can be ruled on, and what would be proposed first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulingArticle {
    /// Its key.
    pub article: Cow<'static, str>,
    /// What it is about.
    pub text: Text,
    /// The kind of the ruling.
    pub kind: RulingKind,
    /// What the proposed way does.
    pub effect: Effect,
}

/// What can be recorded against a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoulArticles {
    /// The round.
    pub round: u32,
    /// The board.
    pub board: String,
    /// Who.
    pub player: Player,
    /// His fouls in this game.
    pub in_game: i32,
    /// His fouls over the event (六.4).
    pub in_event: i32,
    /// What `foul.record` takes, in the order of the laws.
    pub articles: Vec<FoulArticle>,
    /// What `ruling.make` takes with kind `article`, in the order of the laws.
    pub rulings: Vec<RulingArticle>,
}

/// What was taken back of a foul.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoulWithdrawn {
    /// How many, all together.
    pub count: u32,
    /// When, last.
    pub at: Wall,
    /// By whom, last.
    pub by: String,
    /// Since he resigned at once (八.12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waived: bool,
}

/// A line of the list of fouls: one that was recorded, whatever became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoulLine {
    /// The event it was told by; `undo` takes it where a person recorded it.
    pub seq: u64,
    /// Its number.
    pub id: u64,
    /// The round.
    pub round: u32,
    /// The board.
    pub board: String,
    /// Who.
    pub player: Player,
    /// His name.
    pub name: String,
    /// His team.
    pub team: String,
    /// Under which article.
    pub article: Cow<'static, str>,
    /// What it is about, where the laws in force have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
    /// How many; 0: written down and waived.
    pub count: u32,
    /// His fouls in this game after it, as told then.
    pub in_game: i32,
    /// Over the event after it, as told then; of a team's foul, the team's.
    pub in_event: i32,
    /// What it added to his points (六.4, 八.11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// It is his team's (八.11).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub team_foul: bool,
    /// Not booked, since he resigned at once (八.12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waived: bool,
    /// When it was recorded.
    pub at: Wall,
    /// When it happened.
    pub happened: Wall,
    /// Who recorded it.
    pub by: String,
    /// The ruling it follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<u64>,
    /// What was taken back of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<FoulWithdrawn>,
}
