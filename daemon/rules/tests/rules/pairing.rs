//! Rounds from the pairing program: what cannot be, what looks wrong, and what is left of what was replaced.

use crate::hall::{Hall, setup};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::{GB18030, WINDOWS_1252};
use flagfall_arbiter::{Audience, IncidentKind, IncidentState, Refused};
use flagfall_rules::{Mode, Regulations, RoundSetup, Setup, StartBy, TeamSetup};
use rstest::rstest;
use serde_json::{Value, json};

/// Four teams of four, two of them of one city; sixteen tables, rounds without boards.
pub fn event(tables: u32) -> Setup {
    let mut setup = setup(tables, Regulations::default(), StartBy::Players, Mode::Act);
    let team = |(number, name, city): (u32, &str, &str)| TeamSetup {
        number,
        name: name.into(),
        city: Some(city.into()),
        players: (1..=4)
            .map(|board| format!("{}{}", &name[..name.len() - 3], ["一", "二", "三", "四"][board - 1]))
            .collect(),
    };
    setup.teams =
        [(1, "江汉队", "武汉"), (2, "汉阳队", "武汉"), (13, "黄石队", "黄石"), (14, "宜昌队", "宜昌")]
            .map(team)
            .into();
    setup.rounds = (1..=3).map(|number| RoundSetup { number, planned: None, boards: vec![] }).collect();
    setup
}

pub fn hall() -> Hall {
    Hall::of(8, event(8))
}

pub fn loaded() -> Hall {
    let mut hall = hall();
    hall.ask("round.load", json!({ "round": 1, "matches": [[1, 13], [14, 2]] })).unwrap();
    hall
}

fn findings(refused: &Refused) -> Vec<[String; 3]> {
    let all = refused.data.as_ref().unwrap()["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.iter().map(|one| [text(&one["where"]), text(&one["message"]), text(&one["proposal"])]).collect()
}

fn kinds(answer: &Value) -> Vec<&str> {
    answer["doubts"].as_array().unwrap().iter().filter_map(|doubt| doubt["kind"].as_str()).collect()
}

#[test]
fn rule_32_fourteen_against_two_is_red_on_odd_boards() {
    let mut hall = hall();
    let head = hall.events.len();
    let answer = hall.ask("round.load", json!({ "matches": [[1, 13], [14, 2]] })).unwrap();
    assert_eq!(answer["round"], 1, "the lowest round without boards");
    let boards = answer["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 8);
    let red: Vec<&str> = boards[4..].iter().map(|board| board["first"]["team"].as_str().unwrap()).collect();
    assert_eq!(red, ["宜昌队", "汉阳队", "宜昌队", "汉阳队"]);
    assert_eq!(
        boards[5],
        json!({ "board": "6", "table": 6, "match": 2, "first": { "name": "汉阳二", "team": "汉阳队" },
            "second": { "name": "宜昌二", "team": "宜昌队" } })
    );
    assert!(kinds(&answer).is_empty(), "{answer}");
    assert!(hall.orders.is_empty(), "loading touches no clock");
    assert_eq!(hall.events.len(), head + 1, "the request is told, and nothing else");
    assert_eq!(hall.rules.snapshot(Audience::Desk).boards.len(), 8);
    let tables = hall.ask("round.check", json!({})).unwrap();
    assert!(tables["tables"].as_array().unwrap().iter().all(|table| table["state"] == "ready"), "{tables}");
    hall.round_starts();
    hall.start(6);
    hall.press(6);
    assert_eq!(hall.news("press").pop().unwrap().board.as_deref(), Some("6"));
    hall.recovers_at_every_step();
}

/// The list, and of each finding where it is, a part of what it says, and the proposal.
#[rstest]
#[case::nothing(json!({}), &[("the list", "no list is given", "")])]
#[case::two(json!({ "matches": [[1, 2]], "csv": "1,2" }), &[("the list", "more than one list", "")])]
#[case::empty(json!({ "matches": [] }), &[("the list", "has no boards", "")])]
#[case::unknown_team(json!({ "matches": [[1, 99]] }), &[("match 1", "there is no team 99", "")])]
#[case::unknown_team_by_name(json!({ "matches": [["江汉队", "黄冈队"]] }), &[("match 1", "no team `黄冈队`", "黄石队")])]
#[case::team_twice(json!({ "matches": [[1, 2], [14, 2]] }), &[("match 2", "team 2 plays in match 1 and in match 2", "")])]
#[case::itself(json!({ "matches": [[2, 2]] }), &[("match 1", "team 2 against itself", "")])]
#[case::match_twice(json!({ "matches": [{ "match": 3, "teams": [1, 2] }, { "match": 3, "teams": [13, 14] }] }), &[("match 2", "match 3 is there twice", "")])]
#[case::unknown_name(
    json!({ "boards": [{ "board": 1, "first": { "name": "江汉壹", "team": "江汉队" }, "second": "黄石一" }] }),
    &[("row 1", "`江汉壹` does not play for 江汉队", "江汉一")])]
