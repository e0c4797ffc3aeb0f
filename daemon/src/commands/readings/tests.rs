//! Each line follows the values it says it is written from, and every value that binds the players is on the page.

use super::*;
use flagfall_rules::Shape;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Values that look after the clocks and bind nobody, and the one that the page's head says.
const NOT_READ: [&str; 3] = ["low_time_ms", "still_playing_ms", "laws"];

fn line<'a>(page: &'a [Reading], key: &str) -> Vec<&'a Reading> {
    page.iter().filter(|reading| reading.keys.contains(&key)).collect()
}

/// Other values that the shape allows.
fn others(shape: &Shape, now: &Value) -> Vec<Value> {
    let all = match shape {
        Shape::Whole { low, high, .. } => {
            let now = now.as_i64().unwrap_or(*low);
            vec![json!((now + 1).min(*high)), json!(*low), json!(*high)]
        }
        Shape::Yes => vec![json!(true), json!(false)],
        Shape::Word(choices) => choices.iter().map(|choice| json!(choice.word)).collect(),
        Shape::Words(_) => ["default", "double_default"].map(|word| json!([word])).to_vec(),
        Shape::Points { .. } => vec![json!(3), json!(-0.5), json!(7.5)],
        Shape::Table(fields) => fields
            .iter()
            .map(|field| {
                let mut table = now.as_object().cloned().unwrap_or_else(|| {
                    fields.iter().map(|field| (field.name.to_owned(), json!(1))).collect()
                });
                table.insert(field.name.to_owned(), json!(7));
                Value::Object(table)
            })
            .collect(),
        Shape::Tables { .. } => vec![json!([{"moves": 3, "base_ms": 1}]), json!([{"base_ms": 9}])],
        Shape::Maybe(of) => return others(of, now),
    };
    all.into_iter().filter(|value| value != now).collect()
}

/// Under what a key counts at all.
fn under(key: &str) -> Regulations {
    let mut r = Regulations::default();
    let set: &[(&str, Value)] = match key {
        "overtime_ms" | "overtime_count" => {
            &[("kind", json!("byoyomi")), ("overtime_ms", json!(30_000)), ("overtime_count", json!(3))]
        }
        "moves" | "periods" | "periods_at" | "repeat" => {
            &[("moves", json!(40)), ("periods", json!([{"moves": 20, "base_ms": 5}]))]
        }
        _ => &[],
    };
    for (key, value) in set {
        r.set(key, value).unwrap();
    }
    r
}

#[test]
fn every_key_changes_its_line() {
    for value in Regulations::default().values() {
        let key = value.key;
        if NOT_READ.contains(&key) {
            continue;
        }
        let r = under(key);
        let plain = readings(&r);
        let before = line(&plain, key);
        assert!(!before.is_empty(), "{key} is on no line");
        let others = others(&value.shape, &r.get(key).unwrap());
        assert!(!others.is_empty(), "{key} has no other value");
        for other in others {
            let mut changed = r.clone();
            changed.set(key, &other).unwrap();
            let page = readings(&changed);
            let after = line(&page, key);
            let differs = before
                .iter()
                .zip(&after)
                .any(|(before, after)| before.zh != after.zh && before.en != after.en);
            assert!(differs, "{key} = {other} changes nothing: {:?}", after.first().map(|line| &line.en));
            // and nothing that does not name it, but what the clocks show at first
            for (old, new) in plain.iter().zip(&page) {
                let own = old.keys.contains(&key) || old.mark == "A1";
                assert!(own || old.en == new.en, "{key} = {other} changes `{}`", new.en);
            }
        }
    }
}

#[test]
fn the_letters_stand_in_order_and_every_key_exists() {
    let page = readings(&Regulations::default());
    let marks: Vec<&str> = page.iter().map(|line| line.mark).filter(|mark| !mark.is_empty()).collect();
    let letters: Vec<String> = (1..=12).map(|number| format!("A{number}")).collect();
    assert_eq!(marks, letters);
    let known: BTreeSet<_> = Regulations::default().values().into_iter().map(|value| value.key).collect();
    for key in page.iter().flat_map(|line| line.keys) {
        assert!(known.contains(key), "{key}");
    }
}

#[test]
fn what_the_event_reads_otherwise_is_marked() {
    let plain = Regulations::default();
    assert!(readings(&plain).iter().all(|line| !line.otherwise(&plain)));
    for (key, value, mark, en) in [
        ("increment_on_first_move", json!(true), "A1", "clocks show 50:15"),
        ("unless_cannot_win", json!(true), "A2", "unless the opponent cannot win"),
        ("both_late", json!("split"), "A3", "split between them"),
        ("default_reference", json!("own_clock"), "A4", "own clock"),
        ("default_boundary", json!("at"), "A5", "at the default time itself is late"),
        ("automatic", json!(["time_forfeit", "default"]), "A6", "without an arbiter's word"),
        ("recording_exempt_by", json!("itself"), "A8", "he need not record"),
        ("pooled_fouls", json!(true), "A9", "count together"),
        ("event_fouls", json!("once"), "A10", "the first 3 fouls"),
        ("draw_ban_from", json!("after"), "A11", "from round 21 on"),
        ("natural_limit_excess", json!("ply"), "A12", "one side's move"),
    ] {
        let mut r = plain.clone();
        r.set(key, &value).unwrap();
        let page = readings(&r);
        let marked: Vec<&Reading> = page.iter().filter(|line| line.otherwise(&r)).collect();
        assert_eq!(marked.len(), 1, "{key}");
        assert_eq!(marked[0].mark, mark);
        assert!(marked[0].en.contains(en), "{}", marked[0].en);
        r.laws = Laws::Fide;
        assert!(readings(&r).iter().all(|line| !line.otherwise(&r)), "the letters are about 2012");
    }
}

#[test]
fn nothing_is_left_to_the_arbiters_that_a_value_decides() {
    for set in flagfall_rules::PROFILES {
        let (r, _) = crate::config::built_in(*set);
        for line in readings(&r) {
            assert!(
                !line.en.contains("the program does not") && !line.zh.contains("程序不计算"),
                "{}",
                line.en
            );
            assert!(
                !line.en.contains("  ") && line.en.ends_with('.') && line.zh.ends_with('。'),
                "{}",
                line.en
            );
        }
    }
    let fide = crate::config::built_in(flagfall_rules::BuiltIn::named("fide-standard").unwrap()).0;
    let page = readings(&fide);
    let press = line(&page, "early_press")[0];
    assert_eq!(
        (press.article, press.en.as_str()),
        (
            "7.5.3",
            "A press before moving: 2:00 more for the opponent, number 2 of a game loses it; after either the times \
             are left as they are."
        )
    );
}
