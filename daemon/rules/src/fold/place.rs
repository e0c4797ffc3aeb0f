//! Which clock stands where, and which board it serves.

use crate::board::BoardIx;
use crate::state::State;
use crate::{TableSetup, Venue};

impl State {
    /// A clock takes its place at a board: at the board's table, for the rounds to come as well, or at the
    /// board alone where it has no table.
    pub(super) fn assign(&mut self, ix: BoardIx, assigned: &flagfall_arbiter::Assigned, at: Venue) {
        let clock = assigned.clock;
        for (table, _) in self.tables.values_mut() {
            if table.clock == Some(clock) {
                table.clock = None;
            }
        }
        let own = self.boards[ix.0].clock;
        let table = self.boards[ix.0].setup.table.filter(|_| own.is_none());
        let mut old = own;
        let new = self.clocks.entry(clock).or_default();
        if let Some(number) = table {
            (new.table, new.board) = (Some(number), None);
            // a list may name a table that no clock stood on yet
            let (table, serves) = self.tables.entry(number).or_insert_with(|| {
                (crate::TableSetup { number, clock: None, first_side: assigned.first_side }, None)
            });
            old = table.clock.replace(clock);
            table.first_side = assigned.first_side;
            *serves = Some(ix);
        } else {
            (new.table, new.board) = (None, Some(ix));
            self.boards[ix.0].clock = Some(clock);
        }
        if let Some(old) = old.filter(|old| *old != clock).and_then(|old| self.clocks.get_mut(&old)) {
            (old.table, old.board) = (None, None);
        }
        let board = &mut self.boards[ix.0];
        board.first_side = assigned.first_side;
        board.served = at;
        board.renewed = false;
        board.carried = board.started.is_some();
        board.flag = None;
        board.suspected = false;
        board.ledger = None;
    }

    /// A clock stands at a table from now on, whichever board that serves.
    pub(super) fn bind(&mut self, number: u32, assigned: &flagfall_arbiter::Assigned, at: Venue) {
        let clock = assigned.clock;
        for (table, _) in self.tables.values_mut() {
            if table.clock == Some(clock) {
                table.clock = None;
            }
        }
        if !self.tables.contains_key(&number) {
            let serves = self.first_at(number);
            let new = TableSetup { number, clock: None, first_side: assigned.first_side };
            self.tables.insert(number, (new, serves));
        }
        let Some((table, serves)) = self.tables.get_mut(&number) else { return };
        table.first_side = assigned.first_side;
        let (old, serves) = (table.clock.replace(clock), *serves);
        if let Some(old) = old.filter(|old| *old != clock).and_then(|old| self.clocks.get_mut(&old)) {
            old.table = None;
        }
        let new = self.clocks.entry(clock).or_default();
        (new.table, new.board) = (Some(number), None);
        for board in &mut self.boards {
            let here = board.setup.table == Some(number)
                && board.clock.is_none()
                && board.setup.first_side.is_none();
            if here && board.started.is_none() && !board.decided() {
                board.first_side = assigned.first_side;
            }
        }
        if let Some(ix) = serves {
            self.boards[ix.0].served = at;
        }
    }

    /// The first board of a round that is not closed at this table.
    fn first_at(&self, table: u32) -> Option<BoardIx> {
        let rounds = self.rounds.values().filter(|round| !round.closed);
        rounds.flat_map(|round| round.order.iter()).copied().find(|ix| {
            let board = &self.boards[ix.0];
            board.setup.table == Some(table) && board.clock.is_none() && !board.decided()
        })
    }

    /// A table serves this board: if another round's game had kept it from its own round's start, its
    /// players are late from now on only.
    pub(super) fn freed(&mut self, ix: BoardIx, before: Option<BoardIx>, since: Venue) {
        let round = self.boards[ix.0].round;
        let kept = before.is_some_and(|before| before != ix && self.boards[before.0].round < round);
        let began = self.rounds.get(&round).and_then(|round| round.started);
        if kept && began.is_some_and(|began| began < since.0 as i64) {
            self.boards[ix.0].free_from = Some(since);
        }
    }
}
