//! A clock that knows nothing but `{"provision":...}`, on a line, written from docs/hardware/flashing.md; and what is none.

use flagfall_tests::lines::crc32;
use flagfall_tests::program::{Ended, flagfall};
use serde_json::{Value, json};
use serialport::{SerialPort, TTYPort};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How what hangs on the line behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Well,
    /// Says nothing.
    Silent,
    /// A modem.
    Modem,
    /// TX and RX are joined.
    Joined,
    /// Its memory keeps nothing.
    Forgetful,
    /// Takes its name, and the answer to that is lost.
    Mumbling,
    /// What it was given does not come in, but questions do.
    HardOfHearing,
    /// Its crystal is fast by 400 ppm.
    Fast,
}

struct Clock {
    manner: Manner,
    on: Instant,
    identity: Value,
    lines: Vec<String>,
}

impl Clock {
    /// What it says to a line.
    fn hear(&mut self, line: &str) -> String {
        self.lines.push(line.to_owned());
        match self.manner {
            Manner::Silent => return String::new(),
            Manner::Modem => return "\r\nERROR\r\n".into(),
            Manner::Joined => return format!("{line}\n"),
            _ => {}
        }
        let said: Value = serde_json::from_str(line).expect("lines of JSON");
        let body = line.rsplit_once(",\"crc\":").expect("a check").0;
        assert_eq!(said["crc"], format!("{:08x}", crc32(body.as_bytes())), "{line}");
        let given = said["provision"].as_object().expect("nothing but provisioning");
        if !given.is_empty() {
            if self.manner == Manner::Forgetful {
                return checked(r#"{"provisioned":{"error":"memory"}"#);
            }
            if self.manner == Manner::HardOfHearing {
                return String::new();
            }
            if self.identity != Value::Null {
                return checked(r#"{"provisioned":{"error":"already"}"#);
            }
            self.identity = said["provision"].clone();
            if self.manner == Manner::Mumbling {
                return "{\"provisi\u{fffd}\n".into();
            }
        }
        let mut us = self.on.elapsed().as_micros();
        if self.manner == Manner::Fast {
            us += us * 400 / 1_000_000;
        }
        let of = |member: &str, otherwise: Value| match &self.identity[member] {
            Value::Null => otherwise,
            said => said.clone(),
        };
        let state = json!({
            "clock": self.identity["clock"], "sealed": self.identity["key"] != Value::Null,
            "encoding": of("encoding", "json".into()), "trim_ppm": of("trim_ppm", 0.into()),
            "sound": of("sound", false.into()), "uptime_us": us as u64, "firmware": "model 1",
        });
        checked(&format!("{{\"provisioned\":{state}"))
    }
}

fn checked(body: &str) -> String {
    format!("{body},\"crc\":\"{:08x}\"}}\n", crc32(body.as_bytes()))
}

/// Lends the clock its ears and its voice until the line ends.
fn answer(clock: &Mutex<Clock>, line: &mut (impl Read + Write), go_on: impl Fn() -> bool) {
    let (mut piece, mut byte) = (Vec::new(), [0; 256]);
    while go_on() {
        let Ok(count) = line.read(&mut byte) else {
            // Nobody has opened the other end yet.
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        for byte in &byte[..count] {
            if *byte != b'\n' {
                piece.push(*byte);
                continue;
            }
            let text = String::from_utf8(std::mem::take(&mut piece)).expect("text");
            if !text.is_empty() {
                let said = clock.lock().expect("no test broke it").hear(&text);
                let _ = line.write_all(said.as_bytes());
            }
        }
    }
}

/// A line with the clock on it.
pub(super) struct Plugged {
    clock: Arc<Mutex<Clock>>,
    pub(super) port: String,
    folder: tempfile::TempDir,
    thread: Option<JoinHandle<()>>,
    pulled: Arc<Mutex<bool>>,
}

impl Drop for Plugged {
    fn drop(&mut self) {
        *self.pulled.lock().expect("no test broke it") = true;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

const PAUSE: Duration = Duration::from_millis(10);

pub(super) fn plug(manner: Manner, tcp: bool) -> Plugged {
    let clock = Clock { manner, on: Instant::now(), identity: Value::Null, lines: Vec::new() };
    let clock = Arc::new(Mutex::new(clock));
    let folder = tempfile::tempdir().expect("a folder");
    let pulled = Arc::new(Mutex::new(false));
    let (own, stop) = (Arc::clone(&clock), Arc::clone(&pulled));
    let go_on = move || !*stop.lock().expect("no test broke it");
    let (port, thread) = if tcp {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
        let port = format!("tcp:{}", listener.local_addr().expect("an address"));
        let thread = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("the tool comes");
            stream.set_read_timeout(Some(PAUSE)).expect("a timeout");
            answer(&own, &mut stream, go_on);
        });
        (port, thread)
    } else {
        let (mut master, slave) = TTYPort::pair().expect("a pseudo terminal");
        let name = slave.name().expect("it has a name");
        let path = folder.path().join("clock");
        std::os::unix::fs::symlink(&name, &path).expect("a name");
        // The tool takes the port for itself alone.
        drop(slave);
        master.set_timeout(PAUSE).expect("a timeout");
        let thread = std::thread::spawn(move || answer(&own, &mut master, go_on));
        (path.to_str().expect("a path").to_owned(), thread)
    };
    Plugged { clock, port, folder, thread: Some(thread), pulled }
}

impl Plugged {
    /// Runs the tool at its port.
    pub(super) fn tool(&self, arguments: &[&str]) -> Ended {
        let (verb, rest) = arguments.split_first().expect("what to do");
        flagfall(&[&["clock", verb, "--port", &self.port], rest].concat())
    }

    /// A path beside it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What it was given.
    pub(super) fn identity(&self) -> Value {
        self.clock.lock().expect("no test broke it").identity.clone()
    }

    /// What was said to it.
    pub(super) fn lines(&self) -> Vec<String> {
        self.clock.lock().expect("no test broke it").lines.clone()
    }
}
