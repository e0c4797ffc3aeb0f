//! From a configuration and a journal to a hall that goes on where it stopped.

use super::error::RunError;
use super::time::{Instants, VenueClock};
use flagfall_hall::{Hall, Heard};
use flagfall_journal::{Broken, Journal, Opened, Options};
use flagfall_rules::{Setup, Venue};
use std::path::Path;

/// A hall with its journal.
#[derive(Debug)]
pub(super) struct Recovered {
    pub hall: Hall,
    pub clock: VenueClock,
    pub journal: Journal,
    /// What people should know about how the journal was found.
    pub first: Vec<Heard>,
}

/// Opens the journal, or begins it.
pub(super) fn recover(file: &Path, setup: Setup, speed: u32) -> Result<Recovered, RunError> {
    let begin = serde_json::json!({ "event": setup.event, "version": env!("CARGO_PKG_VERSION") });
    let options = Options { broken: Broken::PutAside, ..Options::default() };
    let (journal, opened) = Journal::open_or_create(file, &begin.to_string(), options)?;
    let hall = Hall::new(setup);
    let start = Instants::now();
    let last = Venue(opened.at_ms);
    let clock = if opened.created || opened.seq == 0 {
        VenueClock::new(last, start, speed)
    } else {
        VenueClock::resumed(last, hall.rules().wall(last), start, speed)
    };
    let first = found(file, &opened)
        .into_iter()
        .map(|message| {
            tracing::warn!("{message}");
            Heard::Fault { clock: None, kind: "journal", message }
        })
        .collect();
    Ok(Recovered { hall, clock, journal, first })
}

/// What was found on opening, a sentence each.
fn found(file: &Path, opened: &Opened) -> Vec<String> {
    let file = file.display();
    let mut found = Vec::new();
    for aside in &opened.put_aside {
        found.push(format!("journal {file}: {aside:?}"));
    }
    if let Some(unclean) = opened.unclean {
        found.push(match unclean.torn_bytes {
            0 => format!("journal {file} was not closed last time; nothing of it is lost"),
            torn => format!(
                "journal {file} was not closed last time; {torn} bytes were never written whole and are gone"
            ),
        });
    }
    if let Some(continued) = opened.continued {
        found.push(format!(
            "journal {file} is a copy of journal {} up to record {}; it goes on as journal {}",
            continued.from, continued.n, opened.id
        ));
    }
    found
}
