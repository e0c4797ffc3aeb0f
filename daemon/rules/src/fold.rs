//! Folding: what inputs say by themselves and what was decided, taken into the state. Deciding goes through
//! here too, so that it ends in the same state as recovery. Nothing here decides.

mod board;
mod place;

use crate::board::{Pressed, Seen};
use crate::change::{Change, Stage};
use crate::state::{Before, Placed, State};
use crate::{Decision, Input, Observation, Venue};
use flagfall_arbiter::{Event, IncidentKind, IncidentState, News, Player, Request, Role};
use flagfall_clock::{ClockEvent, Kind, Side};

impl State {
    /// Takes in what an input says by itself. Gives back what the clock was like before.
    pub fn fold_input(&mut self, at: Venue, input: &Input) -> Before {
        match input {
            Input::Anchor { wall } => self.anchor = (at, *wall),
            Input::Setup(setup) => self.merge(setup),
            Input::Restarted { .. } => {
                self.journal_ok = true;
                for clock in self.clocks.values_mut() {
                    clock.online = false;
                    clock.online_since = None;
                }
                self.lose_time(None);
            }
            Input::Report(observation) => return self.take(at, observation),
            Input::Gap { clock, from_seq, to_seq } => {
                self.clocks.entry(*clock).or_default().gap = Some((*from_seq, *to_seq));
            }
            Input::Link { clock, online, by, .. } => {
                if let Some(ix) = self.board_of(*clock) {
                    self.lose_time(Some(ix));
                }
                let clock = self.clocks.entry(*clock).or_default();
                clock.line.clone_from(by);
                if clock.online != *online {
                    clock.online = *online;
                    clock.online_since = online.then_some(at);
                }
            }
            Input::Sample(readings) => {
                for reading in readings {
                    if let Some(clock) = self.clocks.get_mut(&reading.0)
                        && let Some(seen) = &mut clock.seen
                        && reading.1 >= seen.at
                    {
                        clock.heard = Some(reading.1);
                        (seen.at, seen.left_ms, seen.right_ms) = (reading.1, reading.2, reading.3);
                    }
                }
            }
            Input::Journal { ok } => self.journal_ok = *ok,
            Input::Fault { .. }
            | Input::Command { .. }
            | Input::Ask { .. }
            | Input::Refused { .. }
            | Input::Due => {}
        }
        Before::default()
    }

    fn take(&mut self, at: Venue, observation: &Observation) -> Before {
        let report = &observation.report;
        let kind = self.setup.regulations.kind;
        let place = self.board_of(report.clock);
        let clock = self.clocks.entry(report.clock).or_default();
        clock.heard = Some(at);
        if report.battery_pct.is_some() {
            clock.battery = report.battery_pct;
        }
        if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &report.event {
            clock.about = Some(about.clone());
        }
        let gap = clock.gap.take();
        let control = self.setup.regulations.time_control();
        let first_side = place.map_or(Side::Left, |ix| self.boards[ix.0].first_side);
        let given = |side: Side| match control.kind {
            Kind::SuddenDeath => Some(0),
            // a press that ends a period or meets the ceiling gives something else
            Kind::Fischer if control.periods.is_empty() && control.cap_ms.is_none() => {
                Some(i64::from(control.of(Player::at(side, first_side)).increment_ms))
            }
            _ => None,
        };
        let pressed = pressed(observation, clock.seen.as_ref(), given);
        let seen = clock.seen.replace(Seen {
            boot: report.boot,
            at: observation.happened,
            bound_ms: observation.bound_ms,
            left_ms: report.left_ms,
            right_ms: report.right_ms,
            running: report.running,
            presses: [report.left_presses, report.right_presses],
            flag: report.flag,
            kind,
        });
        clock.last = Some(observation.clone());
        if let (Some(ClockEvent::IgnoredPress { side }), Some(ix)) = (&report.event, place) {
            self.boards[ix.0].pressed_in_vain(*side);
        }
        self.keep_ledger(observation, gap.is_some());
        if let Some((side, [left, right])) = pressed
            && let Some(ix) = place
        {
            let board = &mut self.boards[ix.0];
            let times = if board.first_side == Side::Left { [left, right] } else { [right, left] };
            board.pressed = Some(Pressed { player: board.player(side), times });
        }
        Before { seen, gap }
    }

