//! `/certificate`: how a device comes to believe this desk. Without script and without a token, since it is read before
//! the device believes anything, over a connection it has warned of.

use super::Desk;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// The type at which Android and iPadOS offer to install.
const CERTIFICATE: &str = "application/x-x509-ca-cert";
const HTML: &str = "text/html; charset=utf-8";

pub(super) fn routes() -> Router<Desk> {
    Router::new()
        .route("/certificate", get(page))
        .route("/certificate.css", get(style))
        .route("/certificate.pem", get(pem))
        .route("/certificate.crt", get(der))
}

async fn page(State(desk): State<Desk>) -> Response {
    let Some(authority) = &desk.authority else { return none() };
    let page = include_str!("page.html").replace("FINGERPRINT", &authority.fingerprint());
    ([(header::CONTENT_TYPE, HTML)], page).into_response()
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("page.css")).into_response()
}

/// As text, for systems that read that.
async fn pem(State(desk): State<Desk>) -> Response {
    let Some(authority) = &desk.authority else { return none() };
    file("flagfall.pem", authority.pem().to_owned())
}

/// As bytes: Windows opens that by a tap, and Android takes it.
async fn der(State(desk): State<Desk>) -> Response {
    let Some(authority) = &desk.authority else { return none() };
    file("flagfall.crt", authority.der().to_vec())
}

fn file(name: &str, content: impl IntoResponse) -> Response {
    let named = format!("inline; filename=\"{name}\"");
    let kind = [(header::CONTENT_TYPE, CERTIFICATE.to_owned()), (header::CONTENT_DISPOSITION, named)];
    (kind, content).into_response()
}

fn none() -> Response {
    let why = "this desk has no certificate of its own to give away: it speaks plain HTTP, or its certificate is by an \
               authority that devices know\n\
               本裁判台没有自己的根证书可供安装：它使用 HTTP，或其证书由设备已信任的机构签发\n";
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], why).into_response()
}
