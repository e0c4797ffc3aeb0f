//! No page of another site speaks to the desk through an arbiter's browser.

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// By which scheme our own pages come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// We speak TLS ourselves.
    Https,
    /// We do not; perhaps a proxy in front of us does.
    Any,
}

/// Refuses what a browser sends from a page of another origin. Programs send no `Origin`.
pub(super) async fn same(State(scheme): State<Scheme>, request: Request, next: Next) -> Response {
    if allowed(request.headers(), scheme) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "requests from pages of another origin are refused\n").into_response()
    }
}

fn allowed(headers: &HeaderMap, scheme: Scheme) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    if origins.next().is_some() {
        return false;
    }
    let (Ok(origin), Some(Ok(host))) = (origin.to_str(), headers.get(HOST).map(|host| host.to_str())) else {
        return false;
    };
    // A page that came in clear may have been changed on its way: it does not speak to a desk that has TLS.
    let clear = origin.strip_prefix("http://").filter(|_| scheme == Scheme::Any);
    let own = clear.or_else(|| origin.strip_prefix("https://"));
    own.is_some_and(|own| !own.is_empty() && own.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_and_programs_come_through() {
        let allowed = |origin: Option<&str>, host: &str, scheme: Scheme| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().expect("a header"));
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().expect("a header"));
            }
            super::allowed(&headers, scheme)
        };
        let secured = |origin: &str| allowed(Some(origin), "desk.local:8470", Scheme::Https);
        assert!(secured("https://desk.local:8470"));
        for other in ["http://desk.local:8470", "https://desk.local", "https://evil.example", "null"] {
            assert!(!secured(other), "{other}");
        }
        let allowed = |origin: Option<&str>, host: &str| allowed(origin, host, Scheme::Any);
        assert!(allowed(None, "127.0.0.1:8470"));
        assert!(allowed(Some("http://127.0.0.1:8470"), "127.0.0.1:8470"));
        assert!(allowed(Some("https://Arbiter.example"), "arbiter.example"));
        for other in ["null", "http://evil.example", "http://127.0.0.1:8471", "file://", "http://127.0.0.1"] {
            assert!(!allowed(Some(other), "127.0.0.1:8470"), "{other}");
        }
    }
}
