//! The ways to a journal that can be appended to: what may be asked for, what was found, and the connection.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::begin::{begin, create};
use crate::chain::{Head, JournalId};
use crate::error::OpenError;
use crate::journal::Journal;
use crate::place::{self, PutAside};
use crate::reader::{Reader, cannot_open, look};
use crate::recover::{adopt, recover};
use crate::schema;
use crate::verify::Continuation;

/// What "written" means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// On the disk, as far as the disk tells the truth: survives a power cut.
    #[default]
    Full,
    /// Handed to the operating system: survives our own crash. For rehearsals.
    None,
}

/// What to do with a journal of which nothing can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broken {
    /// Refuse to open it; a person decides.
    #[default]
    Refuse,
    /// Put an empty, all-NUL or unreadable journal aside as `NAME.broken-K` and begin a new one; put a `-wal` of
    /// another file aside as `NAME.stray-K-wal`. A readable journal whose chain is broken, and a file that never was
    /// a journal, are refused all the same.
    PutAside,
}

/// How to open a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What "written" means.
    pub durability: Durability,
    /// What to do with one of which nothing can be read.
    pub broken: Broken,
    /// This file is a copy although it does not look like one (a clone of a disk, a restored snapshot): new id.
    pub as_copy: bool,
}

/// What was found on opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// A new one was begun.
    pub created: bool,
    /// Events are counted within this id.
    pub id: JournalId,
    /// How many records there are; the last one's number.
    pub records: u64,
    /// The last record's number and hash.
    pub head: Head,
    /// Its venue time in milliseconds.
    pub at_ms: u64,
    /// The last event's number; 0 if none was told.
    pub seq: u64,
    /// The last writer did not close it.
    pub unclean: Option<Unclean>,
    /// What was moved out of the way.
    pub put_aside: Vec<PutAside>,
    /// It is a copy, and goes on under a new id from here.
    pub continued: Option<Continuation>,
}

/// The last writer was killed, crashed or lost its power; its last transactions were recovered from the `-wal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclean {
    /// Size of the `-wal` it left.
    pub wal_bytes: u64,
    /// Bytes at its end that were part of no whole transaction, and are gone. None of it was ever said to be durable,
    /// unless the disk lied or the file was cut.
    pub torn_bytes: u64,
}

impl Journal {
    /// Makes a new journal; its second record is of kind [`Kind::Begin`](crate::Kind::Begin) with this body.
    pub fn create(
        path: impl AsRef<Path>,
        begin_body: &str,
        options: Options,
    ) -> Result<(Journal, Opened), OpenError> {
        let path = place::settle(path.as_ref())?;
        let lock = place::lock(&path)?;
        match look(&path) {
            Err(OpenError::Missing { .. }) => create(&path, lock, begin_body, options, Vec::new()),
            _ => Err(OpenError::Exists { file: path }),
        }
    }

    /// Opens a journal to go on with it.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<(Journal, Opened), OpenError> {
        let path = place::settle(path.as_ref())?;
        look(&path)?;
        let lock = place::lock(&path)?;
        open(&path, lock, options).map_err(|(_, error)| error)
    }

    /// Opens a journal to go on with it, or makes a new one where there is none (or none left, see
    /// [`Broken::PutAside`]).
    pub fn open_or_create(
        path: impl AsRef<Path>,
        begin_body: &str,
        options: Options,
    ) -> Result<(Journal, Opened), OpenError> {
        let path = place::settle(path.as_ref())?;
        let lock = place::lock(&path)?;
        match open(&path, lock, options) {
            Ok(opened) => Ok(opened),
            Err((lock, OpenError::Missing { .. })) => create(&path, lock, begin_body, options, Vec::new()),
            Err((
                lock,
                error @ (OpenError::Empty { .. } | OpenError::Nulls { .. } | OpenError::Damaged { .. }),
            )) if options.broken == Broken::PutAside => {
                let aside = place::put_aside(&path, error.to_string())?;
                create(&path, lock, begin_body, options, vec![aside])
            }
            Err((_, error)) => Err(error),
        }
    }

    /// A journal in memory, gone when dropped. For rehearsals.
    pub fn in_memory(begin_body: &str) -> Result<Journal, OpenError> {
        let file = PathBuf::from(":memory:");
        let wrong = |error| OpenError::sqlite(&file, error);
        let conn = Connection::open_in_memory().map_err(wrong)?;
        schema::make(&conn).map_err(wrong)?;
        begin(Reader::recognised(conn, &file)?, None, begin_body)
    }
}

/// A failure gives the lock back, for what else may be tried under it.
fn open(path: &Path, lock: File, options: Options) -> Result<(Journal, Opened), (File, OpenError)> {
    match recover(path, options) {
        Ok((reader, unclean, put_aside)) => adopt(reader, lock, options, unclean, put_aside),
        Err(error) => Err((lock, error)),
    }
}

/// A journal as it stands, to be gone on with.
pub(crate) fn resume(reader: Reader, lock: Option<File>) -> Result<Journal, OpenError> {
    trust(&reader.conn).map_err(|error| OpenError::sqlite(&reader.file, error))?;
    let (head, tail) = reader.end().map_err(OpenError::read)?;
    let id = reader.id().map_err(OpenError::read)?;
    Ok(Journal { reader, lock, id, head, tail })
}

/// What to say of it; the caller adds what happened.
pub(crate) fn found(journal: &Journal) -> Opened {
    let Journal { id, head, tail, .. } = *journal;
    Opened {
        created: false,
        id,
        records: head.n,
        head,
        at_ms: tail.at_ms,
        seq: tail.seq,
        unclean: None,
        put_aside: Vec::new(),
        continued: None,
    }
}

/// A connection that writes. A file that is no journal is left as it is.
pub(crate) fn connect(path: &Path, options: Options) -> Result<Connection, OpenError> {
    let wrong = |error| OpenError::sqlite(path, error);
    // Not created here: the file exists, or it is an error.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(|error| cannot_open(path, error))?;
    if conn.is_readonly("main").map_err(wrong)? {
        return Err(OpenError::Permission { file: path.to_owned() });
    }
    // Closing would move the -wal into the file and remove it, even if it turns out not to belong there.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(wrong)?;
    let fresh = conn
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))
        .map_err(wrong)?
        == 0;
    if !fresh && !matches!(schema::recognise(&conn).map_err(wrong)?, schema::Recognised::Ours) {
        // The caller says what it is.
        return Ok(conn);
    }
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).map_err(wrong)?;
    let synchronous = match options.durability {
        Durability::Full => "full",
        Durability::None => "off",
    };
    conn.pragma_update(None, "synchronous", synchronous).map_err(wrong)?;
    // The -wal outgrows this only while a reader holds on to an old state.
    conn.pragma_update(None, "journal_size_limit", 64 << 20).map_err(wrong)?;
    Ok(conn)
}

/// The file and its -wal are known to belong together: closing may join them.
pub(crate) fn trust(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map(drop)
}
