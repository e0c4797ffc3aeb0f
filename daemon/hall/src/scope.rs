//! What a request is about. A request that says what its asker has `seen` is refused if a person or a
//! ruling changed just that since; docs/api/desk.md tells it in words.

use flagfall_arbiter::{ForBoard, Request};

/// What can change under somebody's eyes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// A board of a round.
    Board(u32, String),
    /// A round, as far as round-wide requests change it.
    Round(u32),
    /// Which clock stands at which table.
    Tables,
    /// The mode of the event.
    Mode,
}

/// What a request is about, as it names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About<'a> {
    /// Nothing that can change.
    Nothing,
    /// A board.
    Board(&'a ForBoard),
    /// A board and the clocks at the tables.
    BoardAndTables(&'a ForBoard),
    /// A round, and with `true` all its boards.
    Round(Option<u32>, bool),
    /// The lowest round without boards.
    Unloaded,
    /// The boards of a match.
    Match(Option<u32>, u32),
    /// Tables and their clocks.
    Tables,
    /// The mode.
    Mode,
    /// Rulings, by their ids.
    Rulings(Option<u64>, &'a [u64]),
    /// An incident.
    Incident(u64),
    /// A task.
    Task(u64),
    /// The board of an event.
    Event(u64),
}

/// What a request is about.
pub(crate) const fn about(request: &Request) -> About<'_> {
    match request {
        Request::PlayerArrived { on, .. }
        | Request::BoardStart { on, .. }
        | Request::BoardStop { on, .. }
        | Request::BoardResume { on, .. }
        | Request::BoardSwapSides { on, .. }
        | Request::BoardSetTimes { on, .. }
        | Request::BoardAdjust { on, .. }
        | Request::BoardResult { on, .. }
        | Request::BoardSign { on }
        | Request::BoardWithdrawResult { on, .. }
        | Request::StopExplain { on, .. }
        | Request::FoulRecord { on, .. }
        | Request::FoulWithdraw { on, .. }
        | Request::RecordingExempt { on, .. }
        | Request::ClaimOpen { on, .. }
        | Request::ClaimDecide { on, .. }
        | Request::RulingMake { on, .. } => About::Board(on),
        Request::BoardAssign { on, .. } => About::BoardAndTables(on),
        Request::RoundStart { round, .. }
        | Request::RoundPause { round, .. }
        | Request::RoundResume { round, .. }
        | Request::RoundClose { round } => About::Round(*round, true),
        Request::RoundLoad { round: None, .. } => About::Unloaded,
        Request::RoundLoad { round, .. } => About::Round(*round, true),
        // it leaves the boards with a game alone
        Request::RoundPrepare { round } | Request::RoundExport { round } => About::Round(*round, false),
        // the chairs it names, and with `complete` all others
        Request::RoundAbsent { round, complete, .. } => About::Round(*round, *complete),
        Request::MatchHold { round, match_no, .. } | Request::MatchResults { round, match_no, .. } => {
            About::Match(*round, *match_no)
        }
        Request::SetupWalk { .. } | Request::ClockIdentify { .. } => About::Tables,
        Request::EventMode { .. } => About::Mode,
        Request::RulingConfirm { id, ids, .. }
        | Request::RulingOverrule { id, ids, .. }
        | Request::RulingAnnounce { id, ids } => About::Rulings(*id, ids.as_slice()),
        Request::IncidentTake { id, .. } | Request::IncidentClose { id, .. } => About::Incident(*id),
        Request::TaskDone { id } => About::Task(*id),
        Request::Undo { seq, .. } => About::Event(*seq),
        Request::RoundCheck { .. }
        | Request::RoundView { .. }
        | Request::BoardStartTimes { .. }
        | Request::FoulArticles { .. }
        | Request::FoulList { .. }
        | Request::EventStandings {}
        | Request::BoardHistory { .. } => About::Nothing,
    }
}

/// Whether it changes anything for others: a clock that blinks, a list that is only tried and one for the
/// pairing program do not.
pub(crate) const fn changes(request: &Request) -> bool {
    !matches!(
        request,
        Request::ClockIdentify { .. }
            | Request::RoundLoad { dry_run: true, .. }
            | Request::RoundExport { .. }
            | Request::RoundCheck { .. }
            | Request::RoundView { .. }
            | Request::BoardStartTimes { .. }
            | Request::FoulArticles { .. }
            | Request::FoulList { .. }
            | Request::EventStandings {}
            | Request::BoardHistory { .. }
    )
}
