//! The program `flagfall-sim conformance`: at the reference, and at a clock on a port in real time.

use super::bench::bench;
use super::{core, core_key};
use flagfall_clock::Encoding;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn conformance(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_flagfall-sim"));
    program.arg("conformance").args(arguments).output().unwrap()
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_reference_is_examined_and_what_is_skipped_is_said() {
    let output = conformance(&["--core"]);
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("skipped lines/unsealed: it has no key"), "{stdout}");
    assert!(stdout.lines().last().unwrap().contains(" 0 fail, 2 skipped"), "{stdout}");
    let output = conformance(&["--core", "--json", "--only", "starting/"]);
    let (stdout, _) = said(&output);
    for line in stdout.lines() {
        let said: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(said["verdict"] == "pass" || said["summary"]["fail"] == 0, "{line}");
    }
}

#[test]
fn what_cannot_be_is_said_with_its_own_code() {
    for (arguments, code, words) in [
        (&["--core", "--only", "nothing/of-this"][..], 64, "no case is called"),
        (&["--port", "/dev/nothing-of-this"], 69, "/dev/nothing-of-this"),
        (&["--core", "--key-file", "/nothing/of-this"], 74, "/nothing/of-this"),
        (&[], 64, "required"),
    ] {
        let output = conformance(arguments);
        let (_, stderr) = said(&output);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
}

/// With a jig whose power it switches, sealed, in frames: short cases of every sort.
#[test]
fn a_clock_on_a_port_is_examined_in_real_time() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, "07".repeat(32) + "\n").unwrap();
    let clock = bench(core(Encoding::Binary, Some(core_key())));
    let only = [
        "starting/key-starts",
        "pressing/moves",
        "flag/last-moment",
        "commands/once",
        "power/stopped",
        "lines/forged",
    ];
    let mut arguments =
        vec!["--port", &clock.port, "--hands", &clock.jig, "--key-file", key.to_str().unwrap()];
    arguments.extend(only.iter().flat_map(|only| ["--only", only]));
    // Too exact for this bench.
    arguments.extend(["--only", "pressing/spark"]);
    let output = conformance(&arguments);
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stdout}{stderr}");
    let passed = stdout.lines().filter(|line| line.starts_with("pass")).count();
    assert!(passed >= only.len(), "{stdout}");
    assert!(
        stdout.contains("skipped pressing/spark: needs exact hands, there are a jig's hands"),
        "{stdout}"
    );
}

#[test]
fn a_game_that_is_on_is_not_spoilt() {
    use flagfall_simulator::conformance::{Contact, Specimen};
    let mut playing = core(Encoding::Json, None);
    playing.hand(Contact::Stop, true).unwrap();
    playing.run_until(20_000).unwrap();
    let clock = bench(playing);
    let output = conformance(&["--port", &clock.port]);
    let (stdout, stderr) = said(&output);
    assert_eq!(output.status.code(), Some(69), "{stdout}{stderr}");
    assert!(stderr.contains("the clock has a game (left runs"), "{stderr}");
    // Nobody presses: what needs a hand is skipped.
    let output =
        conformance(&["--port", &clock.port, "--yes", "--only", "starting/start-b", "--only", "lines/half"]);
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(
        stdout.contains("skipped starting/start-button: needs a person's hands, there are no hands"),
        "{stdout}"
    );
}

/// A person who reads what he is asked for, and does it a little later.
fn person(asked: impl BufRead, mut terminal: impl Write, jig: &str) {
    let mut hands = TcpStream::connect(jig).unwrap();
    let mut answers = BufReader::new(hands.try_clone().unwrap());
    let mut say = |words: String| {
        writeln!(hands, "{words}").unwrap();
        answers.read_line(&mut String::new()).unwrap();
    };
    for line in asked.lines().map_while(Result::ok) {
        let Some(what) = line.trim().strip_prefix("> ") else { continue };
        let contact =
            ["left", "right", "stop", "key"].into_iter().find(|contact| what.contains(contact)).unwrap();
        if !what.starts_with("let go") {
            say(format!("{contact} down"));
        }
        if what.starts_with("press") {
            std::thread::sleep(Duration::from_millis(60));
        }
        if !what.starts_with("hold") {
            say(format!("{contact} up"));
        }
        if what.contains("Enter") {
            writeln!(terminal).unwrap();
        }
    }
}

#[test]
fn a_person_is_told_what_to_do() {
    let clock = bench(core(Encoding::Json, None));
    let only =
        ["starting/twice", "starting/key-starts", "pressing/goes-down", "flag/stays", "stopping/key-stops"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_flagfall-sim"))
        .args(["conformance", "--port", &clock.port, "--hands", "ask"])
        .args(only.iter().flat_map(|only| ["--only", only]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (asked, terminal) = (program.stderr.take().unwrap(), program.stdin.take().unwrap());
    person(BufReader::new(asked), terminal, &clock.jig);
    let output = program.wait_with_output().unwrap();
    let (stdout, _) = said(&output);
    assert!(output.status.success(), "{stdout}");
    assert!(stdout.contains("skipped pressing/goes-down-not-up: needs a jig's hands"), "{stdout}");
    assert!(stdout.contains("5 pass, 0 fail, 1 skipped"), "{stdout}");
}

/// All that is run by default where there is a jig: a quarter of an hour.
#[test]
#[ignore = "takes a quarter of an hour"]
fn a_clock_on_a_port_passes_all_that_is_run_by_default() {
    let clock = bench(core(Encoding::Json, None));
    let output = conformance(&["--port", &clock.port, "--hands", &clock.jig, "--both-encodings"]);
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stdout}{stderr}");
    println!("{stdout}");
}
