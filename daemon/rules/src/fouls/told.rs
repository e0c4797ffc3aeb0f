//! What an arbiter is told before he records a foul: which articles there are, and what would follow from the very next
//! one. Asked of the code that records and proposes; nothing here knows what an offence costs.

use super::{Finding, Reported};
use crate::articles::{self, Article, Gives};
use crate::board::BoardIx;
use crate::made::Made;
use crate::penalty::Proposal;
use crate::turn::Turn;
use flagfall_arbiter::{
    Effect, Follows, FollowsKind, FoulArticle, FoulArticles, Offender, Player, RulingArticle, RulingKind,
    Text,
};
use std::borrow::Cow;

impl Turn<'_> {
    /// What can be recorded against a player of this board, and ruled on.
    pub(crate) fn foul_articles(&self, ix: BoardIx, player: Player) -> FoulArticles {
        let all = articles::all(self.s.setup.regulations.laws);
        let board = self.board(ix);
        FoulArticles {
            round: board.round,
            board: board.name.clone(),
            player,
            in_game: board.fouls_of(player),
            in_event: self.s.event_fouls(ix, player),
            articles: all.iter().filter_map(|article| self.foul_article(ix, player, article)).collect(),
            rulings: all.iter().filter_map(|article| self.ruling_article(ix, player, article)).collect(),
        }
    }

    /// None where it gives no foul.
    fn foul_article(&self, ix: BoardIx, player: Player, article: &Article) -> Option<FoulArticle> {
        let found = self.find_foul("", ix, player, article, Reported::default()).ok()?;
        let before = match article.gives.kind() {
            Some(kind) => self.count_of(ix, player, kind),
            None => self.board(ix).fouls_under(player, article.key, found.foul.team).unsigned_abs(),
        };
        let takes: &[&str] = match article.gives {
            Gives::MissedRecord => &["moves"],
            Gives::Team => &["not_player"],
            _ => &[],
        };
        Some(FoulArticle {
            article: Cow::Borrowed(article.key),
            text: text(article),
            before,
            count: found.foul.count.unsigned_abs(),
            in_game: found.foul.in_game,
            in_event: found.foul.in_event,
            takes: takes.iter().map(|name| Cow::Borrowed(*name)).collect(),
            follows: self.follows(ix, player, before, &found),
        })
    }

    /// None where it decides nothing by itself.
    fn ruling_article(&self, ix: BoardIx, player: Player, article: &Article) -> Option<RulingArticle> {
        let made = Made {
            kind: RulingKind::Article,
            article: Some(article.key),
            offender: Some(Offender::from(player)),
            moves: None,
            reason: None,
        };
        let (named, made) = self.meant(made).ok()?;
        let effect = self.made_ways(ix, named, made).ok()?.into_iter().next()?.effect;
        Some(RulingArticle {
            article: Cow::Borrowed(article.key),
            text: text(article),
            kind: made.kind,
            effect,
        })
    }

    fn follows(&self, ix: BoardIx, player: Player, before: u32, found: &Finding) -> Vec<Follows> {
        let foul = &found.foul;
        let own = Some(Offender::from(player));
        let mut follows = Vec::new();
        let mut by_itself = |kind, effect| {
            let text = self.words(ix).follows(own, None, &effect);
            follows.push(Follows { kind, text, effect, ruling: None });
        };
        if foul.team {
            let team_foul = Some(foul.count.unsigned_abs());
            by_itself(FollowsKind::TeamFoul, Effect { team_foul, ..Effect::default() });
        }
        if let Some(points) = foul.points {
            by_itself(FollowsKind::Points, Effect { points: Some(points), ..Effect::default() });
        }
        if let Some(Proposal { kind, offender, ways, .. }) = &found.proposal
            && let Some(effect) = ways.first().map(|way| way.effect.clone())
        {
            let sort = if effect.result.is_some() { FollowsKind::Loss } else { FollowsKind::Time };
            // which one of them it is: fouls where they have a limit, else offences of its kind
            let which = match kind {
                RulingKind::FoulLimit => foul.in_game.unsigned_abs(),
                _ => before + 1,
            };
            let text = self.words(ix).follows(*offender, Some(which), &effect);
            follows.push(Follows { kind: sort, text, effect, ruling: Some(*kind) });
        }
        follows
    }
}

fn text(article: &Article) -> Text {
    Text { zh: article.zh.to_owned(), en: article.en.to_owned() }
}
