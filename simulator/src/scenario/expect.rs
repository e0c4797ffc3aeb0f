//! What a scenario expects of the daemon.

use flagfall_arbiter::{Effect, IncidentKind, News, Offender, Outcome, RulingKind};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Something that must be told; what is left out may be anything.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// A kind of ruling or incident, or a type of event.
    pub kind: String,
    /// On this board.
    #[serde(default)]
    pub board: Option<String>,
    /// In this round.
    #[serde(default)]
    pub round: Option<u32>,
    /// Under this article.
    #[serde(default)]
    pub article: Option<String>,
    /// Against, or of, this player.
    #[serde(default)]
    pub offender: Option<Offender>,
    /// With this effect, whole.
    #[serde(default)]
    pub effect: Option<Effect>,
    /// With an effect that gives this result.
    #[serde(default)]
    pub result: Option<Outcome>,
    /// In this state at the end (rulings, incidents), or told in it (exemptions).
    #[serde(default)]
    pub state: Option<String>,
    /// Whether the remaining times are provable.
    #[serde(default)]
    pub provable: Option<bool>,
    /// The first player's time in the event, in milliseconds, give or take a second.
    #[serde(default)]
    pub first_ms: Option<i64>,
    /// The second player's time in the event, in milliseconds, give or take a second.
    #[serde(default)]
    pub second_ms: Option<i64>,
    /// A start with the lateness of both deducted.
    #[serde(default)]
    pub both_late: Option<bool>,
}

/// What must hold over the whole.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    /// None of these kinds is ever told.
    pub none: Vec<String>,
    /// Exactly so many of these kinds.
    pub exactly: BTreeMap<String, u64>,
    /// So many of these kinds at least.
    pub at_least: BTreeMap<String, u64>,
    /// At most so many questions that wait for a decision: incidents ever in the lane `decide`, and rulings that
    /// waited for a person.
    pub max_decide: Option<u64>,
    /// The same of each round: no round has more.
    pub max_decide_per_round: Option<u64>,
    /// All requests asked at the desk in a round are at most so many times its boards; and no board has more of its
    /// own, unless somebody offended, came late or called an arbiter there. A match sheet is one of each of its boards.
    pub max_acts_per_board: Option<u64>,
    /// A walk bound exactly so many tables to their own clocks, with exactly as many lever presses in the whole hall
    /// until the last was bound.
    pub bound: Option<u32>,
    /// At the end every board's result is official and true.
    pub all_official: bool,
    /// No public or official result differs from the truth, and at the end every board has its true result.
    pub results_true: bool,
    /// At most so many requests of the scenario's people are refused.
    pub max_refused: Option<u64>,
}

/// Whether this is a kind of ruling or incident, or a type of event.
#[must_use]
pub fn is_kind(name: &str) -> bool {
    let value = || serde_json::Value::String(name.to_owned());
    serde_json::from_value::<RulingKind>(value()).is_ok()
        || serde_json::from_value::<IncidentKind>(value()).is_ok()
        || News::NAMES.contains(&name)
}
