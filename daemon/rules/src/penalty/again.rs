//! What waits on a board, looked at again: what was confirmed, overruled, recorded or taken back there changes what an
//! offence comes to. An arbiter who confirms must see what the regulations say now.

use crate::articles;
use crate::board::BoardIx;
use crate::turn::Turn;
use flagfall_arbiter::{Offender, Ruling, RulingKind, RulingState, Way};

/// What a way does, without the times that follow and what they bring about.
fn does(way: &Way) -> (&str, Option<u32>, Option<i64>, Option<i64>, bool) {
    let effect = &way.effect;
    let loses = effect.deduct_ms.is_none() && effect.result.is_some();
    (way.article.as_ref(), effect.foul, effect.deduct_ms, effect.opponent_ms, loses)
}

impl Turn<'_> {
    /// Tells what waits there as it is now, or withdraws it.
    pub(crate) fn look_again(&mut self, ix: BoardIx) {
        let waits = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id));
        let waits = waits.filter(|placed| placed.it.state == RulingState::Proposed);
        let waits: Vec<Ruling> = waits.map(|placed| placed.it.clone()).collect();
        for ruling in waits {
            match ruling.kind {
                RulingKind::FoulLimit => self.limit_again(ix, &ruling),
                RulingKind::EarlyPress | RulingKind::IllegalMove | RulingKind::FalseClaim => {
                    self.offence_again(ix, ruling);
                }
                _ => {}
            }
        }
    }

    fn limit_again(&mut self, ix: BoardIx, ruling: &Ruling) {
        let limit = self.s.setup.regulations.foul_limit as i32;
        let players = ruling.offender.map_or(&[][..], Offender::players);
        // what an arbiter made himself is his to take back
        let by_the_count = ruling.grounds.remarks.is_empty();
        if by_the_count && players.iter().all(|player| self.board(ix).fouls_of(*player) < limit) {
            self.withdraw(ruling.id, "fouls were taken back");
        }
    }

    fn offence_again(&mut self, ix: BoardIx, mut ruling: Ruling) {
        let Some(offender) = ruling.offender else { return };
        let kind = ruling.kind;
        let loses_now = |more: u32| {
            offender
                .players()
                .iter()
                .any(|player| self.loses_at(kind, self.count_of(ix, *player, kind) + more))
        };
        if ruling.recorded {
            // this very offence is counted already
            let loss = ruling.options.first().is_some_and(|way| does(way).4);
            if loss && !loses_now(0) {
                self.withdraw(ruling.id, "fouls were taken back");
            }
            return;
        }
        let laws = self.s.setup.regulations.laws;
        let named = articles::find(laws, &ruling.article)
            .filter(|article| article.gives.kind().is_some())
            .map(|article| article.key);
        let ways = self.offence_ways(ix, kind, named, offender);
        let (Some(now), Some(before)) = (ways.first(), ruling.options.first()) else { return };
        if does(now) == does(before) {
            return;
        }
        let times = now.first_ms.zip(now.second_ms).map(|(first, second)| [first, second]);
        (ruling.article, ruling.effect) = (now.article.clone(), now.effect.clone());
        let words = self.words(ix);
        ruling.text =
            words.ruling(kind, &ruling.article, ruling.offender, &ruling.effect, times, &ruling.grounds);
        ruling.options = ways;
        self.retell_ruling(Some(ix), ruling);
    }
}
