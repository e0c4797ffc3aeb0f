//! The whole daemon in one process, spoken to from outside: a clock on a TCP line, desks over WebSocket and HTTP.

mod client;
mod desks;
mod journal;
mod web;

use super::{RunOptions, Running, start};
use crate::config::Config;
use client::Client;
use flagfall_clock::{Check, ClockEvent, ClockReport, Encoding, MAX_LINE, Side, line_report};
use sha2::{Digest, Sha256};
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

/// A folder with a configuration, and the clock's end of the line in it.
struct Venue {
    folder: tempfile::TempDir,
    clocks: TcpListener,
}

impl Venue {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let clocks = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let line = clocks.local_addr().expect("its address");
        let users: String = ["chief", "arbiter", "viewer"]
            .iter()
            .map(|role| {
                let hash =
                    Sha256::digest(format!("token of the {role}")).into_iter().map(|b| format!("{b:02x}"));
                let hash: String = hash.collect();
                format!("[[desk.user]]\nname = \"{role}\"\nrole = \"{role}\"\ntoken_sha256 = \"{hash}\"\n")
            })
            .collect();
        let text = format!(
            r#"
            [event]
            name = "a test"
            timezone = "Asia/Shanghai"
            [journal]
            path = "test.journal"
            [desk]
            listen = "127.0.0.1:0"
            {users}
            [[serial]]
            tcp = "{line}"
            [[round]]
            number = 1
            [[round.board]]
            board = "1"
            clock = "A01"
            first_side = "left"
            first = {{ name = "Red", team = "X" }}
            second = {{ name = "Black", team = "Y" }}
            "#
        );
        std::fs::write(folder.path().join("venue.toml"), text).expect("written");
        Self { folder, clocks }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("test.journal")
    }

    async fn open(&self) -> Running {
        let config = Config::load(&self.folder.path().join("venue.toml")).expect("a configuration");
        start(RunOptions { config, speed: 1 }).await.expect("a daemon")
    }

    /// The line as the clocks have it.
    async fn line(&self) -> TcpStream {
        self.clocks.accept().await.expect("the daemon dials").0
    }
}

async fn desk(daemon: &Running, role: &str, more: serde_json::Value) -> (Client, serde_json::Value) {
    Client::hello(daemon.desk(), role, more).await
}

/// Reports of a clock, one after the other.
struct Clock {
    report: ClockReport,
}

impl Clock {
    fn new(name: &str) -> Self {
        let report = ClockReport {
            clock: name.parse().expect("a clock"),
            boot: 1,
            seq: 0,
            events: Some(0),
            uptime_ms: 10_000,
            left_ms: 3_000_000,
            right_ms: 3_000_000,
            running: None,
            left_presses: 0,
            right_presses: 0,
            flag: Some(None),
            stopped_by: None,
            battery_pct: None,
            periods: None,
            event: None,
        };
        Self { report }
    }

    async fn say(&mut self, line: &mut TcpStream, event: Option<ClockEvent>) {
        self.report.seq += 1;
        self.report.uptime_ms += 1_000;
        self.report.events = self.report.events.map(|events| events + u32::from(event.is_some()));
        self.report.event = event;
        let mut bytes = [0; MAX_LINE];
        let count = line_report(&self.report, Encoding::Json, Check::Crc, &mut bytes).expect("a report");
        line.write_all(&bytes[..count]).await.expect("said");
    }

    async fn ready(&mut self, line: &mut TcpStream) {
        self.say(line, Some(ClockEvent::Ready { side: Side::Left })).await;
    }
}

/// A request by plain HTTP: the status line and all the rest.
async fn http(address: SocketAddr, path: &str, headers: &str) -> (u16, String) {
    use tokio::io::AsyncReadExt;
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}
