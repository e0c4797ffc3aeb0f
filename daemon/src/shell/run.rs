//! Beginning and ending: the one place that starts tasks.

use super::asks::Asks;
use super::bulletin::{Bulletin, Listener};
use super::core::{Broken, Core, Ears, blank};
use super::error::RunError;
use super::past::Past;
use super::recovery::{Recovered, recover};
use super::ring::Ring;
use crate::config::Config;
use crate::desk::{self, Desk};
use crate::links::{self, Feed, Keyring, Lines};
use crate::metrics::Metrics;
use crate::uplink;
use flagfall_arbiter::Audience;
use flagfall_journal::{Ended, Writer};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Inputs of lines that wait for the core.
const INPUTS: usize = 4096;
/// Requests of desks that wait for the core.
const ASKED: usize = 256;
/// Batches that wait for the journal.
const BATCHES: usize = 1024;
/// Events kept for desks, and their bytes.
const RING: usize = 16_384;
const RING_BYTES: usize = 16 << 20;
/// How long desks have to take their last words in.
const FAREWELL: Duration = Duration::from_secs(3);

/// What to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The configuration.
    pub config: Config,
    /// Venue time runs so many times as fast as the wall's; anything but 1 is for simulated halls only.
    pub speed: u32,
}

/// A daemon that runs. Dropping it stops it without waiting.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    bulletin: Arc<Bulletin>,
    asks: Asks,
    stop: CancellationToken,
    desks: CancellationToken,
    lines: TaskTracker,
    tasks: TaskTracker,
    core: tokio::task::JoinHandle<Result<(), Broken>>,
    journal: Option<JoinHandle<Ended>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        self.desks.cancel();
    }
}

impl Running {
    /// Where the desk listens; the port is the one taken where 0 was asked for.
    #[must_use]
    pub const fn desk(&self) -> SocketAddr {
        self.address
    }

    /// The events from the first on, for those who count in-process.
    #[must_use]
    pub fn events(&self) -> Listener {
        self.bulletin.listen(0, Audience::Desk)
    }

    /// Asks the hall, in-process.
    #[must_use]
    pub fn asks(&self) -> &Asks {
        &self.asks
    }

    /// What is put up for all to see.
    #[must_use]
    pub const fn bulletin(&self) -> &Arc<Bulletin> {
        &self.bulletin
    }

    /// Tells it to end.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until it has ended: lines closed, all they said on the disk and told, desks taken leave of.
    ///
    /// # Errors
    /// It ended by itself, or something could not be written.
    pub async fn ended(mut self) -> Result<(), RunError> {
        tokio::select! {
            () = self.stop.cancelled() => {}
            // It broke; the rest ends with it.
            core = &mut self.core => {
                self.stop.cancel();
                return self.wind_up(core).await;
            }
        }
        let core = (&mut self.core).await;
        self.wind_up(core).await
    }

    async fn wind_up(
        mut self,
        core: Result<Result<(), Broken>, tokio::task::JoinError>,
    ) -> Result<(), RunError> {
        self.lines.close();
        self.lines.wait().await;
        self.desks.cancel();
        self.tasks.close();
        if tokio::time::timeout(FAREWELL, self.tasks.wait()).await.is_err() {
            tracing::warn!("some desks did not take their last words in");
        }
        let ended = match self.journal.take() {
            Some(thread) => {
                tokio::task::spawn_blocking(move || thread.join()).await.ok().and_then(Result::ok)
            }
            None => None,
        };
        match core {
            Ok(Ok(())) => {}
            Ok(Err(Broken::WriterEnded)) => return Err(RunError::Writer("ended by itself".into())),
            Ok(Err(Broken::Unfit(why))) => {
                return Err(RunError::Writer(format!("was given what does not fit: {why}")));
            }
            Err(error) => return Err(RunError::Writer(format!("lost the hall: {error}"))),
        }
        let Some(Ended { journal, unwritten }) = ended else {
            return Err(RunError::Writer("panicked".into()));
        };
        if !unwritten.is_empty() {
            let why = format!("journal {}", journal.file().display());
            return Err(RunError::Unwritten { records: unwritten.len(), why });
        }
        journal.close()?;
        Ok(())
    }
}

