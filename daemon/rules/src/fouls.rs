//! Fouls: the ledger of a game and of the whole event. Every third foul of a player costs a point (六.4); a team's
//! foul places it last among those of its score (八.11). Who resigns at once may be spared it (八.12).

use crate::articles::{self, Article, Gives};
use crate::board::BoardIx;
use crate::change::Act;
use crate::penalty::{Proposal, loss, some, way};
use crate::standings::score::fouls_cost;
use crate::turn::{Turn, When};
use crate::{PlayerSetup, Who};
use flagfall_arbiter::{
    Effect, Foul, Grounds, News, Offender, Player, Points, Refused, RulingKind, RulingState, Wall,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A foul as an arbiter reports it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reported {
    /// Moves not written down (五.1).
    pub moves: Option<u32>,
    /// So many, where the article leaves the arbiter a choice.
    pub count: Option<u32>,
    /// When it happened.
    pub at: Option<Wall>,
    /// Somebody else of his team did it (八.11).
    pub not_player: bool,
    /// He resigned at once (八.12).
    pub waived: bool,
}

/// Said of a ruling whose foul an arbiter recorded before it was proposed.
const RECORDED: &str = "the foul is in the ledger already";

/// A line of the ledger to be told.
pub(crate) struct Entry<'a> {
    pub player: Player,
    pub article: &'a str,
    pub count: i32,
    pub ruling: Option<u64>,
    pub by: &'a str,
    pub team: bool,
    pub waived: bool,
    /// Added to his points beside what fouls over the event cost.
    pub points: Points,
    pub reported_after_ms: Option<u64>,
}

impl<'a> Entry<'a> {
    pub fn of(player: Player, article: &'a str, count: i32, by: &'a str) -> Self {
        Self {
            player,
            article,
            count,
            ruling: None,
            by,
            team: false,
            waived: false,
            points: Points::ZERO,
            reported_after_ms: None,
        }
    }
}

impl Turn<'_> {
    /// A foul that an arbiter records. Where more follows from it than the foul (a loss by the second of its kind,
    /// minutes), a ruling is proposed beside it.
    pub(crate) fn record_foul(
        &mut self,
        who: &Who,
        ix: BoardIx,
        player: Player,
        article: &str,
        reported: Reported,
    ) -> Result<Value, Refused> {
        let article = articles::named(self.s.setup.regulations.laws, article)?;
        let count = self.fouls_for(article, reported)?;
        let happened = self.reported_at(reported.at)?;
        let team = article.gives == Gives::Team;
        // 八.11: the team's foul; a player who did it himself loses a point beside
        let points = if team && !reported.not_player { -Points::ONE } else { Points::ZERO };
        // what this offence comes to depends on those before it
        let more = self.beyond_the_foul(ix, player, article);
        let since = self.s.head;
        let entry = Entry {
            team,
            waived: reported.waived,
            points: if reported.waived { Points::ZERO } else { points },
            reported_after_ms: reported.at.map(|_| self.at.since(happened).max(0) as u64),
            ..Entry::of(player, article.key, if reported.waived { 0 } else { count as i32 }, &who.name)
        };
        let id = self.foul_at(ix, When::exactly(happened), entry);
        let at = self.board(ix).at();
        if !reported.waived {
            let points = self.board(ix).team_points[player as usize].last().copied().filter(|_| team);
            let points = points.unwrap_or_default();
            self.acted(since, Act::Fouls(at, player, article.key.to_owned(), count, points));
        }
        let mut answer = json!({
            "foul": id,
            "article": article.key,
            "in_game": self.board(ix).fouls_of(player),
            "in_event": self.s.event_fouls(ix, player),
        });
        if reported.waived {
            return Ok(answer);
        }
        self.look_again(ix);
        let ruling = match more {
            Some(proposal) => Some(self.propose(ix, When::exactly(self.at), proposal)),
            None => self.past_the_limit(ix, player),
        };
        if let Some(ruling) = ruling {
            answer["ruling"] = ruling.into();
        }
        Ok(answer)
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
        let limit = some(self.s.setup.regulations.foul_limit)?;
        let board = self.board(ix);
        let waits = board.rulings.iter().filter_map(|id| self.s.rulings.get(id)).any(|placed| {
            placed.it.kind == RulingKind::FoulLimit && placed.it.state == RulingState::Proposed
        });
        if board.decided() || waits || board.fouls_of(player) < limit as i32 {
            return None;
        }
        let kind = RulingKind::FoulLimit;
        let offender = Offender::from(player);
        let ways = self.loss_ways(ix, offender, self.article_of(kind));
        let proposal = Proposal::of(kind, Some(offender), ways, Grounds::default());
        Some(self.propose(ix, When::exactly(self.at), proposal))
    }
}

