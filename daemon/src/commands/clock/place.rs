//! Where a clock is: a serial port of this host, or one behind a serial server.

use super::super::ports::obstacle;
use crate::cli::{Exit, Failure};
use std::fmt;
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A read that finds nothing ends after so long.
pub(super) const PAUSE: Duration = Duration::from_millis(20);
/// A serial server in the hall answers sooner.
const CONNECT: Duration = Duration::from_secs(5);

/// A port's path, or `tcp:HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A port of this host.
    Port(PathBuf),
    /// A serial server.
    Server(String),
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some(server) = text.strip_prefix("tcp:") else {
            return if text.is_empty() { Err("is empty") } else { Ok(Self::Port(text.into())) };
        };
        // as the daemon's own messages write it
        let server = server.strip_prefix("//").unwrap_or(server);
        match server.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0) => {
                Ok(Self::Server(server.to_owned()))
            }
            _ => Err("write a serial server as tcp:10.0.0.7:4001"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(path) => path.display().fmt(f),
            Self::Server(server) => write!(f, "tcp:{server}"),
        }
    }
}

/// What carries bytes both ways. Reads end after [`PAUSE`] where nothing comes.
pub(super) trait Wire: Read + Write {}

impl<T: Read + Write> Wire for T {}

impl Place {
    /// Opens it for us alone. DTR rises, as with every program that opens a port.
    ///
    /// # Errors
    /// What is in the way, and what to do.
    pub(super) fn open(&self, baud: u32) -> Result<Box<dyn Wire>, Failure> {
        let unavailable = |what: String| Failure::new(Exit::Unavailable, format!("port {self} {what}"));
        match self {
            Self::Port(path) => {
                let builder = serialport::new(path.to_string_lossy(), baud).timeout(PAUSE);
                let port = builder.open_native().map_err(|error| {
                    let why = obstacle(path);
                    unavailable(why.unwrap_or_else(|| format!("cannot be opened: {}", error.description)))
                })?;
                Ok(Box::new(port))
            }
            Self::Server(server) => {
                let stream = connect(server).map_err(|why| {
                    unavailable(format!("cannot be reached: {why}; is the serial server on?"))
                })?;
                Ok(Box::new(stream))
            }
        }
    }
}

fn connect(server: &str) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::other("no such host");
    for address in server.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PAUSE))?;
                stream.set_write_timeout(Some(CONNECT))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_it_is_read() {
        for text in ["/dev/ttyUSB0", "tcp:10.0.0.7:4001", "tcp:[::1]:4001"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
        assert_eq!("tcp://a:1".parse(), Ok(Place::Server("a:1".into())));
        for text in ["", "tcp:", "tcp:4001", "tcp::4001", "tcp:a:0", "tcp:a:b"] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_opened_is_named_with_what_to_do() {
        let open = |place: &str| {
            let place: Place = place.parse().unwrap();
            let Err(failure) = place.open(115_200) else { panic!("{place} was opened") };
            (failure.exit(), failure.message().unwrap())
        };
        let (exit, gone) = open("/dev/no-such-port");
        assert_eq!(exit, Exit::Unavailable);
        assert_eq!(gone, "port /dev/no-such-port is not there; `flagfall ports` lists those that are");
        assert_eq!(open("/etc/passwd").1, "port /etc/passwd is no serial port");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let server = format!("tcp:{}", listener.local_addr().unwrap());
        drop(listener);
        let (exit, refused) = open(&server);
        assert_eq!(exit, Exit::Unavailable);
        assert!(refused.starts_with(&format!("port {server} cannot be reached: ")), "{refused}");
    }
}
