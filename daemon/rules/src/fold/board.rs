//! What decisions say of one board.

use crate::Venue;
use crate::board::{Board, Hold, Owed, Stop, There};
use crate::change::Change;
use flagfall_arbiter::{Event, Exemption, News, PresenceState, Status};

/// A change of one board.
pub(super) fn change(board: &mut Board, change: &Change) {
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
        Change::TakeBack { player, on, .. } => {
            let moves = &mut board.moves[*player as usize];
            *moves = if *on { moves.saturating_sub(1) } else { moves.saturating_add(1) };
            board.to_move = Some(if *on { *player } else { player.other() });
            board.recount = true;
            board.pressed = None;
        }
        Change::Paid { .. } => {
            board.owed = None;
            board.recount = false;
            board.renewed = false;
        }
        Change::Renewed { .. } => board.renewed = true,
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
        Change::Idle { turn, .. } => board.idle = Some(*turn),
        Change::Chair(chair) => {
            let there = &mut board.there[chair.player as usize];
            (there.state, there.arrived, there.late_ms) = (chair.state, chair.arrived, chair.late_ms);
            (there.by_press, there.by_silence) = (chair.by_press, chair.by_silence);
            (there.was_absent, there.arrival_said) = (chair.was_absent, chair.arrival_said);
        }
        Change::NewGame { at, .. } => {
            for there in &mut board.there {
                there.moved = None;
            }
            board.served = board.served.max(*at);
            board.started = None;
            board.starting = None;
            board.flag = None;
            board.suspected = false;
            board.over = false;
            board.owed = None;
            board.corrected = None;
            (board.exempt, board.granted, board.low) = ([None; 2], [None; 2], [false; 2]);
            board.ignored = [0; 2];
            board.claim = None;
            board.renewed = false;
            board.turn = None;
            board.moves = [0; 2];
            board.pressed = None;
            board.to_move = None;
            board.recount = false;
            board.said = None;
            board.stops.clear();
            (board.ledger, board.set_by_word) = (None, false);
            board.told.clear();
        }
        Change::Over { on, .. } => board.over = *on,
        Change::Sides { .. } => {
            board.first_side = board.first_side.other();
            board.ignored.swap(0, 1);
            if let Some(ledger) = &mut board.ledger {
                ledger.swap();
            }
        }
        Change::Mode(_)
        | Change::Serves { .. }
        | Change::Pause { .. }
        | Change::Loaded { .. }
        | Change::Exported { .. }
        | Change::Closed { .. }
        | Change::PresenceLooked { .. }
        | Change::MatchHeld { .. }
        | Change::Walk(_)
        | Change::Watched { .. }
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

/// What an event says of one board.
pub(super) fn apply(board: &mut Board, event: &Event, happened: Venue) {
    match &event.news {
        News::GameStarted(game) => {
            board.turn = Some(happened);
            board.renewed = false;
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
            // until somebody presses it is his move who was given it
            board.to_move = board.to_move.filter(|player| resumed.player == Some(*player));
            if let Some(stop) = board.stops.last_mut() {
                stop.resumed = Some((resumed.by, happened, resumed.ordered));
            }
        }
        News::Press(moved) => {
            board.there[moved.player as usize].moved.get_or_insert(happened);
            board.moves[moved.player as usize] = moved.moves;
            board.to_move = None;
            // a press that nobody reported came after the last one known, or that one is not this one
            let known = board.pressed.take().filter(|pressed| pressed.player == moved.player);
            board.pressed = known.filter(|_| !moved.derived);
            again(board);
            board.turn = Some(happened);
        }
        News::Flag(flag) => board.flag = Some((flag.player, happened, event.seq)),
        News::FlagSuspected(_) => board.suspected = true,
        News::TimesChanged(changed) if changed.how == "owed" || changed.how == "adjust" => {
            board.pressed = None;
            board.corrected = Some(happened);
        }
        News::LowTime(low) => board.low[low.player as usize] = true,
        News::RecordingExempt(Exemption { player, state }) => {
            for player in player.players() {
                let period = Some(board.period(*player));
                match state {
                    flagfall_arbiter::ExemptState::Available => board.exempt[*player as usize] = period,
                    flagfall_arbiter::ExemptState::Granted => board.granted[*player as usize] = period,
                }
            }
        }
        News::Foul(foul) => {
            crate::fouls::take_in(&mut board.lines, event, foul);
            let key = (foul.player, foul.article.to_string());
            if foul.ruling.is_none() && !foul.team {
                // one less than none: it is a ruling's own that was withdrawn by hand
                let recorded = board.recorded.entry(key.clone()).or_default();
                *recorded = recorded.saturating_add(foul.count).max(0);
            }
            let ledger = if foul.team { &mut board.team_fouls } else { &mut board.fouls };
            *ledger.entry(key).or_default() += foul.count;
            if foul.team {
                let points = foul.points.unwrap_or_default();
                let of_team = &mut board.team_points[foul.player as usize];
                match foul.count {
                    1.. => of_team.push(points),
                    0 => {}
                    _ => {
                        let own = of_team.iter().rposition(|added| *added == -points);
                        match own {
                            Some(place) => drop(of_team.remove(place)),
                            None => drop(of_team.pop()),
                        }
                    }
                }
            }
        }
        News::Result(result) => {
            // of the same outcome the first saying counts: what the clock did after it is history
            let since = match &board.result {
                Some((old, since)) if old.result == result.result && old.status > Status::Claimed => *since,
                _ => happened,
            };
            if result.status == Status::Claimed {
                board.said = (!result.withdrawn).then_some(result.result);
            } else if result.withdrawn && result.status >= Status::Signed {
                board.signed = Some(result.result);
            }
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
                PresenceState::Unknown => {
                    *there = There { hint: there.hint, moved: there.moved, ..There::default() };
                }
            }
        }
        _ => {}
    }
}
