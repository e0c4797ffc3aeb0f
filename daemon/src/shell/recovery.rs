//! From a configuration and a journal to a hall that goes on where it stopped.

use super::core::Opening;
use super::error::RunError;
use super::time::{Instants, VenueClock};
use flagfall_arbiter::Wall;
use flagfall_hall::{Hall, Heard, Out, RecoverError};
use flagfall_journal::{Broken, Journal, Opened, Options, ReadError};
use flagfall_rules::{Setup, Venue};
use std::cell::RefCell;
use std::path::Path;

/// A hall with its journal.
#[derive(Debug)]
pub(super) struct Recovered {
    pub hall: Hall,
    pub clock: VenueClock,
    pub journal: Journal,
    pub opening: Opening,
}

/// Opens the journal and takes the hall up again, or begins both.
pub(super) fn recover(file: &Path, setup: Setup, speed: u32) -> Result<Recovered, RunError> {
    let begin = serde_json::json!({ "event": setup.event, "version": env!("CARGO_PKG_VERSION") });
    let options = Options { broken: Broken::PutAside, ..Options::default() };
    let (journal, opened) = Journal::open_or_create(file, &begin.to_string(), options)?;
    let first = found(file, &opened)
        .into_iter()
        .map(|message| {
            tracing::warn!("{message}");
            Heard::Fault { clock: None, kind: "journal", message }
        })
        .collect();
    let start = Instants::now();
    let mut out = Out::default();
    let (hall, clock) = match as_left(&journal)? {
        Some((mut hall, last)) => {
            let mut clock = VenueClock::resumed(last, hall.rules().wall(last), start, speed);
            let at = clock.at(start);
            let unobserved_ms = u64::try_from(at.since(last)).unwrap_or(0);
            hall.resume(at, setup, wall(&mut clock, &hall, start, at), unobserved_ms, &mut out);
            tracing::info!(unobserved_ms, journal = %file.display(), "going on with the journal");
            (hall, clock)
        }
        None => {
            let mut clock = VenueClock::new(Venue(opened.at_ms), start, speed);
            let mut hall = Hall::new(setup.clone());
            hall.begin(clock.at(start), setup, start.wall, &mut out);
            (hall, clock)
        }
    };
    Ok(Recovered { hall, clock, journal, opening: Opening { out, first } })
}

/// Wall time as the hall has it: the host's; a hall faster than the wall goes on from its own.
fn wall(clock: &mut VenueClock, hall: &Hall, start: Instants, at: Venue) -> Wall {
    if clock.speed() == 1 {
        return start.wall;
    }
    let wall = hall.rules().wall(at);
    clock.set_wall(wall);
    wall
}

/// The hall as the journal leaves it, and when that was; none if the journal never got as far as a setup.
fn as_left(journal: &Journal) -> Result<Option<(Hall, Venue)>, RunError> {
    match left(journal)? {
        Ok(left) => Ok(Some(left)),
        Err(RecoverError::NoSetup { .. }) => Ok(None),
        Err(error) => Err(RunError::Recovery { file: journal.file().to_owned(), error }),
    }
}

/// The hall as the journal leaves it, and when that was, if its records make one.
pub(crate) fn left(journal: &Journal) -> Result<Result<(Hall, Venue), RecoverError>, ReadError> {
    let broken: RefCell<Option<ReadError>> = RefCell::new(None);
    let records = journal.read_checked(1).map_while(|record| match record {
        Ok(record) => Some((Venue(record.at_ms), record.kind.to_string(), record.seq, record.body)),
        Err(error) => {
            broken.replace(Some(error));
            None
        }
    });
    let recovered = Hall::recover(records);
    if let Some(error) = broken.into_inner() {
        return Err(error);
    }
    Ok(recovered.map(|(hall, stats)| (hall, stats.at.max(Venue(journal.tail().at_ms)))))
}

/// What was found on opening, a sentence each.
fn found(file: &Path, opened: &Opened) -> Vec<String> {
    let file = file.display();
    let mut found = Vec::new();
    for aside in &opened.put_aside {
        found.push(format!("journal {file}: {}; it was kept as {}", aside.why, aside.to.display()));
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
