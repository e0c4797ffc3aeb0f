//! A board's plan for one round: who comes when, how long the game is, how it ends and what becomes of the clock.
//!
//! Drawn from the habits by the seed, then what the scenario says of this board is laid over it. The plan is what the
//! players mean to do; a flag, a default or a ruling may end the game otherwise.

use crate::chance::Chance;
use crate::scenario::{Arrival, Finish, Habits, Hand, Scenario, Think};
use crate::span::Span;
use flagfall_arbiter::{Cause, Outcome};
use flagfall_clock::Player;

/// What a player does out of the ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Upset {
    /// Stops the clock and calls an arbiter.
    Call,
    /// Stops it by accident; an arbiter is called.
    Accident,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// When each player comes, from the round's word; first, second.
    pub arrives: [Arrival; 2],
    /// The clock is started so long after the word.
    pub start_after: u64,
    pub result: Outcome,
    pub cause: Cause,
    /// The turn in which it ends: whose, and which of his moves.
    pub last: (Player, u32),
    pub presses_last: bool,
    pub finish: Finish,
    pub finish_after: u64,
    pub result_after: u64,
    /// Left running, its clock is stopped by a passing arbiter so long after the end.
    pub passed_after: Option<u64>,
    pub uses_pct: u64,
    pub thinks: Vec<Think>,
    pub hands: Vec<Hand>,
    /// Who presses before the start to say that he is there, how long before.
    pub ready: [Option<u64>; 2],
    /// Somebody tries the clock so long before the word.
    pub tries: Option<u64>,
    /// The clock is used for analysis so long after the end.
    pub analyses: Option<u64>,
    /// After this move of that player.
    pub upset: Option<(Upset, Player, u32)>,
    pub short_permille: u32,
}

/// Honest players agree to no draw before twenty rounds are complete (六.7): the game ends in this move of a side or later.
const AGREED_FROM: u32 = 21;

impl Plan {
    pub(crate) fn new(scenario: &Scenario, seed: u64, round: u32, board: u32) -> Self {
        let mut chance = Chance::new(seed, "plan", &[u64::from(round), u64::from(board)]);
        let habits = &scenario.players;
        let mut plan = Self::by_habit(habits, &scenario.arbiter.results_after, &mut chance);
        // In the file's order: what a later entry says counts.
        let mut scripts: Vec<_> = scenario.scripts(round, board).collect();
        scripts.reverse();
        let mut said_result = None;
        let mut said_cause = None;
        let mut moves = plan.last.1;
        for script in scripts {
            plan.arrives[0] = script.first.unwrap_or(plan.arrives[0]);
            plan.arrives[1] = script.second.unwrap_or(plan.arrives[1]);
            said_result = script.result.or(said_result);
            said_cause = script.cause.clone().or(said_cause);
            moves = script.moves.unwrap_or(moves);
            plan.finish = script.finish.unwrap_or(plan.finish);
            plan.presses_last = script.presses_last.unwrap_or(plan.presses_last);
            plan.result_after = script.result_after.map_or(plan.result_after, Span::ms);
            plan.uses_pct = script.uses_pct.map_or(plan.uses_pct, u64::from);
            plan.thinks.extend(&script.think);
            plan.hands.extend(&script.hands);
        }
        if said_result.is_some() || said_cause.is_some() {
            plan.decide(said_result, said_cause, moves);
        } else {
            plan.last.1 = moves;
        }
        plan.passed_after = scenario.arbiter.stops_left_running.map(|[low, high]| {
            let mut chance = Chance::new(seed, "passing", &[u64::from(round), u64::from(board)]);
            chance.between(low.0, high.0).unsigned_abs()
        });
        plan.look_before(&mut Chance::new(seed, "before", &[u64::from(round), u64::from(board)]), habits);
        plan
    }

