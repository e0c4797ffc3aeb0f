//! The last acknowledgement, in a small file beside the journal.
//!
//! For an arbiter system that does not say `after`: so that a restart of ours begins where it was, not at the first
//! event. It is written about as often as it changes and not forced onto the disk: what a crash takes of it makes events
//! go out twice, with the same seqs, and never leaves one out.

use crate::config::Uplink;
use crate::shell::Bulletin;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the last acknowledgement is.
#[derive(Debug)]
pub(super) struct Kept {
    file: PathBuf,
    now: Page,
    failed: bool,
}

/// Of whom, and up to where. Another journal, address or audience has nothing to do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Page {
    journal: String,
    url: String,
    audience: flagfall_arbiter::Audience,
    acked: u64,
}

impl Kept {
    /// Beside this journal. Reads what is there; what cannot be read, or is of something else, counts as nothing.
    pub fn read(journal: &Path, uplink: &Uplink, bulletin: &Bulletin) -> Self {
        let mut name = journal.as_os_str().to_owned();
        name.push(".uplink");
        let file = PathBuf::from(name);
        let new = Page {
            journal: bulletin.journal.clone(),
            url: uplink.url.clone(),
            audience: uplink.audience,
            acked: 0,
        };
        let found = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice::<Page>(&bytes).ok());
        let ours = found
            .filter(|page| Page { acked: 0, ..page.clone() } == new && page.acked <= bulletin.ring.head());
        Self { file, now: ours.unwrap_or(new), failed: false }
    }

    /// The last acknowledgement.
    pub const fn acked(&self) -> u64 {
        self.now.acked
    }

    /// Writes it down, if it is another one.
    pub async fn keep(&mut self, acked: u64) {
        if acked == self.now.acked && !self.failed {
            return;
        }
        self.now.acked = acked;
        let (file, page) = (self.file.clone(), self.now.clone());
        let writing = tokio::task::spawn_blocking(move || write(&file, &page));
        let written = writing.await.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        if let Err(error) = &written
            && !self.failed
        {
            let file = self.file.display();
            tracing::warn!(%error, "{file} cannot be written: after a restart events may go up twice");
        }
        self.failed = written.is_err();
    }
}

fn write(file: &Path, page: &Page) -> std::io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut new, page)?;
    new.flush()?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}
