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

    /// A clock's face and counts, taken as they are in mid-game: whatever was reckoned before, nobody's flag
    /// has fallen and this side runs, or none.
    pub(crate) fn follow(&mut self, ms: [i64; 2], moves: [u32; 2], running: Option<Player>) {
        for player in Player::BOTH {
            let now = moves[player as usize];
            let own = &mut self.sides[player as usize];
            if self.control.kind == Kind::Canadian {
                own.done = own.done.saturating_add(now.saturating_sub(own.moves));
                own.moves = now;
            } else if own.moves != now {
                self.count(player, now);
            }
            self.sides[player as usize].put(ms[player as usize]);
            self.look_at_block(player);
        }
        self.flag = None;
        self.turn = running.or(self.turn);
        self.running = running.is_some();
    }

    /// A side's face shows so much more than was reckoned: it counts on from there.
    pub(crate) const fn lead(&mut self, player: Player, ms: i64) {
        self.sides[player as usize].shift(ms);
    }

    /// A Canadian block begins anew, whatever was counted.
    pub(crate) const fn begin_block(&mut self, player: Player) {
        let own = &mut self.sides[player as usize];
        (own.block, own.done) = (true, 0);
    }

    /// Once at or below the block's time a side is in a block, and stays in it with what is given on top.
    fn look_at_block(&mut self, player: Player) {
        if self.control.kind == Kind::Canadian {
            let own = &mut self.sides[player as usize];
            own.block |= own.ms <= i64::from(self.control.overtime_ms);
        }
    }
}
