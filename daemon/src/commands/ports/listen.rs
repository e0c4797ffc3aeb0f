//! What answers at a port, heard for a while. Opens the port, sends nothing.

use flagfall_clock::{Accept, Checked, ClockId, Counters, Encoding, Lexer, Message};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// What was heard at a port.
#[derive(Debug, Default)]
pub(super) struct Heard {
    clocks: BTreeMap<ClockId, Voice>,
    bytes: u64,
    counters: Counters,
    ended: Option<String>,
}

/// How a clock was heard.
#[derive(Clone, Copy, Debug)]
struct Voice {
    reports: u64,
    encoding: Encoding,
    least: Checked,
}

/// All ports at once, each by a thread of its own.
pub(super) fn all(ports: &[PathBuf], during: Duration) -> Vec<(PathBuf, Heard)> {
    let threads: Vec<_> = ports
        .iter()
        .map(|path| {
            let own = path.clone();
            (path.clone(), thread::spawn(move || port(&own, during)))
        })
        .collect();
    let join = |(path, thread): (PathBuf, thread::JoinHandle<Heard>)| {
        let heard =
            thread.join().unwrap_or_else(|_| Heard { ended: Some("broke off".into()), ..Heard::default() });
        (path, heard)
    };
    threads.into_iter().map(join).collect()
}

fn port(path: &Path, during: Duration) -> Heard {
    let until = Instant::now() + during;
    let builder = serialport::new(path.to_string_lossy(), 115_200).timeout(Duration::from_millis(100));
    match builder.open_native() {
        Ok(mut port) => read(&mut port, || Instant::now() < until),
        Err(error) => Heard { ended: Some(format!("cannot be opened: {error}")), ..Heard::default() },
    }
}

/// Reads until `go_on` says no, or nothing more can come.
fn read(from: &mut impl Read, mut go_on: impl FnMut() -> bool) -> Heard {
    let mut heard = Heard::default();
    let mut lexer: Lexer = Lexer::new();
    let mut buffer = [0; 512];
    while go_on() {
        match from.read(&mut buffer) {
            Ok(0) => {
                heard.ended = Some("hung up".into());
                break;
            }
            Ok(length) => {
                heard.bytes += length as u64;
                let mut input = &buffer[..length];
                while !input.is_empty() {
                    if let Some(Ok(received)) = lexer.next(&mut input, &Accept::UNCHECKED)
                        && let Message::Report(report) = received.message
                    {
                        let first =
                            Voice { reports: 0, encoding: received.encoding, least: received.checked };
                        let voice = heard.clocks.entry(report.clock).or_insert(first);
                        voice.reports += 1;
                        voice.encoding = received.encoding;
                        voice.least = voice.least.min(received.checked);
                    }
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => {}
            Err(error) => {
                heard.ended = Some(format!("cannot be read: {error}"));
                break;
            }
        }
    }
    heard.counters = *lexer.counters();
    heard
}

impl Heard {
    /// In words, a fact a line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (clock, voice) in &self.clocks {
            let encoding = match voice.encoding {
                Encoding::Json => "JSON",
                Encoding::Binary => "frames",
            };
            let checked = match voice.least {
                Checked::Not => ", without checksum: wants `unchecked_lines = true`",
                Checked::Crc | Checked::Seal => "",
            };
            let (reports, s) = (voice.reports, if voice.reports == 1 { "" } else { "s" });
            lines.push(format!("clock {clock}: {reports} report{s}, {encoding}{checked}"));
        }
        let errors = self.counters.errors();
        if errors > 0 {
            lines.push(format!("{errors} pieces of {} bytes were no message", self.bytes));
        }
        if self.clocks.is_empty() && errors > 0 {
            lines.push(
                "something speaks here, and it is no clock of ours: another baud rate or protocol".into(),
            );
        } else if self.clocks.is_empty() && self.bytes > 0 {
            lines.push(format!("{} bytes and no whole message", self.bytes));
        } else if self.bytes == 0 && self.ended.is_none() {
            lines.push(
                "silence; a clock without a name says nothing unasked: `flagfall clock ask --port` asks it"
                    .into(),
            );
        }
        lines.extend(self.ended.clone());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"clock":"A01","boot":3,"seq":118,"uptime_ms":912345,"left_ms":2715000,"right_ms":2988123,"running":"right","left_presses":4,"right_presses":3}"#;

    fn hear(text: &str) -> Vec<String> {
        read(&mut text.as_bytes(), || true).lines()
    }

    #[test]
    fn a_clock_is_named_with_how_it_speaks() {
        let once = format!("{REPORT}\n");
        assert_eq!(
            hear(&once),
            ["clock A01: 1 report, JSON, without checksum: wants `unchecked_lines = true`", "hung up"]
        );
        let body = &REPORT[..REPORT.len() - 1];
        let crc = flagfall_clock::crc32(body.as_bytes());
        let checked = format!("{body},\"crc\":\"{crc:08x}\"}}\n");
        assert_eq!(hear(&checked.repeat(2)), ["clock A01: 2 reports, JSON", "hung up"]);
    }

    #[test]
    fn noise_and_silence_are_told_apart() {
        assert!(hear("AT\r\nAT\r\n").iter().any(|line| line.contains("no clock of ours")));
        let silent = read(&mut io::empty(), || false);
        assert!(silent.lines()[0].starts_with("silence; "), "{:?}", silent.lines());
    }

    #[test]
    fn a_port_that_cannot_be_opened_says_why() {
        let heard = all(&["/dev/no-such-port".into()], Duration::from_secs(1));
        assert!(heard[0].1.lines()[0].starts_with("cannot be opened:"));
    }
}
