//! Coming in: tokens, what is asked of whom, and what the browser is told to forbid.

use super::stage::SCREENS;
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::{LAPTOP, Look};
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
    let at = page.session.url().await;
    assert!(!at.contains("token"), "{at}");
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

/// All that the browser asked anybody for while a chief looked at every screen, decided something and was cut off once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_is_asked_for_anything_and_no_address_holds_the_token() {
    let (hall, driver) = hall().await;
    let look = Look { network: true, ..LAPTOP };
    let page = Page::open(&driver, hall.port, "chief", look).await;
    for screen in SCREENS {
        page.go_address(screen).await;
    }
    page.session.reload().await;
    page.up().await;
    let asked = page.session.network().await;
    let urls: Vec<&str> = asked
        .iter()
        .filter_map(|(method, params)| match method.as_str() {
            "Network.requestWillBeSent" => params["request"]["url"].as_str(),
            "Network.webSocketCreated" => params["url"].as_str(),
            _ => None,
        })
        .collect();
    // The browser's own first page is of itself, and what an address holds itself is asked of nobody.
    let urls: Vec<&str> =
        urls.into_iter().filter(|url| !url.starts_with("chrome") && !url.starts_with("data:")).collect();
    let own = [format!("http://127.0.0.1:{}/", hall.port), format!("ws://127.0.0.1:{}/desk/1", hall.port)];
    assert!(urls.iter().any(|url| *url == own[1]), "it must have come in: {urls:?}");
    assert!(urls.len() > 20, "the page has more parts: {urls:?}");
    for url in urls {
        assert!(own.iter().any(|own| url.starts_with(own.as_str())), "somebody else is asked: {url}");
        // What stands behind # is never sent.
        let sent = url.split('#').next().unwrap_or_default();
        assert!(!sent.contains("token"), "the token is in an address: {url}");
    }
    assert!(!hall.log().contains(&token("chief")), "the token is in the daemon's log");
    page.end().await;
}

/// The policy as it is sent, and as the browser enforces it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_browser_is_told_to_forbid_what_the_page_does_not_need() {
    let (hall, driver) = hall().await;
    let page = Page::open(&driver, hall.port, "chief", LAPTOP).await;
    let script = "const answer = await fetch('/'); return [answer.headers.get('content-security-policy'), \
                  answer.headers.get('x-content-type-options'), answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]";
    let said = page.session.script_async(script, json!([])).await;
    let policy = said[0].as_str().expect("a policy");
    let parts: Vec<&str> = policy.split(';').map(str::trim).collect();
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'none'",
    ] {
        assert!(parts.contains(&part), "{part} is not in {policy}");
    }
    for weak in ["unsafe-inline", "unsafe-eval", "*", "http:", "https:"] {
        assert!(!policy.contains(weak), "{weak} is in {policy}");
    }
    assert_eq!(
        said.as_array().map(|said| &said[1..]),
        Some(&[json!("nosniff"), json!("no-referrer"), json!("no-store")][..])
    );

    // Put into the page by whoever found a hole in it: nothing of it runs or goes out.
    let script = "const before = window.struck; const script = document.createElement('script'); script.textContent = 'window.struck = 1'; \
                  document.body.append(script); script.remove(); \
                  const sent = await fetch('http://127.0.0.1:1/', {mode: 'no-cors'}).then(() => 'sent', (error) => String(error)); \
                  return [window.struck === before, sent]";
    page.excuse("Content Security Policy");
    page.excuse("violates the following");
    page.excuse("127.0.0.1:1");
    let tried = page.session.script_async(script, json!([])).await;
    assert_eq!(tried[0], true, "a script written into the page ran");
    assert_ne!(tried[1], "sent", "something went out");
    page.end().await;

    // Another site's page cannot speak to the desk, whoever opens it.
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", hall.port)).await.expect("the desk");
    let ask = format!(
        "GET /desk/1 HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://elsewhere.example\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        hall.port
    );
    stream.write_all(ask.as_bytes()).await.expect("written");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 403");
}
