//! Matches of teams: held for a late bus.

use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::Turn;
use crate::{StartBy, Who};
use flagfall_arbiter::{Audience, News, Notice, Refused, Wall};
use flagfall_clock::Action;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A match is held for at most so long after now, in milliseconds.
const MOST_MS: i64 = 86_400_000;

impl Turn<'_> {
    /// The boards of a match, in the round's order.
    pub(crate) fn boards_of_match(&self, round: u32, match_no: u32) -> Result<Vec<BoardIx>, Refused> {
        let order = self.s.rounds.get(&round).map(|round| round.order.as_slice()).unwrap_or_default();
        let of = |ix: &&BoardIx| self.board(**ix).setup.match_no == Some(match_no);
        let boards: Vec<BoardIx> = order.iter().filter(of).copied().collect();
        if boards.is_empty() {
            let mut known: Vec<u32> = order.iter().filter_map(|ix| self.board(*ix).setup.match_no).collect();
            known.dedup();
            let known = match (known.first(), known.last()) {
                (Some(first), Some(last)) => format!("its matches are {first} to {last}"),
                _ => "its boards belong to no match".to_owned(),
            };
            return Err(Refused::new(
                Refused::UNKNOWN,
                format!("round {round} has no match {match_no}; {known}"),
            ));
        }
        Ok(boards)
    }

    /// A match begins at `until`: nobody of it is late before then, and its default time counts from
    /// there. An instant that is past lets it begin; where the daemon starts the clocks it starts them.
    pub(crate) fn match_hold(
        &mut self,
        who: &Who,
        round: Option<u32>,
        match_no: u32,
        until: Wall,
        reason: Option<&str>,
    ) -> Result<Value, Refused> {
        let number = self.which_open_round(round)?;
        let boards = self.boards_of_match(number, match_no)?;
        let ms = self.s.venue_ms(until);
        if ms - self.at.0 as i64 > MOST_MS {
            return Err(Refused::new(
                Refused::PARAMS,
                format!("match.hold: {until} is more than a day away"),
            ));
        }
        let until_at = self.s.venue(until);
        let reason = reason.map(str::to_owned);
        let were_past = self.past_their_time(&boards);
        self.change(Change::MatchHeld { round: number, match_no, until: until_at, reason: reason.clone() });
        self.put_off(number, &were_past, "the match is held");
        let over = until_at <= self.at;
        let mut started = Vec::new();
        for ix in boards {
            self.moved.push(ix);
            self.look_at_defaults(ix, self.at);
            let daemon = self.s.setup.start_by == StartBy::Daemon && self.round_started(ix);
            if over && daemon && self.may_start(ix) {
                let side = self.board(ix).first_side;
                if self.order(ix, Action::Start { side }) {
                    started.push(self.board(ix).name.clone());
                }
            }
        }
        let kind = if over { "match_begins" } else { "match_held" };
        let why = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!("round {number} match {match_no} begins at {until}{why} ({})", who.name);
        let news = News::Notice(Notice { kind: Cow::Borrowed(kind), message });
        self.tell_hall(Audience::Desk, Some(number), self.s.wall(self.at), news);
        Ok(json!({ "round": number, "match": match_no, "until": until, "started": started }))
    }

    /// Whether this board's match is held now.
    pub(crate) fn match_is_held(&self, ix: BoardIx) -> bool {
        let board = self.board(ix);
        let held = self.s.rounds.get(&board.round).zip(board.setup.match_no);
        held.and_then(|(round, match_no)| round.held.get(&match_no))
            .is_some_and(|(until, _)| *until > self.at)
    }

    /// Whether `round.start` starts this board: nobody has, it has no result, no arbiter holds it, neither
    /// its match is held nor its round paused, and not both players are known to be absent.
    pub(crate) fn may_start(&self, ix: BoardIx) -> bool {
        let board = self.board(ix);
        let absent = |player| board.there(player).state == flagfall_arbiter::PresenceState::Absent;
        let nobody = flagfall_arbiter::Player::BOTH.into_iter().all(absent);
        let paused = self.s.rounds.get(&board.round).is_some_and(|round| round.paused.is_some());
        let waits = nobody || paused || board.held() || self.match_is_held(ix);
        !waits && board.started.is_none() && !board.decided()
    }
}
