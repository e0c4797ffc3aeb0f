//! Making a new journal. It is made under another name and renamed when whole, so whatever stands under a journal's own
//! name was a whole one once.

use std::fs::{self, File};
use std::path::Path;

use rusqlite::Connection;

use crate::chain::{self, Head, JournalId};
use crate::error::OpenError;
use crate::journal::Journal;
use crate::open::{Durability, Opened, Options, connect, found, resume, trust};
use crate::place::{self, Home, PutAside, beside};
use crate::reader::{Reader, wal_waits};
use crate::record::{Kind, NewRecord};
use crate::schema;
use crate::tail::Tail;
use crate::verify::Own;

/// Writes the first two records: what journal this is, and what the event begins with.
pub(crate) fn begin(reader: Reader, lock: Option<File>, begin_body: &str) -> Result<Journal, OpenError> {
    let file = reader.file.clone();
    let id = random_id(&reader)?;
    let head = Head { n: 0, hash: chain::root(&id) };
    let mut journal = Journal { reader, lock, id, head, tail: Tail::default() };
    let own = Own { id, continues: None };
    let record = |kind, body| NewRecord { at_ms: 0, kind, seq: None, body };
    let batch = [record(Kind::Journal, own.body()), record(Kind::Begin, begin_body.to_owned())];
    let tail = batch.iter().try_fold(Tail::default(), Tail::step);
    let tail = tail.map_err(|unfit| OpenError::Unfit { file, unfit })?;
    journal.write(&batch, tail).map_err(OpenError::append)?;
    Ok(journal)
}

pub(crate) fn create(
    path: &Path,
    lock: File,
    begin_body: &str,
    options: Options,
    mut put_aside: Vec<PutAside>,
) -> Result<(Journal, Opened), OpenError> {
    if wal_waits(path) {
        // SQLite would take it for the new file's.
        put_aside.push(place::put_wal_aside(path, format!("the journal {} was gone", path.display()))?);
    }
    let fresh = beside(path, ".new");
    clear(&fresh)?;
    let lock = match make(path, &fresh, lock, begin_body, options) {
        Ok(lock) => lock,
        Err(error) => {
            // The first failure is the one to tell; what is left here goes at the next try.
            let _ = clear(&fresh);
            return Err(error);
        }
    };
    let journal = resume(Reader::recognised(connect(path, options)?, path)?, lock)?;
    let opened = Opened { created: true, put_aside, ..found(&journal) };
    Ok((journal, opened))
}

/// Makes the whole journal at `fresh` and renames it to `path`.
fn make(
    path: &Path,
    fresh: &Path,
    lock: File,
    begin_body: &str,
    options: Options,
) -> Result<Option<File>, OpenError> {
    let wrong = |error| OpenError::sqlite(path, error);
    File::create_new(fresh).map_err(|error| OpenError::io(fresh, "create", error))?;
    let conn = connect(fresh, options)?;
    trust(&conn).and_then(|()| schema::make(&conn)).map_err(wrong)?;
    write_home(&conn, fresh)?;
    let Journal { reader, lock, .. } = begin(Reader::recognised(conn, path)?, Some(lock), begin_body)?;
    // Closing the only connection moves all of the -wal into the file.
    reader.conn.close().map_err(|(_, error)| wrong(error))?;
    if options.durability == Durability::Full {
        let synced = File::open(fresh).and_then(|file| file.sync_all());
        synced.map_err(|error| OpenError::io(fresh, "sync", error))?;
    }
    fs::rename(fresh, path).map_err(|error| OpenError::io(fresh, "rename", error))?;
    if options.durability == Durability::Full {
        place::sync_folder(path)?;
    }
    Ok(lock)
}

fn clear(fresh: &Path) -> Result<(), OpenError> {
    ["", "-wal", "-shm", "-journal"].iter().try_for_each(|left| place::remove_if_there(&beside(fresh, left)))
}

pub(crate) fn write_home(conn: &Connection, path: &Path) -> Result<(), OpenError> {
    let home = Home::of(path).map_err(|error| OpenError::io(path, "look at", error))?;
    let written = conn.unchecked_transaction().and_then(|all| {
        all.execute("DELETE FROM home", [])?;
        all.execute(
            "INSERT INTO home (inode, born) VALUES (?1, ?2)",
            (home.inode.cast_signed(), &home.born),
        )?;
        all.commit()
    });
    written.map_err(|error| OpenError::sqlite(path, error))
}

pub(crate) fn random_id(reader: &Reader) -> Result<JournalId, OpenError> {
    let id = reader.conn.query_row("SELECT randomblob(16)", [], |row| row.get(0));
    id.map(JournalId).map_err(|error| OpenError::sqlite(&reader.file, error))
}
