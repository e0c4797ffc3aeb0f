//! Recovery folds decisions; replay decides again and agrees.

use crate::hall::Hall;
use flagfall_clock::By;
use serde_json::json;

fn eventful() -> Hall {
    let mut hall = Hall::new(4);
    hall.round_starts();
    hall.ask("round.absent", json!({ "players": [{ "board": "4", "player": "first" }], "complete": true }))
        .unwrap();
    hall.start(1);
    hall.start(2);
    hall.seconds(30);
    hall.press(1);
    hall.stop(2, By::Button);
    hall.ask("stop.explain", json!({ "board": "2", "cause": "without_cause", "offender": "second" }))
        .unwrap();
    let id = hall.rulings()[0].id;
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    hall.obey(2);
    hall.ask("board.resume", json!({ "board": "2" })).unwrap();
    hall.seconds(60);
    hall.start(3);
    hall.press(3);
    hall.ask("board.adjust", json!({ "board": "1", "player": "first", "delta_ms": 5 })).unwrap_err();
    hall.flag(1);
    hall.seconds(1_000);
    hall
}

#[test]
fn folding_gives_the_state_back_at_every_step() {
    eventful().recovers_at_every_step();
}

#[test]
fn inputs_and_decisions_survive_the_journal() {
    for (_, input, decisions) in eventful().log {
        let text = serde_json::to_string(&input).unwrap();
        assert_eq!(serde_json::from_str::<flagfall_rules::Input>(&text).unwrap(), input, "{text}");
        for decision in decisions {
            let text = serde_json::to_string(&decision).unwrap();
            assert_eq!(serde_json::from_str::<flagfall_rules::Decision>(&text).unwrap(), decision, "{text}");
        }
    }
}

#[test]
fn a_late_or_repeated_look_changes_nothing() {
    let mut hall = eventful();
    let head = hall.events.len();
    for _ in 0..3 {
        hall.input(flagfall_rules::Input::Due);
    }
    assert_eq!(hall.events.len(), head);
}
