//! A desk as a program has it.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(super) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
    /// What came while an answer was waited for.
    aside: Vec<Value>,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Self {
        let (socket, _) = connect_async(format!("ws://{address}/desk/1")).await.expect("a desk");
        Self { socket, next: 1, aside: Vec::new() }
    }

    /// Says hello with the role's token; `more` is added to it.
    pub async fn hello(address: SocketAddr, role: &str, more: Value) -> (Self, Value) {
        let mut client = Self::connect(address).await;
        let mut params = json!({ "token": format!("token of the {role}"), "client": "test" });
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        let answer = client.call("hello", params).await;
        assert!(answer.get("result").is_some(), "{answer}");
        (client, answer["result"].clone())
    }

    pub async fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.expect("said");
    }

    /// The next message; `None` once the desk closed.
    pub async fn heard(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(15), self.socket.next()).await;
            match next.expect("something within 15 s") {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).expect("json")),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Sends a request without waiting.
    pub async fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        self.say(&text).await;
        id
    }

    pub async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        loop {
            let heard = self.heard().await.expect("an answer");
            if heard.get("id") == Some(&id.into()) {
                return heard;
            }
            self.aside.push(heard);
        }
    }

    /// The next event of this type.
    pub async fn event(&mut self, wanted: &str) -> Value {
        loop {
            let event = self.next_event().await;
            if event["type"] == wanted {
                return event;
            }
        }
    }

    pub async fn next_event(&mut self) -> Value {
        loop {
            let heard = if self.aside.is_empty() {
                self.heard().await.expect("an event")
            } else {
                self.aside.remove(0)
            };
            if heard["method"] == "event" {
                return heard["params"].clone();
            }
        }
    }

    /// Nothing more is heard for a while.
    pub async fn silent(&mut self, patience: Duration) -> bool {
        tokio::time::timeout(patience, self.next_event()).await.is_err()
    }
}
