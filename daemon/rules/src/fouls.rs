//! Fouls: the ledger of a game and of the whole event. Every third foul of a player costs a point (六.4); a team's
//! foul places it last among those of its score (八.11). Who resigns at once may be spared it (八.12).

mod found;
mod lines;
mod told;

pub(crate) use found::Finding;
pub(crate) use lines::{Line, take_in};

use crate::articles;
use crate::board::BoardIx;
use crate::change::Act;
use crate::standings::score::fouls_cost;
use crate::turn::{Turn, When};
use crate::{PlayerSetup, Who};
use flagfall_arbiter::{Effect, Foul, News, Player, Points, Refused, Wall};
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
    /// Where it takes some back: of which foul, where that is known.
    pub of: Option<u64>,
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
            of: None,
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
        let Finding { foul, happened, proposal } =
            self.find_foul(&who.name, ix, player, article, reported)?;
        let since = self.s.head;
        let (id, count, team) = (foul.id, foul.count.unsigned_abs(), foul.team);
        let points = foul.points.filter(|_| team).unwrap_or_default();
        self.tell(ix, When::exactly(happened), News::Foul(foul));
        let at = self.board(ix).at();
        if !reported.waived {
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
        if let Some(proposal) = proposal {
            answer["ruling"] = self.propose(ix, When::exactly(self.at), proposal).into();
        }
        Ok(answer)
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
        let foul = self.foul(ix, entry);
        let id = foul.id;
        self.tell(ix, when, News::Foul(foul));
        id
    }

    /// A line of the ledger as it would be told now.
    pub(crate) fn foul(&self, ix: BoardIx, entry: Entry<'_>) -> Foul {
        let Entry { player, article, count, ruling, by, team, waived, points, reported_after_ms, of } = entry;
        let before = if team { self.s.team_fouls(ix, player) } else { self.s.event_fouls(ix, player) };
        let after = before + count;
        let cost = |fouls| fouls_cost(&self.s.setup.regulations, fouls);
        let points = points + if team { Points::ZERO } else { cost(after) - cost(before) };
        Foul {
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
            of: of.filter(|_| count < 0),
            by: by.to_owned(),
        }
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
