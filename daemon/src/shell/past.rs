//! Events that are no longer in the ring, read from the journal.

use super::ring::Told;
use flagfall_arbiter::Event;
use flagfall_journal::Reader;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Readers kept open; more are opened where more read at once.
const KEPT: usize = 4;

/// Reads the journal's events. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Past {
    file: Arc<Path>,
    readers: Arc<Mutex<Vec<Reader>>>,
}

impl Past {
    /// Of the journal in `file`, which may be written meanwhile.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self { file: file.into(), readers: Arc::default() }
    }

    /// At most `most` events after `seq` and up to `head`, in order. Read off the runtime's threads.
    ///
    /// # Errors
    /// One sentence naming the journal.
    pub async fn after(&self, seq: u64, head: u64, most: usize) -> Result<Vec<Told>, String> {
        let past = self.clone();
        let reading = tokio::task::spawn_blocking(move || past.read(seq, head, most));
        reading.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    fn read(&self, seq: u64, head: u64, most: usize) -> Result<Vec<Told>, String> {
        let kept = self.readers().pop();
        let reader = match kept {
            Some(reader) => reader,
            None => Reader::open(&self.file).map_err(|error| error.to_string())?,
        };
        let records = reader.events_after(seq, most).map_err(|error| error.to_string())?;
        let mut readers = self.readers();
        if readers.len() < KEPT {
            readers.push(reader);
        }
        drop(readers);
        // What is written but not told yet comes by the ring.
        records
            .into_iter()
            .filter(|record| record.seq.is_some_and(|seq| seq <= head))
            .map(|record| told(&record.body).ok_or_else(|| format!("record {} tells no event", record.n)))
            .collect()
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The event in a decision's record, in the words it was told in.
fn told(body: &str) -> Option<Told> {
    let body: Value = serde_json::from_str(body).ok()?;
    let event: Event = serde_json::from_value(body.get("tell")?.clone()).ok()?;
    Some(Told::new(&event))
}
