//! The uplink: dials the arbiter system and tells it the hall's events, as a desk would hear them.
//!
//! The contract is docs/api/uplink.md. A line that is lost is dialled again; events wait in the ring and the journal, so
//! that nothing is kept here and nothing is left out. It follows as desks do and holds nothing up: not the hall, not the
//! desks. It asks nothing of the hall and takes no requests.

mod dial;
mod hello;
mod kept;
mod standing;
mod talk;
mod trouble;
mod window;

use crate::config::Uplink;
use crate::links::Backoff;
use crate::shell::Bulletin;
use kept::Kept;
use rustls::ClientConfig;
use standing::Standing;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use trouble::Trouble;

/// A lost line is dialled again after that, then after twice as long, up to the last.
const FIRST: Duration = Duration::from_secs(1);
/// Also between two hellos that are refused: somebody may have put the token right.
const LAST: Duration = Duration::from_secs(10);

/// Keeps the line until `stop`. `journal` is its file: the last acknowledgement is kept beside it.
pub async fn keep(uplink: Uplink, journal: PathBuf, bulletin: Arc<Bulletin>, stop: CancellationToken) {
    let mut kept = Kept::read(&journal, &uplink, &bulletin);
    let standing = Standing::new(&uplink, &bulletin, kept.acked());
    tokio::select! {
        () = run(&uplink, &bulletin, &standing, &stop) => {}
        () = standing.tell(&mut kept) => {}
    }
    kept.keep(standing.window(|window| window.acked())).await;
}

async fn run(uplink: &Uplink, bulletin: &Arc<Bulletin>, standing: &Standing, stop: &CancellationToken) {
    let mut backoff = Backoff::new(FIRST, LAST);
    let mut tls = None;
    loop {
        let trouble = line(uplink, bulletin, standing, stop, &mut tls, &mut backoff).await;
        if standing.trouble(&trouble) {
            match &trouble {
                Trouble::Stopping => {}
                Trouble::Refused(why) => {
                    tracing::warn!(uplink = uplink.url, why, "the arbiter system refuses us")
                }
                Trouble::Down(why) => {
                    tracing::warn!(uplink = uplink.url, why, "the arbiter system is not reached")
                }
            }
        }
        let pause = match trouble {
            Trouble::Stopping => return,
            Trouble::Refused(_) => LAST,
            Trouble::Down(_) => backoff.pause(),
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// One line, from dialling to its end.
async fn line(
    uplink: &Uplink,
    bulletin: &Arc<Bulletin>,
    standing: &Standing,
    stop: &CancellationToken,
    tls: &mut Option<Arc<ClientConfig>>,
    backoff: &mut Backoff,
) -> Trouble {
    bulletin.metrics.uplink_dialled(uplink.audience);
    let greeting = async {
        if uplink.tls && tls.is_none() {
            *tls = Some(uplink.authorities.client().map_err(Trouble::Down)?);
        }
        let mut socket = dial::dial(uplink, tls.as_ref()).await?;
        let after = hello::hello(&mut socket, uplink, bulletin).await?;
        Ok((socket, after))
    };
    let greeted = tokio::select! {
        () = stop.cancelled() => return Trouble::Stopping,
        greeted = greeting => greeted,
    };
    let (socket, after) = match greeted {
        Ok(greeted) => greeted,
        Err(trouble) => return trouble,
    };
    backoff.reset();
    let after = after.unwrap_or_else(|| standing.window(|window| window.acked()));
    standing.up(after);
    tracing::info!(uplink = uplink.url, after, "the arbiter system is reached");
    talk::talk(socket, bulletin.listen(after, uplink.audience), bulletin, standing, stop).await
}
