//! Pictures of a full hall, for people to look at: `target/screenshots`. With `FLAGFALL_PICTURES=docs/pictures` the small
//! set that the documents show is written there as well.

use super::full::Full;
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::{LANGUAGES, LAPTOP, Look, PHONE, WALL};
use flagfall_tests::browser::page::Page;
use serde_json::json;

/// Everything of a hall of 48 stands on a laptop's screen; nothing is wider than its screen anywhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_eight_boards_on_each_screen() {
    let full = Full::open(48).await;
    let driver = Driver::start();
    if let Ok(folder) = std::env::var("FLAGFALL_PICTURES") {
        of_the_documents(&full, &driver, &folder).await;
    }
    for (name, role, look) in [
        ("phone", "chief", PHONE),
        ("laptop", "chief", LAPTOP),
        ("desk", "chief", WALL),
        ("wall", "viewer", WALL),
    ] {
        for language in LANGUAGES {
            let page = Page::open(&driver, full.hall.port, role, Look { language, ..look }).await;
            page.until(
                "all cards",
                "return document.querySelectorAll('#boards [data-board]').length === 48",
                json!([]),
            )
            .await;
            page.go_address("hall").await;
            page.picture("target/screenshots", &format!("hall-{name}-{language}")).await;
            let hidden = "const list = document.querySelector('#boards'); const bottom = [...document.querySelectorAll('#boards [data-board]')] \
                          .map((card) => card.getBoundingClientRect().bottom + scrollY); \
                          return [Math.max(0, Math.round(Math.max(...bottom) - innerHeight)), Math.max(0, document.documentElement.scrollWidth - innerWidth), list.childElementCount]";
            let hidden = page.session.script(hidden, json!([])).await;
            assert_eq!(hidden[1], 0, "{name} {language}: wider than its screen");
            if name != "phone" {
                assert_eq!(
                    hidden[0], 0,
                    "{name} {language}: {} pixels of 48 boards are below the screen",
                    hidden[0]
                );
            }
            let cut = page.session.script(CUT, json!([])).await;
            assert_eq!(cut, json!([]), "{name} {language}: times are cut off");
            if name != "wall" {
                for (screen, shot) in [
                    ("board=1/1", "board"),
                    ("setup", "setup"),
                    ("round", "round"),
                    ("chairs", "chairs"),
                    ("sheet", "sheet"),
                    ("papers", "papers"),
                ] {
                    page.go_address(screen).await;
                    page.picture("target/screenshots", &format!("{shot}-{name}-{language}")).await;
                }
            }
            page.end().await;
        }
    }
}

/// What docs/desk.md and the README show.
async fn of_the_documents(full: &Full, driver: &Driver, folder: &str) {
    let page = Page::open(driver, full.hall.port, "chief", LAPTOP.in_language("en")).await;
    page.until(
        "all cards",
        "return document.querySelectorAll('#boards [data-board]').length === 48",
        json!([]),
    )
    .await;
    page.picture(folder, "desk").await;
    page.tap("#lane-decide [data-ruling] [data-opens=\"ruling.confirm\"]").await;
    page.sees("dialog[open]").await;
    page.picture_of("dialog[open]", folder, "decide").await;
    page.session.strike(&["Escape"]).await;
    page.gone("dialog[open]").await;
    page.go_address("paper=record/1/12").await;
    page.picture_of("#paper article", folder, "record").await;
    page.end().await;
    // High enough for all of a board's view.
    let high = Look { height: 1_700, language: "en", ..LAPTOP };
    let page = Page::open(driver, full.hall.port, "chief", high).await;
    page.go_address("board=1/12").await;
    page.sees("#board-history tbody tr").await;
    page.picture_of("#board-panel", folder, "board").await;
    page.end().await;
    let page = Page::open(driver, full.hall.port, "chief", PHONE.in_language("en")).await;
    page.sees("#lane-decide [data-ruling]").await;
    page.picture(folder, "phone").await;
    page.end().await;
}

/// Times are never cut: what a card shows of them fits into it.
const CUT: &str = "return [...document.querySelectorAll('#boards .time')].filter((time) => time.checkVisibility() && \
                   (time.scrollWidth > time.clientWidth + 1 && getComputedStyle(time).display !== 'inline')).map((time) => time.textContent)";
