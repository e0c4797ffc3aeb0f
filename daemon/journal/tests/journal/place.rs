//! One writer; which file a journal is; what lies where.

use std::fs;
use std::os::unix::fs::symlink;

use flagfall_journal::{Continuation, Journal, OpenError, Options, Reader, VerifyError, verify};
use rusqlite::Connection;

use crate::{BEGIN, all, beside, closed, create, folder, image, input};

#[test]
fn a_second_writer_is_refused_under_any_name_and_told_by_whom() {
    let dir = folder();
    let path = dir.path().join("j");
    let journal = create(&path);
    let link = dir.path().join("link");
    symlink(&path, &link).expect("linked");
    for path in [&path, &link, &dir.path().join(".").join("j")] {
        for tried in [
            Journal::open(path, Options::default()),
            Journal::open_or_create(path, BEGIN, Options::default()),
            Journal::create(path, BEGIN, Options::default()),
        ] {
            match tried {
                Err(OpenError::Locked { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
                other => panic!("{other:?}"),
            }
        }
    }
    drop(journal);
    Journal::open(&link, Options::default()).expect("free again");
}

#[test]
fn a_copy_that_goes_on_gets_a_new_id_and_says_so() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 3);
    let (journal, opened) = Journal::open(&path, Options::default()).expect("opened");
    assert_eq!(opened.continued, None);
    let (id, before) = (journal.id(), all(&journal));
    drop(journal);
    let copy = dir.path().join("copy");
    fs::copy(&path, &copy).expect("copied");
    assert_eq!(verify(&copy).expect("whole").id, id, "a copy that is only read stays what it is");

    let (mut journal, opened) = Journal::open(&copy, Options::default()).expect("opened");
    assert_ne!(journal.id(), id);
    assert_eq!(opened.id, journal.id());
    assert_eq!(opened.continued, Some(Continuation { from: id, n: 5 }));
    assert_eq!(journal.append(&[input(30, "1")]).expect("appended"), 7);
    assert_eq!(all(&journal)[..5], before);
    let new = journal.id();
    drop(journal);
    let found = verify(&copy).expect("whole");
    assert_eq!((found.id, found.continued), (new, vec![Continuation { from: id, n: 5 }]));

    // Once; and the original stays what it is, also under another name.
    let (_, opened) = Journal::open(&copy, Options::default()).expect("opened");
    assert_eq!((opened.id, opened.continued), (new, None));
    let renamed = dir.path().join("renamed");
    fs::rename(&path, &renamed).expect("renamed");
    let (_, opened) = Journal::open(&renamed, Options::default()).expect("opened");
    assert_eq!((opened.id, opened.continued), (id, None));
    let (_, opened) =
        Journal::open(&renamed, Options { as_copy: true, ..Options::default() }).expect("opened");
    assert_ne!(opened.id, id);
}

#[test]
fn a_copy_taken_while_it_is_written_goes_on_too() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    journal.append(&[input(1, "1"), input(2, "2")]).expect("appended");
    let copy = dir.path().join("copy");
    image(&path, &copy);
    let (copied, opened) = Journal::open(&copy, Options::default()).expect("opened");
    let unclean = opened.unclean.expect("it was not closed");
    assert!(unclean.wal_bytes > 0);
    assert_eq!(unclean.torn_bytes, 0);
    assert_eq!(opened.continued, Some(Continuation { from: journal.id(), n: 4 }));
    assert_eq!(all(&copied)[..4], all(&journal));
}

#[test]
fn other_files_are_named_and_left_alone() {
    let dir = folder();
    let path = dir.path().join("venue.toml");
    fs::write(&path, "[event]\nname = \"not a journal\"\n".repeat(100)).expect("written");
    let before = fs::read(&path).expect("read");
    let options = Options { broken: flagfall_journal::Broken::PutAside, ..Options::default() };
    assert!(matches!(Journal::open_or_create(&path, BEGIN, options), Err(OpenError::NotAJournal { .. })));
    assert!(matches!(verify(&path), Err(VerifyError::Open(OpenError::NotAJournal { .. }))));
    assert!(matches!(Reader::open(&path), Err(OpenError::NotAJournal { .. })));
    assert_eq!(fs::read(&path).expect("read"), before);

    let path = dir.path().join("places.sqlite");
    Connection::open(&path).expect("made").execute_batch("CREATE TABLE record (n)").expect("made");
    let before = fs::read(&path).expect("read");
    assert!(matches!(Journal::open_or_create(&path, BEGIN, options), Err(OpenError::NotAJournal { .. })));
    assert_eq!(fs::read(&path).expect("read"), before);

    assert!(matches!(Journal::open(dir.path(), options), Err(OpenError::NotAJournal { .. })));
    assert!(matches!(
        Journal::create(dir.path().join("no/such/j"), BEGIN, options),
        Err(OpenError::Io { .. })
    ));
}

#[test]
fn a_newer_format_is_refused_by_name() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 3);
    Connection::open(&path).expect("opened").pragma_update(None, "user_version", 2).expect("set");
    let before = fs::read(&path).expect("read");
    let error = Journal::open(&path, Options::default()).expect_err("newer");
    assert!(matches!(error, OpenError::Newer { found: 2, known: 1, .. }), "{error}");
    assert!(error.to_string().contains("newer version (format 2"), "{error}");
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn the_file_says_what_it_is_and_closing_leaves_only_it_and_its_lock() {
    let dir = folder();
    let path = dir.path().join("赛 50%#?.journal");
    closed(&path, 3);
    let bytes = fs::read(&path).expect("read");
    assert_eq!(&bytes[68..72], b"Flag");
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).expect("listed").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    assert_eq!(names, [path.clone(), beside(&path, ".lock")]);
    verify(&path).expect("whole");
    assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 2, "verifying leaves nothing behind");
}
