//! What persons and rulings changed, and where: for requests that say what their asker has `seen`.
//!
//! Fed with the inputs and decisions of the rules, live and from the journal alike, so that a restart forgets
//! nothing. What one request changed on boards shows in what the rules decided on it.

use crate::scope::{About, Scope, about, changes};
use flagfall_arbiter::{Event, News, Request, RequestNews};
use flagfall_rules::{At, Change, Decision, Input, Setup};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Changes remembered of a scope; older ones count as seen by nobody.
const MOST: usize = 64;
/// Events remembered that may be taken back.
const MOST_EVENTS: usize = 20_000;

/// A round, as far as it must be known to tell which one is meant.
#[derive(Debug, Default)]
struct Round {
    started: bool,
    closed: bool,
    /// By a list: the venue file's boards no longer count.
    loaded: bool,
    /// Its boards and their matches.
    boards: BTreeMap<String, Option<u32>>,
}

/// What a person's request has changed so far.
#[derive(Debug, Default)]
struct Under {
    round: Option<u32>,
    boards: BTreeSet<(u32, String)>,
}

/// The latest changes, scope by scope.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    scopes: BTreeMap<Scope, VecDeque<(u64, String)>>,
    rounds: BTreeMap<u32, Round>,
    /// Where rulings, incidents and tasks stand.
    rulings: BTreeMap<u64, Scope>,
    incidents: BTreeMap<u64, Scope>,
    tasks: BTreeMap<u64, Scope>,
    /// The boards of events that may be taken back.
    events: BTreeMap<u64, Vec<Scope>>,
    under: Option<Under>,
}

impl Changes {
    /// The rules are given an input; what they decide on it follows.
    pub(crate) fn begin(&mut self, input: &Input) {
        self.under = matches!(input, Input::Ask { .. }).then(Under::default);
        if let Input::Setup(setup) = input {
            self.setup(setup);
        }
    }

    fn setup(&mut self, setup: &Setup) {
        for round in &setup.rounds {
            let known = self.rounds.entry(round.number).or_default();
            for board in round.boards.iter().filter(|_| !known.loaded) {
                known.boards.entry(board.board.clone()).or_insert(board.match_no);
            }
        }
    }

    /// Takes in what they decided.
    pub(crate) fn decided(&mut self, decision: &Decision) {
        match decision {
            Decision::Tell(event) => self.told(event),
            Decision::Change(change) => self.changed(change),
        }
    }

    fn changed(&mut self, change: &Change) {
        match change {
            Change::Closed { round } => {
                self.rounds.entry(*round).or_default().closed = true;
                self.on_round(*round);
            }
            Change::Loaded { round, boards, .. } => {
                let boards = boards.iter().map(|board| (board.board.clone(), board.match_no)).collect();
                let known = self.rounds.entry(*round).or_default();
                *known = Round { loaded: true, boards, ..std::mem::take(known) };
                self.on_round(*round);
            }
            Change::Pause { round, .. } | Change::MatchHeld { round, .. } => self.on_round(*round),
            Change::Hold { board, .. }
            | Change::Owe { board, .. }
            | Change::TakeBack { board, .. }
            | Change::Starting { board, .. }
            | Change::Over { board, .. }
            | Change::Unlatched { board }
            | Change::SetAside { board, .. }
            | Change::Accepted { board, .. }
            | Change::Claimed { board, .. }
            | Change::Sides { board } => self.on_board(board),
            // which clock serves which board, what falls due, what can be taken back: nobody's act on a board
            _ => {}
        }
    }

    fn on_round(&mut self, round: u32) {
        if let Some(under) = &mut self.under {
            under.round = Some(round);
        }
    }

    fn on_board(&mut self, At(round, board): &At) {
        if let Some(under) = &mut self.under {
            under.boards.insert((*round, board.clone()));
        }
    }

    fn told(&mut self, event: &Event) {
        let place = event.round.zip(event.board.clone());
        if let Some((round, board)) = &place {
            self.rounds.entry(*round).or_default().boards.entry(board.clone()).or_default();
        }
        let scope = place.clone().map(|(round, board)| Scope::Board(round, board));
        let scope = scope.or(event.round.map(Scope::Round));
        let mut acted = true;
        match &event.news {
            News::RoundStarted(_) => {
                if let Some(round) = event.round {
                    self.rounds.entry(round).or_default().started = true;
                    self.on_round(round);
                }
            }
            News::Ruling(ruling) => {
                if let Some(scope) = scope {
                    self.rulings.insert(ruling.id, scope.clone());
                    self.note(scope, event);
                }
            }
            News::Assigned(_) => {
                self.note(Scope::Tables, event);
                if let Some(scope) = scope {
                    self.note(scope, event);
                }
            }
            News::Result(_) | News::Foul(_) | News::Presence(_) | News::Undone(_) | News::TimesChanged(_) => {
                if let (Some(under), Some(place)) = (&mut self.under, &place) {
                    under.boards.insert(place.clone());
                }
            }
            News::Incident(incident) => {
                acted = false;
                if let Some(scope) = scope {
                    self.incidents.insert(incident.id, scope);
                }
            }
            News::Task(task) => {
                acted = false;
                if let Some(scope) = scope {
                    self.tasks.insert(task.id, scope);
                }
            }
            News::Request(request) => {
                acted = request.ok;
                if request.ok {
                    self.asked(event, request);
                }
            }
            _ => acted = false,
        }
        if let Some((round, board)) = place.filter(|_| acted) {
            self.may_be_undone(event.seq, vec![Scope::Board(round, board)]);
        }
    }