#[case::name_of_no_team(json!({ "boards": [{ "board": 1, "first": "江汉一", "second": "黄十一" }] }), &[("row 1", "`黄十一` plays for no team", "黄石一")])]
#[case::wrong_team(
    json!({ "boards": [{ "board": 1, "first": { "name": "黄石一", "team": "江汉队" }, "second": "宜昌一" }] }),
    &[("row 1", "`黄石一` does not play for 江汉队", "黄石队")])]
#[case::player_twice(
    json!({ "boards": [{ "board": 1, "first": "江汉一", "second": "黄石一" }, { "board": 2, "first": "黄石一", "second": "江汉二" }] }),
    &[("row 2", "黄石一 of 黄石队 sits at board 1 and at board 2", "")])]
#[case::table_twice(
    json!({ "boards": [{ "board": 1, "table": 3, "first": "江汉一", "second": "黄石一" }, { "board": 2, "table": 3, "first": "黄石二", "second": "江汉二" }] }),
    &[("row 2", "boards 1 and 2 are both at table 3", ""), ("row 2", "both have clock C3", "")])]
#[case::board_twice(
    json!({ "boards": [{ "board": 1, "first": "江汉一", "second": "黄石一" }, { "board": "1", "first": "黄石二", "second": "江汉二" }] }),
    &[("row 2", "board 1 is there twice", "")])]
#[case::nobody(json!({ "boards": [{ "board": 1, "first": "江汉一", "second": " " }] }), &[("row 1", "a player's name is empty", "")])]
#[case::two_matches(
    json!({ "boards": [{ "board": 1, "first": "江汉一", "second": "黄石一" }, { "board": 2, "first": "宜昌二", "second": "江汉二" }] }),
    &[("row 2", "team 江汉队 plays in match 1 and in match 2", "")])]
#[case::three_teams(
    json!({ "boards": [{ "board": 1, "match": 1, "first": "江汉一", "second": "黄石一" }, { "board": 2, "match": 1, "first": "宜昌二", "second": "江汉二" }] }),
    &[("row 2", "match 1 is 江汉队 against 黄石队", "")])]
#[case::csv_column(json!({ "csv": "board,frist,second\n1,a,b\n" }), &[("line 1", "unknown column `frist`", "first"), ("line 1", "the columns `first` are missing", "")])]
#[case::csv_fields(json!({ "csv": "board,first,second\n1,江汉一,黄石一\n2,江汉二\n" }), &[("line 3", "2 fields", "")])]
#[case::csv_number(json!({ "csv": "board,table,first,second\n1,x,江汉一,黄石一\n" }), &[("line 2, table", "`x` is no number", "")])]
#[case::csv_lost(json!({ "csv": "台次,红方,黑方\n1,江\u{fffd}一,黄石一\n" }), &[("line 2", "lost in another encoding", "")])]
#[case::no_base64(json!({ "csv_base64": "ab$=" }), &[("the list", "csv_base64 is no base64", "")])]
#[case::latin(json!({ "csv_base64": "YiwKMSxN/GxsZXIK" }), &[("the list", "neither UTF-8 nor Chinese text", "")])]
#[case::all_at_once(
    json!({ "csv": "台次;红方;黑方\n1;江汉一;黄石依\n1;江汉二;黄石二\n" }),
    &[("line 2", "`黄石依` plays for no team", "黄石一"), ("line 3", "board 1 is there twice", "")])]
