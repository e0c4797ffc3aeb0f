//! A board: all that is known of it, as folded from inputs and decisions.

use crate::change::{Claim, HeldBy, Stage};
use crate::{BoardSetup, Venue};
use flagfall_arbiter::{BoardResult, Outcome, Player, Points, PresenceState};
use flagfall_clock::{By, ClockId, Kind, Side};
use std::collections::BTreeMap;

/// Index of a board, for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BoardIx(pub usize);

/// A clock's state when last known.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub boot: u32,
    pub at: Venue,
    pub bound_ms: u64,
    pub left_ms: i64,
    pub right_ms: i64,
    pub running: Option<Side>,
    pub presses: [u32; 2],
    pub flag: Option<Option<Side>>,
    /// Of the control it is taken to run by.
    pub kind: Kind,
}

impl Seen {
    pub fn ms(&self, side: Side) -> i64 {
        match side {
            Side::Left => self.left_ms,
            Side::Right => self.right_ms,
        }
    }

    pub fn presses(&self, side: Side) -> u32 {
        self.presses[side as usize]
    }

    /// What it shows at `at` by reckoning: the side that runs counts down, never below zero, or up.
    pub fn reckoned(&self, side: Side, at: Venue) -> i64 {
        let ms = self.ms(side);
        let passed = at.since(self.at).max(0);
        match (self.kind, self.running) {
            (_, None) => ms,
            (Kind::UpCount, Some(runs)) if runs == side => ms + passed,
            (_, Some(runs)) if runs == side => (ms - passed).max(ms.min(0)),
            // what one uses the other gets, and no more than there is
            (Kind::Hourglass, Some(runs)) => ms + passed.min(self.ms(runs).max(0)),
            (_, Some(_)) => ms,
        }
    }
}

/// A stop, as observed.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub at: Venue,
    pub by: By,
    pub ordered: bool,
    /// Who resumed it, when, and whether an arbiter ordered that.
    pub resumed: Option<(By, Venue, bool)>,
}

/// What is known of a player's presence.
#[derive(Clone, Debug, Default)]
pub(crate) struct There {
    pub state: PresenceState,
    pub hint: bool,
    /// Only a press at the clock showed it.
    pub by_press: bool,
    /// Only a clock that never ran showed it.
    pub by_silence: bool,
    /// An arbiter named him absent, or silence showed it.
    pub was_absent: bool,
    pub arrived: Option<Venue>,
    /// An arbiter said when.
    pub arrival_said: bool,
    pub late_ms: Option<u64>,
    /// His first completed move in this game: that he was there is no longer anybody's word.
    pub moved: Option<Venue>,
}

/// Times an arbiter decided that the clock does not show yet.
#[derive(Clone, Debug)]
pub(crate) struct Owed {
    pub delta: [i64; 2],
    /// What it showed when the difference began to count, and what it is to show.
    pub from: Option<([i64; 2], [i64; 2])>,
}

/// A span in which an arbiter held the board stopped.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub by: HeldBy,
    pub from: Venue,
    pub to: Option<Venue>,
    pub ran: bool,
}

/// The last press, as a clock reported it, and what both had in that instant without what it gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pressed {
    pub player: Player,
    pub times: [i64; 2],
}

