//! A serial server: the same bytes as on a serial line, over TCP.
//!
//! A peer that vanished without a word is noticed by its silence: clocks speak at least every 5 seconds.

use super::backoff::Backoff;
use super::feed::Feed;
use super::wire::Wire;
use flagfall_hall::Heard;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

const CONNECT: Duration = Duration::from_secs(5);
/// Several reports of a clock that stands still.
const SILENCE: Duration = Duration::from_secs(20);

/// Keeps the line up until `stop`.
pub(super) async fn keep(address: String, unchecked: bool, feed: &Feed, stop: &CancellationToken) {
    let mut wire = Wire::new(format!("tcp://{address}"), unchecked, feed);
    let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(5));
    let mut said = String::new();
    loop {
        let connecting = tokio::time::timeout(CONNECT, TcpStream::connect(&address));
        let tried = tokio::select! {
            () = stop.cancelled() => return,
            tried = connecting => tried,
        };
        let why = match tried {
            Ok(Ok(stream)) => {
                said.clear();
                let _ = stream.set_nodelay(true);
                wire.up().await;
                let began = tokio::time::Instant::now();
                let why = tokio::select! {
                    () = stop.cancelled() => return,
                    (why, _) = wire.talk(stream, Some(SILENCE)) => why,
                };
                wire.down(why).await;
                // A server that takes us and hangs up at once is not hammered.
                if began.elapsed() > Duration::from_secs(5) {
                    backoff.reset();
                }
                None
            }
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("no answer for {} s", CONNECT.as_secs())),
        };
        if let Some(why) = why
            && why != said
        {
            let message =
                format!("serial server {address} cannot be reached: {why}; tried again until it can");
            said = why;
            tracing::warn!(line = %address, "{message}");
            feed.metrics.fault("port");
            feed.tell(Heard::Fault { clock: None, kind: "port", message }).await;
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(backoff.pause()) => {}
        }
    }
}
