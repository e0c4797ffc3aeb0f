//! What a ledger makes of a completed move: right, or odd.

use super::ledger::{Ledger, MOST_DELAY_MS};
use crate::control::Course;
use flagfall_clock::{Kind, Player};

/// What one player's moves gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Credits {
    /// Moves whose times could be compared.
    pub judged: u32,
    /// The last ones of them in a row that were wrong alike.
    pub odd: u32,
    /// By how much the last one was: positive, more was left than is right. In milliseconds.
    pub odd_ms: i64,
    /// His move at which that began.
    pub odd_move: u32,
    /// A difference in each move that was told, in milliseconds.
    pub known: i64,
}

impl Ledger {
    /// A move: what it left its player with is right, or odd.
    pub(super) fn pressed(&mut self, player: Player, then: &mut Course, off: &mut [i64; 2], shown: [i64; 2]) {
        let other = player.other();
        let moves = then.moves()[player as usize];
        self.since += 1;
        self.credits[player as usize].judged += 1;
        let mine = off[player as usize];
        let stood = self.face[player as usize] == 0;
        if then.delays() {
            // what stands there when the next turn begins says how long a delay is; whether any of it was
            // lost, the press that ends that turn says
            off[other as usize] = 0;
            let face = shown[other as usize] - then.kept(other);
            self.face[other as usize] = if (1..MOST_DELAY_MS).contains(&face) { face } else { 0 };
            if self.face[other as usize] > 0 {
                self.odd(other, face - then.gives(other), then.moves()[other as usize] + 1);
            }
        }
        if self.block(player, then, shown) || self.unsure[player as usize] && then.delays() {
            self.unsure[player as usize] &= then.control().kind == Kind::Canadian;
            then.lead(player, mine);
            off[player as usize] = 0;
            return;
        }
        self.unsure[player as usize] = false;
        let known = self.credits[player as usize].known;
        // of a wrong delay as much is lost as was used of it
        self.unsaid -= if then.delays() { mine.clamp(known.min(0), known.max(0)) } else { known };
        if stood || !then.delays() {
            self.odd(player, mine, moves);
        }
    }

    /// Whether a Canadian block ended with this press by the clock's count or by ours: which of its moves
    /// was the first may rest on one millisecond, so the clock's count is taken.
    fn block(&mut self, player: Player, then: &mut Course, shown: [i64; 2]) -> bool {
        let control = then.control();
        if control.kind != Kind::Canadian {
            return false;
        }
        let new = i64::from(control.overtime_ms);
        let theirs = (shown[player as usize] - new).abs() <= self.coarse();
        let ours = then.ms()[player as usize] == new;
        if theirs {
            self.unsure[player as usize] = false;
            then.begin_block(player);
        } else if ours {
            self.unsure[player as usize] = true;
        }
        theirs || ours || self.unsure[player as usize]
    }

    /// Whether what a move gave is right, by the difference `off`.
    fn odd(&mut self, player: Player, off: i64, moves: u32) {
        let (slack, delays) = (self.slack(), self.course.delays());
        let credits = &mut self.credits[player as usize];
        let odd =
            off - if delays { off.clamp(credits.known.min(0), credits.known.max(0)) } else { credits.known };
        if odd.abs() <= slack {
            credits.odd = 0;
            return;
        }
        let near = (odd - credits.odd_ms).abs() <= 2 * slack;
        let alike = credits.odd > 0 && (near || delays && odd.signum() == credits.odd_ms.signum());
        if alike {
            credits.odd += 1;
        } else {
            (credits.odd, credits.odd_move) = (1, moves);
        }
        credits.odd_ms = odd;
        self.odd_seen = true;
    }

    /// Whether a move was odd and the next one has not said yet whether all are.
    pub fn is_open(&self) -> bool {
        self.credits.iter().any(|credits| credits.odd > 0)
    }
}
