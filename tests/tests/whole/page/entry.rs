//! Coming in: tokens, what is asked of whom, and what the browser is told to forbid.

use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::LAPTOP;
use flagfall_tests::browser::page::Page;
use flagfall_tests::hall::{Hall, Plan, token};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

async fn hall() -> (Hall, Driver) {
    (Plan { boards: 2, matches: true, broker: false, ..Plan::default() }.open().await, Driver::start())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_in_the_address_is_taken_and_wiped_from_it() {
    let (hall, driver) = hall().await;
    let page = Page::open(&driver, hall.port, "arbiter", LAPTOP).await;
    assert_eq!(page.session.url().await.contains("token"), false, "{}", page.session.url().await);
    let history = page.session.script("return history.length", json!([])).await;
    page.sees_text("body", "Red 1").await;
    // Known in this window until it is closed: a reload is no new login.
    page.session.reload().await;
    page.up().await;
    assert_eq!(page.session.script("return history.length", json!([])).await, history);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_token_is_told_and_the_right_one_then_let_in() {
    let (hall, driver) = hall().await;
    let page = Page::at(&driver, &format!("http://127.0.0.1:{}/#token=wrong", hall.port), LAPTOP).await;
    page.sees("#alarm").await;
    page.sees("#token").await;
    page.gone("#link.up").await;
    assert!(page.seen("[data-board]", "").await.is_empty(), "nothing of the hall is shown");
    let kept = "return JSON.stringify([{...localStorage}, {...sessionStorage}])";
    let kept = page.session.script(kept, json!([])).await;
    assert!(!kept.as_str().is_some_and(|kept| kept.contains("wrong")), "a wrong token is not kept: {kept}");
    page.write("#token", &token("viewer")).await;
    page.session.strike(&["Enter"]).await;
    page.up().await;
    page.sees_text("body", "Red 1").await;
    page.end().await;
}
