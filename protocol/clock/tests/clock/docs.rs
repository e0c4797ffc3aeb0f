//! The examples of the public page are messages.

use crate::any;
use flagfall_clock::{Accept, Encoding, Lexer, MAX_MESSAGE, Message, decode, decode_command, decode_report};
use std::path::Path;

/// The lines of the page's blocks of one kind; an indented line goes on the one before.
fn blocks(kind: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api/clocks.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (mut lines, mut inside): (Vec<String>, _) = (Vec::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside && line == format!("```{kind}");
        } else if inside {
            match (line.strip_prefix(' '), lines.last_mut()) {
                (Some(more), Some(last)) => last.push_str(more),
                _ => lines.push(line.to_owned()),
            }
        }
    }
    assert!(!lines.is_empty(), "no {kind} in the page");
    lines
}

#[test]
fn the_examples_of_the_contract_are_read() {
    let report = r#"{"clock":"A01","boot":3,"seq":118,"events":41,"uptime_ms":912345,"left_ms":2715000,"right_ms":2988123,"running":"right",
 "left_presses":4,"right_presses":3,"flag":null,"battery_pct":87,"event":{"type":"press","side":"left"}}"#;
    let report = decode_report(report.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap();
    assert_eq!((report.seq, report.left_ms, report.flag), (118, 2_715_000, Some(None)));
    let stop = r#"{"clock":"A01","command":17,"boot":3,"until_ms":915345,"do":{"type":"stop"}}"#;
    let stop = decode_command(stop.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap();
    assert_eq!((stop.command, stop.until_ms), (17, 915_345));
}

#[test]
fn every_example_of_the_page_is_a_message() {
    for line in blocks("json") {
        decode(line.as_bytes(), Encoding::Json, &Accept::UNCHECKED).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
}

#[test]
fn the_line_and_the_frame_of_the_page_are_one_report_and_prove_themselves() {
    let key = any::key();
    let mut messages: Vec<Message> = Vec::new();
    for line in blocks("text") {
        let (name, value) = line.split_once(' ').unwrap();
        let bytes: Vec<u8> = match name {
            "line" | "sealed" => format!("{value}\n").into_bytes(),
            "frame" => (0..value.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&value[at..at + 2], 16).unwrap())
                .collect(),
            _ => panic!("{line}"),
        };
        let accept = if name == "sealed" { Accept::sealed(&key) } else { Accept::CHECKED };
        messages
            .extend(Lexer::<1024>::new().next(&mut &bytes[..], &accept).map(|item| item.unwrap().message));
    }
    assert_eq!(messages.len(), 3);
    assert!(messages.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn the_page_states_the_longest_message() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api/clocks.md");
    assert!(std::fs::read_to_string(page).unwrap().contains(&format!("at most {MAX_MESSAGE} bytes")));
}
