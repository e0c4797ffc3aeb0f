//! One turn of deciding: everything told or changed goes through here, is applied at once and kept
//! for the journal, so that deciding and folding end in the same state.

use crate::board::{Board, BoardIx};
use crate::change::{Act, Change};
use crate::state::{Placed, State};
use crate::{Decision, Order, Outcome, Venue};
use flagfall_arbiter::{
    Audience, Event, Grounds, Incident, IncidentKind, IncidentState, Lane, News, Player, Refused, Text, Wall,
};
use flagfall_clock::{Action, ClockId};
use serde_json::Value;
use std::borrow::Cow;

pub(crate) struct Turn<'a> {
    pub s: &'a mut State,
    pub at: Venue,
    pub out: &'a mut Outcome,
    /// Boards whose deadlines must be reckoned again.
    pub moved: Vec<BoardIx>,
    /// Those of all boards must: what was decided is about a whole round, or about which board a clock
    /// serves, which others wait for.
    pub all_moved: bool,
    /// What this turn did that can be taken back: from event, to event, act.
    pub acts: Vec<(u64, u64, Act)>,
}

/// When something happened, give or take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub at: Venue,
    pub bound_ms: u64,
}

impl When {
    pub const fn exactly(at: Venue) -> Self {
        Self { at, bound_ms: 0 }
    }
}

impl<'a> Turn<'a> {
    pub const fn new(s: &'a mut State, at: Venue, out: &'a mut Outcome) -> Self {
        Self { s, at, out, moved: Vec::new(), all_moved: false, acts: Vec::new() }
    }
}

