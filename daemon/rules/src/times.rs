//! Times an arbiter decided: one journalled decision by difference, which the clock then follows.
//! Until its report agrees the board owes times and is not resumed.

use crate::board::BoardIx;
use crate::change::{Change, HeldBy};
use crate::turn::Turn;
use crate::watch::near;
use flagfall_arbiter::Player;
use flagfall_clock::{Action, Can, SetTimes, Side};

impl Turn<'_> {
    /// The board owes this difference, first and second in milliseconds.
    pub(crate) fn owe(&mut self, ix: BoardIx, delta: [i64; 2]) {
        if delta != [0, 0] {
            let board = self.board(ix).at();
            let under_way = self.board(ix).owed.as_ref().is_some_and(|owed| owed.from.is_some());
            self.change(Change::Owe { board, delta });
            if under_way {
                // an order for the old times is out: the new ones follow it, whatever becomes of it
                self.order_owed(ix, true);
            } else {
                self.settle(ix);
            }
        }
    }

    /// Holds the board stopped.
    pub(crate) fn hold(&mut self, ix: BoardIx, by: HeldBy) {
        self.hold_since(ix, by, self.at);
    }

    pub(crate) fn hold_since(&mut self, ix: BoardIx, by: HeldBy, at: crate::Venue) {
        // a start of ours may be on its way
        let ran = self.running(ix).is_some() || self.board(ix).starting.is_some();
        let board = self.board(ix).at();
        self.change(Change::Hold { board, by, on: true, at, ran });
        self.moved.push(ix);
        if ran {
            self.order(ix, Action::Stop);
        }
    }

    /// Compares what the clock shows with what it owes, and tells it what is missing.
    pub(crate) fn settle(&mut self, ix: BoardIx) {
        if self.board(ix).decided() {
            return; // its clock is left alone
        }
        let Some(owed) = self.board(ix).owed.clone() else { return };
        let Some(seen) = self.s.seen(ix) else { return };
        if seen.running.is_some() {
            return; // first it must stand
        }
        let Some(shown) = self.times(ix, self.at) else { return };
        let online = self.s.online(ix);
        let board = self.board(ix).at();
        match owed.from {
            // a coarse clock shows whole seconds; a small difference must still be told from none
            Some((_, target))
                if near(shown, target, owed.delta.map(i64::abs).into_iter().max().unwrap_or(0) / 2) =>
            {
                self.change(Change::Paid { board });
            }
            // Still as before, or set by hand to something else: the arbiter's decision stands and is
            // shown; it goes out again when a person asks or the clock comes back.
            Some(_) => {}
            None => {
                let target = [shown[0] + owed.delta[0], shown[1] + owed.delta[1]];
                self.change(Change::OweFrom { board, shown, target });
                if online {
                    self.order_owed(ix, false);
                }
            }
        }
    }

    /// Sends what is owed, if anything. What is sent again is sent as absolute times: the first order
    /// may have been carried out unheard, and nobody pays twice.
    pub(crate) fn order_owed(&mut self, ix: BoardIx, again: bool) {
        let board = self.board(ix);
        let Some((from, target)) = board.owed.as_ref().and_then(|owed| owed.from) else { return };
        let clock = self.s.clock_of(ix).and_then(|clock| self.s.clocks.get(&clock));
        let can =
            clock.and_then(|clock| clock.about.as_ref()).and_then(|about| about.can).unwrap_or(Can::ALL);
        // a press taken back goes with the counts, which only absolute times carry
        let absolute = again || board.recount;
        let by_difference = can.has("adjust") && !(absolute && can.has("set_times"));
        let on = |side: Side, times: [i64; 2]| times[Player::at(side, board.first_side) as usize];
        let on_side = |side: Side| board.moves[Player::at(side, board.first_side) as usize];
        let action = if by_difference {
            Action::Adjust {
                left_delta_ms: on(Side::Left, target) - on(Side::Left, from),
                right_delta_ms: on(Side::Right, target) - on(Side::Right, from),
            }
        } else {
            Action::SetTimes(SetTimes {
                left_ms: on(Side::Left, target),
                right_ms: on(Side::Right, target),
                left_presses: board.recount.then(|| on_side(Side::Left)),
                right_presses: board.recount.then(|| on_side(Side::Right)),
            })
        };
        self.order(ix, action);
    }

    /// What a running board is to be told before anything else: a clock that came back.
    pub(crate) fn back(&mut self, ix: BoardIx) {
        self.moved.push(ix);
        let board = self.board(ix);
        if board.decided() {
            return;
        }
        let paused = board.holds.iter().any(|hold| hold.by == HeldBy::Pause && hold.to.is_none());
        if paused && self.running(ix).is_some() {
            self.order(ix, Action::Stop);
        }
        self.settle(ix);
        let from = self.board(ix).owed.as_ref().and_then(|owed| owed.from);
        let stands = self.s.seen(ix).is_some_and(|seen| seen.running.is_none());
        let as_before =
            from.zip(self.times(ix, self.at)).is_some_and(|((from, _), shown)| near(from, shown, 1_000));
        if stands && as_before {
            self.order_owed(ix, true);
        }
    }
}
