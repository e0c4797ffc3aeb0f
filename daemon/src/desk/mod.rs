//! The desk: where arbiters and their programs come in.
//!
//! HTTP and WebSocket on one address. It decides nothing: requests go to the core, events come from the bulletin. A
//! client that is slow, silent, loud or gone holds nobody else up.

mod certificate;
mod history;
mod http;
mod origin;
mod rate;
mod rpc;
mod secured;
mod socket;
mod users;

pub use users::Users;

use crate::config::User;
use crate::shell::{Asks, Bulletin};
use crate::tls::{Authority, Identity};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use axum::serve::ListenerExt;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Desks connected at a time.
const MOST_CLIENTS: usize = 256;

/// What every connection holds. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Desk {
    users: Arc<Users>,
    bulletin: Arc<Bulletin>,
    asks: Asks,
    places: Arc<Semaphore>,
    tasks: TaskTracker,
    stop: CancellationToken,
    /// What devices must believe, where the desk speaks TLS by an authority of its own.
    authority: Option<Arc<Authority>>,
}

impl Desk {
    /// For these users. Connections are counted in `tasks` and take leave when `stop` says so.
    #[must_use]
    pub fn new(
        users: &[User],
        bulletin: Arc<Bulletin>,
        asks: Asks,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Self {
        let places = Arc::new(Semaphore::new(MOST_CLIENTS));
        Self { users: Arc::new(Users::new(users)), bulletin, asks, places, tasks, stop, authority: None }
    }

    fn router(self, scheme: origin::Scheme) -> Router {
        Router::new()
            .merge(certificate::routes())
            .route("/", get(http::page))
            .route("/{*part}", get(http::part))
            .route("/healthz", get(http::healthz))
            .route("/readyz", get(http::readyz))
            .route("/metrics", get(http::metrics))
            .route("/api/1/boards", get(http::boards))
            .route("/api/1/events", get(http::events))
            .route("/desk/1", any(socket::upgrade))
            .layer(from_fn_with_state(scheme, origin::same))
            .layer(from_fn(http::headers))
            .with_state(self)
    }
}

/// Serves until `desk` is told to stop; over TLS where there is an identity.
pub async fn serve(listener: TcpListener, mut desk: Desk, identity: Option<Identity>) {
    let stop = desk.stop.clone().cancelled_owned();
    if let Some(identity) = identity {
        let listener = secured::Secured::new(listener, &identity);
        desk.authority = identity.authority.map(Arc::new);
        let router = desk.router(origin::Scheme::Https);
        return failed(axum::serve(listener, router).with_graceful_shutdown(stop).await);
    }
    // Each flush is a batch of its own; the other end's late acknowledgements must not hold the next one up.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let router = desk.router(origin::Scheme::Any);
    failed(axum::serve(listener, router).with_graceful_shutdown(stop).await);
}

fn failed(served: std::io::Result<()>) {
    if let Err(error) = served {
        tracing::error!(%error, "the desk's listener failed");
    }
}
