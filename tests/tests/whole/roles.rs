//! Who may ask what: the table of docs/api 4, row by row.

use flagfall_tests::hall::{Plan, ROLES};
use serde_json::{Value, json};

const NOT_HIS: i64 = -32001;
const NO_SUCH_METHOD: i64 = -32601;

/// Every row, its least parameters, and who may beside the chief.
fn rows() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let board = || json!({"board": "1"});
    let with = |more: Value| {
        let mut params = json!({"board": "1"});
        for (name, value) in more.as_object().expect("an object") {
            params[name] = value.clone();
        }
        params
    };
    let everybody: &[&str] = &["arbiter", "results", "technician", "viewer"];
    vec![
        ("setup.walk", json!({"from_table": 1, "to_table": 1}), &["technician"]),
        ("round.load", json!({"round": 2, "boards": [], "dry_run": true}), &["results"]),
        ("round.prepare", json!({"round": 1}), &["technician"]),
        ("round.check", json!({"round": 1}), everybody),
        ("round.start", json!({"round": 1}), &["arbiter"]),
        ("round.absent", json!({"round": 1, "players": []}), &["arbiter"]),
        ("player.arrived", with(json!({"player": "first"})), &["arbiter"]),
        (
            "match.hold",
            json!({"match": 1, "until": "2012-06-14T01:00:00.000Z", "reason": "a bus"}),
            &["arbiter"],
        ),
        ("round.pause", json!({"reason": "light"}), &["arbiter"]),
        ("round.resume", json!({"seated": true}), &["arbiter"]),
        ("round.close", json!({"round": 1}), &[]),
        ("round.export", json!({"round": 1}), &["results"]),
        ("board.start", board(), &["arbiter"]),
        ("board.stop", board(), &["arbiter"]),
        ("board.resume", board(), &["arbiter"]),
        ("board.swap_sides", board(), &["arbiter"]),
        ("board.set_times", with(json!({"first_ms": 60_000, "second_ms": 60_000})), &["arbiter"]),
        ("board.adjust", with(json!({"player": "first", "delta_ms": 1_000})), &["arbiter"]),
        ("undo", json!({"seq": 1}), &["arbiter"]),
        ("board.result", with(json!({"result": "1-0", "cause": "mate"})), &["results", "arbiter"]),
        ("board.sign", board(), &["results", "arbiter"]),
        ("match.results", json!({"match": 1, "results": []}), &["results", "arbiter"]),
        ("board.withdraw_result", board(), &["results", "arbiter"]),
        ("board.assign", with(json!({"clock": "Z01", "carry": false})), &["technician"]),
        ("stop.explain", with(json!({"cause": "accident"})), &["arbiter"]),
        ("foul.record", with(json!({"player": "first", "article": "五.1"})), &["arbiter"]),
        ("foul.withdraw", with(json!({"player": "first", "article": "五.1"})), &["arbiter"]),
        ("recording.exempt", board(), &["arbiter"]),
        ("claim.open", with(json!({"player": "first", "kind": "natural_limit"})), &["arbiter"]),
        ("claim.decide", with(json!({"player": "first", "outcome": "refused"})), &["arbiter"]),
        ("ruling.confirm", json!({"id": 99}), &["arbiter"]),
        ("ruling.overrule", json!({"id": 99, "reason": "no"}), &["arbiter"]),
        ("ruling.make", with(json!({"kind": "illegal_move", "offender": "first"})), &["arbiter"]),
        ("ruling.announce", json!({"id": 99}), &["arbiter"]),
        ("incident.take", json!({"id": 99}), &["arbiter"]),
        ("incident.close", json!({"id": 99, "outcome": "seen", "reason": "nothing"}), &["arbiter"]),
        ("event.mode", json!({"mode": "act"}), &[]),
        ("task.done", json!({"id": 99}), &["arbiter"]),
        ("clock.identify", json!({"clock": "A01"}), &["technician"]),
        ("board.history", board(), everybody),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_request_is_for_its_role() {
    let mut hall = Plan { broker: false, ..Plan::default() }.open().await;
    let mut wrong = Vec::new();
    // The chief last: what he starts or closes is no hindrance to the others.
    for role in ROLES.iter().rev() {
        let desk = hall.desk(role).await;
        assert_eq!(desk.welcome["role"], *role);
        for (method, params, may) in rows() {
            let answer = desk.ask(method, params).await;
            let code = answer.as_ref().err().and_then(|refused| refused["code"].as_i64());
            if code == Some(NO_SUCH_METHOD) {
                continue;
            }
            let allowed = code != Some(NOT_HIS);
            let expected = *role == "chief" || may.contains(role);
            // An arbiter or a technician may have more than the table says; a viewer or the scorer never.
            let more = *role == "arbiter" || (*role == "technician" && may.contains(&"technician"));
            if allowed != expected && !(allowed && more) {
                wrong.push(format!("{role} {method}: {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(hall.runs());
}

/// Those of the event day, which this version says it does not have. Once one is there, it is taken off.
const LATER: [&str; 4] = ["setup.walk", "match.hold", "claim.open", "claim.decide"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_of_the_contract_exists() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let desk = hall.desk("chief").await;
    let mut missing = Vec::new();
    for (method, params, _) in rows() {
        if let Err(refused) = desk.ask(method, params).await
            && refused["code"] == NO_SUCH_METHOD
        {
            missing.push(method);
        }
    }
    missing.sort_unstable();
    let mut later = LATER;
    later.sort_unstable();
    assert_eq!(missing, later);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_request_is_journalled_with_who_asked() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let chief = hall.desk("chief").await;
    let results = hall.desk("results").await;
    let refused = results.ask("board.stop", json!({"board": "1"})).await.expect_err("not his");
    let message = refused["message"].as_str().expect("a sentence");
    assert!(!message.is_empty(), "{refused}");
    let told = chief
        .wait("the refusal", |event| event["type"] == "request" && event["request"]["ok"] == false)
        .await;
    assert_eq!(told["request"]["method"], "board.stop");
    assert_eq!(told["request"]["by"], "the results");
    assert_eq!(told["request"]["error"], refused["message"]);
}
