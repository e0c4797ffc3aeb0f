//! The whole event as folded from inputs and decisions. Nothing here decides.

use crate::board::{Board, BoardIx, Seen};
use crate::change::{Act, At, Walk};
use crate::{Mode, Setup, TableSetup, Venue};
use flagfall_arbiter::{Incident, IncidentKind, Ruling, Task, Wall};
use flagfall_clock::{About, ClockId};
use std::collections::BTreeMap;

/// A round.
#[derive(Debug, Default)]
pub(crate) struct Round {
    pub number: u32,
    pub planned: Option<Wall>,
    pub boards: BTreeMap<String, BoardIx>,
    pub order: Vec<BoardIx>,
    /// When it actually began, in venue milliseconds; may lie before the journal's beginning.
    pub started: Option<i64>,
    pub paused: Option<Venue>,
    /// Pauses that are over.
    pub pauses: Vec<(Venue, Venue)>,
    /// Matches that begin later, and why.
    pub held: BTreeMap<u32, (Venue, Option<String>)>,
    /// Its open incidents that are about several boards.
    pub open: BTreeMap<IncidentKind, u64>,
    pub closed: bool,
    /// `round_start_missing` was asked once.
    pub start_asked: bool,
    /// Its boards came by `round.load`: the file's no longer count.
    pub loaded: bool,
    /// The results that the pairing program knows of, since it was given any or a later round came from it.
    pub paired: Option<BTreeMap<String, crate::pairing::Counted>>,
}

/// A clock ever heard or named.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    pub table: Option<u32>,
    /// Where it serves without a table.
    pub board: Option<BoardIx>,
    pub online: bool,
    /// Heard without a break since.
    pub online_since: Option<Venue>,
    pub line: String,
    pub heard: Option<Venue>,
    pub seen: Option<Seen>,
    /// Its last report.
    pub last: Option<crate::Observation>,
    /// Reports missing before the next one.
    pub gap: Option<(u32, u32)>,
    pub battery: Option<u8>,
    pub about: Option<About>,
}

/// What a clock was like before a report.
#[derive(Debug, Default)]
pub(crate) struct Before {
    pub seen: Option<Seen>,
    pub gap: Option<(u32, u32)>,
}

/// An incident or ruling with its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    /// When it was first told of, in venue time.
    pub at: Venue,
    pub board: Option<BoardIx>,
    pub round: Option<u32>,
    pub it: T,
}

#[derive(Debug)]
pub(crate) struct State {
    pub setup: Setup,
    pub set: bool,
    pub anchor: (Venue, Wall),
    pub head: u64,
    pub last_id: u64,
    pub rounds: BTreeMap<u32, Round>,
    pub boards: Vec<Board>,
    pub clocks: BTreeMap<ClockId, Clock>,
    /// Table -> its clock and the board it serves now.
    pub tables: BTreeMap<u32, (TableSetup, Option<BoardIx>)>,
    pub incidents: BTreeMap<u64, Placed<Incident>>,
    pub rulings: BTreeMap<u64, Placed<Ruling>>,
    pub tasks: BTreeMap<u64, Placed<Task>>,
    pub walk: Option<Walk>,
    /// What can be taken back, by event: which act it belongs to, and the act.
    pub acts: BTreeMap<u64, (u64, Act)>,
    pub undone: std::collections::BTreeSet<u64>,
    pub journal_ok: bool,
    pub differences: Vec<flagfall_arbiter::Text>,
}

impl State {
    pub fn new(setup: Setup) -> Self {
        let mut state = Self {
            setup: Setup { rounds: Vec::new(), tables: Vec::new(), clocks: Vec::new(), ..setup.clone() },
            set: false,
            anchor: (Venue(0), Wall(0)),
            head: 0,
            last_id: 0,
            rounds: BTreeMap::new(),
            boards: Vec::new(),
            clocks: BTreeMap::new(),
            tables: BTreeMap::new(),
            incidents: BTreeMap::new(),
            rulings: BTreeMap::new(),
            tasks: BTreeMap::new(),
            walk: None,
            acts: BTreeMap::new(),
            undone: Default::default(),
            journal_ok: true,
            differences: Vec::new(),
        };
        state.merge(&setup);
        state.set = false;
        state
    }

    pub fn wall(&self, at: Venue) -> Wall {
        Wall(self.anchor.1.0 + at.since(self.anchor.0))
    }

    /// The same of venue milliseconds, which may lie before the journal began.
    pub fn wall_of(&self, ms: i64) -> Wall {
        Wall(self.anchor.1.0.saturating_add(ms.saturating_sub(self.anchor.0.0 as i64)))
    }

    /// Venue milliseconds of a wall time by the latest anchor; negative before the journal began.
    pub fn venue_ms(&self, wall: Wall) -> i64 {
        self.anchor.0.0 as i64 + wall.0.saturating_sub(self.anchor.1.0)
    }

    pub fn venue(&self, wall: Wall) -> Venue {
        Venue(self.venue_ms(wall).max(0) as u64)
    }

