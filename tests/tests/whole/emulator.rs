//! The emulated board itself, with programs that are only as long as the question.

use flagfall_tests::pico::live::Live;
use flagfall_tests::pico::{self, Contact, Display, Happened, Options, Pico, Shown};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One of the emulator's own test programs, as a file.
fn program(name: &str, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{name}.elf"));
    let writer = pico::folder().join("tests/write.mjs");
    let ended = Command::new("node").arg(writer).arg(name).arg(&path).status().expect("node starts");
    assert!(ended.success());
    path
}

#[test]
fn its_own_tests_pass() {
    let folder = pico::folder();
    let ended =
        Command::new("npm").args(["--silent", "test"]).current_dir(folder).output().expect("npm starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[test]
fn a_board_in_lock_step_does_what_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pico = Pico::start(&program("edges", folder.path()), &Options::default());
    assert_eq!(pico.run(2_000), []);
    pico.press(Contact::Left, true);
    let light = Happened::Out { us: 2_000, name: "light_left".into(), on: true };
    assert_eq!(pico.run(3_000), [light]);
    assert_eq!(pico.symbol("STAMP"), 2_000);
    assert_eq!(pico.display(), Shown::Oled(vec![0; 1024]));
    pico.feed(b"a");
    assert_eq!(pico.run(4_000), [Happened::Lost(1)]);
    pico.cut(1);
    pico.power();
    let light = Happened::Out { us: 4_000, name: "light_left".into(), on: false };
    assert_eq!(pico.run(9_000), [light]);
    assert_eq!(pico.now(), 9_000);
}

#[test]
fn digits_are_split_where_the_modules_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options { display: Display::Digits, ..Options::default() };
    let mut pico = Pico::start(&program("stack", folder.path()), &options);
    pico.run(100);
    assert_eq!(pico.display(), Shown::Digits { left: " ".repeat(8), right: " ".repeat(8) });
    assert_eq!(pico.stack(), 160);
}

#[test]
fn the_flash_of_one_board_is_that_of_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = folder.path().join("flash");
    let mut first = Pico::start(&program("flash", folder.path()), &Options::default());
    first.run(50_000);
    first.flash(&image);
    let options = Options { flash: Some(image), ..Options::default() };
    let mut second = Pico::start(&program("flash-again", folder.path()), &options);
    let why = second.try_run(50_000).expect_err("it wants to set bits");
    assert!(why.starts_with("flash_range_program wants to set bits"), "{why}");
}

#[test]
fn a_board_in_real_time_is_a_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("clock");
    let mut live = Live::start(&program("echo", folder.path()), &Options::default(), &path);
    let mut port = serialport::new(path.to_str().expect("a path"), 115_200).open_native().expect("a port");
    serialport::SerialPort::set_timeout(&mut port, Duration::from_secs(10)).expect("a timeout");
    let sent: Vec<u8> = (0..200).collect();
    port.write_all(&sent).expect("it is plugged in");
    let mut back = vec![0; sent.len()];
    port.read_exact(&mut back).expect("all comes back");
    assert_eq!(back, sent);
    live.cut(1);
    assert_eq!(live.happened(), []);
}
