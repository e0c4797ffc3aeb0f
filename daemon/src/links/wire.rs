//! A line that carries bytes: reports in, commands out, until it breaks.
//!
//! Reading and writing go on side by side, so that a peer who takes nothing in is still heard. Whatever the bytes are,
//! nothing but intact reports gets through; the rest is counted and said, not too often.

use super::Outbox;
use super::feed::{Faults, Feed, Named};
use super::outbox::Posted;
use flagfall_clock::{Checked, line_command};
use flagfall_clock::{ClockId, DecodeError, Encoding, Lexer, LineError, MAX_LINE, Message, Received};
use flagfall_hall::Heard;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};

/// How each clock of a line writes; it is answered the same way.
pub(super) type Spoken = Arc<Mutex<BTreeMap<ClockId, Encoding>>>;

/// So many clocks' ways of writing are remembered; names come from outside.
const MOST_CLOCKS: usize = 4096;

/// Remembers how `clock` writes.
pub(super) fn spoke(spoken: &Spoken, clock: ClockId, encoding: Encoding) {
    let mut spoken = spoken.lock().unwrap_or_else(PoisonError::into_inner);
    if spoken.len() < MOST_CLOCKS || spoken.contains_key(&clock) {
        spoken.insert(clock, encoding);
    }
}

/// How `clock` wrote last; JSON where it never did.
pub(super) fn speaks(spoken: &Spoken, clock: &ClockId) -> Encoding {
    spoken.lock().unwrap_or_else(PoisonError::into_inner).get(clock).copied().unwrap_or_default()
}

/// A byte line as its task holds it, over any number of connections.
pub(super) struct Wire<'a> {
    pub named: Named,
    pub outbox: Outbox,
    pub unchecked: bool,
    pub feed: &'a Feed,
    pub faults: Faults,
    pub spoken: Spoken,
}

impl<'a> Wire<'a> {
    pub fn new(name: String, unchecked: bool, feed: &'a Feed) -> Self {
        let (id, outbox) = feed.lines.add();
        let named = Named { id, name };
        Self { named, outbox, unchecked, feed, faults: Faults::new(), spoken: Spoken::default() }
    }

    /// The line is there.
    pub async fn up(&self) -> bool {
        tracing::info!(line = %self.named.name, "line is up");
        self.outbox.open();
        self.feed.metrics.line(&self.named.name, true);
        self.feed.tell(Heard::LineUp { line: self.named.id, name: self.named.name.clone() }).await
    }

    /// The line is gone.
    pub async fn down(&self, cause: String) -> bool {
        tracing::warn!(line = %self.named.name, cause, "line is down");
        self.outbox.close();
        self.feed.metrics.line(&self.named.name, false);
        self.feed.tell(Heard::LineDown { line: self.named.id, cause }).await
    }