    /// The file's word. Once the journal has said something, only what is new counts.
    pub fn merge(&mut self, setup: &Setup) {
        if setup.timezone.is_some() {
            // decides nothing: whoever writes it right is shown right
            self.setup.timezone.clone_from(&setup.timezone);
        }
        if !self.set {
            self.setup.event.clone_from(&setup.event);
            self.setup.regulations = setup.regulations.clone();
            self.setup.mode = setup.mode;
            self.setup.start_by = setup.start_by;
            self.setup.variant = setup.variant;
        } else {
            self.note_differences(setup);
        }
        for clock in &setup.clocks {
            self.clocks.entry(*clock).or_default();
        }
        for table in &setup.tables {
            self.tables.entry(table.number).or_insert_with(|| (table.clone(), None));
            if let Some(clock) = table.clock {
                self.clocks.entry(clock).or_default().table.get_or_insert(table.number);
            }
        }
        for team in &setup.teams {
            if !self.setup.teams.iter().any(|known| known.number == team.number) {
                self.setup.teams.push(team.clone());
            }
        }
        for round in &setup.rounds {
            let entry = self.rounds.entry(round.number).or_insert_with(|| Round {
                number: round.number,
                planned: round.planned,
                ..Round::default()
            });
            if entry.loaded {
                continue;
            }
            for board in &round.boards {
                if self.find(round.number, &board.board).is_none() {
                    self.add_board(round.number, board);
                }
            }
        }
        self.set = true;
    }

    fn note_differences(&mut self, setup: &Setup) {
        self.differences.clear();
        let mut say = |zh: String, en: String| self.differences.push(flagfall_arbiter::Text { zh, en });
        for (old, new) in self.setup.regulations.values().into_iter().zip(setup.regulations.values()) {
            if old.now != new.now {
                say(
                    format!("规程值 {}：日志为 {}，文件为 {}，以日志为准", old.key, old.now, new.now),
                    format!(
                        "{}: the journal says {}, the file {}; the journal counts",
                        old.key, old.now, new.now
                    ),
                );
            }
        }
        for table in &setup.tables {
            if let Some((known, _)) = self.tables.get(&table.number)
                && known != table
            {
                say(
                    format!("{} 号桌：日志与文件不同，以日志为准", table.number),
                    format!("table {}: journal and file differ; the journal counts", table.number),
                );
            }
        }
        for round in &setup.rounds {
            if self.rounds.get(&round.number).is_some_and(|round| round.loaded) && !round.boards.is_empty() {
                let number = round.number;
                say(
                    format!("第 {number} 轮：对阵已另行导入，文件中的对阵不算"),
                    format!("round {number}: its boards came by round.load; those of the file do not count"),
                );
                continue;
            }
            for board in &round.boards {
                let known = self.rounds.get(&round.number).and_then(|r| r.boards.get(&board.board));
                if let Some(ix) = known
                    && self.boards[ix.0].setup != *board
                {
                    say(
                        format!("第 {} 轮第 {} 台：日志与文件不同，以日志为准", round.number, board.board),
                        format!(
                            "round {} board {}: journal and file differ; the journal counts",
                            round.number, board.board
                        ),
                    );
                }
            }
        }
    }

    /// The clock of a board now: its own, or its table's.
    pub fn clock_of(&self, ix: BoardIx) -> Option<ClockId> {
        let board = &self.boards[ix.0];
        if let Some(own) = board.clock {
            return (self.clocks.get(&own)?.board == Some(ix)).then_some(own);
        }
        let (table, serves) = self.tables.get(&board.setup.table?)?;
        (*serves == Some(ix)).then_some(table.clock)?
    }

    /// Whether two boards play at the same table, or by the same clock where they have none.
    pub fn same_place(&self, one: BoardIx, other: BoardIx) -> bool {
        let (one, other) = (&self.boards[one.0].setup, &self.boards[other.0].setup);
        match one.table {
            Some(_) => one.table == other.table,
            None => one.clock.is_some() && one.clock == other.clock,
        }
    }

    /// The clock that stands at a board's place, whichever board it serves now.
    pub fn stands_at(&self, ix: BoardIx) -> Option<ClockId> {
        let board = &self.boards[ix.0];
        board.clock.or_else(|| self.tables.get(&board.setup.table?)?.0.clock)
    }

    /// The board that a clock serves now.
    pub fn board_of(&self, clock: ClockId) -> Option<BoardIx> {
        let known = self.clocks.get(&clock)?;
        if let Some(ix) = known.board {
            return Some(ix);
        }
        let (table, serves) = self.tables.get(&known.table?)?;
        serves.filter(|ix| table.clock == Some(clock) && self.boards[ix.0].clock.is_none())
    }

    /// The board that the clock at this board's place serves now.
    pub fn serving(&self, ix: BoardIx) -> Option<BoardIx> {
        let board = &self.boards[ix.0];
        match board.clock {
            Some(own) => self.clocks.get(&own)?.board,
            None => self.tables.get(&board.setup.table?)?.1,
        }
    }

    /// Whether any round of the event has begun.
    pub fn begun(&self) -> bool {
        self.rounds.values().any(|round| round.started.is_some())
    }

    pub fn seen(&self, ix: BoardIx) -> Option<&Seen> {
        self.clocks.get(&self.clock_of(ix)?)?.seen.as_ref()
    }

    pub fn online(&self, ix: BoardIx) -> bool {
        self.clock_of(ix).and_then(|clock| self.clocks.get(&clock)).is_some_and(|clock| clock.online)
    }

    pub fn ix(&self, at: &At) -> Option<BoardIx> {
        self.find(at.0, &at.1)
    }

    pub fn find(&self, round: u32, board: &str) -> Option<BoardIx> {
        self.rounds.get(&round)?.boards.get(board).copied()
    }

    pub fn mode(&self) -> Mode {
        self.setup.mode
    }
}