impl Turn<'_> {
    pub fn board(&self, ix: BoardIx) -> &Board {
        &self.s.boards[ix.0]
    }

    /// Both players' times, first and second: of a clock that is heard by reckoning to `at`, of another
    /// as it was heard last. What it did since nobody knows.
    pub fn times(&self, ix: BoardIx, at: Venue) -> Option<[i64; 2]> {
        let heard = if self.s.online(ix) { at } else { at.min(self.s.seen(ix)?.at) };
        self.reckoned(ix, heard)
    }

    /// Both players' times at `at` if the clock went on as it was heard last.
    pub fn reckoned(&self, ix: BoardIx, at: Venue) -> Option<[i64; 2]> {
        Some(crate::board::times(self.s.seen(ix)?, self.board(ix).first_side, at))
    }

    /// The player whose time runs.
    pub fn running(&self, ix: BoardIx) -> Option<Player> {
        Some(self.board(ix).player(self.s.seen(ix)?.running?))
    }

    fn push(&mut self, decision: Decision) {
        self.all_moved |= match &decision {
            Decision::Change(change) => matches!(
                **change,
                Change::Mode(_)
                    | Change::Pause { .. }
                    | Change::Closed { .. }
                    | Change::MatchHeld { .. }
                    | Change::Loaded { .. }
                    | Change::Serves { .. }
            ),
            Decision::Tell(event) => matches!(event.news, News::RoundStarted(_) | News::Assigned(_)),
        };
        self.s.fold_decision(self.at, &decision);
        self.out.decisions.push(decision);
    }

    pub fn change(&mut self, change: Change) {
        self.push(Decision::Change(Box::new(change)));
    }

    /// Tells what concerns a board. Gives the event's seq.
    pub fn tell(&mut self, ix: BoardIx, when: When, news: News) -> u64 {
        self.tell_to(Audience::Desk, ix, when, news)
    }

    pub fn tell_to(&mut self, audience: Audience, ix: BoardIx, when: When, news: News) -> u64 {
        let board = &self.s.boards[ix.0];
        let clock = match &news {
            News::Assigned(assigned) => Some(assigned.clock),
            _ => self.s.clock_of(ix),
        };
        let (round, name) = (board.round, board.name.clone());
        self.moved.push(ix);
        let happened = self.s.wall(when.at);
        self.say(audience, happened, when.bound_ms, Some(round), Some(name), clock, news)
    }

    /// Tells what concerns a clock and perhaps the board it serves.
    pub fn tell_clock(&mut self, clock: Option<ClockId>, when: When, news: News) -> u64 {
        if let Some(ix) = clock.and_then(|clock| self.s.board_of(clock)) {
            return self.tell(ix, when, news);
        }
        let happened = self.s.wall(when.at);
        self.say(Audience::Desk, happened, when.bound_ms, None, None, clock, news)
    }

    /// Tells what concerns a table, whichever board it serves.
    pub fn tell_table(&mut self, when: When, news: News) -> u64 {
        let clock = match &news {
            News::Assigned(assigned) => Some(assigned.clock),
            _ => None,
        };
        let happened = self.s.wall(when.at);
        self.say(Audience::Desk, happened, when.bound_ms, None, None, clock, news)
    }

    /// Tells what concerns a round or the whole hall.
    pub fn tell_hall(&mut self, audience: Audience, round: Option<u32>, happened: Wall, news: News) -> u64 {
        self.say(audience, happened, 0, round, None, None, news)
    }

    #[allow(clippy::too_many_arguments)] // the parts of an event; no caller outside this file
    fn say(
        &mut self,
        audience: Audience,
        happened: Wall,
        bound_ms: u64,
        round: Option<u32>,
        board: Option<String>,
        clock: Option<ClockId>,
        news: News,
    ) -> u64 {
        let seq = self.s.head + 1;
        let event = Event {
            seq,
            at: self.s.wall(self.at),
            happened,
            bound_ms,
            audience,
            round,
            board,
            clock,
            r#type: Cow::Borrowed(news.name()),
            news,
        };
        self.push(Decision::Tell(Box::new(event)));
        seq
    }

    /// The next number for an incident, a ruling, a foul or a task.
    pub fn next_id(&self) -> u64 {
        self.s.last_id + 1
    }

    pub fn order(&mut self, ix: BoardIx, action: Action) -> bool {
        match self.s.clock_of(ix) {
            Some(clock) => {
                self.out.orders.push(Order { clock, action });
                true
            }
            None => false,
        }
    }

    pub fn answer(&mut self, no: u64, answer: Result<Value, Refused>) {
        self.out.answers.push((no, answer));
    }

    // --- incidents ---

    /// The open incident of this kind on a board.
    pub fn open_on(&self, ix: BoardIx, kind: IncidentKind) -> Option<&Placed<Incident>> {
        self.board(ix)
            .incidents
            .iter()
            .filter_map(|id| self.s.incidents.get(id))
            .find(|placed| placed.it.kind == kind)
    }

    pub fn open(
        &mut self,
        ix: BoardIx,
        when: When,
        kind: IncidentKind,
        lane: Lane,
        grounds: Grounds,
        text: Text,
    ) -> u64 {
        let incident = Incident { grounds, ..self.incident(when.at, kind, lane, text) };
        let id = incident.id;
        self.tell(ix, when, News::Incident(incident));
        id
    }

    fn incident(&self, opened: Venue, kind: IncidentKind, lane: Lane, text: Text) -> Incident {
        Incident {
            id: self.next_id(),
            kind,
            lane,
            state: IncidentState::Open,
            taken_by: None,
            outcome: None,
            text,
            opened: self.s.wall(opened),
            grounds: Grounds::default(),
            boards: Vec::new(),
            chairs: Vec::new(),
        }
    }

    /// Opens one line about several boards of a round; `change` says which, and what else is known.
    pub fn open_for_round(
        &mut self,
        round: u32,
        at: Venue,
        kind: IncidentKind,
        lane: Lane,
        text: Text,
        change: impl FnOnce(&mut Incident),
    ) {
        let mut incident = self.incident(at, kind, lane, text);
        change(&mut incident);
        self.tell_hall(Audience::Desk, Some(round), incident.opened, News::Incident(incident));
    }

    /// Tells an incident again, changed.
    pub fn retell(&mut self, id: u64, at: Venue, change: impl FnOnce(&mut Incident)) {
        let Some(placed) = self.s.incidents.get(&id) else { return };
        let (board, round) = (placed.board, placed.round);
        let mut incident = placed.it.clone();
        change(&mut incident);
        let news = News::Incident(incident);
        match board {
            Some(ix) => self.tell(ix, When::exactly(at), news),
            None => self.tell_hall(Audience::Desk, round, self.s.wall(at), news),
        };
    }

    pub fn close(&mut self, id: u64, at: Venue, outcome: &str) {
        if self.s.incidents.get(&id).is_some_and(|placed| placed.it.state == IncidentState::Open) {
            self.retell(id, at, |incident| {
                incident.state = IncidentState::Closed;
                incident.outcome = Some(outcome.to_owned());
            });
            // what answers the question withdraws what was proposed because of it
            if !matches!(outcome, "played_on" | "without_cause" | "ruled") {
                self.withdraw_resting_on(id, outcome);
            }
        }
    }

    /// Withdraws the proposed rulings that rest on an incident.
    pub fn withdraw_resting_on(&mut self, incident: u64, why: &str) {
        let resting = self.s.rulings.values().filter(|placed| {
            placed.it.incident == Some(incident) && placed.it.state == flagfall_arbiter::RulingState::Proposed
        });
        let ids: Vec<u64> = resting.map(|placed| placed.it.id).collect();
        for id in ids {
            self.withdraw(id, why);
        }
    }

    /// Closes the open incidents of these kinds on a board.
    pub fn close_on(&mut self, ix: BoardIx, at: Venue, kinds: &[IncidentKind], outcome: &str) {
        let ids: Vec<u64> = self
            .board(ix)
            .incidents
            .iter()
            .filter(|id| self.s.incidents.get(id).is_some_and(|placed| kinds.contains(&placed.it.kind)))
            .copied()
            .collect();
        for id in ids {
            self.close(id, at, outcome);
        }
    }

    /// What was done since that event can be taken back.
    pub fn acted(&mut self, since: u64, act: Act) {
        self.acts.push((since + 1, self.s.head, act));
    }

    /// Whether the round of a board began by an arbiter's word.
    pub fn round_started(&self, ix: BoardIx) -> bool {
        self.s.rounds.get(&self.board(ix).round).is_some_and(|round| round.started.is_some())
    }
}
