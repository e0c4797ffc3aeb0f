//! Tasks: what the regulations want done after a game, and nobody is accused of yet.

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use flagfall_arbiter::{News, Refused, Task, Text};
use serde_json::{Value, json};
use std::borrow::Cow;

impl Turn<'_> {
    /// A game has its result: who need not record any more completes his record now (五.3).
    pub(crate) fn tasks_after_game(&mut self, ix: BoardIx) {
        const KIND: &str = "complete_record";
        let told = self.s.tasks.values().any(|placed| placed.board == Some(ix) && placed.it.kind == KIND);
        if !self.board(ix).granted || told {
            return;
        }
        let (place_zh, place_en) = self.words(ix).place();
        let text = Text {
            zh: format!("{place_zh}：双方补齐记录（五.3）"),
            en: format!("{place_en}: both complete their records (五.3)"),
        };
        let task = Task {
            id: self.next_id(),
            kind: Cow::Borrowed(KIND),
            text,
            done: false,
            player: None,
            article: None,
            due: None,
            overdue: false,
        };
        self.tell(ix, When::exactly(self.at), News::Task(task));
    }

    pub(crate) fn task_done(&mut self, id: u64) -> Result<Value, Refused> {
        let Some(placed) = self.s.tasks.get(&id) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("there is no task {id}")));
        };
        if !placed.it.done {
            let (board, round) = (placed.board, placed.round);
            let news = News::Task(Task { done: true, ..placed.it.clone() });
            match board {
                Some(ix) => self.tell(ix, When::exactly(self.at), news),
                None => {
                    let now = self.s.wall(self.at);
                    self.tell_hall(flagfall_arbiter::Audience::Desk, round, now, news)
                }
            };
        }
        Ok(json!({ "id": id, "done": true }))
    }
}
