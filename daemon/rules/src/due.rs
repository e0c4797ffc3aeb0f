//! What falls due on a board by itself, and when: a question that nobody answered, a time that is past, little
//! time, a flag of a clock that is not heard.

use crate::Venue;
use crate::board::BoardIx;
use crate::flag::MARGIN_MS;
use crate::state::State;
use crate::stop::ASK_RESULT_MS;
use crate::turn::{Turn, When};
use flagfall_arbiter::{IncidentKind, Lane, Player};

impl State {
    /// When something falls due on a board.
    pub(crate) fn next_due(&self, ix: BoardIx) -> Option<Venue> {
        let s = self;
        let board = &s.boards[ix.0];
        let task = board.tasks.values().min().copied();
        if board.decided() {
            return task;
        }
        let mut due: Option<Venue> = task;
        let mut at = |when: Venue| due = Some(due.map_or(when, |due| due.min(when)));
        for id in &board.incidents {
            if let Some(placed) = s.incidents.get(id)
                && placed.it.kind == IncidentKind::UnexplainedStop
                && placed.it.lane == Lane::Look
                && board.stops.last().is_some_and(|stop| stop.resumed.is_none())
            {
                at(placed.at + ASK_RESULT_MS);
            }
        }
        if let Some((when, _)) = s.presence_due(ix) {
            at(when);
        }
        if board.started.is_none() || board.flag.is_some() {
            return due;
        }
        if let Some(when) = s.silence_due(ix) {
            at(when);
        }
        if let Some(when) = s.waiting_due(ix) {
            at(when);
        }
        if let Some(when) = s.low_due(ix) {
            at(when);
        }
        if let Some(falls) = s.falls_at(ix).filter(|_| !s.online(ix) && !board.suspected) {
            at(falls + MARGIN_MS);
        }
        due
    }

    /// When the flag of the side that runs falls, by what was heard last.
    fn falls_at(&self, ix: BoardIx) -> Option<Venue> {
        let seen = self.seen(ix)?;
        let player = self.boards[ix.0].player(seen.running?);
        let control = self.setup.regulations.time_control();
        let mut course = match &self.boards[ix.0].ledger {
            Some(ledger) => ledger.course.clone(),
            None => crate::control::Course::new(&control),
        };
        let ms = Player::BOTH.map(|player| seen.ms(self.boards[ix.0].side(player)));
        course.follow(ms, course.moves(), Some(player));
        course.falls_in().map(|falls| seen.at + falls)
    }
}

impl Turn<'_> {
    /// What falls due on a board at that instant.
    pub(crate) fn due(&mut self, ix: BoardIx, due: Venue) {
        self.tasks_due(ix, due);
        if self.board(ix).decided() {
            return;
        }
        if let Some(placed) = self.open_on(ix, IncidentKind::UnexplainedStop)
            && placed.it.lane == Lane::Look
            && placed.at + ASK_RESULT_MS <= due
            && self.board(ix).stops.last().is_some_and(|stop| stop.resumed.is_none())
        {
            self.ask_for_result(ix, due);
        }
        if self.s.presence_due(ix).is_some_and(|(when, _)| when <= due) {
            self.presence_time(self.board(ix).round, due);
        }
        if self.board(ix).started.is_none() || self.board(ix).flag.is_some() {
            return;
        }
        if self.s.silence_due(ix).is_some_and(|when| when <= due) {
            self.still_playing(ix, due);
        }
        if self.s.waiting_due(ix).is_some_and(|when| when <= due) {
            self.waits(ix, due);
        }
        let Some(player) = self.running(ix) else { return };
        let crossed = Venue(due.0.saturating_sub(MARGIN_MS));
        let Some(ms) = self.reckoned(ix, crossed).map(|times| times[player as usize]) else { return };
        if self.s.online(ix) {
            self.low(ix, When::exactly(crossed), player, ms);
        } else if !self.board(ix).suspected && self.s.falls_at(ix).is_some_and(|falls| falls <= crossed) {
            self.suspect_flag(ix, crossed);
        }
    }
}
