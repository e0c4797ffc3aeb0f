//! Each kind of tampering is found, and named at the right record.

use std::fs;
use std::path::Path;

use flagfall_journal::{
    Break, Filter, Format, Head, Journal, OpenError, Options, ReadError, Reader, VerifyError, export, verify,
    verify_against,
};
use rusqlite::Connection;

use crate::{closed, create, event, folder, input};

/// Somebody with a database tool.
fn edit(path: &Path, sql: &str) {
    let conn = Connection::open(path).expect("opened");
    conn.execute_batch("DROP TRIGGER IF EXISTS record_unchanged; DROP TRIGGER IF EXISTS record_kept;")
        .expect("dropped");
    conn.execute_batch(sql).expect(sql);
}

fn broken(path: &Path) -> (u64, Break) {
    match verify(path) {
        Err(VerifyError::Broken(at)) => (at.n, at.what),
        other => panic!("found whole, or not read: {other:?}"),
    }
}

#[test]
fn an_accident_with_a_database_tool_is_refused() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 5);
    let conn = Connection::open(&path).expect("opened");
    for sql in
        ["UPDATE record SET body = '0' WHERE n = 4", "DELETE FROM record WHERE n = 4", "DELETE FROM record"]
    {
        let error = conn.execute_batch(sql).expect_err(sql).to_string();
        assert!(error.contains("only ever appended to"), "{error}");
    }
    drop(conn);
    assert_eq!(verify(&path).expect("whole").records, 7);
}

#[test]
fn every_edit_is_found_at_its_record() {
    let dir = folder();
    let whole = dir.path().join("whole");
    let mut journal = create(&whole);
    let batch: Vec<_> = (1..=600).flat_map(|i| [input(i * 10, i.to_string()), event(i * 10, i)]).collect();
    journal.append(&batch).expect("appended");
    journal.close().expect("closed");
    assert_eq!(verify(&whole).expect("whole").records, 1202);
    let cases: &[(&str, u64, Break)] = &[
        ("UPDATE record SET body = '0' WHERE n = 700", 700, Break::Changed),
        ("UPDATE record SET body = body || ' ' WHERE n = 700", 700, Break::Changed),
        ("UPDATE record SET at_ms = at_ms + 1 WHERE n = 3", 3, Break::Changed),
        ("UPDATE record SET at_ms = 1 WHERE n = 900", 900, Break::Changed),
        ("UPDATE record SET kind = 'sample' WHERE n = 257", 257, Break::Changed),
        ("UPDATE record SET seq = NULL WHERE n = 900", 900, Break::Changed),
        ("UPDATE record SET hash = zeroblob(32) WHERE n = 1202", 1202, Break::Changed),
        (
            "UPDATE record SET hash = zeroblob(31) WHERE n = 5",
            5,
            Break::Unreadable("its hash has 31 bytes".into()),
        ),
        ("UPDATE record SET at_ms = -1 WHERE n = 5", 5, Break::Unreadable("its time is -1".into())),
        ("DELETE FROM record WHERE n = 600", 600, Break::Missing),
        ("DELETE FROM record WHERE n < 600", 1, Break::Missing),
        ("DELETE FROM record", 1, Break::Missing),
        ("DELETE FROM record WHERE n = 1", 1, Break::Missing),
        ("UPDATE record SET n = 2000 WHERE n = 600", 600, Break::Missing),
        ("UPDATE record SET n = -5 WHERE n = 600", 0, Break::PutIn),
        (
            "INSERT INTO record SELECT 0, at_ms, kind, NULL, body, hash FROM record WHERE n = 1",
            0,
            Break::PutIn,
        ),
        (
            "INSERT INTO record SELECT 1203, at_ms, kind, 601, body, hash FROM record WHERE n = 1202",
            1203,
            Break::Changed,
        ),
        (
            "UPDATE record SET body = replace(body, '\"id\":\"', '\"id\":\"0') WHERE n = 1",
            1,
            Break::NoBeginning,
        ),
        ("UPDATE record SET kind = 'begin' WHERE n = 1", 1, Break::NoBeginning),
        // Two records change places.
        (
            "UPDATE record SET n = 5000 WHERE n = 10; UPDATE record SET n = 10 WHERE n = 12;
             UPDATE record SET n = 12 WHERE n = 5000",
            10,
            Break::Changed,
        ),
    ];
    for (k, (sql, n, what)) in cases.iter().enumerate() {
        let path = dir.path().join(format!("edited-{k}"));
        fs::copy(&whole, &path).expect("copied");
        edit(&path, sql);
        assert_eq!(broken(&path), (*n, what.clone()), "{sql}");
    }
}

