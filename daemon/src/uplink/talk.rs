//! A line whose hello was answered: events out, acknowledgements in.
//!
//! Reading and writing go on side by side in one task. A line that says nothing for some seconds, or takes nothing in,
//! is gone: the other end's host may have vanished without a word.

use super::dial::Socket;
use super::hello::{closed, shown};
use super::standing::Standing;
use super::trouble::Trouble;
use super::window::MOST;
use crate::shell::{Bulletin, Listener, Told};
use flagfall_arbiter::Wall;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error as Wrong, Message};
use tokio_util::sync::CancellationToken;

/// Whoever is there answers a ping; one is always on its way before the patience ends.
const PING: Duration = Duration::from_secs(3);
/// Nothing heard, or nothing taken in, for so long: gone. With a ping's interval it stays below ten seconds.
const PATIENCE: Duration = Duration::from_secs(8);
/// Events written between two looks at everything else.
const AT_ONCE: usize = 256;
/// Answers to what it asks that wait to be written; beyond that it gets none.
const ANSWERS: usize = 16;
/// How long the last events and their acknowledgements may take when the daemon ends.
const FAREWELL: Duration = Duration::from_secs(1);

type Sink = SplitSink<Socket, Message>;
type Stream = SplitStream<Socket>;

/// Talks until the line ends.
pub(super) async fn talk(
    socket: Socket,
    listener: Listener,
    bulletin: &Bulletin,
    standing: &Standing,
    stop: &CancellationToken,
) -> Trouble {
    let (mut sink, mut stream) = socket.split();
    let (answers, answered) = mpsc::channel(ANSWERS);
    let trouble = tokio::select! {
        trouble = read(&mut stream, standing, answers) => trouble,
        trouble = write(&mut sink, listener, bulletin, standing, answered, stop) => trouble,
    };
    let (code, reason) = match &trouble {
        Trouble::Stopping => (CloseCode::Away, "the daemon is stopping"),
        Trouble::Down(why) | Trouble::Refused(why) => (CloseCode::Policy, why.as_str()),
    };
    // A close frame has room for 123 bytes.
    let mut reason = reason.to_owned();
    while reason.len() > 120 {
        reason.pop();
    }
    let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = timeout(FAREWELL, sink.send(close)).await;
    trouble
}

async fn read(stream: &mut Stream, standing: &Standing, answers: mpsc::Sender<Message>) -> Trouble {
    let mut gone_at = Instant::now() + PATIENCE;
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            () = sleep_until(gone_at) => {
                let why = format!("nothing was heard of it for {} s, not even an answer to a ping", PATIENCE.as_secs());
                return Trouble::Down(why);
            }
        };
        gone_at = Instant::now() + PATIENCE;
        match message {
            Some(Ok(Message::Text(text))) => match said(&text, standing) {
                Ok(Some(answer)) => {
                    // Whoever asks more than he reads gets no answer; what counts are the events.
                    let _ = answers.try_send(Message::text(answer.to_string()));
                }
                Ok(None) => {}
                Err(why) => return Trouble::Down(why),
            },
            Some(Ok(Message::Binary(_))) => return Trouble::Down("it sends bytes; messages are text".into()),
            Some(Ok(Message::Close(frame))) => return closed(frame.map(|frame| frame.reason.to_string())),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Trouble::broken(&error),
            None => return closed(None),
        }
    }
}

