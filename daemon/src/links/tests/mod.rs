//! Lines against real ptys, sockets and a real broker.

mod broker;
mod bytes;
mod ports;

use super::{Feed, Input, Keyring, Lines};
use crate::metrics::Metrics;
use flagfall_clock::{
    Action, Check, ClockCommand, ClockEvent, ClockId, ClockReport, Encoding, MAX_LINE, Side, line_report,
};
use flagfall_hall::{Heard, LineId, Send};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What a line under test hangs on.
struct Rig {
    feed: Feed,
    inputs: mpsc::Receiver<Input>,
    stop: CancellationToken,
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Rig {
    fn new() -> Self {
        Self::with_keys(Keyring::default())
    }

    fn with_keys(keys: Keyring) -> Self {
        let (sender, inputs) = mpsc::channel(1024);
        let feed =
            Feed { inputs: sender, lines: Lines::default(), keys: Arc::new(keys), metrics: Metrics::new() };
        Self { feed, inputs, stop: CancellationToken::new() }
    }

    /// What is heard next; panics where nothing is for ten seconds.
    async fn input(&mut self) -> Input {
        let next = tokio::time::timeout(Duration::from_secs(10), self.inputs.recv()).await;
        next.expect("something is heard").expect("the line lives")
    }

    async fn heard(&mut self) -> Heard {
        self.input().await.heard
    }

    /// The next report; what else is heard meanwhile is passed over.
    async fn report(&mut self) -> ClockReport {
        loop {
            if let Heard::Report { report, .. } = self.heard().await {
                return report;
            }
        }
    }

    async fn up(&mut self) -> LineId {
        loop {
            match self.heard().await {
                Heard::LineUp { line, .. } => return line,
                Heard::Fault { message, .. } => println!("{message}"),
                other => panic!("{other:?} before the line is up"),
            }
        }
    }

    /// The next fault of this kind.
    async fn fault(&mut self, wanted: &str) -> (Option<ClockId>, String) {
        loop {
            if let Heard::Fault { clock, kind, message } = self.heard().await
                && kind == wanted
            {
                return (clock, message);
            }
        }
    }

    fn command(&self, line: LineId, name: &str) {
        let posted = self.feed.lines.post(Send { line, command: command(name) });
        assert_eq!(posted, super::Posted::Queued);
    }
}

fn clock(name: &str) -> ClockId {
    name.parse().expect("a clock's name")
}

fn command(name: &str) -> ClockCommand {
    ClockCommand { clock: clock(name), command: 7, boot: 3, until_ms: 99_000, action: Action::Stop }
}

fn report(name: &str, seq: u32) -> ClockReport {
    ClockReport {
        clock: clock(name),
        boot: 3,
        seq,
        events: Some(seq),
        uptime_ms: 1_000 * u64::from(seq),
        left_ms: 3_000_000,
        right_ms: 3_000_000,
        running: Some(Side::Left),
        left_presses: 0,
        right_presses: seq,
        flag: Some(None),
        stopped_by: None,
        battery_pct: None,
        periods: None,
        event: Some(ClockEvent::Press { side: Side::Right }),
    }
}

/// A report as it comes over a byte line.
fn line(name: &str, seq: u32, encoding: Encoding) -> Vec<u8> {
    let mut bytes = vec![0; MAX_LINE];
    let count = line_report(&report(name, seq), encoding, Check::Crc, &mut bytes).expect("a report");
    bytes.truncate(count);
    bytes
}
