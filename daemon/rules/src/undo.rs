//! Taking back what a person did, by difference: what happened since stays as it is.

use crate::Who;
use crate::board::BoardIx;
use crate::change::{Act, At, Chair, Change};
use crate::taken::Taken;
use crate::turn::{Turn, When};
use flagfall_arbiter::{BoardResult, News, Player, Presence, PresenceState, Refused, Status, Undone};
use serde_json::{Value, json};
use std::borrow::Cow;

impl Turn<'_> {
    /// An event of the clock that follows from an act is taken back with it.
    pub(crate) fn belongs_to_last_act(&mut self, ix: BoardIx, seq: u64) {
        let at = self.board(ix).at();
        let last = self
            .s
            .acts
            .values()
            .rev()
            .find(|(_, act)| matches!(act, Act::Times(board, _) | Act::Ruling(board, _) if *board == at));
        if let Some((group, act)) = last.cloned() {
            self.change(Change::Acted { group, seqs: vec![seq], act });
        }
    }

    pub(crate) fn undo(&mut self, who: &Who, seq: u64, reason: Option<&str>) -> Result<Value, Refused> {
        let Some((group, act)) = self.s.acts.get(&seq).cloned() else {
            return Err(Refused::new(
                Refused::UNKNOWN,
                format!("event {seq} is nothing that can be taken back"),
            ));
        };
        if self.s.undone.contains(&group) {
            return Err(Refused::new(Refused::STATE, format!("event {seq} was taken back already")));
        }
        let Some(ix) = self.s.ix(act.board()) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("event {seq} belongs to no board")));
        };
        if matches!(act, Act::Result(..) | Act::Sheet(..) | Act::Ruling(..)) {
            self.may_correct(who, ix)?;
        }
        self.may_undo(group, &act, ix)?;
        match act {
            Act::Times(_, delta) => {
                self.owe(ix, delta.map(|ms| -ms));
            }
            Act::Foul(_, player, article) => {
                let of = self.foul_of(group, ix).map(|(id, _)| id);
                self.take_foul_back(ix, player, &article, Taken { of, ..Taken::one(false) }, &who.name);
            }
            Act::Fouls(_, player, article, count, points) => {
                let line = self.foul_of(group, ix);
                let count = line.map_or(count, |(_, left)| count.min(left));
                let of = line.map(|(id, _)| id);
                let taken = Taken { count, points: Some(points), waived: false, of };
                self.take_foul_back(ix, player, &article, taken, &who.name);
            }
            Act::Result(_, before) => self.put_back(ix, before),
            Act::Sheet(_, boards) => {
                for (at, before) in boards {
                    if let Some(ix) = self.s.ix(&at) {
                        self.put_back(ix, before);
                    }
                }
            }
            Act::Swap(board) => self.change(Change::Sides { board }),
            Act::Chairs(_, chairs) => {
                for chair in chairs {
                    let Some(ix) = self.s.ix(&chair.at) else { continue };
                    self.put_chair_back(ix, chair);
                    self.withdraw_defaults(ix, "what was said of his chair was taken back");
                    self.look_at_defaults(ix, self.at);
                }
                self.ask_who_sits(self.board(ix).round);
            }
            Act::Ruling(_, id) => self.overrule(id, &who.name, reason.unwrap_or("undone")),
        }
        let news = Undone { seq, by: who.name.clone(), reason: reason.map(str::to_owned) };
        self.tell(ix, When::exactly(self.at), News::Undone(news));
        self.change(Change::Undone { group });
        Ok(json!({ "undone": seq, "board": self.board(ix).name }))
    }
}

