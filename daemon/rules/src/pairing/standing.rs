//! What looks wrong with a list as the hall stands: tables in play, clocks not heard, teams that met before.

use super::Draft;
use super::doubts::{Doubt, Met, matches};
use crate::board::BoardIx;
use crate::state::State;

impl State {
    /// Doubts that rest on the hall and the other rounds.
    pub(super) fn doubts_of(&self, number: u32, drafts: &[Draft]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let mut met = Met::default();
        for (other, round) in self.rounds.range(..number) {
            for found in &matches(round.order.iter().map(|ix| &self.boards[ix.0].setup)) {
                met.add(*other, found);
            }
        }
        doubts.extend(
            matches(drafts.iter().map(|draft| &draft.board)).iter().filter_map(|found| met.again(found)),
        );
        if number > 1 && !self.rounds.contains_key(&number) && !self.rounds.contains_key(&(number - 1)) {
            doubts.push(Doubt::new(
                "round_gap",
                vec![],
                format!("没有第 {} 轮", number - 1),
                format!("there is no round {}", number - 1),
            ));
        }
        self.tables_of(drafts, &mut doubts);
        doubts
    }

    fn tables_of(&self, drafts: &[Draft], doubts: &mut Vec<Doubt>) {
        let mut to_come = Vec::new();
        let mut unseated = Vec::new();
        let (mut without, mut away) = (Vec::new(), Vec::new());
        for Draft { board, .. } in drafts {
            let name = || board.board.clone();
            let Some(number) = board.table else {
                unseated.push(name());
                continue;
            };
            let Some((table, serves)) = self.tables.get(&number) else {
                to_come.push(name());
                continue;
            };
            match table.clock {
                None => without.push(name()),
                Some(clock) if !self.clocks.get(&clock).is_some_and(|clock| clock.online) => {
                    away.push(name())
                }
                Some(_) => {}
            }
            if let Some(playing) = serves.filter(|ix| self.plays(*ix)) {
                let playing = &self.boards[playing.0];
                let (round, other) = (playing.round, &playing.name);
                doubts.push(Doubt::new(
                    "in_play",
                    vec![name()],
                    format!("{number} 号桌仍在进行第 {round} 轮第 {other} 台"),
                    format!("at table {number} board {other} of round {round} is still in play"),
                ));
            }
        }
        let mut say = |kind, boards: Vec<String>, zh: &str, en: &str| {
            if !boards.is_empty() {
                let named = boards.join(", ");
                doubts.push(Doubt::new(
                    kind,
                    boards,
                    format!("第 {named} 台：{zh}"),
                    format!("board {named}: {en}"),
                ));
            }
        };
        say("no_table", unseated, "没有桌号", "no table");
        say(
            "table_to_come",
            to_come,
            "棋桌尚未登记，用 setup.walk 登记棋钟",
            "its table is not there yet; setup.walk binds a clock to it",
        );
        say("clock_missing", without, "桌上没有棋钟", "no clock stands on its table");
        say("clock_offline", away, "棋钟没有信号", "its clock is not heard");
    }

    /// A game is on at that board, as far as anybody knows.
    fn plays(&self, ix: BoardIx) -> bool {
        let board = &self.boards[ix.0];
        let closed = self.rounds.get(&board.round).is_some_and(|round| round.closed);
        board.started.is_some() && !board.decided() && !closed
    }
}
