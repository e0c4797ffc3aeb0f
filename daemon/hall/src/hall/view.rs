//! The hall as people see it: what the rules know, and when each clock was heard last. A status that merely confirms
//! what was predicted goes no further than the session, and so the rules cannot tell that.

use super::Hall;
use flagfall_arbiter::{Audience, BoardView, Refused, RoundSnapshot, Snapshot, Tick, Wall};
use flagfall_clock::ClockId;
use flagfall_rules::Venue;

impl Hall {
    /// The hall for somebody who comes in.
    #[must_use]
    pub fn snapshot(&self, audience: Audience) -> Snapshot {
        let mut snapshot = self.rules.snapshot(audience);
        self.heard_on(&mut snapshot.boards);
        for clock in &mut snapshot.clocks {
            clock.heard = self.heard(clock.clock).max(clock.heard);
        }
        snapshot
    }

    /// Merged states.
    #[must_use]
    pub fn tick(&self, at: Venue, audience: Audience) -> Tick {
        let mut tick = self.rules.tick(at, audience);
        self.heard_on(&mut tick.boards);
        tick
    }

    /// A round for somebody who looks at it: see [`flagfall_rules::Rules::round_view`].
    pub(super) fn round_view(
        &self,
        at: Venue,
        round: Option<u32>,
        audience: Audience,
    ) -> Result<RoundSnapshot, Refused> {
        let mut view = self.rules.round_view(at, round, audience)?;
        self.heard_on(&mut view.boards);
        Ok(view)
    }

    fn heard_on(&self, boards: &mut [BoardView]) {
        for board in boards {
            // whoever may not see the clock does not hear of it either
            if let Some(clock) = board.clock {
                board.heard = self.heard(clock).max(board.heard);
            }
        }
    }

    /// When a clock was heard last, since the daemon came back.
    fn heard(&self, clock: ClockId) -> Option<Wall> {
        let link = &self.clocks.get(&clock)?.link;
        (link.heard > Venue(0)).then(|| self.rules.wall(link.heard))
    }
}
