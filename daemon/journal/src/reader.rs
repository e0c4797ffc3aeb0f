//! The reading side. A [`Reader`] of its own works while another process or thread writes.
//!
//! Records are read in pages, each in a short transaction of its own: a journal is only appended to, so pages fit
//! together, no journal is ever loaded whole, and no slow reader keeps the writer's WAL from being reused.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, types::ValueRef};

use crate::chain::{Hash, Head, JournalId};
use crate::error::{OpenError, ReadError};
use crate::place::beside;
use crate::record::{Kind, Record};
use crate::records::{Checked, Fetched, Records};
use crate::schema::{self, COLUMNS, Recognised};
use crate::tail::Tail;
use crate::verify::Own;

/// Reads a journal.
#[derive(Debug)]
pub struct Reader {
    pub(crate) conn: Connection,
    pub(crate) file: PathBuf,
}

impl Reader {
    /// Opens a journal that may be written meanwhile. Needs a folder where SQLite may keep its `-shm`.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader, OpenError> {
        let path = path.as_ref();
        look(path)?;
        let conn = Connection::open_with_flags(path, flags() | OpenFlags::SQLITE_OPEN_READ_ONLY);
        Reader::recognised(conn.map_err(|error| cannot_open(path, error))?, path)
    }

    /// Opens a journal to be inspected: a copy, on a read-only disk too. Where nothing waits in a `-wal`, no file is
    /// touched or made.
    pub fn open_offline(path: impl AsRef<Path>) -> Result<Reader, OpenError> {
        let path = path.as_ref();
        look(path)?;
        if wal_waits(path) { Reader::open(path) } else { Reader::open_alone(path) }
    }

    /// The file as it is, without any `-wal`, and without locks.
    pub(crate) fn open_alone(path: &Path) -> Result<Reader, OpenError> {
        let mut uri = String::from("file:");
        let full = std::path::absolute(path).map_err(|error| OpenError::io(path, "find", error))?;
        for byte in full.as_os_str().as_encoded_bytes() {
            match byte {
                b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                    uri.push(*byte as char)
                }
                byte => uri.push_str(&format!("%{byte:02x}")),
            }
        }
        uri.push_str("?immutable=1");
        let flags = flags() | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let conn = Connection::open_with_flags(uri, flags).map_err(|error| cannot_open(path, error))?;
        Reader::recognised(conn, path)
    }

    pub(crate) fn recognised(conn: Connection, path: &Path) -> Result<Reader, OpenError> {
        let file = path.to_owned();
        conn.busy_timeout(Duration::from_secs(5)).map_err(|error| OpenError::sqlite(path, error))?;
        conn.set_prepared_statement_cache_capacity(32);
        match schema::recognise(&conn).map_err(|error| cannot_open(path, error))? {
            Recognised::Ours => Ok(Reader { conn, file }),
            Recognised::Newer(found) => Err(OpenError::Newer { file, found, known: schema::FORMAT }),
            Recognised::Other => Err(OpenError::NotAJournal { file, why: "another program's database" }),
        }
    }

    /// The journal's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The journal's present id: events are counted within it.
    pub fn id(&self) -> Result<JournalId, ReadError> {
        let sql = "SELECT n, body FROM record WHERE kind = 'journal' ORDER BY n DESC LIMIT 1";
        let found = self.one(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let (n, why) = match found.map(|(n, body)| (n, Own::parse(&body))) {
            Some((_, Ok(own))) => return Ok(own.id),
            Some((n, Err(why))) => (n, why),
            None => (1, "there is none, and it should say what journal this is".into()),
        };
        Err(ReadError::Unreadable { file: self.file.clone(), n, why })
    }

    /// The last record's number and hash.
    pub fn head(&self) -> Result<Head, ReadError> {
        Ok(self.end()?.0)
    }

    /// Where the journal ends: what a next record must follow.
    pub fn tail(&self) -> Result<Tail, ReadError> {
        Ok(self.end()?.1)
    }

    pub(crate) fn end(&self) -> Result<(Head, Tail), ReadError> {
        let last = self.page("ORDER BY n DESC LIMIT ?1", [1])?.pop_front().transpose()?;
        let sql = "SELECT seq FROM record WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1";
        let seq = self.one(sql, [], |row| row.get::<_, i64>(0))?.unwrap_or(0);
        let Some(last) = last else {
            let why = "it should say what journal this is, and there is no record at all".into();
            return Err(ReadError::Unreadable { file: self.file.clone(), n: 1, why });
        };
        let tail = Tail { n: last.n, at_ms: last.at_ms, seq: u64::try_from(seq).unwrap_or(0) };
        Ok((Head { n: last.n, hash: last.hash }, tail))
    }

    /// Record `n`.
    pub fn record(&self, n: u64) -> Result<Option<Record>, ReadError> {
        self.page("WHERE n = ?1", [signed(n)])?.pop_front().transpose()
    }

    /// All records from `from_n` on, in order.
    pub fn read(&self, from_n: u64) -> Records<'_> {
        Records::new(self, from_n, None)
    }

    /// The records of one kind from `from_n` on, in order.
    pub fn read_kind(&self, kind: Kind, from_n: u64) -> Records<'_> {
        Records::new(self, from_n, Some(kind))
    }

    /// As [`Reader::read`], each record checked against the one before: what recovery rests on. The first that does
    /// not fit ends it with [`ReadError::Broken`].
    pub fn read_checked(&self, from_n: u64) -> Checked<'_> {
        Checked::new(self, from_n)
    }

    /// The last record of a kind.
    pub fn last_of(&self, kind: &Kind) -> Result<Option<Record>, ReadError> {
        self.page("WHERE kind = ?1 ORDER BY n DESC LIMIT 1", [kind.as_str()])?.pop_front().transpose()
    }

    /// At most `limit` records that tell an event after event `seq`, in order: one look into an index.
    pub fn events_after(&self, seq: u64, limit: usize) -> Result<Vec<Record>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.page("WHERE seq > ?1 ORDER BY seq LIMIT ?2", [signed(seq), limit])?.into_iter().collect()
    }

    pub(crate) fn one<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, ReadError> {
        let wrong = |error| ReadError::sqlite(&self.file, error);
        let mut statement = self.conn.prepare_cached(sql).map_err(wrong)?;
        statement.query_row(values, map).optional().map_err(wrong)
    }

    pub(crate) fn page(&self, which: &str, values: impl rusqlite::Params) -> Result<Fetched, ReadError> {
        let wrong = |error| ReadError::sqlite(&self.file, error);
        let sql = format!("SELECT {COLUMNS} FROM record {which}");
        let mut statement = self.conn.prepare_cached(&sql).map_err(wrong)?;
        let mut rows = statement.query(values).map_err(wrong)?;
        let mut page = Fetched::new();
        loop {
            match rows.next() {
                Ok(Some(row)) => page.push_back(self.decode(row)),
                Ok(None) => return Ok(page),
                // What was read before the damage still counts.
                Err(error) if !page.is_empty() => {
                    page.push_back(Err(wrong(error)));
                    return Ok(page);
                }
                Err(error) => return Err(wrong(error)),
            }
        }
    }

    /// Nothing in the file is taken on trust: somebody may have edited it.
    fn decode(&self, row: &Row<'_>) -> Result<Record, ReadError> {
        let n: i64 = row.get(0).map_err(|error| ReadError::sqlite(&self.file, error))?;
        let unreadable = |why: String| ReadError::Unreadable { file: self.file.clone(), n, why };
        let number = |value: ValueRef<'_>, what: &str| match value {
            ValueRef::Integer(i) => u64::try_from(i).map_err(|_| unreadable(format!("its {what} is {i}"))),
            other => Err(unreadable(format!("its {what} is a {}", other.data_type()))),
        };
        let text = |value: ValueRef<'_>, what: &str| match value {
            ValueRef::Text(bytes) => {
                String::from_utf8(bytes.to_vec()).map_err(|_| unreadable(format!("its {what} is not UTF-8")))
            }
            other => Err(unreadable(format!("its {what} is a {}", other.data_type()))),
        };
        let column = |i: usize| row.get_ref(i).map_err(|error| ReadError::sqlite(&self.file, error));
        Ok(Record {
            n: number(column(0)?, "number")?,
            at_ms: number(column(1)?, "time")?,
            kind: text(column(2)?, "kind")?
                .parse()
                .map_err(|error: crate::KindError| unreadable(error.to_string()))?,
            seq: match column(3)? {
                ValueRef::Null => None,
                value => Some(number(value, "event number")?),
            },
            body: text(column(4)?, "body")?,
            hash: match column(5)? {
                ValueRef::Blob(bytes) => Hash(
                    bytes
                        .try_into()
                        .map_err(|_| unreadable(format!("its hash has {} bytes", bytes.len())))?,
                ),
                other => return Err(unreadable(format!("its hash is a {}", other.data_type()))),
            },
        })
    }
}

