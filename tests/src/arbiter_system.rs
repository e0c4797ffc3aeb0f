//! An arbiter system: the other end of the uplink, as docs/api/uplink.md has it. It keeps every event it hears by its
//! seq, and can be told to misbehave.

use futures_util::{SinkExt, StreamExt};
use rustls::ServerConfig;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// From where it asks to hear, in its answer to hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// It does not say.
    Silent,
    /// From its last event on.
    Last,
    /// From this one on.
    Event(u64),
}

/// What it does with what it hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Keeps it and acknowledges it.
    Acks,
    /// Keeps it and says nothing.
    Keeps,
    /// Acknowledges an event that was never sent.
    Lies,
    /// Says what is no JSON.
    Babbles,
    /// Reads nothing at all.
    Deaf,
    /// Its bytes are taken, and nobody answers: the host behind them is gone.
    HalfOpen,
}

/// What it was told and what it does.
#[derive(Debug)]
struct Inner {
    token: String,
    after: After,
    manner: Manner,
    hellos: Vec<Value>,
    /// When it was dialled.
    dialled: Vec<Instant>,
    /// When its lines ended.
    ended: Vec<Instant>,
    /// The seqs in the order they came in, a list a line.
    lines: Vec<Vec<u64>>,
    events: BTreeMap<u64, Value>,
    /// What must not be.
    wrong: Vec<String>,
    /// It is to acknowledge what it has.
    asked: Arc<Notify>,
}

/// The arbiter system. Ends with its test.
#[derive(Debug)]
pub struct ArbiterSystem {
    inner: Arc<Mutex<Inner>>,
    /// Where it listens, on loopback.
    pub port: u16,
    tls: Option<Arc<ServerConfig>>,
    serving: Option<JoinHandle<()>>,
}

impl Drop for ArbiterSystem {
    fn drop(&mut self) {
        self.leave();
    }
}

trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

impl ArbiterSystem {
    /// Starts one that takes this token, acknowledges and says where it is.
    pub async fn start(token: &str) -> Self {
        Self::start_with(token, None).await
    }

    /// The same, behind TLS.
    pub async fn start_with(token: &str, tls: Option<Arc<ServerConfig>>) -> Self {
        let inner = Inner {
            token: token.into(),
            after: After::Last,
            manner: Manner::Acks,
            hellos: Vec::new(),
            dialled: Vec::new(),
            ended: Vec::new(),
            lines: Vec::new(),
            events: BTreeMap::new(),
            wrong: Vec::new(),
            asked: Arc::default(),
        };
        let mut system = Self { inner: Arc::new(Mutex::new(inner)), port: 0, tls, serving: None };
        system.come().await;
        system
    }

    /// What goes into a venue file.
    #[must_use]
    pub fn venue(&self, more: &str) -> String {
        let scheme = if self.tls.is_some() { "wss" } else { "ws" };
        format!(
            "[uplink]\nurl = \"{scheme}://localhost:{}/feed\"\ntoken_env = \"UPLINK_TOKEN\"\n{more}\n",
            self.port
        )
    }

