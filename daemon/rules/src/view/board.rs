//! A board as the desk and as everybody sees it.

use crate::board::BoardIx;
use crate::state::State;
use flagfall_arbiter::{Audience, BoardResult, BoardView, ClaimView, Player, PlayerView, Status, Times};

/// The boards of these rounds, in order.
pub(super) fn of_rounds(s: &State, rounds: &[u32], audience: Audience) -> Vec<BoardView> {
    rounds
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
        late_from: None,
        default_at: None,
        battery_pct: None,
        heard: None,
        online: true,
        held: false,
        owes: None,
        flag: None,
        claim: None,
        result,
    }
}

fn board(s: &State, ix: BoardIx, audience: Audience) -> BoardView {
    if audience == Audience::Public {
        return public_board(s, ix);
    }
    let board = &s.boards[ix.0];
    let id = s.clock_of(ix);
    let clock = id.and_then(|id| s.clocks.get(&id));
    let seen = clock.and_then(|clock| clock.seen.as_ref());
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
            // of a game whose clock serves another one by now
            moves: seen.map_or(board.moves[player as usize], |seen| seen.presses(side)),
            presence: board.there(player).state,
            fouls: board.fouls_of(player),
            exempt: s.is_exempt(ix, player),
            low_time: board.low[player as usize],
            ignored: board.ignored[player as usize],
        }
    };
    let result = board.result.as_ref().map(|(result, _)| result.clone());
    BoardView {
        round: board.round,
        board: board.name.clone(),
        table: board.setup.table,
        match_no: board.setup.match_no,
        clock: id,
        first_side: board.first_side,
        first: player(Player::First),
        second: player(Player::Second),
        state: state.to_owned(),
        running,
        as_of: seen.map(|seen| s.wall(seen.at)),
        late_from: s.late_from(ix).map(|ms| s.wall_of(ms)),
        default_at: s.default_due(ix).map(|ms| s.wall_of(ms)),
        battery_pct: clock.and_then(|clock| clock.battery),
        heard: clock.and_then(|clock| clock.heard).map(|at| s.wall(at)),
        online: clock.is_some_and(|clock| clock.online),
        held: board.held(),
        owes: board
            .owed
            .as_ref()
            .and_then(|owed| owed.from)
            .map(|(_, target)| Times { first_ms: target[0], second_ms: target[1] }),
        flag: board.flag.map(|(player, _, _)| player),
        claim: board.claim.map(|claim| ClaimView { player: claim.player, kind: claim.kind }),
        result,
    }
}
