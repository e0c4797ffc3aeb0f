//! Rulings that an arbiter makes himself: on what the hall cannot see, or did not propose.

use crate::Who;
use crate::board::BoardIx;
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Effect, Grounds, IncidentKind, News, Offender, Outcome, Player, Refused, Ruling, RulingKind, RulingState,
    Way,
};
use std::borrow::Cow;

impl Turn<'_> {
    /// A ruling on what the hall cannot see, or did not propose.
    pub(crate) fn make(
        &mut self,
        who: &Who,
        ix: BoardIx,
        kind: RulingKind,
        article: Option<&str>,
        offender: Option<Offender>,
        reason: Option<&str>,
    ) -> Result<u64, Refused> {
        let lost = |offender: Offender| match offender {
            Offender::First => Outcome::lost_by(Player::First),
            Offender::Second => Outcome::lost_by(Player::Second),
            Offender::Both => Outcome::None,
        };
        let need = || offender.ok_or_else(|| Refused::new(Refused::PARAMS, "ruling.make: name the offender"));
        let mut times = self.times(ix, self.at);
        let (article, offender, effect): (Cow<'static, str>, Option<Offender>, Effect) = match kind {
            RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart => {
                for id in self.waiting(ix, &[kind]) {
                    self.withdraw(id, "an arbiter made another of it");
                }
                let asked = match kind {
                    RulingKind::UnauthorisedStart => IncidentKind::UnexplainedStart,
                    _ => IncidentKind::UnexplainedStop,
                };
                let incident = self.open_on(ix, asked).map(|placed| placed.it.id);
                return Ok(self.propose_stop(ix, When::exactly(self.at), kind, offender, incident));
            }
            RulingKind::TimeForfeit => {
                let offender = need()?;
                ("三(1)".into(), Some(offender), Effect { result: Some(lost(offender)), ..Effect::default() })
            }
            RulingKind::Default => {
                let offender = need()?;
                let effect = Effect { result: Some(lost(offender)), forfeit: true, ..Effect::default() };
                ("四.1".into(), Some(offender), effect)
            }
            RulingKind::DoubleDefault => {
                let effect = Effect { result: Some(Outcome::None), forfeit: true, ..Effect::default() };
                ("四.2".into(), Some(Offender::Both), effect)
            }
            RulingKind::EarlyPress | RulingKind::IllegalMove => {
                let offender = need()?;
                let own = if kind == RulingKind::EarlyPress { "六.3" } else { "六.2" };
                let other = if kind == RulingKind::EarlyPress { "六.2" } else { "六.3" };
                let pooled = self.s.setup.regulations.pooled_fouls;
                let again = offender.players().iter().any(|&player| {
                    let board = self.board(ix);
                    board.fouls_under(player, own) > 0 || pooled && board.fouls_under(player, other) > 0
                });
                let effect = if again {
                    Effect { result: Some(lost(offender)), ..Effect::default() }
                } else {
                    Effect { foul: Some(1), ..Effect::default() }
                };
                (own.into(), Some(offender), effect)
            }
            RulingKind::Article => {
                let Some(article) = article else {
                    return Err(Refused::new(Refused::PARAMS, "ruling.make: name the article"));
                };
                let offender = need()?;
                let effect = Effect { result: Some(lost(offender)), ..Effect::default() };
                (Cow::Owned(article.to_owned()), Some(offender), effect)
            }
            RulingKind::FalseClaim => {
                let Some([player]) = offender.map(Offender::players) else {
                    return Err(Refused::new(Refused::PARAMS, "ruling.make: name one offender"));
                };
                let way = self.false_claim_way(ix, *player);
                times = way.first_ms.zip(way.second_ms).map(|(first, second)| [first, second]);
                (way.article, way.offender, way.effect)
            }
            RulingKind::ShortDraw | RulingKind::FoulLimit => {
                return Err(Refused::new(
                    Refused::PARAMS,
                    format!("ruling.make: record `{}` as kind `article` with its article", kind.as_str()),
                ));
            }
        };
        let text = self.words(ix).ruling(kind, &article, offender, &effect, times);
        let ruling = Ruling {
            id: self.next_id(),
            kind,
            options: vec![Way {
                offender,
                article: article.clone(),
                effect: effect.clone(),
                first_ms: times.map(|times| times[0]),
                second_ms: times.map(|times| times[1]),
            }],
            article,
            offender,
            effect,
            state: RulingState::Proposed,
            announced: false,
            grounds: Grounds {
                remarks: vec![Cow::Owned(format!("made by {}", who.name))],
                ..Grounds::default()
            },
            text,
            decided_by: None,
            reason: reason.map(str::to_owned),
            incident: None,
        };
        let id = ruling.id;
        self.tell(ix, When::exactly(self.at), News::Ruling(ruling));
        Ok(id)
    }
}
