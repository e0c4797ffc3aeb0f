//! No page of another site speaks to the desk through an arbiter's browser.

use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Refuses what a browser sends from a page of another origin. Programs send no `Origin`.
pub(super) async fn same(request: Request, next: Next) -> Response {
    if allowed(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "requests from pages of another origin are refused\n").into_response()
    }
}

fn allowed(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    if origins.next().is_some() {
        return false;
    }
    let (Ok(origin), Some(Ok(host))) = (origin.to_str(), headers.get(HOST).map(|host| host.to_str())) else {
        return false;
    };
    let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    own.is_some_and(|own| !own.is_empty() && own.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_and_programs_come_through() {
        let allowed = |origin: Option<&str>, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().expect("a header"));
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().expect("a header"));
            }
            allowed(&headers)
        };
        assert!(allowed(None, "127.0.0.1:8470"));
        assert!(allowed(Some("http://127.0.0.1:8470"), "127.0.0.1:8470"));
        assert!(allowed(Some("https://Arbiter.example"), "arbiter.example"));
        for other in ["null", "http://evil.example", "http://127.0.0.1:8471", "file://", "http://127.0.0.1"] {
            assert!(!allowed(Some(other), "127.0.0.1:8470"), "{other}");
        }
    }
}
