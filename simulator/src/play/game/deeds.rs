//! What hands do beside playing: the start, trying the clock, what a scenario says, stopping at a shout.

use super::{Affair, Errand, Outing, Play, Sight, Stage};
use crate::play::{Gesture, PRESS_HOLD, RESET_HOLD};
use crate::scenario::{Finish, Hand, HandKind};
use flagfall_arbiter::StopCause;
use flagfall_clock::Player;

impl Play {
    /// The word was said: who is there starts the clock. Where both are missing nobody does (四.2).
    pub(super) fn start(&mut self, tries: u32, sight: Sight, is_new: bool, out: &mut Outing) {
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
    pub(super) fn shouted(&mut self, sight: Sight, out: &mut Outing) {
        let (Stage::On, Some(side)) = (self.stage, sight.running) else { return };
        if self.affair.is_none_or(|affair| affair.dealt) {
            let player = Player::at(side, self.first_side);
            self.affair = Some(Affair { why: StopCause::Hall, player, dealt: false });
        }
        out.gestures.push((0, Gesture::StopIfRunning));
    }

    pub(super) fn try_out(&mut self, step: u32, is_new: bool, out: &mut Outing) {
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

    pub(super) fn hand(&mut self, hand: &Hand, now: u64, out: &mut Outing) {
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
}
