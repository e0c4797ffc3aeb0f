//! A viewer looks on: the page offers him nothing to do, and what its own code is made to ask for him is refused.

use super::stage::SCREENS;
use flagfall_arbiter::{Request, Role};
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::Page;
use flagfall_tests::desk::is;
use flagfall_tests::hall::Plan;
use serde_json::{Value, json};

const NOT_HIS: i64 = -32001;

/// Parameters that fit any request; what a request does not know it passes over.
fn fitting(method: &str) -> Value {
    let mut params = json!({
        "round": 1, "board": "1", "match": 1, "player": "first", "article": "六.3", "id": 1, "seq": 1, "clock": "A01",
        "result": "1-0", "results": "1=", "cause": "game_over", "first_ms": 1000, "second_ms": 1000, "delta_ms": 1000,
        "kind": "draw", "outcome": "refused", "mode": "act", "seated": true, "players": [], "reason": "no",
        "until": "2012-06-14T00:00:00Z", "matches": [[1, 2]],
    });
    if method == "ruling.make" {
        params["kind"] = "time_forfeit".into();
    }
    params
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_is_offered_nothing_and_refused_everything() {
    let hall = Plan { boards: 2, matches: true, broker: false, ..Plan::default() }.open().await;
    let chief = hall.desk("chief").await;
    chief.done("round.start", json!({"round": 1})).await;
    chief.done("foul.record", json!({"board": "1", "player": "first", "article": "六.3"})).await;
    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "viewer", LAPTOP).await;
    page.sees_text("[data-board]", "Red 1").await;
    for screen in SCREENS {
        page.go_address(screen).await;
        let acts = page.texts("[data-act], [data-opens]").await;
        assert!(acts.is_empty(), "{screen} offers a viewer {acts:?}");
        // Keys do no more than taps.
        page.session
            .strike(&["d", "c", "o", "s", "g", "r", "f", "m", "a", "e", "t", "x", "w", "u", "n"])
            .await;
        assert!(
            page.seen("dialog[open]", "").await.is_empty(),
            "{screen}: a key opened a dialog for a viewer"
        );
    }
    page.go_address("board=1/1").await;
    let text = page.texts("body").await.concat();
    for secret in ["六.3", "50:00"] {
        assert!(!text.contains(secret), "a viewer sees {secret}: {text}");
    }

    // The page's own line, made to ask: what a person with the browser's tools can do.
    let methods: Vec<&str> = Request::METHODS
        .iter()
        .copied()
        .filter(|method| Request::role_of(method) != Some(Role::Viewer))
        .collect();
    assert!(methods.len() > 30, "{methods:?}");
    let asked: Vec<Value> = methods.iter().map(|method| json!([method, fitting(method)])).collect();
    let mark = chief.mark();
    let script = "const {ask} = await import('/line.js'); const said = []; \
                  for (const [method, params] of arguments[0]) { \
                      said.push(await ask(method, params).then(() => [method, 'done'], (error) => [method, error.code])); \
                      await new Promise((then) => setTimeout(then, 60)); \
                  } return said";
    let said = page.session.script_async(script, json!([asked])).await;
    let wrong: Vec<&Value> =
        said.as_array().expect("a list").iter().filter(|answer| answer[1] != NOT_HIS).collect();
    assert!(wrong.is_empty(), "not refused for his role: {wrong:?}");
    chief
        .since(mark, "the last refusal", |event| {
            is(event, "request", &json!({"method": methods.last(), "ok": false, "by": "the viewer"}))
        })
        .await;
    let done: Vec<Value> =
        chief.events().split_off(mark).into_iter().filter(|event| event["type"] != "request").collect();
    assert!(done.is_empty(), "something was done after all: {done:?}");
    page.end().await;
}
