//! One desk's connection: JSON-RPC 2.0 over WebSocket at `/desk/1`.
//!
//! Says hello first. Then reading and writing go on side by side in one task: whoever does not read is noticed by
//! the writer's patience, whoever is gone by his silence. Events are the ring's own bytes, written in batches.

use super::rate::Rate;
use super::users::Known;
use super::{Desk, rpc};
use crate::shell::{Listener, Told};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use flagfall_arbiter::{Hello, Refused, Request, Welcome};
use flagfall_rules::Who;
use futures_util::stream::{FuturesUnordered, SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval_at, sleep_until, timeout};

/// The version of the contract.
const VERSION: u32 = 1;
/// The largest message taken.
const MOST_BYTES: usize = 64 << 10;
/// Small writes are gathered into writes of this size.
const WRITE_BUFFER: usize = 16 << 10;
const READ_BUFFER: usize = 4 << 10;
/// A snapshot of a large hall is one message; beyond this much unwritten, a write waits.
const MOST_UNWRITTEN: usize = 16 << 20;
/// Requests of one connection that wait for their answer.
const MOST_OPEN: usize = 64;
const HELLO: Duration = Duration::from_secs(10);
const PING: Duration = Duration::from_secs(5);
/// Nothing heard, or nothing taken in, for so long: gone.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn upgrade(State(desk): State<Desk>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = std::sync::Arc::clone(&desk.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many desks are connected\n").into_response();
    };
    let counted = desk.tasks.token();
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_UNWRITTEN)
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(async move |socket| {
            desk.bulletin.metrics.client(true);
            talk(socket, &desk).await;
            desk.bulletin.metrics.client(false);
            drop((place, counted));
        })
}

/// Why a connection ends: a code and a sentence for the other end.
#[derive(Debug)]
struct End(u16, String);

impl End {
    fn gone() -> Self {
        Self(close_code::NORMAL, String::new())
    }
}

async fn talk(socket: WebSocket, desk: &Desk) {
    let (mut sink, mut stream) = socket.split();
    let end = match hello(&mut sink, &mut stream, desk).await {
        Ok(guest) => {
            tracing::info!(user = guest.who.name, client = guest.client, "a desk came");
            let user = guest.who.name.clone();
            let end = serve(&mut sink, &mut stream, desk, guest).await;
            tracing::info!(user, why = end.1, "a desk went");
            end
        }
        Err(end) => end,
    };
    let mut reason = end.1;
    // A close frame has room for 123 bytes.
    while reason.len() > 120 {
        reason.pop();
    }
    let frame = CloseFrame { code: end.0, reason: reason.into() };
    let closing = async {
        let _ = sink.send(Message::Close(Some(frame))).await;
        // The other end's own close, so that the last words are not cut off.
        while let Some(Ok(_)) = stream.next().await {}
    };
    let _ = timeout(Duration::from_secs(1), closing).await;
}

type Sink = SplitSink<WebSocket, Message>;
type Stream = SplitStream<WebSocket>;

/// Who said hello, and where he listens from.
struct Guest {
    who: Who,
    client: String,
    listener: Listener,
    ticks: Option<watch::Receiver<Utf8Bytes>>,
}

async fn send(sink: &mut Sink, text: Utf8Bytes) -> Result<(), End> {
    match timeout(PATIENCE, sink.send(Message::Text(text))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::gone()),
        Err(_) => Err(End(close_code::POLICY, "nothing was taken in".into())),
    }
}

async fn refuse(sink: &mut Sink, id: Value, refused: Refused) -> End {
    let why = refused.message.clone();
    let answer: Result<(), Refused> = Err(refused);
    match send(sink, rpc::answer(id, &answer)).await {
        Ok(()) => End(close_code::POLICY, why),
        Err(end) => end,
    }
}

