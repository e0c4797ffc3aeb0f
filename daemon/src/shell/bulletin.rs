//! What the core puts up for all to see: events, ticks, whether the journal can be written.

use super::past::Past;
use super::ring::{Following, Ring, Told};
use crate::metrics::Metrics;
use axum::extract::ws::Utf8Bytes;
use flagfall_arbiter::{Audience, UplinkView};
use std::sync::Arc;
use tokio::sync::watch;

/// Read by all, written by the core alone but where it says otherwise.
#[derive(Debug)]
pub struct Bulletin {
    /// The journal's id.
    pub journal: String,
    /// Venue time runs so many times as fast as the wall's.
    pub speed: u32,
    /// The newest events.
    pub ring: Ring,
    /// The older ones.
    pub past: Past,
    /// Merged states for the desk, whole notifications; empty before the first.
    pub ticks_desk: watch::Sender<Utf8Bytes>,
    /// The same for the public.
    pub ticks_public: watch::Sender<Utf8Bytes>,
    /// Why the journal cannot be written, while it cannot.
    pub fault: watch::Sender<Option<String>>,
    /// How the reporting to the arbiter system stands, where one is dialled. Written by the uplink.
    pub uplink: watch::Sender<Option<UplinkView>>,
    /// What is counted.
    pub metrics: Metrics,
}

/// Events are fetched so many at a time.
const AT_ONCE: usize = 256;

impl Bulletin {
    /// The ticks for an audience.
    #[must_use]
    pub fn ticks(&self, audience: Audience) -> watch::Receiver<Utf8Bytes> {
        match audience {
            Audience::Desk => self.ticks_desk.subscribe(),
            Audience::Public => self.ticks_public.subscribe(),
        }
    }

    /// Listens from after event `seq` on.
    #[must_use]
    pub fn listen(self: &Arc<Self>, seq: u64, audience: Audience) -> Listener {
        Listener { bulletin: Arc::clone(self), seq, audience, head: self.ring.watch() }
    }

    /// How many events after `seq` are for `audience`. For the public at most, where they are no longer in the ring.
    #[must_use]
    pub fn count_after(&self, seq: u64, audience: Audience) -> u64 {
        match audience {
            Audience::Desk => self.ring.head().saturating_sub(seq),
            Audience::Public => self.ring.count_after(seq, audience),
        }
    }
}

/// A place in the events. Whoever lags reads the journal until he is back; nothing is left out but what is not for him.
#[derive(Debug)]
pub struct Listener {
    bulletin: Arc<Bulletin>,
    seq: u64,
    audience: Audience,
    head: watch::Receiver<u64>,
}

impl Listener {
    /// The next events, at least one. May be dropped and called again; then nothing is lost.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn next(&mut self) -> Result<Vec<Told>, String> {
        loop {
            let head = *self.head.borrow_and_update();
            if head > self.seq {
                let told = match self.bulletin.ring.after(self.seq, AT_ONCE) {
                    Following::Here(told) => told,
                    Following::Older(oldest) => {
                        let up_to = oldest.saturating_sub(1).min(head);
                        let told = self.bulletin.past.after(self.seq, up_to, AT_ONCE).await?;
                        if told.first().is_none_or(|told| told.seq != self.seq + 1) {
                            return Err(format!("the journal has no event {}", self.seq + 1));
                        }
                        told
                    }
                };
                if let Some(last) = told.last() {
                    self.seq = last.seq;
                }
                let told: Vec<Told> =
                    told.into_iter().filter_map(|told| told.heard_by(self.audience)).collect();
                if !told.is_empty() {
                    return Ok(told);
                }
                continue;
            }
            if self.head.changed().await.is_err() {
                return Err("the daemon is stopping".into());
            }
        }
    }

    /// The last event taken, or passed over as not for him.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }
}