    pub fn fold_decision(&mut self, at: Venue, decision: &Decision) {
        match decision {
            Decision::Tell(event) => self.apply_event(at, event),
            Decision::Change(change) => self.apply_change(change),
        }
    }

    pub fn apply_event(&mut self, _: Venue, event: &Event) {
        self.head = event.seq;
        let happened = self.venue(event.happened);
        let ix = event.round.zip(event.board.as_deref()).and_then(|(round, board)| self.find(round, board));
        match &event.news {
            News::Incident(incident) => {
                self.last_id = self.last_id.max(incident.id);
                let round =
                    event.round.filter(|_| ix.is_none()).and_then(|round| self.rounds.get_mut(&round));
                if let Some(round) = round {
                    if incident.state == IncidentState::Open {
                        round.open.insert(incident.kind, incident.id);
                    } else if round.open.get(&incident.kind) == Some(&incident.id) {
                        round.open.remove(&incident.kind);
                    }
                }
                if incident.state == IncidentState::Open {
                    if let Some(ix) = ix
                        && !self.boards[ix.0].incidents.contains(&incident.id)
                    {
                        self.boards[ix.0].incidents.push(incident.id);
                    }
                    if incident.kind == IncidentKind::RoundStartMissing
                        && let Some(round) = event.round.and_then(|round| self.rounds.get_mut(&round))
                    {
                        round.start_asked = true;
                    }
                } else if let Some(ix) = ix {
                    let board = &mut self.boards[ix.0];
                    board.incidents.retain(|id| *id != incident.id);
                    if incident.kind == IncidentKind::ResultReversed {
                        board.looked_at = board.result.as_ref().map(|(result, _)| result.result);
                    }
                    if crate::watching::OWED.contains(&incident.kind) {
                        self.answered(ix);
                    }
                }
                let at = self.incidents.get(&incident.id).map_or(happened, |placed| placed.at);
                let it = incident.clone();
                self.incidents.insert(incident.id, Placed { at, board: ix, round: event.round, it });
            }
            News::Ruling(ruling) => {
                self.last_id = self.last_id.max(ruling.id);
                if let Some(ix) = ix {
                    let board = &mut self.boards[ix.0];
                    if !board.rulings.contains(&ruling.id) {
                        board.rulings.push(ruling.id);
                    }
                }
                let at = self.rulings.get(&ruling.id).map_or(happened, |placed| placed.at);
                self.rulings
                    .insert(ruling.id, Placed { at, board: ix, round: event.round, it: ruling.clone() });
            }
            News::RoundStarted(_) => {
                let start = self.venue_ms(event.happened);
                if let Some(round) = event.round.and_then(|round| self.rounds.get_mut(&round)) {
                    round.started = Some(start);
                    for ix in &round.order {
                        self.boards[ix.0].looked = Stage::None;
                    }
                }
            }
            News::Assigned(assigned) => match (ix, assigned.table) {
                (Some(ix), _) => self.assign(ix, assigned, happened),
                (None, Some(table)) => self.bind(table, assigned, happened),
                (None, None) => {}
            },
            News::Task(task) => {
                self.last_id = self.last_id.max(task.id);
                let it = task.clone();
                if let Some(ix) = ix {
                    let due = task.due.filter(|_| !task.done && !task.overdue).map(|due| self.venue(due));
                    let tasks = &mut self.boards[ix.0].tasks;
                    match due {
                        Some(due) => tasks.insert(task.id, due),
                        None => tasks.remove(&task.id),
                    };
                }
                self.tasks.insert(task.id, Placed { at: happened, board: ix, round: event.round, it });
            }
            News::Request(request) if request.ok => {
                let arbiters = Request::role_of(&request.method) == Some(Role::Arbiter);
                if let Some(ix) = ix.filter(|_| arbiters) {
                    self.boards[ix.0].attended = Some(happened);
                }
            }
            news => {
                if let (News::GameStarted(game), Some(ix)) = (news, ix) {
                    self.open_ledger(ix, game.player, game.by);
                }
                if let News::Foul(foul) = news {
                    self.last_id = self.last_id.max(foul.id);
                }
                if let Some(ix) = ix {
                    board::apply(&mut self.boards[ix.0], event, happened);
                }
            }
        }
    }

