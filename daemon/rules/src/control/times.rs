//! Times that are set or changed from outside: an arbiter's word, a clock's own face.

use super::Course;
use flagfall_clock::{Kind, Player};

impl Course {
    /// Both have these times now, in milliseconds. In mid-turn they are those of the turn, and no delay
    /// comes back on top.
    pub fn set(&mut self, ms: [i64; 2]) {
        for player in Player::BOTH {
            self.sides[player as usize].put(ms[player as usize]);
            self.look_at_block(player);
        }
        self.pass(0);
    }

    /// Both have so much more, or less, in milliseconds; what is left of a delay stays.
    pub fn adjust(&mut self, delta: [i64; 2]) {
        for player in Player::BOTH {
            self.sides[player as usize].shift(delta[player as usize]);
            self.look_at_block(player);
        }
        self.pass(0);
    }

    /// Two players change places: what stood on one side of the clock is the other player's.
    pub fn swap(&mut self) {
        self.sides.swap(0, 1);
        self.turn = self.turn.map(Player::other);
        self.flag = self.flag.map(Player::other);
    }

    /// Times above the block are main time again; at or below it they are a block's, as far as it had come.
    fn look_at_block(&mut self, player: Player) {
        if self.control.kind == Kind::Canadian {
            let own = &mut self.sides[player as usize];
            own.block = own.ms <= i64::from(self.control.overtime_ms);
            if !own.block {
                own.done = 0;
            }
        }
    }
}
