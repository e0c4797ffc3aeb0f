//! Results of a match from its sheet, the pairing program's file, and results that change after it.

use crate::hall::Hall;
use crate::pairing::{hall as empty, loaded};
use flagfall_arbiter::{Audience, Cause, Outcome, Refused, Role, Status};
use rstest::rstest;
use serde_json::{Value, json};

fn begun() -> Hall {
    let mut hall = loaded();
    hall.round_starts();
    hall
}

fn outcomes(hall: &Hall, boards: [&str; 4]) -> [Option<Outcome>; 4] {
    boards.map(|board| hall.result(board).map(|result| result.result))
}

#[test]
fn rule_33_a_line_of_the_sheet_is_the_score_of_the_team_listed_first() {
    let mut hall = begun();
    // 14 against 2: team 14 is second on boards 6 and 8
    let answer =
        hall.ask("match.results", json!({ "match": 2, "results": "10=1", "status": "signed" })).unwrap();
    assert_eq!(
        outcomes(&hall, ["5", "6", "7", "8"]),
        [Some(Outcome::First), Some(Outcome::First), Some(Outcome::Draw), Some(Outcome::Second)]
    );
    assert_eq!(answer["score"], json!({ "first_team": 2.5, "second_team": 1.5 }));
    assert_eq!(answer["match_points"], json!({ "first_team": 1, "second_team": 0 }));
    assert_eq!((&answer["first_team"], &answer["second_team"]), (&json!("宜昌队"), &json!("汉阳队")));
    assert_eq!(answer["complete"], true);
    assert_eq!(
        answer["boards"][1],
        json!({ "board": "6", "first": { "name": "汉阳二", "team": "汉阳队", "points": 1 },
            "second": { "name": "宜昌二", "team": "宜昌队", "points": 0 }, "result": "1-0", "forfeit": false, "status": "signed" })
    );
    hall.recovers_at_every_step();
}

#[rstest]
#[case(json!("1 0 ½ 1"))]
#[case(json!(["1-0", "1-0", "1/2-1/2", "0-1"]))]
#[case(json!([{ "board": 8, "result": "0-1", "cause": "mate" }, { "board": "7", "result": "1/2-1/2" }, { "board": 5, "result": "1-0" }, "1-0"]))]
fn every_form_of_a_sheet_says_the_same(#[case] results: Value) {
    let mut hall = begun();
    hall.ask("match.results", json!({ "match": 2, "results": results, "cause": "agreed" })).unwrap();
    assert_eq!(
        outcomes(&hall, ["5", "6", "7", "8"]),
        [Some(Outcome::First), Some(Outcome::First), Some(Outcome::Draw), Some(Outcome::Second)]
    );
    assert_eq!(hall.result("7").unwrap().cause, Cause::Agreed);
    let own = if results[0].is_object() { Cause::Mate } else { Cause::Agreed };
    assert_eq!(hall.result("8").unwrap().cause, own);
}

#[test]
fn forfeits_and_open_boards_stand_in_a_line_too() {
    let mut hall = begun();
    let answer = hall.ask("match.results", json!({ "match": 1, "results": "+-.1" })).unwrap();
    let (won, lost) = (hall.result("1").unwrap(), hall.result("2").unwrap());
    assert_eq!((won.result, won.forfeit, won.cause), (Outcome::First, true, Cause::Default));
    // team 1 is second on board 2
    assert_eq!((lost.result, lost.forfeit), (Outcome::First, true));
    assert!(hall.result("3").is_none());
    assert_eq!((&answer["complete"], &answer["match_points"]), (&json!(false), &Value::Null));
}

#[rstest]
#[case(json!({ "match": 1, "results": "10=" }), Refused::PARAMS, "no result for board 4; write `.`")]
#[case(json!({ "match": 1, "results": "10=11" }), Refused::PARAMS, "5 results for 4 boards")]
#[case(json!({ "match": 1, "results": "10=2" }), Refused::PARAMS, "`2` is no result")]
#[case(json!({ "match": 1, "results": ["1-0", "1-0"] }), Refused::PARAMS, "no result for board 3, 4")]
#[case(json!({ "match": 1, "results": [{ "board": 1, "result": "1-0" }, { "board": 1, "result": "0-1" }] }), Refused::PARAMS, "board 1 is there twice")]
#[case(json!({ "match": 1, "results": [{ "board": 5, "result": "1-0" }] }), Refused::PARAMS, "board 5 is none of its boards")]
#[case(json!({ "match": 9, "results": "1111" }), Refused::UNKNOWN, "round 1 has no match 9: its matches are 1 to 2")]
#[case(json!({ "match": 1, "results": "1111", "status": "official" }), Refused::PARAMS, "`entered` or `signed`")]
fn a_sheet_that_does_not_fit_does_nothing(#[case] sheet: Value, #[case] code: i32, #[case] said: &str) {
    let mut hall = begun();
    let head = hall.events.len();
    let refused = hall.ask("match.results", sheet).unwrap_err();
    assert!(refused.message.contains(said), "{refused}");
    assert_eq!(refused.code, code);
    assert_eq!(hall.events.len(), head + 1);
    assert!((1..=4).all(|board: u32| hall.result(&board.to_string()).is_none()));
}

