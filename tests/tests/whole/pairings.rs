//! Rounds from the pairing program and back, through the real daemon: lists in each form and encoding, what cannot
//! be, what looks wrong, results that change after the export, and a kill -9 between.

use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan, token};
use serde_json::{Value, json};

const CANNOT: i64 = -32602;
const AS_THINGS_STAND: i64 = -32003;
const NOT_HIS: i64 = -32001;
const CHANGED: i64 = -32002;

/// Four teams of two, the first two of one city; four tables with clocks that nobody hears.
fn plan() -> Plan {
    let table = |n: u32| format!("[[table]]\nnumber = {n}\nclock = \"A{n:02}\"\n");
    let team = |(n, name, city): (u32, &str, &str)| {
        format!(
            "[[team]]\nnumber = {n}\nname = \"{name}\"\ncity = \"{city}\"\nplayers = [\"{name}甲\", \"{name}乙\"]\n"
        )
    };
    let teams = [(1, "江汉", "武汉"), (2, "汉阳", "武汉"), (3, "黄石", "黄石"), (4, "宜昌", "宜昌")];
    let more = (1..=4).map(table).chain(teams.map(team)).collect();
    Plan { boards: 0, more, broker: false, ..Plan::default() }
}

/// 江汉 against 黄石 and 宜昌 against 汉阳, as the pairing program of a Windows in Chinese saves it: GB18030.
const GB18030: &[u8] = b"\xcc\xa8\xb4\xce,\xba\xec\xb7\xbd,\xba\xda\xb7\xbd\r\n\
    1,\xbd\xad\xba\xba\xbc\xd7,\xbb\xc6\xca\xaf\xbc\xd7\r\n2,\xbb\xc6\xca\xaf\xd2\xd2,\xbd\xad\xba\xba\xd2\xd2\r\n\
    3,\xd2\xcb\xb2\xfd\xbc\xd7,\xba\xba\xd1\xf4\xbc\xd7\r\n4,\xba\xba\xd1\xf4\xd2\xd2,\xd2\xcb\xb2\xfd\xd2\xd2\r\n";

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let of_three = |three: &[u8]| {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        let digit = move |at: usize| {
            let shown = at <= three.len();
            if shown { char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]) } else { '=' }
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(of_three).collect()
}

fn findings(refused: &Value) -> String {
    refused["data"]["findings"].to_string()
}

fn kinds(answer: &Value) -> Vec<&str> {
    answer["doubts"].as_array().expect("doubts").iter().filter_map(|doubt| doubt["kind"].as_str()).collect()
}

