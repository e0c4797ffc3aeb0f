//! A serial port: 115200 8N1, ours alone.
//!
//! Opening and closing may block inside a driver, so both are done off the runtime's threads. DTR and RTS are left
//! as the system sets them. The control lines of many boards reset them, so a port is opened once and then kept.

use super::backoff::Backoff;
use super::feed::Feed;
use super::port::explain;
use super::wire::Wire;
use flagfall_hall::Heard;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_serial::{ClearBuffer, SerialPort, SerialPortBuilderExt, SerialStream};
use tokio_util::sync::CancellationToken;

const BAUD: u32 = 115_200;

/// Keeps the port open until `stop`.
pub(super) async fn keep(path: PathBuf, unchecked: bool, feed: &Feed, stop: &CancellationToken) {
    let mut wire = Wire::new(path.display().to_string(), unchecked, feed);
    let mut backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(5));
    let mut said = String::new();
    loop {
        let opened = tokio::select! {
            () = stop.cancelled() => return,
            opened = open(&path) => opened,
        };
        match opened {
            Ok(stream) => {
                said.clear();
                wire.up().await;
                let began = tokio::time::Instant::now();
                let talked = tokio::select! {
                    () = stop.cancelled() => None,
                    talked = wire.talk(stream, None) => Some(talked),
                };
                let Some((why, stream)) = talked else {
                    wire.outbox.close();
                    return;
                };
                close(stream).await;
                wire.down(why).await;
                if began.elapsed() > Duration::from_secs(2) {
                    backoff.reset();
                }
            }
            Err(why) if why != said => {
                tracing::warn!(port = %path.display(), "{why}");
                said.clone_from(&why);
                wire.feed.metrics.fault("port");
                wire.feed.tell(Heard::Fault { clock: None, kind: "port", message: why }).await;
            }
            Err(_) => {}
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(backoff.pause()) => {}
        }
    }
}

/// Opens it, or says in one sentence what is in the way and what to do.
async fn open(path: &Path) -> Result<SerialStream, String> {
    let path = path.to_owned();
    let opening = tokio::task::spawn_blocking(move || {
        let text = path.to_string_lossy();
        tokio_serial::new(text.as_ref(), BAUD).open_native_async().map_err(|error| explain(&path, &error))
    });
    match opening.await {
        Ok(opened) => opened,
        Err(error) => Err(format!("opening the port failed: {error}")),
    }
}

/// What a peer never took in would hold the close up for half a minute.
async fn close(stream: SerialStream) {
    let closing = tokio::task::spawn_blocking(move || {
        let _ = stream.clear(ClearBuffer::All);
        drop(stream);
    });
    let _ = tokio::time::timeout(Duration::from_secs(2), closing).await;
}
