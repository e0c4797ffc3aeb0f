//! A ruling decided against: what it did is taken back by difference, and what stood before it stands again.

use crate::board::BoardIx;
use crate::change::{Act, At, Change};
use crate::turn::Turn;
use flagfall_arbiter::{BoardResult, Cause, Offender, Outcome, Ruling, RulingKind, RulingState};

impl Turn<'_> {
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
            self.as_before_ruling(ix, id);
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
        self.look_again(ix);
    }

    /// A ruling decides a board no longer: the other one that still does, or what a person had said.
    fn as_before_ruling(&mut self, ix: BoardIx, id: u64) {
        let confirmed =
            |id: u64| self.s.rulings.get(&id).is_some_and(|placed| placed.it.state == RulingState::Confirmed);
        let said = self.board(ix).set_aside.clone();
        let said = said.filter(|said| said.ruling.is_none_or(confirmed));
        let board = self.board(ix).at();
        let other = self.decides_still(ix, id);
        if let Some(other) = other.filter(|_| said.as_ref().is_none_or(|said| said.ruling.is_none())) {
            let cause = cause_of(other.kind, other.effect.deduct_ms.is_some());
            let result = other.effect.result.unwrap_or(Outcome::None);
            self.result_of_ruling(ix, other.id, result, cause, other.effect.forfeit);
            self.change(Change::SetAside { board, result: said });
        } else if self.board(ix).set_aside.is_some() {
            self.change(Change::SetAside { board, result: None });
            if let Some(said) = said {
                self.replace_result(ix, said);
            }
        }
    }

    /// The other ruling that decides a board, once this one does not; with a result that a person had said one that
    /// took minutes off never did.
    fn decides_still(&self, ix: BoardIx, id: u64) -> Option<Ruling> {
        let board = self.board(ix);
        let others = board.rulings.iter().rev().filter(|other| **other != id);
        let mut others = others.filter_map(|other| self.s.rulings.get(other)).map(|placed| &placed.it);
        let decides = |it: &&Ruling| {
            let may = it.effect.deduct_ms.is_none() || board.set_aside.is_none();
            let stands = it.state == RulingState::Confirmed && it.effect.result.is_some();
            may && stands && !self.taken_from(ix, it.id)
        };
        others.find(decides).cloned()
    }

    /// Whether a person took the result of a ruling back, or said another in its place.
    fn taken_from(&self, ix: BoardIx, id: u64) -> bool {
        let board = self.board(ix).at();
        let of_it = |at: &At, before: &Option<BoardResult>| {
            *at == board && before.as_ref().and_then(|it| it.ruling) == Some(id)
        };
        self.s.acts.values().filter(|(group, _)| !self.s.undone.contains(group)).any(|(_, act)| match act {
            Act::Result(at, before) => of_it(at, before),
            Act::Sheet(_, boards) => boards.iter().any(|(at, before)| of_it(at, before)),
            _ => false,
        })
    }
}

/// Why a game that a ruling decided is over.
pub(crate) const fn cause_of(kind: RulingKind, by_minutes: bool) -> Cause {
    match kind {
        RulingKind::TimeForfeit => Cause::Time,
        RulingKind::Default | RulingKind::DoubleDefault => Cause::Default,
        _ if by_minutes => Cause::Time,
        _ => Cause::Article,
    }
}
