//! What the page makes of what it hears and of what is typed, as its own code has it: what of a board's past can be taken
//! back, how a match sheet's line is read, which articles a search finds.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::Page;
use flagfall_tests::hall::Plan;
use serde_json::{Value, json};

fn request(seq: u64, method: &str, ok: bool, params: Value) -> Value {
    json!({"seq": seq, "at": format!("at {seq}"), "type": "request", "request": {"method": method, "params": params, "by": "chief", "ok": ok}})
}

/// What followed from the request with that seq, recorded at the same time.
fn of(request: u64, seq: u64, kind: &str, news: Value) -> Value {
    json!({"seq": seq, "at": format!("at {request}"), "type": kind, kind: news})
}

/// A board's past, and the requests in it that can be taken back.
fn pasts() -> Vec<(Value, Vec<u64>)> {
    let result =
        |seq, score: &str| request(seq, "board.result", true, json!({"board": "1", "result": score}));
    let foul = json!({"board": "1", "player": "first", "article": "八.7"});
    vec![
        (json!([result(5, "1-0"), of(5, 6, "result", json!({"result": "1-0"}))]), vec![5]),
        (
            json!([
                result(5, "1-0"),
                of(5, 6, "result", json!({"result": "1-0"})),
                of(8, 8, "undone", json!({"seq": 5}))
            ]),
            vec![],
        ),
        // of two results the last one, or what it said would be lost
        (json!([result(5, "1-0"), result(7, "0-1")]), vec![7]),
        // a ruling said another: that comes first
        (json!([result(5, "1-0"), of(9, 9, "result", json!({"result": "0-1"}))]), vec![]),
        (json!([request(3, "foul.record", true, foul.clone())]), vec![3]),
        (
            json!([
                request(3, "foul.record", true, foul.clone()),
                request(7, "foul.withdraw", true, foul.clone())
            ]),
            vec![],
        ),
        (
            json!([
                request(3, "foul.record", false, foul.clone()),
                request(4, "board.stop", true, json!({"board": "1"}))
            ]),
            vec![],
        ),
        (
            json!([
                request(3, "board.adjust", true, json!({})),
                request(6, "ruling.confirm", true, json!({"id": 2}))
            ]),
            vec![3, 6],
        ),
        (
            json!([
                request(6, "ruling.confirm", true, json!({"id": 2})),
                of(9, 9, "ruling", json!({"id": 2, "state": "overruled"}))
            ]),
            vec![],
        ),
    ]
}

/// A match, and the halves of each board for the team listed first.
type Sheet = (u64, &'static [i64]);

/// A line of a match sheet, and what it says; nothing where it is wrong.
const SHEETS: &[(&str, Option<Sheet>)] = &[
    ("7 10=1", Some((7, &[2, 0, 1, 2]))),
    ("７　１０＝１", Some((7, &[2, 0, 1, 2]))),
    ("12: 胜 负 和 ½", Some((12, &[2, 0, 1, 1]))),
    ("3 +-", Some((3, &[2, 0]))),
    ("7", None),
    ("7 1x", None),
    ("x 10", None),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_takes_pasts_sheets_and_searches_as_they_are_meant() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "viewer", LAPTOP).await;
    let pasts = pasts();
    let script = "const {undoable} = await import('/board/undoable.js'); return arguments[0].map((events) => [...undoable(events)])";
    let events: Vec<&Value> = pasts.iter().map(|(events, _)| events).collect();
    let found = page.session.script_async(script, json!([events])).await;
    for ((events, back), found) in pasts.iter().zip(found.as_array().expect("a list")) {
        assert_eq!(found, &json!(back), "of {events}");
    }

    let script = "const {readSheet} = await import('/screens/sheet.js'); return arguments[0].map(readSheet)";
    let lines: Vec<&str> = SHEETS.iter().map(|(line, _)| *line).collect();
    let found = page.session.script_async(script, json!([lines])).await;
    for ((line, meant), found) in SHEETS.iter().zip(found.as_array().expect("a list")) {
        match meant {
            None => assert!(found["wrong"].is_string(), "{line}: {found}"),
            Some((number, halves)) => {
                assert_eq!(found["match"], *number, "{line}");
                let points: Vec<&Value> = found["results"]
                    .as_array()
                    .expect("results")
                    .iter()
                    .map(|mark| &mark["points"])
                    .collect();
                assert_eq!(json!(points), json!(halves), "{line}");
            }
        }
    }

    // a reckoned time has its mark wherever it stands
    let board = |online: bool, running: Option<&str>| json!({"online": online, "running": running, "as_of": null, "first": {"ms": 61_000}});
    let boards = [
        board(true, Some("first")),
        board(false, Some("first")),
        board(false, Some("second")),
        board(false, None),
    ];
    let script = "const {shownTime} = await import('/grid/marks.js'); return arguments[0].map((board) => shownTime(board, 'first'))";
    let found = page.session.script_async(script, json!([boards])).await;
    assert_eq!(found, json!(["1:01", "~1:01", "1:01", "1:01"]));

    let article = json!({"article": "八.7", "text": {"zh": "摸子走子", "en": "touched a piece"}});
    let script = "const {matches} = await import('/acts/foul.js'); return arguments[1].map((search) => matches(arguments[0], search))";
    let found = page
        .session
        .script_async(script, json!([article, ["八.7", "摸子", "TOUCHED piece", "", "六", "piece hall"]]))
        .await;
    assert_eq!(found, json!([true, true, true, true, false, false]));
    page.end().await;
}
