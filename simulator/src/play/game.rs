//! A game as it is played: turns, the end, and what the truth is.
//!
//! Players see their clock and nothing else: a turn's time passes only while the clock runs, an arbiter's stop makes
//! them wait, a fallen flag ends the game. What they then do to the clock is handed out as [`Outing`]s.

use super::plan::Upset;
use super::{Gesture, PRESS_HOLD, Plan, RESET_HOLD};
use crate::chance::Chance;
use crate::scenario::{Finish, Hand, HandKind};
use flagfall_arbiter::{Cause, Outcome, StopCause};
use flagfall_clock::{Claim, Player, Side, TimeControl};

/// What the players see of their clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub now: u64,
    pub running: Option<Side>,
    pub flag: Option<Side>,
    /// Left on the side that runs, in milliseconds.
    pub left_ms: i64,
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
    control: TimeControl,
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
    pub(crate) fn new(
        plan: Plan,
        at: (u32, u32),
        first_side: Side,
        word: u64,
        control: TimeControl,
        seed: u64,
    ) -> Self {
        let (round, board) = at;
        Self {
            round,
            board,
            first_side,
            word,
            plan,
            control,
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

    /// How long this player means to think now; none: until his flag falls, or he never comes.
    fn thinks(&mut self, player: Player, sight: Sight) -> Option<u64> {
        let comes = self.arrival(player)?.saturating_sub(sight.now);
        let number = self.moves[player as usize] + 1;
        if let Some(think) = self.plan.thinks.iter().find(|t| t.player == player && t.r#move == number) {
            return Some(comes + think.time.ms());
        }
        let own = self.control.of(player);
        let moves = u64::from(self.plan.last.1.max(1));
        let mean =
            u64::from(own.base_ms) * self.plan.uses_pct / 100 / moves + u64::from(own.increment_ms) * 9 / 10;
        let drawn = self.chance.log_normal(mean).max(700);
        if self.plan.last == (player, number) && self.plan.cause == Cause::Time {
            return None;
        }
        let left = sight.left_ms.max(0).unsigned_abs().saturating_sub(comes);
        let drawn = drawn.max(self.gets_into_trouble(player, number, left));
        // Nobody who does not mean to loses on time: a third of what is left at most.
        Some(comes + drawn.min((left / 3).max(50)))
    }

    /// Who loses on time has thought too long over many moves; his last minutes are few.
    fn gets_into_trouble(&self, player: Player, number: u32, left: u64) -> u64 {
        let (loser, last) = self.plan.last;
        if self.plan.cause != Cause::Time || player != loser || number >= last {
            return 0;
        }
        let base = u64::from(self.control.of(player).base_ms);
        let wanted = base * u64::from(last - number) / u64::from(last) + base / 20;
        left.saturating_sub(wanted)
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

    /// The word was said: who is there starts the clock. Where both are missing nobody does (四.2).
    fn start(&mut self, tries: u32, sight: Sight, is_new: bool, out: &mut Outing) {
        if self.has_begun() || sight.running.is_some() || tries > 4 {
            return;
        }
        let there = |player| self.is_there(player, sight.now);
        if !there(Player::First) && !there(Player::Second) || !is_new {
            return;
        }
        let gesture = match (there(Player::Second), tries) {
            // He sees nothing run and presses again.
            (true, 0 | 1) => self.press(Player::Second),
            // An arbiter, or whoever is there.
            _ => Gesture::Button,
        };
        out.gestures.push((0, gesture));
        out.errands.push((1_300, Errand::Start(tries + 1)));
    }

    /// He heard the shout and stops the clock, if his game is on and the clock runs.
    fn shouted(&mut self, sight: Sight, out: &mut Outing) {
        let (Stage::On, Some(side)) = (self.stage, sight.running) else { return };
        if self.affair.is_none_or(|affair| affair.dealt) {
            let player = Player::at(side, self.first_side);
            self.affair = Some(Affair { why: StopCause::Hall, player, dealt: false });
        }
        out.gestures.push((0, Gesture::StopIfRunning));
    }

    fn try_out(&mut self, step: u32, is_new: bool, out: &mut Outing) {
        if step == 0 && !is_new {
            return;
        }
        let (side, hold_ms) = (self.first_side, PRESS_HOLD);
        let gesture = match step {
            0 => Gesture::Button,
            1 | 3 => Gesture::Lever { side, hold_ms },
            2 | 4 => Gesture::Lever { side: side.other(), hold_ms },
            5 => Gesture::StopIfRunning,
            _ => Gesture::Key { hold_ms: RESET_HOLD },
        };
        out.gestures.push((0, gesture));
        if step < 6 {
            out.errands.push((self.chance.between(900, 4_000) as u64, Errand::Try(step + 1)));
        }
    }

    fn hand(&mut self, hand: &Hand, now: u64, out: &mut Outing) {
        let side = hand.player.side(self.first_side);
        if let Some(why) = hand.why {
            if why == StopCause::GameOver && !self.is_over() {
                let (result, cause) = (self.plan.result, self.plan.cause.clone());
                self.plan.finish = Finish::Running;
                self.end(now, result, cause, false, out);
            } else {
                self.affair = Some(Affair { why, player: hand.player, dealt: false });
                out.calls = true;
            }
        }
        match hand.hand {
            HandKind::Press => out.gestures.push((0, self.press(hand.player))),
            HandKind::ShortPress => out.gestures.push((0, Gesture::Lever { side, hold_ms: 3 })),
            HandKind::Button => out.gestures.push((0, Gesture::Button)),
            HandKind::Key => out.gestures.push((0, Gesture::Key { hold_ms: PRESS_HOLD })),
            HandKind::Reset => out.gestures.push((0, Gesture::Key { hold_ms: RESET_HOLD })),
            HandKind::Hold => self.hold(hand.claim, out),
            HandKind::Off => out.gestures.push((0, Gesture::Off)),
            HandKind::On => out.gestures.push((0, Gesture::On { restore: true })),
            HandKind::OnNew => out.gestures.push((0, Gesture::On { restore: false })),
        }
    }

    /// Both hold their levers; then who did not win presses once more.
    fn hold(&self, claim: Option<Claim>, out: &mut Outing) {
        out.gestures.push((0, Gesture::Both { hold_ms: 2_400 }));
        let given_up: &[Player] = match claim {
            None => &[],
            Some(Claim::First) => &[Player::Second],
            Some(Claim::Second) => &[Player::First],
            Some(Claim::Draw) => &Player::BOTH,
        };
        for (place, player) in given_up.iter().enumerate() {
            out.gestures.push((4_000 + 900 * place as u64, self.press(*player)));
        }
    }

    /// The game is over: so it is, whatever the clock says.
    pub(crate) fn end(&mut self, now: u64, result: Outcome, cause: Cause, forfeit: bool, out: &mut Outing) {
        if self.is_over() {
            return;
        }
        let flagged = cause == Cause::Time;
        self.stage = Stage::Over;
        self.turn = None;
        self.truth = Some(Truth { result, cause, forfeit, at: now });
        if !flagged {
            out.errands.push((self.plan.finish_after, Errand::Finish));
        }
        if let (Finish::Running, Some(after)) = (self.plan.finish, self.plan.passed_after) {
            out.errands.push((after, Errand::Passing));
        }
        if let Some(after) = self.plan.analyses {
            out.errands.push((after, Errand::Analyse(8)));
        }
    }

    fn finish(&mut self, out: &mut Outing) {
        let forfeit = self.truth.as_ref().is_some_and(|truth| truth.forfeit);
        match self.plan.finish {
            // Who wins without play does not sit by a running clock.
            _ if forfeit => out.gestures.push((0, Gesture::StopIfRunning)),
            Finish::Button => out.gestures.push((0, Gesture::StopIfRunning)),
            Finish::Running => {}
            Finish::Off => out.gestures.push((0, Gesture::Off)),
            Finish::Reset => {
                out.gestures.push((0, Gesture::StopIfRunning));
                out.gestures.push((3_000, Gesture::Key { hold_ms: RESET_HOLD }));
            }
            Finish::Hold => {
                let claim = match self.truth.as_ref().map(|truth| truth.result) {
                    Some(Outcome::First) => Some(Claim::First),
                    Some(Outcome::Second) => Some(Claim::Second),
                    Some(Outcome::Draw) => Some(Claim::Draw),
                    Some(Outcome::None) | None => None,
                };
                self.hold(claim, out);
            }
        }
    }

    /// They try other moves and press as they are used to, whether the clock runs or not.
    fn analyse(&mut self, more: u32, sight: Sight, out: &mut Outing) {
        let side = sight.running.unwrap_or(if more.is_multiple_of(2) { Side::Left } else { Side::Right });
        out.gestures.push((0, Gesture::Lever { side, hold_ms: PRESS_HOLD }));
        if more > 1 {
            out.errands.push((self.chance.between(2_000, 15_000) as u64, Errand::Analyse(more - 1)));
        }
    }
}
