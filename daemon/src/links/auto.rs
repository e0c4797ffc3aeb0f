//! `auto`: every USB serial port there is, also those that come later.
//!
//! Ports are looked for every two seconds: what `/dev/serial/by-id` lists and what the system says is USB. Those that
//! have a line of their own in the configuration are left to it. Which clock is on a port, the clock says.

use super::feed::Feed;
use super::serial;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const LOOK: Duration = Duration::from_secs(2);

/// Where ports are looked for.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The folder of links by id.
    pub by_id: PathBuf,
    /// The system's list as well.
    pub system: bool,
}

impl Default for Places {
    fn default() -> Self {
        Self { by_id: PathBuf::from("/dev/serial/by-id"), system: true }
    }
}

impl Places {
    /// The ports there are now, by their real path.
    fn look(&self) -> BTreeSet<PathBuf> {
        let linked = std::fs::read_dir(&self.by_id).into_iter().flatten().flatten();
        let mut found: BTreeSet<PathBuf> =
            linked.filter_map(|entry| std::fs::canonicalize(entry.path()).ok()).collect();
        if self.system {
            let usb = |port: &tokio_serial::SerialPortInfo| {
                matches!(port.port_type, tokio_serial::SerialPortType::UsbPort(_))
            };
            let ports = tokio_serial::available_ports().unwrap_or_default();
            found.extend(ports.into_iter().filter(usb).map(|port| PathBuf::from(port.port_name)));
        }
        found
    }
}

/// Keeps a line on every port found, until `stop`. A port that is gone keeps its line, which waits for it.
pub(super) async fn keep(
    places: Places,
    named: &BTreeSet<PathBuf>,
    unchecked: bool,
    feed: &Feed,
    stop: &CancellationToken,
) {
    let mut lines: JoinSet<()> = JoinSet::new();
    let mut known: BTreeSet<PathBuf> = named.clone();
    let mut every = tokio::time::interval(LOOK);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            _ = every.tick() => {}
        }
        let looking = places.clone();
        let found = tokio::task::spawn_blocking(move || looking.look()).await.unwrap_or_default();
        for path in found {
            if known.insert(path.clone()) {
                let (feed, stop) = (feed.clone(), stop.clone());
                lines.spawn(async move { serial::keep(path, unchecked, &feed, &stop).await });
            }
        }
    }
    while lines.join_next().await.is_some() {}
}