fn what_cannot_be_is_named_and_nothing_is_done(#[case] list: Value, #[case] expected: &[(&str, &str, &str)]) {
    let mut hall = hall();
    let before = hall.rules.snapshot(Audience::Desk);
    for dry_run in [true, false] {
        let mut params = list.clone();
        params["dry_run"] = json!(dry_run);
        params["round"] = json!(1);
        let refused = hall.ask("round.load", params).unwrap_err();
        assert_eq!(refused.code, Refused::PARAMS);
        let found = findings(&refused);
        for (at, part, proposal) in expected {
            let is = |[place, message, own]: &[String; 3]| {
                place == at && message.contains(part) && own == proposal
            };
            assert!(found.iter().any(is), "{at}: {part} ({proposal}) is not in {found:?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(refused.message.contains(expected[0].1), "{}", refused.message);
    }
    assert_eq!(hall.rules.snapshot(Audience::Desk), before);
}

#[test]
fn teams_of_different_size_do_not_play() {
    let mut event = event(8);
    event.teams[2].players.pop();
    let mut hall = Hall::of(8, event);
    let refused = hall.ask("round.load", json!({ "matches": [[1, 13]] })).unwrap_err();
    assert!(refused.message.contains("team 1 has 4 players and team 13 has 3"), "{refused}");
}

#[test]
fn a_round_is_loaded_once_unless_it_is_to_be_replaced() {
    let mut hall = loaded();
    let list = json!({ "round": 1, "matches": [[1, 2], [13, 14]] });
    let refused = hall.ask("round.load", list.clone()).unwrap_err();
    assert_eq!(refused.code, Refused::STATE);
    assert_eq!(
        findings(&refused),
        [["round 1".to_owned(), "round 1 is loaded already with 8 boards".into(), "replace: true".into()]]
    );
    let again = hall.ask("round.load", json!({ "matches": [[1, 13], [14, 2]] })).unwrap_err();
    assert!(
        again.message.contains("these are the boards of round 1"),
        "a second tap loads no other round: {again}"
    );
    let mut replace = list;
    replace["replace"] = json!(true);
    hall.ask("round.load", replace.clone()).unwrap();
    hall.ask("board.result", json!({ "board": "3", "result": "1-0" })).unwrap();
    let refused = hall.ask("round.load", replace.clone()).unwrap_err();
    assert!(refused.message.contains("board 3 has a result"), "{refused}");
    hall.ask("board.withdraw_result", json!({ "board": "3" })).unwrap();
    hall.round_starts();
    let refused = hall.ask("round.load", replace).unwrap_err();
    assert!(refused.message.contains("round 1 has begun"), "{refused}");
    for number in [0, 100] {
        assert!(hall.ask("round.load", json!({ "round": number, "matches": [[1, 2]] })).is_err());
    }
    hall.recovers_at_every_step();
}

#[test]
fn a_replaced_round_leaves_no_trace() {
    let mut hall = loaded();
    hall.ask("round.absent", json!({ "round": 1, "players": [{ "board": "1", "player": "first" }] }))
        .unwrap();
    let arrived =
        hall.ask("player.arrived", json!({ "round": 1, "board": "2", "player": "second" })).unwrap();
    // three of eight clocks run: when did the round begin?
    for n in 1..=3 {
        hall.start(n);
        hall.press(n);
    }
    assert_eq!(hall.open(IncidentKind::RoundStartMissing).len(), 1);
    let due = hall.rules.next_deadline();
    assert!(due.is_some(), "something falls due on the games that run");
    let replace = json!({ "round": 1, "replace": true, "matches": [[2, 14]] });
    let answer = hall.ask("round.load", replace).unwrap();
    assert_eq!(kinds(&answer).iter().filter(|kind| **kind == "in_play").count(), 3, "{answer}");
    assert!(hall.incidents().iter().all(|incident| incident.state == IncidentState::Closed));
    assert_eq!(hall.rules.next_deadline(), None);
    let shown = hall.rules.snapshot(Audience::Desk);
    assert_eq!(shown.boards.len(), 4);
    for board in &shown.boards {
        for player in [&board.first, &board.second] {
            assert_eq!(player.presence, flagfall_arbiter::PresenceState::Unknown, "board {}", board.board);
        }
    }
    assert!(shown.incidents.is_empty() && shown.rulings.is_empty());
    assert!(hall.ask("undo", json!({ "seq": arrived["seq"] })).is_err(), "an act on a board that is gone");
    hall.seconds(4_000);
    hall.recovers_at_every_step();
}

#[test]
fn the_file_does_not_bring_back_the_boards_of_a_round_loaded_otherwise() {
    let file = setup(8, Regulations::default(), StartBy::Players, Mode::Act);
    let mut hall = Hall::of(8, file.clone());
    let boards = json!([{ "board": 1, "first": "甲", "second": "乙" }]);
    hall.ask("round.load", json!({ "round": 2, "replace": true, "boards": boards })).unwrap();
    hall.input(flagfall_rules::Input::Setup(Box::new(file.clone())));
    let shown = hall.rules.snapshot(Audience::Desk);
    assert_eq!(shown.rounds[1].boards, 1);
    assert!(shown.differences.iter().any(|text| text.en.contains("round 2: its boards came by round.load")));
    hall.recovers_at_every_step();
}

/// Boards one by one, in the order of a match: first player, second player.
fn boards(rows: &[(&str, &str)]) -> Value {
    let row = |(place, (first, second)): (usize, &(&str, &str))| json!({ "board": place + 1, "first": first, "second": second });
    json!(rows.iter().enumerate().map(row).collect::<Vec<Value>>())
}

#[rstest]
#[case::same_city(json!({ "matches": [[1, 2], [13, 14]] }), &["same_city"])]
#[case::not_paired(json!({ "matches": [[1, 13]] }), &["not_paired"])]
#[case::board_order(
    json!({ "boards": boards(&[("江汉二", "黄石一"), ("黄石二", "江汉一"), ("江汉三", "黄石三"), ("黄石四", "江汉四")]) }),
    &["board_order", "not_paired"])]
