//! Taking back what a person did, by difference: what happened since stays as it is.

use crate::Who;
use crate::board::BoardIx;
use crate::change::{Act, Change};
use crate::turn::{Turn, When};
use flagfall_arbiter::{News, Presence, Refused, Undone};
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
        match act {
            Act::Times(_, delta) => {
                self.standing(ix)?;
                self.owe(ix, delta.map(|ms| -ms));
            }
            Act::Foul(_, player, article) => {
                self.foul(ix, player, &article, -1, None, &who.name);
            }
            Act::Result(_, Some(before)) => {
                self.replace_result(ix, before);
            }
            Act::Result(_, None) => {
                self.take_back(ix);
            }
            Act::Sheet(_, boards) => {
                for (at, before) in boards {
                    let Some(ix) = self.s.ix(&at) else { continue };
                    match before {
                        Some(before) => drop(self.replace_result(ix, before)),
                        None => drop(self.take_back(ix)),
                    }
                }
            }
            Act::Swap(board) => self.change(Change::Sides { board }),
            Act::Chairs(_, chairs) => {
                for (at, player, state) in chairs {
                    let Some(ix) = self.s.ix(&at) else { continue };
                    let news = Presence { player, state, how: Cow::Borrowed("undone"), late_ms: None };
                    self.tell(ix, When::exactly(self.at), News::Presence(news));
                    self.withdraw_defaults(ix, "what was said of his chair was taken back");
                    self.look_at_defaults(ix, self.at);
                }
            }
            Act::Ruling(_, id) => self.overrule(id, &who.name, reason.unwrap_or("undone")),
        }
        let news = Undone { seq, by: who.name.clone(), reason: reason.map(str::to_owned) };
        self.tell(ix, When::exactly(self.at), News::Undone(news));
        self.change(Change::Undone { group });
        Ok(json!({ "undone": seq, "board": self.board(ix).name }))
    }
}

impl Act {
    /// The board it is about.
    pub(crate) const fn board(&self) -> &crate::At {
        match self {
            Self::Times(at, _)
            | Self::Foul(at, ..)
            | Self::Result(at, _)
            | Self::Sheet(at, _)
            | Self::Swap(at)
            | Self::Chairs(at, _)
            | Self::Ruling(at, _) => at,
        }
    }
}
