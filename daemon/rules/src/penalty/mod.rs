//! What the regulations allow for an offence: each way with the times that would follow, and how it is proposed.
//! An arbiter chooses among the ways; nothing here decides.

mod again;
mod draw;
mod press;
mod stop;

use crate::articles;
use crate::board::BoardIx;
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Effect, Grounds, News, Offender, Outcome, Player, Proof, Ruling, RulingKind, RulingState, Way,
};
use std::borrow::Cow;

/// What a ruling is proposed from.
pub(crate) struct Proposal {
    pub kind: RulingKind,
    /// Whom it is against; `None` until an arbiter names him.
    pub offender: Option<Offender>,
    /// What the regulations allow, the proposed way first; never empty.
    pub ways: Vec<Way>,
    pub grounds: Grounds,
    pub reason: Option<String>,
    pub incident: Option<u64>,
    /// The foul it follows from is in the ledger already.
    pub recorded: bool,
}

impl Proposal {
    /// One that answers no incident and that nobody gave a reason for.
    pub fn of(kind: RulingKind, offender: Option<Offender>, ways: Vec<Way>, grounds: Grounds) -> Self {
        Self { kind, offender, ways, grounds, reason: None, incident: None, recorded: false }
    }
}

/// The game lost by whom a ruling is against.
const fn lost(offender: Offender) -> Outcome {
    match offender {
        Offender::First => Outcome::lost_by(Player::First),
        Offender::Second => Outcome::lost_by(Player::Second),
        Offender::Both => Outcome::None,
    }
}

/// So many, or nothing.
pub(crate) fn some(count: u32) -> Option<u32> {
    (count > 0).then_some(count)
}

/// So many milliseconds, or nothing.
pub(crate) fn some_ms(ms: u32) -> Option<i64> {
    (ms > 0).then_some(i64::from(ms))
}

/// The game.
pub(crate) fn loss(offender: Offender) -> Effect {
    Effect { result: Some(lost(offender)), ..Effect::default() }
}

/// One way that the regulations allow, with these times afterwards.
pub(crate) fn way(
    offender: Option<Offender>,
    article: &'static str,
    effect: Effect,
    times: Option<[i64; 2]>,
) -> Way {
    Way {
        offender,
        article: Cow::Borrowed(article),
        effect,
        first_ms: times.map(|times| times[0]),
        second_ms: times.map(|times| times[1]),
    }
}