    fn may_be_undone(&mut self, seq: u64, boards: Vec<Scope>) {
        self.events.insert(seq, boards);
        if self.events.len() > MOST_EVENTS {
            self.events.pop_first();
        }
    }

    /// A person's request was done: what it was about has changed, and what it touched beside.
    fn asked(&mut self, event: &Event, news: &RequestNews) {
        let under = self.under.take().unwrap_or_default();
        let Ok(ask) = Input::ask(&news.method, &news.params) else { return };
        if !changes(&ask.request) {
            return;
        }
        let mut scopes: BTreeSet<Scope> =
            under.boards.into_iter().map(|(round, board)| Scope::Board(round, board)).collect();
        if event.board.is_none() {
            self.may_be_undone(event.seq, scopes.iter().cloned().collect());
        }
        scopes.extend(event.round.zip(event.board.clone()).map(|(round, board)| Scope::Board(round, board)));
        match about(&ask.request) {
            About::Round(round, all) => {
                for number in under.round.or(round).map_or_else(|| self.meant(None), |round| vec![round]) {
                    scopes.insert(Scope::Round(number));
                    if all {
                        scopes.extend(self.boards(number, |_| true));
                    }
                }
            }
            About::Match(round, number) => {
                for round in self.meant(round) {
                    scopes.insert(Scope::Round(round));
                    scopes.extend(self.boards(round, |of| of == Some(number)));
                }
            }
            About::Unloaded => {
                if let Some(number) = under.round {
                    scopes.insert(Scope::Round(number));
                    scopes.extend(self.boards(number, |_| true));
                }
            }
            other => scopes.extend(self.scopes_of(&other)),
        }
        for scope in scopes {
            self.note(scope, event);
        }
    }

    fn boards(&self, round: u32, wanted: impl Fn(Option<u32>) -> bool) -> Vec<Scope> {
        let boards = self.rounds.get(&round).into_iter().flat_map(|round| &round.boards);
        boards.filter(|(_, of)| wanted(**of)).map(|(name, _)| Scope::Board(round, name.clone())).collect()
    }

    fn note(&mut self, scope: Scope, event: &Event) {
        let changes = self.scopes.entry(scope).or_default();
        if changes.back().is_some_and(|(seq, _)| *seq == event.seq) {
            return;
        }
        if changes.len() >= MOST {
            changes.pop_front();
        }
        changes.push_back((event.seq, event.r#type.to_string()));
    }

    /// The rounds that may be meant: the one named, else those that are open, else the lowest loaded one.
    fn meant(&self, round: Option<u32>) -> Vec<u32> {
        if let Some(round) = round {
            return vec![round];
        }
        let open = self.rounds.iter().filter(|(_, round)| round.started && !round.closed);
        let open: Vec<u32> = open.map(|(number, _)| *number).collect();
        if !open.is_empty() {
            return open;
        }
        let loaded = self.rounds.iter().find(|(_, round)| !round.closed && !round.boards.is_empty());
        loaded.map(|(number, _)| *number).into_iter().collect()
    }

    fn scopes_of(&self, about: &About<'_>) -> Vec<Scope> {
        let board = |on: &flagfall_arbiter::ForBoard| -> Vec<Scope> {
            self.meant(on.round).into_iter().map(|round| Scope::Board(round, on.board.clone())).collect()
        };
        match about {
            About::Nothing => Vec::new(),
            About::Board(on) => board(on),
            About::BoardAndTables(on) => board(on).into_iter().chain([Scope::Tables]).collect(),
            About::Round(round, _) => self.meant(*round).into_iter().map(Scope::Round).collect(),
            About::Unloaded => {
                let unloaded = self.rounds.iter().find(|(_, round)| round.boards.is_empty());
                unloaded.map(|(number, _)| Scope::Round(*number)).into_iter().collect()
            }
            About::Match(round, number) => {
                let mut scopes = Vec::new();
                for round in self.meant(*round) {
                    scopes.push(Scope::Round(round));
                    scopes.extend(self.boards(round, |of| of == Some(*number)));
                }
                scopes
            }
            About::Tables => vec![Scope::Tables],
            About::Mode => vec![Scope::Mode],
            About::Rulings(id, ids) => {
                id.iter().chain(*ids).filter_map(|id| self.rulings.get(id)).cloned().collect()
            }
            About::Incident(id) => self.incidents.get(id).cloned().into_iter().collect(),
            About::Task(id) => self.tasks.get(id).cloned().into_iter().collect(),
            About::Event(seq) => self.events.get(seq).cloned().unwrap_or_default(),
        }
    }

    /// What followed since `seen` on what a request is about.
    pub(crate) fn since(&self, request: &Request, seen: u64) -> Vec<Value> {
        let mut followed: Vec<&(u64, String)> = Vec::new();
        for scope in self.scopes_of(&about(request)) {
            followed.extend(self.scopes.get(&scope).into_iter().flatten().filter(|(seq, _)| *seq > seen));
        }
        followed.sort();
        followed.dedup();
        followed.into_iter().map(|(seq, name)| json!({ "seq": seq, "type": name })).collect()
    }
}
