//! A game as it is played: turns, the end, and what the truth is.
//!
//! Players see their clock and nothing else: a turn's time passes only while the clock runs, an arbiter's stop makes
//! them wait, a fallen flag ends the game. What they then do to the clock is handed out as [`Outing`]s.

mod deeds;
mod ends;
mod thinks;

use super::plan::Upset;
use super::{Gesture, PRESS_HOLD, Plan};
use crate::chance::Chance;
use flagfall_arbiter::{Cause, Outcome, StopCause};
use flagfall_clock::{Player, Side, TimeControl};

/// What the players see of their clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub now: u64,
    pub running: Option<Side>,
    pub flag: Option<Side>,
    /// Left on the side that runs until its flag falls, in milliseconds.
    pub left_ms: i64,
    /// What the clock is set to.
    pub control: TimeControl,
}

/// How a game really ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub result: Outcome,
    pub cause: Cause,
    pub forfeit: bool,
    pub at: u64,
}

/// A stop or start by a player, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Affair {
    pub why: StopCause,
    pub player: Player,
    /// An arbiter has dealt with it.
    pub dealt: bool,
}

/// Something a player comes back to at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    /// The time of this turn is used up.
    Turn(u32),
    /// Start the clock, for the how manieth time.
    Start(u32),
    /// A hand of the script, by its place.
    Hand(usize),
    /// Analysis goes on, so many presses to come.
    Analyse(u32),
    /// A player who comes before the start presses his lever.
    Ready(Player),
    /// Somebody tries the clock, in steps.
    Try(u32),
    /// The clock is stopped or switched off when all is over.
    Finish,
    /// An arbiter passes a finished game whose clock was left running.
    Passing,
    /// An arbiter has shouted that the clocks be stopped.
    Shout,
}

/// What follows: hands at the clock and errands, each so long from now.
#[derive(Debug, Default)]
pub(crate) struct Outing {
    pub gestures: Vec<(u64, Gesture)>,
    pub errands: Vec<(u64, Errand)>,
    /// A player waits for an arbiter.
    pub calls: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Before,
    On,
    Over,
}

#[derive(Clone, Copy, Debug)]
struct Turn {
    player: Player,
    /// Time he still means to use; none: for ever.
    left: Option<u64>,
    since: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct Play {
    pub round: u32,
    pub board: u32,
    pub first_side: Side,
    /// When the round's word is said.
    pub word: u64,
    pub plan: Plan,
    chance: Chance,
    stage: Stage,
    turn: Option<Turn>,
    turns: u32,
    moves: [u32; 2],
    pub truth: Option<Truth>,
    pub affair: Option<Affair>,
    /// A player has called an arbiter in this game.
    pub called: bool,
    /// The result is at the desk.
    pub entered: bool,
    /// ... and signed, where anybody signs.
    pub settled: bool,
}

impl Play {
    pub(crate) fn new(plan: Plan, at: (u32, u32), first_side: Side, word: u64, seed: u64) -> Self {
        let (round, board) = at;
        Self {
            round,
            board,
            first_side,
            word,
            plan,
            chance: Chance::new(seed, "play", &[u64::from(round), u64::from(board)]),
            stage: Stage::Before,
            turn: None,
            turns: 0,
            moves: [0, 0],
            truth: None,
            affair: None,
            called: false,
            entered: false,
            settled: false,
        }
    }

    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    pub(crate) const fn has_begun(&self) -> bool {
        !matches!(self.stage, Stage::Before)
    }

    /// Whether this player has come by `now`.
    pub(crate) fn is_there(&self, player: Player, now: u64) -> bool {
        self.arrival(player).is_some_and(|at| at <= now)
    }

    /// When this player comes, in world time.
    pub(crate) fn arrival(&self, player: Player) -> Option<u64> {
        self.plan.arrival(player).map(|at| self.word.saturating_add_signed(at))
    }

    /// What is already known when the round's people come in, in world time.
    pub(crate) fn first_errands(&self) -> Vec<(u64, Errand)> {
        let mut errands = vec![(self.word + self.plan.start_after, Errand::Start(0))];
        for player in Player::BOTH {
            if let Some(before) = self.plan.ready[player as usize] {
                errands.push((self.word.saturating_sub(before), Errand::Ready(player)));
            }
        }
        if let Some(before) = self.plan.tries {
            errands.push((self.word.saturating_sub(before), Errand::Try(0)));
        }
        for (place, hand) in self.plan.hands.iter().enumerate() {
            if let Some(at) = hand.at {
                errands.push((self.word.saturating_add_signed(at.0), Errand::Hand(place)));
            }
        }
        errands
    }

