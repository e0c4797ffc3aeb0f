//! Requests that exist, with parameters that do not fit them.

use flagfall_tests::desk::{holds, is};
use flagfall_tests::hall::Plan;
use serde_json::json;
use std::time::Duration;

const DOES_NOT_FIT: i64 = -32602;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_is_told_with_who_asked_and_shortened() {
    let mut hall = Plan { broker: false, ..Plan::default() }.open().await;
    let chief = hall.desk("chief").await;
    let results = hall.desk("results").await;
    let refused = results.ask("board.stop", json!({"bord": "1"})).await.expect_err("no board is named");
    assert_eq!(refused["code"], DOES_NOT_FIT, "{refused}");
    let news = json!({
        "method": "board.stop", "params": {"bord": "1"}, "by": "the results", "ok": false, "error": refused["message"],
    });
    chief.wait("the refusal", |event| is(event, "request", &news)).await;

    let long = json!({"board": ["判".repeat(15_000)]});
    assert_eq!(results.refused("board.resume", long).await, DOES_NOT_FIT);
    let told =
        chief.wait("the refusal", |event| is(event, "request", &json!({"method": "board.resume"}))).await;
    assert!(told.to_string().len() < 2_048, "{} bytes were kept", told.to_string().len());

    // A look is not kept, nor is what nobody has heard of.
    let mark = chief.mark();
    assert_eq!(results.refused("round.check", json!({"round": "one"})).await, DOES_NOT_FIT);
    assert_eq!(results.refused("board.stopp", json!({"board": "1"})).await, -32601);
    chief.nothing(Duration::from_millis(200), mark, "a request", |event| event["type"] == "request").await;

    // A program that asks wrongly again and again is answered and does not fill the journal.
    for _ in 0..80 {
        assert_eq!(results.refused("board.stop", json!({})).await, DOES_NOT_FIT);
    }
    let wrong = json!({"method": "board.stop", "params": {}});
    let told = || chief.count(|event| is(event, "request", &wrong));
    assert!((10..=60).contains(&told()), "{} of 80 were told", told());

    // And the journal keeps it, as everything that was told.
    let before = chief.events();
    hall.kill();
    hall.start().await;
    let again = hall.desk("chief").await;
    let last = before.last().expect("events")["seq"].clone();
    again.wait("the last", |event| event["seq"] == last).await;
    assert_eq!(again.events()[..before.len()], before[..]);
    assert!(again.events().iter().any(|event| holds(&event["request"], &news)));
}
