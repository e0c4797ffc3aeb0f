//! Fouls withdrawn and taken back, with what was proposed because of them.

use crate::Who;
use crate::articles::{self, Gives};
use crate::board::BoardIx;
use crate::fouls::Entry;
use crate::turn::{Turn, When};
use flagfall_arbiter::{Player, Points, Refused, RulingKind, RulingState};
use serde_json::{Value, json};

/// Fouls that are taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub count: u32,
    /// What they added to his points; as the last one did where nobody says.
    pub points: Option<Points>,
    pub waived: bool,
    /// Of which foul, where one is meant.
    pub of: Option<u64>,
}

impl Taken {
    /// One of them.
    pub(crate) const fn one(waived: bool) -> Self {
        Self { count: 1, points: None, waived, of: None }
    }
}

impl Turn<'_> {
    pub(crate) fn withdraw_foul(
        &mut self,
        who: &Who,
        ix: BoardIx,
        player: Player,
        article: &str,
        waived: bool,
    ) -> Result<Value, Refused> {
        let article = articles::named(self.s.setup.regulations.laws, article)?;
        if !self.has_foul(ix, player, article.key) {
            let name = &self.board(ix).name;
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: no foul under {} to withdraw", article.key),
            ));
        }
        let id = self.take_foul_back(ix, player, article.key, Taken::one(waived), &who.name);
        Ok(json!({
            "foul": id,
            "in_game": self.board(ix).fouls_of(player),
            "in_event": self.s.event_fouls(ix, player),
        }))
    }

    /// Whether a player, or his team by this article, has a foul here that can be taken back.
    pub(crate) fn has_foul(&self, ix: BoardIx, player: Player, article: &str) -> bool {
        self.board(ix).fouls_under(player, article, self.is_of_team(article)) > 0
    }

    fn is_of_team(&self, article: &str) -> bool {
        let laws = self.s.setup.regulations.laws;
        articles::find(laws, article).is_some_and(|article| article.gives == Gives::Team)
    }

    /// Fouls less under an article, as many as are left; a point that went with them comes back, and what was
    /// proposed because of them is withdrawn.
    pub(crate) fn take_foul_back(
        &mut self,
        ix: BoardIx,
        player: Player,
        article: &str,
        taken: Taken,
        by: &str,
    ) -> u64 {
        let team = self.is_of_team(article);
        let last = self.board(ix).team_points[player as usize].last().copied().filter(|_| team);
        let points = -taken.points.or(last).unwrap_or_default();
        let count = (taken.count as i32).min(self.board(ix).fouls_under(player, article, team));
        let Taken { waived, of, .. } = taken;
        let entry = Entry { team, waived, points, of, ..Entry::of(player, article, -count, by) };
        let id = self.foul_at(ix, When::exactly(self.at), entry);
        self.nothing_beyond(ix, player, article);
        self.look_again(ix);
        id
    }

    /// The latest ruling that waits because of a foul under this article.
    fn nothing_beyond(&mut self, ix: BoardIx, player: Player, article: &str) {
        let laws = self.s.setup.regulations.laws;
        let kind = articles::find(laws, article).and_then(|article| article.gives.kind());
        let waits =
            self.board(ix).rulings.iter().rev().filter_map(|id| self.s.rulings.get(id)).find(|placed| {
                let it = &placed.it;
                let about = match kind {
                    Some(kind) => it.kind == kind,
                    None => it.kind == RulingKind::Article && it.article == article,
                };
                let against = it.offender.is_some_and(|offender| offender.players().contains(&player));
                about && against && it.state == RulingState::Proposed && it.recorded
            });
        if let Some(id) = waits.map(|placed| placed.it.id) {
            self.withdraw(id, "the foul was taken back");
        }
    }
}
