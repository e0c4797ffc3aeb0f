//! The scenario's people at a live desk: hello, events, requests and answers over a WebSocket.
//!
//! A lost connection is dialled again and goes on where it was; a request without an answer is asked again under the
//! same `request_id`, so that it is done once.

use flagfall_arbiter::{Event, Hello, Refused, Welcome};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Where the desk is, and the token that opens it.
#[derive(Clone, Debug)]
pub struct DeskLogin {
    /// `ws://host:port/desk/1`; the path may be left out.
    pub url: String,
    /// A chief arbiter's token.
    pub token: String,
}

/// Why there is no desk.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// It cannot be reached.
    #[error("desk {url}: {why}")]
    Away {
        /// Where.
        url: String,
        /// Why.
        why: String,
    },
    /// It does not let us in.
    #[error("desk {url} refuses: {why}")]
    Refused {
        /// Where.
        url: String,
        /// Why.
        why: String,
    },
}

/// What comes from the desk.
pub(super) enum DeskWord {
    Event(Box<Event>),
    Answer(u64, Result<Value, Refused>),
}

/// A request on its way.
pub(super) struct DeskAsk {
    pub id: u64,
    pub method: String,
    pub params: Value,
}

#[derive(Deserialize)]
struct Frame {
    id: Option<u64>,
    method: Option<String>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Refused>,
}

/// The id of our own hello; requests begin at 1.
const HELLO: u64 = 0;
/// How long a desk may take to come up.
const COMES_UP: Duration = Duration::from_secs(20);
/// Acknowledged after so many events.
const ACK_EACH: u64 = 64;

/// A desk that has said welcome.
pub(super) struct Desk {
    socket: Socket,
    login: DeskLogin,
    /// What it said.
    pub welcome: Welcome,
}

fn full_url(url: &str) -> String {
    let url = url.replacen("http://", "ws://", 1).replacen("https://", "wss://", 1);
    let url = if url.contains("://") { url } else { format!("ws://{url}") };
    match url.split_once("://").map(|(_, rest)| rest.contains('/')) {
        Some(true) if !url.ends_with('/') => url,
        _ => format!("{}/desk/1", url.trim_end_matches('/')),
    }
}

async fn dial(login: &DeskLogin, journal: Option<(&str, u64)>) -> Result<(Socket, Welcome), DeskError> {
    let url = full_url(&login.url);
    let away = |why: String| DeskError::Away { url: url.clone(), why };
    let (mut socket, _) =
        tokio_tungstenite::connect_async(&url).await.map_err(|error| away(error.to_string()))?;
    let hello = Hello {
        token: login.token.clone(),
        client: concat!("flagfall-sim ", env!("CARGO_PKG_VERSION")).into(),
        journal: journal.map(|(journal, _)| journal.into()),
        after: journal.map(|(_, after)| after),
        ticks: false,
    };
    let hello = json!({ "jsonrpc": "2.0", "id": HELLO, "method": "hello", "params": hello });
    socket.send(Message::text(hello.to_string())).await.map_err(|error| away(error.to_string()))?;
    let answered = async {
        while let Some(message) = socket.next().await {
            let message = message.map_err(|error| away(error.to_string()))?;
            let Ok(frame) = serde_json::from_slice::<Frame>(&message.into_data()) else { continue };
            if frame.id != Some(HELLO) {
                continue;
            }
            if let Some(refused) = frame.error {
                return Err(DeskError::Refused { url: url.clone(), why: refused.message });
            }
            let welcome = frame.result.unwrap_or_default();
            return serde_json::from_value(welcome).map_err(|error| DeskError::Refused {
                url: url.clone(),
                why: format!("no welcome: {error}"),
            });
        }
        Err(away("closed before it said welcome".into()))
    };
    let welcome = tokio::time::timeout(Duration::from_secs(10), answered)
        .await
        .unwrap_or_else(|_| Err(away("says no welcome".into())))?;
    Ok((socket, welcome))
}

