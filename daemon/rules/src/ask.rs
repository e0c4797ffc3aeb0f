//! Requests of people, one by one. Each checks first and then acts: a refused one has changed nothing.

use crate::board::BoardIx;
use crate::change::{Act, Change, HeldBy};
use crate::rulings::How;
use crate::turn::{Turn, When};
use crate::{BothLate, Mode, Who};
use flagfall_arbiter::{
    Assigned, Audience, ExemptState, Exemption, ForBoard, IncidentKind, IncidentState, News, Offender,
    Player, Presence, Refused, Request, RequestNews, Role, RulingKind, StopCause, Undone,
};
use flagfall_clock::{Action, ClockId, SetTimes, Side, StopButton};
use serde_json::{Value, json};
use std::borrow::Cow;

/// What became of a request.
pub(crate) enum Done {
    /// Answered.
    Now(Value),
    /// Answered when the clocks of this round have followed.
    Later(u32),
}

impl From<Value> for Done {
    fn from(value: Value) -> Self {
        Self::Now(value)
    }
}

impl Turn<'_> {
    /// A person asks. Gives the round whose clocks are waited for, if the answer comes later.
    pub(crate) fn ask(&mut self, no: u64, who: &Who, method: &str, params: &Value) -> Option<u32> {
        let before = self.s.head;
        let read = crate::Input::ask(method, params)
            .map_err(|error| Refused::new(Refused::PARAMS, error.to_string()));
        let done = read.and_then(|ask| {
            let place = self.place(&ask.request);
            Ok((self.request(who, &ask.request)?, place))
        });
        let place = match &done {
            Ok((_, place)) => *place,
            Err(_) => None,
        };
        let reads = matches!(method, "round.check" | "board.history");
        if reads {
            // looking at something is no act: it is not told
            match done {
                Ok((Done::Now(value), _)) => self.answer(no, Ok(value)),
                Ok((Done::Later(round), _)) => return Some(round),
                Err(refused) => self.answer(no, Err(refused)),
            }
            return None;
        }
        let error = done.as_ref().err().map(|refused| refused.message.clone());
        let seq = self.tell_request(who, method, params, place, error);
        let acts = std::mem::take(&mut self.acts);
        let single = acts.len() == 1;
        for (from, to, act) in acts {
            let mut seqs: Vec<u64> = (from.max(before + 1)..=to).collect();
            if single {
                seqs.push(seq);
            }
            if let Some(&group) = seqs.last() {
                self.change(Change::Acted { group, seqs, act });
            }
        }
        match done {
            Ok((Done::Now(mut value), _)) => {
                if let Some(answer) = value.as_object_mut() {
                    answer.insert("seq".into(), json!(seq));
                }
                self.answer(no, Ok(value));
                None
            }
            Ok((Done::Later(round), _)) => Some(round),
            Err(refused) => {
                self.answer(no, Err(refused));
                None
            }
        }
    }

    /// Tells that a person asked, and whether it was done.
    pub(crate) fn tell_request(
        &mut self,
        who: &Who,
        method: &str,
        params: &Value,
        place: Option<BoardIx>,
        error: Option<String>,
    ) -> u64 {
        let news = News::Request(RequestNews {
            method: method.to_owned(),
            params: params.clone(),
            by: who.name.clone(),
            ok: error.is_none(),
            error,
        });
        match place {
            Some(ix) => self.tell(ix, When::exactly(self.at), news),
            None => self.tell_hall(Audience::Desk, None, self.s.wall(self.at), news),
        }
    }

    /// The board a request is about.
    pub(crate) fn place(&self, request: &Request) -> Option<BoardIx> {
        let on = |on: &ForBoard| self.which_board(on.round, &on.board).ok();
        match request {
            Request::PlayerArrived { on: board, .. }
            | Request::BoardStart { on: board, .. }
            | Request::BoardStop { on: board, .. }
            | Request::BoardResume { on: board, .. }
            | Request::BoardSwapSides { on: board, .. }
            | Request::BoardSetTimes { on: board, .. }
            | Request::BoardAdjust { on: board, .. }
            | Request::BoardResult { on: board, .. }
            | Request::BoardSign { on: board }
            | Request::BoardWithdrawResult { on: board, .. }
            | Request::BoardAssign { on: board, .. }
            | Request::StopExplain { on: board, .. }
            | Request::FoulRecord { on: board, .. }
            | Request::FoulWithdraw { on: board, .. }
            | Request::RecordingExempt { on: board, .. }
            | Request::RulingMake { on: board, .. }
            | Request::BoardHistory { on: board, .. } => on(board),
            Request::RulingConfirm { id, ids, .. }
            | Request::RulingOverrule { id, ids, .. }
            | Request::RulingAnnounce { id, ids } => {
                let id = id.or(ids.first().copied())?;
                self.s.rulings.get(&id)?.board
            }
            Request::IncidentTake { id } | Request::IncidentClose { id, .. } => {
                self.s.incidents.get(id)?.board
            }
            Request::Undo { seq, .. } => self.s.acts.get(seq).and_then(|(_, act)| self.s.ix(act.board())),
            Request::RoundPrepare { .. }
            | Request::RoundCheck { .. }
            | Request::RoundStart { .. }
            | Request::RoundAbsent { .. }
            | Request::RoundPause { .. }
            | Request::RoundResume { .. }
            | Request::RoundClose { .. }
            | Request::EventMode { .. }
            | Request::TaskDone { .. }
            | Request::ClockIdentify { .. } => None,
        }
    }

    fn request(&mut self, who: &Who, request: &Request) -> Result<Done, Refused> {
        let on = |turn: &Self, on: &ForBoard| turn.which_board(on.round, &on.board);
        Ok(match request {
            Request::RoundPrepare { round } => return self.prepare(*round).map(Done::Later),
            Request::RoundCheck { round } => {
                let number = self.which_round(*round)?;
                self.tables(number)
            }
            Request::RoundStart { round, at, except } => self.round_start(who, *round, *at, except)?,
            Request::RoundAbsent { round, players, complete } => {
                self.round_absent(*round, players, *complete)?
            }
            Request::RoundPause { round, at, .. } => self.round_pause(*round, *at)?,
            Request::RoundResume { round, seated, .. } => self.round_resume(*round, *seated)?,
            Request::RoundClose { round } => self.round_close(*round)?,
            Request::PlayerArrived { on: b, player, at } => {
                let ix = on(self, b)?;
                self.arrived(ix, *player, *at)?
            }
            Request::BoardStart { on: b, first_ms, second_ms } => {
                let ix = on(self, b)?;
                self.board_start(ix, *first_ms, *second_ms)?
            }
            Request::BoardStop { on: b, .. } => {
                let ix = on(self, b)?;
                if !self.board(ix).holds.iter().any(|hold| hold.by == HeldBy::Arbiter && hold.to.is_none()) {
                    self.hold(ix, HeldBy::Arbiter);
                } else if self.running(ix).is_some() {
                    self.order(ix, Action::Stop);
                }
                json!({ "board": self.board(ix).name, "held": true })
            }
            Request::BoardResume { on: b, .. } => {
                let ix = on(self, b)?;
                self.board_resume(ix)?
            }
            Request::BoardSwapSides { on: b, .. } => {
                let ix = on(self, b)?;
                if self.board(ix).flag.is_some() || self.board(ix).owed.is_some() {
                    let name = &self.board(ix).name;
                    let first =
                        "overrule the flag, or let the clock show what it owes, before the sides change";
                    return Err(Refused::new(Refused::STATE, format!("board {name}: {first}")));
                }
                let board = self.board(ix).at();
                let since = self.s.head;
                self.change(Change::Sides { board: board.clone() });
                self.acted(since, Act::Swap(board));
                self.close_on(ix, self.at, &[IncidentKind::SidesReversed], "swapped");
                json!({ "board": self.board(ix).name, "first_side": self.board(ix).first_side })
            }
            Request::BoardSetTimes { on: b, first_ms, second_ms, .. } => {
                let ix = on(self, b)?;
                let shown = self.standing(ix)?;
                self.correct(ix, [first_ms - shown[0], second_ms - shown[1]])?
            }
            Request::BoardAdjust { on: b, player, delta_ms, .. } => {
                let ix = on(self, b)?;
                self.standing(ix)?;
                let mut delta = [0; 2];
                delta[*player as usize] = *delta_ms;
                self.correct(ix, delta)?
            }
            Request::Undo { seq, reason } => self.undo(who, *seq, reason.as_deref())?,
            Request::BoardResult { on: b, entry } => {
                let ix = on(self, b)?;
                self.enter(who, ix, entry)?
            }
            Request::BoardSign { on: b } => {
                let ix = on(self, b)?;
                self.sign(ix)?
            }
            Request::BoardWithdrawResult { on: b, .. } => {
                let ix = on(self, b)?;
                self.withdraw_result(ix)?
            }
            Request::BoardAssign { on: b, clock, first_side, carry } => {
                let ix = on(self, b)?;
                self.assign(who, ix, *clock, *first_side, *carry)?
            }
            Request::StopExplain { on: b, cause, offender, .. } => {
                let ix = on(self, b)?;
                self.explain(ix, *cause, *offender)?
            }
            Request::FoulRecord { on: b, player, article, .. } => {
                let ix = on(self, b)?;
                let article = article_key(article)?;
                let since = self.s.head;
                let id = self.foul(ix, *player, &article, 1, None, &who.name);
                let at = self.board(ix).at();
                self.acted(since, Act::Foul(at, *player, article));
                json!({ "foul": id, "in_game": self.board(ix).fouls_of(*player) })
            }
            Request::FoulWithdraw { on: b, player, article, .. } => {
                let ix = on(self, b)?;
                let article = &article_key(article)?;
                if self.board(ix).fouls_under(*player, article) <= 0 {
                    let name = &self.board(ix).name;
                    return Err(Refused::new(
                        Refused::STATE,
                        format!("board {name}: no foul under {article} to withdraw"),
                    ));
                }
                let id = self.foul(ix, *player, article, -1, None, &who.name);
                json!({ "foul": id, "in_game": self.board(ix).fouls_of(*player) })
            }
            Request::RecordingExempt { on: b, .. } => {
                let ix = on(self, b)?;
                let board = self.board(ix);
                if !board.exempt.contains(&true) {
                    let name = &board.name;
                    return Err(Refused::new(
                        Refused::STATE,
                        format!("board {name}: no time was below the limit yet"),
                    ));
                }
                if !board.granted {
                    let news = Exemption { player: Offender::Both, state: ExemptState::Granted };
                    self.tell(ix, When::exactly(self.at), News::RecordingExempt(news));
                }
                json!({ "board": self.board(ix).name, "state": ExemptState::Granted })
            }
            Request::RulingConfirm { id, ids, offender, option, proof, times, reason } => {
                let how = How {
                    offender: *offender,
                    option: *option,
                    proof: *proof,
                    times: *times,
                    reason: reason.as_deref(),
                };
                let ids = which(*id, ids)?;
                let mut ways = Vec::new();
                for &id in &ids {
                    ways.push(self.check_confirm(id, how)?);
                }
                for (&id, way) in ids.iter().zip(ways) {
                    if let Some(way) = way {
                        self.confirm(who, id, way, how)?;
                    }
                }
                json!({ "confirmed": ids })
            }
            Request::RulingOverrule { id, ids, reason } => {
                if reason.trim().is_empty() {
                    return Err(Refused::new(Refused::PARAMS, "ruling.overrule: a reason is needed"));
                }
                let ids = which(*id, ids)?;
                for id in &ids {
                    let Some(placed) = self.s.rulings.get(id) else {
                        return Err(Refused::new(Refused::UNKNOWN, format!("there is no ruling {id}")));
                    };
                    if placed.it.state == flagfall_arbiter::RulingState::Withdrawn {
                        return Err(Refused::new(Refused::STATE, format!("ruling {id} was withdrawn")));
                    }
                }
                for &id in &ids {
                    self.overrule(id, &who.name, reason);
                }
                json!({ "overruled": ids })
            }
            Request::RulingMake { on: b, kind, article, offender, reason } => {
                let ix = on(self, b)?;
                let article = article.as_deref().map(article_key).transpose()?;
                json!({ "id": self.make(who, ix, *kind, article.as_deref(), *offender, reason.as_deref())? })
            }
            Request::RulingAnnounce { id, ids } => {
                let ids = which(*id, ids)?;
                for &id in &ids {
                    self.announce(id)?;
                }
                json!({ "announced": ids })
            }
            Request::IncidentTake { id } => {
                self.open_incident(*id)?;
                self.retell(*id, self.at, |incident| incident.taken_by = Some(who.name.clone()));
                json!({ "id": id, "taken_by": who.name })
            }
            Request::IncidentClose { id, outcome, .. } => {
                self.open_incident(*id)?;
                self.close(*id, self.at, outcome.as_deref().unwrap_or("closed"));
                json!({ "id": id })
            }
            Request::EventMode { mode, .. } => {
                let mode: Mode = serde_json::from_value(json!(mode))
                    .map_err(|_| Refused::new(Refused::PARAMS, "a mode is `observe`, `assist` or `act`"))?;
                self.change(Change::Mode(mode));
                json!({ "mode": mode })
            }
            Request::TaskDone { id } => {
                return Err(Refused::new(Refused::UNKNOWN, format!("there is no task {id}")));
            }
            Request::ClockIdentify { clock } => {
                if !self.s.clocks.contains_key(clock) {
                    return Err(Refused::new(Refused::UNKNOWN, format!("clock {clock} was never heard of")));
                }
                self.out.orders.push(crate::Order { clock: *clock, action: Action::Identify });
                json!({ "clock": clock })
            }
            Request::BoardHistory { on: b, .. } => {
                on(self, b)?;
                return Err(Refused::new(Refused::STATE, "the history is read from the journal"));
            }
        }
        .into())
    }

    fn open_incident(&self, id: u64) -> Result<(), Refused> {
        match self.s.incidents.get(&id) {
            None => Err(Refused::new(Refused::UNKNOWN, format!("there is no incident {id}"))),
            Some(placed) if placed.it.state == IncidentState::Closed => {
                Err(Refused::new(Refused::STATE, format!("incident {id} is closed")))
            }
            Some(_) => Ok(()),
        }
    }

    /// The times of a clock that stands.
    fn standing(&self, ix: BoardIx) -> Result<[i64; 2], Refused> {
        let name = &self.board(ix).name;
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
    fn correct(&mut self, ix: BoardIx, delta: [i64; 2]) -> Result<Value, Refused> {
        let after = self.standing(ix)?;
        let after = [after[0] + delta[0], after[1] + delta[1]];
        if after.iter().any(|ms| ms.abs() > 86_400_000) {
            return Err(Refused::new(Refused::PARAMS, "times are at most a day"));
        }
        let since = self.s.head;
        self.owe(ix, delta);
        let at = self.board(ix).at();
        self.acted(since, Act::Times(at, delta));
        Ok(json!({ "board": self.board(ix).name, "first_ms": after[0], "second_ms": after[1] }))
    }

    fn board_resume(&mut self, ix: BoardIx) -> Result<Value, Refused> {
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
    fn let_go_on(&mut self, ix: BoardIx, stopping: bool) {
        let Some(seen) = self.s.seen(ix).cloned() else { return };
        let board = self.board(ix);
        let first_side = board.first_side;
        if let Some(side) = seen.flag.flatten() {
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
        } else if board.carried && seen.running.is_none() {
            let (first, second) = (seen.presses(first_side), seen.presses(first_side.other()));
            let side = if first > second { first_side.other() } else { first_side };
            self.order(ix, Action::Start { side });
        } else if seen.running.is_none() || stopping {
            self.order(ix, Action::Resume);
        }
    }

    /// `board.start`: with these times, or with the lateness deducted (四.2).
    fn board_start(
        &mut self,
        ix: BoardIx,
        first: Option<i64>,
        second: Option<i64>,
    ) -> Result<Value, Refused> {
        let board = self.board(ix);
        let name = board.name.clone();
        if board.decided() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has its result")));
        }
        let seen = self.s.seen(ix);
        let Some(seen) = seen else {
            return Err(Refused::new(Refused::STATE, format!("board {name}: its clock was never heard")));
        };
        if seen.running.is_some() {
            return Err(Refused::new(Refused::STATE, format!("board {name} runs already")));
        }
        if board.started.is_some() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has begun; resume it")));
        }
        let late = [board.there(Player::First).late_ms, board.there(Player::Second).late_ms];
        let mut times = [0; 2];
        for player in Player::BOTH {
            times[player as usize] = self.s.setup.regulations.at_start(player);
        }
        let both_late =
            late.iter().all(|late| late.is_some_and(|ms| ms > 0)) && first.is_none() && second.is_none();
        if both_late {
            let late = late.map(|late| late.unwrap_or(0) as i64);
            let take = match self.s.setup.regulations.both_late {
                BothLate::OwnLateness => late,
                BothLate::Doubled => late.map(|ms| ms * 2),
                BothLate::JointThenTurn => [late[0].min(late[1]); 2],
                BothLate::FirstMoverAll => [late[0], 0],
                BothLate::Split => {
                    let joint = late[0].min(late[1]);
                    [joint / 2, joint - joint / 2]
                }
            };
            times = [times[0] - take[0], times[1] - take[1]];
        }
        times = [first.unwrap_or(times[0]), second.unwrap_or(times[1])];
        if let Some(player) =
            Player::BOTH.into_iter().find(|p| self.s.setup.regulations.fallen(times[*p as usize]))
        {
            let (_, who) = self.words(ix).who(player);
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: no time would be left for {who}"),
            ));
        }
        let first_side = self.board(ix).first_side;
        let control = self.s.setup.regulations.time_control();
        let fresh = Player::BOTH.iter().all(|&player| {
            self.s.seen(ix).is_some_and(|seen| seen.ms(player.side(first_side)) == times[player as usize])
        });
        self.serve(ix, self.at);
        let at = self.board(ix).at();
        self.change(Change::Starting { board: at, both_late });
        if !fresh {
            self.order(
                ix,
                Action::Configure { time_control: control, first_side, stop_button: StopButton::On },
            );
            let of = |side: Side| times[Player::at(side, first_side) as usize];
            self.order(
                ix,
                Action::SetTimes(SetTimes {
                    left_ms: of(Side::Left),
                    right_ms: of(Side::Right),
                    left_presses: Some(0),
                    right_presses: Some(0),
                }),
            );
        }
        if !self.order(ix, Action::Start { side: first_side }) {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no clock")));
        }
        // both sit there now: an arbiter starts their clocks
        Ok(json!({ "board": name, "first_ms": times[0], "second_ms": times[1], "both_late": both_late }))
    }

    fn assign(
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
            && self.board(other).round == self.board(ix).round
            && !self.board(other).decided()
        {
            let other = &self.board(other).name;
            return Err(Refused::new(Refused::STATE, format!("clock {clock} serves board {other}")));
        }
        let times = self.times(ix, self.at);
        let presses = self.s.seen(ix).map(|seen| {
            let side = self.board(ix).first_side;
            [seen.presses(side), seen.presses(side.other())]
        });
        let first_side = first_side.unwrap_or(self.board(ix).first_side);
        let table = self.board(ix).setup.table;
        if in_game {
            self.hold(ix, HeldBy::Arbiter);
        }
        self.tell(
            ix,
            When::exactly(self.at),
            News::Assigned(Assigned { table, clock, first_side, by: who.name.clone() }),
        );
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
            let delta = [times[0] - shown[0], times[1] - shown[1]];
            if delta != [0, 0] {
                self.change(Change::Owe { board: board.clone(), delta });
                self.change(Change::OweFrom { board, shown, target: times });
            }
        }
        let carried = times
            .filter(|_| carry)
            .map(|[first_ms, second_ms]| json!({ "first_ms": first_ms, "second_ms": second_ms }));
        Ok(json!({ "board": name, "clock": clock, "first_side": first_side, "carried": carried }))
    }

    /// Why a stop or start happened.
    fn explain(
        &mut self,
        ix: BoardIx,
        cause: StopCause,
        offender: Option<Offender>,
    ) -> Result<Value, Refused> {
        let name = self.board(ix).name.clone();
        let kinds = [IncidentKind::UnexplainedStart, IncidentKind::UnexplainedStop, IncidentKind::ClockReset];
        let open = kinds
            .into_iter()
            .filter_map(|kind| self.open_on(ix, kind))
            .max_by_key(|placed| placed.it.id)
            .map(|placed| (placed.it.id, placed.it.kind));
        let board = self.board(ix);
        if open.is_none() && board.stops.is_empty() && board.started.is_none() {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no stop to explain")));
        }
        let word =
            serde_json::to_value(cause).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        // a question already closed may be answered better: its grounds are the ground of the ruling
        let last = self
            .s
            .incidents
            .values()
            .rev()
            .find(|placed| placed.board == Some(ix) && kinds.contains(&placed.it.kind))
            .map(|placed| (placed.it.id, placed.it.kind));
        let about = open.or(last);
        if cause == StopCause::WithoutCause
            && let Some((incident, _)) = about
            && let Some(ruled) = self.ruled(ix, incident)
        {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: ruling {ruled} answers this stop already; overrule it first"),
            ));
        }
        if let Some((id, _)) = open {
            self.close(id, self.at, &word);
        }
        if cause != StopCause::WithoutCause {
            if let Some((id, _)) = about {
                self.withdraw_resting_on(id, &word);
            }
            return Ok(json!({ "board": name, "cause": cause, "incident": about.map(|(id, _)| id) }));
        }
        let kind = match about {
            Some((_, IncidentKind::UnexplainedStart)) => RulingKind::UnauthorisedStart,
            _ => RulingKind::UnauthorisedStop,
        };
        let same = self.waiting(ix, &[kind]);
        for id in same {
            self.withdraw(id, "an arbiter named the offender");
        }
        let ruling = self.propose_stop(ix, When::exactly(self.at), kind, offender, about.map(|(id, _)| id));
        Ok(json!({ "board": name, "cause": cause, "incident": about.map(|(id, _)| id), "ruling": ruling }))
    }

    /// The confirmed ruling that answers an incident.
    fn ruled(&self, ix: BoardIx, incident: u64) -> Option<u64> {
        self.board(ix).rulings.iter().copied().find(|id| {
            self.s.rulings.get(id).is_some_and(|placed| {
                placed.it.incident == Some(incident)
                    && placed.it.state == flagfall_arbiter::RulingState::Confirmed
            })
        })
    }

    /// An event of the clock that follows from an act is taken back with it.
    pub(crate) fn belongs_to_last_act(&mut self, ix: BoardIx, seq: u64) {
        let at = self.board(ix).at();
        let last = self
            .s
            .acts
            .values()
            .rev()
            .find(|(_, act)| matches!(act, Act::Times(board, _) | Act::Ruling(board, _) if *board == at));
        if let Some((group, act)) = last.cloned() {
            self.change(Change::Acted { group, seqs: vec![seq], act });
        }
    }

    fn undo(&mut self, who: &Who, seq: u64, reason: Option<&str>) -> Result<Value, Refused> {
        let Some((group, act)) = self.s.acts.get(&seq).cloned() else {
            return Err(Refused::new(
                Refused::UNKNOWN,
                format!("event {seq} is nothing that can be taken back"),
            ));
        };
        if self.s.undone.contains(&group) {
            return Err(Refused::new(Refused::STATE, format!("event {seq} was taken back already")));
        }
        let Some(ix) = self.s.ix(act.board()) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("event {seq} belongs to no board")));
        };
        match act {
            Act::Times(_, delta) => {
                self.standing(ix)?;
                self.owe(ix, delta.map(|ms| -ms));
            }
            Act::Foul(_, player, article) => {
                self.foul(ix, player, &article, -1, None, &who.name);
            }
            Act::Result(_, Some(before)) => {
                self.replace_result(ix, before);
            }
            Act::Result(_, None) => {
                self.take_back(ix);
            }
            Act::Swap(board) => self.change(Change::Sides { board }),
            Act::Presence(_, player, state) => {
                let news = Presence { player, state, how: Cow::Borrowed("undone"), late_ms: None };
                self.tell(ix, When::exactly(self.at), News::Presence(news));
            }
            Act::Ruling(_, id) => self.overrule(id, &who.name, reason.unwrap_or("undone")),
        }
        let news = Undone { seq, by: who.name.clone(), reason: reason.map(str::to_owned) };
        self.tell(ix, When::exactly(self.at), News::Undone(news));
        self.change(Change::Undone { group });
        Ok(json!({ "undone": seq, "board": self.board(ix).name }))
    }
}

impl Act {
    /// The board it is about.
    pub(crate) const fn board(&self) -> &crate::At {
        match self {
            Self::Times(at, _)
            | Self::Foul(at, ..)
            | Self::Result(at, _)
            | Self::Swap(at)
            | Self::Presence(at, ..)
            | Self::Ruling(at, _) => at,
        }
    }
}

fn which(id: Option<u64>, ids: &[u64]) -> Result<Vec<u64>, Refused> {
    let mut all: Vec<u64> = id.into_iter().chain(ids.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    if all.is_empty() { Err(Refused::new(Refused::PARAMS, "name a ruling by its id")) } else { Ok(all) }
}

/// An article as the regulations write it: `三(1)`, `四.1`, or FIDE's `6.11`.
fn article_key(article: &str) -> Result<String, Refused> {
    let article = article.trim();
    let plausible = !article.is_empty()
        && article.chars().count() <= 16
        && article.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '(' | ')' | '-' | '（' | '）'));
    if plausible {
        Ok(article.replace('（', "(").replace('）', ")"))
    } else {
        Err(Refused::new(Refused::PARAMS, format!("`{article}` is no article; write it as 六.3 or 三(2)")))
    }
}
