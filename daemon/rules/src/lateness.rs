//! From when on a player is late, and too late: the round's actual start, a match held, a table that was
//! still in play, and what the round was paused meanwhile (四.1, 四.2).

use crate::board::BoardIx;
use crate::state::State;
use crate::{Boundary, DefaultReference, Mode, Stage, Venue};
use flagfall_arbiter::{Player, PresenceState};

impl State {
    /// The instant from which a player of this board is late, in venue milliseconds; none before its
    /// round has begun, nor while another round's game keeps its table.
    pub fn begins(&self, ix: BoardIx) -> Option<i64> {
        let board = &self.boards[ix.0];
        let round = self.rounds.get(&board.round)?;
        if self.serving(ix).is_some_and(|now| now != ix && self.boards[now.0].round < board.round) {
            return None;
        }
        let held = board.setup.match_no.and_then(|match_no| round.held.get(&match_no));
        let later = [held.map(|(until, _)| *until), board.free_from];
        Some(later.into_iter().flatten().map(|at| at.0 as i64).fold(round.started?, i64::max))
    }

    /// So long the round was paused after `from`, in milliseconds; a pause in force counts to `to`.
    pub fn paused_since(&self, ix: BoardIx, from: i64, to: Venue) -> i64 {
        let Some(round) = self.rounds.get(&self.boards[ix.0].round) else { return 0 };
        let now = round.paused.map(|since| (since, to.max(since)));
        let within = |(since, until): (Venue, Venue)| {
            let (since, until) = ((since.0 as i64).max(from), (until.0 as i64).min(to.0 as i64));
            (until - since).max(0)
        };
        round.pauses.iter().copied().chain(now).map(within).sum()
    }

    /// How late a player came of whom an arbiter said that he was away, or when he came, in milliseconds: by
    /// what is known now of when his round began and was paused. The lateness told at his arrival may rest
    /// on a start that was corrected since.
    pub fn late_ms(&self, ix: BoardIx, player: Player) -> Option<u64> {
        let there = self.boards[ix.0].there(player);
        let said = there.state == PresenceState::Present
            && !there.by_press
            && (there.was_absent || there.arrival_said);
        let (arrived, begins) = there.arrived.filter(|_| said).zip(self.begins(ix))?;
        let late = arrived.0 as i64 - begins - self.paused_since(ix, begins, arrived);
        Some(late.max(0) as u64)
    }

    /// How late a player who is known absent is by now, in milliseconds.
    pub fn late_so_far(&self, ix: BoardIx, player: Player, now: Venue) -> Option<u64> {
        let absent = self.boards[ix.0].there(player).state == PresenceState::Absent;
        let begins = self.begins(ix).filter(|_| absent)?;
        let late = now.0 as i64 - begins - self.paused_since(ix, begins, now);
        Some(late.max(0) as u64)
    }

    /// The instant after which a player of this board is too late, by the pauses known now.
    pub fn default_at(&self, ix: BoardIx) -> Option<i64> {
        self.part_of_default(ix, self.setup.regulations.default_ms)
    }

    /// The instant after which this player is too late: of the round, or by what his own clock has run (A4).
    /// None where his clock does not run: then nothing comes of waiting.
    pub fn default_of(&self, ix: BoardIx, player: Player) -> Option<i64> {
        self.part_of_own(ix, player, self.setup.regulations.default_ms)
    }

    fn part_of_own(&self, ix: BoardIx, player: Player, ms: u64) -> Option<i64> {
        if self.setup.regulations.default_reference == DefaultReference::RoundStart {
            return self.part_of_default(ix, ms);
        }
        self.begins(ix)?;
        let board = &self.boards[ix.0];
        let seen = self.seen(ix).filter(|_| board.started.is_some())?;
        let ran = self.setup.regulations.at_start(player) - seen.ms(board.side(player));
        let runs = seen.running == Some(board.side(player));
        let left = ms as i64 - ran;
        // a clock that stands has run long enough, or has not
        (runs || left <= 0).then(|| seen.at.0 as i64 + left)
    }

    fn part_of_default(&self, ix: BoardIx, ms: u64) -> Option<i64> {
        let begins = self.begins(ix)?;
        let mut end = begins + ms as i64;
        let Some(round) = self.rounds.get(&self.boards[ix.0].round) else { return Some(end) };
        for (since, until) in &round.pauses {
            let (since, until) = ((since.0 as i64).max(begins), until.0 as i64);
            if since <= end && until > since {
                end += until - since;
            }
        }
        // a pause in force puts it off, nobody knows how far
        let put_off = round.paused.is_some_and(|since| since.0 as i64 <= end);
        Some(if put_off { i64::MAX } else { end })
    }

    /// When so much of the default time is past for whoever of a board is not there, by whose clock it comes first.
    fn part_of_missing(&self, ix: BoardIx, ms: u64) -> Option<i64> {
        match self.setup.regulations.default_reference {
            DefaultReference::RoundStart => self.part_of_default(ix, ms),
            DefaultReference::OwnClock => {
                let missing = Player::BOTH.into_iter().filter(|player| !self.is_there(ix, *player));
                missing.filter_map(|player| self.part_of_own(ix, player, ms)).min()
            }
        }
    }

    fn is_there(&self, ix: BoardIx, player: Player) -> bool {
        self.boards[ix.0].there(player).state == PresenceState::Present
    }

    /// Whether lateness still matters on a board: its round is not closed, and its game has no result.
    fn still_open(&self, ix: BoardIx) -> bool {
        let board = &self.boards[ix.0];
        !board.decided() && self.rounds.get(&board.round).is_some_and(|round| !round.closed)
    }

    /// When the default time of a board falls due, in venue milliseconds, for people to see; past or to come. None
    /// where nobody is missing, and while a pause puts it off.
    pub fn default_due(&self, ix: BoardIx) -> Option<i64> {
        let missing = Player::BOTH.into_iter().any(|player| !self.is_there(ix, player));
        let due = self.part_of_missing(ix, self.setup.regulations.default_ms);
        due.filter(|due| missing && *due < i64::MAX && self.still_open(ix))
    }

    /// From when on lateness counts on a board, in venue milliseconds, for people to see. None once both are there and
    /// the game is on.
    pub fn late_from(&self, ix: BoardIx) -> Option<i64> {
        let on = self.boards[ix.0].started.is_some();
        let matters = !on || Player::BOTH.into_iter().any(|player| !self.is_there(ix, player));
        self.begins(ix).filter(|_| matters && self.still_open(ix))
    }

    /// When the chairs of a board are to be looked at next, and how far its default time is then.
    pub fn presence_due(&self, ix: BoardIx) -> Option<(Venue, Stage)> {
        let board = &self.boards[ix.0];
        let round = self.rounds.get(&board.round)?;
        if round.boards.get(&board.name) != Some(&ix) {
            return None; // its round was loaded anew, without it
        }
        let quiet = round.paused.is_some() || round.closed || board.decided() || self.mode() == Mode::Observe;
        if quiet {
            return None;
        }
        let default_ms = self.setup.regulations.default_ms;
        let (part, stage) = match board.looked {
            Stage::None => (default_ms / 3 * 2, Stage::Look),
            Stage::Look => (default_ms, Stage::Default),
            Stage::Default => return None,
        };
        let after =
            u64::from(stage == Stage::Default && self.setup.regulations.default_boundary == Boundary::After);
        let due = self.part_of_missing(ix, part)?;
        Some((Venue(due.max(0) as u64 + after), stage))
    }
}
