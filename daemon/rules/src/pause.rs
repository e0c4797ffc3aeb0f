//! A round paused: it explains what it stopped, and resumes only that.

use crate::change::{Change, HeldBy};
use crate::turn::Turn;
use flagfall_arbiter::{IncidentKind, Refused, Wall};
use flagfall_clock::Action;
use serde_json::{Value, json};

/// A stop so long after the shout that stopped the hall is another one, in milliseconds.
const AT_THE_SHOUT_MS: u64 = 30_000;

impl Turn<'_> {
    pub(crate) fn round_pause(&mut self, round: Option<u32>, at: Option<Wall>) -> Result<Value, Refused> {
        let number = self.which_open_round(round)?;
        let since = Self::venue(self.past(at)?);
        let Some(state) = self.s.rounds.get(&number) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("there is no round {number}")));
        };
        if state.paused.is_some() {
            return Err(Refused::new(Refused::STATE, format!("round {number} is paused already")));
        }
        // what an earlier pause covers is not paused twice
        let since = state.pauses.iter().map(|(_, until)| *until).fold(since, Ord::max);
        let boards = state.order.clone();
        let were_past = self.past_their_time(&boards);
        self.change(Change::Pause { round: number, on: true, at: since });
        self.put_off(number, &were_past, "the round was paused before");
        let mut stopped = 0;
        for ix in boards {
            self.flag_in_a_pause(ix, since);
            let board = self.board(ix);
            if board.decided() || board.started.is_none() {
                continue;
            }
            // a clock that a player stopped at the arbiter's shout was stopped by the pause
            let by_shout = board.stops.last().is_some_and(|stop| {
                stop.resumed.is_none()
                    && !stop.ordered
                    && stop.at.0 + 2_000 >= since.0
                    && board.flag.is_none()
            });
            let at_the_shout = board.stops.last().is_some_and(|stop| stop.at.0 <= since.0 + AT_THE_SHOUT_MS);
            let ran = self.running(ix).is_some() || by_shout && at_the_shout;
            let at = self.board(ix).at();
            let running = self.running(ix).is_some();
            self.change(Change::Hold { board: at, by: HeldBy::Pause, on: true, at: since, ran });
            self.moved.push(ix);
            if by_shout {
                self.close_on(ix, self.at, &[IncidentKind::UnexplainedStop], "hall");
            }
            if running {
                self.order(ix, Action::Stop);
            }
            stopped += u32::from(ran);
        }
        Ok(json!({ "round": number, "since": self.s.wall(since), "stopped": stopped }))
    }

    pub(crate) fn round_resume(&mut self, round: Option<u32>, seated: bool) -> Result<Value, Refused> {
        let number = self.which_round(round)?;
        if self.s.rounds.get(&number).is_none_or(|round| round.paused.is_none()) {
            return Err(Refused::new(Refused::STATE, format!("round {number} is not paused")));
        }
        if !seated {
            return Err(Refused::new(
                Refused::PARAMS,
                "round.resume: say `seated`: true once the players sit at their boards",
            ));
        }
        let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        self.change(Change::Pause { round: number, on: false, at: self.at });
        let mut resumed = Vec::new();
        for ix in boards {
            let pause =
                self.board(ix).holds.iter().find(|hold| hold.by == HeldBy::Pause && hold.to.is_none());
            let Some(ran) = pause.map(|hold| hold.ran) else { continue };
            let at = self.board(ix).at();
            self.change(Change::Hold { board: at, by: HeldBy::Pause, on: false, at: self.at, ran });
            self.moved.push(ix);
            let kinds = [IncidentKind::UnexplainedStop, IncidentKind::UnexplainedStart];
            self.close_on(ix, self.at, &kinds, "resumed_by_arbiter");
            let board = self.board(ix);
            if ran && !board.held() && !board.decided() && board.flag.is_none() && board.owed.is_none() {
                let name = board.name.clone();
                // a stop of ours may still be on its way to the clock
                self.let_go_on(ix, true);
                resumed.push(name);
            }
        }
        Ok(json!({ "round": number, "resumed": resumed }))
    }
}
