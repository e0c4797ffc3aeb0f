//! What people do, as a scenario says it: habits of players, of the chief arbiter and the results desk; single acts.

use crate::span::Span;
use flagfall_arbiter::{IncidentKind, RulingKind, RulingState};
use serde::Deserialize;

/// What players do when nothing is scripted. All by the seed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Habits {
    /// Moves a side when a game ends: between these.
    pub moves: [u32; 2],
    /// Of the base time a player uses so much over a game, in percent: between these.
    pub uses_pct: [u32; 2],
    /// What they do with the clock when the game has ended.
    pub ends: Ends,
    /// Of those who stop it, so many hold both levers instead, in thousandths.
    pub hold_permille: u32,
    /// Games lost on time, in thousandths.
    pub flags_permille: u32,
    /// Drawn games, in thousandths.
    pub draws_permille: u32,
    /// Players who press before the start to say that they are there, in thousandths.
    pub ready_permille: u32,
    /// Boards where somebody tries the clock before the round, in thousandths.
    pub tries_permille: u32,
    /// Boards where the clock is used for analysis afterwards, in thousandths.
    pub analyses_permille: u32,
    /// Presses that are too short and are noticed seconds later, in thousandths.
    pub short_permille: u32,
    /// Games in which a player stops the clock and calls an arbiter, in thousandths.
    pub calls_permille: u32,
    /// Games in which the clock is stopped by accident and an arbiter is called, in thousandths.
    pub accidents_permille: u32,
    /// Players who come late, in thousandths; never both of a board.
    pub late_permille: u32,
    /// How late: between these.
    pub late: [Span; 2],
    /// After the round's word the clock is started within these.
    pub start_within: [Span; 2],
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            moves: [25, 90],
            uses_pct: [25, 85],
            ends: Ends::default(),
            hold_permille: 60,
            flags_permille: 0,
            draws_permille: 320,
            ready_permille: 500,
            tries_permille: 200,
            analyses_permille: 150,
            short_permille: 4,
            calls_permille: 0,
            accidents_permille: 0,
            late_permille: 0,
            late: [Span::minutes(1), Span::minutes(9)],
            start_within: [Span::seconds(2), Span::seconds(40)],
        }
    }
}

/// How often, by weight, which end (facts: 280, 110 and 40 of 430).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ends {
    /// The players stop the clock themselves.
    pub button: u32,
    /// It is left running.
    pub running: u32,
    /// It is switched off, or reset for the next round.
    pub off: u32,
}

impl Default for Ends {
    fn default() -> Self {
        Self { button: 280, running: 110, off: 40 }
    }
}

/// What the chief arbiter and the results desk do by themselves. They know the truth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArbiterHabits {
    /// Nobody sits at the desk: nothing is asked but what `[[act]]` and `[[when]]` say.
    pub silent: bool,
    /// `round.prepare` so long before the round's word.
    pub prepares_before: Span,
    /// `round.start` is entered so long after the word; then with `at`.
    pub says_start_after: Span,
    /// Looks for empty chairs so long after the word, and names them.
    pub names_absent_after: Span,
    /// Names empty chairs at all.
    pub names_absent: bool,
    /// Says that all other chairs are taken.
    pub complete: bool,
    /// A walk to a board takes between these.
    pub walks: [Span; 2],
    /// A result reaches the desk so long after the end: between these.
    pub results_after: [Span; 2],
    /// When both players have signed.
    pub signs: Signs,
    /// Which unexplained stops he goes to.
    pub explains: Explains,
    /// How he decides a stop without cause where the times cannot be proved.
    pub unprovable: UnprovableStop,
    /// Acknowledges exemptions from recording.
    pub exempts: bool,
    /// Lets a board go on so long after a stop is dealt with.
    pub resumes_after: Span,
    /// Closes a round when its last result is signed.
    pub closes_rounds: bool,
    /// How results come to the desk.
    pub results_by: ResultsBy,
    /// The venue file has rounds without boards; they are loaded from the pairing program's list.
    pub loads_rounds: bool,
    /// The venue file does not say which clock stands where; a walk along the tables does.
    pub walks_tables: bool,
    /// An arbiter who passes a finished game stops its clock, if it was left running: so long after the end, between
    /// these. Left out: nobody does.
    pub stops_left_running: Option<[Span; 2]>,
    /// Which rulings he announces at the desk.
    pub announces: Announces,
}

impl Default for ArbiterHabits {
    fn default() -> Self {
        Self {
            silent: false,
            prepares_before: Span::minutes(15),
            says_start_after: Span(0),
            names_absent_after: Span::minutes(3),
            names_absent: true,
            complete: true,
            walks: [Span::seconds(20), Span::seconds(90)],
            results_after: [Span::minutes(2), Span::minutes(15)],
            signs: Signs::Mixed,
            explains: Explains::Needed,
            unprovable: UnprovableStop::Loss,
            exempts: true,
            resumes_after: Span::seconds(40),
            closes_rounds: true,
            results_by: ResultsBy::Board,
            loads_rounds: false,
            walks_tables: false,
            stops_left_running: None,
            announces: Announces::All,
        }
    }
}

/// When a result counts as signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signs {
    /// It is entered as signed.
    AtOnce,
    /// It is entered, and signed one to four minutes later.
    Later,
    /// Either, by the seed.
    Mixed,
    /// Never.
    Never,
}

/// How results come to the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultsBy {
    /// Each by itself.
    Board,
    /// When all boards of a match are over, on its sheet.
    Match,
}

/// Which confirmed rulings are announced at the desk (八.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Announces {
    /// All.
    All,
    /// All but losses on time: a flag has fallen in front of both, and the result says the rest.
    Penalties,
}

/// Which unexplained stops an arbiter explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Explains {
    /// Those of games that are not over; a result explains the others.
    Needed,
    /// All.
    All,
}

/// How a stop without cause is decided where the times cannot be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnprovableStop {
    /// The game cannot go on: loss (六.9).
    Loss,
    /// The opponent confirms the times: foul and deduction (八.2).
    Foul,
}

/// Asked at the desk at a fixed time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// From the beginning, or with `round` from that round's word.
    pub at: Span,
    /// Counts `at` from this round's word.
    #[serde(default)]
    pub round: Option<u32>,
    /// The method.
    pub method: String,
    /// Its parameters. A text `@00:30:00` stands for the wall time so long after the beginning.
    #[serde(default)]
    pub params: toml::Table,
}

/// Asked in answer to a ruling or an incident; takes the place of what the arbiter would do by himself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// A ruling of this kind ...
    #[serde(default)]
    pub ruling: Option<RulingKind>,
    /// ... in this state; `proposed` where left out.
    #[serde(default)]
    pub state: Option<RulingState>,
    /// Or an incident of this kind that opens.
    #[serde(default)]
    pub incident: Option<IncidentKind>,
    /// On this board only.
    #[serde(default)]
    pub board: Option<String>,
    /// In this round only.
    #[serde(default)]
    pub round: Option<u32>,
    /// The first step is taken so long after.
    #[serde(default)]
    pub after: Span,
    /// What is asked; empty: nobody does anything.
    #[serde(rename = "do")]
    pub steps: Vec<Step>,
}

/// One step of a [`When`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// So long after the step before.
    #[serde(default)]
    pub after: Span,
    /// The method.
    pub method: String,
    /// Its parameters. `$id`, `$board`, `$round` stand for those of what is answered, `$foul` and `$loss` for the
    /// place of the first option that is one.
    #[serde(default)]
    pub params: toml::Table,
}