    pub fn apply_change(&mut self, change: &Change) {
        match change {
            Change::Mode(mode) => self.setup.mode = *mode,
            Change::Serves { board, since } => {
                if let Some(ix) = self.ix(board) {
                    self.boards[ix.0].served = *since;
                    let (table, clock) = (self.boards[ix.0].setup.table, self.boards[ix.0].clock);
                    if let Some(clock) = clock {
                        self.clocks.entry(clock).or_default().board = Some(ix);
                    } else if let Some((_, serves)) = table.and_then(|table| self.tables.get_mut(&table)) {
                        let before = serves.replace(ix);
                        self.freed(ix, before, *since);
                    }
                }
            }
            Change::Pause { round, on, at } => {
                if let Some(round) = self.rounds.get_mut(round) {
                    if *on {
                        round.paused.get_or_insert(*at);
                    } else if let Some(since) = round.paused.take() {
                        round.pauses.push((since, *at));
                    }
                }
            }
            Change::Loaded { round, at, boards } => self.load(*round, *at, boards),
            Change::Exported { round } => self.paired(*round),
            Change::Closed { round } => {
                if let Some(round) = self.rounds.get_mut(round) {
                    round.closed = true;
                }
            }
            Change::PresenceLooked { round, boards, stage } => {
                for board in boards {
                    if let Some(ix) = self.find(*round, board) {
                        self.boards[ix.0].looked = *stage;
                    }
                }
            }
            Change::MatchHeld { round, match_no, until, reason } => {
                if let Some(round) = self.rounds.get_mut(round) {
                    round.held.insert(*match_no, (*until, reason.clone()));
                    for ix in &round.order {
                        let board = &mut self.boards[ix.0];
                        if board.setup.match_no == Some(*match_no) {
                            board.looked = Stage::None;
                        }
                    }
                }
            }
            Change::Walk(walk) => self.walk.clone_from(walk),
            Change::Acted { group, seqs, act } => {
                for seq in seqs {
                    self.acts.insert(*seq, (*group, act.clone()));
                }
            }
            Change::Undone { group } => {
                self.undone.insert(*group);
            }
            Change::Chair(chair) => {
                if let Some(ix) = self.ix(&chair.at) {
                    board::change(&mut self.boards[ix.0], change);
                }
            }
            Change::Watched { board, incident, cause } => {
                if let Some(ix) = self.ix(board) {
                    self.said(ix, *incident, cause);
                }
            }
            Change::Hold { board, .. }
            | Change::Owe { board, .. }
            | Change::OweFrom { board, .. }
            | Change::TakeBack { board, .. }
            | Change::Paid { board }
            | Change::Starting { board, .. }
            | Change::Hint { board, .. }
            | Change::NewGame { board, .. }
            | Change::Renewed { board }
            | Change::Over { board, .. }
            | Change::Unlatched { board }
            | Change::SetAside { board, .. }
            | Change::Accepted { board, .. }
            | Change::Silent { board, .. }
            | Change::Idle { board, .. }
            | Change::Claimed { board, .. }
            | Change::Sides { board } => {
                if let Some(ix) = self.ix(board) {
                    board::change(&mut self.boards[ix.0], change);
                }
            }
        }
    }
}

/// A reckoning across two readings may be off by so much; what the press itself gives says it better, in milliseconds.
const NEAR_MS: i64 = 1_000;

/// Whose press a report is, and what left and right had in that instant without what it gave.
fn pressed(
    observation: &Observation,
    before: Option<&Seen>,
    given: impl Fn(Side) -> Option<i64>,
) -> Option<(Side, [i64; 2])> {
    let report = &observation.report;
    let Some(ClockEvent::Press { side }) = report.event else { return None };
    let before = before.filter(|before| before.boot == report.boot && before.running == Some(side))?;
    let mut times = [Side::Left, Side::Right].map(|side| before.reckoned(side, observation.happened));
    if let Some(given) = given(side) {
        let own = report.ms(side) - given;
        if (own - times[side as usize]).abs() <= NEAR_MS {
            times[side as usize] = own;
        }
    }
    Some((side, times))
}
