//! Who goes to look: said, seen by all, and taken back by whoever said it.

use crate::hall::{Hall, playing};
use flagfall_arbiter::{IncidentKind, Refused, Role};
use flagfall_clock::By;
use flagfall_rules::{Input, Who};
use serde_json::{Value, json};

fn ask(hall: &mut Hall, name: &str, role: Role, params: Value) -> Result<Value, Refused> {
    let who = Who { name: name.into(), role };
    let out = hall.input(Input::Ask { no: 9_999, who, method: "incident.take".into(), params });
    out.answers.into_iter().next().expect("an answer").1
}

#[test]
fn whoever_goes_there_may_say_that_he_does_not_after_all() {
    let mut hall = playing();
    hall.stop(1, By::Button);
    let id = hall.open(IncidentKind::UnexplainedStop)[0].id;
    let taken = |hall: &Hall| hall.open(IncidentKind::UnexplainedStop)[0].taken_by.clone();

    let answer = ask(&mut hall, "甲", Role::Arbiter, json!({ "id": id })).unwrap();
    assert_eq!((&answer["taken_by"], taken(&hall).as_deref()), (&json!("甲"), Some("甲")));
    let told = hall.news("incident").len();
    ask(&mut hall, "甲", Role::Arbiter, json!({ "id": id })).unwrap();
    assert_eq!(hall.news("incident").len(), told, "a second tap is told to nobody");

    let refused = ask(&mut hall, "乙", Role::Arbiter, json!({ "id": id, "leave": true })).unwrap_err();
    assert_eq!(refused.code, Refused::STATE);
    assert!(refused.message.contains("甲 goes there"), "{refused}");
    assert_eq!(taken(&hall).as_deref(), Some("甲"));

    let answer = ask(&mut hall, "甲", Role::Arbiter, json!({ "id": id, "leave": true })).unwrap();
    assert_eq!((&answer["taken_by"], taken(&hall)), (&json!(null), None));
    hall.recovers();

    // another goes; the chief sends him elsewhere
    ask(&mut hall, "乙", Role::Arbiter, json!({ "id": id })).unwrap();
    ask(&mut hall, "长", Role::Chief, json!({ "id": id, "leave": true })).unwrap();
    assert_eq!(taken(&hall), None);
    ask(&mut hall, "甲", Role::Arbiter, json!({ "id": id, "leave": true })).unwrap();
    hall.ask("stop.explain", json!({ "board": "1", "cause": "hall" })).unwrap();
    let refused = ask(&mut hall, "甲", Role::Arbiter, json!({ "id": id, "leave": true })).unwrap_err();
    assert_eq!(refused.message, format!("incident {id} is closed"));
    hall.recovers_at_every_step();
}