#[test]
fn a_conflict_on_one_board_leaves_all_as_they_are_and_names_board_and_ruling() {
    let mut hall = begun();
    let id = hall
        .ask(
            "ruling.make",
            json!({ "board": "2", "kind": "article", "article": "六.11", "offender": "first" }),
        )
        .unwrap();
    hall.ask("ruling.confirm", json!({ "id": id["id"] })).unwrap();
    hall.ask("board.result", json!({ "board": "3", "result": "1-0", "status": "signed" })).unwrap();
    let refused = hall.ask("match.results", json!({ "match": 1, "results": "100=" })).unwrap_err();
    let conflicts = refused.data.unwrap()["conflicts"].clone();
    assert_eq!((&conflicts[0]["board"], &conflicts[1]["board"]), (&json!("2"), &json!("3")));
    assert!(
        conflicts[0]["message"].as_str().unwrap().contains(&format!("ruling {}", id["id"])),
        "{conflicts}"
    );
    assert!(hall.result("1").is_none());
    // what is right and as far already stays as it was said
    hall.ask("match.results", json!({ "match": 1, "results": "111=", "status": "entered" })).unwrap();
    assert_eq!(hall.result("3").unwrap().status, Status::Signed);
    assert_eq!(hall.result("2").unwrap().result, Outcome::Second);
}

#[test]
fn undo_takes_back_the_whole_sheet_and_only_what_it_said() {
    let mut hall = begun();
    hall.ask("board.result", json!({ "board": "1", "result": "0-1" })).unwrap();
    hall.ask("board.result", json!({ "board": "4", "result": "0-1" })).unwrap();
    let sheet = hall.ask("match.results", json!({ "match": 1, "results": "1111" })).unwrap();
    assert_eq!(hall.result("1").unwrap().result, Outcome::First);
    hall.ask("undo", json!({ "seq": sheet["seq"] })).unwrap();
    assert_eq!(
        outcomes(&hall, ["1", "2", "3", "4"]),
        [Some(Outcome::Second), None, None, Some(Outcome::Second)]
    );
    assert!(hall.ask("undo", json!({ "seq": sheet["seq"] })).is_err());
    hall.recovers_at_every_step();
}

fn close(hall: &mut Hall) {
    for number in [1, 2] {
        hall.ask("match.results", json!({ "match": number, "results": "1=01", "status": "signed" })).unwrap();
    }
    hall.ask("round.close", json!({ "round": 1 })).unwrap();
}

#[test]
fn an_export_is_a_file_that_loads_again_and_says_what_is_missing() {
    let mut hall = begun();
    hall.ask("match.results", json!({ "match": 1, "results": "1=+.", "cause": "=cmd|x" })).unwrap();
    let export = hall.ask("round.export", json!({})).unwrap();
    assert_eq!((&export["round"], &export["complete"]), (&json!(1), &json!(false)));
    assert_eq!(export["missing"].as_array().unwrap().len(), 5);
    let csv = export["csv"].as_str().unwrap();
    assert!(csv.starts_with('\u{feff}'), "Excel on Windows knows UTF-8 by its mark");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with("board,table,match,first,first_team,second,second_team,result,forfeit,status,cause,first_points,second_points,first_match_points,second_match_points,changed_from"), "{csv}");
    assert_eq!(lines[1], "1,1,1,江汉一,江汉队,黄石一,黄石队,1-0,,entered,'=cmd|x,1,0,,,");
    assert_eq!(lines[3], "3,3,1,江汉三,江汉队,黄石三,黄石队,1-0,forfeit,entered,default,1,0,,,");
    assert_eq!(lines[4], "4,4,1,黄石四,黄石队,江汉四,江汉队,,,,,,,,,");
    assert_eq!(export["matches"][0]["score"], json!({ "first_team": 2.5, "second_team": 0.5 }));
    assert_eq!(export["matches"][0]["match_points"], Value::Null);
    let mut other = empty();
    let again = other.ask("round.load", json!({ "csv": csv })).unwrap();
    assert_eq!(again["boards"].as_array().unwrap().len(), 8);
    assert_eq!(again["doubts"], json!([]));
    hall.recovers_at_every_step();
}

