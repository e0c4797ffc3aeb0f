//! Results that are the wrong way round (九.2): one that the players said otherwise at the clock is looked at before
//! it is signed, and one that was signed the wrong way round is a foul of both, for an arbiter to rule.

use crate::board::BoardIx;
use crate::penalty::{Proposal, some, way};
use crate::turn::{Turn, When};
use crate::{Mode, articles};
use flagfall_arbiter::{
    Effect, Grounds, IncidentKind, Lane, Offender, Outcome, Refused, RulingKind, RulingState, Status,
};
use std::borrow::Cow;

/// Won by the other player.
const fn reversed(one: Outcome, other: Outcome) -> bool {
    matches!((one, other), (Outcome::First, Outcome::Second) | (Outcome::Second, Outcome::First))
}

impl Turn<'_> {
    /// A result that the players said the other way round at the clock is not signed before somebody has looked.
    pub(crate) fn may_sign(&self, ix: BoardIx, result: Outcome, status: Status) -> Result<(), Refused> {
        let board = self.board(ix);
        let other = board.said.filter(|said| reversed(*said, result));
        let looked = board.looked_at == Some(result);
        match other {
            Some(said) if status >= Status::Signed && !looked => Err(Refused::new(
                Refused::STATE,
                format!(
                    "board {}: at the clock the players said {}, the result says {}; enter it unsigned, an arbiter looks and closes the question",
                    board.name,
                    said.as_str(),
                    result.as_str()
                ),
            )),
            _ => Ok(()),
        }
    }

    /// A result was entered: is it the other way round than what was said or signed before?
    pub(crate) fn compare_result(&mut self, ix: BoardIx, result: Outcome, status: Status) {
        let board = self.board(ix);
        let (said, signed, looked) = (board.said, board.signed, board.looked_at == Some(result));
        if said.is_some_and(|said| reversed(said, result)) && !looked {
            self.ask_which_way(ix, said.unwrap_or(result), result);
        } else {
            self.close_on(ix, self.at, &[IncidentKind::ResultReversed], "result");
        }
        if status >= Status::Signed && signed.is_some_and(|signed| reversed(signed, result)) {
            self.signed_reversed(ix);
        }
    }

    fn ask_which_way(&mut self, ix: BoardIx, said: Outcome, result: Outcome) {
        if self.s.mode() == Mode::Observe || self.open_on(ix, IncidentKind::ResultReversed).is_some() {
            return;
        }
        let (said, result) = (said.as_str(), result.as_str());
        let text = self.words(ix).incident(
            &format!("双方在棋钟上报告{said}，登记为{result}，胜负相反，请核对后签名"),
            &format!("at the clock the players said {said}, entered is {result}: the other way round; look before it is signed"),
            None,
        );
        let kind = IncidentKind::ResultReversed;
        self.open(ix, When::exactly(self.at), kind, Lane::Decide, Grounds::default(), text);
    }

    /// 九.2: both had signed it the wrong way round.
    fn signed_reversed(&mut self, ix: BoardIx) {
        let r = &self.s.setup.regulations;
        let Some(fouls) = some(r.signed_reversed_foul) else { return };
        let Some(article) = articles::find(r.laws, "九.2") else { return };
        // a ruling that reversed what was rightly signed
        let now = self.board(ix).result.as_ref().map(|(result, _)| result.result);
        let ruled = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id)).any(|placed| {
            placed.it.state == RulingState::Confirmed
                && placed.it.effect.result.is_some_and(|of| Some(of) == now)
        });
        if ruled {
            return;
        }
        let told = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id)).any(|placed| {
            placed.it.article == article.key
                && matches!(placed.it.state, RulingState::Proposed | RulingState::Confirmed)
        });
        if self.s.mode() == Mode::Observe || told {
            return;
        }
        let offender = Some(Offender::Both);
        let effect = Effect { foul: Some(fouls), ..Effect::default() };
        let ways = vec![way(offender, article.key, effect, None)];
        let remarks = vec![Cow::Borrowed("a signed result was withdrawn and the reverse of it signed")];
        let grounds = Grounds { remarks, ..Grounds::default() };
        let kind = RulingKind::Article;
        let proposal = Proposal::of(kind, offender, ways, grounds);
        self.propose(ix, When::exactly(self.at), proposal);
    }
}
