//! Rulings that an arbiter makes himself: on what the hall cannot see, or did not propose.

use crate::articles::{self, Article, Gives};
use crate::board::BoardIx;
use crate::penalty::{Proposal, loss, some, some_ms, way};
use crate::turn::{Turn, When};
use crate::{Laws, Who};
use flagfall_arbiter::{Effect, Grounds, IncidentKind, Offender, Points, Refused, RulingKind, Way};
use std::borrow::Cow;

/// What an arbiter says of a ruling he makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'a> {
    pub kind: RulingKind,
    pub article: Option<&'a str>,
    pub offender: Option<Offender>,
    /// Moves not written down (五.1).
    pub moves: Option<u32>,
    pub reason: Option<&'a str>,
}

impl Turn<'_> {
    /// A ruling on what the hall cannot see, or did not propose.
    pub(crate) fn make(&mut self, who: &Who, ix: BoardIx, made: Made<'_>) -> Result<u64, Refused> {
        let laws = self.s.setup.regulations.laws;
        let (named, made) = self.meant(made)?;
        let Made { kind, offender, .. } = made;
        if let Some(article) = named.filter(|article| !fits(laws, article, kind)) {
            let (key, kind) = (article.key, kind.as_str());
            let what = format!(
                "ruling.make: {key} says nothing of {kind}; leave the article out, or name kind `article`"
            );
            return Err(Refused::new(Refused::PARAMS, what));
        }
        if matches!(kind, RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart) {
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
        let ways = self.made_ways(ix, named, made)?;
        let proof = (kind == RulingKind::FalseClaim).then(|| self.proof_now(ix));
        let remarks = vec![Cow::Owned(format!("made by {}", who.name))];
        let grounds = Grounds { remarks, proof, ..Grounds::default() };
        let offender = ways.first().and_then(|way| way.offender);
        let reason = made.reason.map(str::to_owned);
        let proposal = Proposal { reason, ..Proposal::of(kind, offender, ways, grounds) };
        Ok(self.propose(ix, When::exactly(self.at), proposal))
    }

    /// The article he names, and the kind of ruling it is: an offence that counts in its game counts as such, by
    /// whichever name it is ruled.
    pub(crate) fn meant<'a>(&self, made: Made<'a>) -> Result<(Option<&'static Article>, Made<'a>), Refused> {
        let laws = self.s.setup.regulations.laws;
        let named = made.article.map(|article| articles::named(laws, article)).transpose()?;
        let own = named.filter(|_| made.kind == RulingKind::Article).and_then(|article| article.gives.kind());
        Ok((named, Made { kind: own.unwrap_or(made.kind), ..made }))
    }

    /// What the regulations allow for a ruling that an arbiter makes, the proposed way first.
    pub(crate) fn made_ways(
        &self,
        ix: BoardIx,
        named: Option<&'static Article>,
        made: Made<'_>,
    ) -> Result<Vec<Way>, Refused> {
        let Made { kind, offender, .. } = made;
        let laws = self.s.setup.regulations.laws;
        let wrong = |what: &str| Refused::new(Refused::PARAMS, format!("ruling.make: {what}"));
        let need = || offender.ok_or_else(|| wrong("name the offender"));
        let times = self.standing_or_shown(ix);
        let loses = articles::of_loss(laws, kind);
        // the article of the loss is no article of the first offence
        let named = named.filter(|article| kind == RulingKind::Article || article.key != loses);
        let key = named.map_or(articles::of_kind(laws, kind), |article| article.key);
        let forfeit = |offender: Offender| Effect { forfeit: true, ..loss(offender) };
        Ok(match kind {
            RulingKind::TimeForfeit | RulingKind::FoulLimit => self.loss_ways(ix, need()?, key),
            RulingKind::Default => {
                let offender = need()?;
                vec![way(Some(offender), key, forfeit(offender), times)]
            }
            RulingKind::DoubleDefault => {
                vec![way(Some(Offender::Both), key, forfeit(Offender::Both), times)]
            }
            RulingKind::EarlyPress | RulingKind::IllegalMove => {
                self.offence_ways(ix, kind, named.map(|article| article.key), need()?)
            }
            RulingKind::FalseClaim => match need()? {
                Offender::Both => return Err(wrong("name one offender")),
                one => self.offence_ways(ix, kind, named.map(|article| article.key), one),
            },
            RulingKind::ShortDraw => {
                if offender == Some(Offender::Second) {
                    return Err(wrong("it is the first player who must deviate; name `first`, or both"));
                }
                self.short_draw_ways(ix, key, offender)
            }
            RulingKind::Article => {
                let article = named.ok_or_else(|| wrong("name the article"))?;
                self.article_ways(ix, article, made)?
            }
            // proposed from what was observed, above
            RulingKind::UnauthorisedStop | RulingKind::UnauthorisedStart => Vec::new(),
        })
    }

    /// What an article gives that is nothing of a clock's.
    fn article_ways(
        &self,
        ix: BoardIx,
        article: &'static Article,
        made: Made<'_>,
    ) -> Result<Vec<Way>, Refused> {
        let wrong = |what: String| Refused::new(Refused::PARAMS, format!("ruling.make: {what}"));
        let r = &self.s.setup.regulations;
        let times = self.standing_or_shown(ix);
        let need = || made.offender.ok_or_else(|| wrong("name the offender".into()));
        let one = |offender, effect| vec![way(Some(offender), article.key, effect, times)];
        let fouls = |count: u32| Effect { foul: some(count), ..Effect::default() };
        Ok(match article.gives {
            Gives::Foul => one(need()?, fouls(1)),
            Gives::FoulOrLoss => {
                let mut ways = one(need()?, fouls(1));
                ways.extend(one(need()?, loss(need()?)));
                ways
            }
            Gives::Loss => one(need()?, loss(need()?)),
            Gives::Phone => match r.phone {
                crate::Phone::Loss => one(need()?, loss(need()?)),
                crate::Phone::Foul => one(need()?, fouls(1)),
            },
            Gives::BothLose => one(Offender::Both, loss(Offender::Both)),
            // by whichever name, it is the same ruling
            Gives::ShortDraw => self.made_ways(ix, None, Made { kind: RulingKind::ShortDraw, ..made })?,
            Gives::Reversed => one(Offender::Both, fouls(r.signed_reversed_foul)),
            Gives::MissedRecord => {
                let offender = need()?;
                let most = self.missed_record(made.moves);
                if most == 0 {
                    return Err(wrong(format!(
                        "{} moves not written down are no foul under {}",
                        made.moves.unwrap_or(0),
                        article.key
                    )));
                }
                // 五.1 says 可: where it gives several at once the arbiter may give one
                let mut ways = one(offender, fouls(most));
                if most > 1 && r.missed_record_most > 0 {
                    ways.extend(one(offender, fouls(1)));
                }
                ways
            }
            Gives::Idle => {
                let again = offender_players(made.offender)
                    .iter()
                    .any(|player| self.board(ix).fouls_under(*player, article.key, false) > 0);
                let effect = if again { loss(Offender::Both) } else { fouls(1) };
                one(Offender::Both, effect)
            }
            Gives::Team => {
                let effect = Effect { team_foul: Some(1), points: Some(-Points::ONE), ..Effect::default() };
                let mut ways = one(need()?, effect.clone());
                // somebody of the team who does not play has no points
                ways.extend(one(need()?, Effect { points: None, ..effect }));
                ways
            }
            Gives::Discretion => {
                let offender = need()?;
                let mut ways = vec![way(Some(offender), article.key, Effect::default(), times)];
                let minutes = [some_ms(r.stop_opponent_ms), some_ms(r.illegal_move.opponent_ms)];
                if let Some(ms) = minutes.into_iter().flatten().next() {
                    let effect = Effect { opponent_ms: Some(ms), ..Effect::default() };
                    ways.push(self.reckoned_way(offender, article.key, effect, times));
                }
                ways.extend(self.loss_ways(ix, offender, article.key));
                ways
            }
            // those that count in their game are ruled as their own kind
            Gives::EarlyPress | Gives::IllegalMove | Gives::FalseClaim | Gives::Nothing => {
                return Err(wrong(format!("{} decides nothing by itself", article.key)));
            }
        })
    }
}

/// Whether an article is one of this kind of ruling.
fn fits(laws: Laws, article: &Article, kind: RulingKind) -> bool {
    kind == RulingKind::Article
        || article.gives.kind() == Some(kind)
        || article.key == articles::of_kind(laws, kind)
        || article.key == articles::of_loss(laws, kind)
}

const fn offender_players(offender: Option<Offender>) -> &'static [flagfall_arbiter::Player] {
    match offender {
        Some(offender) => offender.players(),
        None => &flagfall_arbiter::Player::BOTH,
    }
}
