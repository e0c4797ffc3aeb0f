//! What the regulations allow for a stop or start without cause (三(2), 六.9, 八.2), and proposing it.

use crate::Unprovable;
use crate::board::BoardIx;
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Effect, Grounds, News, Offender, Outcome, Player, Proof, Ruling, RulingKind, RulingState, Way,
};
use std::borrow::Cow;

impl Turn<'_> {
    /// What the regulations allow for a stop or start without cause, the proposed way first.
    pub(crate) fn stop_ways(
        &self,
        ix: BoardIx,
        kind: RulingKind,
        offender: Option<Offender>,
        proof: &Proof,
    ) -> Vec<Way> {
        let regulations = &self.s.setup.regulations;
        let times = self.times(ix, self.at);
        let against: &[Offender] = match &offender {
            Some(one) => std::slice::from_ref(one),
            None => &[Offender::First, Offender::Second],
        };
        let start = kind == RulingKind::UnauthorisedStart;
        let (article, fouls, deduct) = if start {
            ("三(2)", regulations.start_foul, regulations.start_deduct_ms)
        } else {
            ("八.2", regulations.stop_foul, regulations.stop_deduct_ms)
        };
        let mut penalties = Vec::new();
        let mut losses = Vec::new();
        for &offender in against {
            let mut after = times;
            let mut effect = Effect {
                foul: (fouls > 0).then_some(fouls),
                deduct_ms: (deduct > 0).then_some(i64::from(deduct)),
                ..Effect::default()
            };
            if let Some(after) = &mut after
                && deduct > 0
            {
                let mut fallen = None;
                for &player in offender.players() {
                    after[player as usize] -= i64::from(deduct);
                    if regulations.fallen(after[player as usize]) {
                        fallen =
                            Some(if fallen.is_some() { Outcome::None } else { Outcome::lost_by(player) });
                    }
                }
                effect.result = fallen;
            }
            penalties.push(way(Some(offender), article, effect, after));
            let result = match offender {
                Offender::First => Outcome::lost_by(Player::First),
                Offender::Second => Outcome::lost_by(Player::Second),
                Offender::Both => Outcome::None,
            };
            let loss = Effect { result: Some(result), ..Effect::default() };
            if start || !proof.provable {
                losses.push(way(Some(offender), if start { "三(2)" } else { "六.9" }, loss, times));
            }
        }
        if !start && !proof.provable && regulations.stop_unprovable == Unprovable::Loss {
            losses.append(&mut penalties);
            losses
        } else {
            penalties.append(&mut losses);
            penalties
        }
    }

    /// Proposes what follows from a stop or start without cause.
    pub(crate) fn propose_stop(
        &mut self,
        ix: BoardIx,
        when: When,
        kind: RulingKind,
        offender: Option<Offender>,
        incident: Option<u64>,
    ) -> u64 {
        let grounds = incident
            .and_then(|id| self.s.incidents.get(&id))
            .map_or_else(Grounds::default, |placed| placed.it.grounds.clone());
        let proof = grounds.proof.unwrap_or_else(|| self.proof_now(ix));
        let ways = self.stop_ways(ix, kind, offender, &proof);
        let Some(proposed) = ways.first() else { return 0 };
        let mut effect = proposed.effect.clone();
        if offender.is_none() {
            // what depends on who he is cannot be said yet
            if effect.deduct_ms.is_some() || effect.foul.is_some() {
                effect.result = None;
            }
        }
        let article = proposed.article.clone();
        let text = self.words(ix).ruling(kind, &article, offender, &effect, self.times(ix, self.at));
        let ruling = Ruling {
            id: self.next_id(),
            kind,
            article,
            offender,
            effect,
            options: ways,
            state: RulingState::Proposed,
            announced: false,
            grounds: Grounds { proof: Some(proof), ..grounds },
            text,
            decided_by: None,
            reason: None,
            incident,
        };
        let id = ruling.id;
        self.tell(ix, when, News::Ruling(ruling));
        id
    }

    /// How well the times are known now.
    pub(crate) fn proof_now(&self, ix: BoardIx) -> Proof {
        match self.s.seen(ix) {
            Some(seen) => {
                let unseen = if seen.running.is_some() { self.at.since(seen.at).max(0) as u64 } else { 0 };
                self.proof(seen.bound_ms + unseen)
            }
            None => Proof { provable: false, by: None, bound_ms: None },
        }
    }
}

/// One way that the regulations allow.
pub(crate) fn way(
    offender: Option<Offender>,
    article: &'static str,
    effect: Effect,
    times: Option<[i64; 2]>,
) -> Way {
    Way {
        offender,
        article: Cow::Borrowed(article),
        effect,
        first_ms: times.map(|times| times[0]),
        second_ms: times.map(|times| times[1]),
    }
}
