//! The list of fouls: what was withdrawn or waived stays in it and says so, and what counts of it is what the boards say.

use crate::hall::{Hall, playing};
use flagfall_arbiter::{Audience, FoulLine, Points, Refused, Wall};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn list(hall: &mut Hall, round: Option<u32>) -> Vec<FoulLine> {
    let params = round.map_or_else(|| json!({}), |round| json!({ "round": round }));
    let mut answer = hall.ask("foul.list", params).unwrap();
    serde_json::from_value(answer["fouls"].take()).unwrap()
}

/// How many of a line still count.
fn left(line: &FoulLine) -> u32 {
    line.count - line.withdrawn.as_ref().map_or(0, |withdrawn| withdrawn.count)
}

/// What counts of the list is what the boards and the standings say of each chair.
pub fn the_list_is_the_ledger(hall: &mut Hall, seed: u64) {
    for round in 1..=2 {
        let mut counted = BTreeMap::<(String, usize), i32>::new();
        for line in list(hall, Some(round)) {
            assert_eq!(line.round, round);
            let sum = counted.entry((line.board.clone(), line.player as usize)).or_default();
            *sum += if line.team_foul { 0 } else { left(&line) as i32 };
        }
        let view =
            hall.rules.round_view(flagfall_rules::Venue(hall.now), Some(round), Audience::Desk).unwrap();
        for board in view.boards {
            for (place, player) in [&board.first, &board.second].into_iter().enumerate() {
                let counted = counted.get(&(board.board.clone(), place)).copied().unwrap_or(0);
                assert_eq!(counted, player.fouls, "seed {seed}: round {round} board {} {place}", board.board);
            }
        }
    }
    let of_teams: u32 = list(hall, None).iter().filter(|line| line.team_foul).map(left).sum();
    let told = hall.events.iter().filter_map(|event| match &event.news {
        flagfall_arbiter::News::Foul(foul) if foul.team => Some(foul.count),
        _ => None,
    });
    assert_eq!(of_teams as i32, told.sum::<i32>(), "seed {seed}");
}

fn record(hall: &mut Hall, more: Value) -> Value {
    let mut params = json!({ "board": "1", "player": "first", "article": "五.4" });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    hall.ask("foul.record", params).unwrap()
}

#[test]
fn what_was_withdrawn_or_waived_stays_listed_and_says_so() {
    let mut hall = playing();
    hall.seconds(100);
    record(&mut hall, json!({ "at": Wall(crate::hall::BEGIN + 60_000) }));
    record(&mut hall, json!({ "article": "八.1", "waived": true }));
    record(&mut hall, json!({ "player": "second", "article": "八.11" }));
    record(&mut hall, json!({ "article": "五.1", "moves": 8 }));
    hall.seconds(10);
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "五.4" })).unwrap();
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "五.1", "waived": true }))
        .unwrap();
    let lines = list(&mut hall, None);
    let short: Vec<_> = lines.iter().map(|line| (line.article.as_ref(), line.count, left(line))).collect();
    assert_eq!(short, [("五.4", 1, 0), ("八.1", 0, 0), ("八.11", 1, 1), ("五.1", 2, 1)]);
    let first = &lines[0];
    assert_eq!((first.round, first.board.as_str(), first.name.as_str()), (1, "1", "R1红1"));
    assert_eq!((first.team.as_str(), first.by.as_str()), ("队", "裁判长"));
    assert_eq!(first.happened, Wall(crate::hall::BEGIN + 60_000));
    assert_eq!(first.at, Wall(crate::hall::BEGIN + 125_000));
    assert_eq!(first.text.as_ref().map(|text| text.zh.as_str()), Some("记录不清，未誊清补正"));
    let withdrawn = first.withdrawn.as_ref().unwrap();
    assert_eq!((withdrawn.at, withdrawn.waived), (Wall(crate::hall::BEGIN + 135_000), false));
    assert!(lines[1].waived && lines[1].withdrawn.is_none());
    assert!(lines[2].team_foul && lines[2].points == Some(-Points::ONE));
    assert!(lines[3].withdrawn.as_ref().unwrap().waived);
    the_list_is_the_ledger(&mut hall, 0);
    hall.recovers_at_every_step();
}

