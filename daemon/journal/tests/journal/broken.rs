//! What a power cut or a bad card leaves: named, kept, recovered as far as it goes.

use std::fs;

use flagfall_journal::{Break, Broken, Journal, OpenError, Options, VerifyError, verify};

use crate::{BEGIN, all, beside, closed, create, folder, image, input};

const PUT_ASIDE: Options =
    Options { broken: Broken::PutAside, durability: flagfall_journal::Durability::Full, as_copy: false };

type Named = fn(&OpenError) -> bool;

#[test]
fn nothing_left_is_refused_or_put_aside_as_asked() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut torn = fs::read({
        let whole = dir.path().join("whole");
        closed(&whole, 300);
        whole
    })
    .expect("read");
    torn[..4096].fill(0);
    let cases: [(Vec<u8>, Named); 4] = [
        (Vec::new(), |e| matches!(e, OpenError::Empty { .. })),
        (vec![0; 10], |e| matches!(e, OpenError::Nulls { bytes: 10, .. })),
        (vec![0; 123_456], |e| matches!(e, OpenError::Nulls { bytes: 123_456, .. })),
        (torn, |e| matches!(e, OpenError::Damaged { .. })),
    ];
    for (k, (bytes, named)) in cases.iter().enumerate() {
        fs::write(&path, bytes).expect("written");
        fs::write(beside(&path, "-wal"), b"what was left").expect("written");
        for tried in [
            Journal::open(&path, Options::default()),
            Journal::open(&path, PUT_ASIDE),
            Journal::open_or_create(&path, BEGIN, Options::default()),
        ] {
            let error = tried.expect_err("broken");
            assert!(named(&error), "{error}");
            assert!(error.to_string().contains(path.to_str().expect("utf-8")), "{error}");
        }
        assert!(matches!(verify(&path), Err(VerifyError::Open(_))));
        let (journal, opened) = Journal::open_or_create(&path, BEGIN, PUT_ASIDE).expect("begun anew");
        assert!(opened.created);
        let to = beside(&path, &format!(".broken-{}", k + 1));
        assert_eq!(opened.put_aside.iter().map(|aside| &aside.to).collect::<Vec<_>>(), [&to]);
        assert_eq!(&fs::read(&to).expect("kept"), bytes);
        assert_eq!(fs::read(beside(&to, "-wal")).expect("kept"), b"what was left");
        assert_eq!(all(&journal).len(), 2);
        journal.close().expect("closed");
        verify(&path).expect("whole");
    }
}

#[test]
fn a_structure_past_reading_is_refused_or_put_aside_as_asked() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 2000);
    let mut bytes = fs::read(&path).expect("read");
    bytes[4096..].fill(0xff);
    fs::write(&path, &bytes).expect("written");
    assert!(matches!(Journal::open(&path, Options::default()), Err(OpenError::Damaged { .. })));
    let (_, opened) = Journal::open_or_create(&path, BEGIN, PUT_ASIDE).expect("begun anew");
    assert_eq!(fs::read(&opened.put_aside[0].to).expect("kept"), bytes);
}

#[test]
fn a_cut_file_is_named() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 2000);
    let bytes = fs::read(&path).expect("read");
    for cut in [100, 4096, 5000, bytes.len() / 2, bytes.len() - 4096] {
        fs::write(&path, &bytes[..cut]).expect("written");
        assert!(verify(&path).is_err(), "cut at {cut}");
    }
}