/// A board.
#[derive(Debug)]
pub(crate) struct Board {
    pub round: u32,
    pub name: String,
    pub setup: BoardSetup,
    /// Its own clock, once assigned beside or instead of its table's.
    pub clock: Option<ClockId>,
    pub first_side: Side,
    pub started: Option<Venue>,
    pub starting: Option<bool>,
    pub both_late: bool,
    pub flag: Option<(Player, Venue, u64)>,
    pub suspected: bool,
    pub over: bool,
    /// Its clock stands there for it since.
    pub served: Venue,
    /// Another clock took its place and has not run yet.
    pub carried: bool,
    /// What a person had said before a ruling took its place.
    pub set_aside: Option<BoardResult>,
    /// Its clock was made new, and no arbiter has set its times since.
    pub renewed: bool,
    /// Its table was in play when its round began; free since.
    pub free_from: Option<Venue>,
    /// How far its default time had come when its chairs were last looked at.
    pub looked: Stage,
    /// What a clock that is set by hand shows, accepted.
    pub accepted: Option<[i64; 2]>,
    pub claim: Option<Claim>,
    /// When an arbiter last did something about this board.
    pub attended: Option<Venue>,
    /// Since when the same side has run.
    pub turn: Option<Venue>,
    /// The turn in which it was asked whether the game is still on.
    pub silent: Option<Venue>,
    pub stops: Vec<Stop>,
    pub holds: Vec<Hold>,
    pub there: [There; 2],
    pub owed: Option<Owed>,
    pub corrected: Option<Venue>,
    /// The period in which each need not record any more, as far as told.
    pub exempt: [Option<u32>; 2],
    /// The same, acknowledged.
    pub granted: [Option<u32>; 2],
    /// Who was told to have little time.
    pub low: [bool; 2],
    /// Presses in vain in this game.
    pub ignored: [u32; 2],
    /// The turn in which several boards of its match were looked at for waiting.
    pub idle: Option<Venue>,
    /// Fouls of the players, by article.
    pub fouls: BTreeMap<(Player, String), i32>,
    /// Those among them that follow from no ruling.
    pub recorded: BTreeMap<(Player, String), i32>,
    /// Fouls of their teams, by article (八.11).
    pub team_fouls: BTreeMap<(Player, String), i32>,
    /// What each of those added to the player's own points, the last one last.
    pub team_points: [Vec<Points>; 2],
    /// Each foul that was told here, the last one last.
    pub lines: Vec<crate::fouls::Line>,
    /// Moves completed in this game.
    pub moves: [u32; 2],
    pub pressed: Option<Pressed>,
    /// A ruling took his last press back: he is to move, and his clock runs next.
    pub to_move: Option<Player>,
    /// The times owed go with the counts: a press was taken back, or counts again.
    pub recount: bool,
    pub result: Option<(BoardResult, Venue)>,
    /// What the players said at the clock.
    pub said: Option<Outcome>,
    /// A result that was signed and withdrawn.
    pub signed: Option<Outcome>,
    /// That this result is the other way round than what was said, an arbiter has looked at.
    pub looked_at: Option<Outcome>,
    /// Open tasks that fall due.
    pub tasks: BTreeMap<u64, Venue>,
    /// Open incidents and all rulings, by id.
    pub incidents: Vec<u64>,
    pub rulings: Vec<u64>,
    /// What its clock shows beside what is right, while a game is on.
    pub ledger: Option<crate::watching::Ledger>,
    /// What was told of its clock in this game, and in which incident.
    pub told: Vec<(u64, crate::watching::Cause)>,
    /// Before the start an arbiter's word set its times.
    pub set_by_word: bool,
    /// When something falls due here.
    pub due: Option<Venue>,
}

impl Board {
    pub fn new(round: u32, setup: &BoardSetup, clock: Option<ClockId>, first_side: Side) -> Self {
        Self {
            round,
            name: setup.board.clone(),
            setup: setup.clone(),
            clock,
            first_side,
            started: None,
            starting: None,
            both_late: false,
            flag: None,
            suspected: false,
            over: false,
            served: Venue(0),
            carried: false,
            set_aside: None,
            renewed: false,
            free_from: None,
            looked: Stage::None,
            accepted: None,
            claim: None,
            attended: None,
            turn: None,
            silent: None,
            stops: Vec::new(),
            holds: Vec::new(),
            there: Default::default(),
            owed: None,
            corrected: None,
            exempt: [None; 2],
            granted: [None; 2],
            low: [false; 2],
            ignored: [0; 2],
            idle: None,
            fouls: BTreeMap::new(),
            recorded: BTreeMap::new(),
            team_fouls: BTreeMap::new(),
            lines: Vec::new(),
            team_points: Default::default(),
            moves: [0; 2],
            pressed: None,
            to_move: None,
            recount: false,
            result: None,
            said: None,
            signed: None,
            looked_at: None,
            tasks: BTreeMap::new(),
            incidents: Vec::new(),
            rulings: Vec::new(),
            ledger: None,
            told: Vec::new(),
            set_by_word: false,
            due: None,
        }
    }

