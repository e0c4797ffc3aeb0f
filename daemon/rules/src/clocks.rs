//! What a person has done to a board's clock: resumed, started, corrected, exchanged. It is decided here
//! and journalled; the clock follows, and until it shows so the board owes times.

use crate::Who;
use crate::board::BoardIx;
use crate::change::{Act, Change, HeldBy};
use crate::turn::{Turn, When};
use flagfall_arbiter::{Assigned, Carried, IncidentKind, News, Player, Refused, Role};
use flagfall_clock::{Action, ClockId, SetTimes, Side, StopButton};
use serde_json::{Value, json};

impl Turn<'_> {
    /// The times of a clock that stands.
    pub(crate) fn standing(&self, ix: BoardIx) -> Result<[i64; 2], Refused> {
        let name = &self.board(ix).name;
        if self.board(ix).decided() {
            // its clock is left alone and may serve the next round
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name} has its result; withdraw it, or overrule its ruling, first"),
            ));
        }
        match self.s.seen(ix) {
            None => Err(Refused::new(Refused::STATE, format!("board {name}: its clock was never heard"))),
            Some(seen) if seen.running.is_some() => {
                Err(Refused::new(Refused::STATE, format!("board {name} runs; stop it first")))
            }
            Some(_) => {
                let shown = self.times(ix, self.at).unwrap_or_default();
                let target =
                    self.board(ix).owed.as_ref().and_then(|owed| owed.from).map(|(_, target)| target);
                Ok(target.unwrap_or(shown))
            }
        }
    }

    /// An arbiter corrects times by difference.
    pub(crate) fn correct(&mut self, ix: BoardIx, delta: [i64; 2]) -> Result<Value, Refused> {
        let after = self.standing(ix)?;
        let after = [after[0] + delta[0], after[1] + delta[1]];
        if after.iter().any(|ms| ms.abs() > 86_400_000) {
            return Err(Refused::new(Refused::PARAMS, "times are at most a day"));
        }
        let since = self.s.head;
        // times an arbiter sets answer what is owed
        self.close_on(ix, self.at, &crate::watching::OWED, "corrected");
        self.owe(ix, delta);
        let at = self.board(ix).at();
        self.acted(since, Act::Times(at, delta));
        Ok(json!({ "board": self.board(ix).name, "first_ms": after[0], "second_ms": after[1] }))
    }

    /// Whether the sides can change: under a flag, or while times are owed, they would change whose it is.
    pub(crate) fn may_swap(&self, ix: BoardIx) -> Result<(), Refused> {
        let board = self.board(ix);
        if board.flag.is_none() && board.owed.is_none() {
            return Ok(());
        }
        let first = "overrule the flag, or let the clock show what it owes, before the sides change";
        Err(Refused::new(Refused::STATE, format!("board {}: {first}", board.name)))
    }

    pub(crate) fn board_resume(&mut self, ix: BoardIx) -> Result<Value, Refused> {
        let name = self.board(ix).name.clone();
        if self.board(ix).owed.is_some() {
            self.settle(ix);
        }
        if let Some(owed) = self.board(ix).owed.clone() {
            self.order_owed(ix, true);
            let target = owed.from.map_or(String::new(), |(_, target)| {
                format!(
                    " ({} and {})",
                    crate::words::clock_face(target[0]),
                    crate::words::clock_face(target[1])
                )
            });
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name} owes times{target}; its clock does not show them yet"),
            ));
        }
        // a stop of ours may still be on its way to the clock
        let stopping = self.running(ix).is_some()
            && self.board(ix).holds.last().is_some_and(|hold| hold.to.is_none() && hold.ran);
        let held: Vec<HeldBy> =
            self.board(ix).holds.iter().filter(|hold| hold.to.is_none()).map(|hold| hold.by).collect();
        for by in held {
            let board = self.board(ix).at();
            self.change(Change::Hold { board, by, on: false, at: self.at, ran: false });
        }
        self.moved.push(ix);
        let kinds = [IncidentKind::UnexplainedStop, IncidentKind::UnexplainedStart, IncidentKind::ClockReset];
        self.close_on(ix, self.at, &kinds, "resumed_by_arbiter");
        let board = self.board(ix);
        if board.started.is_some() && board.flag.is_none() && !board.decided() {
            self.let_go_on(ix, stopping);
        }
        Ok(json!({ "board": name, "held": false }))
    }

    /// The side to move runs again. A clock that never ran in this game, or whose flag was set aside, is
    /// made to stand as the game stands first.
    pub(crate) fn let_go_on(&mut self, ix: BoardIx, stopping: bool) {
        let Some(seen) = self.s.seen(ix).cloned() else { return };
        let board = self.board(ix);
        let first_side = board.first_side;
        if let Some(flagged) = seen.flag.flatten() {
            // a press taken back under a flag gives the move back as well
            let side = board.to_move.map_or(flagged, |player| player.side(first_side));
            let time_control = self.s.setup.regulations.time_control();
            self.order(ix, Action::Configure { time_control, first_side, stop_button: StopButton::On });
            self.order(
                ix,
                Action::SetTimes(SetTimes {
                    left_ms: seen.left_ms,
                    right_ms: seen.right_ms,
                    left_presses: Some(seen.presses(Side::Left)),
                    right_presses: Some(seen.presses(Side::Right)),
                }),
            );
            self.order(ix, Action::Start { side });
        } else if let Some(player) = board.to_move.filter(|_| seen.running.is_none()) {
            self.order(ix, Action::Start { side: player.side(first_side) });
        } else if board.carried && seen.running.is_none() {
            let (first, second) = (seen.presses(first_side), seen.presses(first_side.other()));
            let side = if first > second { first_side.other() } else { first_side };
            self.order(ix, Action::Start { side });
        } else if seen.running.is_none() || stopping {
            self.order(ix, Action::Resume);
        }
    }

    pub(crate) fn assign(
        &mut self,
        who: &Who,
        ix: BoardIx,
        clock: ClockId,
        first_side: Option<Side>,
        carry: bool,
    ) -> Result<Value, Refused> {
        let name = self.board(ix).name.clone();
        let in_game = self.board(ix).started.is_some() && !self.board(ix).decided();
        if in_game && !matches!(who.role, Role::Chief | Role::Arbiter) {
            return Err(Refused::new(
                Refused::ROLE,
                format!("board {name} is in a game; an arbiter changes its clock"),
            ));
        }
        if let Some(other) = self.s.board_of(clock)
            && other != ix
            && !self.board(other).decided()
            && (self.board(other).round == self.board(ix).round || self.in_play(other))
        {
            let other = &self.board(other).name;
            return Err(Refused::new(Refused::STATE, format!("clock {clock} serves board {other}")));
        }
        if let Some(other) = self.s.serving(ix).filter(|other| *other != ix && self.in_play(*other)) {
            let (round, other) = (self.board(other).round, &self.board(other).name);
            return Err(Refused::new(
                Refused::STATE,
                format!(
                    "its table is still in play: board {other} of round {round}; that game keeps its clock"
                ),
            ));
        }
        // what the old clock was still to show goes along, a press taken back too
        let times = self.times(ix, self.at).zip(self.standing_or_shown(ix)).map(|(shown, stands)| {
            let kept = self.kept_times(ix, shown);
            [kept[0] + stands[0] - shown[0], kept[1] + stands[1] - shown[1]]
        });
        let recount = self.board(ix).recount.then_some(self.board(ix).moves);
        let bound_ms = self.proof_now(ix).bound_ms.unwrap_or(0);
        let presses = self.s.seen(ix).map(|seen| {
            let side = self.board(ix).first_side;
            recount.unwrap_or([seen.presses(side), seen.presses(side.other())])
        });
        let first_side = first_side.unwrap_or(self.board(ix).first_side);
        let table = self.board(ix).setup.table;
        if in_game {
            self.hold(ix, HeldBy::Arbiter);
        }
        self.no_longer_awaited(ix, "exchanged");
        let carried =
            times.filter(|_| carry).map(|[first_ms, second_ms]| Carried { first_ms, second_ms, bound_ms });
        let by = who.name.clone();
        let news = News::Assigned(Assigned { table, clock, first_side, by, carried });
        self.tell(ix, When::exactly(self.at), news);
        if let Some((times, presses)) = times.zip(presses).filter(|_| carry) {
            let (left, right) =
                (Player::at(Side::Left, first_side) as usize, Player::at(Side::Right, first_side) as usize);
            self.order(
                ix,
                Action::SetTimes(SetTimes {
                    left_ms: times[left],
                    right_ms: times[right],
                    left_presses: Some(presses[left]),
                    right_presses: Some(presses[right]),
                }),
            );
            // until the new clock shows them the board owes these times
            let board = self.board(ix).at();
            let shown = self.times(ix, self.at).unwrap_or(times.map(|ms| ms.saturating_add(3_600_000)));
            let before = self.board(ix).owed.as_ref().map(|owed| owed.delta);
            let delta = [times[0] - shown[0], times[1] - shown[1]];
            if delta != [0, 0] || before.is_some() {
                // in place of what the old one owed
                let before = before.unwrap_or_default();
                let delta = [delta[0] - before[0], delta[1] - before[1]];
                self.change(Change::Owe { board: board.clone(), delta });
                self.change(Change::OweFrom { board, shown, target: times });
            }
        }
        Ok(json!({ "board": name, "clock": clock, "first_side": first_side, "carried": carried }))
    }

    /// What another clock goes on with: the delay of the turn that is under way stands on it anew when it
    /// starts, so it is not carried.
    fn kept_times(&self, ix: BoardIx, mut times: [i64; 2]) -> [i64; 2] {
        let course = self.board(ix).ledger.as_ref().map(|ledger| &ledger.course);
        if let Some((course, player)) = course.filter(|c| c.delays()).and_then(|c| Some((c, c.turn()?))) {
            let ms = &mut times[player as usize];
            *ms = (*ms).min(course.kept(player));
        }
        times
    }
}
