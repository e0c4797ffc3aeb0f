//! What an arbiter does with rulings: confirm, overrule, make, announce. A confirmation is one
//! decision: foul, deduction and result together or none of them.

use crate::Who;
use crate::board::BoardIx;
use crate::change::{Act, Change, HeldBy};
use crate::turn::{Turn, When};
use crate::words::Words;
use flagfall_arbiter::{
    Audience, Cause, Grounds, News, Offender, Outcome, Player, ProofBy, Refused, Ruling, RulingKind,
    RulingState, Times, Way,
};

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
        // the times may have moved on since it was proposed; the ways and their order have not
        let ways: Vec<Way> = ruling
            .options
            .iter()
            .map(|way| self.reckon_again(way.clone(), self.times_for(ix, way)))
            .collect();
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
        if way.effect.restored && self.times_for(ix, &way).is_none() {
            let name = &self.board(ix).name;
            return Err(Refused::new(
                Refused::STATE,
                format!(
                    "ruling {id}: board {name} has been played on or corrected since that press; choose another option"
                ),
            ));
        }
        if way.effect.restored {
            // by difference from what it shows: it must stand, and have said so
            self.standing(ix)?;
        }
        if let Some(times) = how.times {
            way = self.reckon_again(way, Some([times.first_ms, times.second_ms]));
        }
        Ok(Some(way))
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
        // what was weighed before it was decided is the desk's; what proves the times belongs to the ruling
        let grounds = &Grounds { remarks: Vec::new(), ..ruling.grounds.clone() };
        ruling.text = self.words(ix).ruling(
            ruling.kind,
            &ruling.article,
            ruling.offender,
            &ruling.effect,
            after,
            grounds,
        );
        let over = self.board(ix).decided();
        let change = (way.effect.result.is_none() && !over).then(|| self.penalty_change(ix, &way));
        ruling.changed = change
            .filter(|change| *change != [0, 0])
            .map(|[first_ms, second_ms]| Times { first_ms, second_ms });
        let (kind, article, effect) = (ruling.kind, ruling.article.clone(), ruling.effect.clone());
        if let Some(incident) = ruling.incident {
            self.close(incident, self.at, "ruled");
        }
        self.retell_ruling(Some(ix), ruling);
        let offenders = way.offender.map_or(&[][..], Offender::players);
        for &player in offenders {
            if let Some(count) = effect.foul {
                self.foul_of_ruling(ix, player, &article, count as i32, id, &who.name);
            }
            if let Some(count) = effect.team_foul {
                self.team_foul_of_ruling(ix, player, &article, count as i32, &effect, id, &who.name);
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
                let mut delta = change.unwrap_or_default();
                if let Some(times) = how.times
                    && let Some(shown) = self.times(ix, self.at)
                {
                    delta[0] += times.first_ms - shown[0];
                    delta[1] += times.second_ms - shown[1];
                }
                if effect.restored
                    && let Some(&player) = offenders.first()
                {
                    self.take_back_press(ix, player, true);
                }
                self.owe(ix, delta);
            }
        }
        let at = self.board(ix).at();
        self.acted(since, Act::Ruling(at, id));
        Ok(())
    }

    /// By how much a way changes the times beside what an arbiter says of them.
    fn penalty_change(&self, ix: BoardIx, way: &Way) -> [i64; 2] {
        let mut delta = [0; 2];
        if way.effect.restored
            && let Some((before, now)) = self.times_for(ix, way).zip(self.standing_or_shown(ix))
        {
            delta = [before[0] - now[0], before[1] - now[1]];
        }
        for &player in way.offender.map_or(&[][..], Offender::players) {
            delta[player as usize] -= way.effect.deduct_ms.unwrap_or(0);
            delta[player.other() as usize] += way.effect.opponent_ms.unwrap_or(0);
        }
        delta
    }

    /// His last press counts no longer, or counts again: who is to move changes with it.
    fn take_back_press(&mut self, ix: BoardIx, player: Player, on: bool) {
        let board = self.board(ix).at();
        self.change(Change::TakeBack { board, player, on });
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
        let (kind, changed) = (ruling.kind, ruling.changed);
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
            let left = |team| self.board(ix).fouls_under(player, &article, team);
            let back = effect.foul.map_or(0, |count| left(false).min(count as i32));
            let of_team = effect.team_foul.map_or(0, |count| left(true).min(count as i32));
            if back > 0 {
                self.foul_of_ruling(ix, player, &article, -back, id, by);
            }
            if of_team > 0 {
                self.team_foul_of_ruling(ix, player, &article, -of_team, &effect, id, by);
            }
        }
        if self.board(ix).result.as_ref().is_some_and(|(result, _)| result.ruling == Some(id)) {
            self.take_back(ix);
            if let Some(before) = self.board(ix).set_aside.clone() {
                let board = self.board(ix).at();
                self.change(Change::SetAside { board, result: None });
                self.replace_result(ix, before);
            }
        } else if !self.board(ix).decided() {
            if let Some(&player) = offenders.first()
                && effect.restored
                && self.board(ix).to_move == Some(player)
            {
                self.take_back_press(ix, player, false);
            }
            let delta = match changed {
                Some(changed) => [-changed.first_ms, -changed.second_ms],
                // as journals of before have it
                None => {
                    let mut delta = [0; 2];
                    for &player in offenders {
                        delta[player as usize] += effect.deduct_ms.unwrap_or(0);
                    }
                    delta
                }
            };
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
