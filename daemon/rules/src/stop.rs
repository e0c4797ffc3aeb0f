//! Stops, starts and resumes: facts at once, questions where nobody ordered them, a ruling only when
//! play goes on without an arbiter or an arbiter says so (三(2), 六.9, 八.2).

use crate::board::BoardIx;
use crate::turn::{Turn, When};
use crate::watch::Look;
use crate::{Mode, StopAsked, Venue};
use flagfall_arbiter::{Grounds, IncidentKind, Lane, News, Player, RulingKind, Stoppage};
use flagfall_clock::{Action, By};
use std::borrow::Cow;

/// After this long a stop asks for the board's result: most games end with one.
pub(crate) const ASK_RESULT_MS: u64 = 20_000;

/// Play that goes on after a longer stop may as well be an analysis of a finished game whose result
/// is still on its way; it stays a question and accuses nobody by itself.
const SHORT_STOP_MS: i64 = 60_000;

/// An arbiter's act so near to a key says whose key it was, in milliseconds.
const NEAR_MS: i64 = 60_000;

/// Said of a stop or start by the clock's arbiter key.
const WITH_THE_KEY: &str = "with the arbiter's key";

impl Turn<'_> {
    pub(crate) fn stopped(&mut self, look: Look<'_>, by: By, ran: Option<Player>) {
        let ix = look.ix;
        let Some([first_ms, second_ms]) = self.times(ix, look.when.at) else { return };
        // what was in force when it happened counts, not what is now
        let ordered = by == By::Command
            || self.board(ix).held_at(look.when.at, look.when.bound_ms)
            || self.key_is_believed(ix, look.when.at, by);
        self.close_on(ix, look.when.at, &[IncidentKind::StillPlaying], "stopped");
        let seq = self.tell(
            ix,
            look.when,
            News::Stopped(Stoppage { player: ran, by, ordered, first_ms, second_ms }),
        );
        let board = self.board(ix);
        if ordered || board.decided() || board.flag.is_some() || board.over || self.s.mode() == Mode::Observe
        {
            return;
        }
        let moves = self.s.seen(ix).map_or(0, |seen| seen.presses[0].saturating_add(seen.presses[1]));
        if !self.round_started(ix) && (moves == 0 || self.s.begun()) || moves == 0 && board.started.is_none()
        {
            return; // clocks are tried before the round
        }
        self.ask_why_it_stopped(ix, look.when, by, Some(seq));
    }

    /// Asks why a clock stopped; `seq` is the event that told of it, where this follows it at once.
    pub(crate) fn ask_why_it_stopped(&mut self, ix: BoardIx, when: When, by: By, seq: Option<u64>) {
        if self.open_on(ix, IncidentKind::UnexplainedStop).is_some() {
            return;
        }
        let text = self.words(ix).incident(
            "棋钟停止，原因未明",
            "the clock was stopped; nobody has said why",
            self.times(ix, when.at),
        );
        let mut grounds = Grounds {
            events: seq.into_iter().collect(),
            proof: Some(self.proof(when.bound_ms)),
            remarks: Vec::new(),
        };
        if by == By::ArbiterKey {
            grounds.remarks.push(Cow::Borrowed(WITH_THE_KEY));
        }
        let id = self.open(ix, when, IncidentKind::UnexplainedStop, Lane::Look, grounds, text);
        let regulations = &self.s.setup.regulations;
        if regulations.unexplained_stop == StopAsked::Propose && !regulations.player_may_stop {
            self.propose_stop(ix, when, RulingKind::UnauthorisedStop, None, Some(id));
        }
    }

    /// Anybody can get hold of a key. It is an arbiter's if an arbiter did something about this board
    /// shortly before; else it leaves a question, which his next act on the board answers.
    pub(crate) fn key_is_believed(&self, ix: BoardIx, at: Venue, by: By) -> bool {
        let near = |attended: Venue| attended.since(at).abs() <= NEAR_MS;
        by == By::ArbiterKey && self.board(ix).attended.is_some_and(near)
    }

    /// An arbiter has just done something about this board: a key used there shortly before was his.
    pub(crate) fn arbiter_was_there(&mut self, ix: BoardIx) {
        for kind in [IncidentKind::UnexplainedStop, IncidentKind::UnexplainedStart] {
            let Some(placed) = self.open_on(ix, kind) else { continue };
            let (id, key) = (placed.it.id, placed.it.grounds.remarks.iter().any(|said| said == WITH_THE_KEY));
            if key && self.at.since(placed.at) <= NEAR_MS {
                self.close(id, self.at, "arbiter");
            }
        }
    }

    pub(crate) fn resumed(&mut self, look: Look<'_>, by: By, player: Player) {
        if self.board(look.ix).started.is_none() && !self.board(look.ix).decided() {
            self.started(look, player, by); // it ran before we first heard it
            return;
        }
        let Some([first_ms, second_ms]) = self.times(look.ix, look.when.at) else { return };
        let ordered = by == By::Command || self.key_is_believed(look.ix, look.when.at, by);
        self.tell(
            look.ix,
            look.when,
            News::Resumed(Stoppage { player: Some(player), by, ordered, first_ms, second_ms }),
        );
        let board = self.board(look.ix);
        if ordered || board.decided() || self.s.mode() == Mode::Observe {
            return;
        }
        let hand = matches!(by, By::Button | By::ArbiterKey);
        if hand && board.held_before(look.when.at, look.when.bound_ms) {
            self.unexplained_start(look, by);
        } else {
            self.stop_that_crossed(look);
        }
    }

    /// An arbiter's stop and a start crossed on their way: nobody acted against him, and his stop, which
    /// found a standing clock, is sent now.
    pub(crate) fn stop_that_crossed(&mut self, look: Look<'_>) {
        let missed = self.board(look.ix).holds.last().is_some_and(|hold| hold.to.is_none() && !hold.ran);
        if missed && self.running(look.ix).is_some() {
            self.order(look.ix, Action::Stop);
        }
    }

    pub(crate) fn unexplained_start(&mut self, look: Look<'_>, by: By) {
        if self.open_on(look.ix, IncidentKind::UnexplainedStart).is_some() {
            return;
        }
        let text = self.words(look.ix).incident(
            "棋钟被开动，裁判未下令",
            "the clock was started and no arbiter ordered it",
            self.times(look.ix, look.when.at),
        );
        let grounds = Grounds {
            events: vec![self.s.head],
            proof: Some(self.proof(look.when.bound_ms)),
            remarks: if by == By::ArbiterKey { vec![Cow::Borrowed(WITH_THE_KEY)] } else { Vec::new() },
        };
        self.open(look.ix, look.when, IncidentKind::UnexplainedStart, Lane::Look, grounds, text);
    }

    /// A move was completed: play goes on. If it goes on after a stop or start that no arbiter had
    /// part in, that is what the regulations call stopping or starting the clock oneself.
    pub(crate) fn played_on(&mut self, look: Look<'_>) {
        let ix = look.ix;
        if self.board(ix).decided() || self.s.mode() == Mode::Observe || !self.round_started(ix) {
            return;
        }
        if self.board(ix).renewed {
            return; // what is played on a clock made new is an analysis, or the next game
        }
        // an arbiter's key leaves a question and no more
        let key = |said: &Cow<'static, str>| said == WITH_THE_KEY;
        if let Some(placed) = self.open_on(ix, IncidentKind::UnexplainedStart)
            && !placed.it.grounds.remarks.iter().any(key)
        {
            let id = placed.it.id;
            self.close(id, look.when.at, "played_on");
            self.propose_stop(ix, look.when, RulingKind::UnauthorisedStart, None, Some(id));
        }
        let Some(placed) = self.open_on(ix, IncidentKind::UnexplainedStop) else { return };
        let id = placed.it.id;
        let Some(stop) = self.board(ix).stops.last() else { return };
        let Some((by, resumed, false)) = stop.resumed else { return };
        let stopped = stop.at;
        if stop.by != By::Button || by != By::Button {
            return; // an arbiter's key, a power cut, or nobody knows: a question, and no more
        }
        if self.s.setup.regulations.player_may_stop {
            self.close(id, look.when.at, "played_on");
        } else if resumed.since(stopped) <= SHORT_STOP_MS {
            self.close(id, look.when.at, "played_on");
            let proposed = self.board(ix).rulings.iter().any(|ruling| {
                self.s.rulings.get(ruling).is_some_and(|placed| placed.it.incident == Some(id))
            });
            if !proposed {
                self.propose_stop(ix, look.when, RulingKind::UnauthorisedStop, None, Some(id));
            }
        } else {
            const REMARK: &str = "the clock runs again after a long stop: the game, or an analysis of it";
            let said = |remark: &Cow<'static, str>| remark == REMARK;
            if !self.s.incidents.get(&id).is_some_and(|placed| placed.it.grounds.remarks.iter().any(said)) {
                self.retell(id, look.when.at, |incident| {
                    incident.lane = Lane::Look;
                    incident.grounds.remarks.push(Cow::Borrowed(REMARK));
                });
            }
        }
    }

    /// A stop that nobody explained for a while is probably the end of the game.
    pub(crate) fn ask_for_result(&mut self, ix: BoardIx, at: Venue) {
        if let Some(placed) = self.open_on(ix, IncidentKind::UnexplainedStop) {
            let id = placed.it.id;
            self.retell(id, at, |incident| incident.lane = Lane::ResultWanted);
        }
    }
}
