//! The mode, turned in mid-event without loss: what happened while only facts were kept is asked about now.

use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::{Turn, When};
use crate::{Mode, Venue};
use flagfall_arbiter::IncidentKind;

impl Turn<'_> {
    /// Turns the mode. What is open stays open; what was decided stays decided.
    pub(crate) fn turn_mode(&mut self, mode: Mode) {
        let before = self.s.mode();
        self.change(Change::Mode(mode));
        if before != Mode::Observe || mode == Mode::Observe {
            return;
        }
        let open = self.s.rounds.values().filter(|round| round.started.is_some() && !round.closed);
        let boards: Vec<BoardIx> = open.flat_map(|round| round.order.iter().copied()).collect();
        for ix in boards {
            if !self.board(ix).decided() {
                self.catch_up(ix);
            }
        }
    }

    /// A board whose facts were only observed: the questions they raise.
    fn catch_up(&mut self, ix: BoardIx) {
        self.moved.push(ix);
        if self.board(ix).flag.is_some() {
            self.flag_left_over(ix, "it fell while the daemon only observed");
            return;
        }
        if self.board(ix).over {
            self.ask_how_it_ended(ix, When::exactly(self.at));
        }
        let clock = self.s.clock_of(ix).and_then(|clock| self.s.clocks.get(&clock));
        if let Some(clock) = clock.filter(|clock| !clock.online) {
            let line = clock.line.clone();
            self.fell_silent(ix, &line, "silence");
        }
        let board = self.board(ix);
        let stands = board.stops.last().filter(|stop| stop.resumed.is_none() && !stop.ordered).cloned();
        if let Some(stop) = stands.filter(|stop| !board.over && !board.held() && !self.was_asked(ix, stop.at))
        {
            self.ask_why_it_stopped(ix, When::exactly(stop.at), stop.by, None);
        }
        self.look_at_defaults(ix, self.at);
    }

    /// Whether this stop was a question before, whatever became of it.
    fn was_asked(&self, ix: BoardIx, stopped: Venue) -> bool {
        self.s.incidents.values().any(|placed| {
            placed.board == Some(ix)
                && placed.it.kind == IncidentKind::UnexplainedStop
                && placed.at >= stopped
        })
    }
}