    /// Comes, also again, on the port it had.
    ///
    /// # Panics
    /// If the port is taken.
    pub async fn come(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.expect("its port is free");
        self.port = listener.local_addr().expect("its address").port();
        let (inner, tls) = (Arc::clone(&self.inner), self.tls.clone());
        self.serving = Some(tokio::spawn(async move {
            let mut lines = tokio::task::JoinSet::new();
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                lock(&inner).dialled.push(Instant::now());
                lines.spawn(line(stream, tls.clone(), Arc::clone(&inner)));
            }
        }));
    }

    /// Goes, and its lines with it.
    pub fn leave(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
        }
    }

    /// Ends its lines and goes on listening.
    pub async fn hang_up(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            let _ = serving.await;
        }
        self.come().await;
    }

    /// From now on it takes this token.
    pub fn takes(&self, token: &str) {
        lock(&self.inner).token = token.into();
    }

    /// From now on it says this in its answer to hello.
    pub fn says(&self, after: After) {
        lock(&self.inner).after = after;
    }

    /// From the next line on it behaves so.
    pub fn behaves(&self, manner: Manner) {
        lock(&self.inner).manner = manner;
    }

    /// Acknowledges once what it holds.
    pub fn acks_once(&self) {
        lock(&self.inner).asked.notify_waiters();
    }

    /// Every hello it heard.
    #[must_use]
    pub fn hellos(&self) -> Vec<Value> {
        lock(&self.inner).hellos.clone()
    }

    /// When it was dialled.
    #[must_use]
    pub fn dialled(&self) -> Vec<Instant> {
        lock(&self.inner).dialled.clone()
    }

    /// When its lines ended.
    #[must_use]
    pub fn ended(&self) -> Vec<Instant> {
        lock(&self.inner).ended.clone()
    }

    /// The seqs as they came in, a list a line.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<u64>> {
        lock(&self.inner).lines.clone()
    }

    /// What it holds, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        lock(&self.inner).events.values().cloned().collect()
    }

    /// The last event it holds.
    #[must_use]
    pub fn last(&self) -> u64 {
        lock(&self.inner).events.keys().next_back().copied().unwrap_or(0)
    }

    /// Looks whether anything came in that must not be: another event under a seq it had, one out of order.
    ///
    /// # Panics
    /// If so.
    pub fn is_content(&self) {
        let wrong = lock(&self.inner).wrong.clone();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

fn lock(inner: &Arc<Mutex<Inner>>) -> std::sync::MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

async fn line(stream: TcpStream, tls: Option<Arc<ServerConfig>>, inner: Arc<Mutex<Inner>>) {
    let wire: Box<dyn Wire> = match tls {
        None => Box::new(stream),
        Some(tls) => match TlsAcceptor::from(tls).accept(stream).await {
            Ok(stream) => Box::new(stream),
            Err(_) => return,
        },
    };
    if let Ok(socket) = tokio_tungstenite::accept_async(wire).await {
        talk(socket, &inner).await;
    }
    lock(&inner).ended.push(Instant::now());
}

async fn talk(mut socket: WebSocketStream<Box<dyn Wire>>, inner: &Arc<Mutex<Inner>>) {
    let Some(Ok(Message::Text(text))) = socket.next().await else { return };
    let hello: Value = serde_json::from_str(&text).expect("hello is json");
    let (answer, taken, manner) = {
        let mut inner = lock(inner);
        let taken = hello["params"]["token"] == inner.token.as_str() && hello["method"] == "hello";
        inner.hellos.push(hello["params"].clone());
        let last = inner.events.keys().next_back().copied().unwrap_or(0);
        let answer = match (taken, inner.after) {
            (false, _) => {
                json!({"jsonrpc": "2.0", "id": hello["id"], "error": {"code": -32000, "message": "no such hall"}})
            }
            (true, After::Silent) => json!({"jsonrpc": "2.0", "id": hello["id"], "result": {}}),
            (true, After::Last) => json!({"jsonrpc": "2.0", "id": hello["id"], "result": {"after": last}}),
            (true, After::Event(seq)) => {
                json!({"jsonrpc": "2.0", "id": hello["id"], "result": {"after": seq}})
            }
        };
        if taken {
            inner.lines.push(Vec::new());
        }
        (answer, taken, inner.manner)
    };
    if socket.send(Message::text(answer.to_string())).await.is_err() || !taken {
        let _ = socket.close(None).await;
        return;
    }
    match manner {
        Manner::Deaf => std::future::pending().await,
        Manner::HalfOpen => {
            let mut wire = socket.into_inner();
            let mut bytes = [0; 4096];
            while wire.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
            return;
        }
        Manner::Lies => {
            let ack = json!({"jsonrpc": "2.0", "method": "ack", "params": {"seq": 1_000_000}});
            let _ = socket.send(Message::text(ack.to_string())).await;
        }
        Manner::Babbles => {
            let _ = socket.send(Message::text("thank you")).await;
        }
        Manner::Acks | Manner::Keeps => {}
    }
    let asked = Arc::clone(&lock(inner).asked);
    loop {
        let message = tokio::select! {
            message = socket.next() => message,
            () = asked.notified() => {
                let last = lock(inner).events.keys().next_back().copied().unwrap_or(0);
                let ack = json!({"jsonrpc": "2.0", "method": "ack", "params": {"seq": last}});
                let _ = socket.send(Message::text(ack.to_string())).await;
                continue;
            }
        };
        let Some(Ok(message)) = message else { return };
        let Message::Text(text) = message else { continue };
        let message: Value = serde_json::from_str(&text).expect("the daemon speaks json");
        let seq = keep(&message, inner);
        // As often as it likes: once for what came in one go would do.
        if lock(inner).manner == Manner::Acks {
            let ack = json!({"jsonrpc": "2.0", "method": "ack", "params": {"seq": seq}});
            if socket.send(Message::text(ack.to_string())).await.is_err() {
                return;
            }
        }
    }
}

fn keep(message: &Value, inner: &Arc<Mutex<Inner>>) -> u64 {
    let mut inner = lock(inner);
    if message["method"] != "event" || message["jsonrpc"] != "2.0" {
        inner.wrong.push(format!("an uplink tells events only: {message}"));
        return 0;
    }
    let event = message["params"].clone();
    let seq = event["seq"].as_u64().unwrap_or(0);
    let line = inner.lines.last_mut().expect("a line");
    let before = line.last().copied();
    line.push(seq);
    if before.is_some_and(|before| before >= seq) {
        inner.wrong.push(format!("{seq} came after {before:?}"));
    }
    if let Some(had) = inner.events.insert(seq, event.clone())
        && had != event
    {
        inner.wrong.push(format!("event {seq} was {had} and is {event}"));
    }
    seq
}