fn flags() -> OpenFlags {
    // One owner for each connection, so no locks of SQLite's own.
    OpenFlags::SQLITE_OPEN_NO_MUTEX
}

pub(crate) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(crate) fn cannot_open(path: &Path, error: rusqlite::Error) -> OpenError {
    let file = path.to_owned();
    let unopened = matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly)
    );
    if unopened && wal_waits(path) {
        return OpenError::WalUnreadable { file };
    }
    // Only to learn why: closing such a handle drops the locks SQLite may hold on the file in this process.
    match if unopened { fs::File::open(path).err() } else { None } {
        Some(io) => OpenError::io(path, "open", io),
        None => OpenError::sqlite(path, error),
    }
}

/// Before SQLite is asked, which takes an empty file for an empty database.
pub(crate) fn look(path: &Path) -> Result<fs::Metadata, OpenError> {
    let file = || path.to_owned();
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(OpenError::Missing { file: file() })
        }
        Err(error) => Err(OpenError::io(path, "open", error)),
        Ok(about) if !about.is_file() => {
            Err(OpenError::NotAJournal { file: file(), why: "it is not a file" })
        }
        Ok(about) if about.len() == 0 => Err(OpenError::Empty { file: file() }),
        Ok(about) => Ok(about),
    }
}

pub(crate) fn wal_waits(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|about| about.len() > 0)
}
