//! A press before moving, a move against the rules of movement (六.2, 六.3; FIDE 7.5), a natural limit wrongly
//! claimed (七.4, 六.5; FIDE 9.5): each counts in its game, and one of them loses it.

use super::{some, some_ms};
use crate::board::BoardIx;
use crate::turn::Turn;
use crate::{Offence, PressTimes, articles};
use flagfall_arbiter::{Effect, Offender, Player, RulingKind, RulingState, Way};

impl Turn<'_> {
    /// How often a player was found in this offence in this game.
    pub(crate) fn count_of(&self, ix: BoardIx, player: Player, kind: RulingKind) -> u32 {
        let board = self.board(ix);
        let r = &self.s.setup.regulations;
        let counts = |other: RulingKind| match kind {
            RulingKind::EarlyPress | RulingKind::IllegalMove if r.pooled_fouls => {
                matches!(other, RulingKind::EarlyPress | RulingKind::IllegalMove)
            }
            kind => other == kind,
        };
        // what follows from a recorded foul is no further offence
        let ruled = board.rulings.iter().filter_map(|id| self.s.rulings.get(id)).filter(|placed| {
            let against = placed.it.offender.map_or(&[][..], Offender::players);
            let stands = placed.it.state == RulingState::Confirmed && !placed.it.recorded;
            stands && counts(placed.it.kind) && against.contains(&player)
        });
        let ruled: Vec<u32> = ruled.map(|placed| placed.it.effect.foul.unwrap_or(0)).collect();
        let of_this = |(who, article): &(Player, String)| {
            let article = articles::find(r.laws, article).filter(|_| *who == player);
            article.and_then(|article| article.gives.kind()).is_some_and(counts)
        };
        // a foul recorded without a ruling counts as well
        let recorded: i32 =
            board.recorded.iter().filter(|(key, _)| of_this(key)).map(|(_, count)| count).sum();
        let all: i32 = board.fouls.iter().filter(|(key, _)| of_this(key)).map(|(_, count)| count).sum();
        // and one of a ruling that was withdrawn by hand does not
        let by_rulings: u32 = ruled.iter().sum();
        let withdrawn = by_rulings.saturating_sub(u32::try_from(all - recorded).unwrap_or(0));
        let each = ruled.iter().copied().max().unwrap_or(0).max(1);
        (ruled.len() as u32).saturating_sub(withdrawn / each).saturating_add_signed(recorded)
    }

    const fn offence(&self, kind: RulingKind) -> Offence {
        let r = &self.s.setup.regulations;
        match kind {
            RulingKind::IllegalMove => r.illegal_move,
            RulingKind::FalseClaim => Offence {
                foul: r.false_claim_foul,
                deduct_ms: r.false_claim_deduct_ms,
                opponent_ms: r.false_claim_opponent_ms,
                loses_at: r.false_claim_loses_at,
            },
            _ => r.early_press,
        }
    }

    /// Whether the next offence of this kind loses him the game.
    pub(crate) fn next_loses(&self, ix: BoardIx, player: Player, kind: RulingKind) -> bool {
        self.loses_at(kind, self.count_of(ix, player, kind) + 1)
    }

    /// Whether so many of this kind lose the game.
    pub(crate) const fn loses_at(&self, kind: RulingKind, count: u32) -> bool {
        let loses_at = self.offence(kind).loses_at;
        loses_at > 0 && count >= loses_at
    }

    /// What the regulations allow for it, the proposed way first. `article` is the one an arbiter named.
    pub(crate) fn offence_ways(
        &self,
        ix: BoardIx,
        kind: RulingKind,
        article: Option<&'static str>,
        offender: Offender,
    ) -> Vec<Way> {
        let laws = self.s.setup.regulations.laws;
        let own = article.unwrap_or(articles::of_kind(laws, kind));
        let shown = self.standing_or_shown(ix);
        if offender.players().iter().any(|&player| self.next_loses(ix, player, kind)) {
            // the game in place of a further foul: the articles say 直接判负
            return self.loss_ways(ix, offender, articles::of_loss(laws, kind));
        }
        let offence = self.offence(kind);
        let effect = Effect {
            foul: some(offence.foul),
            deduct_ms: some_ms(offence.deduct_ms),
            opponent_ms: some_ms(offence.opponent_ms),
            ..Effect::default()
        };
        let left = self.reckoned_way(offender, own, effect.clone(), shown);
        if kind == RulingKind::FalseClaim {
            return vec![left];
        }
        let Some(restored) = self.restored(ix, own, offender, effect) else { return vec![left] };
        match self.s.setup.regulations.press_times {
            PressTimes::Leave => vec![left, restored],
            PressTimes::Restore => vec![restored, left],
        }
    }

    /// The same with the times as they stood at his press, without what it gave him: he is to move. Only while
    /// nobody has pressed since.
    fn restored(
        &self,
        ix: BoardIx,
        article: &'static str,
        offender: Offender,
        effect: Effect,
    ) -> Option<Way> {
        let pressed = self.board(ix).pressed.as_ref()?;
        if Offender::from(pressed.player) != offender || self.board(ix).decided() {
            return None;
        }
        let effect = Effect { restored: true, ..effect };
        Some(self.reckoned_way(offender, article, effect, Some(pressed.times)))
    }
}
