//! A pseudo terminal for each clock, with a stable name.
//!
//! The slave half is held open too, so that the daemon may close and open it as often as it likes; pulling the plug
//! closes both halves and takes the name away. What nobody reads is thrown away: a serial line keeps nothing.

use super::lines::{LineError, LineWord, ToWorld, Words, commands_in, line_of};
use flagfall_clock::{ClockId, Encoding, Lexer};
use rustix::fs::{Mode, OFlags};
use rustix::termios::QueueSelector;
use serialport::SerialPort;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::SerialStream;

/// A reader who has not taken a message by then is away.
const PATIENCE: Duration = Duration::from_millis(500);

/// The path under which a clock's line is found.
#[must_use]
pub fn pty_path(folder: &Path, clock: ClockId) -> PathBuf {
    folder.join(clock.as_str())
}

pub(super) struct Port {
    clock: ClockId,
    folder: PathBuf,
    path: PathBuf,
    master: SerialStream,
    /// Held open, without a lock: the daemon takes the port for itself.
    slave: OwnedFd,
    /// Nobody reads.
    away: bool,
}

impl Port {
    pub(super) fn open(folder: &Path, clock: ClockId) -> Result<Self, LineError> {
        let no = |why: String| LineError::Pty { clock, why };
        std::fs::create_dir_all(folder).map_err(|error| no(format!("{}: {error}", folder.display())))?;
        let (master, first) = SerialStream::pair().map_err(|error| no(error.to_string()))?;
        let name = first.name().ok_or_else(|| no("it has no name".into()))?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let slave =
            rustix::fs::open(&name, flags, Mode::empty()).map_err(|error| no(format!("{name}: {error}")))?;
        drop(first);
        let path = pty_path(folder, clock);
        // In one step, so that nobody finds the old one in between.
        let fresh = folder.join(format!(".{clock}.new"));
        let _ = std::fs::remove_file(&fresh);
        std::os::unix::fs::symlink(&name, &fresh)
            .and_then(|()| std::fs::rename(&fresh, &path))
            .map_err(|error| no(format!("{}: {error}", path.display())))?;
        Ok(Self { clock, folder: folder.to_owned(), path, master, slave, away: false })
    }

    /// The half on which the clock speaks.
    pub(super) const fn master(&mut self) -> &mut SerialStream {
        &mut self.master
    }

    async fn write(&mut self, bytes: &[u8]) {
        if self.away {
            if rustix::io::ioctl_fionread(&self.slave).is_ok_and(|unread| unread == 0) {
                self.away = false;
            } else {
                self.throw_away();
            }
        }
        match tokio::time::timeout(PATIENCE, self.master.write_all(bytes)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(clock = %self.clock, %error, "nothing could be written"),
            Err(_) => {
                self.away = true;
                self.throw_away();
            }
        }
    }

    fn throw_away(&self) {
        if let Err(error) = rustix::termios::tcflush(&self.slave, QueueSelector::IFlush) {
            tracing::debug!(clock = %self.clock, %error, "what nobody read stays");
        }
    }

    /// A program that was killed leaves the port marked as its own, as long as we hold it; its lock is gone.
    fn unmark(&self) {
        if let Err(error) = rustix::termios::ioctl_tiocnxcl(&self.slave) {
            tracing::debug!(clock = %self.clock, %error, "the port stays marked");
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Carries one clock's messages until its queue is closed.
pub(super) async fn line(port: Port, encoding: Encoding, mut words: Words, to_world: ToWorld) {
    let (clock, folder) = (port.clock, port.folder.clone());
    let mut port = Some(port);
    let mut lexer = Lexer::<1024>::new();
    let mut bytes = [0; 1024];
    let mut mark = tokio::time::interval(Duration::from_secs(1));
    loop {
        let Some(open) = &mut port else {
            match words.recv().await {
                None => return,
                Some((_, LineWord::Plug)) => match Port::open(&folder, clock) {
                    Ok(fresh) => {
                        lexer.reset();
                        port = Some(fresh);
                    }
                    Err(error) => tracing::warn!(%error, "it stays unplugged"),
                },
                Some(_) => {}
            }
            continue;
        };
        tokio::select! {
            word = words.recv() => match word {
                None => return,
                Some((_, LineWord::Report(report))) => open.write(&line_of(&report, encoding)).await,
                Some((_, LineWord::Unplug)) => port = None,
                Some((_, LineWord::Plug)) => {}
            },
            read = open.master.read(&mut bytes) => match read {
                Ok(len) if len > 0 => {
                    for command in commands_in(&mut lexer, &bytes[..len]) {
                        if to_world.send(command).await.is_err() {
                            return;
                        }
                    }
                }
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            },
            _ = mark.tick() => open.unmark(),
        }
    }
}
