//! What the arbiter's system hears and asks: events, incidents, rulings, results, requests.
//!
//! The names and shapes are the public contract (`docs/api`). This crate only carries them: it
//! decides nothing, and neither tokio nor a database nor the rules may come near it.

mod desk;
mod entry;
mod event;
mod fouls;
mod incident;
mod points;
mod request;
mod result;
mod ruling;
mod view;
mod wall;

pub use desk::{Audience, Hello, Refused, Role, Welcome};
pub use entry::{
    Absent, BoardRow, BothLate, ClaimKind, ClaimOutcome, ForBoard, MatchRow, Page, PairingList, PlayerName,
    ResultEntry, SheetResult, SheetResults, StopCause, TeamName,
};
pub use event::{
    Assigned, Carried, ClockFault, CommandNews, CommandState, Event, ExemptState, Exemption, Foul, Game, Gap,
    Link, Moved, News, Notice, Presence, PresenceState, RequestNews, RoundStarted, SideNews, Stoppage, Task,
    Times, TimesChanged, Undone,
};
pub use fouls::{Follows, FollowsKind, FoulArticle, FoulArticles, FoulLine, FoulWithdrawn, RulingArticle};
pub use incident::{Incident, IncidentKind, IncidentState, Lane};
pub use points::Points;
pub use request::{Ask, ParamsError, Request};
pub use result::{BoardResult, Cause, Outcome, Status};
pub use ruling::{Effect, Grounds, Offender, Proof, ProofBy, Ruling, RulingKind, RulingState, Text, Way};
pub use view::{
    BoardView, ChangedValue, ClaimView, ClockView, HeldMatch, Placed, PlayerView, RoundSnapshot, RoundView,
    Snapshot, Tick, UplinkState, UplinkView, WalkView,
};
pub use wall::Wall;

/// Which of the two players; the same type as the clock’s.
pub use self::event::Player;