    pub fn side(&self, player: Player) -> Side {
        player.side(self.first_side)
    }

    pub fn player(&self, side: Side) -> Player {
        Player::at(side, self.first_side)
    }

    /// A press without effect. Before and after a game levers are pushed for many reasons.
    pub fn pressed_in_vain(&mut self, side: Side) {
        if self.started.is_some() && self.flag.is_none() && !self.over && !self.decided() {
            let ignored = &mut self.ignored[self.player(side) as usize];
            *ignored = ignored.saturating_add(1);
        }
    }

    /// Held by an arbiter now.
    pub fn held(&self) -> bool {
        self.holds.iter().any(|hold| hold.to.is_none())
    }

    /// Held by an arbiter at that instant, give or take the bound.
    pub fn held_at(&self, at: Venue, bound_ms: u64) -> bool {
        self.holds
            .iter()
            .any(|hold| hold.from.0 <= at.0 + bound_ms && hold.to.is_none_or(|to| at.0 <= to.0 + bound_ms))
    }

    /// Held by an arbiter before that instant, beyond what the bound leaves open: whoever started the
    /// clock then did it against his stop.
    pub fn held_before(&self, at: Venue, bound_ms: u64) -> bool {
        self.holds
            .iter()
            .any(|hold| hold.from.0 + bound_ms < at.0 && hold.to.is_none_or(|to| at.0 + bound_ms < to.0))
    }

    /// A person entered a result, or a confirmed ruling decided the game.
    pub fn decided(&self) -> bool {
        self.result.as_ref().is_some_and(|(result, _)| result.status > flagfall_arbiter::Status::Claimed)
    }

    pub fn player_setup(&self, player: Player) -> &crate::PlayerSetup {
        match player {
            Player::First => &self.setup.first,
            Player::Second => &self.setup.second,
        }
    }

    pub fn there(&self, player: Player) -> &There {
        &self.there[player as usize]
    }

    pub fn fouls_of(&self, player: Player) -> i32 {
        self.fouls.iter().filter(|((who, _), _)| *who == player).map(|(_, count)| count).sum()
    }

    /// His fouls under this article, or his team's.
    pub fn fouls_under(&self, player: Player, article: &str, team: bool) -> i32 {
        let ledger = if team { &self.team_fouls } else { &self.fouls };
        ledger.get(&(player, article.to_owned())).copied().unwrap_or(0)
    }

    /// The period a player is in, from 1.
    pub fn period(&self, player: Player) -> u32 {
        self.ledger.as_ref().map_or(1, |ledger| ledger.course.period(player))
    }

    /// Neither need record in his period any more, by an arbiter's word.
    pub fn all_granted(&self) -> bool {
        Player::BOTH.into_iter().all(|player| self.granted[player as usize] == Some(self.period(player)))
    }

    /// Somebody need not record any more, by an arbiter's word or by itself.
    pub fn was_granted(&self) -> bool {
        self.granted.iter().any(Option::is_some)
    }

    /// A board for people and for keys of decisions.
    pub fn at(&self) -> crate::change::At {
        crate::change::At(self.round, self.name.clone())
    }
}

/// Both players' times on a clock, first and second, at `at` by reckoning.
pub(crate) fn times(seen: &Seen, first_side: Side, at: Venue) -> [i64; 2] {
    [seen.reckoned(first_side, at), seen.reckoned(first_side.other(), at)]
}
