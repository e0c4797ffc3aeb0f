//! A loaded round taken into the state, and what the pairing program was given of a round. Nothing here
//! decides.

use crate::board::{Board, BoardIx};
use crate::state::{Round, State};
use crate::{BoardSetup, Venue};
use flagfall_arbiter::{Outcome, Status};
use flagfall_clock::Side;
use std::collections::BTreeMap;

/// A result as a pairing program counts it: what a person has said, and whether by forfeit.
pub(crate) type Counted = Option<(Outcome, bool)>;

/// What counts of a board's result: the players' claim and a ruling's own result do not yet.
pub(crate) fn counted(board: &Board) -> Counted {
    let (result, _) = board.result.as_ref()?;
    (result.status >= Status::Entered).then_some((result.result, result.forfeit))
}

impl State {
    /// The round has these boards, in place of any it had.
    pub(crate) fn load(&mut self, number: u32, at: Venue, boards: &[BoardSetup]) {
        let round = self.rounds.entry(number).or_insert_with(|| Round { number, ..Round::default() });
        let old = std::mem::take(&mut round.order);
        *round = Round { number, planned: round.planned, loaded: true, ..Round::default() };
        for ix in &old {
            self.forget(*ix);
        }
        if !old.is_empty() {
            self.incidents.retain(|_, placed| placed.round != Some(number));
            self.rulings.retain(|_, placed| placed.round != Some(number));
            self.acts.retain(|_, (_, act)| act.board().0 != number);
        }
        for board in boards {
            let ix = self.add_board(number, board);
            self.boards[ix.0].served = at;
        }
        // whoever made this list knew the results as they stand now
        let earlier: Vec<u32> = self.rounds.range(..number).map(|(number, _)| *number).collect();
        for number in earlier {
            if self.rounds.get(&number).is_some_and(|round| round.paired.is_none()) {
                self.paired(number);
            }
        }
    }

    /// The pairing program has the results of this round as they stand now.
    pub(crate) fn paired(&mut self, number: u32) {
        let Some(round) = self.rounds.get_mut(&number).filter(|round| !round.order.is_empty()) else {
            return;
        };
        let boards = round.order.iter().map(|ix| &self.boards[ix.0]);
        let results: BTreeMap<String, Counted> =
            boards.map(|board| (board.name.clone(), counted(board))).collect();
        round.paired = Some(results);
    }

    /// A board takes its place in its round, and at its table where no other is.
    pub(crate) fn add_board(&mut self, number: u32, board: &BoardSetup) -> BoardIx {
        let table = board.table.and_then(|number| self.tables.get_mut(&number));
        let first_side =
            board.first_side.or(table.as_ref().map(|(table, _)| table.first_side)).unwrap_or(Side::Left);
        let ix = BoardIx(self.boards.len());
        self.boards.push(Board::new(number, board, board.clock, first_side));
        if let Some(clock) = board.clock {
            let clock = self.clocks.entry(clock).or_default();
            if clock.board.is_none() {
                clock.board = Some(ix);
            }
        } else if let Some((_, serves)) = table
            && serves.is_none()
        {
            *serves = Some(ix);
        }
        let round = self.rounds.entry(number).or_insert_with(|| Round { number, ..Round::default() });
        round.boards.insert(board.board.clone(), ix);
        round.order.push(ix);
        ix
    }

    /// A board that is in no round any more: nothing points to it and nothing falls due on it. Its number
    /// stays taken.
    fn forget(&mut self, ix: BoardIx) {
        for (_, serves) in self.tables.values_mut() {
            if *serves == Some(ix) {
                *serves = None;
            }
        }
        for clock in self.clocks.values_mut() {
            if clock.board == Some(ix) {
                clock.board = None;
            }
        }
        let board = &mut self.boards[ix.0];
        // the deadline reckoned before is still in the list of deadlines, which is cleaned by it
        let due = board.due;
        *board = Board {
            due,
            ..Board::new(
                board.round,
                &BoardSetup { table: None, clock: None, ..board.setup.clone() },
                None,
                Side::Left,
            )
        };
    }
}
