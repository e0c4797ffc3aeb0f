//! Can everybody use the page? axe-core looks at every screen in both languages, in the light and in the dark.

use super::full::Full;
use super::stage::screens;
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::{LAPTOP, PHONE};
use flagfall_tests::browser::page::Page;
use rstest::rstest;

#[rstest]
#[case::in_chinese("zh")]
#[case::in_english("en")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_screen_has_a_serious_barrier(#[case] language: &'static str) {
    let full = Full::open(16).await;
    let driver = Driver::start();
    let page = Page::open(&driver, full.hall.port, "chief", LAPTOP.in_language(language)).await;
    let mut barriers = Vec::new();
    let mut found = |place: &str, list: Vec<String>| {
        barriers.extend(list.into_iter().map(|barrier| format!("{place}: {barrier}")))
    };
    for dark in [false, true] {
        page.session.colours(dark).await;
        let colours = if dark { "dark" } else { "light" };
        for screen in screens() {
            page.go_address(screen).await;
            found(&format!("{colours} {screen}"), page.barriers().await);
        }
        // The boxes that a board's view opens.
        page.go_address("board=1/1").await;
        for method in page.openers().await {
            page.open_first(&method).await;
            found(&format!("{colours} box {method}"), page.barriers().await);
            page.session.strike(&["Escape"]).await;
            page.gone("dialog[open]").await;
        }
    }
    page.end().await;
    // Before anybody has come in, and on a telephone.
    let page =
        Page::at(&driver, &format!("http://127.0.0.1:{}/", full.hall.port), PHONE.in_language(language))
            .await;
    page.sees("#token").await;
    found("the entrance", page.barriers().await);
    page.end().await;
    let page = Page::open(&driver, full.hall.port, "viewer", PHONE.in_language(language).in_the_dark()).await;
    found("a viewer's telephone", page.barriers().await);
    page.end().await;
    assert!(barriers.is_empty(), "{}", barriers.join("\n"));
}
