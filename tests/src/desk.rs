//! A desk: JSON-RPC 2.0 over WebSocket, as docs/api section 4 has it.

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long an answer may take: `round.prepare` has 8 s.
const ANSWER: Duration = Duration::from_secs(12);

/// What came in.
#[derive(Debug, Default)]
struct Inbox {
    events: Vec<Value>,
    ticks: Vec<Value>,
    answers: HashMap<u64, Result<Value, Value>>,
    complaints: usize,
    closed: bool,
}

/// A desk that said hello.
#[derive(Debug)]
pub struct Desk {
    sink: tokio::sync::Mutex<SplitSink<Socket, Message>>,
    inbox: Arc<Mutex<Inbox>>,
    reader: JoinHandle<()>,
    next: Mutex<u64>,
    /// The answer to hello.
    pub welcome: Value,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// Opens a socket to the desk.
///
/// # Panics
/// If nobody answers.
pub async fn socket(port: u16) -> Socket {
    let url = format!("ws://127.0.0.1:{port}/desk/1");
    let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("the desk answers");
    socket
}

/// Comes in with these parameters of hello.
///
/// # Errors
/// The refusal.
///
/// # Panics
/// If there is no answer.
pub async fn hello(port: u16, params: Value) -> Result<Desk, Value> {
    let (mut sink, mut stream) = socket(port).await.split();
    let call = json!({"jsonrpc": "2.0", "id": 0, "method": "hello", "params": params});
    sink.send(Message::text(call.to_string())).await.expect("written");
    let answer = loop {
        let message = tokio::time::timeout(ANSWER, stream.next()).await.expect("an answer to hello");
        if let Some(Ok(Message::Text(text))) = message {
            break serde_json::from_str::<Value>(&text).expect("json");
        }
        assert!(
            matches!(message, Some(Ok(_))),
            "the connection ended before the answer to hello: {message:?}"
        );
    };
    assert_eq!(answer["id"], 0, "{answer}");
    if answer.get("error").is_some() {
        return Err(answer["error"].clone());
    }
    let inbox = Arc::new(Mutex::new(Inbox::default()));
    let reader = tokio::spawn(read(stream, Arc::clone(&inbox)));
    Ok(Desk {
        sink: tokio::sync::Mutex::new(sink),
        inbox,
        reader,
        next: Mutex::new(0),
        welcome: answer["result"].clone(),
    })
}

async fn read(mut stream: SplitStream<Socket>, inbox: Arc<Mutex<Inbox>>) {
    while let Some(Ok(message)) = stream.next().await {
        let Message::Text(text) = message else { continue };
        let message: Value = serde_json::from_str(&text).expect("the desk speaks json");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let mut inbox = inbox.lock().expect("no test broke it");
        match message["method"].as_str() {
            Some("event") => inbox.events.push(message["params"].clone()),
            Some("tick") => inbox.ticks.push(message["params"].clone()),
            Some(other) => panic!("the desk was told {other:?}, which docs/api does not know"),
            // To what could not be read as a request of anybody's.
            None if message["id"].is_null() && message.get("error").is_some() => inbox.complaints += 1,
            None => {
                let id = message["id"].as_u64().unwrap_or_else(|| panic!("an answer has its id: {message}"));
                let answer = match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
                inbox.answers.insert(id, answer);
            }
        }
    }
    inbox.lock().expect("no test broke it").closed = true;
}

impl Desk {
    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// The refusal.
    ///
    /// # Panics
    /// If there is no answer.
    pub async fn ask(&self, method: &str, params: Value) -> Result<Value, Value> {
        let id = {
            let mut next = self.next.lock().expect("no test broke it");
            *next += 1;
            *next
        };
        let call = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&call).await;
        let end = Instant::now() + ANSWER;
        loop {
            if let Some(answer) = self.inbox.lock().expect("no test broke it").answers.remove(&id) {
                return answer;
            }
            assert!(Instant::now() < end && !self.closed(), "{method}: no answer");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Asks for what must be done.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn done(&self, method: &str, params: Value) -> Value {
        match self.ask(method, params.clone()).await {
            Ok(result) => result,
            Err(refused) => panic!("{method} {params} was refused: {refused}"),
        }
    }

    /// Asks until it is done: it may be refused for a moment, because something is on its way.
    ///
    /// # Panics
    /// If it is refused for too long.
    pub async fn done_soon(&self, method: &str, params: Value) -> Value {
        let end = Instant::now() + crate::until::SOON;
        loop {
            match self.ask(method, params.clone()).await {
                Ok(result) => return result,
                Err(refused) => {
                    assert!(Instant::now() < end, "{method} {params} is still refused: {refused}")
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Asks for what must be refused; the refusal's code.
    ///
    /// # Panics
    /// If it is done.
    pub async fn refused(&self, method: &str, params: Value) -> i64 {
        match self.ask(method, params.clone()).await {
            Ok(result) => panic!("{method} {params} was done: {result}"),
            Err(refused) => refused["code"].as_i64().expect("a refusal has a code"),
        }
    }

    /// Sends a message as it stands.
    ///
    /// # Panics
    /// If the connection is gone.
    pub async fn send(&self, message: &Value) {
        self.sink.lock().await.send(Message::text(message.to_string())).await.expect("written");
    }

    /// All events told here, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        self.inbox.lock().expect("no test broke it").events.clone()
    }

    /// All ticks.
    #[must_use]
    pub fn ticks(&self) -> Vec<Value> {
        self.inbox.lock().expect("no test broke it").ticks.clone()
    }

    /// Whether the daemon closed the connection.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.inbox.lock().expect("no test broke it").closed
    }

    /// How many messages were no request to the daemon.
    #[must_use]
    pub fn complaints(&self) -> usize {
        self.inbox.lock().expect("no test broke it").complaints
    }

    /// How many events were told: a place to look from.
    #[must_use]
    pub fn mark(&self) -> usize {
        self.inbox.lock().expect("no test broke it").events.len()
    }

    /// The last seq told here.
    #[must_use]
    pub fn head(&self) -> u64 {
        let last =
            self.inbox.lock().expect("no test broke it").events.last().map(|event| event["seq"].clone());
        last.or_else(|| self.welcome.get("head").cloned()).and_then(|seq| seq.as_u64()).unwrap_or(0)
    }

    /// Waits for an event, from `mark` on.
    ///
    /// # Panics
    /// If it is not told within `limit`; what was told instead is shown.
    pub async fn within(
        &self,
        limit: Duration,
        mark: usize,
        what: &str,
        mut is: impl FnMut(&Value) -> bool,
    ) -> Value {
        let end = Instant::now() + limit;
        let mut looked = mark;
        loop {
            {
                let inbox = self.inbox.lock().expect("no test broke it");
                if let Some(event) = inbox.events.iter().skip(looked).find(|event| is(event)) {
                    return event.clone();
                }
                looked = looked.max(inbox.events.len());
            }
            if Instant::now() >= end {
                panic!("{what}: not told within {limit:?}. Told since:\n{}", shown(&self.events()[mark..]));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits for an event that is or was told here.
    pub async fn wait(&self, what: &str, is: impl FnMut(&Value) -> bool) -> Value {
        self.within(crate::until::SOON, 0, what, is).await
    }

    /// Waits for an event told after `mark`.
    pub async fn since(&self, mark: usize, what: &str, is: impl FnMut(&Value) -> bool) -> Value {
        self.within(crate::until::SOON, mark, what, is).await
    }

    /// Looks on for a time: nothing of the kind may be told, since `mark`.
    ///
    /// # Panics
    /// If it is told.
    pub async fn nothing(&self, time: Duration, mark: usize, what: &str, mut is: impl FnMut(&Value) -> bool) {
        let end = Instant::now() + time;
        loop {
            let events = self.events();
            if let Some(event) = events.iter().skip(mark).find(|event| is(event)) {
                panic!("{what}: told after all: {event}\nAll since:\n{}", shown(&events[mark..]));
            }
            if Instant::now() >= end {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// How many events so far are so.
    #[must_use]
    pub fn count(&self, is: impl FnMut(&&Value) -> bool) -> usize {
        self.events().iter().filter(is).count()
    }
}

/// Events, one a line.
#[must_use]
pub fn shown(events: &[Value]) -> String {
    events.iter().map(|event| format!("  {event}\n")).collect()
}

/// Whether an event is of this type, and its own fields (under the type's name) are at least these.
#[must_use]
pub fn is(event: &Value, kind: &str, fields: &Value) -> bool {
    event["type"] == kind && holds(&event[kind], fields)
}

/// Whether `value` has at least what `part` has.
#[must_use]
pub fn holds(value: &Value, part: &Value) -> bool {
    match part {
        Value::Object(fields) => fields.iter().all(|(name, part)| holds(&value[name], part)),
        other => value == other,
    }
}
