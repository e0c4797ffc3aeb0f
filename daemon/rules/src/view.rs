//! The state as people and programs see it.

use crate::Regulations;
use crate::board::BoardIx;
use crate::state::State;
use flagfall_arbiter::{
    Audience, BoardResult, BoardView, ChangedValue, ClockView, HeldMatch, IncidentState, Placed, Player,
    PlayerView, RoundView, RulingState, Snapshot, Status, Times, WalkView,
};

pub(crate) fn snapshot(s: &State, audience: Audience) -> Snapshot {
    let desk = audience == Audience::Desk;
    let shown = shown_rounds(s);
    let place = |board: Option<BoardIx>, round: Option<u32>| match board {
        Some(ix) => (Some(s.boards[ix.0].round), Some(s.boards[ix.0].name.clone())),
        None => (round, None),
    };
    Snapshot {
        event: s.setup.event.clone(),
        regulations: s.setup.regulations.profile.name.clone(),
        regulations_changed: changed(&s.setup.regulations),
        variant: match s.setup.variant {
            crate::Variant::Xiangqi => "xiangqi".to_owned(),
            crate::Variant::Chess => "chess".to_owned(),
        },
        mode: s.mode().as_str().to_owned(),
        rounds: s
            .rounds
            .values()
            .map(|round| RoundView {
                number: round.number,
                planned: round.planned,
                started: round
                    .started
                    .map(|ms| flagfall_arbiter::Wall(s.anchor.1.0 + ms - s.anchor.0.0 as i64)),
                paused: round.paused.is_some(),
                boards: round.order.len() as u32,
                closed: round.closed,
                held: round
                    .held
                    .iter()
                    .map(|(match_no, (until, reason))| HeldMatch {
                        match_no: *match_no,
                        until: s.wall(*until),
                        reason: reason.clone().filter(|_| desk),
                    })
                    .collect(),
            })
            .collect(),
        boards: boards(s, audience),
        clocks: if desk { clocks(s) } else { Vec::new() },
        incidents: s
            .incidents
            .values()
            .filter(|placed| desk && placed.it.state == IncidentState::Open)
            .map(|placed| {
                let (round, board) = place(placed.board, placed.round);
                Placed { round, board, it: placed.it.clone() }
            })
            .collect(),
        rulings: s
            .rulings
            .values()
            .filter(|placed| {
                let announced = placed.it.announced && placed.it.state != RulingState::Proposed;
                placed.round.is_none_or(|round| shown.contains(&round)) && (desk || announced)
            })
            .map(|placed| {
                let (round, board) = place(placed.board, placed.round);
                let it = if desk { placed.it.clone() } else { placed.it.for_all() };
                Placed { round, board, it }
            })
            .collect(),
        tasks: s
            .tasks
            .values()
            .filter(|placed| desk && !placed.it.done)
            .map(|placed| {
                let (round, board) = place(placed.board, placed.round);
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

pub(crate) fn boards(s: &State, audience: Audience) -> Vec<BoardView> {
    shown_rounds(s)
        .iter()
        .filter_map(|number| s.rounds.get(number))
        .flat_map(|round| round.order.iter())
        .map(|ix| board(s, *ix, audience))
        .collect()
}

fn is_public(s: &State, result: &BoardResult) -> bool {
    let from = match s.setup.regulations.public_result {
        crate::PublicResult::Entered => Status::Entered,
        crate::PublicResult::Signed => Status::Signed,
        crate::PublicResult::Official => Status::Official,
    };
    result.status >= from
}

/// What everybody may know of a board: who plays, whether its round has begun, its result once it is
/// public. Times, flags, stops and links are the desk's: from them a ruling could be read off before an
/// arbiter has spoken.
fn public_board(s: &State, ix: BoardIx) -> BoardView {
    let board = &s.boards[ix.0];
    let result =
        board.result.as_ref().map(|(result, _)| result.clone()).filter(|result| is_public(s, result));
    let begun = s.rounds.get(&board.round).is_some_and(|round| round.started.is_some());
    let state = match (&result, begun) {
        (Some(_), _) => "finished",
        (None, true) => "playing",
        (None, false) => "waiting",
    };
    let player = |setup: &crate::PlayerSetup| PlayerView {
        name: setup.name.clone(),
        team: setup.team.clone(),
        ..PlayerView::default()
    };
    BoardView {
        round: board.round,
        board: board.name.clone(),
        table: board.setup.table,
        match_no: board.setup.match_no,
        clock: None,
        first_side: board.first_side,
        first: player(&board.setup.first),
        second: player(&board.setup.second),
        state: state.to_owned(),
        running: None,
        as_of: None,
        online: true,
        held: false,
        owes: None,
        flag: None,
        result,
    }
}

fn board(s: &State, ix: BoardIx, audience: Audience) -> BoardView {
    if audience == Audience::Public {
        return public_board(s, ix);
    }
    let board = &s.boards[ix.0];
    let seen = s.seen(ix);
    let running = seen.and_then(|seen| seen.running).map(|side| board.player(side));
    let state = if board.decided() {
        "finished"
    } else if board.flag.is_some() {
        "flag"
    } else if board.over {
        "over"
    } else if running.is_some() {
        "running"
    } else if board.started.is_some() {
        "stopped"
    } else {
        "waiting"
    };
    let player = |player: Player| {
        let setup = match player {
            Player::First => &board.setup.first,
            Player::Second => &board.setup.second,
        };
        let side = board.side(player);
        PlayerView {
            name: setup.name.clone(),
            team: setup.team.clone(),
            ms: seen.map(|seen| seen.ms(side)),
            moves: seen.map_or(0, |seen| seen.presses(side)),
            presence: board.there(player).state,
            fouls: board.fouls_of(player),
            exempt: s.is_exempt(ix, player),
        }
    };
    let result = board.result.as_ref().map(|(result, _)| result.clone());
    BoardView {
        round: board.round,
        board: board.name.clone(),
        table: board.setup.table,
        match_no: board.setup.match_no,
        clock: s.clock_of(ix),
        first_side: board.first_side,
        first: player(Player::First),
        second: player(Player::Second),
        state: state.to_owned(),
        running,
        as_of: seen.map(|seen| s.wall(seen.at)),
        online: s.online(ix),
        held: board.held(),
        owes: board
            .owed
            .as_ref()
            .and_then(|owed| owed.from)
            .map(|(_, target)| Times { first_ms: target[0], second_ms: target[1] }),
        flag: board.flag.map(|(player, _, _)| player),
        result,
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
