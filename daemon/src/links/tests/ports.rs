//! Serial ports, played by ptys.

use super::{Rig, clock, line, report};
use crate::links::{auto, serial};
use flagfall_clock::{Accept, ClockCommand, Encoding, Lexer, Message};
use flagfall_hall::Heard;
use serialport::{SerialPort, TTYPort};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A clock's end of a pty; the other end has a path that can be pulled out like a plug.
struct Plug {
    clock: TTYPort,
}

impl Plug {
    fn into(socket: &Path) -> Self {
        let (clock, port) = TTYPort::pair().expect("a pty");
        let name = port.name().expect("its name");
        // The daemon must find it free.
        drop(port);
        let _ = std::fs::remove_file(socket);
        symlink(name, socket).expect("a link");
        Self { clock }
    }

    fn say(&mut self, bytes: &[u8]) {
        self.clock.write_all(bytes).expect("the daemon listens");
    }
}

fn keep(rig: &Rig, path: &Path) -> tokio::task::JoinHandle<()> {
    let (feed, stop, path) = (rig.feed.clone(), rig.stop.clone(), path.to_owned());
    tokio::spawn(async move { serial::keep(path, false, &feed, &stop).await })
}

fn socket(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("port")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_is_read_in_both_encodings_and_answered_in_the_clocks_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plug = Plug::into(&socket(&folder));
    let mut rig = Rig::new();
    keep(&rig, &socket(&folder));
    let id = rig.up().await;
    plug.say(b"ets Jun  8 2016 00:22:57\r\n");
    plug.say(&line("A01", 1, Encoding::Json));
    plug.say(&line("A02", 1, Encoding::Binary));
    assert_eq!(rig.report().await, report("A01", 1));
    assert_eq!(rig.report().await, report("A02", 1));
    for (name, encoding) in [("A02", Encoding::Binary), ("A01", Encoding::Json)] {
        rig.command(id, name);
        let heard = tokio::task::block_in_place(|| {
            let mut lexer = Lexer::<1024>::new();
            let mut byte = [0];
            loop {
                plug.clock.read_exact(&mut byte).expect("a command");
                if let Some(item) = lexer.push(byte[0], &Accept::CHECKED) {
                    return item.expect("intact");
                }
            }
        });
        assert_eq!(heard.encoding, encoding);
        assert_eq!(heard.message, Message::Command(super::command(name)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unplugged_is_said_once_and_plugged_in_again_goes_on_in_the_same_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rig = Rig::new();
    keep(&rig, &socket(&folder));
    let (_, message) = rig.fault("port").await;
    assert!(message.contains("is not there"), "{message}");
    let mut first = None;
    for seq in 1..=3 {
        let mut plug = Plug::into(&socket(&folder));
        let id = rig.up().await;
        assert_eq!(*first.get_or_insert(id), id);
        plug.say(&line("A01", seq, Encoding::Json));
        assert_eq!(rig.report().await, report("A01", seq));
        let pulled = Instant::now();
        drop(plug);
        std::fs::remove_file(socket(&folder)).expect("pulled");
        assert!(matches!(rig.heard().await, Heard::LineDown { line, .. } if line == id));
        assert!(pulled.elapsed() < Duration::from_secs(2));
        let posted = rig.feed.lines.post(flagfall_hall::Send { line: id, command: super::command("A01") });
        assert_eq!(posted, crate::links::Posted::Down, "nothing is kept for a clock that is away");
        // Said once, however often it is tried.
        let (_, message) = rig.fault("port").await;
        assert!(message.contains("is not there"), "{message}");
    }
    let quiet = tokio::time::timeout(Duration::from_millis(1_500), rig.inputs.recv()).await;
    assert!(quiet.is_err(), "{quiet:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_held_by_another_program_is_said_and_taken_when_it_lets_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plug = Plug::into(&socket(&folder));
    let name = std::fs::canonicalize(socket(&folder)).expect("its path");
    let other = tokio_serial::new(name.to_string_lossy(), 9600).open_native().expect("free");
    let mut rig = Rig::new();
    keep(&rig, &socket(&folder));
    let (_, message) = rig.fault("port").await;
    assert!(message.contains("held by"), "{message}");
    drop(other);
    rig.up().await;
    plug.say(&line("A01", 1, Encoding::Json));
    rig.report().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_nobody_reads_holds_up_neither_its_own_clock_nor_the_hall() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plug = Plug::into(&socket(&folder));
    let mut rig = Rig::new();
    let task = keep(&rig, &socket(&folder));
    let id = rig.up().await;
    // Far more than a pty holds.
    for number in 1..=10_000 {
        let command = ClockCommand { command: number, ..super::command("A01") };
        rig.feed.lines.post(flagfall_hall::Send { line: id, command });
        tokio::task::yield_now().await;
    }
    plug.say(&line("A01", 5, Encoding::Json));
    assert_eq!(rig.report().await, report("A01", 5));
    let stopping = Instant::now();
    rig.stop.cancel();
    task.await.expect("ended");
    assert!(stopping.elapsed() < Duration::from_secs(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn noise_is_counted_said_once_and_nothing_bad_gets_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plug = Plug::into(&socket(&folder));
    let mut rig = Rig::new();
    keep(&rig, &socket(&folder));
    rig.up().await;
    plug.say(&line("A01", 1, Encoding::Json));
    for _ in 0..50 {
        plug.say(b"AT+GMM\r\n");
        let mut bent = line("A01", 2, Encoding::Json);
        bent[40] ^= 1;
        plug.say(&bent);
    }
    plug.say(&line("A01", 3, Encoding::Json));
    assert_eq!(rig.report().await.seq, 1);
    let (who, message) = rig.fault("malformed").await;
    assert_eq!(who, Some(clock("A01")));
    assert!(message.contains("port") && message.contains("A01"), "{message}");
    match rig.heard().await {
        Heard::Report { report, .. } => assert_eq!(report.seq, 3),
        other => panic!("{other:?}"),
    }
    assert!(rig.feed.metrics.page().contains(r#"flagfall_faults_total{kind="malformed"} 100"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn auto_finds_what_is_plugged_in_later_and_leaves_named_ports_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("usb-taken");
    let _taken = Plug::into(&taken);
    let named = BTreeSet::from([std::fs::canonicalize(&taken).expect("its path")]);
    let mut rig = Rig::new();
    let (feed, stop) = (rig.feed.clone(), rig.stop.clone());
    let places = auto::Places { by_id: folder.path().to_owned(), system: false };
    tokio::spawn(async move { auto::keep(places, &named, false, &feed, &stop).await });
    let mut plug = Plug::into(&folder.path().join("usb-clock"));
    rig.up().await;
    plug.say(&line("B07", 1, Encoding::Binary));
    assert_eq!(rig.report().await, report("B07", 1));
    assert!(rig.inputs.try_recv().is_err());
}