async fn boards(hall: &Hall) -> usize {
    let answer = hall.get("/api/1/boards", "chief").await.json();
    answer["boards"].as_array().unwrap_or_else(|| panic!("boards: {answer}")).len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_cannot_be_is_named_with_a_proposal_and_nothing_is_half_done() {
    let hall = plan().open().await;
    let desk = hall.desk("results").await;
    let unknown = json!({"csv": "台次,红方,黑方\n1,江汉甲,黄石丙\n2,江汉甲,宜昌甲\n"});
    for dry_run in [true, false] {
        let mut params = unknown.clone();
        params["dry_run"] = json!(dry_run);
        let refused = desk.ask("round.load", params).await.expect_err("an unknown name");
        assert_eq!(refused["code"], CANNOT);
        let found = findings(&refused);
        for part in [
            "line 2",
            "`黄石丙` plays for no team",
            "\"proposal\":\"黄石",
            "line 3",
            "sits at board 1 and at board 2",
        ] {
            assert!(found.contains(part), "{part} is not in {found}");
        }
    }
    let garbled = json!({"csv": "board,first,second\n1,\u{fffd}\u{fffd}甲,黄石甲\n"});
    let refused = desk.ask("round.load", garbled).await.expect_err("a lost character");
    assert!(findings(&refused).contains("csv_base64"), "{refused}");
    assert_eq!(desk.refused("round.load", json!({"csv_base64": base64(b"1,M\xfcller\n")})).await, CANNOT);
    assert_eq!(desk.refused("round.load", json!({})).await, CANNOT);
    assert_eq!(boards(&hall).await, 0);
    for role in ["technician", "viewer"] {
        let other = hall.desk(role).await;
        assert_eq!(other.refused("round.load", json!({"matches": [[1, 3]]})).await, NOT_HIS, "{role}");
        assert_eq!(other.refused("round.export", json!({})).await, NOT_HIS, "{role}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dry_load_and_double_load() {
    let hall = plan().open().await;
    let desk = hall.desk("results").await;
    let list = json!({"matches": [[1, 3], [4, 2]], "dry_run": true});
    let dry = desk.done("round.load", list).await;
    assert_eq!(kinds(&dry), ["clock_offline"], "{dry}");
    assert_eq!(boards(&hall).await, 0, "a dry run changes nothing");
    for coded in [base64(GB18030), base64("\u{feff}先走队,后走队\n江汉,黄石\n4,2\n".as_bytes())] {
        let read = desk.done("round.load", json!({"csv_base64": coded, "dry_run": true})).await;
        assert_eq!(read["boards"], dry["boards"], "the same list in another form");
        let gb = coded.starts_with("zKi0");
        assert_eq!(kinds(&read).contains(&"encoding"), gb, "{read}");
    }
    let loaded = desk.done("round.load", json!({"csv_base64": base64(GB18030)})).await;
    assert_eq!(loaded["boards"], dry["boards"]);
    assert_eq!(boards(&hall).await, 4, "a hall where no round is open shows the loaded one");
    let again =
        desk.ask("round.load", json!({"round": 1, "matches": [[1, 2], [3, 4]]})).await.expect_err("twice");
    assert_eq!(again["code"], AS_THINGS_STAND);
    assert!(findings(&again).contains("loaded already with 4 boards"), "{again}");
    assert!(findings(&again).contains("\"proposal\":\"replace: true\""), "{again}");
    let anew =
        desk.done("round.load", json!({"round": 1, "matches": [[1, 2], [3, 4]], "replace": true})).await;
    assert_eq!(kinds(&anew), ["same_city", "clock_offline"], "{anew}");
    let order = json!([{"board": 1, "first": "江汉乙", "second": "黄石甲"}, {"board": 2, "first": "黄石乙", "second": "江汉甲"}]);
    let order = desk.done("round.load", json!({"round": 2, "boards": order, "dry_run": true})).await;
    assert!(kinds(&order).contains(&"board_order"), "{order}");
    assert!(desk.events().iter().all(|event| event["type"] != "command"), "loading touches no clock");
}

async fn line(desk: &Desk, number: u32, results: &str) -> Value {
    desk.done("match.results", json!({"match": number, "results": results, "status": "signed"})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_changes_after_the_export_is_told_over_a_kill_too() {
    let mut hall = plan().open().await;
    let chief = hall.desk("chief").await;
    let load = json!({"matches": [[1, 3], [4, 2]], "request_id": "load-1"});
    let loaded = chief.done("round.load", load.clone()).await;
    hall.kill();
    hall.start().await;
    let chief = hall.desk("chief").await;
    assert_eq!(boards(&hall).await, 4, "loaded is loaded");
    assert_eq!(chief.done("round.load", load).await, loaded, "a repeat gets the first answer");
    chief.done("round.start", json!({})).await;
    let seen = chief.head();
    let sheet = line(&chief, 2, "=0").await;
    assert_eq!(sheet["score"], json!({"first_team": 0.5, "second_team": 1.5}), "{sheet}");
    let results = hall.desk("results").await;
    let late = json!({"match": 2, "results": "11", "seen": seen});
    assert_eq!(results.refused("match.results", late).await, CHANGED, "somebody entered that sheet since");
    line(&chief, 1, "1+").await;
    let early = results.done("round.export", json!({})).await;
    assert_eq!((&early["complete"], &early["closed"]), (&json!(true), &json!(false)));
    chief.done("round.close", json!({})).await;
    let export = results.done("round.export", json!({"round": 1})).await;
    assert_eq!((&export["closed"], &export["changed"]), (&json!(true), &json!([])));
    let csv = export["csv"].as_str().expect("a file");
    assert!(csv.starts_with("\u{feff}board,table,match,"), "{csv}");
    assert!(
        csv.contains("\r\n2,2,1,黄石乙,黄石,江汉乙,江汉,0-1,forfeit,official,default,0,1,0,1,\r\n"),
        "{csv}"
    );
    hall.kill();
    hall.start().await;

    let chief = hall.desk("chief").await;
    let results = hall.desk("results").await;
    let board = json!({"round": 1, "board": "3"});
    assert_eq!(results.refused("board.withdraw_result", board.clone()).await, NOT_HIS);
    let mark = chief.mark();
    let withdrawn = chief.done("board.withdraw_result", board).await;
    assert_eq!(withdrawn["after_pairing"], true);
    let right = json!({"round": 1, "board": "3", "result": "1-0", "cause": "mate"});
    let corrected = chief.done("board.result", right).await;
    assert_eq!((&corrected["after_pairing"], &corrected["status"]), (&json!(true), &json!("official")));
    let notice = chief
        .since(mark, "the change is told", |event| {
            is(event, "notice", &json!({"kind": "result_after_pairing"}))
                && event["notice"]["message"].as_str().is_some_and(|text| text.contains("to 1-0"))
        })
        .await;
    assert_eq!((&notice["round"], &notice["board"]), (&json!(1), &json!("3")));
    hall.kill();
    hall.start().await;

    let results = hall.desk("results").await;
    let export = results.done("round.export", json!({"round": 1})).await;
    let was = json!({"result": "1/2-1/2", "forfeit": false});
    assert_eq!(
        export["changed"],
        json!([{"board": "3", "old": was, "new": {"result": "1-0", "forfeit": false}}])
    );
    // the next round comes from these results; the teams that met are told
    let next = results.done("round.load", json!({"matches": [["黄石", "江汉"], [2, 4]]})).await;
    assert_eq!((&next["round"], kinds(&next)), (&json!(2), vec!["rematch", "rematch", "clock_offline"]));
    let viewer = hall.hello(json!({"token": token("viewer"), "after": 0})).await;
    viewer
        .wait("the result in force", |event| {
            is(event, "result", &json!({"result": "1-0", "status": "official"}))
        })
        .await;
    assert!(viewer.events().iter().all(|event| event["type"] != "notice"), "a notice is the desk's");

    assert_eq!(hall.end().await, 0);
    let journal = hall.journal();
    let replayed = hall.flagfall(&["journal", "replay", journal.to_str().expect("a path")]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.stdout.contains("all the same"), "{}", replayed.stdout);
}
