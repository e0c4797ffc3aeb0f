//! The lines from clocks to the daemon, whatever they are made of.
//!
//! Each has a queue of its own and says what happens when it is full: a clock's message is lost, as on a real line, and
//! the daemon asks for it again.

use crate::chance::Chance;
use flagfall_clock::{
    Accept, Check, ClockCommand, ClockId, ClockReport, Encoding, Lexer, MAX_LINE, Message, line_report,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Messages that wait for a line.
const QUEUE: usize = 512;

/// What the lines are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A pseudo terminal for each clock; `DIR/<clock>` leads to it.
    Pty(PathBuf),
    /// One TCP server, `host:port`, that carries all clocks behind a hub.
    Tcp(String),
    /// A TCP server for each clock, from `host:port` upwards.
    TcpEach(String),
    /// A broker: `mqtt://[user:password@]host[:port]`.
    Mqtt(String),
}

/// How clocks write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encodings {
    /// All JSON.
    Json,
    /// All binary.
    Binary,
    /// Some this, some that, by the seed.
    #[default]
    Mixed,
}

impl Encodings {
    /// How this clock writes.
    #[must_use]
    pub fn of(self, clock: ClockId, seed: u64) -> Encoding {
        match self {
            Self::Json => Encoding::Json,
            Self::Binary => Encoding::Binary,
            Self::Mixed if Chance::new(seed, clock.as_str(), &[]).below(2) == 0 => Encoding::Json,
            Self::Mixed => Encoding::Binary,
        }
    }
}

/// What a line is told.
#[derive(Clone, Debug, PartialEq)]
pub enum LineWord {
    /// The clock says this.
    Report(Box<ClockReport>),
    /// Its plug is pulled.
    Unplug,
    /// It is plugged in again.
    Plug,
}

/// Why lines cannot be laid.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// No pseudo terminal.
    #[error("no pseudo terminal for clock {clock}: {why}")]
    Pty {
        /// For which clock.
        clock: ClockId,
        /// Why.
        why: String,
    },
    /// No server.
    #[error("no server on {address}: {why}")]
    Tcp {
        /// Where.
        address: String,
        /// Why.
        why: String,
    },
    /// The broker's address cannot be read.
    #[error("`{0}` is no address of a broker; write it as mqtt://127.0.0.1:1883")]
    Broker(String),
}

pub(crate) type Words = mpsc::Receiver<(ClockId, LineWord)>;
pub(crate) type ToWorld = mpsc::Sender<ClockCommand>;

/// The lines of a hall.
#[derive(Debug)]
pub struct Lines {
    senders: BTreeMap<ClockId, mpsc::Sender<(ClockId, LineWord)>>,
    tasks: JoinSet<()>,
    lost: u64,
    /// Where servers listen, clock by clock or one for all.
    addresses: Vec<String>,
}

impl Lines {
    /// Lays a line for each clock. Commands come out of the receiver.
    ///
    /// # Errors
    /// The first line that cannot be laid.
    pub async fn lay(
        transport: &Transport,
        clocks: &[ClockId],
        encodings: Encodings,
        seed: u64,
    ) -> Result<(Self, mpsc::Receiver<ClockCommand>), LineError> {
        let (to_world, commands) = mpsc::channel(QUEUE);
        let mut lines =
            Self { senders: BTreeMap::new(), tasks: JoinSet::new(), lost: 0, addresses: Vec::new() };
        let encoding = |clock| encodings.of(clock, seed);
        match transport {
            Transport::Pty(folder) => {
                for clock in clocks {
                    let port = super::pty::Port::open(folder, *clock)?;
                    let words = lines.queue(&[*clock]);
                    lines.tasks.spawn(super::pty::line(port, encoding(*clock), words, to_world.clone()));
                }
            }
            Transport::Tcp(address) => {
                let server = super::tcp::listen(address, 0).await?;
                lines.addresses.push(super::tcp::address(&server));
                let words = lines.queue(clocks);
                lines.tasks.spawn(super::tcp::hub(server, encodings, seed, words, to_world));
            }
            Transport::TcpEach(address) => {
                for (place, clock) in clocks.iter().enumerate() {
                    let server = super::tcp::listen(address, place).await?;
                    lines.addresses.push(super::tcp::address(&server));
                    let words = lines.queue(&[*clock]);
                    lines.tasks.spawn(super::tcp::hub(server, encodings, seed, words, to_world.clone()));
                }
            }
            Transport::Mqtt(url) => {
                let broker = super::mqtt::Broker::parse(url)?;
                for clock in clocks {
                    let words = lines.queue(&[*clock]);
                    let line = super::mqtt::line(
                        broker.clone(),
                        *clock,
                        encoding(*clock),
                        seed,
                        words,
                        to_world.clone(),
                    );
                    lines.tasks.spawn(line);
                }
            }
        }
        Ok((lines, commands))
    }

    fn queue(&mut self, clocks: &[ClockId]) -> Words {
        let (sender, words) = mpsc::channel(QUEUE);
        self.senders.extend(clocks.iter().map(|clock| (*clock, sender.clone())));
        words
    }

    /// Tells a line. A report that finds its queue full is lost.
    pub fn tell(&mut self, clock: ClockId, word: LineWord) {
        if let Some(sender) = self.senders.get(&clock)
            && sender.try_send((clock, word)).is_err()
        {
            self.lost += 1;
        }
    }

    /// Messages that found a queue full.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    /// Where servers listen; empty for ptys and a broker.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// Takes the lines away: what is queued still goes out, for a second at most.
    pub async fn close(mut self) {
        self.senders.clear();
        let all = async { while self.tasks.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), all).await;
        self.tasks.shutdown().await;
    }
}

/// A report as it goes over a serial line; empty where it cannot be written.
pub(crate) fn line_of(report: &ClockReport, encoding: Encoding) -> Vec<u8> {
    let mut bytes = vec![0; MAX_LINE];
    match line_report(report, encoding, Check::Crc, &mut bytes) {
        Ok(len) => bytes.truncate(len),
        Err(error) => {
            tracing::warn!(clock = %report.clock, %error, "a report cannot be written");
            bytes.clear();
        }
    }
    bytes
}

/// The commands in what came over a line.
pub(crate) fn commands_in(lexer: &mut Lexer<1024>, mut bytes: &[u8]) -> Vec<ClockCommand> {
    let mut commands = Vec::new();
    while let Some(item) = lexer.next(&mut bytes, &Accept::CHECKED) {
        match item {
            Ok(received) => match received.message {
                Message::Command(command) => commands.push(command),
                Message::Report(report) => {
                    tracing::debug!(clock = %report.clock, "a report where a command was due")
                }
            },
            Err(error) => tracing::debug!(%error, "no command"),
        }
    }
    commands
}
