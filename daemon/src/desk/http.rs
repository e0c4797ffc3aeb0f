//! What is had by plain HTTP: the page, health, metrics, boards and events to read.

use super::Desk;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{self, AUTHORIZATION, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flagfall_arbiter::Refused;
use flagfall_rules::Who;
use rust_embed::Embed;
use serde::Deserialize;
use serde_json::json;

/// Nothing from elsewhere, no script but ours, nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What every answer says to browsers.
pub(super) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let said: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in said {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn typed(kind: &'static str, text: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// The page's files. A debug build reads them from their folder, so that a change shows with the next reload; a
/// release build carries them.
#[derive(Embed)]
#[folder = "src/desk/page"]
struct Page;

pub(super) async fn page() -> Response {
    file("index.html")
}

pub(super) async fn part(Path(path): Path<String>) -> Response {
    file(&path)
}

fn file(path: &str) -> Response {
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => return nothing(),
    };
    match Page::get(path) {
        Some(file) => typed(kind, file.data.into_owned()),
        None => nothing(),
    }
}

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "there is no such page\n").into_response()
}

pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

pub(super) async fn readyz(State(desk): State<Desk>) -> Response {
    let fault = desk.bulletin.fault.borrow().clone();
    match fault {
        None => "ok\n".into_response(),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("the journal cannot be written: {why}\n"))
            .into_response(),
    }
}

pub(super) async fn metrics(State(desk): State<Desk>, headers: HeaderMap) -> Response {
    match user(&desk, &headers) {
        None => return stranger(),
        // flags and stops are counted there
        Some(who) if who.role.audience() == flagfall_arbiter::Audience::Public => {
            return (StatusCode::FORBIDDEN, "metrics are for the desk\n").into_response();
        }
        Some(_) => {}
    }
    typed("application/openmetrics-text; version=1.0.0; charset=utf-8", desk.bulletin.metrics.page())
}

pub(super) async fn boards(State(desk): State<Desk>, headers: HeaderMap) -> Response {
    let Some(who) = user(&desk, &headers) else { return stranger() };
    match desk.asks.view(who.role.audience()).await {
        Ok(view) => json_answer(
            &json!({
                "journal": desk.bulletin.journal,
                "head": view.head,
                "now": view.now,
                "rounds": view.snapshot.rounds,
                "boards": view.snapshot.boards,
            })
            .to_string(),
        ),
        Err(refused) => refusal(&refused),
    }
}

#[derive(Deserialize)]
pub(super) struct After {
    #[serde(default)]
    after: u64,
    limit: Option<usize>,
}

/// Events in one answer, at most; and where nothing is said.
const MOST_EVENTS: usize = 1_000;
const SOME_EVENTS: usize = 100;

pub(super) async fn events(
    State(desk): State<Desk>,
    headers: HeaderMap,
    Query(asked): Query<After>,
) -> Response {
    let Some(who) = user(&desk, &headers) else { return stranger() };
    let audience = who.role.audience();
    let most = asked.limit.unwrap_or(SOME_EVENTS).clamp(1, MOST_EVENTS);
    let head = desk.bulletin.ring.head();
    let mut after = asked.after;
    let mut found = Vec::new();
    while found.len() < most {
        let told = match desk.after(after, MOST_EVENTS).await {
            Ok(told) if told.is_empty() => break,
            Ok(told) => told,
            Err(refused) => return refusal(&refused),
        };
        for told in told {
            if found.len() == most {
                break;
            }
            after = told.seq;
            found.extend(told.heard_by(audience));
        }
    }
    let events: Vec<&str> = found.iter().map(crate::shell::Told::json).collect();
    let journal = &desk.bulletin.journal;
    let text =
        format!(r#"{{"journal":"{journal}","head":{head},"after":{after},"events":[{}]}}"#, events.join(","));
    json_answer(&text)
}

fn json_answer(text: &str) -> Response {
    typed("application/json", format!("{text}\n"))
}

fn refusal(refused: &Refused) -> Response {
    let text = serde_json::to_string(refused).unwrap_or_default();
    (StatusCode::SERVICE_UNAVAILABLE, json_answer(&text)).into_response()
}

/// Whose bearer token this is.
fn user<'a>(desk: &'a Desk, headers: &HeaderMap) -> Option<&'a Who> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        desk.users.of(token.trim()).map(|known| &known.who)
    } else {
        None
    }
}

fn stranger() -> Response {
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "a token of the desk is needed\n").into_response()
}
