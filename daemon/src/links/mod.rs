//! Lines to clocks: serial ports, serial servers, a broker.
//!
//! Each line is a task that owns its port or connection, turns bytes into what the hall hears and commands into bytes.
//! A line that is gone comes back by itself, says so once per change of state, and holds nothing up: not the others,
//! not the hall. Which clock speaks is what the clock itself says; the path of a port means nothing.

mod auto;
mod backoff;
mod feed;
mod keyring;
mod mqtt;
mod outbox;
mod port;
mod serial;
mod tcp;
mod wire;

pub(crate) use backoff::Backoff;
pub use feed::{Ack, Feed, Input};
pub use keyring::Keyring;
pub use outbox::{Lines, Outbox, Posted};
pub(crate) use wire::log_posted;

use crate::config::{Line, Mqtt, Serial};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Why lines cannot be begun at all.
#[derive(Debug, thiserror::Error)]
pub enum LinksError {
    /// TLS to a broker.
    #[error(
        "broker {url}: mqtts:// is not built into this program; use mqtt:// on a network of the hall's own"
    )]
    MqttTls {
        /// As configured.
        url: String,
    },
}

/// Begins every line that is configured. They end when `stop` says so.
///
/// # Errors
/// Where a line is asked for that this program does not have; nothing is begun then.
pub fn begin(
    serial: &[Serial],
    mqtt: Option<&Mqtt>,
    client_id: String,
    feed: &Feed,
    tasks: &TaskTracker,
    stop: &CancellationToken,
) -> Result<(), LinksError> {
    if let Some(mqtt) = mqtt
        && mqtt.tls
    {
        return Err(LinksError::MqttTls { url: mqtt.url.clone() });
    }
    let named: Arc<BTreeSet<PathBuf>> = Arc::new(
        serial
            .iter()
            .filter_map(|serial| match &serial.line {
                Line::Path(path) => Some(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())),
                Line::Auto | Line::Tcp(_) => None,
            })
            .collect(),
    );
    for line in serial {
        let (feed, stop) = (feed.clone(), stop.clone());
        let unchecked = line.unchecked_lines;
        match &line.line {
            Line::Path(path) => {
                let path = path.clone();
                tasks.spawn(async move { serial::keep(path, unchecked, &feed, &stop).await });
            }
            Line::Tcp(address) => {
                let address = address.clone();
                tasks.spawn(async move { tcp::keep(address, unchecked, &feed, &stop).await });
            }
            Line::Auto => {
                let (named, places) = (Arc::clone(&named), auto::Places::default());
                tasks.spawn(async move { auto::keep(places, &named, unchecked, &feed, &stop).await });
            }
        }
    }
    if let Some(mqtt) = mqtt {
        let (mqtt, feed, stop) = (mqtt.clone(), feed.clone(), stop.clone());
        tasks.spawn(async move { mqtt::keep(mqtt, client_id, &feed, &stop).await });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
