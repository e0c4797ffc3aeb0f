//! How long a player thinks.

use super::{Play, Sight};
use flagfall_arbiter::Cause;
use flagfall_clock::{Kind, Player};

impl Play {
    /// How long this player means to think now; none: until his flag falls, or he never comes.
    pub(super) fn thinks(&mut self, player: Player, sight: Sight) -> Option<u64> {
        let comes = self.arrival(player)?.saturating_sub(sight.now);
        let number = self.moves[player as usize] + 1;
        if let Some(think) = self.plan.thinks.iter().find(|t| t.player == player && t.r#move == number) {
            return Some(comes + think.time.ms());
        }
        let own = sight.control.of(player);
        let falls = !matches!(sight.control.kind, Kind::Gong | Kind::UpCount);
        let moves = u64::from(self.plan.last.1.max(1));
        let mean =
            u64::from(own.base_ms) * self.plan.uses_pct / 100 / moves + u64::from(own.increment_ms) * 9 / 10;
        let drawn = self.chance.log_normal(mean).max(700);
        if self.plan.last == (player, number) && self.plan.cause == Cause::Time {
            if falls {
                return None;
            }
            // Nobody can lose on time at such a clock.
            self.plan.cause = Cause::Resign;
        }
        if !falls {
            return Some(comes + drawn);
        }
        let left = sight.left_ms.max(0).unsigned_abs().saturating_sub(comes);
        let drawn = drawn.max(self.gets_into_trouble(player, number, left, own.base_ms));
        // Nobody who does not mean to loses on time: a third of what is left at most.
        Some(comes + drawn.min((left / 3).max(50)))
    }

    /// Who loses on time has thought too long over many moves; his last minutes are few.
    fn gets_into_trouble(&self, player: Player, number: u32, left: u64, base_ms: u32) -> u64 {
        let (loser, last) = self.plan.last;
        if self.plan.cause != Cause::Time || player != loser || number >= last {
            return 0;
        }
        let base = u64::from(base_ms);
        let wanted = base * u64::from(last - number) / u64::from(last) + base / 20;
        left.saturating_sub(wanted)
    }
}
