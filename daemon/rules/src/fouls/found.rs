//! What an offence comes to, before anything is done: asked by whoever records it and by whoever only wants to see what
//! would follow, so that both are told the same.

use super::{Entry, Reported};
use crate::articles::{Article, Gives};
use crate::board::BoardIx;
use crate::penalty::{Proposal, loss, some, way};
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Effect, Foul, Grounds, Offender, Player, Points, Refused, RulingKind, RulingState, Wall,
};
use std::borrow::Cow;

/// Said of a ruling whose foul an arbiter recorded before it was proposed.
const RECORDED: &str = "the foul is in the ledger already";

/// What recording a foul comes to.
pub(crate) struct Finding {
    /// As it would be told.
    pub foul: Foul,
    /// When it happened.
    pub happened: crate::Venue,
    /// What would be proposed beside it.
    pub proposal: Option<Proposal>,
}

impl Turn<'_> {
    /// What it comes to if this is recorded now, by whom that is said.
    pub(crate) fn find_foul(
        &self,
        by: &str,
        ix: BoardIx,
        player: Player,
        article: &Article,
        reported: Reported,
    ) -> Result<Finding, Refused> {
        let count = self.fouls_for(article, reported)?;
        let happened = self.reported_at(reported.at)?;
        let team = article.gives == Gives::Team;
        // 八.11: the team's foul; a player who did it himself loses a point beside
        let own = if team && !reported.not_player { -Points::ONE } else { Points::ZERO };
        let entry = Entry {
            team,
            waived: reported.waived,
            points: if reported.waived { Points::ZERO } else { own },
            reported_after_ms: reported.at.map(|_| self.at.since(happened).max(0) as u64),
            ..Entry::of(player, article.key, if reported.waived { 0 } else { count as i32 }, by)
        };
        let foul = self.foul(ix, entry);
        let proposal = match reported.waived {
            true => None,
            // what this offence comes to depends on those before it
            false => self.beyond_the_foul(ix, player, article).or_else(|| {
                let more = if team { 0 } else { count as i32 };
                self.limit_reached(ix, player, self.board(ix).fouls_of(player) + more)
            }),
        };
        Ok(Finding { foul, happened, proposal })
    }

    /// How many fouls an article gives.
    fn fouls_for(&self, article: &Article, reported: Reported) -> Result<u32, Refused> {
        let r = &self.s.setup.regulations;
        let wrong = |what: String| Err(Refused::new(Refused::PARAMS, format!("foul.record: {what}")));
        let key = article.key;
        let most = match article.gives {
            Gives::Foul
            | Gives::FoulOrLoss
            | Gives::Idle
            | Gives::Team
            | Gives::Reversed
            | Gives::Discretion => 1,
            Gives::EarlyPress => r.early_press.foul.max(1),
            Gives::IllegalMove => r.illegal_move.foul.max(1),
            Gives::FalseClaim => r.false_claim_foul.max(1),
            Gives::Phone if r.phone == crate::Phone::Foul => 1,
            Gives::MissedRecord => match (reported.moves, self.missed_record(reported.moves)) {
                (Some(moves), 0) => {
                    return wrong(format!("{moves} moves not written down are no foul under {key}"));
                }
                (Some(_), fouls) => fouls,
                (None, fouls) => match r.missed_record_most {
                    0 => reported.count.unwrap_or(fouls),
                    most => reported.count.unwrap_or(fouls).min(most),
                },
            },
            Gives::Loss | Gives::BothLose | Gives::Phone | Gives::ShortDraw => {
                return wrong(format!("{key} is no foul, it decides the game: `ruling.make` kind `article`"));
            }
            Gives::Nothing => return wrong(format!("{key} gives no foul")),
        };
        match reported.count {
            Some(0) => wrong("`count` is at least 1".into()),
            // 五.1 says 可: two fouls at once may be given as one
            Some(count) if count > most => wrong(format!("{key} gives at most {most} here")),
            Some(count) => Ok(count),
            None => Ok(most),
        }
    }

    /// When it happened, in venue time: not in the future.
    fn reported_at(&self, at: Option<Wall>) -> Result<crate::Venue, Refused> {
        match at {
            Some(at) if self.s.venue_ms(at) > self.at.0 as i64 => {
                Err(Refused::new(Refused::PARAMS, "foul.record: `at` is in the future"))
            }
            Some(at) => Ok(self.s.venue(at)),
            None => Ok(self.at),
        }
    }

    /// What an article wants beyond the foul: the game by the count of its kind, minutes.
    fn beyond_the_foul(&self, ix: BoardIx, player: Player, article: &Article) -> Option<Proposal> {
        if self.board(ix).decided() {
            return None;
        }
        let own = Offender::from(player);
        let (kind, offender, mut ways) = match article.gives {
            Gives::EarlyPress | Gives::IllegalMove | Gives::FalseClaim => {
                let kind = article.gives.kind()?;
                (kind, own, self.offence_ways(ix, kind, Some(article.key), own))
            }
            Gives::Idle if self.board(ix).fouls_under(player, article.key, false) > 0 => {
                let ways = vec![way(
                    Some(Offender::Both),
                    article.key,
                    loss(Offender::Both),
                    self.standing_or_shown(ix),
                )];
                (RulingKind::Article, Offender::Both, ways)
            }
            _ => return None,
        };
        for way in &mut ways {
            way.effect.foul = None; // it is in the ledger already
        }
        ways.retain(|way| way.effect != Effect::default());
        if ways.iter().all(|way| way.effect.restored) {
            return None; // nothing follows by itself; times are the arbiter's own request
        }
        let grounds = Grounds { remarks: vec![Cow::Borrowed(RECORDED)], ..Grounds::default() };
        Some(Proposal { recorded: true, ..Proposal::of(kind, Some(offender), ways, grounds) })
    }

    /// So many fouls in one game lose it, where the event says so.
    pub(crate) fn past_the_limit(&mut self, ix: BoardIx, player: Player) -> Option<u64> {
        let proposal = self.limit_reached(ix, player, self.board(ix).fouls_of(player))?;
        Some(self.propose(ix, When::exactly(self.at), proposal))
    }

    /// The same for so many fouls of a player in this game.
    fn limit_reached(&self, ix: BoardIx, player: Player, fouls: i32) -> Option<Proposal> {
        let limit = some(self.s.setup.regulations.foul_limit)?;
        let board = self.board(ix);
        let waits = board.rulings.iter().filter_map(|id| self.s.rulings.get(id)).any(|placed| {
            placed.it.kind == RulingKind::FoulLimit && placed.it.state == RulingState::Proposed
        });
        if board.decided() || waits || fouls < limit as i32 {
            return None;
        }
        let kind = RulingKind::FoulLimit;
        let offender = Offender::from(player);
        let ways = self.loss_ways(ix, offender, self.article_of(kind));
        Some(Proposal::of(kind, Some(offender), ways, Grounds::default()))
    }
}
