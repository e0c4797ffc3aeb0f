//! What the desk has told: kept as far as people act on it or the scenario expects it.

use super::World;
use crate::play::Play;
use flagfall_arbiter::{
    Audience, BoardResult, Event, Incident, Lane, News, Offender, PresenceState, Ruling, RulingState, Status,
};
use flagfall_clock::{ClockId, Player};
use std::collections::BTreeMap;

/// Something told, with its place.
#[derive(Clone, Debug)]
pub(super) struct Kept<T> {
    pub round: Option<u32>,
    pub board: Option<String>,
    pub it: T,
    /// Waited for a person's decision.
    pub decide: bool,
    told_at: i64,
}

/// An event the scenario may expect.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub kind: &'static str,
    pub round: Option<u32>,
    pub board: Option<String>,
    pub offender: Option<Offender>,
    pub state: Option<String>,
    pub article: Option<String>,
    pub times: Option<(i64, i64)>,
    pub both_late: Option<bool>,
}

#[derive(Debug, Default)]
pub(super) struct Told {
    pub rulings: BTreeMap<u64, Kept<Ruling>>,
    pub incidents: BTreeMap<u64, Kept<Incident>>,
    pub results: BTreeMap<(u32, u32), BoardResult>,
    pub counts: BTreeMap<&'static str, u64>,
    /// Tables and their clocks, with the lever presses in the hall until then.
    pub bound: BTreeMap<u32, (ClockId, u64)>,
    /// Who is there, as told last: round, board, player.
    pub presence: BTreeMap<(u32, u32, Player), PresenceState>,
    /// Lever presses in the hall so far.
    pub presses: u64,
    pub marks: Vec<Mark>,
    /// Results that were public or official and not true.
    pub untrue: Vec<String>,
    last_seq: u64,
}

/// A ruling as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulingLine {
    /// Its round.
    pub round: u32,
    /// Its board.
    pub board: String,
    /// Its kind.
    pub kind: String,
    /// Its article.
    pub article: String,
    /// Against whom; `-` for nobody yet.
    pub offender: String,
    /// Its effect, as JSON.
    pub effect: String,
    /// Its state.
    pub state: String,
}

impl std::fmt::Display for RulingLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { round, board, kind, article, offender, effect, state } = self;
        write!(f, "{round}.{board} {kind} {article} {offender} {effect} {state}")
    }
}

/// A value's name on the wire.
pub(super) fn name<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

impl Told {
    /// Keeps what is needed of an event. False where it was told before.
    pub(super) fn take<'e>(&mut self, event: &'e Event) -> (&'e News, bool) {
        if event.seq <= self.last_seq {
            return (&event.news, false);
        }
        self.last_seq = event.seq;
        *self.counts.entry(event.news.name()).or_default() += 1;
        let (round, board, told_at) = (event.round, event.board.clone(), event.at.0);
        match &event.news {
            News::Ruling(ruling) => {
                let proposed = ruling.state == RulingState::Proposed;
                let kept = Kept { round, board, it: ruling.clone(), decide: proposed, told_at };
                let at = self.rulings.entry(ruling.id).or_insert_with(|| kept.clone());
                // Confirmed in the very instant of its proposal: it waited for nobody.
                at.decide &= proposed || told_at != at.told_at || ruling.state != RulingState::Confirmed;
                at.decide |= proposed;
                at.it = ruling.clone();
            }
            News::Incident(incident) => {
                let decide = incident.lane == Lane::Decide;
                let kept = Kept { round, board, it: incident.clone(), decide, told_at };
                let at = self.incidents.entry(incident.id).or_insert_with(|| kept.clone());
                at.decide |= decide;
                at.it = incident.clone();
            }
            News::Result(result) => {
                if let (Some(round), Some(Ok(board))) = (round, board.map(|board| board.parse())) {
                    if result.withdrawn {
                        self.results.remove(&(round, board));
                    } else {
                        self.results.insert((round, board), result.clone());
                    }
                }
            }
            News::Assigned(assigned) => {
                let bound = assigned.table.map(|table| (table, (assigned.clock, self.presses)));
                self.bound.extend(bound);
                self.marks.extend(mark(&event.news, round, board));
            }
            News::Presence(presence) => {
                if let (Some(round), Some(Ok(board))) = (round, board.as_ref().map(|board| board.parse())) {
                    self.presence.insert((round, board, presence.player), presence.state);
                }
                self.marks.extend(mark(&event.news, round, board));
            }
            news => self.marks.extend(mark(news, round, board)),
        }
        (&event.news, true)
    }

    /// How often a kind of ruling or incident, or a type of event, was told.
    pub(super) fn count(&self, kind: &str) -> u64 {
        let rulings = self.rulings.values().filter(|told| told.it.kind.as_str() == kind).count() as u64;
        let incidents = self.incidents.values().filter(|told| name(&told.it.kind) == kind).count() as u64;
        rulings + incidents + self.counts.get(kind).copied().unwrap_or(0)
    }

    /// Questions that waited for a decision.
    pub(super) fn decisions(&self) -> u64 {
        self.waited().count() as u64
    }

    /// The same, each with its round, its kind and its board.
    pub(super) fn waited(&self) -> impl Iterator<Item = (Option<u32>, String)> {
        let at = |kind: String, board: &Option<String>| match board {
            Some(board) => format!("{kind} board {board}"),
            None => kind,
        };
        let rulings = self.rulings.values().filter(|told| told.decide);
        let incidents = self.incidents.values().filter(|told| told.decide);
        rulings
            .map(move |told| (told.round, at(told.it.kind.as_str().into(), &told.board)))
            .chain(incidents.map(move |told| (told.round, at(name(&told.it.kind), &told.board))))
    }
}

