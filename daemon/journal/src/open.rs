//! Creating, opening and recovering.
//!
//! A journal is made under another name and renamed when whole, so a file under its own name always was one. Opening
//! leaves recovery of torn transactions to SQLite and adds what SQLite does not do: it tells what was torn, refuses
//! a `-wal` of another file, a second writer, another program's or a newer file, and gives a copy an id of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::chain::{self, Head, JournalId};
use crate::error::{AppendError, OpenError};
use crate::journal::Journal;
use crate::place::{self, Home, PutAside, beside};
use crate::reader::{Reader, cannot_open, look, wal_waits};
use crate::record::{Kind, NewRecord};
use crate::schema;
use crate::tail::{Tail, Unfit};
use crate::verify::{Continuation, Own};
use crate::wal::{self, Survey};

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

/// How many records at the end are checked on opening.
const CHECKED_AT_OPEN: u64 = 256;

impl Journal {
    /// Makes a new journal; its second record is of kind [`Kind::Begin`] with this body.
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

/// Writes the first two records.
fn begin(reader: Reader, lock: Option<File>, begin_body: &str) -> Result<Journal, OpenError> {
    let file = reader.file.clone();
    let id = random_id(&reader)?;
    let head = Head { n: 0, hash: chain::root(&id) };
    let mut journal = Journal { reader, lock, id, head, tail: Tail::default() };
    let own = Own { id, continues: None };
    let record = |kind, body| NewRecord { at_ms: 0, kind, seq: None, body };
    let batch = [record(Kind::Journal, own.body()), record(Kind::Begin, begin_body.to_owned())];
    let tail = batch.iter().try_fold(Tail::default(), Tail::step);
    let tail = tail.map_err(|unfit: Unfit| OpenError::Unfit { file, unfit })?;
    journal.write(&batch, tail).map_err(append_failed)?;
    Ok(journal)
}

fn create(
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

/// A failure gives the lock back, for what else may be tried under it.
fn open(path: &Path, lock: File, options: Options) -> Result<(Journal, Opened), (File, OpenError)> {
    match recover(path, options) {
        Ok((reader, unclean, put_aside)) => adopt(reader, lock, options, unclean, put_aside),
        Err(error) => Err((lock, error)),
    }
}

type Recovered = (Reader, Option<Unclean>, Vec<PutAside>);

fn recover(path: &Path, options: Options) -> Result<Recovered, OpenError> {
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
            (Err(crate::ReadError::Broken { broken, .. }), Some(alone)) if broken.n > alone.n => {
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
fn adopt(
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
    journal.write(&[record], tail).map_err(append_failed)?;
    journal.id = id;
    // After the record: were the power cut in between, the next start only renames it once more.
    write_home(&journal.reader.conn, path)?;
    Ok(continues)
}

fn resume(reader: Reader, lock: Option<File>) -> Result<Journal, OpenError> {
    trust(&reader.conn).map_err(|error| OpenError::sqlite(&reader.file, error))?;
    let (head, tail) = reader.end().map_err(OpenError::read)?;
    let id = reader.id().map_err(OpenError::read)?;
    Ok(Journal { reader, lock, id, head, tail })
}

fn found(journal: &Journal) -> Opened {
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
fn connect(path: &Path, options: Options) -> Result<Connection, OpenError> {
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
fn trust(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map(drop)
}

fn write_home(conn: &Connection, path: &Path) -> Result<(), OpenError> {
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

fn random_id(reader: &Reader) -> Result<JournalId, OpenError> {
    let id = reader.conn.query_row("SELECT randomblob(16)", [], |row| row.get(0));
    id.map(JournalId).map_err(|error| OpenError::sqlite(&reader.file, error))
}

fn append_failed(error: AppendError) -> OpenError {
    match error {
        AppendError::DiskFull { file } => OpenError::DiskFull { file },
        AppendError::ReadOnly { file } => OpenError::Permission { file },
        AppendError::Sqlite { file, source } => OpenError::Sqlite { file, source },
        AppendError::Unfit { file, unfit } => OpenError::Unfit { file, unfit },
        AppendError::Disturbed { file, found, left } => OpenError::Damaged {
            why: format!("its end was moved by someone else (record {found}, left at {left})"),
            file,
        },
    }
}