impl Desk {
    /// Dials a desk that may still be coming up.
    pub(super) async fn open(login: DeskLogin) -> Result<Self, DeskError> {
        let until = tokio::time::Instant::now() + COMES_UP;
        loop {
            match dial(&login, None).await {
                Ok((socket, welcome)) => return Ok(Self { socket, login, welcome }),
                Err(DeskError::Away { .. }) if tokio::time::Instant::now() < until => {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Carries words and requests until one of the queues is closed. `run` names this run, for the ids of requests.
    pub(super) async fn carry(
        self,
        run: String,
        mut asks: mpsc::Receiver<DeskAsk>,
        words: mpsc::Sender<DeskWord>,
    ) {
        let Self { mut socket, login, welcome } = self;
        let journal = welcome.journal;
        let mut after = welcome.head;
        let mut open: BTreeMap<u64, String> = BTreeMap::new();
        loop {
            match converse(&mut socket, &run, &mut asks, &words, &mut after, &mut open).await {
                Talk::Over => {
                    let _ = socket.close(None).await;
                    return;
                }
                Talk::Lost => tracing::info!(desk = login.url, after, "the desk is gone; dialling again"),
            }
            let mut wait = 1;
            socket = loop {
                tokio::time::sleep(Duration::from_millis(300 * wait)).await;
                wait = (wait * 2).min(16);
                match dial(&login, Some((&journal, after))).await {
                    Ok((mut fresh, again)) => {
                        if again.reset {
                            tracing::warn!(
                                desk = login.url,
                                "another journal: what was told before counts no more"
                            );
                            after = again.head;
                        }
                        let mut sent = true;
                        for request in open.values() {
                            sent &= fresh.send(Message::text(request.clone())).await.is_ok();
                        }
                        if sent {
                            break fresh;
                        }
                    }
                    Err(error) => tracing::debug!(%error, "not yet"),
                }
                if words.is_closed() {
                    return;
                }
            };
        }
    }
}

enum Talk {
    Over,
    Lost,
}

async fn converse(
    socket: &mut Socket,
    run: &str,
    asks: &mut mpsc::Receiver<DeskAsk>,
    words: &mpsc::Sender<DeskWord>,
    after: &mut u64,
    open: &mut BTreeMap<u64, String>,
) -> Talk {
    loop {
        tokio::select! {
            ask = asks.recv() => {
                let Some(DeskAsk { id, method, mut params }) = ask else { return Talk::Over };
                params["request_id"] = format!("{run}-{id}").into();
                let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
                open.insert(id, request.clone());
                if socket.send(Message::text(request)).await.is_err() {
                    return Talk::Lost;
                }
            }
            message = socket.next() => {
                let Some(Ok(message)) = message else { return Talk::Lost };
                if message.is_close() {
                    return Talk::Lost;
                }
                let Some(word) = word_in(message, after, open) else { continue };
                if words.send(word).await.is_err() {
                    return Talk::Over;
                }
                if after.is_multiple_of(ACK_EACH) {
                    let ack = json!({ "jsonrpc": "2.0", "method": "ack", "params": { "seq": *after } });
                    if socket.send(Message::text(ack.to_string())).await.is_err() {
                        return Talk::Lost;
                    }
                }
            }
        }
    }
}

fn word_in(message: Message, after: &mut u64, open: &mut BTreeMap<u64, String>) -> Option<DeskWord> {
    if !message.is_text() && !message.is_binary() {
        return None;
    }
    let frame: Frame = match serde_json::from_slice(&message.into_data()) {
        Ok(frame) => frame,
        Err(error) => {
            tracing::warn!(%error, "the desk says something that is no message");
            return None;
        }
    };
    match (frame.method.as_deref(), frame.id) {
        (Some("event"), _) => match serde_json::from_value::<Event>(frame.params.unwrap_or_default()) {
            Ok(event) => {
                *after = (*after).max(event.seq);
                Some(DeskWord::Event(Box::new(event)))
            }
            Err(error) => {
                // Of a later version; everything else goes on.
                tracing::warn!(%error, "an event nobody here understands");
                None
            }
        },
        (None, Some(id)) if open.remove(&id).is_some() => {
            let answer = frame.error.map_or_else(|| Ok(frame.result.unwrap_or_default()), Err);
            Some(DeskWord::Answer(id, answer))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::full_url;

    #[test]
    fn a_desk_s_address_may_be_short() {
        for (given, full) in [
            ("127.0.0.1:8470", "ws://127.0.0.1:8470/desk/1"),
            ("http://127.0.0.1:8470/", "ws://127.0.0.1:8470/desk/1"),
            ("wss://hall.example", "wss://hall.example/desk/1"),
            ("ws://hall.example/desk/1", "ws://hall.example/desk/1"),
        ] {
            assert_eq!(full_url(given), full);
        }
    }
}
