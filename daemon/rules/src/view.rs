//! The state as people and programs see it.

mod board;

use crate::state::{self, State};
use crate::{Regulations, Venue};
use flagfall_arbiter::{
    Audience, BoardView, ChangedValue, ClockView, HeldMatch, IncidentState, Placed, RoundSnapshot, RoundView,
    Ruling, RulingState, Snapshot, WalkView,
};

pub(crate) fn snapshot(s: &State, audience: Audience) -> Snapshot {
    let desk = audience == Audience::Desk;
    let shown = shown_rounds(s);
    Snapshot {
        event: s.setup.event.clone(),
        timezone: s.setup.timezone.clone().unwrap_or_else(|| "UTC".to_owned()),
        regulations: s.setup.regulations.profile.name.clone(),
        regulations_changed: changed(&s.setup.regulations),
        values: s.setup.regulations.by_key(),
        variant: match s.setup.variant {
            crate::Variant::Xiangqi => "xiangqi".to_owned(),
            crate::Variant::Chess => "chess".to_owned(),
        },
        mode: s.mode().as_str().to_owned(),
        rounds: rounds(s, audience),
        boards: board::of_rounds(s, &shown, audience),
        clocks: if desk { clocks(s) } else { Vec::new() },
        incidents: s
            .incidents
            .values()
            .filter(|placed| desk && placed.it.state == IncidentState::Open)
            .map(|placed| {
                let (round, board) = place(s, placed);
                Placed { round, board, it: placed.it.clone() }
            })
            .collect(),
        rulings: rulings(s, &shown, audience),
        tasks: s
            .tasks
            .values()
            .filter(|placed| desk && !placed.it.done)
            .map(|placed| {
                let (round, board) = place(s, placed);
                Placed { round, board, it: placed.it.clone() }
            })
            .collect(),
        walk: s.walk.as_ref().filter(|_| desk).map(|walk| WalkView {
            by: walk.by.clone(),
            from: walk.from,
            next: walk.next,
            to: walk.to,
        }),
        differences: if desk { s.differences.clone() } else { Vec::new() },
    }
}

/// A round as everybody who may see it: whichever, loaded or closed.
pub(crate) fn round(s: &State, at: Venue, number: u32, audience: Audience) -> RoundSnapshot {
    RoundSnapshot {
        round: number,
        now: s.wall(at),
        head: s.head,
        rounds: rounds(s, audience),
        boards: board::of_rounds(s, &[number], audience),
        rulings: rulings(s, &[number], audience),
    }
}

/// The boards that are shown by themselves.
pub(crate) fn boards(s: &State, audience: Audience) -> Vec<BoardView> {
    board::of_rounds(s, &shown_rounds(s), audience)
}

fn place<T>(s: &State, placed: &state::Placed<T>) -> (Option<u32>, Option<String>) {
    match placed.board {
        Some(ix) => (Some(s.boards[ix.0].round), Some(s.boards[ix.0].name.clone())),
        None => (placed.round, None),
    }
}

fn rounds(s: &State, audience: Audience) -> Vec<RoundView> {
    let held = |round: &state::Round| {
        let held = round.held.iter();
        let shown = held.map(|(match_no, (until, reason))| HeldMatch {
            match_no: *match_no,
            until: s.wall(*until),
            reason: reason.clone().filter(|_| audience == Audience::Desk),
        });
        shown.collect()
    };
    let rounds = s.rounds.values();
    let shown = rounds.map(|round| RoundView {
        number: round.number,
        planned: round.planned,
        started: round.started.map(|ms| s.wall_of(ms)),
        paused: round.paused.is_some(),
        boards: round.order.len() as u32,
        closed: round.closed,
        held: held(round),
    });
    shown.collect()
}

/// The rulings of these rounds, and those of none.
fn rulings(s: &State, rounds: &[u32], audience: Audience) -> Vec<Placed<Ruling>> {
    let desk = audience == Audience::Desk;
    let shown = s.rulings.values().filter(|placed| {
        let announced = placed.it.announced && placed.it.state != RulingState::Proposed;
        placed.round.is_none_or(|round| rounds.contains(&round)) && (desk || announced)
    });
    let told = shown.map(|placed| {
        let (round, board) = place(s, placed);
        let it = if desk { placed.it.clone() } else { placed.it.for_all() };
        Placed { round, board, it }
    });
    told.collect()
}

fn changed(regulations: &Regulations) -> Vec<ChangedValue> {
    let keys = regulations.profile.changed.iter();
    let changed = |key: &String| Some(ChangedValue { key: key.clone(), value: regulations.get(key)? });
    keys.filter_map(changed).collect()
}

/// Rounds that are open, or the lowest loaded one.
fn shown_rounds(s: &State) -> Vec<u32> {
    let open: Vec<u32> = s
        .rounds
        .values()
        .filter(|round| round.started.is_some() && !round.closed)
        .map(|round| round.number)
        .collect();
    if open.is_empty() {
        s.rounds
            .values()
            .find(|round| !round.closed && !round.order.is_empty())
            .map(|r| r.number)
            .into_iter()
            .collect()
    } else {
        open
    }
}

fn clocks(s: &State) -> Vec<ClockView> {
    s.clocks
        .iter()
        .map(|(id, clock)| ClockView {
            clock: *id,
            table: clock.table,
            online: clock.online,
            heard: clock.heard.map(|at| s.wall(at)),
            battery_pct: clock.battery,
        })
        .collect()
}
