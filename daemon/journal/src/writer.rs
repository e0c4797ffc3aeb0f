//! The loop that writes: batches in, durable numbers out.
//!
//! A [`WriterHandle`] queues batches; a [`Writer`], run on a thread of its own, writes what is queued in one
//! transaction, at once when idle: under load batches grow by themselves, and nobody waits for a window of time.
//! While the disk fails, what was taken is kept and tried again in the same order; the queue fills, and the handle says
//! so. Nothing is dropped and nothing overtakes. An unfit record is refused by the handle, before it is queued.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::AppendError;
use crate::journal::Journal;
use crate::record::NewRecord;
use crate::tail::{Tail, Unfit};

/// A transaction takes no further batch beyond this many records.
const RECORDS_A_TRANSACTION: usize = 4096;

/// Pauses between tries, doubled from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LAST_PAUSE: Duration = Duration::from_secs(1);

/// Tries after the handle is gone, before the rest is given back unwritten: about two seconds.
const LAST_TRIES: u32 = 8;

/// What came of writing, in order.
#[derive(Debug)]
pub enum Outcome {
    /// Everything up to record `n` is durable.
    Durable {
        /// Number of the last record.
        n: u64,
        /// How many records this transaction had.
        records: usize,
    },
    /// Writing fails; it is tried again until it works. Said once, and again if the reason changes.
    Failing {
        /// Why.
        error: AppendError,
    },
    /// Writing works again. The records that waited follow as `Durable`.
    Recovered,
}

/// What the writer ended with, after its handle was dropped.
#[derive(Debug)]
pub struct Ended {
    /// The journal, all written but `unwritten`.
    pub journal: Journal,
    /// What the disk did not take to the last; empty unless it was failing.
    pub unwritten: Vec<NewRecord>,
}

/// Why a batch was not queued. Nothing of it was.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The queue is full; here is the batch.
    #[error("the journal's queue is full")]
    Full(Vec<NewRecord>),
    /// The writer has ended; here is the batch.
    #[error("the journal's writer has ended")]
    Ended(Vec<NewRecord>),
    /// A record does not fit after those before.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

struct Batch {
    records: Vec<NewRecord>,
    /// After these records.
    tail: Tail,
}

/// Queues batches. There is one, so that its owner knows every record's number; dropping it ends the writer once all is
/// written.
#[derive(Debug)]
pub struct WriterHandle {
    queue: SyncSender<Batch>,
    tail: Tail,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    durable: AtomicU64,
    waiting: AtomicUsize,
    ending: Mutex<bool>,
    wake: Condvar,
}

