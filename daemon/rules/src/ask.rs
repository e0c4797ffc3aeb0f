//! Requests of people, one by one. Each checks first and then acts: a refused one has changed nothing.

mod incident;
mod place;
mod which;

use crate::board::BoardIx;
use crate::change::{Act, Change, HeldBy};
use crate::fouls::Reported;
use crate::made::Made;
use crate::rulings::How;
use crate::turn::{Turn, When};
use crate::{Mode, Who};
use flagfall_arbiter::{
    Audience, ExemptState, Exemption, ForBoard, IncidentKind, News, Offender, Refused, Request, RequestNews,
    Role,
};
use flagfall_clock::Action;
use serde_json::{Value, json};

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
        let reads = Request::looks(method);
        if reads {
            // looking at something is no act: it is not told
            match done {
                Ok((Done::Now(value), _)) => self.answer(no, Ok(value)),
                Ok((Done::Later(round), _)) => return Some(round),
                Err(refused) => self.answer(no, Err(refused)),
            }
            return None;
        }
        if let (Ok(_), Some(ix)) = (&done, place)
            && Request::role_of(method) == Some(Role::Arbiter)
            && at_the_board(method)
        {
            self.arbiter_was_there(ix);
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
                    if self.told_after_pairing() {
                        answer.insert("after_pairing".into(), json!(true));
                    }
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

    fn request(&mut self, who: &Who, request: &Request) -> Result<Done, Refused> {
        let on = |turn: &Self, on: &ForBoard| turn.which_board(on.round, &on.board);
        Ok(match request {
            Request::RoundPrepare { round } => return self.prepare(*round).map(Done::Later),
            Request::RoundCheck { round } => {
                match self.which_round(*round) {
                    Ok(number) => self.tables(number),
                    // where no round is loaded the tables can be looked at all the same
                    Err(refused) if round.is_none() && refused.code == Refused::STATE => self.hall_tables(),
                    Err(refused) => return Err(refused),
                }
            }
            Request::SetupWalk { from_table, to_table, first_side, stop } => {
                self.setup_walk(who, *from_table, *to_table, *first_side, *stop)?
            }
            Request::RoundLoad { round, list, dry_run, replace } => {
                self.round_load(who, *round, list, *dry_run, *replace)?
            }
            Request::RoundExport { round } => self.round_export(*round)?,
            Request::MatchHold { round, match_no, until, reason } => {
                self.match_hold(who, *round, *match_no, *until, reason.as_deref())?
            }
            Request::MatchResults { round, match_no, results, cause, status } => {
                self.match_results(who, *round, *match_no, results, (cause, *status))?
            }
            Request::ClaimOpen { on: b, player, kind, .. } => {
                let ix = on(self, b)?;
                self.claim_open(who, ix, *player, *kind)?
            }
            Request::ClaimDecide { on: b, player, outcome, rounds, checks, .. } => {
                let ix = on(self, b)?;
                self.claim_decide(who, ix, *player, *outcome, [*rounds, *checks])?
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
            Request::BoardStart { on: b, first_ms, second_ms, policy } => {
                let ix = on(self, b)?;
                self.board_start(ix, [*first_ms, *second_ms], *policy)?
            }
            Request::BoardStartTimes { on: b, policy } => self.would_start(on(self, b)?, *policy)?,
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
                self.may_swap(ix)?;
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
                self.sign(who, ix)?
            }
            Request::BoardWithdrawResult { on: b, .. } => {
                let ix = on(self, b)?;
                self.withdraw_result(who, ix)?
            }
            Request::BoardAssign { on: b, clock, first_side, carry } => {
                let ix = on(self, b)?;
                self.assign(who, ix, *clock, *first_side, *carry)?
            }
            Request::StopExplain { on: b, cause, offender, .. } => {
                let ix = on(self, b)?;
                self.explain(ix, *cause, *offender)?
            }
            Request::FoulRecord { on: b, player, article, moves, count, at, not_player, waived, .. } => {
                let ix = on(self, b)?;
                let reported = Reported {
                    moves: *moves,
                    count: *count,
                    at: *at,
                    not_player: *not_player,
                    waived: *waived,
                };
                self.record_foul(who, ix, *player, article, reported)?
            }
            Request::FoulArticles { on: b, player } => json!(self.foul_articles(on(self, b)?, *player)),
            Request::FoulList { round } => {
                let round = round.map(|round| self.which_round(Some(round))).transpose()?;
                json!({ "fouls": self.s.foul_list(round) })
            }
            Request::EventStandings {} => json!(self.s.standings()),
            Request::FoulWithdraw { on: b, player, article, waived, .. } => {
                let ix = on(self, b)?;
                self.withdraw_foul(who, ix, *player, article, *waived)?
            }
            Request::RecordingExempt { on: b, .. } => {
                let ix = on(self, b)?;
                let board = self.board(ix);
                if board.exempt == [None; 2] {
                    let name = &board.name;
                    return Err(Refused::new(
                        Refused::STATE,
                        format!("board {name}: no time was below the limit yet"),
                    ));
                }
                if !board.all_granted() {
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
                self.may_confirm_at_once(&ids, how)?;
                let mut ways = Vec::new();
                for &id in &ids {
                    self.may_rule(who, id)?;
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
                    self.may_rule(who, *id)?;
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
            Request::RulingMake { on: b, kind, article, offender, moves, reason } => {
                let ix = on(self, b)?;
                let (kind, offender, moves) = (*kind, *offender, *moves);
                let (article, reason) = (article.as_deref(), reason.as_deref());
                json!({ "id": self.make(who, ix, Made { kind, article, offender, moves, reason })? })
            }
            Request::RulingAnnounce { id, ids } => {
                let ids = which(*id, ids)?;
                for &id in &ids {
                    self.may_announce(id)?;
                }
                for &id in &ids {
                    self.announce(id);
                }
                json!({ "announced": ids })
            }
            Request::IncidentTake { id, leave } => self.take_incident(who, *id, *leave)?,
            Request::IncidentClose { id, outcome, .. } => {
                self.open_incident(*id)?;
                self.close_incident(*id, outcome.as_deref().unwrap_or("closed"));
                json!({ "id": id })
            }
            Request::EventMode { mode, .. } => {
                let mode: Mode = serde_json::from_value(json!(mode))
                    .map_err(|_| Refused::new(Refused::PARAMS, "a mode is `observe`, `assist` or `act`"))?;
                self.turn_mode(mode);
                json!({ "mode": mode })
            }
            Request::TaskDone { id } => self.task_done(*id)?,
            Request::ClockIdentify { clock } => {
                if !self.s.clocks.contains_key(clock) {
                    return Err(Refused::new(Refused::UNKNOWN, format!("clock {clock} was never heard of")));
                }
                self.out.orders.push(crate::Order { clock: *clock, action: Action::Identify });
                json!({ "clock": clock })
            }
            Request::RoundView { round } => {
                self.which_round(*round)?;
                return Err(Refused::new(
                    Refused::STATE,
                    "a round is shown by the hall, which hears its clocks",
                ));
            }
            Request::BoardHistory { on: b, .. } => {
                on(self, b)?;
                return Err(Refused::new(Refused::STATE, "the history is read from the journal"));
            }
        }
        .into())
    }

    /// A ruling that decides or decided a game of a closed round is the chief's, as its result is.
    fn may_rule(&self, who: &Who, id: u64) -> Result<(), Refused> {
        let decides = self.s.rulings.get(&id).filter(|placed| {
            placed.it.effect.result.is_some()
                || placed.it.options.iter().any(|way| way.effect.result.is_some())
        });
        decides.and_then(|placed| placed.board).map_or(Ok(()), |ix| self.may_correct(who, ix).map(|_| ()))
    }
}

/// Whether who asks this stands at the board, or was there. What is decided about a question, and who goes
/// to look, does not answer it.
fn at_the_board(method: &str) -> bool {
    !["incident.", "ruling.", "stop."].iter().any(|about| method.starts_with(about)) && method != "undo"
}

fn which(id: Option<u64>, ids: &[u64]) -> Result<Vec<u64>, Refused> {
    let mut all: Vec<u64> = id.into_iter().chain(ids.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    if all.is_empty() { Err(Refused::new(Refused::PARAMS, "name a ruling by its id")) } else { Ok(all) }
}
