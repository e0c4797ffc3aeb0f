//! Folding: what inputs say by themselves and what was decided, taken into the state. Deciding goes through
//! here too, so that it ends in the same state as recovery. Nothing here decides.

use crate::board::{Board, BoardIx, Hold, Owed, Seen, Stop, There};
use crate::change::{Change, Stage};
use crate::state::{Before, Placed, State};
use crate::{Decision, Input, Observation, TableSetup, Venue};
use flagfall_arbiter::{Event, Exemption, IncidentState, News, PresenceState, Request, Role, Status};
use flagfall_clock::ClockEvent;

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
            }
            Input::Report(observation) => return self.take(at, observation),
            Input::Gap { clock, from_seq, to_seq } => {
                self.clocks.entry(*clock).or_default().gap = Some((*from_seq, *to_seq));
            }
            Input::Link { clock, online, by, .. } => {
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
        let clock = self.clocks.entry(report.clock).or_default();
        clock.heard = Some(at);
        if report.battery_pct.is_some() {
            clock.battery = report.battery_pct;
        }
        if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &report.event {
            clock.about = Some(about.clone());
        }
        let gap = clock.gap.take();
        let seen = clock.seen.replace(Seen {
            boot: report.boot,
            at: observation.happened,
            bound_ms: observation.bound_ms,
            left_ms: report.left_ms,
            right_ms: report.right_ms,
            running: report.running,
            presses: [report.left_presses, report.right_presses],
            flag: report.flag,
        });
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
                    if incident.kind == flagfall_arbiter::IncidentKind::RoundStartMissing
                        && let Some(round) = event.round.and_then(|round| self.rounds.get_mut(&round))
                    {
                        round.start_asked = true;
                    }
                } else if let Some(ix) = ix {
                    self.boards[ix.0].incidents.retain(|id| *id != incident.id);
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
                self.tasks.insert(task.id, Placed { at: happened, board: ix, round: event.round, it });
            }
            News::Request(request) if request.ok => {
                let arbiters = Request::role_of(&request.method) == Some(Role::Arbiter);
                if let Some(ix) = ix.filter(|_| arbiters) {
                    self.boards[ix.0].attended = Some(happened);
                }
            }
            news => {
                if let News::Foul(foul) = news {
                    self.last_id = self.last_id.max(foul.id);
                }
                if let Some(ix) = ix {
                    apply_to_board(&mut self.boards[ix.0], event, happened);
                }
            }
        }
    }

    /// A clock takes its place at a board: at the board's table, for the rounds to come as well, or at the
    /// board alone where it has no table.
    fn assign(&mut self, ix: BoardIx, assigned: &flagfall_arbiter::Assigned, at: Venue) {
        let clock = assigned.clock;
        for (table, _) in self.tables.values_mut() {
            if table.clock == Some(clock) {
                table.clock = None;
            }
        }
        let own = self.boards[ix.0].clock;
        let table = self.boards[ix.0].setup.table.filter(|_| own.is_none());
        let mut old = own;
        let new = self.clocks.entry(clock).or_default();
        if let Some(number) = table {
            (new.table, new.board) = (Some(number), None);
            // a list may name a table that no clock stood on yet
            let (table, serves) = self.tables.entry(number).or_insert_with(|| {
                (crate::TableSetup { number, clock: None, first_side: assigned.first_side }, None)
            });
            old = table.clock.replace(clock);
            table.first_side = assigned.first_side;
            *serves = Some(ix);
        } else {
            (new.table, new.board) = (None, Some(ix));
            self.boards[ix.0].clock = Some(clock);
        }
        if let Some(old) = old.filter(|old| *old != clock).and_then(|old| self.clocks.get_mut(&old)) {
            (old.table, old.board) = (None, None);
        }
        let board = &mut self.boards[ix.0];
        board.first_side = assigned.first_side;
        board.served = at;
        board.carried = board.started.is_some();
        board.flag = None;
        board.suspected = false;
    }

    /// A clock stands at a table from now on, whichever board that serves.
    fn bind(&mut self, number: u32, assigned: &flagfall_arbiter::Assigned, at: Venue) {
        let clock = assigned.clock;
        for (table, _) in self.tables.values_mut() {
            if table.clock == Some(clock) {
                table.clock = None;
            }
        }
        if !self.tables.contains_key(&number) {
            let serves = self.first_at(number);
            let new = TableSetup { number, clock: None, first_side: assigned.first_side };
            self.tables.insert(number, (new, serves));
        }
        let Some((table, serves)) = self.tables.get_mut(&number) else { return };
        table.first_side = assigned.first_side;
        let (old, serves) = (table.clock.replace(clock), *serves);
        if let Some(old) = old.filter(|old| *old != clock).and_then(|old| self.clocks.get_mut(&old)) {
            old.table = None;
        }
        let new = self.clocks.entry(clock).or_default();
        (new.table, new.board) = (Some(number), None);
        for board in &mut self.boards {
            let here = board.setup.table == Some(number)
                && board.clock.is_none()
                && board.setup.first_side.is_none();
            if here && board.started.is_none() && !board.decided() {
                board.first_side = assigned.first_side;
            }
        }
        if let Some(ix) = serves {
            self.boards[ix.0].served = at;
        }
    }

    /// The first board of a round that is not closed at this table.
    fn first_at(&self, table: u32) -> Option<BoardIx> {
        let rounds = self.rounds.values().filter(|round| !round.closed);
        rounds.flat_map(|round| round.order.iter()).copied().find(|ix| {
            let board = &self.boards[ix.0];
            board.setup.table == Some(table) && board.clock.is_none() && !board.decided()
        })
    }

    /// A table serves this board: if another round's game had kept it from its own round's start, its
    /// players are late from now on only.
    fn freed(&mut self, ix: BoardIx, before: Option<BoardIx>, since: Venue) {
        let round = self.boards[ix.0].round;
        let kept = before.is_some_and(|before| before != ix && self.boards[before.0].round < round);
        let began = self.rounds.get(&round).and_then(|round| round.started);
        if kept && began.is_some_and(|began| began < since.0 as i64) {
            self.boards[ix.0].free_from = Some(since);
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
            Change::Hold { board, .. }
            | Change::Owe { board, .. }
            | Change::OweFrom { board, .. }
            | Change::Paid { board }
            | Change::Starting { board, .. }
            | Change::Hint { board, .. }
            | Change::NewGame { board, .. }
            | Change::Over { board, .. }
            | Change::Unlatched { board }
            | Change::SetAside { board, .. }
            | Change::Accepted { board, .. }
            | Change::Silent { board, .. }
            | Change::Claimed { board, .. }
            | Change::Sides { board } => {
                if let Some(ix) = self.ix(board) {
                    change_board(&mut self.boards[ix.0], change);
                }
            }
        }
    }
}

