//! The append-only proof of an event.
//!
//! A journal is one SQLite file of numbered records. A record is an opaque JSON text with a kind and a venue time;
//! this crate knows nothing of chess and never looks into a body. It promises:
//!
//! * [`Journal::append`] returns only when the whole batch is on the disk (WAL, `synchronous = FULL`), or not at all.
//! * Records are numbered 1, 2, 3 ... without holes, their times never go back, and none is ever changed or removed.
//! * Each record carries a SHA-256 over itself and the one before ([`chain`]), so [`verify`] names the first record
//!   that is not what was written.
//! * One process writes; any number read meanwhile ([`Reader`]).
//! * What is found broken is named and kept, never overwritten.
//!
//! [`Writer`] is the loop a program puts on a thread of its own: it writes what is queued in one transaction, at once
//! when idle, and says which record is durable. While the disk fails it keeps everything, in order, and tries again.

mod begin;
pub mod chain;
mod error;
mod export;
mod journal;
mod open;
mod place;
mod reader;
mod record;
mod records;
mod recover;
mod schema;
mod tail;
mod verify;
mod wal;
mod writer;

pub use chain::{Hash, Head, JournalId};
pub use error::{AppendError, OpenError, ReadError};
pub use export::{ExportError, Filter, Format, export};
pub use journal::Journal;
pub use open::{Broken, Durability, Opened, Options, Unclean};
pub use place::PutAside;
pub use reader::Reader;
pub use record::{Kind, KindError, NewRecord, OtherKind, Record};
pub use records::{Checked, Records};
pub use tail::{MAX_BODY, Tail, Unfit};
pub use verify::{Break, BrokenAt, Continuation, Verified, VerifyError, verify, verify_against};
pub use writer::{Ended, Outcome, SendError, Writer, WriterHandle};
