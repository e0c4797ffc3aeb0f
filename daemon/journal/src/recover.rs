//! Taking up a journal that is there.
//!
//! Recovery of torn transactions is SQLite's. Added is what SQLite does not do: to tell what was torn, to refuse a
//! `-wal` that belongs to another file or another time (SQLite would mix it in), to check the end of the chain, and to
//! give a copy an id of its own.

use std::fs::File;
use std::path::Path;

use rusqlite::OptionalExtension;

use crate::begin::{random_id, write_home};
use crate::chain::Head;
use crate::error::{OpenError, ReadError};
use crate::journal::Journal;
use crate::open::{Broken, Opened, Options, Unclean, connect, found, resume};
use crate::place::{self, Home, PutAside, beside};
use crate::reader::{Reader, look};
use crate::record::{Kind, NewRecord};
use crate::tail::Tail;
use crate::verify::{Continuation, Own};
use crate::wal::{self, Survey};

/// How many records at the end are checked on opening.
const CHECKED_AT_OPEN: u64 = 256;

/// The journal, how it was left, and what was moved out of the way.
pub(crate) type Recovered = (Reader, Option<Unclean>, Vec<PutAside>);

/// Opens the file, with what its `-wal` has for it.
pub(crate) fn recover(path: &Path, options: Options) -> Result<Recovered, OpenError> {
    let about = look(path)?;
    let wal = beside(path, "-wal");
    let survey = wal::survey(&wal).map_err(|error| OpenError::io(&wal, "read", error))?;
    // What the file says without its -wal: the -wal must go on from there. In the midst of a checkpoint it may say
    // nothing sensible, and then the -wal is right.
    let alone = match survey {
        Some(_) => Reader::open_alone(path).ok().and_then(|alone| alone.head().ok()),
        None => None,
    };
    let mut put_aside = Vec::new();
    let reader = match reopen(path, options, alone) {
        Ok(reader) => reader,
        Err(OpenError::NotAJournal { .. }) if begins_with_nulls(path)? => {
            let (all, _) = place::nulls(path).map_err(|error| OpenError::io(path, "read", error))?;
            let (file, bytes) = (path.to_owned(), about.len());
            let why = "it begins with NULs".to_owned();
            return Err(if all {
                OpenError::Nulls { file, bytes }
            } else {
                OpenError::Damaged { file, why }
            });
        }
        Err(error @ OpenError::StrangeWal { .. }) if options.broken == Broken::PutAside => {
            put_aside.push(place::put_wal_aside(path, error.to_string())?);
            reopen(path, options, None)?
        }
        Err(error) => return Err(error),
    };
    let unclean = match survey {
        Some(survey) if put_aside.is_empty() => Some(unclean(&reader, survey)?),
        _ => None,
    };
    Ok((reader, unclean, put_aside))
}

fn begins_with_nulls(path: &Path) -> Result<bool, OpenError> {
    // SQLite has let go of the file, so opening it here drops no lock of its.
    let (_, head) = place::nulls(path).map_err(|error| OpenError::io(path, "read", error))?;
    Ok(head)
}

/// Opens the file and checks its end; `alone` is what its end was without the `-wal`.
fn reopen(path: &Path, options: Options, alone: Option<Head>) -> Result<Reader, OpenError> {
    let strange =
        |why: String| OpenError::StrangeWal { file: path.to_owned(), wal: beside(path, "-wal"), why };
    let tried = connect(path, options).and_then(|conn| {
        let reader = Reader::recognised(conn, path)?;
        let head = reader.head().map_err(OpenError::read)?;
        Ok((reader, head))
    });
    let (reader, head) = match (tried, alone) {
        (Ok(found), _) => found,
        (Err(error @ (OpenError::Damaged { .. } | OpenError::NotAJournal { .. })), Some(_)) => {
            return Err(strange(format!("the file can be read without it, and not with it: {error}")));
        }
        (Err(error), _) => return Err(error),
    };
    if let Some(alone) = alone {
        let there = reader.record(alone.n).map_err(OpenError::read)?;
        if there.is_none_or(|record| record.hash != alone.hash) {
            return Err(strange(format!("it would take away or change record {}", alone.n)));
        }
    }
    let from = alone.map_or(head.n, |alone| alone.n.min(head.n)).saturating_sub(CHECKED_AT_OPEN).max(1);
    for record in reader.read_checked(from) {
        match (record, alone) {
            (Ok(_), _) => {}
            (Err(ReadError::Broken { broken, .. }), Some(alone)) if broken.n > alone.n => {
                return Err(strange(format!("with it the journal is {broken}")));
            }
            (Err(error), _) => return Err(OpenError::read(error)),
        }
    }
    Ok(reader)
}

fn unclean(reader: &Reader, survey: Survey) -> Result<Unclean, OpenError> {
    // Answers: whether readers were in the way, frames of whole transactions, frames now in the file.
    let frames = reader.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i64>(1));
    let frames = frames.map_err(|error| OpenError::sqlite(&reader.file, error))?;
    let torn_bytes = survey.torn(u64::try_from(frames).unwrap_or(0));
    Ok(Unclean { wal_bytes: survey.bytes, torn_bytes })
}

/// Takes a recovered journal into use: as the one it was, or as a copy under a new id.
pub(crate) fn adopt(
    reader: Reader,
    lock: File,
    options: Options,
    unclean: Option<Unclean>,
    put_aside: Vec<PutAside>,
) -> Result<(Journal, Opened), (File, OpenError)> {
    let path = reader.file.clone();
    let copied = match is_copy(&reader, options) {
        Ok(copied) => copied,
        Err(error) => return Err((lock, error)),
    };
    let go_on = || {
        let mut journal = resume(reader, None)?;
        let continued = if copied { Some(rename(&mut journal, &path)?) } else { None };
        Ok((journal, continued))
    };
    match go_on() {
        Ok((mut journal, continued)) => {
            journal.lock = Some(lock);
            let opened = Opened { unclean, put_aside, continued, ..found(&journal) };
            Ok((journal, opened))
        }
        Err(error) => Err((lock, error)),
    }
}

fn is_copy(reader: &Reader, options: Options) -> Result<bool, OpenError> {
    let path = &reader.file;
    let here = Home::of(path).map_err(|error| OpenError::io(path, "look at", error))?;
    let sql = "SELECT inode, born FROM home";
    let noted = reader.conn.query_row(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).optional();
    let noted = noted.map_err(|error| OpenError::sqlite(path, error))?;
    let noted = noted.map(|(inode, born)| Home { inode: inode.cast_unsigned(), born });
    Ok(options.as_copy || noted.is_none_or(|noted| !noted.same_file(&here)))
}

/// Goes on under a new id, and says so in the chain.
fn rename(journal: &mut Journal, path: &Path) -> Result<Continuation, OpenError> {
    let id = random_id(&journal.reader)?;
    let continues = Continuation { from: journal.id, n: journal.head.n };
    let own = Own { id, continues: Some(continues) };
    let record = NewRecord { at_ms: journal.tail.at_ms, kind: Kind::Journal, seq: None, body: own.body() };
    let tail = Tail { n: journal.tail.n + 1, ..journal.tail };
    journal.write(&[record], tail).map_err(OpenError::append)?;
    journal.id = id;
    // After the record: were the power cut in between, the next start only renames it once more.
    write_home(&journal.reader.conn, path)?;
    Ok(continues)
}