fn change_board(board: &mut Board, change: &Change) {
    match change {
        Change::Hold { by, on: true, at, ran, .. } => {
            board.holds.push(Hold { by: *by, from: *at, to: None, ran: *ran });
        }
        Change::Hold { by, on: false, at, .. } => {
            for hold in board.holds.iter_mut().filter(|hold| hold.by == *by && hold.to.is_none()) {
                hold.to = Some(*at);
            }
        }
        Change::Owe { delta, .. } => {
            let owed = board.owed.get_or_insert(Owed { delta: [0; 2], from: None });
            owed.delta = [owed.delta[0] + delta[0], owed.delta[1] + delta[1]];
            owed.from =
                owed.from.map(|(shown, target)| (shown, [target[0] + delta[0], target[1] + delta[1]]));
        }
        Change::OweFrom { shown, target, .. } => {
            if let Some(owed) = &mut board.owed {
                owed.from = Some((*shown, *target));
            }
        }
        Change::Paid { .. } => board.owed = None,
        Change::Starting { both_late, .. } => board.starting = Some(*both_late),
        Change::Hint { player, .. } => board.there[*player as usize].hint = true,
        Change::Unlatched { .. } => {
            board.flag = None;
            board.suspected = false;
        }
        Change::SetAside { result, .. } => board.set_aside.clone_from(result),
        Change::Accepted { times, .. } => board.accepted = Some(*times),
        Change::Claimed { claim, .. } => board.claim = *claim,
        Change::Silent { turn, .. } => board.silent = Some(*turn),
        Change::NewGame { at, .. } => {
            board.served = board.served.max(*at);
            board.started = None;
            board.starting = None;
            board.flag = None;
            board.suspected = false;
            board.over = false;
            board.owed = None;
            board.corrected = None;
            board.exempt = [false; 2];
            board.granted = false;
            board.claim = None;
            board.turn = None;
            board.stops.clear();
        }
        Change::Over { on, .. } => board.over = *on,
        Change::Sides { .. } => board.first_side = board.first_side.other(),
        Change::Mode(_)
        | Change::Serves { .. }
        | Change::Pause { .. }
        | Change::Loaded { .. }
        | Change::Exported { .. }
        | Change::Closed { .. }
        | Change::PresenceLooked { .. }
        | Change::MatchHeld { .. }
        | Change::Walk(_)
        | Change::Acted { .. }
        | Change::Undone { .. } => {}
    }
}