impl Turn<'_> {
    /// The article of a kind of ruling, by the laws in force.
    pub(crate) fn article_of(&self, kind: RulingKind) -> &'static str {
        articles::of_kind(self.s.setup.regulations.laws, kind)
    }

    /// A way reckoned from these times: minutes off the offender, minutes for his opponent; who has none left
    /// then loses.
    pub(crate) fn reckoned_way(
        &self,
        offender: Offender,
        article: &'static str,
        effect: Effect,
        from: Option<[i64; 2]>,
    ) -> Way {
        self.reckon_again(way(Some(offender), article, effect, None), from)
    }

    /// The same way, reckoned from other times.
    pub(crate) fn reckon_again(&self, mut way: Way, from: Option<[i64; 2]>) -> Way {
        let Some(mut after) = from else { return way };
        let players = way.offender.map_or(&[][..], Offender::players);
        for &player in players {
            after[player as usize] -= way.effect.deduct_ms.unwrap_or(0);
            after[player.other() as usize] += way.effect.opponent_ms.unwrap_or(0);
        }
        if way.effect.deduct_ms.is_some() {
            let fallen =
                players.iter().filter(|&&player| self.s.setup.regulations.fallen(after[player as usize]));
            way.effect.result = match fallen.copied().collect::<Vec<_>>()[..] {
                [] => None,
                [player] => Some(Outcome::lost_by(player)),
                _ => Some(Outcome::None),
            };
        }
        (way.first_ms, way.second_ms) = (Some(after[0]), Some(after[1]));
        way
    }

    /// The times from which a way is reckoned: as the board stands, or as it stood at the offender's press.
    pub(crate) fn times_for(&self, ix: BoardIx, way: &Way) -> Option<[i64; 2]> {
        if way.effect.restored {
            let pressed = self.board(ix).pressed.as_ref();
            return pressed
                .filter(|pressed| way.offender == Some(pressed.player.into()))
                .map(|pressed| pressed.times);
        }
        self.standing_or_shown(ix)
    }

    /// The times the board stands at, with what it owes; by reckoning while it still runs.
    pub(crate) fn standing_or_shown(&self, ix: BoardIx) -> Option<[i64; 2]> {
        let owed = || self.board(ix).owed.as_ref().map_or([0; 2], |owed| owed.delta);
        let shown = || self.times(ix, self.at).map(|[one, other]| [one + owed()[0], other + owed()[1]]);
        self.standing(ix).ok().or_else(shown)
    }

    /// Where the opponent may have no way to win, the loss may be a draw: an arbiter sees the position (FIDE 6.9).
    pub(crate) fn or_draw(&self, ways: &mut Vec<Way>) {
        if !self.s.setup.regulations.unless_cannot_win {
            return;
        }
        let draws: Vec<Way> = ways
            .iter()
            .filter(|way| matches!(way.effect.result, Some(Outcome::First | Outcome::Second)))
            .map(|way| {
                let mut draw = way.clone();
                draw.effect.result = Some(Outcome::Draw);
                draw
            })
            .collect();
        ways.extend(draws);
    }

    /// The game lost under this article, or drawn where an arbiter sees that nobody could win it.
    pub(crate) fn loss_ways(&self, ix: BoardIx, offender: Offender, article: &'static str) -> Vec<Way> {
        let mut ways = vec![way(Some(offender), article, loss(offender), self.standing_or_shown(ix))];
        self.or_draw(&mut ways);
        ways
    }

    /// Fouls for so many moves not written down (五.1); 0 where they are too few. Without a number it is one foul's worth.
    pub(crate) fn missed_record(&self, moves: Option<u32>) -> u32 {
        let r = &self.s.setup.regulations;
        let found = moves.map_or(1, |moves| moves / r.missed_record_moves.max(1));
        if r.missed_record_most == 0 { found } else { found.min(r.missed_record_most) }
    }

    /// Proposes a ruling. Gives its id.
    pub(crate) fn propose(&mut self, ix: BoardIx, when: When, proposal: Proposal) -> u64 {
        let Proposal { kind, offender, ways, grounds, reason, incident, recorded } = proposal;
        let Some(proposed) = ways.first() else { return 0 };
        let mut effect = proposed.effect.clone();
        if offender.is_none() && (effect.deduct_ms.is_some() || effect.foul.is_some()) {
            // what depends on who he is cannot be said yet
            effect.result = None;
        }
        let article = proposed.article.clone();
        let times = match offender {
            Some(_) => proposed.first_ms.zip(proposed.second_ms).map(|(first, second)| [first, second]),
            None => self.times(ix, self.at),
        };
        let text = self.words(ix).ruling(kind, &article, offender, &effect, times, &grounds);
        let ruling = Ruling {
            id: self.next_id(),
            kind,
            article,
            offender,
            effect,
            options: ways,
            state: RulingState::Proposed,
            announced: false,
            grounds,
            text,
            decided_by: None,
            reason,
            incident,
            recorded,
            changed: None,
        };
        let id = ruling.id;
        self.tell(ix, when, News::Ruling(ruling));
        id
    }

    /// How well the times are known now.
    pub(crate) fn proof_now(&self, ix: BoardIx) -> Proof {
        match self.s.seen(ix) {
            Some(seen) => {
                let unseen = if seen.running.is_some() { self.at.since(seen.at).max(0) as u64 } else { 0 };
                self.proof(seen.bound_ms + unseen)
            }
            None => Proof { provable: false, by: None, bound_ms: None },
        }
    }
}