/// What it says: an acknowledgement, or what nobody asked for. The answer, where it wants one.
fn said(text: &str, standing: &Standing) -> Result<Option<Value>, String> {
    let Ok(Value::Object(message)) = serde_json::from_str(text) else {
        return Err(format!("it says what is no JSON object: {}", shown(text)));
    };
    let id = message.get("id").filter(|id| !id.is_null());
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        // An answer to nothing.
        return Ok(None);
    };
    if method == "ack" {
        let seq = message.get("params").and_then(|params| params.get("seq")).and_then(Value::as_u64);
        let seq = seq.ok_or_else(|| format!("its ack has no `seq` that is a number: {}", shown(text)))?;
        standing
            .window(|window| window.ack(seq))
            .map_err(|sent| format!("it acknowledges event {seq}, and the last one sent to it is {sent}"))?;
        standing.acked.notify_one();
        return Ok(id.map(|id| json!({"jsonrpc": "2.0", "id": id, "result": null})));
    }
    let message = format!("{} is not answered here: an uplink tells events; ask at the desk", shown(method));
    Ok(id.map(|id| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": message}})))
}

async fn write(
    sink: &mut Sink,
    mut listener: Listener,
    bulletin: &Bulletin,
    standing: &Standing,
    mut answers: mpsc::Receiver<Message>,
    stop: &CancellationToken,
) -> Trouble {
    let mut pings = interval_at(Instant::now() + PING, PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut next: VecDeque<Told> = VecDeque::new();
    loop {
        if stop.is_cancelled() {
            let last = last_words(sink, &mut listener, &mut next, bulletin, standing);
            let _ = timeout(FAREWELL, last).await;
            return Trouble::Stopping;
        }
        let room = standing.window(|window| window.room()).min(AT_ONCE);
        if room > 0 && !next.is_empty() {
            let batch = next.drain(..room.min(next.len()));
            match events(sink, batch, standing).await {
                Ok(()) => continue,
                Err(trouble) => return trouble,
            }
        }
        let message = tokio::select! {
            told = listener.next(), if next.is_empty() => match told {
                Ok(told) => {
                    next.extend(told);
                    continue;
                }
                Err(why) => return Trouble::Down(format!("this side cannot read what happened: {why}")),
            },
            () = standing.acked.notified(), if !next.is_empty() => continue,
            _ = pings.tick() => Message::Ping(Vec::new().into()),
            Some(answer) = answers.recv() => answer,
            () = stop.cancelled() => continue,
        };
        if let Err(trouble) = taken(sink.send(message)).await {
            return trouble;
        }
    }
}

/// Waits until the other end took something in, and not for ever.
async fn taken(writing: impl Future<Output = Result<(), Wrong>>) -> Result<(), Trouble> {
    match timeout(PATIENCE, writing).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Trouble::broken(&error)),
        Err(_) => Err(Trouble::Down(format!("it took nothing in for {} s", PATIENCE.as_secs()))),
    }
}

/// Events, and one flush. A slow line has its patience for each piece that it takes, not for all of them.
async fn events(
    sink: &mut Sink,
    batch: impl Iterator<Item = Told>,
    standing: &Standing,
) -> Result<(), Trouble> {
    for told in batch {
        // Before it is gone: its acknowledgement may be quicker than we are.
        standing.window(|window| window.send(told.seq, recorded(&told)));
        taken(sink.feed(Message::text(told.frame.as_str()))).await?;
    }
    taken(sink.flush()).await
}

/// When an event was recorded. Only that is read of it.
fn recorded(told: &Told) -> Wall {
    #[derive(Deserialize)]
    struct Recorded {
        at: Wall,
    }
    serde_json::from_str::<Recorded>(told.json()).map_or(Wall(0), |recorded| recorded.at)
}

/// The daemon ends: what was told goes out still, and is acknowledged if the other end is quick.
async fn last_words(
    sink: &mut Sink,
    listener: &mut Listener,
    next: &mut VecDeque<Told>,
    bulletin: &Bulletin,
    standing: &Standing,
) {
    loop {
        let room = standing.window(|window| window.room());
        if room > 0 && !next.is_empty() {
            if events(sink, next.drain(..room.min(next.len())), standing).await.is_err() {
                return;
            }
        } else if next.is_empty() && listener.seq() < bulletin.ring.head() {
            // What is left may be none of its audience's.
            match timeout(Duration::from_millis(200), listener.next()).await {
                Ok(Ok(told)) => next.extend(told),
                Ok(Err(_)) | Err(_) => return,
            }
        } else if room < MOST {
            standing.acked.notified().await;
        } else {
            return;
        }
    }
}