    fn by_habit(habits: &Habits, results_after: &[Span; 2], chance: &mut Chance) -> Self {
        let moves = chance.between(i64::from(habits.moves[0]), i64::from(habits.moves[1])) as u32;
        let draw = chance.permille(habits.draws_permille);
        let winner = Player::BOTH[chance.below(2) as usize];
        let flags = chance.permille(habits.flags_permille);
        let (result, cause) = match (draw, flags) {
            (true, _) => {
                let agreed = chance.weighted(&[7, 3]) == 0 && moves >= AGREED_FROM;
                (Outcome::Draw, if agreed { Cause::Agreed } else { Cause::Repetition })
            }
            (false, true) => (Outcome::lost_by(winner.other()), Cause::Time),
            (false, false) => (
                Outcome::lost_by(winner.other()),
                [Cause::Resign, Cause::Mate][chance.weighted(&[6, 4])].clone(),
            ),
        };
        let ends = habits.ends;
        let finish = match chance.weighted(&[ends.button, ends.running, ends.off]) {
            0 if chance.permille(habits.hold_permille) => Finish::Hold,
            0 => Finish::Button,
            1 => Finish::Running,
            _ => [Finish::Off, Finish::Reset][chance.below(2) as usize],
        };
        let late =
            |chance: &mut Chance| Arrival::At(Span(chance.between(habits.late[0].0, habits.late[1].0)));
        let in_time = Arrival::At(Span::minutes(-10));
        let mut arrives = [in_time, in_time];
        for chair in 0..2 {
            if arrives == [in_time, in_time] && chance.permille(habits.late_permille) {
                arrives[chair] = late(chance);
            }
        }
        let upset = if chance.permille(habits.calls_permille) {
            Some(Upset::Call)
        } else if chance.permille(habits.accidents_permille) {
            Some(Upset::Accident)
        } else {
            None
        };
        let upset = upset.map(|what| {
            let at = chance.between(1, i64::from(moves.max(2)) - 1) as u32;
            (what, Player::BOTH[chance.below(2) as usize], at)
        });
        let mut plan = Self {
            arrives,
            start_after: chance.between(habits.start_within[0].0, habits.start_within[1].0) as u64,
            result,
            cause,
            last: (Player::First, moves),
            presses_last: chance.below(2) == 0,
            finish,
            finish_after: chance.between(3_000, 25_000) as u64,
            result_after: chance.between(results_after[0].0, results_after[1].0) as u64,
            passed_after: None,
            uses_pct: chance.between(i64::from(habits.uses_pct[0]), i64::from(habits.uses_pct[1])) as u64,
            thinks: Vec::new(),
            hands: Vec::new(),
            ready: [None, None],
            tries: None,
            analyses: None,
            upset,
            short_permille: habits.short_permille,
        };
        plan.place_end(Player::BOTH[chance.below(2) as usize], moves);
        if chance.permille(habits.analyses_permille) {
            plan.analyses = Some(chance.between(45_000, 150_000) as u64);
        }
        plan
    }

    /// What the scenario says of the end; the rest follows from it.
    fn decide(&mut self, result: Option<Outcome>, cause: Option<Cause>, moves: u32) {
        let drawn_by =
            |cause: &Cause| matches!(cause, Cause::Agreed | Cause::Repetition | Cause::NaturalLimit);
        let result = result.unwrap_or(match (&cause, self.result) {
            (Some(cause), _) if drawn_by(cause) => Outcome::Draw,
            (Some(_), Outcome::Draw) => Outcome::First,
            (_, result) => result,
        });
        let fits = |cause: &Cause| drawn_by(cause) == (result == Outcome::Draw);
        self.cause = match cause {
            Some(cause) => cause,
            None if fits(&self.cause) => self.cause.clone(),
            None if result == Outcome::Draw && moves >= AGREED_FROM => Cause::Agreed,
            None if result == Outcome::Draw => Cause::Repetition,
            None => Cause::Resign,
        };
        self.result = result;
        self.place_end(self.last.0, moves);
    }

    /// In whose turn the game ends: the winner mates; the loser resigns or thinks until his flag falls.
    fn place_end(&mut self, any: Player, moves: u32) {
        let loser = match self.result {
            Outcome::First => Some(Player::Second),
            Outcome::Second => Some(Player::First),
            Outcome::Draw | Outcome::None => None,
        };
        let player = match (loser, &self.cause) {
            (Some(loser), Cause::Mate) => loser.other(),
            (Some(loser), _) => loser,
            (None, _) => any,
        };
        self.last = (player, moves.max(1));
        if self.cause == Cause::Resign {
            // Nobody resigns with a press.
            self.presses_last = false;
        }
    }

    fn look_before(&mut self, chance: &mut Chance, habits: &Habits) {
        for chair in 0..2 {
            let hint = chance.permille(habits.ready_permille);
            let before = chance.between(20_000, 400_000) as u64;
            if hint && !self.late(Player::BOTH[chair]) {
                self.ready[chair] = Some(before);
            }
        }
        if chance.permille(habits.tries_permille) && !self.late(Player::First) && !self.late(Player::Second) {
            self.tries = Some(chance.between(8 * 60_000, 13 * 60_000) as u64);
        }
    }

    /// When this player comes, in milliseconds after the word; none if never.
    pub(crate) const fn arrival(&self, player: Player) -> Option<i64> {
        match self.arrives[player as usize] {
            Arrival::At(span) => Some(span.0),
            Arrival::Never => None,
        }
    }

    /// Not there when the clock is to be started.
    pub(crate) fn late(&self, player: Player) -> bool {
        self.arrival(player).is_none_or(|at| at > self.start_after as i64)
    }
}
