//! Tasks: what the regulations want done after a game, and nobody is accused of yet. Where the event sets a time
//! for it, a foul is proposed once that is past.

use crate::Venue;
use crate::board::BoardIx;
use crate::penalty::{Proposal, way};
use crate::turn::{Turn, When};
use flagfall_arbiter::{
    Effect, Grounds, News, Offender, Outcome, Player, Refused, RulingKind, RulingState, Status, Task, Text,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A kind of task.
struct Wanted {
    kind: &'static str,
    article: &'static str,
    zh: &'static str,
    en: &'static str,
}

/// Both complete their records (五.3).
const RECORD: Wanted =
    Wanted { kind: "complete_record", article: "五.3", zh: "补齐记录", en: "complete the record" };
/// The winner, in a draw the first player, enters the game for the broadcast (五.5).
const BROADCAST: Wanted = Wanted {
    kind: "broadcast_entry",
    article: "五.5",
    zh: "到直播间录谱、核对",
    en: "enter and check the game in the broadcast room",
};

impl Turn<'_> {
    /// A game has its result: what is to be done now. Of another result than before other tasks follow.
    pub(crate) fn tasks_after_game(&mut self, ix: BoardIx) {
        let Some((result, _)) = self.board(ix).result.clone() else { return };
        if result.status < Status::Entered {
            return;
        }
        let (record_ms, broadcast_ms) =
            (self.s.setup.regulations.record_task_ms, self.s.setup.regulations.broadcast_task_ms);
        if self.board(ix).was_granted() {
            self.want(ix, &RECORD, Offender::Both, record_ms);
        }
        let played = self.board(ix).started.is_some() && !result.forfeit;
        let enters = match result.result {
            _ if broadcast_ms == 0 || !played => None,
            Outcome::First | Outcome::Draw => Some(Player::First),
            Outcome::Second => Some(Player::Second),
            Outcome::None => None,
        };
        self.drop_tasks(ix, BROADCAST.kind, enters.map(Offender::from));
        if let Some(player) = enters {
            self.want(ix, &BROADCAST, player.into(), broadcast_ms);
        }
    }

    /// A result was taken back: what was wanted because of it is not wanted any more.
    pub(crate) fn tasks_before_result(&mut self, ix: BoardIx) {
        self.drop_tasks(ix, BROADCAST.kind, None);
        // 对局结束后: the game may go on
        self.drop_tasks(ix, RECORD.kind, None);
    }

    fn want(&mut self, ix: BoardIx, wanted: &Wanted, whose: Offender, within_ms: u64) {
        let told = self.s.tasks.values().any(|placed| {
            let task = &placed.it;
            placed.board == Some(ix)
                && task.kind == wanted.kind
                && task.player == Some(whose)
                && !task.dropped
        });
        if told {
            return;
        }
        let (place_zh, place_en) = self.words(ix).place();
        let (who_zh, who_en) = self.words(ix).whom(Some(whose));
        let due = (within_ms > 0).then(|| self.s.wall(self.at + within_ms));
        let (article, zh, en) = (wanted.article, wanted.zh, wanted.en);
        let task = Task {
            id: self.next_id(),
            kind: Cow::Borrowed(wanted.kind),
            text: Text {
                zh: format!("{place_zh}：{who_zh}{zh}（{article}）"),
                en: format!("{place_en}: {who_en}: {en} ({article})"),
            },
            done: false,
            player: Some(whose),
            article: Some(Cow::Borrowed(article)),
            due,
            overdue: false,
            dropped: false,
        };
        self.tell(ix, When::exactly(self.at), News::Task(task));
    }

    /// Open tasks of a kind that are not this player's are dropped.
    fn drop_tasks(&mut self, ix: BoardIx, kind: &str, but: Option<Offender>) {
        let open: Vec<Task> = self
            .s
            .tasks
            .values()
            .filter(|placed| placed.board == Some(ix) && placed.it.kind == kind && !placed.it.done)
            .filter(|placed| but.is_none() || placed.it.player != but)
            .map(|placed| placed.it.clone())
            .collect();
        for task in open {
            self.no_foul_for(ix, &task, "the result it rested on was taken back");
            self.tell(ix, When::exactly(self.at), News::Task(Task { done: true, dropped: true, ..task }));
        }
    }

    pub(crate) fn task_done(&mut self, id: u64) -> Result<Value, Refused> {
        let Some(placed) = self.s.tasks.get(&id) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("there is no task {id}")));
        };
        if !placed.it.done {
            let (board, round, task) = (placed.board, placed.round, placed.it.clone());
            if let Some(ix) = board {
                self.no_foul_for(ix, &task, "the task was done");
            }
            let news = News::Task(Task { done: true, ..task });
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

    /// Their time is past: each is told so, and a foul proposed.
    pub(crate) fn tasks_due(&mut self, ix: BoardIx, due: Venue) {
        let late: Vec<Task> = self
            .board(ix)
            .tasks
            .iter()
            .filter(|(_, when)| **when <= due)
            .filter_map(|(id, _)| self.s.tasks.get(id).map(|placed| placed.it.clone()))
            .collect();
        for task in late {
            self.tell(ix, When::exactly(due), News::Task(Task { overdue: true, ..task.clone() }));
            if self.s.mode() == crate::Mode::Observe {
                continue;
            }
            let article = if task.kind == RECORD.kind { RECORD.article } else { BROADCAST.article };
            let foul = Effect { foul: Some(1), ..Effect::default() };
            let (offender, against) = match task.player {
                Some(Offender::First) => (Some(Offender::First), &[Offender::First][..]),
                Some(Offender::Second) => (Some(Offender::Second), &[Offender::Second][..]),
                // who of the two has not is the arbiter's to say
                _ => (None, &[Offender::First, Offender::Second, Offender::Both][..]),
            };
            let ways = against.iter().map(|one| way(Some(*one), article, foul.clone(), None)).collect();
            let remarks = vec![Cow::Borrowed("its time is past")];
            let grounds = Grounds { remarks, ..Grounds::default() };
            let kind = RulingKind::Article;
            let proposal = Proposal::of(kind, offender, ways, grounds);
            self.propose(ix, When::exactly(due), proposal);
        }
    }

    /// What was proposed because a task was not done in time.
    fn no_foul_for(&mut self, ix: BoardIx, task: &Task, why: &str) {
        let Some(article) = task.article.clone().filter(|_| task.overdue) else { return };
        let waits = self.board(ix).rulings.iter().filter_map(|id| self.s.rulings.get(id));
        let waits = waits.filter(|placed| {
            placed.it.kind == RulingKind::Article
                && placed.it.article == article
                && placed.it.state == RulingState::Proposed
        });
        let ids: Vec<u64> = waits.map(|placed| placed.it.id).collect();
        for id in ids {
            self.withdraw(id, why);
        }
    }
}
