//! A stop or start without cause (三(2), 六.9, 八.2; FIDE 6.11.4).

use super::{Proposal, loss, some, some_ms};
use crate::board::BoardIx;
use crate::turn::{Turn, When};
use crate::{Laws, Unprovable, articles};
use flagfall_arbiter::{Effect, Grounds, Offender, Proof, RulingKind, Way};

impl Turn<'_> {
    /// What the regulations allow for a stop or start without cause, the proposed way first.
    pub(crate) fn stop_ways(
        &self,
        ix: BoardIx,
        kind: RulingKind,
        offender: Option<Offender>,
        proof: &Proof,
    ) -> Vec<Way> {
        let r = &self.s.setup.regulations;
        let times = self.standing_or_shown(ix);
        let against: &[Offender] = match &offender {
            Some(one) => std::slice::from_ref(one),
            None => &[Offender::First, Offender::Second],
        };
        let start = kind == RulingKind::UnauthorisedStart;
        let effect = if start {
            Effect { foul: some(r.start_foul), deduct_ms: some_ms(r.start_deduct_ms), ..Effect::default() }
        } else {
            Effect {
                foul: some(r.stop_foul),
                deduct_ms: some_ms(r.stop_deduct_ms),
                opponent_ms: some_ms(r.stop_opponent_ms),
                ..Effect::default()
            }
        };
        // 六.9 needs times that are not proved; 三(2) and FIDE 12.9 leave the loss to the arbiter
        let may_lose = start || !proof.provable || r.laws != Laws::Wugong;
        let mut penalties = Vec::new();
        let mut losses = Vec::new();
        for &offender in against {
            penalties.push(self.reckoned_way(offender, self.article_of(kind), effect.clone(), times));
            if may_lose {
                let article = articles::of_loss(r.laws, kind);
                losses.push(super::way(Some(offender), article, loss(offender), times));
            }
        }
        if !start && !proof.provable && r.stop_unprovable == Unprovable::Loss {
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
        let grounds = Grounds { proof: Some(proof), ..grounds };
        self.propose(ix, when, Proposal { incident, ..Proposal::of(kind, offender, ways, grounds) })
    }
}
