//! Lines of bytes: JSON with a checksum, or binary frames.

use crate::clock::{Clock, Said};
use flagfall_clock::{Accept, Check, Encoding, Lexer, MAX_LINE, Message, decode, encode_command, line_report};
use serde_json::Value;

/// How a clock speaks on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// JSON Lines, `crc` last.
    Json,
    /// Frames.
    Binary,
}

/// CRC-32 as zlib has it.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// A report as it goes over a line.
///
/// # Panics
/// If it is no report.
#[must_use]
pub fn written(said: &Said, speech: Speech) -> Vec<u8> {
    match speech {
        Speech::Json => {
            let open = said.json.strip_suffix('}').expect("an object");
            format!("{open},\"crc\":\"{:08x}\"}}\n", crc32(open.as_bytes())).into_bytes()
        }
        Speech::Binary => {
            let received = decode(said.json.as_bytes(), Encoding::Json, &Accept::UNCHECKED).expect("a report");
            let Message::Report(report) = received.message else { panic!("a report: {}", said.json) };
            let mut line = vec![0; MAX_LINE];
            let count = line_report(&report, Encoding::Binary, Check::Crc, &mut line).expect("a frame");
            line.truncate(count);
            line
        }
    }
}

/// Reads commands off a line.
#[derive(Debug)]
pub struct Ear {
    speech: Speech,
    line: Vec<u8>,
    lexer: Lexer,
}

impl Ear {
    /// For a clock that speaks so; it is answered alike.
    #[must_use]
    pub fn new(speech: Speech) -> Self {
        Self { speech, line: Vec::new(), lexer: Lexer::new() }
    }

    /// Bytes came. Whole commands for this clock go to it.
    pub fn hear(&mut self, bytes: &[u8], clock: &Clock) {
        match self.speech {
            Speech::Json => {
                for byte in bytes {
                    if *byte != b'\n' {
                        self.line.push(*byte);
                        continue;
                    }
                    let line = std::mem::take(&mut self.line);
                    if let Some(command) = checked(&line) {
                        pass(&command, clock);
                    }
                }
            }
            Speech::Binary => {
                let mut rest = bytes;
                while let Some(next) = self.lexer.next(&mut rest, &Accept::CHECKED) {
                    let Ok(received) = next else { continue };
                    let Message::Command(command) = received.message else { continue };
                    let mut json = vec![0; MAX_LINE];
                    let count = encode_command(&command, Encoding::Json, Check::None, &mut json).expect("a command");
                    pass(&serde_json::from_slice(&json[..count]).expect("json"), clock);
                }
            }
        }
    }
}

fn pass(command: &Value, clock: &Clock) {
    if command["clock"] == clock.name().as_str() {
        clock.tell(command);
    }
}

/// The message of a line whose checksum is right.
fn checked(line: &[u8]) -> Option<Value> {
    let line = std::str::from_utf8(line).ok()?.trim_end_matches('\r');
    let (open, crc) = line.rsplit_once(",\"crc\":\"")?;
    let crc = u32::from_str_radix(crc.strip_suffix("\"}")?, 16).ok()?;
    (crc32(open.as_bytes()) == crc).then(|| serde_json::from_str(line).ok()).flatten()
}