fn mark(news: &News, round: Option<u32>, board: Option<String>) -> Option<Mark> {
    let (mut offender, mut state, mut article, mut times, mut both_late) = (None, None, None, None, None);
    match news {
        News::RecordingExempt(exempt) => {
            (offender, state) = (Some(exempt.player), Some(name(&exempt.state)));
        }
        News::GameStarted(game) => {
            (offender, both_late) = (Some(game.player.into()), Some(game.both_late));
            times = Some((game.first_ms, game.second_ms));
        }
        News::Flag(side) | News::FlagSuspected(side) | News::LowTime(side) => {
            (offender, times) = (Some(side.player.into()), Some((side.first_ms, side.second_ms)));
        }
        News::Foul(foul) => (offender, article) = (Some(foul.player.into()), Some(foul.article.to_string())),
        News::Presence(presence) => {
            (offender, state) = (Some(presence.player.into()), Some(name(&presence.state)));
        }
        News::RoundStarted(_)
        | News::TimesChanged(_)
        | News::Assigned(_)
        | News::Gap(_)
        | News::ClockFault(_) => {}
        // Many, and nobody expects a single one of them.
        _ => return None,
    }
    Some(Mark { kind: news.name(), round, board, offender, state, article, times, both_late })
}

impl World {
    /// A result that the public sees, or that is official, must be true.
    pub(super) fn check_result(&mut self, event: &Event, play: Option<usize>) {
        let News::Result(result) = &event.news else { return };
        if result.withdrawn || event.audience == Audience::Desk && result.status < Status::Official {
            return;
        }
        let truth = play.and_then(|play| self.plays.get(play)).and_then(|play: &Play| play.truth.as_ref());
        if truth.is_none_or(|truth| truth.result != result.result) {
            let is = truth.map_or("not over", |truth| truth.result.as_str());
            let board = event.board.as_deref().unwrap_or("?");
            self.told.untrue.push(format!(
                "round {} board {board}: {} was told as {}, but it is {is}",
                event.round.unwrap_or(0),
                result.result.as_str(),
                name(&result.status)
            ));
        }
    }

    /// All rulings ever told, as they stand now, by round and board.
    #[must_use]
    pub fn rulings(&self) -> Vec<RulingLine> {
        let mut lines: Vec<_> = self
            .told
            .rulings
            .values()
            .map(|told| RulingLine {
                round: told.round.unwrap_or(0),
                board: told.board.clone().unwrap_or_else(|| "-".into()),
                kind: told.it.kind.as_str().into(),
                article: told.it.article.to_string(),
                offender: told.it.offender.map_or_else(|| "-".into(), |offender| name(&offender)),
                effect: serde_json::to_string(&told.it.effect).unwrap_or_default(),
                state: name(&told.it.state),
            })
            .collect();
        lines.sort_by_key(|line| (line.round, line.board.parse().unwrap_or(u32::MAX), line.kind.clone()));
        lines
    }
}