impl Shared {
    /// Waits for `pause`, or shorter if the handle is dropped meanwhile; whether it is gone.
    fn rest(&self, pause: Duration, gone: bool) -> bool {
        // A poisoned lock guards one flag, which is right whatever panicked.
        let ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.wake.wait_timeout_while(ending, pause, |ending| gone || !*ending);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Writes batches until its handle is dropped.
#[derive(Debug)]
pub struct Writer {
    journal: Journal,
    queue: Receiver<Batch>,
    shared: Arc<Shared>,
}

impl WriterHandle {
    /// Queues a batch, waiting while the queue is full; the number its last record will have.
    pub fn send(&mut self, records: Vec<NewRecord>) -> Result<u64, SendError> {
        let batch = self.batch(records)?;
        let (tail, count) = (batch.tail, batch.records.len());
        self.shared.waiting.fetch_add(count, Ordering::Relaxed);
        let sent = self.queue.send(batch).map_err(|mpsc::SendError(batch)| SendError::Ended(batch.records));
        self.sent(sent, tail, count)
    }

    /// As [`WriterHandle::send`], but a full queue gives the batch back at once.
    pub fn try_send(&mut self, records: Vec<NewRecord>) -> Result<u64, SendError> {
        let batch = self.batch(records)?;
        let (tail, count) = (batch.tail, batch.records.len());
        self.shared.waiting.fetch_add(count, Ordering::Relaxed);
        let sent = self.queue.try_send(batch).map_err(|error| match error {
            TrySendError::Full(batch) => SendError::Full(batch.records),
            TrySendError::Disconnected(batch) => SendError::Ended(batch.records),
        });
        self.sent(sent, tail, count)
    }

    /// What the next record must follow, everything queued included.
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// Number of the last durable record.
    pub fn durable(&self) -> u64 {
        self.shared.durable.load(Ordering::Acquire)
    }

    /// How many records are queued or being written.
    pub fn waiting(&self) -> usize {
        self.shared.waiting.load(Ordering::Relaxed)
    }

    fn batch(&self, records: Vec<NewRecord>) -> Result<Batch, Unfit> {
        let tail = self.tail.after(&records)?;
        Ok(Batch { records, tail })
    }

    fn sent(&mut self, sent: Result<(), SendError>, tail: Tail, count: usize) -> Result<u64, SendError> {
        match sent {
            Ok(()) => {
                self.tail = tail;
                Ok(tail.n)
            }
            Err(error) => {
                self.shared.waiting.fetch_sub(count, Ordering::Relaxed);
                Err(error)
            }
        }
    }
}

impl Writer {
    /// A handle and the loop it feeds, through a queue of `capacity` batches.
    pub fn new(journal: Journal, capacity: usize) -> (WriterHandle, Writer) {
        let (sender, queue) = mpsc::sync_channel(capacity);
        let shared = Arc::new(Shared::default());
        shared.durable.store(journal.head().n, Ordering::Release);
        let handle = WriterHandle { queue: sender, tail: journal.tail(), shared: Arc::clone(&shared) };
        (handle, Writer { journal, queue, shared })
    }

    /// [`Writer::new`], and [`Writer::run`] on a thread named `journal`.
    pub fn spawn(
        journal: Journal,
        capacity: usize,
        on_outcome: impl FnMut(Outcome) + Send + 'static,
    ) -> std::io::Result<(WriterHandle, JoinHandle<Ended>)> {
        let (handle, writer) = Writer::new(journal, capacity);
        let thread = thread::Builder::new().name("journal".into()).spawn(move || writer.run(on_outcome))?;
        Ok((handle, thread))
    }

    /// Writes until the handle is dropped and all is written. Blocks; `on_outcome` is called on this thread and should
    /// be quick.
    pub fn run(mut self, mut on_outcome: impl FnMut(Outcome)) -> Ended {
        let mut unwritten = Vec::new();
        while let Ok(mut group) = self.queue.recv() {
            while group.records.len() < RECORDS_A_TRANSACTION
                && let Ok(next) = self.queue.try_recv()
            {
                group.records.extend(next.records);
                group.tail = next.tail;
            }
            if !self.write(&group, &mut on_outcome) {
                // The handle is gone, so what is queued now is all there will be.
                unwritten = group.records;
                unwritten.extend(self.queue.iter().flat_map(|batch| batch.records));
                break;
            }
        }
        Ended { journal: self.journal, unwritten }
    }

    /// Tries until it is written: `true`. `false` if it cannot be, and the handle is gone.
    fn write(&mut self, group: &Batch, on_outcome: &mut impl FnMut(Outcome)) -> bool {
        let mut said: Option<String> = None;
        let mut pause = FIRST_PAUSE;
        let mut gone = false;
        let mut last_tries = 0;
        loop {
            let error = match self.journal.write(&group.records, group.tail) {
                Ok(n) => {
                    if said.is_some() {
                        on_outcome(Outcome::Recovered);
                    }
                    self.shared.durable.store(n, Ordering::Release);
                    self.shared.waiting.fetch_sub(group.records.len(), Ordering::Relaxed);
                    on_outcome(Outcome::Durable { n, records: group.records.len() });
                    return true;
                }
                Err(error) => error,
            };
            let reason = error.to_string();
            if said.as_ref() != Some(&reason) {
                said = Some(reason);
                on_outcome(Outcome::Failing { error });
            }
            if gone {
                last_tries += 1;
                if last_tries > LAST_TRIES {
                    return false;
                }
            }
            let now_gone = self.shared.rest(pause, gone);
            pause = if now_gone && !gone { FIRST_PAUSE } else { (pause * 2).min(LAST_PAUSE) };
            gone = now_gone;
        }
    }
}

impl Drop for WriterHandle {
    /// Wakes a writer that rests between tries.
    fn drop(&mut self) {
        *self.shared.ending.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.wake.notify_all();
    }
}
