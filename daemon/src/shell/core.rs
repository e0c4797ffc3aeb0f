//! The task that owns the hall.
//!
//! Takes in what lines hear and desks ask, in batches; passes the hall's records to the journal; keeps what rests on
//! them until they are durable, in order; then tells, sends, answers and acknowledges. It waits for nobody: the
//! journal's queue, the lines' queues and the desks' cursors all take what they are given at once.
//!
//! While the journal cannot be written everything waits, with two exceptions: an arbiter's stop goes out, and whoever
//! asks is told at once that his request waits.

use super::asks::{Asked, View};
use super::bulletin::Bulletin;
use super::ring::Told;
use super::time::{Instants, SleepWatch, VenueClock};
use super::waiting::Waiting;
use crate::links::{Ack, Input, Lines, log_posted};
use axum::extract::ws::Utf8Bytes;
use flagfall_arbiter::{Audience, BoardView, Event, Refused};
use flagfall_hall::{AskId, Hall, Heard, Out, Send};
use flagfall_journal::{NewRecord, Outcome, SendError, WriterHandle};
use flagfall_rules::Venue;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval};

/// Inputs taken in between two looks at everything else.
const BATCH: usize = 256;
/// Records kept here while the journal's own queue is full. Beyond that, lines are no longer listened to.
const MOST_KEPT: usize = 100_000;
const TICK: Duration = Duration::from_secs(1);
const WALL: Duration = Duration::from_secs(10);

type Reply = oneshot::Sender<Result<Value, Refused>>;

/// What waits for the journal.
#[derive(Debug)]
enum Held {
    Tell(Box<Event>),
    Send(Box<Send>),
    Answer(AskId, Result<Value, Refused>),
    View(Audience, View, oneshot::Sender<View>),
    Ack(Ack),
}

/// The core's ends of its channels.
#[derive(Debug)]
pub(super) struct Ears {
    /// From the lines. The core ends when all its senders are gone.
    pub inputs: mpsc::Receiver<Input>,
    /// From the desks.
    pub asked: mpsc::Receiver<Asked>,
    /// From the journal's thread.
    pub outcomes: mpsc::UnboundedReceiver<Outcome>,
}

/// What there is to do before anything is heard.
#[derive(Debug)]
pub(super) struct Opening {
    /// What the hall made of its beginning, or of going on.
    pub out: Out,
    /// What people should know.
    pub first: Vec<Heard>,
}

/// The hall and what it needs.
#[derive(Debug)]
pub(super) struct Core {
    pub hall: Hall,
    pub clock: VenueClock,
    pub writer: WriterHandle,
    pub lines: Lines,
    pub bulletin: Arc<Bulletin>,
    inner: Inner,
}

#[derive(Debug)]
struct Inner {
    out: Out,
    urgent: Vec<Send>,
    waiting: Waiting<Held>,
    /// Made in this round, not handed over yet.
    records: Vec<NewRecord>,
    /// Handed back by a full queue; older than `records`.
    kept: VecDeque<NewRecord>,
    /// The last record's number, handed over or not.
    last: u64,
    replies: HashMap<AskId, Reply>,
    next_ask: u64,
    fault: Option<String>,
    /// Views as of a moment at which everything was durable.
    settled: HashMap<Audience, View>,
    /// When batches were handed over, for the metrics.
    handed: VecDeque<(u64, Instant)>,
}

/// Why the core ended otherwise than by being told to.
#[derive(Debug)]
pub(super) enum Broken {
    /// The journal's thread is gone.
    WriterEnded,
    /// The hall made a record that does not fit; going on would part the hall from its journal.
    Unfit(String),
}

impl Core {
    pub(super) fn new(
        hall: Hall,
        clock: VenueClock,
        writer: WriterHandle,
        lines: Lines,
        bulletin: Arc<Bulletin>,
    ) -> Self {
        let inner = Inner {
            out: Out::default(),
            urgent: Vec::new(),
            waiting: Waiting::new(writer.durable()),
            records: Vec::new(),
            kept: VecDeque::new(),
            last: writer.tail().n,
            replies: HashMap::new(),
            next_ask: 1,
            fault: None,
            settled: HashMap::new(),
            handed: VecDeque::new(),
        };
        Self { hall, clock, writer, lines, bulletin, inner }
    }

