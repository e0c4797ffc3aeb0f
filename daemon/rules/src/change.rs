//! Changes of state that are not told by themselves; journalled beside the events.

use crate::Venue;
use flagfall_arbiter::{BoardResult, ClaimKind, Player, Points, PresenceState};
use flagfall_clock::{ClockId, Side};
use serde::{Deserialize, Serialize};

/// A board of a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct At(pub u32, pub String);

/// Why a board is held stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldBy {
    /// `board.stop`.
    Arbiter,
    /// `round.pause`.
    Pause,
    /// A confirmed ruling.
    Ruling,
}

/// How far the default time of a board had come when its chairs were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Not looked at yet.
    #[default]
    None,
    /// Two thirds of it were past.
    Look,
    /// It was past.
    Default,
}

/// A walk along the tables: the clock whose lever is pressed next is bound to the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    /// Who walks.
    pub by: String,
    /// Where he began.
    pub from: u32,
    /// The next table.
    pub next: u32,
    /// The last table.
    pub to: u32,
    /// Where the first player sits, where he says so.
    pub first_side: Option<Side>,
    /// The last press, or the beginning.
    pub since: Venue,
    /// Clocks bound on this walk.
    pub bound: Vec<ClockId>,
}

/// A player's claim that an arbiter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Whose.
    pub player: Player,
    /// What he claims.
    pub kind: ClaimKind,
    /// When he said so.
    pub at: Venue,
}

/// What was known of who sits at a chair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// The board.
    pub at: At,
    /// Whose chair.
    pub player: Player,
    /// Whether he is there.
    pub state: PresenceState,
    /// When he came.
    pub arrived: Option<Venue>,
    /// How late, in milliseconds, as told then.
    pub late_ms: Option<u64>,
    /// Only a press at the clock showed it.
    pub by_press: bool,
    /// Only a clock that never ran showed it.
    pub by_silence: bool,
    /// He was named absent before, or silence showed it.
    pub was_absent: bool,
    /// An arbiter said when he came.
    pub arrival_said: bool,
}

/// What a person did that can be taken back by difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Times changed by so much, first and second, in milliseconds.
    Times(At, [i64; 2]),
    /// A foul of this player under this article, as journals of before have it.
    Foul(At, Player, String),
    /// So many fouls of this player under this article, and what they added to his points beside what fouls over the
    /// event cost.
    Fouls(At, Player, String, u32, Points),
    /// A result; what stood before it.
    Result(At, Option<BoardResult>),
    /// The results of a match from its sheet; what stood before on each board.
    Sheet(At, Vec<(At, Option<BoardResult>)>),
    /// Sides swapped.
    Swap(At),
    /// Said who sits at these chairs; what was known of each before.
    Chairs(At, Vec<Chair>),
    /// A ruling confirmed.
    Ruling(At, u64),
}

/// A change of state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A board is held stopped from this instant on, or no longer.
    Hold {
        /// The board.
        board: At,
        /// By what.
        by: HeldBy,
        /// Held, or let go.
        on: bool,
        /// Since, or until.
        at: Venue,
        /// Its clock ran when it was held (a pause resumes only such).
        ran: bool,
    },
    /// An arbiter decided times that the clock does not show yet, by difference.
    Owe {
        /// The board.
        board: At,
        /// First and second, in milliseconds.
        delta: [i64; 2],
    },
    /// The clock stands: from these times on the difference counts.
    OweFrom {
        /// The board.
        board: At,
        /// What it shows, first and second, in milliseconds.
        shown: [i64; 2],
        /// What it is to show.
        target: [i64; 2],
    },
    /// A player's last press is taken back, with the times owed: he is to move again. Or that is taken back.
    TakeBack {
        /// The board.
        board: At,
        /// Whose press.
        player: Player,
        /// Taken back, or not any more.
        on: bool,
    },
    /// The clock shows what was owed.
    Paid {
        /// The board.
        board: At,
    },
    /// `board.start` is under way.
    Starting {
        /// The board.
        board: At,
        /// Both were late.
        both_late: bool,
    },
    /// A player's side was pressed before the start, or a start shows that somebody sits there.
    Hint {
        /// The board.
        board: At,
        /// Who is perhaps there.
        player: Player,
    },
    /// What is known of a chair is as it was: what was said of it since is taken back.
    Chair(Chair),
    /// The clock was reset: what it does from now on is another game, or none.
    NewGame {
        /// The board.
        board: At,
        /// When.
        at: Venue,
    },
    /// The clock was made new under a game without its result: what it does from now on is not that game.
    Renewed {
        /// The board.
        board: At,
    },
    /// The players ended the game at the clock, or play on all the same.
    Over {
        /// The board.
        board: At,
        /// Ended.
        on: bool,
    },
    /// The board's table, or its own clock, now serves this board.
    Serves {
        /// The board.
        board: At,
        /// Since when; not before its clock stood there for it.
        since: Venue,
    },
    /// An arbiter set a flag aside: the next one counts again. The fact that was told stays.
    Unlatched {
        /// The board.
        board: At,
    },
    /// A ruling took the place of this result.
    SetAside {
        /// The board.
        board: At,
        /// What a person had said.
        result: Option<BoardResult>,
    },
    /// The round is paused, or goes on.
    Pause {
        /// The round.
        round: u32,
        /// Paused.
        on: bool,
        /// Since, or until.
        at: Venue,
    },
    /// The round has these boards, in place of any it had.
    Loaded {
        /// The round.
        round: u32,
        /// When: their clocks stand there for them since.
        at: Venue,
        /// The boards, in order.
        boards: Vec<crate::BoardSetup>,
    },
    /// The pairing program was given the round's results as they stand.
    Exported {
        /// The round.
        round: u32,
    },
    /// The round is closed.
    Closed {
        /// The round.
        round: u32,
    },
    /// Who sits at these boards has been looked at.
    PresenceLooked {
        /// The round.
        round: u32,
        /// The boards.
        boards: Vec<String>,
        /// How far their default time had come.
        stage: Stage,
    },
    /// A match begins later; nobody of it is late before then.
    MatchHeld {
        /// The round.
        round: u32,
        /// The match.
        match_no: u32,
        /// When it begins; may lie in the past.
        until: Venue,
        /// Why.
        reason: Option<String>,
    },
    /// Clocks are bound to tables by their levers.
    Walk(Option<Walk>),
    /// It was asked whether the game of this turn is still on.
    Silent {
        /// The board.
        board: At,
        /// When the turn began.
        turn: Venue,
    },
    /// It was looked at whether several boards of this one's match wait.
    Idle {
        /// The board.
        board: At,
        /// When the turn began.
        turn: Venue,
    },
    /// What a clock that is set by hand shows is right for this board.
    Accepted {
        /// The board.
        board: At,
        /// First and second, in milliseconds.
        times: [i64; 2],
    },
    /// A player claims something, or his claim is decided.
    Claimed {
        /// The board.
        board: At,
        /// His claim.
        claim: Option<Claim>,
    },
    /// What is wrong with a clock was told in an incident.
    Watched {
        /// The board.
        board: At,
        /// The incident.
        incident: u64,
        /// What.
        cause: crate::watching::Cause,
    },
    /// The sides of a board changed.
    Sides {
        /// The board.
        board: At,
    },
    /// The mode changed.
    Mode(crate::Mode),
    /// These events can be taken back by undoing this.
    Acted {
        /// Names the act: the seq of one of its events.
        group: u64,
        /// The events' seqs.
        seqs: Vec<u64>,
        /// What was done.
        act: Act,
    },
    /// An act was taken back.
    Undone {
        /// The act.
        group: u64,
    },
}
