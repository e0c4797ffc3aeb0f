//! The end of a game, and what becomes of its clock.

use super::{Errand, Outing, Play, Sight, Stage, Truth};
use crate::play::{Gesture, PRESS_HOLD, RESET_HOLD};
use crate::scenario::Finish;
use flagfall_arbiter::{Cause, Outcome};
use flagfall_clock::{Claim, Player, Side};

impl Play {
    /// Both hold their levers; then who did not win presses once more.
    pub(super) fn hold(&self, claim: Option<Claim>, out: &mut Outing) {
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

    pub(super) fn finish(&mut self, out: &mut Outing) {
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
    pub(super) fn analyse(&mut self, more: u32, sight: Sight, out: &mut Outing) {
        let side = sight.running.unwrap_or(if more.is_multiple_of(2) { Side::Left } else { Side::Right });
        out.gestures.push((0, Gesture::Lever { side, hold_ms: PRESS_HOLD }));
        if more > 1 {
            out.errands.push((self.chance.between(2_000, 15_000) as u64, Errand::Analyse(more - 1)));
        }
    }
}