#[case::colours(
    json!({ "boards": boards(&[("江汉一", "黄石一"), ("江汉二", "黄石二")]) }),
    &["colours", "not_paired"])]
#[case::tables_to_come(
    json!({ "boards": [{ "board": 1, "table": 30, "first": "江汉一", "second": "黄石一" }] }),
    &["not_paired", "table_to_come"])]
#[case::no_table(
    json!({ "boards": [{ "board": 1, "first": "江汉一", "second": "黄石一" }, { "board": 2, "table": 1, "first": "黄石二", "second": "江汉二" }] }),
    &["not_paired", "no_table"])]
#[case::gap(json!({ "round": 22, "matches": [[1, 13], [14, 2]] }), &["round_gap"])]
fn what_looks_wrong_is_told_and_loads(#[case] list: Value, #[case] expected: &[&str]) {
    let mut hall = hall();
    let mut dry = list.clone();
    dry["dry_run"] = json!(true);
    let head = hall.rules.snapshot(Audience::Desk);
    let told = hall.ask("round.load", dry).unwrap();
    assert_eq!(hall.rules.snapshot(Audience::Desk), head, "a dry run changes nothing");
    let done = hall.ask("round.load", list).unwrap();
    assert_eq!(kinds(&done), expected, "{done}");
    assert_eq!(
        (&told["boards"], &told["doubts"], &told["round"]),
        (&done["boards"], &done["doubts"], &done["round"])
    );
    hall.recovers_at_every_step();
}