/// It ran since: what it owes counts from what it shows when it stands again.
fn again(board: &mut Board) {
    if let Some(owed) = &mut board.owed {
        owed.from = None;
    }
}

fn apply_to_board(board: &mut Board, event: &Event, happened: Venue) {
    match &event.news {
        News::GameStarted(game) => {
            board.turn = Some(happened);
            board.started = Some(happened);
            board.both_late = game.both_late;
            board.starting = None;
            board.carried = false;
        }
        News::Stopped(stop) => {
            board.turn = None;
            board.stops.push(Stop { at: happened, by: stop.by, ordered: stop.ordered, resumed: None });
        }
        News::Resumed(resumed) => {
            board.turn = Some(happened);
            again(board);
            board.carried = false;
            if let Some(stop) = board.stops.last_mut() {
                stop.resumed = Some((resumed.by, happened, resumed.ordered));
            }
        }
        News::Press(_) => {
            again(board);
            board.turn = Some(happened);
        }
        News::Flag(flag) => board.flag = Some((flag.player, happened, event.seq)),
        News::FlagSuspected(_) => board.suspected = true,
        News::TimesChanged(changed) if changed.how == "owed" || changed.how == "adjust" => {
            board.corrected = Some(happened);
        }
        News::RecordingExempt(Exemption { player, state }) => match state {
            flagfall_arbiter::ExemptState::Available => {
                for player in player.players() {
                    board.exempt[*player as usize] = true;
                }
            }
            flagfall_arbiter::ExemptState::Granted => board.granted = true,
        },
        News::Foul(foul) => {
            *board.fouls.entry((foul.player, foul.article.to_string())).or_default() += foul.count;
        }
        News::Result(result) => {
            // of the same outcome the first saying counts: what the clock did after it is history
            let since = match &board.result {
                Some((old, since)) if old.result == result.result && old.status > Status::Claimed => *since,
                _ => happened,
            };
            board.result = (!result.withdrawn).then(|| (result.clone(), since));
            if board.decided() {
                board.claim = None;
            }
        }
        News::Presence(presence) => {
            let there: &mut There = &mut board.there[presence.player as usize];
            there.state = presence.state;
            match presence.state {
                PresenceState::Absent => {
                    there.was_absent = true;
                    there.by_silence = presence.how == "silence";
                }
                PresenceState::Present => {
                    there.arrived = Some(happened);
                    there.arrival_said = presence.how == "arrived";
                    there.by_press = presence.how == "press";
                    there.late_ms = presence.late_ms;
                }
                PresenceState::Unknown => *there = There { hint: there.hint, ..There::default() },
            }
        }
        _ => {}
    }
}
