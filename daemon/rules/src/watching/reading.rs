//! A clock's report as a ledger takes it in: by players, with how well it is known.

use crate::Venue;
use flagfall_clock::{ClockEvent, ClockReport, Player, Side};

/// A reading as the ledger needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub report: &'a ClockReport,
    pub happened: Venue,
    pub bound_ms: u64,
    /// How finely the clock says that it measures, in milliseconds.
    pub resolution_ms: u32,
    pub first_side: Side,
    /// Something between the reading before and this one is missing.
    pub gap: bool,
    /// Heard as it happened.
    pub live: bool,
}

impl Reading<'_> {
    pub fn player(&self, side: Side) -> Player {
        Player::at(side, self.first_side)
    }

    pub fn shown(&self) -> [i64; 2] {
        Player::BOTH.map(|player| self.report.ms(player.side(self.first_side)))
    }

    pub fn moves(&self) -> [u32; 2] {
        Player::BOTH.map(|player| self.report.presses(player.side(self.first_side)))
    }

    pub fn running(&self) -> Option<Player> {
        self.report.running.map(|side| self.player(side))
    }

    /// Whether its event sets times, or may have.
    pub const fn sets_times(self) -> bool {
        match &self.report.event {
            Some(
                ClockEvent::Boot(_)
                | ClockEvent::Adjust { .. }
                | ClockEvent::Reset { .. }
                | ClockEvent::Unknown
                | ClockEvent::Start { .. }
                | ClockEvent::Over { .. },
            ) => true,
            Some(ClockEvent::About(about)) => about.restored,
            _ => false,
        }
    }
}
