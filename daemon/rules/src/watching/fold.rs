//! Ledgers as reports and decisions leave them. Nothing here decides.

use super::Cause;
use super::ledger::Ledger;
use super::reading::Reading;
use crate::board::BoardIx;
use crate::state::State;
use crate::{Observation, Venue};
use flagfall_clock::{By, ClockEvent, Kind, Player};

/// An arbiter's act so near to a key says whose key it was, in milliseconds.
const NEAR_MS: i64 = 60_000;

impl State {
    fn reading<'a>(&self, ix: BoardIx, observation: &'a Observation, gap: bool) -> Reading<'a> {
        let about = self.clocks.get(&observation.report.clock).and_then(|clock| clock.about.as_ref());
        Reading {
            report: &observation.report,
            happened: observation.happened,
            bound_ms: observation.bound_ms,
            resolution_ms: about.map_or(1, |about| about.resolution_ms),
            first_side: self.boards[ix.0].first_side,
            gap,
            live: observation.live,
        }
    }

    /// A clock's report goes into the ledger of its board's game.
    pub(crate) fn keep_ledger(&mut self, observation: &Observation, gap: bool) {
        let report = &observation.report;
        let Some(ix) = self.board_of(report.clock) else { return };
        self.set_by_word(ix, observation);
        let control = self.setup.regulations.time_control();
        let reading = self.reading(ix, observation, gap);
        let board = &mut self.boards[ix.0];
        let on = board.started.is_some() && !board.renewed && !board.decided();
        if !on || control.kind == Kind::Gong {
            board.ledger = None;
        } else if let Some(ledger) = &mut board.ledger {
            ledger.read(reading);
        } else if report.running.is_some() && report.flag.flatten().is_none() {
            board.ledger = Some(Ledger::join(&control, reading));
        }
    }

    /// Before the start an arbiter's word may set the times: they are right, whatever they are.
    fn set_by_word(&mut self, ix: BoardIx, observation: &Observation) {
        let board = &mut self.boards[ix.0];
        let near = |attended: Venue| attended.since(observation.happened).abs() <= NEAR_MS;
        match &observation.report.event {
            Some(ClockEvent::Adjust { by }) if board.started.is_none() => {
                board.set_by_word |=
                    *by == By::Command || *by == By::ArbiterKey && board.attended.is_some_and(near);
            }
            Some(ClockEvent::Reset { .. } | ClockEvent::Boot(_)) => board.set_by_word = false,
            _ => {}
        }
    }

    /// A game began with the last report of its clock: this side ran, and by whom.
    pub(crate) fn open_ledger(&mut self, ix: BoardIx, began: Player, by: By) {
        let control = self.setup.regulations.time_control();
        let last = self.clock_of(ix).and_then(|clock| self.clocks.get(&clock)?.last.clone());
        let Some(last) = last.filter(|_| control.kind != Kind::Gong) else { return };
        let reading = self.reading(ix, &last, false);
        let board = &self.boards[ix.0];
        let fresh = last.report.left_presses == 0 && last.report.right_presses == 0;
        let ledger = if fresh && last.report.running.is_some() {
            let shown = reading.shown();
            // an arbiter's word set them
            let word = board.set_by_word || board.starting.is_some();
            let expected = Player::BOTH.map(|player| {
                let shown = Some(shown[player as usize]);
                let accepted = board.accepted.map(|accepted| accepted[player as usize]);
                if word { shown } else { accepted.filter(|accepted| Some(*accepted) == shown) }
            });
            Ledger::begin(&control, reading, began, expected)
        } else {
            Ledger::join(&control, reading).begun_by(began)
        };
        // an arbiter who starts a side means that side
        let near = |attended: Venue| attended.since(last.happened).abs() <= NEAR_MS;
        let meant = by == By::Command || by == By::ArbiterKey && self.boards[ix.0].attended.is_some_and(near);
        self.boards[ix.0].ledger = Some(if meant { ledger.begun_by(Player::First) } else { ledger });
    }

    /// A cause was told in this incident.
    pub(crate) fn said(&mut self, ix: BoardIx, incident: u64, cause: &Cause) {
        let board = &mut self.boards[ix.0];
        board.told.retain(|(id, told)| *id != incident || told.is_setting());
        board.told.push((incident, cause.clone()));
        if let Some(ledger) = &mut board.ledger {
            ledger.say(cause);
        }
    }

    /// What was owed is answered.
    pub(crate) fn answered(&mut self, ix: BoardIx) {
        if let Some(ledger) = &mut self.boards[ix.0].ledger {
            ledger.answered();
        }
    }

    /// What is heard from now on is dated otherwise: on this board, or on all.
    pub(crate) fn lose_time(&mut self, ix: Option<BoardIx>) {
        for (n, board) in self.boards.iter_mut().enumerate() {
            if ix.is_none_or(|ix| ix.0 == n)
                && let Some(ledger) = &mut board.ledger
            {
                ledger.lose_time();
            }
        }
    }
}