#[test]
fn odd_teams_have_a_bye_and_clocks_that_are_away_are_told() {
    let mut event = event(12);
    let mut fifth = event.teams[0].clone();
    (fifth.number, fifth.name) = (15, "荆州队".into());
    fifth.players = vec!["荆一".into(), "荆二".into(), "荆三".into(), "荆四".into()];
    event.teams.push(fifth);
    event.tables[1].clock = None;
    let mut hall = Hall::of(8, event.clone());
    let clock = "C3".parse().unwrap();
    hall.input(flagfall_rules::Input::Link {
        clock,
        online: false,
        by: "test".into(),
        cause: "silence".into(),
    });
    let answer = hall.ask("round.load", json!({ "matches": [[1, 13], [14, 2]] })).unwrap();
    assert_eq!(kinds(&answer), ["bye", "clock_missing", "clock_offline"], "{answer}");
    assert_eq!(answer["doubts"][1]["boards"], json!(["2"]));
    assert_eq!(answer["doubts"][2]["boards"], json!(["3"]));
    hall.recovers_at_every_step();
}

#[test]
fn a_game_that_runs_over_and_a_rematch_are_told() {
    let mut hall = loaded();
    hall.round_starts();
    hall.start(7);
    hall.press(7);
    for board in [1, 2, 3, 4, 5, 6, 8] {
        hall.ask("board.result", json!({ "board": board, "result": "1/2-1/2", "status": "signed" })).unwrap();
    }
    let answer = hall.ask("round.load", json!({ "matches": [[13, 1], [2, 14]] })).unwrap();
    assert_eq!(answer["round"], 2);
    assert_eq!(kinds(&answer), ["rematch", "rematch", "in_play"], "{answer}");
    assert_eq!(answer["doubts"][2]["boards"], json!(["7"]));
    // that game keeps its clock, and the others change over
    hall.ask("round.prepare", json!({ "round": 2 })).unwrap();
    assert!(hall.orders.iter().all(|order| order.clock != "C7".parse().unwrap()));
    hall.press(7);
    let last = hall.news("press").pop().unwrap();
    assert_eq!((last.round, last.board.as_deref()), (Some(1), Some("7")));
    hall.recovers_at_every_step();
}

#[test]
fn without_tables_boards_are_numbered_and_the_first_clock_makes_its_table() {
    let mut hall = Hall::of(0, event(0));
    let clock = "X1".parse().unwrap();
    hall.input(flagfall_rules::Input::Link { clock, online: true, by: "test".into(), cause: "first".into() });
    let answer = hall.ask("round.load", json!({ "matches": [[1, 13], [14, 2]] })).unwrap();
    assert_eq!(answer["boards"][7]["table"], 8);
    assert_eq!(kinds(&answer), ["table_to_come"]);
    hall.ask("board.assign", json!({ "board": "5", "clock": "X1", "first_side": "right" })).unwrap();
    let tables = hall.ask("round.check", json!({})).unwrap();
    assert_eq!((&tables["tables"][4]["table"], &tables["tables"][4]["clock"]), (&json!(5), &json!("X1")));
    hall.recovers_at_every_step();
}

/// A file as the pairing program writes it, every board of the round.
fn file(hall: &mut Hall) -> String {
    let answer = hall
        .ask("round.load", json!({ "round": 1, "matches": [[1, 13], [14, 2]], "dry_run": true }))
        .unwrap();
    let row = |board: &Value| {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let cells = [
            &board["board"],
            &board["table"],
            &board["match"],
            &board["first"]["name"],
            &board["first"]["team"],
            &board["second"]["name"],
            &board["second"]["team"],
        ];
        cells.map(text).join(",") + "\r\n"
    };
    let rows: String = answer["boards"].as_array().unwrap().iter().map(row).collect();
    format!("台次,桌号,场次,红方,红方队,黑方,黑方队\r\n{rows}")
}

