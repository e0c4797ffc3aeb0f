//! The state of the whole event and the one way in: [`Rules::handle`].

use crate::board::BoardIx;
use crate::state::State;
use crate::turn::{Turn, When};
use crate::{Decision, Input, Outcome, Setup, Venue};
use flagfall_arbiter::{
    Audience, ClockFault, CommandNews, Link, News, Notice, Refused, RoundSnapshot, Snapshot, Tick, Wall,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A request whose answer waits for clocks to follow has waited long enough, in milliseconds.
const PREPARE_MS: u64 = 7_500;

/// Everything that was decided so far, and what falls due.
#[derive(Debug)]
pub struct Rules {
    s: State,
    due: BTreeSet<(Venue, BoardIx)>,
    waiting: Vec<Waiting>,
}

/// A request whose answer waits for the clocks of a round.
#[derive(Debug)]
struct Waiting {
    no: u64,
    round: u32,
    until: Venue,
}

impl Rules {
    /// The event as its configuration has it. The first inputs are `Anchor` and `Setup`.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { s: State::new(setup), due: BTreeSet::new(), waiting: Vec::new() }
    }

    /// Takes in one input and decides.
    pub fn handle(&mut self, at: Venue, input: &Input, out: &mut Outcome) {
        let before = self.s.fold_input(at, input);
        let mut turn = Turn::new(&mut self.s, at, out);
        let mut waits = None;
        match input {
            Input::Report(observation) => turn.report(observation, &before),
            Input::Ask { no, who, method, params } => {
                waits = turn.ask(*no, who, method, params).map(|round| (*no, round));
            }
            Input::Refused { who, method, params, error } => {
                turn.tell_request(who, method, params, None, Some(error.clone()));
            }
            Input::Link { clock, online, by, cause } => {
                let link = Link { by: by.clone(), cause: Cow::Owned(cause.clone()) };
                let news = if *online { News::ClockOnline(link) } else { News::ClockOffline(link) };
                turn.tell_clock(Some(*clock), When::exactly(at), news);
                let placed = turn
                    .s
                    .clocks
                    .get(clock)
                    .is_some_and(|clock| clock.table.is_some() || clock.board.is_some());
                if *online && cause == "first" && !placed {
                    let message = format!("clock {clock} stands at no table; `board.assign` gives it one");
                    let fault = ClockFault { kind: Cow::Borrowed("unknown_clock"), message };
                    turn.tell_clock(Some(*clock), When::exactly(at), News::ClockFault(fault));
                }
                if let Some(ix) = turn.s.board_of(*clock) {
                    if *online {
                        turn.heard_again(ix);
                        turn.back(ix);
                    } else {
                        turn.fell_silent(ix, by, cause);
                    }
                }
            }
            Input::Fault { clock, kind, message } => {
                let fault = ClockFault { kind: Cow::Owned(kind.clone()), message: message.clone() };
                turn.tell_clock(*clock, When::exactly(at), News::ClockFault(fault));
            }
            Input::Command { clock, command, action, state, error } => {
                let news = CommandNews {
                    command: *command,
                    r#do: action.clone(),
                    state: *state,
                    error: error.clone(),
                };
                turn.tell_clock(Some(*clock), When::exactly(at), News::Command(news));
            }
            Input::Restarted { unobserved_ms } => {
                let message = format!("the daemon came back; it heard nothing for {unobserved_ms} ms");
                let news = News::Notice(Notice { kind: Cow::Borrowed("restarted"), message });
                turn.tell_hall(Audience::Desk, None, turn.s.wall(at), news);
            }
            Input::Sample(readings) => {
                for reading in readings {
                    if let Some(ix) = turn.s.board_of(reading.0) {
                        turn.moved.push(ix);
                    }
                }
            }
            // what was missed shows in the counts of the next report
            Input::Gap { .. } => {}
            Input::Due => {}
            Input::Anchor { .. } | Input::Setup(_) | Input::Journal { .. } => {}
        }
        let (moved, all) = (std::mem::take(&mut turn.moved), turn.all_moved);
        if matches!(input, Input::Due) {
            self.fall_due(at, out);
        } else {
            self.reckon_these(moved);
            // after a restart no clock is heard: what falls due on one that is not heard is something else
            if all || matches!(input, Input::Setup(_) | Input::Restarted { .. }) {
                self.reckon_all();
            }
        }
        if let Some((no, round)) = waits {
            self.waiting.push(Waiting { no, round, until: at + PREPARE_MS });
        }
        if !self.waiting.is_empty() {
            self.answer_waiting(at, out);
        }
    }

    fn answer_waiting(&mut self, at: Venue, out: &mut Outcome) {
        let mut turn = Turn::new(&mut self.s, at, out);
        self.waiting.retain(|waiting| {
            let done = turn.prepared(waiting.round) || at >= waiting.until;
            if done {
                let tables = turn.tables(waiting.round);
                turn.answer(waiting.no, Ok(tables));
            }
            !done
        });
    }

    /// All that has fallen due by `at`, in order.
    fn fall_due(&mut self, at: Venue, out: &mut Outcome) {
        while let Some(&(due, ix)) = self.due.first() {
            if due > at {
                break;
            }
            self.due.remove(&(due, ix));
            self.s.boards[ix.0].due = None;
            let mut turn = Turn::new(&mut self.s, at, out);
            turn.moved.push(ix);
            turn.due(ix, due);
            let moved = std::mem::take(&mut turn.moved);
            self.reckon_these(moved);
        }
        if self.walk_due().is_some_and(|due| due <= at) {
            let mut turn = Turn::new(&mut self.s, at, out);
            turn.walk_over("nobody pressed for a while");
        }
    }

    fn reckon_these(&mut self, mut moved: Vec<BoardIx>) {
        moved.sort_unstable();
        moved.dedup();
        for ix in moved {
            self.reckon(ix);
        }
    }

    fn walk_due(&self) -> Option<Venue> {
        self.s.walk.as_ref().map(|walk| walk.since + crate::walk::LASTS_MS)
    }

    fn reckon_all(&mut self) {
        for ix in 0..self.s.boards.len() {
            self.reckon(BoardIx(ix));
        }
    }

    /// When something falls due on a board, reckoned anew.
    fn reckon(&mut self, ix: BoardIx) {
        let due = self.s.next_due(ix);
        let board = &mut self.s.boards[ix.0];
        if board.due != due {
            if let Some(old) = board.due {
                self.due.remove(&(old, ix));
            }
            board.due = due;
            if let Some(due) = due {
                self.due.insert((due, ix));
            }
        }
    }

    /// Takes in an input as journalled, without deciding.
    pub fn fold_input(&mut self, at: Venue, input: &Input) {
        self.s.fold_input(at, input);
    }

    /// Takes in a decision as journalled.
    pub fn fold_decision(&mut self, at: Venue, decision: &Decision) {
        self.s.fold_decision(at, decision);
    }

    /// After folding: reckons what falls due.
    pub fn folded(&mut self) {
        self.reckon_all();
    }

    /// When something falls due next; `handle(at, &Input::Due, ..)` then.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Venue> {
        let board = self.due.first().map(|(due, _)| *due);
        let waiting = self.waiting.iter().map(|waiting| waiting.until).min();
        [board, self.walk_due(), waiting].into_iter().flatten().min()
    }

    /// The last event's seq.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.s.head
    }

    /// The wall time of a venue time, by the latest anchor.
    #[must_use]
    pub fn wall(&self, at: Venue) -> Wall {
        self.s.wall(at)
    }

    /// The mode in force.
    #[must_use]
    pub fn mode(&self) -> crate::Mode {
        self.s.mode()
    }

    /// Players and teams in order, over all rounds.
    #[must_use]
    pub fn standings(&self) -> crate::Standings {
        self.s.standings()
    }

    /// The control that games are played under.
    #[must_use]
    pub fn time_control(&self) -> flagfall_clock::TimeControl {
        self.s.setup.regulations.time_control()
    }

    /// The hall for somebody who comes in.
    #[must_use]
    pub fn snapshot(&self, audience: Audience) -> Snapshot {
        crate::view::snapshot(&self.s, audience)
    }

    /// A round for somebody who looks at it: any, or the one that is meant where none is named.
    ///
    /// # Errors
    /// No such round, none loaded, or several that may be meant.
    pub fn round_view(
        &self,
        at: Venue,
        round: Option<u32>,
        audience: Audience,
    ) -> Result<RoundSnapshot, Refused> {
        Ok(crate::view::round(&self.s, at, self.s.which_round(round)?, audience))
    }

    /// Merged states.
    #[must_use]
    pub fn tick(&self, at: Venue, audience: Audience) -> Tick {
        Tick {
            now: self.wall(at),
            audience: Some(audience),
            journal_fault: None,
            uplink: None,
            boards: crate::view::boards(&self.s, audience),
        }
    }
}