impl Turn<'_> {
    /// Fouls that follow from a ruling, or are taken back with it.
    pub(crate) fn foul_of_ruling(
        &mut self,
        ix: BoardIx,
        player: Player,
        article: &str,
        count: i32,
        ruling: u64,
        by: &str,
    ) -> u64 {
        let entry = Entry { ruling: Some(ruling), ..Entry::of(player, article, count, by) };
        self.foul_at(ix, When::exactly(self.at), entry)
    }

    /// A foul of his team (八.11), with the point of his own that goes with it.
    #[allow(clippy::too_many_arguments)] // a ledger's line
    pub(crate) fn team_foul_of_ruling(
        &mut self,
        ix: BoardIx,
        player: Player,
        article: &str,
        count: i32,
        effect: &Effect,
        ruling: u64,
        by: &str,
    ) -> u64 {
        let points = effect.points.unwrap_or_default();
        let points = if count < 0 { -points } else { points };
        let entry =
            Entry { ruling: Some(ruling), team: true, points, ..Entry::of(player, article, count, by) };
        self.foul_at(ix, When::exactly(self.at), entry)
    }

    pub(crate) fn foul_at(&mut self, ix: BoardIx, when: When, entry: Entry<'_>) -> u64 {
        let Entry { player, article, count, ruling, by, team, waived, points, reported_after_ms } = entry;
        let before = if team { self.s.team_fouls(ix, player) } else { self.s.event_fouls(ix, player) };
        let after = before + count;
        let cost = |fouls| fouls_cost(&self.s.setup.regulations, fouls);
        let points = points + if team { Points::ZERO } else { cost(after) - cost(before) };
        let foul = Foul {
            id: self.next_id(),
            player,
            article: Cow::Owned(article.to_owned()),
            count,
            in_game: if team { 0 } else { self.board(ix).fouls_of(player) + count },
            in_event: after,
            points: (points != Points::ZERO).then_some(points),
            team,
            waived,
            reported_after_ms,
            ruling,
            by: by.to_owned(),
        };
        let id = foul.id;
        self.tell(ix, when, News::Foul(foul));
        id
    }
}

impl crate::state::State {
    /// The boards on which the player of this chair has sat, and on which chair.
    fn boards_of(&self, ix: BoardIx, player: Player) -> impl Iterator<Item = (&crate::board::Board, Player)> {
        let board = &self.boards[ix.0];
        let who: &PlayerSetup = board.player_setup(player);
        let nameless = who.name.is_empty();
        self.boards.iter().enumerate().flat_map(move |(other, of)| {
            Player::BOTH.into_iter().filter_map(move |chair| {
                let same =
                    if nameless { other == ix.0 && chair == player } else { of.player_setup(chair) == who };
                same.then_some((of, chair))
            })
        })
    }

    /// A player's fouls over the event.
    pub(crate) fn event_fouls(&self, ix: BoardIx, player: Player) -> i32 {
        self.boards_of(ix, player).map(|(board, chair)| board.fouls_of(chair)).sum()
    }

    /// The fouls of a player's team over the event (八.11).
    pub(crate) fn team_fouls(&self, ix: BoardIx, player: Player) -> i32 {
        let team = &self.boards[ix.0].player_setup(player).team;
        let of = |board: &crate::board::Board, chair: Player| -> i32 {
            board.team_fouls.iter().filter(|((who, _), _)| *who == chair).map(|(_, count)| count).sum()
        };
        if team.is_empty() {
            return of(&self.boards[ix.0], player);
        }
        self.boards
            .iter()
            .flat_map(|board| Player::BOTH.map(|chair| (board, chair)))
            .filter(|(board, chair)| board.player_setup(*chair).team == *team)
            .map(|(board, chair)| of(board, chair))
            .sum()
    }
}
