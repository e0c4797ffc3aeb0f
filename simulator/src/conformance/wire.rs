//! A serial port, a pseudo terminal or a TCP connection, as bytes with the time at which they came.
//!
//! A thread reads, so that a byte's time is that of its arrival and not of somebody's looking. It ends with the wire.

use super::specimen::SpecimenError;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often a reader looks whether its wire is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// What came, and when; none: the other end is gone.
type Came = Option<(Instant, Vec<u8>)>;

/// An open line.
pub(super) struct Wire {
    name: String,
    writer: Box<dyn Write + Send>,
    came: Receiver<Came>,
    wanted: Arc<AtomicBool>,
    gone: bool,
}

impl Wire {
    /// Opens `name`: `host:port`, or the path of a serial port or pseudo terminal.
    pub(super) fn open(name: &str, baud: u32) -> Result<Self, SpecimenError> {
        let no = |why: String| SpecimenError::Line { line: name.into(), why };
        let of_io = |error: std::io::Error| no(error.to_string());
        if name.contains(':') && !name.starts_with('/') {
            let stream = TcpStream::connect(name).map_err(of_io)?;
            stream.set_nodelay(true).map_err(of_io)?;
            stream.set_read_timeout(Some(LOOK)).map_err(of_io)?;
            return Ok(Self::on(name, Box::new(stream.try_clone().map_err(of_io)?), Box::new(stream)));
        }
        let port = serialport::new(name, baud).timeout(LOOK).open_native();
        let port = port.map_err(|error| no(error.to_string()))?;
        let reader = port.try_clone_native().map_err(|error| no(error.to_string()))?;
        Ok(Self::on(name, Box::new(reader), Box::new(port)))
    }

    fn on(name: &str, mut reader: Box<dyn Read + Send>, writer: Box<dyn Write + Send>) -> Self {
        let (told, came) = channel();
        let wanted = Arc::new(AtomicBool::new(true));
        let still = Arc::clone(&wanted);
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while still.load(Ordering::Relaxed) {
                let item = match reader.read(&mut bytes) {
                    Ok(0) => None,
                    Ok(len) => Some((Instant::now(), bytes[..len].to_vec())),
                    Err(error) => match error.kind() {
                        ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Interrupted => continue,
                        _ => None,
                    },
                };
                let last = item.is_none();
                if told.send(item).is_err() || last {
                    return;
                }
            }
        });
        Self { name: name.into(), writer, came, wanted, gone: false }
    }

    /// The other end is gone.
    pub(super) const fn is_gone(&self) -> bool {
        self.gone
    }

    /// Waits until `until` for bytes; none where none came by then or the other end is gone.
    pub(super) fn read(&mut self, until: Instant) -> Option<(Instant, Vec<u8>)> {
        let left = until.saturating_duration_since(Instant::now());
        if self.gone {
            std::thread::sleep(left);
            return None;
        }
        match self.came.recv_timeout(left) {
            Ok(Some(came)) => Some(came),
            Err(RecvTimeoutError::Timeout) => None,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                self.gone = true;
                None
            }
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), SpecimenError> {
        let written = self.writer.write_all(bytes).and_then(|()| self.writer.flush());
        written.map_err(|error| SpecimenError::Line { line: self.name.clone(), why: error.to_string() })
    }

    /// Why nothing comes any more.
    pub(super) fn hung_up(&self) -> SpecimenError {
        SpecimenError::Line { line: self.name.clone(), why: "the other end has gone".into() }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Relaxed);
    }
}
