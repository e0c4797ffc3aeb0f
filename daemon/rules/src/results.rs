//! Results of boards: claimed or provisional, entered, signed. A result that a person entered ends
//! the game; what its clock does afterwards is history.

use crate::board::BoardIx;
use crate::change::{Act, Change};
use crate::pairing::{Counted, counted};
use crate::turn::{Turn, When};
use crate::{DrawWinner, PublicResult, Who};
use flagfall_arbiter::{
    Audience, BoardResult, Cause, IncidentKind, News, Notice, Outcome, Refused, ResultEntry, RulingKind,
    RulingState, Status,
};
use serde_json::{Value, json};

/// The kind of notice that tells of a result changed after the pairing.
const AFTER_PAIRING: &str = "result_after_pairing";

/// A ruling that says something else than a result entered.
pub(crate) type Against = (u64, RulingKind, RulingState);

/// A result that a pairing program counts, Chinese and English.
fn in_words(counted: Counted) -> (String, String) {
    match counted {
        None => ("无".into(), "none".into()),
        Some((result, false)) => (result.as_str().into(), result.as_str().into()),
        Some((result, true)) => {
            (format!("{}（弃权）", result.as_str()), format!("{} by forfeit", result.as_str()))
        }
    }
}

impl Turn<'_> {
    /// A confirmed ruling decided the game; no person has said the result yet.
    pub(crate) fn result_of_ruling(
        &mut self,
        ix: BoardIx,
        ruling: u64,
        result: Outcome,
        cause: Cause,
        forfeit: bool,
    ) {
        let news = BoardResult {
            result,
            status: Status::Provisional,
            cause,
            forfeit,
            counts: self.counts_as(result),
            withdrawn: false,
            ruling: Some(ruling),
        };
        // what a person had said before comes back if the ruling is overruled
        let before = self.board(ix).result.as_ref().map(|(result, _)| result.clone());
        let ruled = before.as_ref().is_some_and(|before| before.ruling.is_some());
        let said = before.filter(|before| before.status >= Status::Entered);
        let at = self.board(ix).at();
        // in place of another ruling's result it stays what it was
        let keeps = said.is_none() && ruled;
        if !keeps && (said.is_some() || self.board(ix).set_aside.is_some()) {
            self.change(Change::SetAside { board: at, result: said });
        }
        self.replace_result(ix, news);
        self.close_on(ix, self.at, IncidentKind::OF_THE_CLOCK, "ruled");
        self.close_on(ix, self.at, &[IncidentKind::FlagAgainstResult], "ruled");
        self.ask_again_who_sits(self.board(ix).round);
        self.no_longer_awaited(ix, "result");
    }

    /// What a draw counts as, where the regulations let a player win it (armageddon).
    pub(crate) fn counts_as(&self, result: Outcome) -> Option<Outcome> {
        match self.s.setup.regulations.draw_winner {
            _ if result != Outcome::Draw => None,
            DrawWinner::Nobody => None,
            DrawWinner::First => Some(Outcome::First),
            DrawWinner::Second => Some(Outcome::Second),
        }
    }

    fn audience(&self, status: Status) -> Audience {
        let from = match self.s.setup.regulations.public_result {
            PublicResult::Entered => Status::Entered,
            PublicResult::Signed => Status::Signed,
            PublicResult::Official => Status::Official,
        };
        if status >= from { Audience::Public } else { Audience::Desk }
    }

    /// Tells a result in place of another. Whoever heard one that not all may hear of any more is told
    /// that it no longer stands.
    pub(crate) fn replace_result(&mut self, ix: BoardIx, result: BoardResult) -> u64 {
        let known = counted(self.board(ix));
        let old = self.board(ix).result.as_ref().map(|(result, _)| result.clone());
        if let Some(old) = old
            && self.audience(old.status) == Audience::Public
            && self.audience(result.status) == Audience::Desk
        {
            self.tell_result(ix, BoardResult { withdrawn: true, ..old });
        }
        let seq = self.tell_result(ix, result);
        self.serve_begun(ix);
        self.after_pairing(ix, known);
        seq
    }

    /// Once the pairing program has a round's results, one that changes is told: the next round may rest on it.
    fn after_pairing(&mut self, ix: BoardIx, before: Counted) {
        let board = self.board(ix);
        let now = counted(board);
        let paired = self.s.rounds.get(&board.round).is_some_and(|round| round.paired.is_some());
        if now == before || !paired {
            return;
        }
        let (round, name) = (board.round, &board.name);
        let ((old_zh, old_en), (new_zh, new_en)) = (in_words(before), in_words(now));
        let message = format!(
            "第{round}轮第{name}台：配对之后成绩由 {old_zh} 改为 {new_zh} / \
             Round {round}, board {name}: after the pairing the result changed from {old_en} to {new_en}"
        );
        let kind = std::borrow::Cow::Borrowed(AFTER_PAIRING);
        self.tell(ix, When::exactly(self.at), News::Notice(Notice { kind, message }));
    }

    /// Whether this turn changed a result that the pairing program has.
    pub(crate) fn told_after_pairing(&self) -> bool {
        self.out.decisions.iter().any(|decision| match decision {
            crate::Decision::Tell(event) => {
                matches!(&event.news, News::Notice(notice) if notice.kind == AFTER_PAIRING)
            }
            crate::Decision::Change(_) => false,
        })
    }

    /// The results of a closed round are official: only the chief corrects them. Gives whether it is closed.
    pub(crate) fn may_correct(&self, who: &Who, ix: BoardIx) -> Result<bool, Refused> {
        let board = self.board(ix);
        let closed = self.s.rounds.get(&board.round).is_some_and(|round| round.closed);
        if closed && who.role != flagfall_arbiter::Role::Chief {
            let (round, name) = (board.round, &board.name);
            return Err(Refused::new(
                Refused::ROLE,
                format!(
                    "round {round} is closed: only the chief corrects the official result of board {name}"
                ),
            ));
        }
        Ok(closed)
    }

    pub(crate) fn tell_result(&mut self, ix: BoardIx, result: BoardResult) -> u64 {
        let audience = self.audience(result.status);
        self.tell_to(audience, ix, When::exactly(self.at), News::Result(result))
    }

    /// Enters a result. A flag or ruling that says otherwise is named: `over` sets it aside, a flag
    /// without `over` becomes a question.
    pub(crate) fn enter(&mut self, who: &Who, ix: BoardIx, entry: &ResultEntry) -> Result<Value, Refused> {
        let against = self.check_entry(who, ix, entry)?;
        let since = self.s.head;
        let (at, before) = self.put_in(who, ix, entry, against);
        self.acted(since, Act::Result(at, before));
        let status = self.board(ix).result.as_ref().map(|(result, _)| result.status);
        Ok(json!({ "board": self.board(ix).name, "result": entry.result, "status": status }))
    }

    /// Whether a result can be entered, and which rulings it goes against.
    pub(crate) fn check_entry(
        &self,
        who: &Who,
        ix: BoardIx,
        entry: &ResultEntry,
    ) -> Result<Vec<Against>, Refused> {
        if !matches!(entry.status, Status::Entered | Status::Signed) {
            return Err(Refused::new(Refused::PARAMS, "a result is `entered` or `signed`"));
        }
        self.may_correct(who, ix)?;
        self.may_agree(ix, entry)?;
        self.may_sign(ix, entry.result, entry.status)?;
        let name = &self.board(ix).name;
        if let Some((now, _)) = &self.board(ix).result
            && now.status >= Status::Signed
            && (now.result != entry.result || now.status > entry.status)
        {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name} has {} {:?}; withdraw it first", now.result.as_str(), now.status)
                    .to_lowercase(),
            ));
        }
        let against = self.against(ix, entry);
        let flag =
            against.iter().find(|(id, kind, _)| *kind == RulingKind::TimeForfeit && entry.over != Some(*id));
        if let Some((id, _, _)) = flag
            && entry.status >= Status::Signed
        {
            return Err(Refused::new(
                Refused::STATE,
                format!(
                    "board {name}: ruling {id} on a flag says otherwise; name it as `over`, or enter it unsigned"
                ),
            ));
        }
        let arbiter = matches!(who.role, flagfall_arbiter::Role::Chief | flagfall_arbiter::Role::Arbiter);
        for &(id, kind, state) in &against {
            if entry.over == Some(id) {
                if !arbiter {
                    return Err(Refused::new(
                        Refused::ROLE,
                        format!("only an arbiter sets ruling {id} aside"),
                    ));
                }
            } else if kind != RulingKind::TimeForfeit && state == RulingState::Confirmed {
                return Err(Refused::new(
                    Refused::STATE,
                    format!("board {name}: ruling {id} says otherwise; name it as `over`, or overrule it"),
                ));
            }
        }
        Ok(against)
    }

    /// Enters a result that was checked. Gives what stood before it. In a closed round it is official, as
    /// all results there are.
    pub(crate) fn put_in(
        &mut self,
        who: &Who,
        ix: BoardIx,
        entry: &ResultEntry,
        against: Vec<Against>,
    ) -> (crate::change::At, Option<BoardResult>) {
        let mut conflict = None;
        for (id, kind, _) in against {
            if entry.over == Some(id) {
                self.overrule(id, &who.name, "a result was entered over it");
            } else if kind == RulingKind::TimeForfeit {
                conflict = Some(id);
            } else {
                self.withdraw(id, "a result was entered");
            }
        }
        let before = self.board(ix).result.as_ref().map(|(result, _)| result.clone());
        let closed = self.s.rounds.get(&self.board(ix).round).is_some_and(|round| round.closed);
        // who says only how it ended leaves the known cause as it is
        let known = before.as_ref().filter(|known| {
            entry.cause == Cause::Unstated && known.result == entry.result && known.forfeit == entry.forfeit
        });
        let cause = known.map_or_else(|| entry.cause.clone(), |known| known.cause.clone());
        self.replace_result(
            ix,
            BoardResult {
                result: entry.result,
                status: if closed { Status::Official } else { entry.status },
                cause,
                forfeit: entry.forfeit,
                counts: self.counts_as(entry.result),
                withdrawn: false,
                ruling: None,
            },
        );
        let at = self.board(ix).at();
        if self.board(ix).set_aside.is_some() {
            self.change(Change::SetAside { board: at.clone(), result: None });
        }
        self.close_on(ix, self.at, IncidentKind::OF_THE_CLOCK, "result");
        self.ask_again_who_sits(self.board(ix).round);
        self.no_longer_awaited(ix, "result");
        self.tasks_after_game(ix);
        self.compare_result(ix, entry.result, entry.status);
        if let Some(id) = conflict {
            let seq = self.s.rulings.get(&id).and_then(|placed| placed.it.grounds.events.first().copied());
            self.flag_against_result(ix, When::exactly(self.at), seq.unwrap_or(0));
        } else {
            self.close_on(ix, self.at, &[IncidentKind::FlagAgainstResult], "result");
        }
        (at, before)
    }

    /// Rulings in force or proposed whose result differs from what is entered.
    pub(crate) fn against(&self, ix: BoardIx, entry: &ResultEntry) -> Vec<Against> {
        let rulings = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id));
        rulings
            .filter(|placed| {
                matches!(placed.it.state, RulingState::Proposed | RulingState::Confirmed)
                    && placed.it.effect.result.is_some_and(|result| result != entry.result)
            })
            .map(|placed| (placed.it.id, placed.it.kind, placed.it.state))
            .collect()
    }

    pub(crate) fn sign(&mut self, who: &Who, ix: BoardIx) -> Result<Value, Refused> {
        let closed = self.may_correct(who, ix)?;
        let name = self.board(ix).name.clone();
        let Some((result, _)) = self.board(ix).result.clone() else {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no result to sign")));
        };
        if result.status >= Status::Signed {
            return Ok(json!({ "board": name, "status": result.status }));
        }
        if self.open_on(ix, IncidentKind::FlagAgainstResult).is_some() {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: a flag and the result say different things; an arbiter decides first"),
            ));
        }
        if self.open_on(ix, IncidentKind::ResultReversed).is_some() {
            return Err(Refused::new(
                Refused::STATE,
                format!(
                    "board {name}: at the clock the players said the opposite; an arbiter looks and closes the question first"
                ),
            ));
        }
        // what nobody has entered yet was held against no flag and no ruling
        let against = if result.status < Status::Entered {
            let (result, cause, forfeit) = (result.result, result.cause.clone(), result.forfeit);
            self.check_entry(
                who,
                ix,
                &ResultEntry { result, cause, forfeit, status: Status::Signed, over: None, rounds: None },
            )?
        } else {
            Vec::new()
        };
        let before = Some(result.clone());
        let since = self.s.head;
        for (id, ..) in against {
            self.withdraw(id, "the result was signed");
        }
        let status = if closed { Status::Official } else { Status::Signed };
        self.replace_result(ix, BoardResult { status, ..result });
        let at = self.board(ix).at();
        self.acted(since, Act::Result(at, before));
        self.close_on(ix, self.at, IncidentKind::OF_THE_CLOCK, "result");
        self.ask_again_who_sits(self.board(ix).round);
        self.no_longer_awaited(ix, "result");
        self.tasks_after_game(ix);
        if let Some((now, _)) = self.board(ix).result.clone() {
            self.compare_result(ix, now.result, now.status);
        }
        Ok(json!({ "board": name, "status": status }))
    }

    /// Tells that a result no longer stands; to all who heard it.
    pub(crate) fn take_back(&mut self, ix: BoardIx) -> bool {
        let Some((result, _)) = self.board(ix).result.clone() else { return false };
        let known = counted(self.board(ix));
        self.tell_result(ix, BoardResult { withdrawn: true, ..result });
        self.tasks_before_result(ix);
        self.close_on(ix, self.at, &[IncidentKind::ResultReversed], "withdrawn");
        self.flag_under_result(ix);
        self.after_pairing(ix, known);
        true
    }

    pub(crate) fn withdraw_result(&mut self, who: &Who, ix: BoardIx) -> Result<Value, Refused> {
        self.may_correct(who, ix)?;
        let name = self.board(ix).name.clone();
        let before = self.board(ix).result.as_ref().map(|(result, _)| result.clone());
        let since = self.s.head;
        if !self.take_back(ix) {
            return Err(Refused::new(Refused::STATE, format!("board {name} has no result")));
        }
        let at = self.board(ix).at();
        self.acted(since, Act::Result(at, before));
        Ok(json!({ "board": name, "result": null }))
    }
}
