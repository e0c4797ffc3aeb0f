//! What a lever's presses look like. A press without effect is a mark and no more: only a pattern of
//! them is a question.

use super::reading::Reading;
use flagfall_clock::{ClockEvent, Player};

/// A second contact so soon after a press is the lever's own, in milliseconds.
const BOUNCE_MS: u64 = 60;
/// Presses in vain that are no second push of the same move are so far apart, in milliseconds.
const APART_MS: u64 = 5_000;
/// So many presses in vain in one turn: the side that runs does not press.
const VAIN: u32 = 3;
/// So many of the last [`TURNS`] turns had presses in vain: the side misses some.
const MISSED: u32 = 4;
const TURNS: u16 = 0xfff;
/// So many of the last eight presses came twice.
const BOUNCED: u32 = 4;

/// A game's presses, as far as they say anything about the levers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presses {
    /// Of the turn that runs: presses of the side that waits.
    vain: u32,
    /// Since when one more would be another one, by the clock's uptime.
    from_ms: u64,
    /// The last own press of each.
    last_ms: [u64; 2],
    /// A bit for each of the last turns of a side: the other one pressed in vain.
    missed: [u16; 2],
    /// A bit for each of the last presses of a side: it came twice.
    bounced: [u8; 2],
    turns: [u32; 2],
}

impl Presses {
    /// Takes in a reading; `running`: whose time ran when it happened.
    pub fn heard(&mut self, reading: Reading<'_>, running: Option<Player>) {
        let now = reading.report.uptime_ms;
        match reading.report.event {
            Some(ClockEvent::Press { side }) => {
                let player = reading.player(side);
                let own = player as usize;
                self.missed[own] = (self.missed[own] << 1 | u16::from(self.vain > 0)) & TURNS;
                self.bounced[own] <<= 1;
                self.turns[own] += 1;
                self.last_ms[own] = now;
                (self.vain, self.from_ms) = (0, now);
            }
            Some(ClockEvent::IgnoredPress { side }) if running == Some(reading.player(side).other()) => {
                let own = reading.player(side) as usize;
                if self.turns[own] > 0 && now.saturating_sub(self.last_ms[own]) <= BOUNCE_MS {
                    self.bounced[own] |= 1;
                } else if now.saturating_sub(self.from_ms) >= APART_MS {
                    self.vain += 1;
                    self.from_ms = now;
                }
            }
            _ => {}
        }
    }

    /// The side that runs and has not pressed though the game seems to go on.
    pub fn silent(&self, running: Option<Player>) -> Option<Player> {
        running.filter(|_| self.vain >= VAIN)
    }

    /// A side that misses some of its presses.
    pub fn misses(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.missed[*player as usize].count_ones() >= MISSED)
    }

    /// A side whose presses come twice; a clock whose time is coarse cannot tell.
    pub fn bounces(&self, coarse_ms: i64) -> Option<Player> {
        let mut both = Player::BOTH.into_iter();
        both.find(|player| coarse_ms <= 10 && self.bounced[*player as usize].count_ones() >= BOUNCED)
    }

    pub fn swap(&mut self) {
        self.last_ms.swap(0, 1);
        self.missed.swap(0, 1);
        self.bounced.swap(0, 1);
        self.turns.swap(0, 1);
    }
}
