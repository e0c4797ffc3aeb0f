//! The golden vectors: what is written down is what is read and written.
//!
//! The `json` lines are written by hand; `FLAGFALL_WRITE_VECTORS=1` computes the others from them.
//! A change of any line is a change of the wire format.

use crate::any;
use flagfall_clock::{Accept, Can, Check, Encoding, Lexer, Message, decode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FORMS: [&str; 4] = ["crc", "seal", "frame", "sealed"];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
}

struct Vector {
    name: String,
    json: String,
    /// In the order of `FORMS`.
    forms: [String; 4],
}

fn vectors(name: &str) -> Vec<Vector> {
    let text = std::fs::read_to_string(file(name)).unwrap();
    let mut vectors: Vec<Vector> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (field, value) = line.split_once(' ').unwrap_or_else(|| panic!("{name}: {line}"));
        if field == "name" {
            vectors.push(Vector { name: value.to_owned(), json: String::new(), forms: Default::default() });
            continue;
        }
        let vector = vectors.last_mut().unwrap();
        match FORMS.iter().position(|form| *form == field) {
            Some(form) => vector.forms[form] = value.to_owned(),
            None if field == "json" => vector.json = value.to_owned(),
            None => panic!("{name}: unknown field {field}"),
        }
    }
    vectors
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn message(json: &str) -> Message {
    decode(json.as_bytes(), Encoding::Json, &Accept::UNCHECKED)
        .unwrap_or_else(|e| panic!("{json}: {e}"))
        .message
}

fn forms(message: &Message) -> [String; 4] {
    let key = any::key();
    let text = |check| String::from_utf8(any::payload(message, Encoding::Json, check)).unwrap();
    let frame = |check| hex(&any::payload(message, Encoding::Binary, check));
    [text(Check::Crc), text(Check::Seal(&key)), frame(Check::Crc), frame(Check::Seal(&key))]
}

fn write(name: &str) {
    let text = std::fs::read_to_string(file(name)).unwrap();
    let comment: String =
        text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let mut out = comment;
    for vector in vectors(name) {
        out += &format!("\nname {}\njson {}\n", vector.name, vector.json);
        for (form, value) in FORMS.iter().zip(forms(&message(&vector.json))) {
            out += &format!("{form} {value}\n");
        }
    }
    std::fs::write(file(name), out).unwrap();
}

fn hold(name: &str) {
    if std::env::var_os("FLAGFALL_WRITE_VECTORS").is_some() {
        write(name);
    }
    let key = any::key();
    for Vector { name, json, forms: written } in vectors(name) {
        let message = message(&json);
        let plain = any::payload(&message, Encoding::Json, Check::None);
        assert_eq!(String::from_utf8(plain).unwrap(), json, "{name}");
        assert_eq!(forms(&message), written, "{name}");
        let [crc, seal, frame, sealed] = &written;
        let as_text = |line: &str, accept: &Accept<'_>| {
            decode(line.as_bytes(), Encoding::Json, accept).unwrap().message
        };
        let as_frame =
            |line: &str, accept: &Accept<'_>| decode(&bytes(line), Encoding::Binary, accept).unwrap().message;
        assert_eq!(as_text(crc, &Accept::CHECKED), message, "{name}");
        assert_eq!(as_text(seal, &Accept::sealed(&key)), message, "{name}");
        assert_eq!(as_frame(frame, &Accept::CHECKED), message, "{name}");
        assert_eq!(as_frame(sealed, &Accept::sealed(&key)), message, "{name}");
    }
}

#[test]
fn every_report_in_the_file_is_read_and_written_as_it_stands() {
    hold("reports.txt");
}

#[test]
fn every_command_in_the_file_is_read_and_written_as_it_stands() {
    hold("commands.txt");
}

#[test]
fn the_files_hold_every_event_and_every_command() {
    let events: BTreeSet<String> = vectors("reports.txt")
        .iter()
        .map(|vector| match message(&vector.json) {
            Message::Report(report) => report.event.map_or("status", |event| event.name()).to_owned(),
            Message::Command(_) => panic!("a command among the reports"),
        })
        .collect();
    let wanted = [
        "about",
        "adjust",
        "battery_low",
        "boot",
        "done",
        "flag",
        "ignored_press",
        "ignored_stop",
        "over",
        "period",
        "press",
        "ready",
        "reset",
        "resume",
        "start",
        "status",
        "stop",
        "unknown",
    ];
    assert_eq!(events.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    let commands: BTreeSet<String> = vectors("commands.txt")
        .iter()
        .map(|vector| match message(&vector.json) {
            Message::Command(command) => command.action.name().to_owned(),
            Message::Report(_) => panic!("a report among the commands"),
        })
        .collect();
    let wanted: BTreeSet<String> = Can::ALL.names().chain(["ack", "unknown"]).map(str::to_owned).collect();
    assert_eq!(commands, wanted);
}

#[test]
fn the_vectors_on_one_line_are_all_read() {
    let (mut line, mut count) = (Vec::new(), 0);
    for vector in vectors("reports.txt").into_iter().chain(vectors("commands.txt")) {
        line.extend(vector.forms[0].bytes());
        line.push(b'\n');
        line.extend(bytes(&vector.forms[2]));
        line.push(0);
        count += 2;
    }
    let (mut lexer, mut input) = (Lexer::<1024>::new(), &line[..]);
    while lexer.next(&mut input, &Accept::CHECKED).is_some() {}
    assert_eq!((lexer.counters().messages, lexer.counters().errors()), (count, 0));
}
