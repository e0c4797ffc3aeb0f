//! The loop: order, what is durable, a full queue, a failing disk, the end.

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use flagfall_journal::{AppendError, Journal, Outcome, SendError, Tail, Unfit, Writer, verify};
use rusqlite::Connection;

use crate::{all, create, event, folder, input};

fn fail(path: &Path) {
    let sql = "CREATE TRIGGER no_more BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'a bad card'); END";
    Connection::open(path).expect("opened").execute_batch(sql).expect("failing");
}

fn mend(path: &Path) {
    Connection::open(path).expect("opened").execute_batch("DROP TRIGGER no_more").expect("mended");
}

#[test]
fn what_queued_meanwhile_is_one_transaction_in_order() {
    let dir = folder();
    let path = dir.path().join("j");
    let (mut handle, writer) = Writer::new(create(&path), 100);
    // Queued before the loop runs: what a slow disk would find.
    for i in 1..=50 {
        let sent = handle.send(vec![input(i, i.to_string()), event(i, i)]).expect("queued");
        assert_eq!(sent, 2 + 2 * i, "numbers are known before they are durable");
    }
    assert_eq!((handle.durable(), handle.waiting()), (2, 100));
    let (tell, told) = mpsc::channel();
    let thread = thread::spawn(move || writer.run(|outcome| tell.send(outcome).expect("heard")));
    assert!(matches!(told.recv(), Ok(Outcome::Durable { n: 102, records: 100 })));
    assert_eq!((handle.durable(), handle.waiting()), (102, 0));
    // When idle, at once.
    assert_eq!(handle.try_send(vec![input(60, "1")]).expect("queued"), 103);
    assert!(matches!(told.recv(), Ok(Outcome::Durable { n: 103, records: 1 })));
    handle.send(vec![input(61, "2")]).expect("queued");
    drop(handle);
    let ended = thread.join().expect("ended");
    assert!(ended.unwritten.is_empty());
    let records = all(&ended.journal);
    assert_eq!(records.len(), 104, "what was queued at the end is written");
    assert!(
        records[2..102].iter().step_by(2).map(|r| r.body.clone()).eq((1..=50).map(|i: u64| i.to_string()))
    );
}

#[test]
fn an_unfit_record_is_refused_before_it_is_queued() {
    let dir = folder();
    let (mut handle, writer) = Writer::new(create(&dir.path().join("j")), 4);
    handle.send(vec![event(5, 1)]).expect("queued");
    let before = handle.tail();
    assert_eq!(before, Tail { n: 3, at_ms: 5, seq: 1 });
    assert!(matches!(handle.send(vec![input(4, "1")]), Err(SendError::Unfit(Unfit::Time { n: 4, .. }))));
    assert!(matches!(handle.try_send(vec![event(5, 1)]), Err(SendError::Unfit(Unfit::Seq { n: 4, .. }))));
    assert_eq!((handle.tail(), handle.waiting()), (before, 1));
    drop(handle);
    assert_eq!(all(&writer.run(|_| ()).journal).len(), 3);
}

#[test]
fn a_full_queue_gives_the_batch_back_and_a_gone_writer_too() {
    let dir = folder();
    let (mut handle, writer) = Writer::new(create(&dir.path().join("j")), 2);
    handle.try_send(vec![input(1, "1")]).expect("queued");
    handle.try_send(vec![input(1, "2")]).expect("queued");
    match handle.try_send(vec![input(1, "3")]) {
        Err(SendError::Full(batch)) => assert_eq!(batch, [input(1, "3")]),
        other => panic!("{other:?}"),
    }
    assert_eq!((handle.tail().n, handle.waiting()), (4, 2));
    drop(writer);
    match handle.send(vec![input(1, "3")]) {
        Err(SendError::Ended(batch)) => assert_eq!(batch, [input(1, "3")]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn while_the_disk_fails_all_waits_in_order_and_then_follows() {
    let dir = folder();
    let path = dir.path().join("j");
    let (tell, told) = mpsc::channel();
    let (mut handle, thread) =
        Writer::spawn(create(&path), 100, move |outcome| tell.send(outcome).expect("heard"))
            .expect("a thread");
    fail(&path);
    handle.send(vec![input(1, "1")]).expect("queued");
    match told.recv() {
        Ok(Outcome::Failing { error }) => assert!(error.to_string().contains("a bad card"), "{error}"),
        other => panic!("{other:?}"),
    }
    for i in 2..=30 {
        handle.send(vec![input(i, i.to_string())]).expect("queued");
    }
    assert_eq!((handle.durable(), handle.waiting()), (2, 30));
    assert!(told.try_recv().is_err(), "said once");
    mend(&path);
    assert!(matches!(told.recv(), Ok(Outcome::Recovered)));
    let mut durable = 0;
    while durable < 32 {
        match told.recv() {
            Ok(Outcome::Durable { n, .. }) => durable = n,
            other => panic!("{other:?}"),
        }
    }
    drop(handle);
    let ended = thread.join().expect("ended");
    assert!(all(&ended.journal)[2..].iter().map(|r| r.body.clone()).eq((1..=30).map(|i: u64| i.to_string())));
    verify(&path).expect("whole");
}

#[test]
fn a_disk_that_fails_to_the_end_gives_everything_back() {
    let dir = folder();
    let path = dir.path().join("j");
    let (tell, told) = mpsc::channel();
    let (mut handle, thread) =
        Writer::spawn(create(&path), 100, move |outcome| tell.send(outcome).expect("heard"))
            .expect("a thread");
    fail(&path);
    let sent: Vec<_> = (1..=20).map(|i| input(i, i.to_string())).collect();
    handle.send(vec![sent[0].clone()]).expect("queued");
    assert!(matches!(told.recv(), Ok(Outcome::Failing { .. })));
    for record in &sent[1..] {
        handle.send(vec![record.clone()]).expect("queued");
    }
    drop(handle);
    let ended = thread.join().expect("ended");
    assert_eq!(ended.unwritten, sent);
    assert_eq!(all(&ended.journal).len(), 2);
}

#[test]
fn a_stranger_who_writes_is_noticed_and_nothing_overwritten() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut journal: Journal = create(&path);
    journal.append(&[input(1, "1")]).expect("appended");
    let sql = "INSERT INTO record SELECT 4, at_ms, kind, seq, body, hash FROM record WHERE n = 3";
    Connection::open(&path).expect("opened").execute_batch(sql).expect("written");
    match journal.append(&[input(2, "2")]) {
        Err(AppendError::Disturbed { found: 4, left: 3, .. }) => {}
        other => panic!("{other:?}"),
    }
}
