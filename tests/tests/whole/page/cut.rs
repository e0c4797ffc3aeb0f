//! The line between page and daemon: cut in the middle of a decision, asleep, and the page loaded anew.

use super::stage::Game;
use flagfall_tests::browser::line::Line;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::{Page, act};
use flagfall_tests::clock::Side;
use flagfall_tests::desk::is;
use serde_json::json;
use std::time::{Duration, Instant};

/// What a browser says by itself of a line that is gone.
fn excuse(page: &Page) {
    page.excuse("WebSocket connection to");
    page.excuse("ERR_CONNECTION");
    page.excuse("ERR_EMPTY_RESPONSE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_cut_in_mid_ruling_is_said_at_once_and_the_decision_goes_through_once() {
    let game = Game::open(1).await;
    game.stop(1).await;
    let ruling = game.without_cause(1).await;
    let line = Line::to(game.hall.port).await;
    let page = game.page_at(line.port, "arbiter", LAPTOP.in_language("en")).await;
    excuse(&page);
    page.tap(&format!("#lane-decide [data-ruling=\"{}\"] [data-opens=\"ruling.overrule\"]", ruling["id"]))
        .await;
    page.fill(&[("reason", "the chair fell on it")]).await;

    let cut = Instant::now();
    line.cut();
    page.sees("#link.down").await;
    page.sees("body.stale").await;
    let said = cut.elapsed();
    assert!(said < Duration::from_secs(5), "the page said so after {said:?}");
    // What he wrote is kept, and the times are not shown as live.
    page.sees_text("dialog[open] [name=reason]", "the chair fell on it").await;
    page.sees("#old").await;
    // He sends it all the same: no answer comes, and that is said, or it waits for the line.
    let mark = game.desk.mark();
    page.tap(&format!("#dialog {}", act("ruling.overrule"))).await;
    line.mend();
    page.up().await;
    page.gone("#old").await;
    // Whatever came of the first tap: it is done at the latest with the second one, and it is done once.
    let is_done =
        |event: &serde_json::Value| is(event, "ruling", &json!({"id": ruling["id"], "state": "overruled"}));
    page.until(
        "the box is closed, or can be sent again",
        "return !document.querySelector('dialog[open]') || !document.querySelector('#dialog [data-act]').disabled",
        json!([]),
    )
    .await;
    if !page.seen("dialog[open]", "").await.is_empty() {
        page.tap(&format!("#dialog {}", act("ruling.overrule"))).await;
    }
    game.desk.since(mark, "overruled", is_done).await;
    page.gone("dialog[open]").await;
    let asked = json!({"method": "ruling.overrule", "ok": true});
    assert_eq!(game.desk.count(|event| is(event, "request", &asked)), 1, "once");
    assert_eq!(game.desk.count(|event| is_done(event)), 1, "once");
    page.end().await;
}

/// A tap whose answer was lost on the way is the same tap when it is sent again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_lost_on_the_way_makes_no_second_deed() {
    let game = Game::open(1).await;
    let line = Line::to(game.hall.port).await;
    let page = game.page_at(line.port, "arbiter", LAPTOP.in_language("en")).await;
    excuse(&page);
    page.go_address("board=1/1").await;
    page.tap("#screen-board [data-act=\"board.stop\"]").await;
    game.desk.wait("it stands", |event| is(event, "stopped", &json!({"ordered": true}))).await;
    let stood = game.clock(1).times();
    page.tap("#screen-board [data-opens=\"board.adjust\"]").await;
    page.fill(&[("player", "first"), ("delta_ms", "+1:00")]).await;
    line.freeze();
    page.tap(&format!("#dialog {}", act("board.adjust"))).await;
    page.sees("body.stale").await;
    line.mend();
    page.gone("dialog[open]").await;
    let changed = game.desk.wait("one minute more", |event| event["type"] == "times_changed").await;
    assert_eq!(changed["times_changed"]["after"]["first_ms"], stood[0] + 60_000, "{changed}");
    page.up().await;
    let asked = json!({"method": "board.adjust", "ok": true});
    assert_eq!(game.desk.count(|event| is(event, "request", &asked)), 1, "one minute, not two");
    page.end().await;
}