async fn hello(sink: &mut Sink, stream: &mut Stream, desk: &Desk) -> Result<Guest, End> {
    let first = async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    return Err(End(close_code::UNSUPPORTED, "messages are text".into()));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(End::gone()),
            }
        }
    };
    let text = tokio::select! {
        () = desk.stop.cancelled() => return Err(stopping()),
        first = timeout(HELLO, first) => match first {
            Ok(text) => text?,
            Err(_) => return Err(End(close_code::POLICY, "no hello within 10 s".into())),
        },
    };
    let call = match rpc::read(&text) {
        Ok(call) => call,
        Err(unread) => return Err(refuse(sink, unread.id, *unread.refused).await),
    };
    let id = call.id.unwrap_or_default();
    if call.method != "hello" {
        let refused = Refused::new(Refused::TOKEN, "say hello first");
        return Err(refuse(sink, id, refused).await);
    }
    let hello: Hello = match serde_json::from_value(call.params.unwrap_or_default()) {
        Ok(hello) => hello,
        Err(error) => {
            let refused = Refused::new(Refused::PARAMS, format!("hello: {error}"));
            return Err(refuse(sink, id, refused).await);
        }
    };
    let Some(Known { who, tables }) = desk.users.of(&hello.token) else {
        tracing::warn!("a desk with a wrong token was refused");
        return Err(refuse(sink, id, Refused::new(Refused::TOKEN, "no user has this token")).await);
    };
    let audience = who.role.audience();
    let ticks = hello.ticks.then(|| desk.bulletin.ticks(audience));
    let view = tokio::select! {
        () = desk.stop.cancelled() => return Err(stopping()),
        view = desk.asks.view(audience) => view,
    };
    let view = match view {
        Ok(view) => view,
        Err(refused) => return Err(refuse(sink, id, refused).await),
    };
    let told = desk.bulletin.ring.head();
    let this_journal = hello.journal.as_ref().is_none_or(|journal| *journal == desk.bulletin.journal);
    let fits = hello.after.filter(|after| this_journal && *after <= told);
    let (from, head) = fits.map_or((view.head, view.head), |after| (after, told));
    let welcome = Welcome {
        server: concat!("flagfall ", env!("CARGO_PKG_VERSION")).into(),
        version: VERSION,
        user: who.name.clone(),
        role: who.role,
        tables: tables.clone(),
        journal: desk.bulletin.journal.clone(),
        head,
        speed: desk.bulletin.speed,
        mode: view.snapshot.mode.clone(),
        now: view.now,
        reset: hello.after.is_some() && fits.is_none(),
        snapshot: fits.is_none().then(|| Box::new((*view.snapshot).clone())),
    };
    send(sink, rpc::answer(id, &Ok(welcome))).await?;
    let client: String = hello.client.chars().filter(|c| !c.is_control()).take(64).collect();
    Ok(Guest { who: who.clone(), client, listener: desk.bulletin.listen(from, audience), ticks })
}

fn stopping() -> End {
    End(close_code::AWAY, "the daemon is stopping".into())
}

async fn serve(sink: &mut Sink, stream: &mut Stream, desk: &Desk, guest: Guest) -> End {
    let Guest { who, listener, ticks, .. } = guest;
    let (answers, answered) = mpsc::channel(MOST_OPEN);
    tokio::select! {
        end = read(stream, desk, &who, answers) => end,
        end = write(sink, desk, listener, ticks, answered) => end,
    }
}

async fn read(stream: &mut Stream, desk: &Desk, who: &Who, answers: mpsc::Sender<Utf8Bytes>) -> End {
    let mut rate = Rate::new(Instant::now());
    let mut open = FuturesUnordered::new();
    let mut gone_at = tokio::time::Instant::now() + PATIENCE;
    loop {
        let text = tokio::select! {
            message = stream.next() => {
                gone_at = tokio::time::Instant::now() + PATIENCE;
                match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => return End(close_code::UNSUPPORTED, "messages are text".into()),
                    Some(Ok(Message::Close(_))) | None => return End::gone(),
                    // Too large, or no WebSocket any more.
                    Some(Err(error)) => return End(close_code::SIZE, error.to_string()),
                }
            }
            Some(answer) = open.next(), if !open.is_empty() => {
                if let Some(answer) = answer
                    && answers.send(answer).await.is_err()
                {
                    return End::gone();
                }
                continue;
            }
            () = sleep_until(gone_at) => return End(close_code::POLICY, "no answer to pings for 10 s".into()),
        };
        let taken = if rate.take(Instant::now()) {
            Ok(())
        } else {
            Err("too many requests: 50 a second are taken, 100 at once")
        };
        let taken = taken.and(if open.len() < MOST_OPEN {
            Ok(())
        } else {
            Err("64 requests wait for answers already")
        });
        let answer = match (rpc::read(&text), taken) {
            (Ok(call), Ok(())) => {
                if call.method == "ack" && call.id.is_none() {
                    ack(desk, who, call.params);
                } else {
                    open.push(carry_out(desk, who, call));
                }
                continue;
            }
            (Ok(rpc::Call { id: None, .. }), Err(_)) => continue,
            (Ok(rpc::Call { id: Some(id), .. }), Err(why)) => (id, Refused::new(Refused::BUSY, why)),
            (Err(unread), _) => (unread.id, *unread.refused),
        };
        let (id, refused) = answer;
        let refused: Result<(), Refused> = Err(refused);
        if answers.send(rpc::answer(id, &refused)).await.is_err() {
            return End::gone();
        }
    }
}

