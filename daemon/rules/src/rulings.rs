//! What an arbiter does with rulings: confirm, overrule, make, announce. A confirmation is one
//! decision: foul, deduction and result together or none of them.

use crate::Who;
use crate::board::BoardIx;
use crate::change::{Act, Change, HeldBy};
use crate::turn::{Turn, When};
use crate::words::Words;
use flagfall_arbiter::{
    Audience, Cause, Foul, News, Offender, Outcome, Player, ProofBy, Refused, Ruling, RulingKind,
    RulingState, Times, Way,
};
use std::borrow::Cow;

/// How an arbiter confirms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How<'a> {
    pub offender: Option<Offender>,
    pub option: Option<usize>,
    pub proof: Option<ProofBy>,
    pub times: Option<Times>,
    pub reason: Option<&'a str>,
}

impl Turn<'_> {
    pub(crate) fn words(&self, ix: BoardIx) -> Words<'_> {
        Words { variant: self.s.setup.variant, board: self.board(ix) }
    }

    fn ruling(&self, id: u64) -> Result<(Option<BoardIx>, Ruling), Refused> {
        self.s
            .rulings
            .get(&id)
            .map(|placed| (placed.board, placed.it.clone()))
            .ok_or_else(|| Refused::new(Refused::UNKNOWN, format!("there is no ruling {id}")))
    }

    fn retell_ruling(&mut self, ix: Option<BoardIx>, ruling: Ruling) {
        let public = ruling.announced && ruling.state != RulingState::Proposed;
        let audience = if public { Audience::Public } else { Audience::Desk };
        if let Some(ix) = ix {
            self.tell_to(audience, ix, When::exactly(self.at), News::Ruling(ruling));
        }
    }

    pub(crate) fn withdraw(&mut self, id: u64, why: &str) {
        if let Ok((ix, mut ruling)) = self.ruling(id)
            && ruling.state == RulingState::Proposed
        {
            ruling.state = RulingState::Withdrawn;
            ruling.reason = Some(why.to_owned());
            self.retell_ruling(ix, ruling);
        }
    }

    /// Checks whether a ruling can be confirmed so, without doing it.
    pub(crate) fn check_confirm(&self, id: u64, how: How<'_>) -> Result<Option<Way>, Refused> {
        let (ix, ruling) = self.ruling(id)?;
        if ruling.state == RulingState::Confirmed {
            return Ok(None);
        }
        if ruling.state != RulingState::Proposed {
            let state = if ruling.state == RulingState::Overruled { "overruled" } else { "withdrawn" };
            return Err(Refused::new(Refused::STATE, format!("ruling {id} was {state}")));
        }
        let Some(ix) = ix else {
            return Err(Refused::new(Refused::STATE, format!("ruling {id} has no board")));
        };
        let ways = match ruling.kind {
            RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart => {
                // the times may have moved on since it was proposed; the ways and their order have not
                let proof = ruling.grounds.proof.unwrap_or_else(|| self.proof_now(ix));
                self.stop_ways(ix, ruling.kind, ruling.offender, &proof)
            }
            _ => ruling.options.clone(),
        };
        let mut way = match how.option {
            Some(option) => ways.get(option).cloned().ok_or_else(|| {
                Refused::new(
                    Refused::PARAMS,
                    format!("ruling {id} has options 0 to {}", ways.len().saturating_sub(1)),
                )
            })?,
            None => {
                let wanted = how.offender.or(ruling.offender);
                let found = ways.iter().find(|way| wanted.is_none() || way.offender == wanted).cloned();
                match (found, wanted) {
                    (Some(way), _) if wanted.is_some() || way.offender.is_none() => way,
                    (None, Some(wanted)) => self
                        .stop_ways(ix, ruling.kind, Some(wanted), &self.proof_now(ix))
                        .into_iter()
                        .next()
                        .filter(|_| ruling.offender.is_none())
                        .ok_or_else(|| {
                            Refused::new(Refused::PARAMS, format!("ruling {id} is not against him"))
                        })?,
                    _ => {
                        return Err(Refused::new(
                            Refused::PARAMS,
                            format!("ruling {id}: name the offender or an option"),
                        ));
                    }
                }
            }
        };
        if let (Some(named), Some(of_way)) = (how.offender, way.offender)
            && named != of_way
        {
            return Err(Refused::new(
                Refused::PARAMS,
                format!("ruling {id}: the option is against the other player"),
            ));
        }
        if let Some(times) = how.times {
            way = self.way_from(way, [times.first_ms, times.second_ms]);
        }
        Ok(Some(way))
    }

    /// The same way, reckoned from times that an arbiter gives.
    fn way_from(&self, mut way: Way, times: [i64; 2]) -> Way {
        let mut after = times;
        if let (Some(deduct), Some(offender)) = (way.effect.deduct_ms, way.offender) {
            way.effect.result = None;
            for &player in offender.players() {
                after[player as usize] -= deduct;
                if self.s.setup.regulations.fallen(after[player as usize]) {
                    way.effect.result = Some(Outcome::lost_by(player));
                }
            }
        }
        way.first_ms = Some(after[0]);
        way.second_ms = Some(after[1]);
        way
    }

    pub(crate) fn confirm(&mut self, who: &Who, id: u64, way: Way, how: How<'_>) -> Result<(), Refused> {
        let (ix, mut ruling) = self.ruling(id)?;
        let Some(ix) = ix else { return Ok(()) };
        let since = self.s.head;
        ruling.state = RulingState::Confirmed;
        ruling.offender = way.offender;
        ruling.article = way.article.clone();
        ruling.effect = way.effect.clone();
        ruling.decided_by = Some(who.name.clone());
        ruling.reason = how.reason.map(str::to_owned).or(ruling.reason);
        if let (Some(by), Some(proof)) = (how.proof, &mut ruling.grounds.proof) {
            proof.provable = true;
            proof.by = Some(by);
        }
        let after = way.first_ms.zip(way.second_ms).map(|(first, second)| [first, second]);
        ruling.text =
            self.words(ix).ruling(ruling.kind, &ruling.article, ruling.offender, &ruling.effect, after);
        let (kind, article, effect) = (ruling.kind, ruling.article.clone(), ruling.effect.clone());
        if let Some(incident) = ruling.incident {
            self.close(incident, self.at, "ruled");
        }
        self.retell_ruling(Some(ix), ruling);
        let offenders = way.offender.map_or(&[][..], Offender::players);
        for &player in offenders {
            if let Some(count) = effect.foul {
                self.foul(ix, player, &article, count as i32, Some(id), &who.name);
            }
        }
        let cause = match kind {
            RulingKind::TimeForfeit => Cause::Time,
            RulingKind::Default | RulingKind::DoubleDefault => Cause::Default,
            _ if effect.deduct_ms.is_some() => Cause::Time,
            _ => Cause::Article,
        };
        if let Some((now, _)) = self.board(ix).result.clone().filter(|_| self.board(ix).decided()) {
            // Its game is over: the foul counts, the clock is left alone. A loss that rests on no time taken
            // off is the result now, unless a person has said the same.
            let at = self.board(ix).at();
            let differs = |result: &Outcome| (now.result, now.forfeit) != (*result, effect.forfeit);
            if let Some(result) = effect.result.filter(differs).filter(|_| effect.deduct_ms.is_none()) {
                self.result_of_ruling(ix, id, result, cause, effect.forfeit);
            }
            self.acted(since, Act::Ruling(at, id));
            return Ok(());
        }
        if matches!(kind, RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart) {
            // the board stays stopped until an arbiter resumes it
            self.hold(ix, HeldBy::Ruling);
        }
        match effect.result {
            Some(result) => {
                self.result_of_ruling(ix, id, result, cause, effect.forfeit);
            }
            None => {
                let mut delta = [0; 2];
                if let Some(times) = how.times
                    && let Some(shown) = self.times(ix, self.at)
                {
                    delta = [times.first_ms - shown[0], times.second_ms - shown[1]];
                }
                for &player in offenders {
                    delta[player as usize] -= effect.deduct_ms.unwrap_or(0);
                }
                self.owe(ix, delta);
            }
        }
        let at = self.board(ix).at();
        self.acted(since, Act::Ruling(at, id));
        Ok(())
    }

    pub(crate) fn foul(
        &mut self,
        ix: BoardIx,
        player: Player,
        article: &str,
        count: i32,
        ruling: Option<u64>,
        by: &str,
    ) -> u64 {
        let id = self.next_id();
        let foul = Foul {
            id,
            player,
            article: Cow::Owned(article.to_owned()),
            count,
            in_game: self.board(ix).fouls_of(player) + count,
            in_event: 0,
            points: None,
            team: false,
            waived: false,
            reported_after_ms: None,
            ruling,
            by: by.to_owned(),
        };
        self.tell(ix, When::exactly(self.at), News::Foul(foul));
        id
    }

    /// Decides against a ruling; what it did is taken back by difference, and the board stays stopped
    /// for an arbiter to resume.
    pub(crate) fn overrule(&mut self, id: u64, by: &str, reason: &str) {
        let Ok((ix, mut ruling)) = self.ruling(id) else { return };
        let was = ruling.state;
        if !matches!(was, RulingState::Proposed | RulingState::Confirmed) {
            return;
        }
        ruling.state = RulingState::Overruled;
        ruling.decided_by = Some(by.to_owned());
        ruling.reason = Some(reason.to_owned());
        let (effect, article, offender) = (ruling.effect.clone(), ruling.article.clone(), ruling.offender);
        let kind = ruling.kind;
        self.retell_ruling(ix, ruling);
        let Some(ix) = ix else { return };
        if kind == RulingKind::TimeForfeit && self.board(ix).flag.is_some() {
            // set aside for what is decided from now on; the fact that was told stays
            let board = self.board(ix).at();
            self.change(Change::Unlatched { board });
        }
        if was != RulingState::Confirmed {
            return;
        }
        let offenders = offender.map_or(&[][..], Offender::players);
        for &player in offenders {
            // what was withdrawn by hand is not taken back again
            let left = self.board(ix).fouls_under(player, &article);
            let back = effect.foul.map_or(0, |count| left.min(count as i32));
            if back > 0 {
                self.foul(ix, player, &article, -back, Some(id), by);
            }
        }
        if self.board(ix).result.as_ref().is_some_and(|(result, _)| result.ruling == Some(id)) {
            self.take_back(ix);
            if let Some(before) = self.board(ix).set_aside.clone() {
                let board = self.board(ix).at();
                self.change(Change::SetAside { board, result: None });
                self.replace_result(ix, before);
            }
        } else if let Some(deduct) = effect.deduct_ms.filter(|_| !self.board(ix).decided()) {
            let mut delta = [0; 2];
            for &player in offenders {
                delta[player as usize] += deduct;
            }
            self.owe(ix, delta);
        }
    }

    /// Whether a ruling can be announced.
    pub(crate) fn may_announce(&self, id: u64) -> Result<(), Refused> {
        let (_, ruling) = self.ruling(id)?;
        if ruling.state != RulingState::Confirmed {
            return Err(Refused::new(
                Refused::STATE,
                format!("ruling {id} is not confirmed; nothing to announce"),
            ));
        }
        Ok(())
    }

    pub(crate) fn announce(&mut self, id: u64) {
        if let Ok((ix, ruling)) = self.ruling(id)
            && !ruling.announced
        {
            self.retell_ruling(ix, Ruling { announced: true, ..ruling });
        }
    }
}
