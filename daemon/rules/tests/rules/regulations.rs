//! The values of the regulations: by key, in journals of earlier versions, and in the snapshot.

use crate::hall::playing_under;
use flagfall_arbiter::{Audience, ChangedValue};
use flagfall_rules::{PROFILES, Profile, Regulations, Shape};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn every_value_is_got_and_set_by_its_key() {
    let plain = Regulations::default();
    for value in plain.values() {
        let mut other = plain.clone();
        let now = plain.get(value.key).unwrap();
        other.set(value.key, &now).unwrap();
        assert_eq!(other, plain, "{}", value.key);
        let wrong = other.set(value.key, &json!([["no"]])).unwrap_err().to_string();
        assert!(wrong.contains(value.key), "{wrong}");
        assert_eq!(other, plain, "{}: refused, so nothing is changed", value.key);
        // each word of a shape is one that the key takes
        let list = matches!(value.shape, Shape::Words(_));
        for choice in value.shape.choices() {
            let word = if list { json!([choice.word]) } else { json!(choice.word) };
            other.set(value.key, &word).unwrap();
            assert_eq!(other.get(value.key), Some(word));
        }
    }
    assert!(Regulations::default().set("base_m", &json!(1)).is_err());
    assert_eq!(plain.get("base_m"), None);
}

#[test]
fn the_defaults_contradict_nothing_and_keys_and_names_are_there_once() {
    let plain = Regulations::default();
    assert_eq!((plain.contradictions(), plain.doubts()), (vec![], vec![]));
    let keys: BTreeSet<_> = plain.values().into_iter().map(|value| value.key).collect();
    assert_eq!(keys.len(), plain.values().len());
    let names: BTreeSet<_> = PROFILES.iter().map(|set| set.name).collect();
    assert_eq!(names.len(), PROFILES.len());
}

/// As the first version of the journal wrote them.
const BEFORE: &str = r#"{"kind":"fischer","base_ms":3600000,"increment_ms":30000,"increment_on_first_move":false,
"flag_at":"zero","freeze_on_flag":true,"first":null,"second":{"base_ms":1,"increment_ms":2},"default_ms":600000,
"default_boundary":"after","both_late":"own_lateness","player_may_stop":false,"unexplained_stop":"ask","stop_foul":1,
"stop_deduct_ms":300000,"start_foul":1,"start_deduct_ms":0,"stop_unprovable":"ask","provable_within_ms":2000,
"recording_exempt_ms":180000,"still_playing_ms":1200000,"natural_limit_rounds":60,"natural_limit_checks":10,
"false_claim_foul":1,"false_claim_deduct_ms":300000,"pooled_fouls":false,"automatic":["time_forfeit"],
"public_result":"signed"}"#;

#[test]
fn a_journal_of_an_earlier_version_is_read_and_what_it_lacks_is_the_default() {
    let read: Regulations = serde_json::from_str(BEFORE).unwrap();
    assert_eq!((read.base_ms, read.default_ms), (3_600_000, 600_000));
    assert_eq!(read.second.map(|times| times.base_ms), Some(1));
    let plain = Regulations::default();
    assert_eq!((read.draw_ban_rounds, read.early_press), (plain.draw_ban_rounds, plain.early_press));
    assert_eq!(read.profile.name, "wugong-2012");
    let again: Regulations = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(again, read);
}

#[test]
fn the_snapshot_names_the_set_in_force_and_what_the_event_changed() {
    let profile =
        Profile { name: "ours".to_owned(), changed: vec!["base_ms".to_owned(), "first".to_owned()] };
    let hall = playing_under(Regulations { profile, base_ms: 600_000, ..Regulations::default() });
    for audience in [Audience::Desk, Audience::Public] {
        let snapshot = hall.rules.snapshot(audience);
        assert_eq!(snapshot.regulations, "ours");
        let changed = |key: &str, value| ChangedValue { key: key.to_owned(), value };
        assert_eq!(
            snapshot.regulations_changed,
            [changed("base_ms", json!(600_000)), changed("first", json!(null))]
        );
    }
    let plain = playing_under(Regulations::default()).rules.snapshot(Audience::Desk);
    assert_eq!(plain.regulations, "wugong-2012");
    assert!(serde_json::to_value(&plain).unwrap().get("regulations_changed").is_none(), "nothing changed");
}
