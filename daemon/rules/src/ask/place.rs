//! The board a request is about.

use crate::board::BoardIx;
use crate::turn::Turn;
use flagfall_arbiter::{ForBoard, Request};

impl Turn<'_> {
    /// The board a request is about.
    pub(crate) fn place(&self, request: &Request) -> Option<BoardIx> {
        let on = |on: &ForBoard| self.which_board(on.round, &on.board).ok();
        match request {
            Request::PlayerArrived { on: board, .. }
            | Request::BoardStart { on: board, .. }
            | Request::BoardStartTimes { on: board, .. }
            | Request::BoardStop { on: board, .. }
            | Request::BoardResume { on: board, .. }
            | Request::BoardSwapSides { on: board, .. }
            | Request::BoardSetTimes { on: board, .. }
            | Request::BoardAdjust { on: board, .. }
            | Request::BoardResult { on: board, .. }
            | Request::BoardSign { on: board }
            | Request::BoardWithdrawResult { on: board, .. }
            | Request::BoardAssign { on: board, .. }
            | Request::StopExplain { on: board, .. }
            | Request::FoulRecord { on: board, .. }
            | Request::FoulWithdraw { on: board, .. }
            | Request::FoulArticles { on: board, .. }
            | Request::RecordingExempt { on: board, .. }
            | Request::RulingMake { on: board, .. }
            | Request::ClaimOpen { on: board, .. }
            | Request::ClaimDecide { on: board, .. }
            | Request::BoardHistory { on: board, .. } => on(board),
            Request::RulingConfirm { id, ids, .. }
            | Request::RulingOverrule { id, ids, .. }
            | Request::RulingAnnounce { id, ids } => {
                let id = id.or(ids.first().copied())?;
                self.s.rulings.get(&id)?.board
            }
            Request::IncidentTake { id, .. } | Request::IncidentClose { id, .. } => {
                self.s.incidents.get(id)?.board
            }
            Request::Undo { seq, .. } => self.s.acts.get(seq).and_then(|(_, act)| self.s.ix(act.board())),
            Request::SetupWalk { .. }
            | Request::RoundLoad { .. }
            | Request::RoundExport { .. }
            | Request::MatchHold { .. }
            | Request::MatchResults { .. }
            | Request::RoundPrepare { .. }
            | Request::RoundCheck { .. }
            | Request::RoundView { .. }
            | Request::FoulList { .. }
            | Request::EventStandings {}
            | Request::RoundStart { .. }
            | Request::RoundAbsent { .. }
            | Request::RoundPause { .. }
            | Request::RoundResume { .. }
            | Request::RoundClose { .. }
            | Request::EventMode { .. }
            | Request::TaskDone { .. }
            | Request::ClockIdentify { .. } => None,
        }
    }
}