#[test]
fn another_id_in_the_first_record_does_not_carry_the_chain() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 3);
    edit(
        &path,
        "UPDATE record SET body = json_set(body, '$.id', '00000000000000000000000000000000') WHERE n = 1",
    );
    assert_eq!(broken(&path), (1, Break::Changed));
}

#[test]
fn recovery_stops_at_the_record_that_does_not_fit() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 1000);
    edit(&path, "UPDATE record SET body = '0' WHERE n = 300");
    // Far from the end: opening finds the end whole, and who reads from the beginning is told.
    let (journal, _) = Journal::open(&path, Options::default()).expect("opened");
    let mut read = journal.read_checked(1);
    assert_eq!(read.by_ref().take(299).filter(Result::is_ok).count(), 299);
    match read.next() {
        Some(Err(ReadError::Broken { broken, .. })) => {
            assert_eq!((broken.n, broken.what), (300, Break::Changed))
        }
        other => panic!("{other:?}"),
    }
    assert!(read.next().is_none());
    drop(journal);
    edit(&path, "UPDATE record SET body = '0' WHERE n = 990");
    match Journal::open(&path, Options::default()) {
        Err(OpenError::Broken { broken, .. }) => assert_eq!(broken.n, 990),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_tail_cut_off_shows_only_against_a_head_noted_elsewhere() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 50);
    let noted = verify(&path).expect("whole").head;
    edit(&path, "DELETE FROM record WHERE n > 40");
    let cut = verify(&path).expect("nothing in the file says so");
    assert_eq!(cut.records, 40);
    match verify_against(&path, &[cut.head, noted]) {
        Err(VerifyError::Broken(at)) => assert_eq!((at.n, at.what), (41, Break::Missing)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rewritten_journal_shows_only_against_a_head_noted_elsewhere() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 50);
    let whole = verify(&path).expect("whole");
    let at = |n: u64| {
        let reader = Reader::open(&path).expect("reader");
        Head { n, hash: reader.record(n).expect("read").expect("there").hash }
    };
    let noted = [at(20), at(30)];
    // Begin anew from record 25, as somebody with this program could.
    edit(&path, "DELETE FROM record WHERE n >= 25");
    let (mut journal, _) = Journal::open(&path, Options::default()).expect("opened");
    let batch: Vec<_> = (25..=52).map(|n| input(n * 10, "\"other\"")).collect();
    journal.append(&batch).expect("appended");
    journal.close().expect("closed");
    assert_eq!(verify(&path).expect("whole in itself").records, whole.records);
    assert!(verify_against(&path, &noted[..1]).is_ok(), "up to 20 nothing was changed");
    match verify_against(&path, &noted) {
        Err(VerifyError::Broken(at)) => assert_eq!((at.n, at.what), (30, Break::NotAsNoted)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn damage_anywhere_in_the_file_is_no_panic_and_never_passes_for_other_records() {
    let dir = folder();
    let whole = dir.path().join("whole");
    closed(&whole, 2000);
    let lines = |path: &Path| {
        let mut out = Vec::new();
        let reader = Reader::open_offline(path).ok()?;
        export(&reader, &mut out, Format::JsonLines, &Filter::default()).ok()?;
        Some(out)
    };
    let right = lines(&whole).expect("exported");
    let bytes = fs::read(&whole).expect("read");
    let path = dir.path().join("damaged");
    let mut found = 0;
    for k in 0..bytes.len() / 997 {
        let mut damaged = bytes.clone();
        for byte in damaged.iter_mut().skip(k * 997).take(3) {
            *byte ^= 0xa5;
        }
        fs::write(&path, damaged).expect("written");
        match verify(&path) {
            // Free space, the header's counters, the note of the home.
            Ok(_) => assert_eq!(lines(&path).as_ref(), Some(&right), "at byte {}", k * 997),
            Err(_) => found += 1,
        }
    }
    assert!(found * 10 > bytes.len() / 997 * 8, "{found} of {} found", bytes.len() / 997);
}
