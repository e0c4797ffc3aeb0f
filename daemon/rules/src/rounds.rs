//! Rounds: the actual start counts, not the plan; a pause explains what it stopped.

use crate::board::BoardIx;
use crate::change::Change;
use crate::turn::{Turn, When};
use crate::{StartBy, Venue, Who};
use flagfall_arbiter::{
    Absent, Audience, BoardResult, IncidentKind, IncidentState, News, Player, PresenceState, Refused,
    RoundStarted, Status, Wall,
};
use flagfall_clock::Action;
use serde_json::{Value, json};

impl Turn<'_> {
    /// The round that is meant, to begin, pause or hold something in it: not one that is closed.
    pub(crate) fn which_open_round(&self, round: Option<u32>) -> Result<u32, Refused> {
        let number = self.which_round(round)?;
        if self.s.rounds.get(&number).is_some_and(|round| round.closed) {
            return Err(Refused::new(
                Refused::STATE,
                format!("round {number} is closed; name the round that is played"),
            ));
        }
        Ok(number)
    }

    pub(crate) fn which_board(&self, round: Option<u32>, board: &str) -> Result<BoardIx, Refused> {
        // without a round named, a board that only one open round has is meant there
        let number = match (round, self.which_round(round)) {
            (None, Err(refused)) => {
                let mut open =
                    self.s.rounds.values().filter(|round| round.started.is_some() && !round.closed);
                let mut found = open.by_ref().filter(|round| round.boards.contains_key(board));
                match (found.next(), found.next()) {
                    (Some(one), None) => one.number,
                    _ => return Err(refused),
                }
            }
            (_, number) => number?,
        };
        self.s
            .find(number, board)
            .ok_or_else(|| Refused::new(Refused::UNKNOWN, format!("round {number} has no board {board}")))
    }

    /// A past instant of wall time as venue milliseconds; may lie before the journal's beginning.
    pub(crate) fn past(&self, at: Option<Wall>) -> Result<i64, Refused> {
        let Some(wall) = at else { return Ok(self.at.0 as i64) };
        let ms = self.s.venue_ms(wall);
        if ms > self.at.0 as i64 + 1_000 {
            return Err(Refused::new(Refused::PARAMS, format!("{wall} is still to come")));
        }
        Ok(ms.min(self.at.0 as i64))
    }

    pub(crate) fn venue(ms: i64) -> Venue {
        Venue(ms.max(0) as u64)
    }

    pub(crate) fn round_start(
        &mut self,
        who: &Who,
        round: Option<u32>,
        at: Option<Wall>,
        except: &[u32],
    ) -> Result<Value, Refused> {
        let number = self.which_open_round(round)?;
        let begun = self.s.rounds.get(&number).is_some_and(|round| round.started.is_some());
        if begun && at.is_none() {
            // a second tap starts nothing; another instant corrects the first
            return Err(Refused::new(
                Refused::STATE,
                format!(
                    "round {number} has begun; name another round, or the instant at which it really began"
                ),
            ));
        }
        let start = self.past(at)?;
        let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
        // games were over before that instant: another round is meant
        let over = |ix: &BoardIx| {
            let result = self.board(*ix).result.as_ref();
            result.is_some_and(|(_, since)| (since.0 as i64) < start)
        };
        if begun && round.is_none() && boards.iter().any(over) {
            return Err(Refused::new(
                Refused::STATE,
                format!("round {number} has begun and has results from before then; name the round"),
            ));
        }
        if boards.is_empty() {
            return Err(Refused::new(Refused::STATE, format!("round {number} has no boards yet")));
        }
        for &ix in &boards {
            self.serve(ix, Self::venue(start));
        }
        let were_past = self.past_their_time(&boards);
        let adopted = boards.iter().filter(|ix| self.board(**ix).started.is_some()).count() as u32;
        let started = Wall(self.s.wall(self.at).0 - (self.at.0 as i64 - start));
        self.tell_hall(
            Audience::Public,
            Some(number),
            started,
            News::RoundStarted(RoundStarted { by: who.name.clone(), start: started, adopted }),
        );
        self.put_off(number, &were_past, "the round began later");
        let asked: Vec<u64> = self
            .s
            .incidents
            .values()
            .filter(|placed| {
                placed.round == Some(number)
                    && placed.it.kind == IncidentKind::RoundStartMissing
                    && placed.it.state == IncidentState::Open
            })
            .map(|placed| placed.it.id)
            .collect();
        for id in asked {
            self.close(id, self.at, "started");
        }
        for &ix in &boards {
            // games that already ran are adopted; whoever has moved in one is there
            self.close_on(ix, self.at, &[IncidentKind::UnexplainedStart], "adopted");
            if self.board(ix).started.is_some() && !self.board(ix).decided() {
                for player in Player::BOTH {
                    let side = self.board(ix).side(player);
                    let moved = self.s.seen(ix).is_some_and(|seen| seen.presses(side) > 0);
                    if moved && self.board(ix).there(player).state == PresenceState::Unknown {
                        self.present(ix, When::exactly(self.at), player, "press", None);
                    }
                }
            }
        }
        let mut ordered = 0;
        // another instant for a round that has begun starts no clock that was left standing
        if self.s.setup.start_by == StartBy::Daemon && !begun {
            for ix in boards {
                let board = self.board(ix);
                let left_out = board.setup.table.is_some_and(|table| except.contains(&table));
                if !left_out && self.may_start(ix) {
                    let side = board.first_side;
                    ordered += u32::from(self.order(ix, Action::Start { side }));
                }
            }
        }
        Ok(json!({ "round": number, "start": started, "adopted": adopted, "ordered": ordered }))
    }

    /// Lets the clock at this board's place serve it, if the board it serves is not in play. A board whose
    /// round has begun keeps its clock until it has a result, or until its clock was made new after play.
    pub(crate) fn serve(&mut self, ix: BoardIx, since: Venue) {
        if self.s.serving(ix) != Some(ix) && self.place_is_free(ix) {
            self.serves(ix, since);
        }
    }

    /// Whether the clock at this board's place serves it, or may.
    pub(crate) fn place_is_free(&self, ix: BoardIx) -> bool {
        let Some(now) = self.s.serving(ix).filter(|now| *now != ix) else { return true };
        let board = self.board(now);
        let closed = self.s.rounds.get(&board.round).is_some_and(|round| round.closed);
        let fresh = self.s.seen(now).is_some_and(|seen| seen.presses == [0, 0] && seen.running.is_none());
        closed || board.decided() || !self.round_started(now) || board.started.is_some() && fresh
    }

    pub(crate) fn round_absent(
        &mut self,
        round: Option<u32>,
        players: &[Absent],
        complete: bool,
    ) -> Result<Value, Refused> {
        let number = self.which_open_round(round)?;
        let mut named = Vec::new();
        for absent in players {
            let chair = (self.which_board(Some(number), &absent.board)?, absent.player);
            if !named.contains(&chair) {
                named.push(chair);
            }
        }
        for &(ix, player) in &named {
            let there = self.board(ix).there(player);
            // an arbiter's own word can be corrected, a move cannot
            if there.state == PresenceState::Present && there.moved.is_some() {
                let (_, who) = self.words(ix).who(player);
                let name = &self.board(ix).name;
                return Err(Refused::new(
                    Refused::STATE,
                    format!("board {name}: {who} has moved already, his chair is not empty"),
                ));
            }
        }
        let now = self.at;
        let (since, mut before) = (self.s.head, Vec::new());
        for &(ix, player) in &named {
            before.push(self.chair(ix, player));
            if self.board(ix).there(player).state != PresenceState::Absent {
                self.absent(ix, When::exactly(now), player, "arbiter");
            }
            self.look_at_defaults(ix, now);
        }
        if complete {
            let boards = self.s.rounds.get(&number).map(|round| round.order.clone()).unwrap_or_default();
            for ix in boards {
                for player in Player::BOTH {
                    let unknown = self.board(ix).there(player).state == PresenceState::Unknown;
                    if unknown && !named.contains(&(ix, player)) && !self.board(ix).decided() {
                        before.push(self.chair(ix, player));
                        self.present(ix, When::exactly(now), player, "arbiter", None);
                    }
                }
            }
        }
        if let Some(board) = before.first().map(|chair| chair.at.clone()) {
            self.acted(since, crate::Act::Chairs(board, before));
        }
        Ok(json!({ "round": number, "absent": named.len() }))
    }

    pub(crate) fn arrived(
        &mut self,
        ix: BoardIx,
        player: Player,
        at: Option<Wall>,
    ) -> Result<Value, Refused> {
        let arrived = self.past(at)?;
        let start = self.s.begins(ix);
        let there = self.board(ix).there(player);
        if at.is_none() && there.state == PresenceState::Present && there.late_ms.is_some() {
            // said before; the first word counts
            return Ok(
                json!({ "board": self.board(ix).name, "player": player, "late_ms": self.s.late_ms(ix, player) }),
            );
        }
        let known_late = there.state == PresenceState::Absent || at.is_some();
        // what the round was paused before he came is nobody's lateness
        let late_ms = start.filter(|_| known_late).map(|start| {
            let paused = self.s.paused_since(ix, start, Self::venue(arrived));
            (arrived - start - paused).max(0) as u64
        });
        let before = self.chair(ix, player);
        let since = self.s.head;
        let how = if at.is_some() { "arrived" } else { "arbiter" };
        self.present(ix, When::exactly(Self::venue(arrived)), player, how, late_ms);
        self.look_at_defaults(ix, self.at);
        let at = self.board(ix).at();
        self.acted(since, crate::Act::Chairs(at, vec![before]));
        Ok(json!({ "board": self.board(ix).name, "player": player, "late_ms": late_ms }))
    }

    /// Closes a round: every result is official from now on. What is missing is listed, nothing half
    /// done.
    pub(crate) fn round_close(&mut self, round: Option<u32>) -> Result<Value, Refused> {
        let number = self.which_round(round)?;
        let Some(state) = self.s.rounds.get(&number) else {
            return Err(Refused::new(Refused::UNKNOWN, format!("there is no round {number}")));
        };
        if state.closed {
            return Err(Refused::new(Refused::STATE, format!("round {number} is closed already")));
        }
        let boards = state.order.clone();
        let mut missing = Vec::new();
        for &ix in &boards {
            let board = self.board(ix);
            let what = match &board.result {
                None => "no result",
                Some((result, _)) if result.status < Status::Entered => "nobody has entered its result",
                Some(_) if self.open_on(ix, IncidentKind::FlagAgainstResult).is_some() => {
                    "a flag against its result"
                }
                Some(_) if self.open_on(ix, IncidentKind::ResultReversed).is_some() => {
                    "its result is the other way round than the players said at the clock"
                }
                Some(_) => continue,
            };
            missing.push(json!({ "board": board.name, "missing": what }));
        }
        if !missing.is_empty() {
            let boards: Vec<&str> = missing.iter().filter_map(|m| m["board"].as_str()).collect();
            let message = format!("round {number} is not complete: board {}", boards.join(", "));
            return Err(Refused {
                data: Some(json!({ "missing": missing })),
                ..Refused::new(Refused::STATE, message)
            });
        }
        for ix in boards {
            if let Some((result, _)) = self.board(ix).result.clone()
                && result.status < Status::Official
            {
                self.tell_result(ix, BoardResult { status: Status::Official, ..result });
            }
        }
        self.change(Change::Closed { round: number });
        Ok(json!({ "round": number }))
    }
}