impl Turn<'_> {
    /// What came after an act, or the board as it stands now, may not let it be taken back.
    fn may_undo(&self, group: u64, act: &Act, ix: BoardIx) -> Result<(), Refused> {
        let name = &self.board(ix).name;
        let cannot = |what: String| Err(Refused::new(Refused::STATE, what));
        match act {
            Act::Times(..) => self.standing(ix).map(|_| ()),
            Act::Swap(_) => self.may_swap(ix),
            Act::Foul(_, player, article) | Act::Fouls(_, player, article, ..)
                if self
                    .foul_of(group, ix)
                    .map_or_else(|| !self.has_foul(ix, *player, article), |(_, left)| left == 0) =>
            {
                cannot(format!("board {name}: no foul under {article} is left to take back"))
            }
            Act::Result(at, _) => self.last_of(group, at),
            Act::Sheet(_, boards) => boards.iter().try_for_each(|(at, _)| self.last_of(group, at)),
            Act::Foul(..) | Act::Fouls(..) | Act::Chairs(..) | Act::Ruling(..) => Ok(()),
        }
    }

    /// The foul that an act recorded: its number, and how many of it still count.
    fn foul_of(&self, group: u64, ix: BoardIx) -> Option<(u64, u32)> {
        let told = |seq: &u64| self.s.acts.get(seq).is_some_and(|(of, _)| *of == group);
        let line = self.board(ix).lines.iter().rev().find(|line| told(&line.seq))?;
        Some((line.foul.id, line.left.unsigned_abs()))
    }

    /// A result can be taken back only if none came after it: that one would be lost.
    fn last_of(&self, group: u64, at: &At) -> Result<(), Refused> {
        let of_it = |act: &Act| match act {
            Act::Result(board, _) => board == at,
            Act::Sheet(_, boards) => boards.iter().any(|(board, _)| board == at),
            _ => false,
        };
        let later = self
            .s
            .acts
            .values()
            .filter(|(other, act)| *other > group && !self.s.undone.contains(other) && of_it(act));
        let At(_, name) = at;
        if let Some(later) = later.map(|(other, _)| *other).max() {
            return Err(Refused::new(
                Refused::STATE,
                format!("board {name}: a later request changed its result; take event {later} back first"),
            ));
        }
        let ruled = self.s.ix(at).and_then(|ix| self.board(ix).result.as_ref());
        let ruled =
            ruled.filter(|(now, _)| now.status == Status::Provisional).and_then(|(now, _)| now.ruling);
        match ruled {
            Some(id) => Err(Refused::new(
                Refused::STATE,
                format!("board {name}: a later ruling, {id}, decided it; overrule that first"),
            )),
            None => Ok(()),
        }
    }

    /// The result is what it was before. In a closed round what a person has said is official.
    fn put_back(&mut self, ix: BoardIx, before: Option<BoardResult>) {
        let closed = self.s.rounds.get(&self.board(ix).round).is_some_and(|round| round.closed);
        match before {
            Some(before) if closed && before.status >= Status::Entered => {
                self.replace_result(ix, BoardResult { status: Status::Official, ..before });
            }
            Some(before) => drop(self.replace_result(ix, before)),
            None => drop(self.take_back(ix)),
        }
    }

    /// What is known of a chair.
    pub(crate) fn chair(&self, ix: BoardIx, player: Player) -> Chair {
        let there = self.board(ix).there(player);
        Chair {
            at: self.board(ix).at(),
            player,
            state: there.state,
            arrived: there.arrived,
            late_ms: there.late_ms,
            by_press: there.by_press,
            by_silence: there.by_silence,
            was_absent: there.was_absent,
            arrival_said: there.arrival_said,
        }
    }

    /// A chair as it was known before; but who has moved since is there, whatever was said of him.
    fn put_chair_back(&mut self, ix: BoardIx, mut chair: Chair) {
        let moved = self.board(ix).there(chair.player).moved.filter(|_| self.round_started(ix));
        if let Some(moved) = moved.filter(|_| chair.state != PresenceState::Present) {
            chair.state = PresenceState::Present;
            (chair.arrived, chair.late_ms, chair.by_press) = (Some(moved), None, true);
            (chair.by_silence, chair.arrival_said) = (false, false);
        }
        let when = chair.arrived.filter(|_| chair.state == PresenceState::Present).unwrap_or(self.at);
        let (player, state, late_ms) = (chair.player, chair.state, chair.late_ms);
        let news = Presence { player, state, how: Cow::Borrowed("undone"), late_ms };
        self.tell(ix, When::exactly(when), News::Presence(news));
        self.change(Change::Chair(chair));
    }
}

impl Act {
    /// The board it is about.
    pub(crate) const fn board(&self) -> &crate::At {
        match self {
            Self::Times(at, _)
            | Self::Foul(at, ..)
            | Self::Fouls(at, ..)
            | Self::Result(at, _)
            | Self::Sheet(at, _)
            | Self::Swap(at)
            | Self::Chairs(at, _)
            | Self::Ruling(at, _) => at,
        }
    }
}