    /// Runs until every line is gone and all they said is taken in, then sees everything onto the disk.
    pub(super) async fn run(mut self, ears: Ears, opening: Opening) -> Result<(), Broken> {
        let Ears { mut inputs, mut asked, mut outcomes } = ears;
        let mut sleep = SleepWatch::new(Instants::now());
        let mut ticks = interval(TICK);
        let mut walls = interval(WALL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        walls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut batch = Vec::with_capacity(BATCH);
        self.inner.out = opening.out;
        self.inner.take_out(None);
        for heard in opening.first {
            self.hear(heard, None);
        }
        self.settle()?;
        let ended = loop {
            let now = self.clock.now();
            let due = self.hall.next_deadline().map(|deadline| self.clock.until(now, deadline));
            let listening = self.inner.kept.len() < MOST_KEPT;
            tokio::select! {
                biased;
                outcome = outcomes.recv() => match outcome {
                    Some(outcome) => self.outcome(outcome),
                    None => break Err(Broken::WriterEnded),
                },
                Some(asked) = asked.recv() => self.asked(asked),
                // At least a millisecond, so that a deadline that stays is no reason to spin.
                () = tokio::time::sleep(due.unwrap_or_default().max(Duration::from_millis(1))), if due.is_some() => {
                    self.hear(Heard::Time, None);
                }
                _ = ticks.tick() => {
                    if let Some(slept) = sleep.slept(Instants::now()) {
                        let message = format!("the host slept for {} s; nothing was heard meanwhile", slept.as_secs());
                        tracing::warn!("{message}");
                        self.hear(Heard::Fault { clock: None, kind: "suspended", message }, None);
                    }
                    self.tick();
                    if !listening && inputs.is_closed() {
                        break Ok(());
                    }
                }
                _ = walls.tick() => {
                    let wall = self.clock.wall(Instants::now());
                    self.hear(Heard::Wall(wall), None);
                    self.settled_views();
                }
                count = inputs.recv_many(&mut batch, BATCH), if listening => {
                    if count == 0 {
                        break Ok(());
                    }
                    for Input { heard, ack } in batch.drain(..) {
                        self.hear(heard, ack);
                    }
                }
            }
            self.settle()?;
        };
        drop(asked);
        ended?;
        self.end(outcomes).await
    }

    /// Everything onto the disk, and what rested on it out.
    async fn end(mut self, mut outcomes: mpsc::UnboundedReceiver<Outcome>) -> Result<(), Broken> {
        while !self.inner.kept.is_empty() {
            match outcomes.recv().await {
                Some(Outcome::Failing { error }) => {
                    let unwritten = self.inner.kept.len();
                    tracing::error!(unwritten, %error, "the daemon ends with records that cannot be written");
                    break;
                }
                Some(outcome) => self.outcome(outcome),
                None => return Err(Broken::WriterEnded),
            }
            self.settle()?;
        }
        let Self { writer, mut inner, lines, bulletin, .. } = self;
        // The thread ends when all is written, and its outcomes with it.
        drop(writer);
        while let Some(outcome) = outcomes.recv().await {
            if let Outcome::Durable { n, records } = outcome {
                inner.durable(n, records, &bulletin);
                inner.release(&lines, &bulletin);
            }
        }
        Ok(())
    }

    fn hear(&mut self, heard: Heard, ack: Option<Ack>) {
        let at = self.clock.now();
        self.hall.handle(at, heard, &mut self.inner.out);
        self.inner.take_out(ack);
    }

    fn asked(&mut self, asked: Asked) {
        match asked {
            Asked::Request { who, ask, reply } => self.request(reply, |id| Heard::Ask { id, who, ask: *ask }),
            Asked::Misread { who, method, params, refused, reply } => {
                self.request(reply, |id| Heard::Misread { id, who, method, params, refused });
            }
            Asked::View { audience, reply } => {
                if self.inner.fault.is_some()
                    && !self.inner.waiting.is_empty()
                    && let Some(view) = self.inner.settled.get(&audience)
                {
                    let _ = reply.send(view.clone());
                    return;
                }
                let view = self.view(audience);
                self.inner.waiting.push(self.inner.last, Held::View(audience, view, reply));
            }
        }
    }

    fn request(&mut self, reply: Reply, heard: impl FnOnce(AskId) -> Heard) {
        let id = AskId(self.inner.next_ask);
        self.inner.next_ask += 1;
        self.inner.replies.insert(id, reply);
        self.hear(heard(id), None);
        if self.inner.fault.is_some() {
            self.inner.answer_at_once();
        }
    }

    fn view(&mut self, audience: Audience) -> View {
        let now = self.clock.wall(Instants::now());
        let rules = self.hall.rules();
        View { now, head: rules.head(), snapshot: Arc::new(self.hall.snapshot(audience)) }
    }

    /// Keeps views for the time when the journal cannot be written.
    fn settled_views(&mut self) {
        if self.inner.fault.is_some() || !self.inner.waiting.is_empty() || !self.inner.records.is_empty() {
            return;
        }
        for audience in [Audience::Desk, Audience::Public] {
            let head = self.hall.rules().head();
            if self.inner.settled.get(&audience).is_none_or(|view| view.head != head) {
                let view = self.view(audience);
                self.inner.settled.insert(audience, view);
            }
        }
    }

    fn tick(&mut self) {
        let at = self.clock.now();
        self.bulletin.metrics.waiting(self.inner.waiting.len());
        for (audience, ticks) in
            [(Audience::Desk, &self.bulletin.ticks_desk), (Audience::Public, &self.bulletin.ticks_public)]
        {
            if ticks.receiver_count() > 0 {
                ticks.send_replace(self.tick_for(at, audience));
            }
        }
    }

    fn tick_for(&self, at: Venue, audience: Audience) -> Utf8Bytes {
        let mut tick = self.hall.tick(at, audience);
        let inner = &self.inner;
        let waits = inner.fault.is_some() || !inner.waiting.is_empty() || !inner.records.is_empty();
        if waits && let Some(settled) = inner.settled.get(&audience) {
            // what was decided and is not durable yet stays here; only what clocks show is fresh
            for board in &mut tick.boards {
                let same = |old: &&BoardView| (old.round, &old.board) == (board.round, &board.board);
                if let Some(old) = settled.snapshot.boards.iter().find(same) {
                    let fresh = std::mem::replace(board, old.clone());
                    board.first.ms = fresh.first.ms;
                    board.second.ms = fresh.second.ms;
                    (board.first.moves, board.second.moves) = (fresh.first.moves, fresh.second.moves);
                    (board.running, board.as_of, board.online) = (fresh.running, fresh.as_of, fresh.online);
                    (board.heard, board.battery_pct) = (fresh.heard, fresh.battery_pct);
                }
            }
        }
        tick.journal_fault.clone_from(&self.inner.fault);
        if audience == Audience::Desk {
            tick.uplink = self.bulletin.uplink.borrow().clone();
        }
        // Only texts are keys, so it can always be written.
        let json = serde_json::to_string(&tick).unwrap_or_default();
        Utf8Bytes::from(format!(r#"{{"jsonrpc":"2.0","method":"tick","params":{json}}}"#))
    }

    fn outcome(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Durable { n, records } => self.inner.durable(n, records, &self.bulletin),
            Outcome::Failing { error } => {
                let why = error.to_string();
                tracing::error!(why, "the journal cannot be written; events wait");
                self.fault(Some(why));
                self.inner.answer_at_once();
            }
            Outcome::Recovered => {
                tracing::info!("the journal can be written again");
                self.fault(None);
            }
        }
    }

    fn fault(&mut self, why: Option<String>) {
        self.bulletin.metrics.journal(why.is_none());
        self.bulletin.fault.send_replace(why.clone());
        self.inner.fault.clone_from(&why);
        self.hear(Heard::Journal(why), None);
    }

    /// Hands over what was made, lets go what is durable.
    fn settle(&mut self) -> Result<(), Broken> {
        for send in self.inner.urgent.drain(..) {
            tracing::warn!(clock = %send.command.clock, "stop sent before it could be written down");
            post(&self.lines, send);
        }
        self.inner.hand_over(&mut self.writer)?;
        self.inner.release(&self.lines, &self.bulletin);
        Ok(())
    }
}

impl Inner {
    /// Takes what the hall made of one input.
    fn take_out(&mut self, ack: Option<Ack>) {
        for record in self.out.records.drain(..) {
            self.last += 1;
            self.records.push(new_record(record));
        }
        let on = self.last;
        for event in self.out.tell.drain(..) {
            self.waiting.push(on, Held::Tell(Box::new(event)));
        }
        // An arbiter's stop while the journal cannot be written: the one thing that does not wait.
        self.urgent.append(&mut self.out.urgent);
        for send in self.out.send.drain(..) {
            self.waiting.push(on, Held::Send(Box::new(send)));
        }
        for (id, answer) in self.out.answers.drain(..) {
            self.waiting.push(on, Held::Answer(id, answer));
        }
        if let Some(ack) = ack {
            self.waiting.push(on, Held::Ack(ack));
        }
    }

    fn hand_over(&mut self, writer: &mut WriterHandle) -> Result<(), Broken> {
        self.kept.extend(self.records.drain(..));
        while !self.kept.is_empty() {
            let count = self.kept.len().min(4096);
            match writer.try_send(self.kept.drain(..count).collect()) {
                Ok(n) => self.handed.push_back((n, Instant::now())),
                Err(SendError::Full(back)) => {
                    for record in back.into_iter().rev() {
                        self.kept.push_front(record);
                    }
                    break;
                }
                Err(SendError::Ended(_)) => return Err(Broken::WriterEnded),
                Err(SendError::Unfit(unfit)) => return Err(Broken::Unfit(unfit.to_string())),
            }
        }
        Ok(())
    }

    fn durable(&mut self, n: u64, records: usize, bulletin: &Bulletin) {
        let mut oldest = None;
        while let Some((last, since)) = self.handed.front()
            && *last <= n
        {
            oldest.get_or_insert(*since);
            self.handed.pop_front();
        }
        bulletin.metrics.committed(records, oldest.map(|since| since.elapsed()));
        self.waiting.durable(n);
    }

    fn release(&mut self, lines: &Lines, bulletin: &Bulletin) {
        while let Some(held) = self.waiting.next() {
            match held {
                Held::Tell(event) => {
                    bulletin.metrics.told(&event);
                    bulletin.ring.push(Told::new(&event));
                }
                Held::Send(send) => post(lines, *send),
                Held::Answer(id, answer) => self.reply(id, answer),
                Held::View(audience, view, reply) => {
                    self.settled.insert(audience, view.clone());
                    let _ = reply.send(view);
                }
                Held::Ack(ack) => ack.durable(),
            }
        }
    }

    fn reply(&mut self, id: AskId, answer: Result<Value, Refused>) {
        // The desk may be gone, or was told that its request waits.
        if let Some(reply) = self.replies.remove(&id) {
            let _ = reply.send(answer);
        }
    }

    /// Nobody is left without a word while the journal cannot be written.
    fn answer_at_once(&mut self) {
        let Some(why) = self.fault.clone() else { return };
        let refused = self
            .waiting
            .take_if(|held| matches!(held, Held::Answer(_, Err(refused)) if rests_on_nothing(refused)));
        for held in refused {
            if let Held::Answer(id, answer) = held {
                self.reply(id, answer);
            }
        }
        for (_, reply) in self.replies.drain() {
            let mut waits = Refused::new(
                Refused::BUSY,
                format!(
                    "the journal cannot be written ({why}): this is kept and recorded as soon as it can; a stop went out"
                ),
            );
            waits.data = Some(serde_json::json!({ "waits": true }));
            let _ = reply.send(Err(waits));
        }
    }
}

/// A refusal that says nothing of the hall: whoever asked may have it at once.
const fn rests_on_nothing(refused: &Refused) -> bool {
    matches!(refused.code, Refused::BUSY | Refused::ROLE | Refused::PARAMS)
}

fn post(lines: &Lines, send: Send) {
    let clock = send.command.clock;
    log_posted(clock, &lines.post(send));
}

fn new_record(record: flagfall_hall::Record) -> NewRecord {
    let kind = record.kind.parse().unwrap_or(flagfall_journal::Kind::Decision);
    NewRecord { at_ms: record.at.0, kind, seq: record.seq, body: record.body }
}

/// Ticks and fault of a bulletin nobody has put anything up on.
pub(super) fn blank() -> (watch::Sender<Utf8Bytes>, watch::Sender<Utf8Bytes>, watch::Sender<Option<String>>) {
    (
        watch::Sender::new(Utf8Bytes::default()),
        watch::Sender::new(Utf8Bytes::default()),
        watch::Sender::new(None),
    )
}
