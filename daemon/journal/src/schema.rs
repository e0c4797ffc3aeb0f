//! The tables, and how a file is known to be a journal.
//!
//! `record` is the proof. `home` is a note, outside the chain, of which file this is (see `place`). Triggers keep an
//! accident with a database tool from changing a record; they are no protection against somebody who means to, the
//! chain is.

use rusqlite::Connection;

/// "Flag", in the file's header: `file` shows it, and no other SQLite file is taken for a journal.
pub(crate) const APPLICATION_ID: i32 = 0x466c_6167;

/// The format written. A later one raises it; older programs then refuse the file.
pub(crate) const FORMAT: i64 = 1;

pub(crate) const COLUMNS: &str = "n, at_ms, kind, seq, body, hash";

const TABLES: &str = "
CREATE TABLE record (
    n     INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind  TEXT    NOT NULL,
    seq   INTEGER,
    body  TEXT    NOT NULL,
    hash  BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX record_seq ON record (seq) WHERE seq IS NOT NULL;
CREATE INDEX record_journal ON record (n) WHERE kind = 'journal';
CREATE TABLE home (inode INTEGER NOT NULL, born TEXT) STRICT;
CREATE TRIGGER record_unchanged BEFORE UPDATE ON record
    BEGIN SELECT RAISE(ABORT, 'a journal is only ever appended to'); END;
CREATE TRIGGER record_kept BEFORE DELETE ON record
    BEGIN SELECT RAISE(ABORT, 'a journal is only ever appended to'); END;
";

pub(crate) fn make(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", FORMAT)?;
    conn.execute_batch(TABLES)
}

/// What the header says the file is.
pub(crate) enum Recognised {
    Ours,
    Newer(i64),
    Other,
}

pub(crate) fn recognise(conn: &Connection) -> rusqlite::Result<Recognised> {
    let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let format: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(match (application, format) {
        (APPLICATION_ID, 1..=FORMAT) => Recognised::Ours,
        (APPLICATION_ID, format) if format > FORMAT => Recognised::Newer(format),
        _ => Recognised::Other,
    })
}
