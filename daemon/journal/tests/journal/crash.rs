//! Killed at any instant, the journal keeps what it acknowledged.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flagfall_journal::{Journal, OpenError, Options, Outcome, Writer, verify};

use crate::{BEGIN, create, event, folder, input};

const PATH: &str = "FLAGFALL_JOURNAL_TO_KILL";

/// Not a test by itself: the process that is killed. Prints each number once it is durable.
#[test]
#[ignore = "run by the tests that kill it"]
fn child_appends_until_killed() {
    let Some(path) = env::var_os(PATH) else { return };
    let (journal, opened) = Journal::open_or_create(path, BEGIN, Options::default()).expect("opened");
    let report = |n: u64| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "durable {n}").and_then(|()| out.flush()).expect("a parent listens");
    };
    report(opened.records);
    let (mut handle, _thread) = Writer::spawn(journal, 8, move |outcome| match outcome {
        Outcome::Durable { n, .. } => report(n),
        other => panic!("{other:?}"),
    })
    .expect("a thread");
    for i in 0.. {
        let tail = handle.tail();
        let mut batch: Vec<_> = (0..i % 5).map(|k| input(tail.at_ms + 1, format!("[{i},{k}]"))).collect();
        batch.push(event(tail.at_ms + 1, tail.seq + 1));
        handle.send(batch).expect("queued");
    }
}

fn child(path: &std::path::Path) -> std::process::Child {
    Command::new(env::current_exe().expect("this binary"))
        .args(["crash::child_appends_until_killed", "--exact", "--ignored", "--nocapture"])
        .env(PATH, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child")
}

/// The number a line acknowledges; the first may follow the test's own name on its line.
fn durable(line: &str) -> Option<u64> {
    line.rsplit_once("durable ")?.1.trim().parse().ok()
}

#[test]
fn killed_twenty_times_nothing_acknowledged_is_missing() {
    let dir = folder();
    let path = dir.path().join("j");
    create(&path).close().expect("closed");
    let mut acknowledged = 0;
    let mut id = None;
    for round in 0..20_u64 {
        let mut child = child(&path);
        let out = child.stdout.take().expect("piped");
        let reader = std::thread::spawn(move || {
            // The last line may be cut short, and then says nothing. So may its number: lines end in a break.
            let mut out = BufReader::new(out);
            let (mut last, mut line) = (None, String::new());
            while out.read_line(&mut line).is_ok_and(|got| got > 0) {
                if line.ends_with('\n') {
                    last = durable(&line).or(last);
                }
                line.clear();
            }
            last
        });
        // A different instant each time: what the child is at then is chance.
        std::thread::sleep(Duration::from_micros(15_000 + round * 7_919 % 40_000));
        child.kill().expect("killed");
        child.wait().expect("reaped");
        let last = reader.join().expect("read");
        acknowledged = acknowledged.max(last.unwrap_or(0));

        let found = verify(&path).expect("whole");
        assert!(found.records >= acknowledged, "{acknowledged} acknowledged, {} there", found.records);
        let (journal, opened) = Journal::open(&path, Options::default()).expect("opened");
        assert_eq!(opened.records, found.records);
        assert_eq!(*id.get_or_insert(opened.id), opened.id);
        let numbers = journal.read_checked(1).map(|record| record.expect("fits").n);
        assert!(numbers.eq(1..=opened.records), "a number twice or missing");
        journal.close().expect("closed");
    }
    assert!(acknowledged > 100, "the children hardly wrote: {acknowledged}");
}

#[test]
fn a_journal_in_use_by_another_process_is_refused_until_that_ends() {
    let dir = folder();
    let path = dir.path().join("j");
    let mut child = child(&path);
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while durable(&line).is_none_or(|n| n < 20) {
        line.clear();
        assert!(out.read_line(&mut line).expect("read") > 0, "the child ended");
    }
    match Journal::open(&path, Options::default()) {
        Err(OpenError::Locked { pid, .. }) => assert_eq!(pid, Some(child.id())),
        other => panic!("{other:?}"),
    }
    verify(&path).expect("can be read meanwhile");
    child.kill().expect("killed");
    child.wait().expect("reaped");
    let since = Instant::now();
    let (_, opened) = Journal::open(&path, Options::default()).expect("opened");
    assert!(opened.unclean.is_some());
    assert!(since.elapsed() < Duration::from_secs(5));
}