/// Wherever the `-wal` ends, what is left are the first whole batches, and the journal goes on.
#[test]
fn a_wal_cut_anywhere_leaves_whole_batches() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    for batch in 0..12_u64 {
        let records: Vec<_> = (0..40).map(|i| input(batch, format!("[{batch},{i}]"))).collect();
        journal.append(&records).expect("appended");
    }
    let right = all(&journal);
    let length = fs::metadata(beside(&path, "-wal")).expect("a wal").len();
    let (mut torn, mut kept) = (0, std::collections::BTreeSet::new());
    for k in 0..60 {
        let cut = length * k / 60 + k % 7;
        let copy = dir.path().join(format!("cut-{k}"));
        image(&path, &copy);
        fs::File::options()
            .write(true)
            .open(beside(&copy, "-wal"))
            .expect("opened")
            .set_len(cut)
            .expect("cut");
        let (mut copied, opened) = Journal::open(&copy, Options::default()).expect("opened");
        let continued = opened.continued.expect("it is a copy");
        assert_eq!((continued.n - 2) % 40, 0, "half a batch at cut {cut}");
        kept.insert(continued.n);
        assert_eq!(all(&copied)[..continued.n as usize], right[..continued.n as usize]);
        assert_eq!(opened.unclean.is_some(), cut > 0);
        torn += opened.unclean.map_or(0, |unclean| unclean.torn_bytes);
        copied.append(&[input(99, "\"on\"")]).expect("goes on");
        copied.close().expect("closed");
        verify(&copy).expect("whole");
    }
    assert!(torn > 0, "cuts within a transaction are told");
    assert!(kept.len() > 8, "{kept:?}");
}

/// A checkpoint moves pages from the `-wal` into the file; the power may go with any of them moved.
#[test]
fn a_checkpoint_torn_anywhere_loses_nothing() {
    const PAGE: usize = 4096;
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    let append = |journal: &mut Journal, at_ms: u64| {
        let seq = journal.tail().seq;
        let records: Vec<_> =
            (1..=30).flat_map(|i| [input(at_ms, "[1,2,3]"), crate::event(at_ms, seq + i)]).collect();
        journal.append(&records).expect("appended");
    };
    let checkpoint = || {
        let conn = rusqlite::Connection::open(&path).expect("opened");
        conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).expect("checkpoint");
    };
    for at_ms in 0..20 {
        append(&mut journal, at_ms);
    }
    checkpoint();
    for at_ms in 20..60 {
        append(&mut journal, at_ms);
    }
    let right = all(&journal);
    let old = fs::read(&path).expect("read");
    let wal = fs::read(beside(&path, "-wal")).expect("read");
    checkpoint();
    let new = fs::read(&path).expect("read");
    assert!(new.len() > old.len() + 20 * PAGE && old.len() > 10 * PAGE);

    let mut chance = 1_u64;
    for k in 0..150 {
        let pages = new.len() / PAGE;
        let mut torn = old.clone();
        for page in 0..pages {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // First those cut off in order, as SQLite writes them, then any, as a disk may.
            if if k < pages { page < k } else { chance >> 63 == 1 } {
                let at = page * PAGE..(page + 1) * PAGE;
                if torn.len() < at.end {
                    torn.resize(at.end, 0);
                }
                torn[at.clone()].copy_from_slice(&new[at]);
            }
        }
        let copy = dir.path().join(format!("torn-{k}"));
        fs::write(&copy, torn).expect("written");
        fs::write(beside(&copy, "-wal"), &wal).expect("written");
        let (copied, opened) = Journal::open(&copy, Options::default()).expect("opened");
        assert_eq!(opened.continued.expect("a copy").n, right.len() as u64);
        assert_eq!(all(&copied)[..right.len()], right);
        copied.close().expect("closed");
        verify(&copy).expect("whole");
        fs::remove_file(&copy).expect("removed");
    }
}

#[test]
fn a_wal_with_a_flipped_byte_leaves_whole_batches() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    for batch in 0..12_u64 {
        journal.append(&[input(batch, "1"), input(batch, "2")]).expect("appended");
    }
    let right = all(&journal);
    let wal = fs::read(beside(&path, "-wal")).expect("read");
    for k in 0..40 {
        let copy = dir.path().join(format!("flipped-{k}"));
        image(&path, &copy);
        let mut bytes = wal.clone();
        bytes[(wal.len() - 1) * k / 39] ^= 0x10;
        fs::write(beside(&copy, "-wal"), bytes).expect("written");
        let (copied, opened) = Journal::open(&copy, Options::default()).expect("opened");
        let n = opened.continued.expect("it is a copy").n;
        assert_eq!(n % 2, 0, "half a batch");
        assert_eq!(all(&copied)[..n as usize], right[..n as usize]);
    }
}