#[test]
fn what_is_undone_is_that_very_foul_and_not_the_last_of_its_article() {
    let mut hall = playing();
    let first = record(&mut hall, json!({}))["seq"].clone();
    let second = record(&mut hall, json!({}))["seq"].clone();
    hall.ask("undo", json!({ "seq": first })).unwrap();
    let lines = list(&mut hall, None);
    assert_eq!(lines.iter().map(left).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(hall.ask("undo", json!({ "seq": first })).unwrap_err().code, Refused::STATE);
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "五.4" })).unwrap();
    let refused = hall.ask("undo", json!({ "seq": second })).unwrap_err();
    assert_eq!(refused.message, "board 1: no foul under 五.4 is left to take back");
    // the event itself may be named as well
    record(&mut hall, json!({}));
    let seq = list(&mut hall, None)[2].seq;
    hall.ask("undo", json!({ "seq": seq })).unwrap();
    assert!(list(&mut hall, None).iter().all(|line| left(line) == 0));
    the_list_is_the_ledger(&mut hall, 0);
    hall.recovers_at_every_step();
}

#[test]
fn an_undo_takes_no_more_than_is_left_of_its_own_foul() {
    let mut hall = playing();
    let two = record(&mut hall, json!({ "article": "五.1", "moves": 8 }))["seq"].clone();
    hall.ask("foul.withdraw", json!({ "board": "1", "player": "first", "article": "五.1" })).unwrap();
    record(&mut hall, json!({ "article": "五.1", "moves": 4 }));
    hall.ask("undo", json!({ "seq": two })).unwrap();
    assert_eq!(list(&mut hall, None).iter().map(left).collect::<Vec<_>>(), [0, 1]);
    hall.recovers();
}

#[test]
fn a_foul_of_a_ruling_goes_with_it() {
    let mut hall = playing();
    record(&mut hall, json!({ "article": "六.2" }));
    let made = json!({ "board": "1", "kind": "article", "article": "八.1", "offender": "first" });
    let id = hall.ask("ruling.make", made).unwrap()["id"].clone();
    hall.ask("ruling.confirm", json!({ "id": id })).unwrap();
    record(&mut hall, json!({ "article": "八.1" }));
    hall.ask("ruling.overrule", json!({ "id": id, "reason": "a mistake" })).unwrap();
    let lines = list(&mut hall, None);
    let short: Vec<_> =
        lines.iter().map(|line| (line.article.as_ref(), json!(line.ruling), left(line))).collect();
    assert_eq!(short, [("六.2", json!(null), 1), ("八.1", id, 0), ("八.1", json!(null), 1)]);
    the_list_is_the_ledger(&mut hall, 0);
    hall.recovers();
}

#[test]
fn a_list_of_a_round_has_that_round_and_one_that_is_none_is_named() {
    let mut hall = playing();
    record(&mut hall, json!({}));
    record(&mut hall, json!({ "round": 2, "board": "3" }));
    assert_eq!(list(&mut hall, None).len(), 2);
    assert_eq!(list(&mut hall, Some(2))[0].board, "3");
    let refused = hall.ask("foul.list", json!({ "round": 9 })).unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Refused::UNKNOWN, "there is no round 9"));
    // of a round that is loaded anew nothing stays
    let boards = json!([{ "board": "1", "first": "甲", "second": "乙" }]);
    hall.ask("round.load", json!({ "round": 2, "boards": boards, "replace": true })).unwrap();
    assert_eq!(list(&mut hall, None).len(), 1);
    hall.recovers();
}

#[test]
fn the_standings_are_those_of_the_command() {
    let mut hall = playing();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let answer = hall.ask("event.standings", json!({})).unwrap();
    assert_eq!(answer, serde_json::to_value(hall.rules.standings()).unwrap());
    assert_eq!((&answer["players"][0]["name"], &answer["rounds"]), (&json!("R1红1"), &json!([1])));
}
