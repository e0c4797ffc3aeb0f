//! A TCP serial server: one clock, or many behind a hub that passes whole frames.
//!
//! Every client gets what the clocks say from then on. A client too slow for that loses messages, whole ones only.

use super::lines::{Encodings, LineError, LineWord, ToWorld, Words, commands_in, line_of};
use flagfall_clock::Lexer;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio::task::JoinSet;

/// Messages kept for a slow client.
const KEPT: usize = 1_024;

/// Listens on `address`, or `place` ports further; on any port where it says 0.
pub(super) async fn listen(address: &str, place: usize) -> Result<TcpListener, LineError> {
    let no = |why: String| LineError::Tcp { address: address.to_owned(), why };
    let (host, port) = address.rsplit_once(':').ok_or_else(|| no("write it as host:port".into()))?;
    let port: u16 = port.parse().map_err(|_| no(format!("`{port}` is no port")))?;
    let port = match (port, u16::try_from(place)) {
        (0, _) => 0,
        (port, Ok(place)) => port.checked_add(place).ok_or_else(|| no("there are no ports left".into()))?,
        (_, Err(_)) => return Err(no("there are no ports left".into())),
    };
    TcpListener::bind((host.trim_matches(['[', ']']), port)).await.map_err(|error| no(error.to_string()))
}

pub(super) fn address(server: &TcpListener) -> String {
    server.local_addr().map_or_else(|_| String::new(), |address| address.to_string())
}

/// Carries the messages of all clocks of a queue until it is closed.
pub(super) async fn hub(
    server: TcpListener,
    encodings: Encodings,
    seed: u64,
    mut words: Words,
    to_world: ToWorld,
) {
    let (lines, _) = broadcast::channel::<Arc<[u8]>>(KEPT);
    let mut clients = JoinSet::new();
    let mut unplugged = BTreeSet::new();
    loop {
        tokio::select! {
            word = words.recv() => match word {
                None => break,
                Some((clock, LineWord::Report(report))) if !unplugged.contains(&clock) => {
                    // Nobody listens: the line is lost, as on a wire.
                    let _ = lines.send(line_of(&report, encodings.of(clock, seed)).into());
                }
                Some((_, LineWord::Report(_))) => {}
                Some((clock, LineWord::Unplug)) => {
                    unplugged.insert(clock);
                }
                Some((clock, LineWord::Plug)) => {
                    unplugged.remove(&clock);
                }
            },
            client = server.accept() => match client {
                Ok((stream, _)) => {
                    clients.spawn(serve(stream, lines.subscribe(), to_world.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a client could not be taken");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            },
            _ = clients.join_next(), if !clients.is_empty() => {}
        }
    }
    drop(lines);
    while clients.join_next().await.is_some() {}
}

async fn serve(stream: TcpStream, mut lines: broadcast::Receiver<Arc<[u8]>>, to_world: ToWorld) {
    let _ = stream.set_nodelay(true);
    let (mut read, mut write) = stream.into_split();
    let mut lexer = Lexer::<1024>::new();
    let mut bytes = [0; 1024];
    loop {
        tokio::select! {
            line = lines.recv() => match line {
                Ok(line) => {
                    if write.write_all(&line).await.is_err() {
                        return;
                    }
                }
                Err(broadcast::error::RecvError::Lagged(lost)) => tracing::debug!(lost, "a client is too slow"),
                Err(broadcast::error::RecvError::Closed) => return,
            },
            read = read.read(&mut bytes) => match read {
                Ok(len) if len > 0 => {
                    for command in commands_in(&mut lexer, &bytes[..len]) {
                        if to_world.send(command).await.is_err() {
                            return;
                        }
                    }
                }
                _ => return,
            },
        }
    }
}
