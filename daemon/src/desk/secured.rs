//! The desk's listener where it speaks TLS.
//!
//! Handshakes go on side by side, so that one who does not finish his holds up nobody else's. Whoever speaks plain HTTP
//! here has typed the address without `https://`: he is shown the right one.

use crate::tls::Identity;
use axum::serve::Listener;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Handshakes at a time; whoever comes then waits.
const MOST: usize = 256;
/// The first byte of every TLS connection: a handshake record.
const HANDSHAKE: u8 = 0x16;
/// What is read of a plain request.
const MOST_HEAD: usize = 4 << 10;

type Shaken = Option<(TlsStream<TcpStream>, SocketAddr)>;

/// Listens and shakes hands.
pub(super) struct Secured {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    shaking: FuturesUnordered<BoxFuture<'static, Shaken>>,
}

impl Secured {
    pub fn new(listener: TcpListener, identity: &Identity) -> Self {
        let acceptor = TlsAcceptor::from(std::sync::Arc::clone(&identity.server));
        Self { listener, acceptor, shaking: FuturesUnordered::new() }
    }
}

impl Listener for Secured {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            tokio::select! {
                // Its own errors it deals with itself: too many open files pass.
                (stream, from) = Listener::accept(&mut self.listener), if self.shaking.len() < MOST => {
                    let acceptor = self.acceptor.clone();
                    self.shaking.push(Box::pin(async move {
                        timeout(PATIENCE, shake(stream, from, acceptor)).await.ok().flatten()
                    }));
                }
                Some(shaken) = self.shaking.next(), if !self.shaking.is_empty() => {
                    if let Some(shaken) = shaken {
                        return shaken;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

async fn shake(mut stream: TcpStream, from: SocketAddr, acceptor: TlsAcceptor) -> Shaken {
    // Each flush is a batch of its own; the other end's late acknowledgements must not hold the next one up.
    let _ = stream.set_nodelay(true);
    let mut first = [0];
    if stream.peek(&mut first).await.ok()? == 0 {
        return None;
    }
    if first[0] != HANDSHAKE {
        let _ = show_the_way(&mut stream).await;
        return None;
    }
    match acceptor.accept(stream).await {
        Ok(stream) => Some((stream, from)),
        Err(error) => {
            // Every tablet does so once, before it believes the certificate.
            tracing::debug!(%from, %error, "a device ended the TLS handshake");
            None
        }
    }
}

/// Answers a plain request with the address it should have had.
async fn show_the_way(stream: &mut TcpStream) -> io::Result<()> {
    let mut head = Vec::with_capacity(512);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < MOST_HEAD {
        if stream.read_buf(&mut head).await? == 0 {
            break;
        }
    }
    let answer = match secured(&String::from_utf8_lossy(&head)) {
        Some(address) => format!(
            "HTTP/1.1 308 Permanent Redirect\r\nLocation: {address}\r\nCache-Control: no-store\r\n\
             Content-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        None => {
            let text = "this desk speaks https:// only\n";
            let length = text.len();
            format!(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{text}"
            )
        }
    };
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// The same page with `https://`, where the request says what it is of. A token stands behind `#` and was never sent.
fn secured(head: &str) -> Option<String> {
    let mut lines = head.lines();
    let mut request = lines.next()?.split(' ');
    let (_, path, version) = (request.next()?, request.next()?, request.next()?);
    let plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte));
    let is_path = path.starts_with('/') && !path.starts_with("//") && plain(path);
    let host = lines
        .filter_map(|line| line.split_once(':'))
        .find_map(|(name, value)| name.eq_ignore_ascii_case("host").then(|| value.trim()))?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    (version.starts_with("HTTP/1.") && is_path && !host.is_empty() && host.chars().all(is_host))
        .then(|| format!("https://{host}{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_forgot_the_s_is_shown_the_same_page_and_nobody_is_sent_elsewhere() {
        let secured = |request: &str, host: &str| secured(&format!("{request}\r\nHost: {host}\r\n\r\n"));
        assert_eq!(
            secured("GET /certificate HTTP/1.1", "192.168.1.5:8470").as_deref(),
            Some("https://192.168.1.5:8470/certificate")
        );
        assert_eq!(secured("GET / HTTP/1.1", "[::1]:8470").as_deref(), Some("https://[::1]:8470/"));
        for (request, host) in [
            ("GET //evil.example HTTP/1.1", "192.168.1.5"),
            ("GET http://evil.example/ HTTP/1.1", "192.168.1.5"),
            ("GET / HTTP/1.1", "evil.example/@192.168.1.5"),
            ("GET / HTTP/1.1", ""),
            ("GET /", "192.168.1.5"),
            ("\u{16}\u{3}\u{1}", "192.168.1.5"),
        ] {
            assert_eq!(secured(request, host), None, "{request} {host}");
        }
    }
}
