//! Little time: from when on a player need not record (五.3), and a mark for the desk. Facts, no questions.

use crate::board::BoardIx;
use crate::flag::MARGIN_MS;
use crate::state::State;
use crate::turn::{Turn, When};
use crate::watch::Look;
use crate::{ExemptBy, ExemptFor, Venue};
use flagfall_arbiter::{ExemptState, Exemption, News, Player, SideNews};
use flagfall_clock::Kind;

impl State {
    fn counts_down(&self) -> bool {
        !matches!(self.setup.regulations.kind, Kind::Gong | Kind::UpCount)
    }

    /// Whether a player need not record now.
    pub(crate) fn is_exempt(&self, ix: BoardIx, player: Player) -> bool {
        let board = &self.boards[ix.0];
        let lasts = |since: Option<u32>| {
            let now = board.period(player);
            since.is_some_and(|since| {
                self.setup.regulations.recording_exempt_for == ExemptFor::Game || since == now
            })
        };
        lasts(board.exempt[player as usize]) || lasts(board.granted[player as usize])
    }

    /// Whether little time would exempt a player who is not exempt yet (A8, FIDE 8.4).
    fn may_be_exempt(&self, ix: BoardIx, player: Player) -> bool {
        let below = i64::from(self.setup.regulations.recording_exempt_increment_ms);
        let ledger = self.boards[ix.0].ledger.as_ref();
        let control = self.setup.regulations.time_control();
        let gives = ledger.map_or_else(|| control.of(player).increment_ms.into(), |l| l.course.gives(player));
        self.counts_down() && (below == 0 || gives < below) && !self.is_exempt(ix, player)
    }

    fn may_be_low(&self, ix: BoardIx, player: Player) -> bool {
        let low = self.setup.regulations.low_time_ms > 0 && self.counts_down();
        low && !self.boards[ix.0].low[player as usize]
    }

    /// When the side that runs has little time, for the first time: strictly below a limit is one
    /// millisecond after it.
    pub(crate) fn low_due(&self, ix: BoardIx) -> Option<Venue> {
        let seen = self.seen(ix).filter(|_| self.online(ix))?;
        let side = seen.running?;
        let player = self.boards[ix.0].player(side);
        let regulations = &self.setup.regulations;
        let exempt = self.may_be_exempt(ix, player).then_some(regulations.recording_exempt_ms);
        let low = self.may_be_low(ix, player).then_some(regulations.low_time_ms);
        let limit = i64::from(exempt.into_iter().chain(low).max()?);
        let crossed = seen.at.0 as i64 + (seen.ms(side) - limit + 1);
        // times that were set below the limit are so from then on, not from when they would have run there
        let set = self.boards[ix.0].corrected.map_or(0, |at| at.0 as i64);
        Some(Venue(crossed.max(set).max(0) as u64 + MARGIN_MS))
    }
}

impl Turn<'_> {
    /// A completed move: how little time was left before it gave anything?
    pub(crate) fn low_before(&mut self, look: Look<'_>, player: Player, derived: bool) {
        let Some(times) = self.times(look.ix, look.when.at) else { return };
        let ledger = self.board(look.ix).ledger.as_ref().filter(|_| !derived);
        let least = ledger.and_then(|ledger| ledger.before_press);
        let control = self.s.setup.regulations.time_control();
        let credited = || match control.kind {
            Kind::Fischer => i64::from(control.of(player).increment_ms),
            _ => 0,
        };
        let ms = least.unwrap_or_else(|| times[player as usize] - credited());
        self.low(look.ix, look.when, player, ms);
    }

    /// 五.3: strictly below the limit for the first time, whatever the cause.
    pub(crate) fn low(&mut self, ix: BoardIx, when: When, player: Player, ms: i64) {
        let board = self.board(ix);
        if board.started.is_none() || board.decided() {
            return;
        }
        let regulations = &self.s.setup.regulations;
        let (exempt, by) = (i64::from(regulations.recording_exempt_ms), regulations.recording_exempt_by);
        let low = i64::from(regulations.low_time_ms);
        if ms < exempt && self.s.may_be_exempt(ix, player) {
            let state = match by {
                ExemptBy::Arbiter => ExemptState::Available,
                ExemptBy::Itself => ExemptState::Granted,
            };
            self.tell(ix, when, News::RecordingExempt(Exemption { player: player.into(), state }));
        }
        if ms < low && self.s.may_be_low(ix, player) {
            let Some([first_ms, second_ms]) = self.times(ix, when.at) else { return };
            let side = self.board(ix).side(player);
            self.tell(ix, when, News::LowTime(SideNews { player, side, first_ms, second_ms }));
        }
    }
}