#[test]
fn a_complete_round_has_team_points() {
    let mut hall = begun();
    close(&mut hall);
    let export = hall.ask("round.export", json!({ "round": 1 })).unwrap();
    assert_eq!(
        (&export["complete"], &export["closed"], &export["changed"]),
        (&json!(true), &json!(true), &json!([]))
    );
    assert_eq!(export["matches"][1]["match_points"], json!({ "first_team": 1, "second_team": 0 }));
    let line = export["csv"].as_str().unwrap().lines().nth(6).unwrap();
    assert_eq!(line, "6,6,2,汉阳二,汉阳队,宜昌二,宜昌队,1/2-1/2,,official,unstated,0.5,0.5,0,1,");
}

fn notices(hall: &Hall) -> Vec<String> {
    let is = |event: &&flagfall_arbiter::Event| event.r#type == "notice";
    let text = |event: &flagfall_arbiter::Event| match &event.news {
        flagfall_arbiter::News::Notice(notice) if notice.kind == "result_after_pairing" => {
            Some(notice.message.clone())
        }
        _ => None,
    };
    hall.events.iter().filter(is).filter_map(text).collect()
}

#[test]
fn only_the_chief_corrects_an_official_result_and_all_are_told() {
    let mut hall = begun();
    close(&mut hall);
    for (method, params) in [
        ("board.withdraw_result", json!({ "round": 1, "board": "3" })),
        ("board.result", json!({ "round": 1, "board": "3", "result": "1-0" })),
        ("match.results", json!({ "round": 1, "match": 1, "results": "0000" })),
    ] {
        for role in [Role::Results, Role::Arbiter] {
            let refused = hall.ask_as(role, method, params.clone()).unwrap_err();
            assert!(refused.message.contains("only the chief"), "{method}: {refused}");
            assert_eq!(refused.code, Refused::ROLE);
        }
    }
    hall.ask("round.export", json!({ "round": 1 })).unwrap();
    let withdrawn = hall.ask("board.withdraw_result", json!({ "round": 1, "board": "3" })).unwrap();
    assert_eq!(withdrawn["after_pairing"], true);
    let told = hall.news("result").pop().unwrap().clone();
    assert_eq!(told.audience, Audience::Public, "who heard it hears that it no longer stands");
    let corrected = hall.ask("board.result", json!({ "round": 1, "board": "3", "result": "1-0" })).unwrap();
    assert_eq!((&corrected["after_pairing"], &corrected["status"]), (&json!(true), &json!("official")));
    assert_eq!(hall.result("3").unwrap().status, Status::Official);
    let said = notices(&hall);
    assert_eq!(said.len(), 2);
    assert!(
        said[0].contains("第1轮第3台")
            && said[0].contains("board 3: after the pairing the result changed from 0-1 to none"),
        "{said:?}"
    );
    assert!(said[1].contains("from none to 1-0"), "{said:?}");
    let export = hall.ask("round.export", json!({ "round": 1 })).unwrap();
    assert_eq!(
        export["changed"],
        json!([{ "board": "3", "old": { "result": "0-1", "forfeit": false }, "new": { "result": "1-0", "forfeit": false } }])
    );
    assert!(export["csv"].as_str().unwrap().lines().nth(3).unwrap().ends_with(",0-1"));
    let next = hall.ask("round.export", json!({ "round": 1 })).unwrap();
    assert_eq!(next["changed"], json!([]), "the program has it now");
    hall.recovers_at_every_step();
}

#[test]
fn both_of_a_board_may_have_lost_by_forfeit() {
    let mut hall = begun();
    let both = json!({ "board": "1", "result": "0-0", "forfeit": true, "cause": "default" });
    hall.ask("match.results", json!({ "match": 1, "results": [both, "1-0", "1/2-1/2", "0-1"] })).unwrap();
    let result = hall.result("1").unwrap();
    assert!(result.forfeit && result.result == Outcome::None, "{result:?}");
}

#[test]
fn a_result_changed_after_a_later_round_was_loaded_is_told_too() {
    let mut hall = begun();
    hall.ask("board.result", json!({ "board": "1", "result": "1-0" })).unwrap();
    let before = hall.ask("board.result", json!({ "board": "2", "result": "1-0" })).unwrap();
    assert!(before.get("after_pairing").is_none() && notices(&hall).is_empty());
    hall.ask("round.load", json!({ "round": 2, "matches": [[1, 14], [13, 2]] })).unwrap();
    let signed = hall.ask("board.sign", json!({ "round": 1, "board": "2" })).unwrap();
    assert!(signed.get("after_pairing").is_none(), "the same result, only surer");
    let changed = hall.ask("board.result", json!({ "round": 1, "board": "1", "result": "0-1" })).unwrap();
    assert_eq!(changed["after_pairing"], true);
    let sheet = hall.ask("match.results", json!({ "round": 1, "match": 2, "results": "1..." })).unwrap();
    assert_eq!(sheet["after_pairing"], true, "the list was made without it");
    assert_eq!(notices(&hall).len(), 2);
    let undone = hall.ask("undo", json!({ "seq": changed["seq"] })).unwrap();
    assert_eq!(undone["after_pairing"], true);
    hall.recovers_at_every_step();
}