/// Thirty seconds asleep: what happened meanwhile is there, each event once, and the times are live again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_sleep_the_page_goes_on_without_a_gap() {
    let game = Game::open(2).await;
    let line = Line::to(game.hall.port).await;
    let page = game.page_at(line.port, "arbiter", LAPTOP.in_language("en")).await;
    excuse(&page);
    page.go_address("board=1/1").await;
    page.sees_text("#screen-board", "Red 1").await;
    line.freeze();
    page.sees("body.stale").await;
    page.sees("#old").await;
    let shown = page.texts("#screen-board [data-live]").await;
    let frozen = Instant::now();
    game.clock(1).press(Side::Left);
    game.clock(1).press(Side::Right);
    let incident = game.stop(2).await;
    // What is measured is that nothing moves for so long; the daemon gives up a silent line after 10 s of it.
    while frozen.elapsed() < Duration::from_secs(30) {
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(
            page.texts("#screen-board [data-live]").await,
            shown,
            "a page that hears nothing does not count on"
        );
        assert!(page.seen("#link.up", "").await.is_empty(), "it does not call itself connected");
    }
    line.mend();
    page.up().await;
    page.gone("body.stale").await;
    page.until("the times count again", "const now = [...document.querySelectorAll('#screen-board [data-live]')].map((time) => time.innerText); return JSON.stringify(now) !== arguments[0]",
        json!([json!(shown).to_string()])).await;
    // What happened meanwhile is there.
    page.go("hall").await;
    page.sees(&format!("#lanes [data-incident=\"{}\"]", incident["id"])).await;
    // The page's own account: the last event it knows is the daemon's last.
    let head = game.desk.events().last().expect("events")["seq"].clone();
    page.until(
        "up to the last event",
        "return import('/line.js').then(({line}) => line.head >= arguments[0] && line.head)",
        json!([head]),
    )
    .await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_loaded_anew_comes_back_to_where_it_was() {
    let game = Game::open(2).await;
    game.stop(2).await;
    let ruling = game.without_cause(2).await;
    let page = game.page("arbiter", LAPTOP).await;
    page.tap("#boards [data-board=\"1/2\"] button").await;
    page.sees("#screen-board[data-board=\"1/2\"] [data-live]").await;
    let at = page.session.url().await;
    assert!(at.ends_with("#board=1/2"), "{at}");
    // In the middle of a decision.
    page.tap(&format!("#screen-board [data-ruling=\"{}\"] [data-opens=\"ruling.overrule\"]", ruling["id"]))
        .await;
    page.sees("dialog[open]").await;
    page.session.reload().await;
    page.up().await;
    page.sees("#screen-board[data-board=\"1/2\"] [data-live]").await;
    assert_eq!(page.session.url().await, at);
    page.sees(&format!("#screen-board [data-ruling=\"{}\"]", ruling["id"])).await;
    let asked = json!({"method": "ruling.overrule"});
    assert_eq!(game.desk.count(|event| is(event, "request", &asked)), 0, "nothing was sent by itself");
    // Back leads out of the board, and forward into it again.
    page.go("tasks").await;
    page.session.back().await;
    page.sees("#screen-board[data-board=\"1/2\"] [data-live]").await;
    page.end().await;
}

/// The daemon itself is gone and comes back: the page is cut off, says so, and has all of it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_daemon_that_was_killed_is_met_again() {
    let mut game = Game::open(1).await;
    let page = game.page("arbiter", LAPTOP.in_language("en")).await;
    excuse(&page);
    game.hall.kill();
    page.sees("#link.down").await;
    game.hall.start().await;
    page.up().await;
    page.sees_text("#boards [data-board=\"1/1\"]", "Red 1").await;
    page.gone("body.stale").await;
    page.end().await;
}