fn ack(desk: &Desk, who: &Who, params: Option<Value>) {
    let seq = params.as_ref().and_then(|params| params.get("seq")).and_then(Value::as_u64);
    if let Some(seq) = seq {
        desk.bulletin.metrics.acked(&who.name, seq.min(desk.bulletin.ring.head()));
    }
}

/// The answer, where one is wanted.
async fn carry_out(desk: &Desk, who: &Who, call: rpc::Call) -> Option<Utf8Bytes> {
    let id = call.id.clone();
    let answer = match call.method.as_str() {
        "hello" => Err(Refused::new(rpc::INVALID, "hello was said already")),
        "ack" => {
            ack(desk, who, call.params);
            Ok(Value::Null)
        }
        _ => match rpc::ask(&call) {
            Ok(ask) => match ask.request {
                Request::BoardHistory { ref on, ref page } => {
                    desk.history(on, page.after, who.role.audience()).await
                }
                _ => desk.asks.ask(who.clone(), ask).await,
            },
            Err(refused) if refused.code == Refused::PARAMS => {
                let params = call.params.unwrap_or_default();
                Err(desk.asks.misread(who.clone(), call.method, params, refused).await)
            }
            Err(refused) => Err(refused),
        },
    };
    id.map(|id| rpc::answer(id, &answer))
}

async fn write(
    sink: &mut Sink,
    desk: &Desk,
    mut listener: Listener,
    mut ticks: Option<watch::Receiver<Utf8Bytes>>,
    mut answers: mpsc::Receiver<Utf8Bytes>,
) -> End {
    let mut pings = interval_at(tokio::time::Instant::now() + PING, PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let next = tokio::select! {
            Some(answer) = answers.recv() => Next::Answer(answer),
            told = listener.next() => match told {
                Ok(told) => Next::Told(told),
                Err(why) => {
                    tracing::error!(why, "a desk cannot be told what happened");
                    return End(close_code::ERROR, why);
                }
            },
            tick = tick(&mut ticks) => Next::Tick(tick),
            _ = pings.tick() => Next::Ping,
            () = desk.stop.cancelled() => {
                let last = async {
                    while listener.seq() < desk.bulletin.ring.head() {
                        let Ok(Ok(told)) = timeout(Duration::from_millis(200), listener.next()).await else { return };
                        if feed(sink, Next::Told(told), &mut answers).await.is_err() {
                            return;
                        }
                    }
                };
                let _ = timeout(Duration::from_secs(1), last).await;
                return stopping();
            }
        };
        match timeout(PATIENCE, feed(sink, next, &mut answers)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return End::gone(),
            Err(_) => return End(close_code::POLICY, "nothing was taken in for 10 s".into()),
        }
    }
}

enum Next {
    Answer(Utf8Bytes),
    Told(Vec<Told>),
    Tick(Utf8Bytes),
    Ping,
}

/// The newest tick; older ones are not missed.
async fn tick(ticks: &mut Option<watch::Receiver<Utf8Bytes>>) -> Utf8Bytes {
    if let Some(ticks) = ticks
        && ticks.changed().await.is_ok()
    {
        return ticks.borrow_and_update().clone();
    }
    std::future::pending().await
}

/// Everything that is ready, and one flush.
async fn feed(
    sink: &mut Sink,
    next: Next,
    answers: &mut mpsc::Receiver<Utf8Bytes>,
) -> Result<(), axum::Error> {
    match next {
        Next::Answer(answer) => sink.feed(Message::Text(answer)).await?,
        Next::Told(told) => {
            for told in told {
                sink.feed(Message::Text(told.frame)).await?;
            }
        }
        Next::Tick(tick) => sink.feed(Message::Text(tick)).await?,
        Next::Ping => sink.feed(Message::Ping(axum::body::Bytes::new())).await?,
    }
    while let Ok(answer) = answers.try_recv() {
        sink.feed(Message::Text(answer)).await?;
    }
    sink.flush().await
}
