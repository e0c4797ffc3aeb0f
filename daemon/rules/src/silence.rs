//! Silence: a game in which nothing happens, clocks that are no longer heard. Questions and no more: the
//! game is over and its clock runs on, or a player thinks; a cable came loose, or a whole line is gone.

use crate::board::BoardIx;
use crate::state::State;
use crate::turn::{Turn, When};
use crate::{Mode, Venue};
use flagfall_arbiter::{Grounds, IncidentKind, IncidentState, Lane, Text};
use flagfall_clock::Kind;
use std::borrow::Cow;

/// Clocks that fall silent within so long of each other have one cause, in milliseconds.
const TOGETHER_MS: i64 = 10_000;
/// So many of them are a group.
const GROUP: usize = 3;

impl State {
    /// When the side that runs has run unusually long.
    pub fn silence_due(&self, ix: BoardIx) -> Option<Venue> {
        let board = &self.boards[ix.0];
        let after = self.setup.regulations.still_playing_ms;
        let runs = self.seen(ix).is_some_and(|seen| seen.running.is_some());
        // a clock that passes the turn on by itself says nothing of the players
        let gong = self.setup.regulations.kind == Kind::Gong;
        let quiet =
            after == 0 || gong || !runs || !self.online(ix) || board.over || self.mode() == Mode::Observe;
        // once a turn
        let turn = board.turn.filter(|turn| board.silent != Some(*turn))?;
        (!quiet).then(|| turn + after)
    }

    /// When it is worth a look whether several boards of this one's match wait for each other (八.8).
    pub fn waiting_due(&self, ix: BoardIx) -> Option<Venue> {
        let board = &self.boards[ix.0];
        let after = self.setup.regulations.waiting_ms;
        let quiet = after == 0 || board.setup.match_no.is_none() || self.mode() == Mode::Observe;
        // once a turn
        let turn = board.turn.filter(|turn| board.idle != Some(*turn) && self.thinks(ix) && !quiet)?;
        Some(turn + after)
    }

    /// A side runs there, by a clock that is heard.
    fn thinks(&self, ix: BoardIx) -> bool {
        let board = &self.boards[ix.0];
        let runs = self.seen(ix).is_some_and(|seen| seen.running.is_some());
        runs && self.online(ix) && !board.over && !board.decided() && board.flag.is_none()
    }
}