    /// The players look at their clock, which may have changed.
    pub(crate) fn look(&mut self, sight: Sight, out: &mut Outing) {
        if self.stage == Stage::Over || (self.stage == Stage::Before && sight.now < self.word) {
            return;
        }
        if let Some(side) = sight.flag
            && self.stage == Stage::On
        {
            let loser = Player::at(side, self.first_side);
            self.end(sight.now, Outcome::lost_by(loser), Cause::Time, false, out);
            return;
        }
        let Some(side) = sight.running else {
            if let Some(turn) = &mut self.turn
                && let Some(since) = turn.since.take()
            {
                turn.left = turn.left.map(|left| left.saturating_sub(sight.now - since));
                self.turns += 1;
            }
            return;
        };
        let player = Player::at(side, self.first_side);
        match &mut self.turn {
            Some(turn) if turn.player == player && turn.since.is_some() => return,
            Some(turn) if turn.player == player => turn.since = Some(sight.now),
            passed => {
                if let Some(turn) = passed.take() {
                    self.moves[turn.player as usize] += 1;
                    self.hands_after(turn.player, out);
                }
                self.stage = Stage::On;
                let left = self.thinks(player, sight);
                self.turn = Some(Turn { player, left, since: Some(sight.now) });
            }
        }
        self.turns += 1;
        if let Some(left) = self.turn.and_then(|turn| turn.left) {
            out.errands.push((left, Errand::Turn(self.turns)));
        }
    }

    fn hands_after(&mut self, player: Player, out: &mut Outing) {
        let moves = self.moves[player as usize];
        for (place, hand) in self.plan.hands.iter().enumerate() {
            if hand.r#move == Some(moves) && hand.player == player {
                out.errands.push((hand.after.unwrap_or_default().ms(), Errand::Hand(place)));
            }
        }
        if let Some((what, who, at)) = self.plan.upset
            && who == player
            && at == moves
        {
            self.plan.upset = None;
            let why = match what {
                Upset::Call => StopCause::PlayerCalled,
                Upset::Accident => StopCause::Accident,
            };
            self.affair = Some(Affair { why, player, dealt: false });
            out.gestures.push((self.chance.between(500, 5_000) as u64, Gesture::StopIfRunning));
            out.calls = true;
            self.called = true;
        }
    }

    /// An errand is due.
    pub(crate) fn run(&mut self, errand: Errand, sight: Sight, is_new: bool, out: &mut Outing) {
        match errand {
            Errand::Turn(turn) => self.turn_used(turn, sight.now, out),
            Errand::Start(tries) => self.start(tries, sight, is_new, out),
            Errand::Hand(place) => {
                if let Some(hand) = self.plan.hands.get(place).copied() {
                    self.hand(&hand, sight.now, out);
                }
            }
            Errand::Analyse(more) if !is_new => self.analyse(more, sight, out),
            // A clock that is new would take a press for a player's coming.
            Errand::Analyse(_) => {}
            Errand::Ready(player) => {
                if is_new {
                    out.gestures.push((0, self.press(player)));
                }
            }
            Errand::Try(step) => self.try_out(step, is_new, out),
            Errand::Finish => self.finish(out),
            Errand::Passing => out.gestures.push((0, Gesture::StopIfRunning)),
            Errand::Shout => self.shouted(sight, out),
        }
    }

    const fn press(&self, player: Player) -> Gesture {
        Gesture::Lever { side: player.side(self.first_side), hold_ms: PRESS_HOLD }
    }

    fn turn_used(&mut self, turns: u32, now: u64, out: &mut Outing) {
        let Some(turn) = self.turn else { return };
        if turns != self.turns || turn.since.is_none() || self.stage != Stage::On {
            return;
        }
        if self.plan.last == (turn.player, self.moves[turn.player as usize] + 1) {
            if self.plan.presses_last {
                out.gestures.push((0, self.press(turn.player)));
            }
            let (result, cause) = (self.plan.result, self.plan.cause.clone());
            self.end(now, result, cause, false, out);
        } else if self.chance.permille(self.plan.short_permille) {
            // Too short for the clock; he looks up some seconds later.
            let side = turn.player.side(self.first_side);
            out.gestures.push((0, Gesture::Lever { side, hold_ms: 3 }));
            out.errands.push((self.chance.between(2_000, 6_000) as u64, Errand::Turn(self.turns)));
        } else {
            out.gestures.push((0, self.press(turn.player)));
            // Whatever became of this press: he will see to it.
            out.errands.push((3_000, Errand::Turn(self.turns)));
        }
    }
}
