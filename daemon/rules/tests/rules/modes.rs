//! The mode is turned in mid-event and nothing is lost.

use crate::hall::{Hall, playing};
use flagfall_arbiter::{IncidentKind, RulingKind, RulingState};
use flagfall_clock::By;
use flagfall_rules::{Mode, Regulations, StartBy};
use serde_json::json;

#[test]
fn what_happened_while_only_facts_were_kept_is_asked_about_afterwards() {
    let mut hall = Hall::with(4, Regulations::default(), StartBy::Players, Mode::Observe);
    hall.round_starts();
    for board in 1..=3 {
        hall.start(board);
        hall.press(board);
        hall.press(board);
    }
    hall.stop(2, By::Button);
    hall.ask("round.absent", json!({ "players": [{ "board": "4", "player": "second" }] })).unwrap();
    hall.flag(1);
    assert!(hall.incidents().is_empty() && hall.rulings().is_empty(), "facts only");
    hall.ask("event.mode", json!({ "mode": "act" })).unwrap();
    let flag = hall.ruling(RulingKind::TimeForfeit);
    assert_eq!(flag.state, RulingState::Proposed);
    assert!(flag.grounds.remarks.iter().any(|remark| remark.contains("only observed")));
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
    assert_eq!(hall.ruling(RulingKind::Default).state, RulingState::Proposed);
    // the other chair of that board was never taken either, as its clock shows
    hall.seconds(1);
    assert_eq!(hall.ruling(RulingKind::DoubleDefault).state, RulingState::Proposed);
    hall.recovers();
}

#[test]
fn turning_to_observe_leaves_open_what_is_open() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    hall.ask("event.mode", json!({ "mode": "observe", "reason": "trial" })).unwrap();
    assert_eq!(hall.open(IncidentKind::UnexplainedStop).len(), 1);
    hall.ask("stop.explain", json!({ "board": "1", "cause": "accident" })).unwrap();
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty());
    hall.ask("event.mode", json!({ "mode": "assist" })).unwrap();
    assert!(hall.open(IncidentKind::UnexplainedStop).is_empty(), "what was explained is not asked again");
    assert!(hall.rulings().is_empty());
    hall.recovers();
}