impl Turn<'_> {
    /// The same side has run for unusually long: the game may be over and its result on its way.
    pub(crate) fn still_playing(&mut self, ix: BoardIx, at: Venue) {
        let board = self.board(ix).at();
        if let Some(turn) = self.board(ix).turn {
            self.change(crate::Change::Silent { board, turn });
        }
        let minutes = self.s.setup.regulations.still_playing_ms / 60_000;
        let text = self.words(ix).incident(
            &format!("棋钟走动，{minutes}分钟无人按钟；对局仍在进行？"),
            &format!("the clock runs and nobody has pressed for {minutes} minutes; is the game still on?"),
            self.times(ix, at),
        );
        let kind = IncidentKind::StillPlaying;
        self.open(ix, When::exactly(at), kind, Lane::ResultWanted, Grounds::default(), text);
    }

    /// Nobody has pressed for long on this board. If it is so on another board of the match too, that is
    /// one line for somebody to look at, and no more (八.8).
    pub(crate) fn waits(&mut self, ix: BoardIx, at: Venue) {
        let board = self.board(ix).at();
        if let Some(turn) = self.board(ix).turn {
            self.change(crate::Change::Idle { board, turn });
        }
        let (number, match_no) = (self.board(ix).round, self.board(ix).setup.match_no);
        let after = self.s.setup.regulations.waiting_ms as i64;
        let Some(round) = self.s.rounds.get(&number) else { return };
        let idle = |ix: &&BoardIx| {
            let board = self.board(**ix);
            let long = board.turn.is_some_and(|turn| at.since(turn) >= after);
            board.setup.match_no == match_no && long && self.s.thinks(**ix)
        };
        let boards: Vec<String> =
            round.order.iter().filter(idle).map(|ix| self.board(*ix).name.clone()).collect();
        if boards.len() < 2 {
            return;
        }
        let text = waiting_in_words(number, &boards, after);
        match self.waiting_line(ix) {
            Some(id) => self.retell(id, at, |incident| {
                incident.text = text;
                incident.boards = boards;
            }),
            None => {
                let kind = IncidentKind::Waiting;
                self.open_for_round(number, at, kind, Lane::Look, text, |incident| incident.boards = boards);
            }
        }
    }

    /// The open line about this board's match.
    fn waiting_line(&self, ix: BoardIx) -> Option<u64> {
        let (number, match_no) = (self.board(ix).round, self.board(ix).setup.match_no);
        let of_match = |name: &String| {
            let board = self.s.find(number, name).map(|ix| self.board(ix));
            board.is_some_and(|board| board.setup.match_no == match_no)
        };
        let mut open = self.s.incidents.values().filter(|placed| {
            placed.it.kind == IncidentKind::Waiting
                && placed.it.state == IncidentState::Open
                && placed.round == Some(number)
        });
        open.find(|placed| placed.it.boards.iter().any(of_match)).map(|placed| placed.it.id)
    }

    /// This board does not wait any more.
    pub(crate) fn no_longer_waits(&mut self, ix: BoardIx, outcome: &str) {
        if self.s.setup.regulations.waiting_ms == 0 {
            return;
        }
        let Some(id) = self.waiting_line(ix) else { return };
        let mut boards = self.s.incidents.get(&id).map(|placed| placed.it.boards.clone()).unwrap_or_default();
        let name = &self.board(ix).name;
        if !boards.contains(name) {
            return;
        }
        boards.retain(|board| board != name);
        if boards.len() < 2 {
            self.close(id, self.at, outcome);
            return;
        }
        let after = self.s.setup.regulations.waiting_ms as i64;
        let text = waiting_in_words(self.board(ix).round, &boards, after);
        self.retell(id, self.at, |incident| {
            incident.text = text;
            incident.boards = boards;
        });
    }

    /// The clock of a game that is on is no longer heard.
    pub(crate) fn fell_silent(&mut self, ix: BoardIx, by: &str, cause: &str) {
        let board = self.board(ix);
        let on = board.started.is_some() && !board.decided() && self.round_started(ix);
        if !on || self.s.mode() == Mode::Observe || self.open_on(ix, IncidentKind::ClockSilent).is_some() {
            return;
        }
        let number = board.round;
        let group = self.s.rounds.get(&number).and_then(|round| round.open.get(&IncidentKind::GroupOffline));
        if let Some(placed) = group.and_then(|id| self.s.incidents.get(id)) {
            let (id, mut boards) = (placed.it.id, placed.it.boards.clone());
            let name = &self.board(ix).name;
            if !boards.contains(name) {
                boards.push(name.clone());
            }
            self.tell_group(number, Some(id), boards, cause);
            return;
        }
        let alone: Vec<(u64, BoardIx)> = self.fell_silent_just_now(number);
        if alone.len() + 1 < GROUP {
            let text = self.words(ix).incident(
                "棋钟失联（棋钟本身继续走时）",
                "its clock is no longer heard; the clock itself runs on",
                None,
            );
            let remarks = vec![Cow::Owned(format!("{by}: {cause}"))];
            let grounds = Grounds { remarks, ..Grounds::default() };
            let kind = IncidentKind::ClockSilent;
            self.open(ix, When::exactly(self.at), kind, Lane::Technical, grounds, text);
            return;
        }
        let mut boards: Vec<String> = Vec::new();
        for (id, other) in alone {
            boards.push(self.board(other).name.clone());
            self.close(id, self.at, "group");
        }
        boards.push(self.board(ix).name.clone());
        self.tell_group(number, None, boards, cause);
    }

    fn fell_silent_just_now(&self, round: u32) -> Vec<(u64, BoardIx)> {
        let Some(round) = self.s.rounds.get(&round) else { return Vec::new() };
        let silent = |ix: &BoardIx| {
            let placed = self.open_on(*ix, IncidentKind::ClockSilent)?;
            (self.at.since(placed.at) <= TOGETHER_MS).then_some((placed.it.id, *ix))
        };
        round.order.iter().filter_map(silent).collect()
    }

    /// Tells of clocks that fell silent with one cause, in one line.
    fn tell_group(&mut self, round: u32, id: Option<u64>, boards: Vec<String>, cause: &str) {
        let n = boards.len();
        let text = flagfall_arbiter::Text {
            zh: format!("第{round}轮：{n}台棋钟同时失联（{cause}）；棋钟本身继续走时"),
            en: format!(
                "Round {round}: {n} clocks are no longer heard ({cause}); the clocks themselves run on"
            ),
        };
        if let Some(id) = id {
            self.retell(id, self.at, |incident| {
                incident.text = text;
                incident.boards = boards;
            });
            return;
        }
        self.open_for_round(round, self.at, IncidentKind::GroupOffline, Lane::Technical, text, |incident| {
            incident.grounds.remarks.push(Cow::Owned(cause.to_owned()));
            incident.boards = boards;
        });
    }

    /// A clock is heard again.
    pub(crate) fn heard_again(&mut self, ix: BoardIx) {
        self.no_longer_awaited(ix, "back");
    }

    /// Nobody waits for the clock of this board: it is heard again, another took its place, or its game
    /// is over.
    pub(crate) fn no_longer_awaited(&mut self, ix: BoardIx, outcome: &str) {
        self.close_on(ix, self.at, &[IncidentKind::ClockSilent], outcome);
        if self.board(ix).decided() {
            self.no_longer_waits(ix, outcome);
        }
        let (number, name) = (self.board(ix).round, self.board(ix).name.clone());
        let group = self.s.rounds.get(&number).and_then(|round| round.open.get(&IncidentKind::GroupOffline));
        let Some(placed) = group.and_then(|id| self.s.incidents.get(id)) else { return };
        if !placed.it.boards.contains(&name) {
            return;
        }
        let (id, mut boards) = (placed.it.id, placed.it.boards.clone());
        let cause = placed.it.grounds.remarks.first().map_or_else(String::new, ToString::to_string);
        boards.retain(|board| *board != name);
        if boards.is_empty() {
            self.close(id, self.at, outcome);
        } else {
            self.tell_group(number, Some(id), boards, &cause);
        }
    }
}

fn waiting_in_words(round: u32, boards: &[String], after_ms: i64) -> Text {
    let (minutes, names) = (after_ms / 60_000, boards.join(", "));
    Text {
        zh: format!("第{round}轮：同场第 {names} 台均已 {minutes} 分钟无人按钟"),
        en: format!("Round {round}: nobody has pressed for {minutes} minutes on boards {names} of one match"),
    }
}