/// Begins a daemon. When this returns the desk listens and the lines are being opened.
///
/// # Errors
/// The journal, the desk's address or a line that cannot be had.
pub async fn start(options: RunOptions) -> Result<Running, RunError> {
    let RunOptions { config, speed } = options;
    let keys = Arc::new(Keyring::new(config.keys.clone()));
    let listen = config.desk.listen;
    let listening = TcpListener::bind(listen).await.and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    let (listener, address) = listening.map_err(|error| RunError::Listen { address: listen, error })?;

    let (file, setup) = (config.journal.clone(), config.setup.clone());
    let recovering = tokio::task::spawn_blocking(move || recover(&file, setup, speed));
    let Recovered { hall, clock, journal, opening } =
        recovering.await.map_err(|error| RunError::Writer(format!("failed to recover: {error}")))??;

    let metrics = Metrics::new();
    let id = journal.id().to_string();
    let (ticks_desk, ticks_public, fault) = blank();
    let bulletin = Arc::new(Bulletin {
        journal: id.clone(),
        speed: clock.speed(),
        ring: Ring::new(journal.tail().seq, RING, RING_BYTES),
        past: Past::new(journal.file().to_owned()),
        ticks_desk,
        ticks_public,
        fault,
        uplink: watch::Sender::new(None),
        metrics: metrics.clone(),
    });
    let (say, outcomes) = mpsc::unbounded_channel();
    let spawned = Writer::spawn(journal, BATCHES, move |outcome| {
        // Nobody listens only once the core has broken.
        let _ = say.send(outcome);
    });
    let (writer, thread) =
        spawned.map_err(|error| RunError::Writer(format!("cannot be started: {error}")))?;

    let (stop, desks) = (CancellationToken::new(), CancellationToken::new());
    let (lines_tasks, tasks) = (TaskTracker::new(), TaskTracker::new());
    let (inputs_in, inputs) = mpsc::channel(INPUTS);
    let (asked_in, asked) = mpsc::channel(ASKED);
    let lines = Lines::default();
    let feed = Feed { inputs: inputs_in, lines: lines.clone(), keys, metrics };
    let client_id = format!("flagfall-{id}");
    links::begin(&config.serial, config.mqtt.as_ref(), client_id, &feed, &lines_tasks, &stop)?;
    // A hall without lines runs all the same, until it is told to stop.
    let (quiet, until) = (feed, stop.clone());
    lines_tasks.spawn(async move {
        until.cancelled().await;
        drop(quiet);
    });

    let core = Core::new(hall, clock, writer, lines, Arc::clone(&bulletin));
    let core = tokio::spawn(core.run(Ears { inputs, asked, outcomes }, opening));
    let asks = Asks::new(asked_in);
    let desk =
        Desk::new(&config.desk.users, Arc::clone(&bulletin), asks.clone(), tasks.clone(), desks.clone());
    let secured = config.desk.tls.is_some();
    tasks.spawn(desk::serve(listener, desk, config.desk.tls));
    if let Some(to) = config.uplink {
        tasks.spawn(uplink::keep(to, config.journal, Arc::clone(&bulletin), desks.clone()));
    }
    let desk = format!("{}://{address}", if secured { "https" } else { "http" });
    tracing::info!(desk, journal = id, "running");
    Ok(Running {
        address,
        bulletin,
        asks,
        stop,
        desks,
        lines: lines_tasks,
        tasks,
        core,
        journal: Some(thread),
    })
}

/// Runs a daemon until `shutdown`, then ends it in good order.
///
/// # Errors
/// As [`start`] and [`Running::ended`].
pub async fn run(options: RunOptions, shutdown: impl Future<Output = ()>) -> Result<(), RunError> {
    let running = start(options).await?;
    let stop = running.stop.clone();
    let ended = running.ended();
    tokio::pin!(ended);
    tokio::select! {
        ended = &mut ended => return ended,
        () = shutdown => stop.cancel(),
    }
    ended.await
}