#[test]
fn a_wal_of_another_journal_is_refused_or_put_aside_as_asked() {
    let dir = folder();
    let (ours, other) = (dir.path().join("ours"), dir.path().join("other"));
    closed(&ours, 50);
    let right = verify(&ours).expect("whole");
    let mut journal = create(&other);
    for at_ms in 0..100 {
        journal.append(&[input(at_ms, "\"other\"")]).expect("appended");
    }
    let stray = fs::read(beside(&other, "-wal")).expect("read");
    fs::write(beside(&ours, "-wal"), &stray).expect("written");
    match Journal::open(&ours, Options::default()) {
        Err(error @ OpenError::StrangeWal { .. }) => {
            assert!(error.to_string().contains("ours-wal"), "{error}")
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read(beside(&ours, "-wal")).expect("kept"), stray);
    let (journal, opened) = Journal::open(&ours, PUT_ASIDE).expect("opened");
    assert_eq!((opened.head, opened.id, opened.unclean), (right.head, right.id, None));
    assert_eq!(opened.put_aside.len(), 1);
    assert_eq!(opened.put_aside[0].to, beside(&ours.canonicalize().expect("there"), ".stray-1-wal"));
    assert_eq!(fs::read(&opened.put_aside[0].to).expect("kept"), stray);
    journal.close().expect("closed");
    assert_eq!(verify(&ours).expect("whole"), right);
}

#[test]
fn an_older_wal_of_the_same_journal_takes_nothing_away() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    journal.append(&[input(1, "1")]).expect("appended");
    let old = fs::read(beside(&path, "-wal")).expect("read");
    for at_ms in 1..300 {
        journal.append(&[input(at_ms, "2")]).expect("appended");
    }
    journal.close().expect("closed");
    let right = verify(&path).expect("whole");
    fs::write(beside(&path, "-wal"), &old).expect("written");
    assert!(matches!(Journal::open(&path, Options::default()), Err(OpenError::StrangeWal { .. })));
    let (journal, _) = Journal::open(&path, PUT_ASIDE).expect("opened");
    assert_eq!(journal.head(), right.head);
}

#[test]
fn a_wal_beside_no_journal_is_not_taken_for_the_new_one() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal = create(&path);
    journal.append(&[input(1, "1")]).expect("appended");
    let lost = dir.path().join("lost");
    fs::copy(beside(&path, "-wal"), beside(&lost, "-wal")).expect("copied");
    let (journal, opened) = Journal::open_or_create(&lost, BEGIN, Options::default()).expect("begun");
    assert!(opened.created);
    assert_eq!(opened.put_aside.len(), 1);
    assert_eq!(all(&journal).len(), 2);
}

#[test]
fn a_journal_half_made_is_begun_again() {
    let dir = folder();
    let path = dir.path().join("j");
    for (suffix, bytes) in [(".new", &b"half"[..]), (".new-wal", b"of it"), (".new-journal", b"x")] {
        fs::write(beside(&path, suffix), bytes).expect("written");
    }
    let journal = create(&path);
    assert_eq!(all(&journal).len(), 2);
    assert!(!beside(&path, ".new").exists());
}

#[test]
fn a_chain_broken_at_the_end_is_never_put_aside() {
    let dir = folder();
    let path = dir.path().join("j");
    closed(&path, 20);
    let conn = rusqlite::Connection::open(&path).expect("opened");
    conn.execute_batch("DROP TRIGGER record_unchanged; UPDATE record SET body = '0' WHERE n = 20")
        .expect("edited");
    drop(conn);
    match Journal::open_or_create(&path, BEGIN, PUT_ASIDE) {
        Err(OpenError::Broken { broken, .. }) => assert_eq!((broken.n, broken.what), (20, Break::Changed)),
        other => panic!("{other:?}"),
    }
}