#[test]
fn a_file_is_read_in_each_encoding_it_may_come_in() {
    let mut hall = hall();
    let text = file(&mut hall);
    let by_matches = hall
        .ask("round.load", json!({ "round": 1, "matches": [[1, 13], [14, 2]], "dry_run": true }))
        .unwrap();
    let coded = |bytes: &[u8]| json!({ "round": 1, "dry_run": true, "csv_base64": STANDARD.encode(bytes) });
    let (gb, _, _) = GB18030.encode(&text);
    let marked = format!("\u{feff}{text}");
    for (list, doubts) in [
        (json!({ "round": 1, "dry_run": true, "csv": text }), vec![]),
        (json!({ "round": 1, "dry_run": true, "csv": marked }), vec![]),
        (json!({ "round": 1, "dry_run": true, "csv": text.replace(',', ";") }), vec![]),
        (json!({ "round": 1, "dry_run": true, "csv": text.replace(',', "\t") }), vec![]),
        (coded(text.as_bytes()), vec![]),
        (coded(marked.as_bytes()), vec![]),
        (coded(&gb), vec!["encoding"]),
    ] {
        let answer = hall.ask("round.load", list.clone()).unwrap();
        assert_eq!(answer["boards"], by_matches["boards"], "{list}");
        assert_eq!(kinds(&answer), doubts, "{list}");
    }
    let (garbled, _, _) = WINDOWS_1252.decode(&gb);
    let refused = hall.ask("round.load", json!({ "round": 1, "csv": garbled })).unwrap_err();
    assert!(refused.message.contains("really says") && refused.message.contains("csv_base64"), "{refused}");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let refused = hall.ask("round.load", coded(&utf16)).unwrap_err();
    assert!(refused.message.contains("UTF-16; save it as UTF-8"), "{refused}");
}

/// A message at the desk has at most 64 KiB.
#[test]
fn five_hundred_boards_fit_in_a_message() {
    let rows: String = (1..=500)
        .map(|n| {
            format!("{n},{n},{},欧阳锋{n:03},武汉钢铁集团队,上官云{n:03},黄石市体育局队\n", (n - 1) / 4 + 1)
        })
        .collect();
    let text = format!("台次,桌号,场次,红方,红方队,黑方,黑方队\n{rows}");
    let message = |params: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "round.load", "params": params }).to_string().len()
    };
    let (gb, _, _) = GB18030.encode(&text);
    let plain = message(json!({ "round": 1, "csv": text }));
    let coded = message(json!({ "round": 1, "csv_base64": STANDARD.encode(&gb) }));
    assert!(plain < 64 << 10 && coded < 64 << 10, "{plain} and {coded} bytes");
    // a client that escapes what is not ASCII needs twice as many: that one sends base64
    let escaped: usize = plain + text.chars().filter(|c| !c.is_ascii()).count() * 3;
    println!("500 boards: {plain} bytes, {escaped} escaped, {coded} as GB18030 in base64");
    let mut hall = Hall::of(0, Setup { teams: vec![], ..event(0) });
    let answer = hall.ask("round.load", json!({ "round": 1, "csv": text })).unwrap_err();
    assert!(answer.message.contains("plays in match"), "the same two teams in 125 matches: {answer}");
    let apart = text.replace("集团队", "").replace("体育局队", "");
    let apart: String = apart
        .lines()
        .enumerate()
        .map(|(n, line)| {
            line.replace("武汉钢铁", &format!("武{}", n.div_ceil(4)))
                .replace("黄石市", &format!("黄{}", n.div_ceil(4)))
                + "\n"
        })
        .collect();
    let answer = hall.ask("round.load", json!({ "round": 1, "csv": apart })).unwrap();
    assert_eq!(answer["boards"].as_array().unwrap().len(), 500);
}
