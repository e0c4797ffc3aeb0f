//! Draws agreed too early (六.7): the text makes both lose at once, usual practice sends them back to play first;
//! both are offered. Red's duty to deviate from a position that repeats itself is his alone.

use super::{loss, way};
use crate::board::BoardIx;
use crate::turn::Turn;
use crate::{DrawFrom, articles};
use flagfall_arbiter::{Cause, Effect, Offender, Outcome, Refused, ResultEntry, RulingKind, Way};

impl Turn<'_> {
    /// Moves completed by both, where the clock ran and counted them.
    pub(crate) fn plies(&self, ix: BoardIx) -> Option<u32> {
        let board = self.board(ix);
        let plies = board.moves[0] + board.moves[1];
        (board.started.is_some() && plies > 0).then_some(plies)
    }

    /// Whether a draw agreed after so many moves of both is too early.
    fn too_early(&self, plies: u32) -> bool {
        let r = &self.s.setup.regulations;
        let ban = r.draw_ban_rounds.saturating_mul(2);
        ban > 0
            && match r.draw_ban_from {
                DrawFrom::Complete => plies < ban,
                DrawFrom::After => plies <= ban,
            }
    }

    /// A draw by agreement within the rounds in which none is allowed is not entered. What the score sheets say
    /// counts more than the clock's presses.
    pub(crate) fn may_agree(&self, ix: BoardIx, entry: &ResultEntry) -> Result<(), Refused> {
        let over =
            entry.over.is_some_and(|id| self.against(ix, entry).iter().any(|(other, ..)| *other == id));
        if entry.result != Outcome::Draw || entry.cause != Cause::Agreed || over {
            return Ok(());
        }
        let by_sheet = entry.rounds.map(|rounds| rounds.saturating_mul(2));
        let Some(plies) = by_sheet.or_else(|| self.plies(ix)) else { return Ok(()) };
        if !self.too_early(plies) {
            return Ok(());
        }
        let r = &self.s.setup.regulations;
        let article = articles::of_kind(r.laws, RulingKind::ShortDraw);
        let (name, rounds, ban) = (&self.board(ix).name, plies / 2, r.draw_ban_rounds);
        Err(Refused::new(
            Refused::STATE,
            format!(
                "board {name}: {rounds} full rounds, and no draw is agreed within {ban} ({article}); send them back to play, \
                 or `ruling.make` kind `short_draw` where they insist; `rounds` gives what the score sheets say"
            ),
        ))
    }

    /// What 六.7 allows.
    pub(crate) fn short_draw_ways(
        &self,
        ix: BoardIx,
        article: &'static str,
        offender: Option<Offender>,
    ) -> Vec<Way> {
        let shown = self.standing_or_shown(ix);
        // named alone: who had to deviate and did not, which is the first player's duty
        let against = offender.unwrap_or(Offender::Both);
        let mut ways = vec![way(Some(against), article, loss(against), shown)];
        if against == Offender::Both {
            ways.push(way(Some(against), article, Effect::default(), shown));
        }
        ways
    }
}