    /// Talks until the line breaks or nothing is heard for too long, as `silence` has it; says why. The stream is
    /// given back, so that its owner closes it where that may take its time.
    pub async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: S,
        silence: Option<Duration>,
    ) -> (String, S) {
        let (mut reads, mut writes) = tokio::io::split(stream);
        let why = {
            let writer = write(&mut writes, self.outbox.clone(), self.feed, Arc::clone(&self.spoken));
            let reader = self.read(&mut reads, silence);
            tokio::select! {
                why = reader => why,
                why = writer => why,
            }
        };
        (why, reads.unsplit(writes))
    }

    async fn read<S: AsyncRead>(&mut self, reads: &mut ReadHalf<S>, silence: Option<Duration>) -> String {
        let mut lexer = Box::new(Lexer::<1024>::new());
        let mut bytes = vec![0; 4096];
        let mut heard_one = false;
        loop {
            // Who never spoke may have nothing to say yet.
            let patience = silence.filter(|_| heard_one).unwrap_or(FOREVER);
            let count = match within(patience, reads.read(&mut bytes)).await {
                None => return format!("nothing heard for {} s", patience.as_secs()),
                Some(Ok(0)) => return "hung up".into(),
                Some(Ok(count)) => count,
                Some(Err(error)) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Some(Err(error)) => return error.to_string(),
            };
            heard_one = true;
            let mut input = &bytes[..count];
            while let Some(item) = self.next(&mut lexer, &mut input) {
                let heard = match item {
                    Ok(received) => self.received(received),
                    Err(error) => self.failed(&error),
                };
                if let Some(heard) = heard
                    && !self.feed.tell(heard).await
                {
                    return "the daemon is stopping".into();
                }
            }
        }
    }

    fn next(&self, lexer: &mut Lexer<1024>, input: &mut &[u8]) -> Option<Result<Received, LineError>> {
        self.feed.keys.reading(self.unchecked, |accept| lexer.next(input, accept))
    }

    fn received(&mut self, received: Received) -> Option<Heard> {
        let Received { message, encoding, checked } = received;
        match message {
            Message::Report(report) => {
                self.feed.metrics.report();
                spoke(&self.spoken, report.clock, encoding);
                let sealed = checked == Checked::Seal;
                Some(Heard::Report { line: self.named.id, report, sealed })
            }
            // A line that echoes: what we said comes back.
            Message::Command(command) => self.fault("malformed", Some(command.clock), |port| {
                format!("{port} sends our own commands back: echo is on, or two wires touch")
            }),
        }
    }

    fn failed(&mut self, error: &LineError) -> Option<Heard> {
        match error.error {
            DecodeError::Unsealed(clock) | DecodeError::Seal(clock) => {
                self.fault("seal", Some(clock), |port| format!("{port}: {}", error.error))
            }
            DecodeError::TooLong => {
                let clock = self.only_clock();
                self.fault("oversized", clock, |port| format!("{port}{}: {error}", of(clock)))
            }
            _ => {
                let clock = self.only_clock();
                self.fault("malformed", clock, |port| format!("{port}{}: {error}", of(clock)))
            }
        }
    }

    /// The line's clock, if it has only one.
    fn only_clock(&self) -> Option<ClockId> {
        let spoken = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        match spoken.len() {
            1 => spoken.keys().next().copied(),
            _ => None,
        }
    }

    fn fault(
        &mut self,
        kind: &'static str,
        clock: Option<ClockId>,
        message: impl FnOnce(&str) -> String,
    ) -> Option<Heard> {
        self.feed.metrics.fault(kind);
        let name = &self.named.name;
        self.faults.note(Instant::now(), kind, clock, || message(&format!("port {name}")))
    }
}

/// About thirty years.
const FOREVER: Duration = Duration::from_secs(1 << 30);

async fn within<T>(patience: Duration, act: impl Future<Output = T>) -> Option<T> {
    if patience == FOREVER { Some(act.await) } else { tokio::time::timeout(patience, act).await.ok() }
}

fn of(clock: Option<ClockId>) -> String {
    clock.map(|clock| format!(" (clock {clock})")).unwrap_or_default()
}

async fn write<S: AsyncWrite>(
    writes: &mut WriteHalf<S>,
    outbox: Outbox,
    feed: &Feed,
    spoken: Spoken,
) -> String {
    let mut line = [0; MAX_LINE];
    loop {
        let command = outbox.next().await;
        let encoding = speaks(&spoken, &command.clock);
        let check = feed.keys.check(&command.clock);
        let count = match line_command(&command, encoding, check, &mut line) {
            Ok(count) => count,
            Err(error) => {
                tracing::error!(clock = %command.clock, number = command.command, %error, "command cannot be written");
                continue;
            }
        };
        let written = async {
            writes.write_all(&line[..count]).await?;
            writes.flush().await
        };
        if let Err(error) = written.await {
            return error.to_string();
        }
    }
}

/// Says what became of a command that did not simply go out.
pub(crate) fn log_posted(clock: ClockId, posted: &Posted) {
    match posted {
        Posted::Queued => {}
        Posted::Dropped(dropped) => tracing::warn!(
            %clock,
            dropped = dropped.command,
            of = %dropped.clock,
            action = dropped.action.name(),
            "the line takes nothing in: its oldest command was dropped"
        ),
        Posted::Down => tracing::debug!(%clock, "the line is down: command not sent"),
    }
}
