//! Tables and set-up: a walk along the row binds each clock to its table. Nothing is typed: the lever says
//! which clock it is, the clock then shows which table it has.

use crate::board::BoardIx;
use crate::change::{Change, Walk};
use crate::turn::{Turn, When};
use crate::{Observation, Order, Who};
use flagfall_arbiter::{Assigned, Audience, News, Notice, Refused};
use flagfall_clock::{Action, ClockEvent, ClockId, Side};
use serde_json::{Value, json};
use std::borrow::Cow;

/// From one table to the next it takes less than this; a walk forgotten must not bind what players
/// press before their round, in milliseconds.
pub(crate) const LASTS_MS: u64 = 120_000;

/// No hall has more tables.
const MOST_TABLES: u32 = 9_999;

impl Turn<'_> {
    /// From now on each clock whose lever is pressed is bound to the next table.
    pub(crate) fn setup_walk(
        &mut self,
        who: &Who,
        from: Option<u32>,
        to: Option<u32>,
        first_side: Option<Side>,
        stop: bool,
    ) -> Result<Value, Refused> {
        if stop {
            let Some(walk) = self.s.walk.clone() else {
                return Err(Refused::new(Refused::STATE, "nobody walks along the tables"));
            };
            self.walk_over("told to end");
            return Ok(json!({ "bound": walk.bound.len(), "next": walk.next }));
        }
        let seated = self.s.boards.iter().filter_map(|board| board.setup.table);
        let known: Vec<u32> = self.s.tables.keys().copied().chain(seated).collect();
        let from = from.or(known.iter().copied().min()).unwrap_or(1);
        let Some(to) = to.or(known.iter().copied().max()) else {
            return Err(Refused::new(
                Refused::PARAMS,
                "setup.walk: no table is known yet; say `to_table`, the last one of the row",
            ));
        };
        if from == 0 || to < from || to > MOST_TABLES {
            return Err(Refused::new(
                Refused::PARAMS,
                format!(
                    "setup.walk: from table {from} to table {to} there is no way; tables are 1 to {MOST_TABLES}"
                ),
            ));
        }
        let next = self.next_to_bind(from, to);
        if next > to {
            return Err(Refused::new(
                Refused::STATE,
                format!("setup.walk: games are on at all tables from {from} to {to}"),
            ));
        }
        let walk =
            Walk { by: who.name.clone(), from, next, to, first_side, since: self.at, bound: Vec::new() };
        self.change(Change::Walk(Some(walk)));
        Ok(json!({ "from_table": from, "to_table": to, "next": next, "tables": to - from + 1 }))
    }

    /// The walk is over; what was bound stays bound.
    pub(crate) fn walk_over(&mut self, why: &str) {
        let Some(walk) = self.s.walk.clone() else { return };
        self.change(Change::Walk(None));
        let (bound, all) = (walk.bound.len(), walk.to - walk.from + 1);
        let message = match walk.next {
            next if next > walk.to && bound as u32 == all => {
                format!("{all} clocks stand at tables {} to {}", walk.from, walk.to)
            }
            next if next > walk.to => {
                format!(
                    "{bound} clocks are bound at tables {} to {}; at the others games are on",
                    walk.from, walk.to
                )
            }
            next => format!("the walk ended before table {next}: {why}; {bound} of {all} clocks are bound"),
        };
        let news = News::Notice(Notice { kind: Cow::Borrowed("walk_over"), message });
        self.tell_hall(Audience::Desk, None, self.s.wall(self.at), news);
    }

    /// A lever was pressed on a walk: the clock is bound to the next table. Such a press is nothing else.
    /// A clock that `ran` before is one on which somebody plays, whether or not his round was said to begin.
    pub(crate) fn walked(&mut self, observation: &Observation, ran: bool) -> bool {
        let pressed = matches!(
            observation.report.event,
            Some(
                ClockEvent::Ready { .. }
                    | ClockEvent::Press { .. }
                    | ClockEvent::IgnoredPress { .. }
                    | ClockEvent::Start { .. }
            )
        );
        let Some(walk) = self.s.walk.clone().filter(|_| pressed && observation.live) else { return false };
        let clock = observation.report.clock;
        if ran || self.plays(clock) {
            return false;
        }
        if walk.bound.contains(&clock) {
            // pressed twice; what starts it then is a game
            return !matches!(observation.report.event, Some(ClockEvent::Start { .. }));
        }
        // a game may have begun there meanwhile
        let table = self.next_to_bind(walk.next, walk.to);
        if table > walk.to {
            self.change(Change::Walk(Some(Walk { next: table, ..walk })));
            self.walk_over("");
            return false;
        }
        let known = self.s.tables.get(&table).map(|(table, _)| table.first_side);
        let first_side = walk.first_side.or(known).unwrap_or(Side::Left);
        let assigned = Assigned { table: Some(table), clock, first_side, by: walk.by.clone(), carried: None };
        let next = self.next_to_bind(table + 1, walk.to);
        let mut bound = walk.bound.clone();
        bound.push(clock);
        self.change(Change::Walk(Some(Walk { next, since: self.at, bound, ..walk.clone() })));
        self.tell_table(When::exactly(observation.happened), News::Assigned(assigned));
        if observation.report.running.is_some() {
            self.out.orders.push(Order { clock, action: Action::Stop });
        }
        if let Ok(number) = u16::try_from(table) {
            self.out.orders.push(Order { clock, action: Action::Show { number } });
        }
        if next > walk.to {
            self.walk_over("");
        }
        true
    }

    /// The first table from there on at which no game is on: a game keeps its table's clock.
    fn next_to_bind(&self, from: u32, to: u32) -> u32 {
        let plays = |table: &u32| {
            let serves = self.s.tables.get(table).and_then(|(_, serves)| *serves);
            serves.is_some_and(|ix| self.in_play(ix))
        };
        (from..=to).find(|table| !plays(table)).unwrap_or(to + 1)
    }

    /// Whether a game is on at this clock.
    fn plays(&self, clock: ClockId) -> bool {
        self.s.board_of(clock).is_some_and(|ix| self.in_play(ix))
    }

    /// Whether a game is on at this board.
    pub(crate) fn in_play(&self, ix: BoardIx) -> bool {
        let board = self.board(ix);
        board.started.is_some() && !board.decided() && self.round_started(ix)
    }
}
