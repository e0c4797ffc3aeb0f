//! Full and read-only disks: real ones, where this process may mount a tmpfs; else said and skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use flagfall_journal::{AppendError, Journal, OpenError, Options, Outcome, Writer, verify};

use crate::{BEGIN, all, beside, create, folder, image, input};

/// A tmpfs of its own, unmounted when dropped.
struct Disk {
    at: PathBuf,
    _dir: tempfile::TempDir,
}

fn run(command: &str, args: &[&str]) -> bool {
    let status = Command::new(command).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

impl Disk {
    fn mounted(options: &str) -> Option<Disk> {
        let dir = folder();
        let at = dir.path().join("disk");
        fs::create_dir(&at).expect("a folder");
        if !run("mount", &["-t", "tmpfs", "-o", options, "tmpfs", at.to_str()?]) {
            eprintln!("skipped: this process may not mount a tmpfs");
            return None;
        }
        Some(Disk { at, _dir: dir })
    }

    fn remount(&self, how: &str) {
        assert!(
            run("mount", &["-o", &format!("remount,{how}"), self.at.to_str().expect("utf-8")]),
            "remount {how}"
        );
    }

    fn path(&self) -> PathBuf {
        self.at.join("j")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run("umount", &["-l", self.at.to_str().unwrap_or_default()]);
    }
}

fn fill(path: &Path, bytes: usize) {
    fs::write(path, vec![1; bytes]).expect("filled");
}

#[test]
fn on_a_full_disk_nothing_is_half_written_and_it_goes_on_when_there_is_room() {
    let Some(disk) = Disk::mounted("size=3m") else { return };
    fill(&disk.at.join("ballast"), 1 << 20);
    let mut journal = create(&disk.path());
    let body = format!("\"{}\"", "x".repeat(1000));
    let mut last = 2;
    let error = loop {
        match journal.append(&vec![input(1, body.clone()); 20]) {
            Ok(n) => last = n,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, AppendError::DiskFull { .. }), "{error}");
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(journal.head().n, last);
    assert_eq!(all(&journal).len() as u64, last);
    fs::remove_file(disk.at.join("ballast")).expect("room");
    assert_eq!(journal.append(&vec![input(1, body); 20]).expect("appended"), last + 20);
    journal.close().expect("closed");
    assert_eq!(verify(disk.path()).expect("whole").records, last + 20);
}

#[test]
fn the_writer_waits_out_a_full_disk() {
    let Some(disk) = Disk::mounted("size=3m") else { return };
    fill(&disk.at.join("ballast"), 1 << 20);
    let (tell, told) = mpsc::channel();
    let (mut handle, thread) =
        Writer::spawn(create(&disk.path()), 10, move |outcome| tell.send(outcome).expect("heard"))
            .expect("a thread");
    let body = format!("\"{}\"", "x".repeat(1000));
    let mut sent = 2;
    'full: loop {
        match handle.try_send(vec![input(1, body.clone()); 20]) {
            Ok(n) => sent = n,
            Err(error) => assert!(matches!(error, flagfall_journal::SendError::Full(_)), "{error}"),
        }
        while let Ok(outcome) = told.try_recv() {
            if let Outcome::Failing { error } = outcome {
                assert!(matches!(error, AppendError::DiskFull { .. }), "{error}");
                break 'full;
            }
        }
    }
    fs::remove_file(disk.at.join("ballast")).expect("room");
    let mut recovered = 0;
    loop {
        match told.recv().expect("told") {
            Outcome::Durable { n, .. } if n == sent => break,
            Outcome::Durable { .. } => {}
            Outcome::Recovered => recovered += 1,
            Outcome::Failing { error } => panic!("{error}"),
        }
    }
    assert_eq!(recovered, 1);
    drop(handle);
    assert!(thread.join().expect("ended").unwritten.is_empty());
    assert_eq!(verify(disk.path()).expect("whole").records, sent);
}

#[test]
fn no_room_for_a_journal_is_said_and_leaves_none() {
    let Some(disk) = Disk::mounted("size=256k") else { return };
    fill(&disk.at.join("ballast"), 232 << 10);
    let error = Journal::create(disk.path(), BEGIN, Options::default()).expect_err("full");
    assert!(matches!(error, OpenError::DiskFull { .. }), "{error}");
    let mut left: Vec<_> =
        fs::read_dir(&disk.at).expect("listed").map(|e| e.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["ballast", "j.lock"]);
    fs::remove_file(disk.at.join("ballast")).expect("room");
    create(&disk.path());
}

#[test]
fn a_read_only_disk_can_be_verified_and_not_written() {
    let Some(disk) = Disk::mounted("size=3m") else { return };
    let mut journal = create(&disk.path());
    journal.append(&[input(1, "1"), input(2, "2")]).expect("appended");
    let copy = disk.at.join("copy");
    image(&disk.path(), &copy);
    journal.close().expect("closed");
    disk.remount("ro");
    assert_eq!(verify(disk.path()).expect("whole").records, 4);
    for tried in [
        Journal::open(disk.path(), Options::default()),
        Journal::open_or_create(disk.path(), BEGIN, Options::default()),
        Journal::create(disk.at.join("other"), BEGIN, Options::default()),
    ] {
        match tried {
            Err(error @ OpenError::Permission { .. }) => {
                assert!(error.to_string().contains(disk.at.to_str().expect("utf-8")), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(beside(&copy, "-wal").exists());
    match verify(&copy) {
        Err(flagfall_journal::VerifyError::Open(error @ OpenError::WalUnreadable { .. })) => {
            assert!(error.to_string().contains("copy both"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    disk.remount("rw");
    assert_eq!(verify(&copy).expect("whole").records, 4);
}

#[test]
fn a_folder_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let locked = dir.path().join("locked");
    fs::create_dir(&locked).expect("a folder");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("locked");
    if fs::write(locked.join("probe"), "").is_ok() {
        eprintln!("skipped: permissions do not bind this user");
        return;
    }
    let error = Journal::create(locked.join("j"), BEGIN, Options::default()).expect_err("no permission");
    assert!(matches!(error, OpenError::Permission { .. }), "{error}");
}
