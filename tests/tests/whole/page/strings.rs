//! Strings from outside are shown as text, and break nothing: neither the page nor its layout.

use super::stage::screens;
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::{LANGUAGES, LAPTOP, Look, PHONE};
use flagfall_tests::browser::page::Page;
use flagfall_tests::clock::Side;
use flagfall_tests::hall::{Plan, clock_name};
use serde_json::{Value, json};

/// What a pairing program may send for a name.
fn names() -> [String; 8] {
    [
        "<img src=x onerror=\"window.struck=1\">".into(),
        "\"'></button><script>window.struck=2</script>&lt;b&gt;".into(),
        format!("{}尾", "长".repeat(199)),
        "W".repeat(200),
        "\u{202e}עברית‏ שמאלה \u{202d}".into(),
        "👩‍👩‍👧‍👦🀄️ 王🇨🇳".into(),
        "${window.struck=3} {{7*7}} %s \\u003c".into(),
        "javascript:window.struck=4".into(),
    ]
}

/// Nothing ran, nothing was made of it, and the page is not wider than its screen.
const BROKEN: &str = "
    const beyond = () => [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .slice(-3).map((element) => element.outerHTML.slice(0, 90)).join(' | ');
    const wide = document.documentElement.scrollWidth - innerWidth;
    const made = [...document.querySelectorAll('img, iframe, object, embed, body script, [onerror]')].map((element) => element.outerHTML);
    return [window.struck === undefined ? null : `a script ran: ${window.struck}`, wide > 0 ? `${wide} pixels wider than the screen: ${beyond()}` : null,
        made.length ? `made of a text: ${made}` : null].filter(Boolean)";

async fn broken(page: &Page, place: &str) -> Vec<String> {
    let found = page.session.script(BROKEN, json!([])).await;
    let found = found.as_array().cloned().unwrap_or_default();
    found.iter().map(|wrong| format!("{place}: {}", wrong.as_str().unwrap_or_default())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strings_from_outside_are_shown_as_text_on_every_screen() {
    let names = names();
    let player = |number: usize| json!({"name": names[number], "team": names[7 - number]});
    let boards: Vec<Value> = (0..4)
        .map(|n| json!({"board": n + 1, "match": n + 1, "first": player(2 * n), "second": player(2 * n + 1)}))
        .collect();
    let hall = Plan { boards: 4, rounds: 0, ..Plan::default() }.open().await;
    let chief = hall.desk("chief").await;
    chief.done("round.load", json!({"round": 1, "boards": boards})).await;
    chief.done("round.start", json!({"round": 1})).await;
    let mut clocks = Vec::new();
    for table in 1..=3 {
        clocks.push(hall.clock(table, 3_000_000, 15_000).await);
        let name = clock_name(table);
        chief.wait("it is heard", |event| event["type"] == "clock_online" && event["clock"] == name).await;
        clocks[table as usize - 1].0.start(Side::Left);
        let board = table.to_string();
        chief.wait("it runs", |event| event["board"] == board && event["type"] == "game_started").await;
    }
    for (number, name) in names.iter().enumerate() {
        let board = (number % 3 + 1).to_string();
        if number % 3 == 0 {
            chief
                .done(
                    "claim.open",
                    json!({"board": board, "player": "first", "kind": "other", "reason": name}),
                )
                .await;
            let params = json!({"board": board, "player": "first", "outcome": "refused", "reason": name});
            chief.done("claim.decide", params).await;
        }
        let id = chief.done("ruling.make", json!({"board": board, "kind": "article", "article": "八.2", "offender": "first", "reason": name})).await["id"].clone();
        chief.done("ruling.overrule", json!({"id": id, "reason": name})).await;
        chief
            .done(
                "foul.record",
                json!({"board": board, "player": "second", "article": "八.5", "reason": name}),
            )
            .await;
    }
    chief
        .done("claim.open", json!({"board": "1", "player": "second", "kind": "other", "reason": names[0]}))
        .await;
    chief.done("board.result", json!({"board": "2", "result": "1-0", "cause": names[0]})).await;
    chief.done("board.result", json!({"board": "3", "result": "1-0", "cause": names[3]})).await;

    let driver = Driver::start();
    let mut wrong = Vec::new();
    for look in [LAPTOP, Look { language: "en", ..PHONE }] {
        let page = Page::open(&driver, hall.port, "chief", look).await;
        // Every name stands there as it came, but for what a line can show of it.
        let shown = page.session.script("return document.body.textContent", json!([])).await;
        let shown = shown.as_str().unwrap_or_default();
        for name in &names {
            assert!(shown.contains(name.as_str()), "{name} is not shown");
        }
        for screen in screens() {
            page.go_address(screen).await;
            let place = format!("{}x{} {screen}", look.width, look.height);
            wrong.extend(broken(&page, &place).await);
            // Each dialog that this screen opens shows them too.
            for method in page.openers().await {
                page.open_first(&method).await;
                wrong.extend(broken(&page, &format!("{place}, dialog {method}")).await);
                page.session.strike(&["Escape"]).await;
                page.gone("dialog[open]").await;
                page.go_address(screen).await;
            }
        }
        page.end().await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What a person had before him and had filled in stays when the language is turned.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turning_the_language_keeps_what_is_there() {
    let hall = Plan { boards: 4, matches: true, broker: false, ..Plan::default() }.open().await;
    let chief = hall.desk("chief").await;
    chief.done("round.start", json!({"round": 1})).await;
    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "chief", LAPTOP).await;
    page.go("sheet").await;
    page.write("#sheet-line", "2 1=").await;
    page.sees_text("#sheet-rows", "Red 3").await;
    for language in LANGUAGES.into_iter().rev() {
        page.speak(language).await;
        assert_eq!(
            page.session.script("return document.querySelector('#sheet-line').value", json!([])).await,
            "2 1="
        );
        page.sees_text("#sheet-rows", "Red 3").await;
        page.sees("#screen-sheet").await;
    }
    page.go_address("board=1/3").await;
    let mut titles = Vec::new();
    for language in LANGUAGES {
        page.speak(language).await;
        page.sees_text("#screen-board", "Red 3").await;
        titles.push(page.texts("#screen-board h2").await.concat());
        page.session.reload().await;
        page.up().await;
        let kept = page.attribute("html", "lang").await.unwrap_or_default();
        assert!(kept.starts_with(language), "a reload keeps the language {language}: {kept}");
    }
    assert_ne!(titles[0], titles[1], "it was turned");
    page.end().await;
}
