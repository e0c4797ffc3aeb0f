//! From an address to a WebSocket.

use super::trouble::{Trouble, told};
use crate::config::Uplink;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// How long a connection may take, name, TLS and all.
const PATIENCE: Duration = Duration::from_secs(10);
/// Small writes are gathered into writes of this size.
const WRITE_BUFFER: usize = 16 << 10;
const READ_BUFFER: usize = 4 << 10;
/// A thousand events of the largest kind; beyond this much unwritten, a write waits.
const MOST_UNWRITTEN: usize = 16 << 20;
/// The largest message taken.
const MOST_BYTES: usize = 64 << 10;

/// Bytes both ways, in clear or not.
pub(super) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

/// The connection.
pub(super) type Socket = WebSocketStream<Box<dyn Wire>>;

/// Dials once.
pub(super) async fn dial(uplink: &Uplink, tls: Option<&Arc<ClientConfig>>) -> Result<Socket, Trouble> {
    match timeout(PATIENCE, connect(uplink, tls)).await {
        Ok(connected) => connected,
        Err(_) => Err(Trouble::Down(format!("no answer within {} s", PATIENCE.as_secs()))),
    }
}

async fn connect(uplink: &Uplink, tls: Option<&Arc<ClientConfig>>) -> Result<Socket, Trouble> {
    let down = |error: &std::io::Error| Trouble::Down(told(error));
    let stream =
        TcpStream::connect((uplink.host.as_str(), uplink.port)).await.map_err(|error| down(&error))?;
    // Each flush is a batch of its own; the other end's late acknowledgements must not hold the next one up.
    let _ = stream.set_nodelay(true);
    let wire: Box<dyn Wire> = match tls {
        None => Box::new(stream),
        Some(config) => {
            let name = ServerName::try_from(uplink.host.clone())
                .map_err(|_| Trouble::Down(format!("`{}` is no name of a server", uplink.host)))?;
            let connector = TlsConnector::from(Arc::clone(config));
            Box::new(connector.connect(name, stream).await.map_err(|error| down(&error))?)
        }
    };
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_UNWRITTEN)
        .max_message_size(Some(MOST_BYTES))
        .max_frame_size(Some(MOST_BYTES));
    let shaken = tokio_tungstenite::client_async_with_config(uplink.url.as_str(), wire, Some(config)).await;
    shaken.map(|(socket, _)| socket).map_err(|error| Trouble::of_handshake(&error))
}
