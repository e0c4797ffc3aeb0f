//! What is counted, in Prometheus' form. Counts only; decides nothing.

use flagfall_arbiter::{Audience, CommandState, Event, News, UplinkState, UplinkView};
use flagfall_clock::ClockId;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Line {
    line: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct To {
    audience: &'static str,
}

impl From<Audience> for To {
    fn from(audience: Audience) -> Self {
        let audience = match audience {
            Audience::Desk => "desk",
            Audience::Public => "public",
        };
        Self { audience }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct User {
    user: String,
}

/// All that is counted. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Metrics {
    counts: Arc<Counts>,
}

#[derive(Debug)]
struct Counts {
    registry: Registry,
    reports: Counter,
    statuses_left_out: Counter,
    faults: Family<Kind, Counter>,
    lines: Family<Line, Gauge>,
    online: Gauge,
    clocks: Mutex<BTreeSet<ClockId>>,
    events: Family<Kind, Counter>,
    head: Gauge,
    waiting: Gauge,
    commands: Family<State, Counter>,
    clients: Gauge,
    acked: Family<User, Gauge>,
    records: Counter,
    commits: Counter,
    commit_seconds: Histogram,
    journal_ok: Gauge,
    /// Nothing is in them where no uplink is configured.
    uplink_up: Family<To, Gauge>,
    uplink_dials: Family<To, Counter>,
    uplink_sent: Family<To, Gauge>,
    uplink_acked: Family<To, Gauge>,
    uplink_waiting: Family<To, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        // From 0.1 ms on a good disk to seconds on a bad card.
        let buckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
        let mut counts = Counts {
            registry: Registry::with_prefix("flagfall"),
            reports: Counter::default(),
            statuses_left_out: Counter::default(),
            faults: Family::default(),
            lines: Family::default(),
            online: Gauge::default(),
            clocks: Mutex::default(),
            events: Family::default(),
            head: Gauge::default(),
            waiting: Gauge::default(),
            commands: Family::default(),
            clients: Gauge::default(),
            acked: Family::default(),
            records: Counter::default(),
            commits: Counter::default(),
            commit_seconds: Histogram::new(buckets),
            journal_ok: Gauge::default(),
            uplink_up: Family::default(),
            uplink_dials: Family::default(),
            uplink_sent: Family::default(),
            uplink_acked: Family::default(),
            uplink_waiting: Family::default(),
        };
        counts.journal_ok.set(1);
        let registry = &mut counts.registry;
        registry.register("reports", "Intact reports of clocks", counts.reports.clone());
        let help = "Statuses left out because the daemon was busy; the next one makes up for it";
        registry.register("statuses_left_out", help, counts.statuses_left_out.clone());
        registry.register("faults", "Messages and lines that did not work", counts.faults.clone());
        registry.register("line_up", "Whether a line is there", counts.lines.clone());
        registry.register("clocks_online", "Clocks that are heard", counts.online.clone());
        registry.register("events", "Events told", counts.events.clone());
        registry.register("events_head", "Seq of the last event told", counts.head.clone());
        registry.register("waiting_durable", "Things that wait for the journal", counts.waiting.clone());
        registry.register("commands", "Commands to clocks by what became of them", counts.commands.clone());
        registry.register("desk_clients", "Desks connected", counts.clients.clone());
        registry.register("desk_acked", "Last event a user's desk has acknowledged", counts.acked.clone());
        registry.register("journal_records", "Records written", counts.records.clone());
        registry.register("journal_commits", "Transactions written", counts.commits.clone());
        let help = "From handing records over until they were durable";
        registry.register("journal_commit_seconds", help, counts.commit_seconds.clone());
        registry.register("journal_ok", "Whether the journal can be written", counts.journal_ok.clone());
        registry.register("uplink_up", "Whether the arbiter system is reached", counts.uplink_up.clone());
        registry.register("uplink_dials", "How often it was dialled", counts.uplink_dials.clone());
        registry.register("uplink_sent", "Seq of the last event sent to it", counts.uplink_sent.clone());
        let help = "Seq of the last event it has acknowledged";
        registry.register("uplink_acked", help, counts.uplink_acked.clone());
        let help = "Events told that it has not acknowledged";
        registry.register("uplink_waiting", help, counts.uplink_waiting.clone());
        Self { counts: Arc::new(counts) }
    }

    /// The page that Prometheus reads.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = String::new();
        // Writing into a string cannot fail.
        let _ = prometheus_client::encoding::text::encode(&mut page, &self.counts.registry);
        page
    }

    /// An intact report came.
    pub fn report(&self) {
        self.counts.reports.inc();
    }

    /// A status was left out.
    pub fn status_left_out(&self) {
        self.counts.statuses_left_out.inc();
    }

    /// A message or a line did not work.
    pub fn fault(&self, kind: &str) {
        self.counts.faults.get_or_create(&Kind { kind: kind.into() }).inc();
    }

    /// A line is there or not.
    pub fn line(&self, line: &str, up: bool) {
        self.counts.lines.get_or_create(&Line { line: line.into() }).set(i64::from(up));
    }

    /// An event was told.
    pub fn told(&self, event: &Event) {
        self.counts.events.get_or_create(&Kind { kind: event.news.name().into() }).inc();
        self.counts.head.set(i64::try_from(event.seq).unwrap_or(i64::MAX));
        match &event.news {
            News::ClockOnline(_) => self.clock(event.clock, true),
            News::ClockOffline(_) => self.clock(event.clock, false),
            News::Command(command) => {
                let state = match command.state {
                    CommandState::Sent => "sent",
                    CommandState::Done => "done",
                    CommandState::Refused => "refused",
                    CommandState::Expired => "expired",
                    CommandState::ByHand => "by_hand",
                };
                self.counts.commands.get_or_create(&State { state }).inc();
            }
            _ => {}
        }
    }

    /// A clock is heard or not.
    pub fn clock(&self, clock: Option<ClockId>, online: bool) {
        let Some(clock) = clock else { return };
        let mut clocks = self.counts.clocks.lock().unwrap_or_else(PoisonError::into_inner);
        if online {
            clocks.insert(clock);
        } else {
            clocks.remove(&clock);
        }
        self.counts.online.set(i64::try_from(clocks.len()).unwrap_or(i64::MAX));
    }

    /// So many things wait for the journal.
    pub fn waiting(&self, count: usize) {
        self.counts.waiting.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// A desk came or went.
    pub fn client(&self, came: bool) {
        self.counts.clients.inc_by(if came { 1 } else { -1 });
    }

    /// A user's desk has everything up to `seq`.
    pub fn acked(&self, user: &str, seq: u64) {
        let seq = i64::try_from(seq).unwrap_or(i64::MAX);
        self.counts.acked.get_or_create(&User { user: user.into() }).set(seq);
    }

    /// Records were written.
    pub fn committed(&self, records: usize, took: Option<Duration>) {
        self.counts.records.inc_by(records as u64);
        self.counts.commits.inc();
        if let Some(took) = took {
            self.counts.commit_seconds.observe(took.as_secs_f64());
        }
    }

    /// The arbiter system is dialled.
    pub fn uplink_dialled(&self, audience: Audience) {
        self.counts.uplink_dials.get_or_create(&audience.into()).inc();
    }

    /// How the reporting to the arbiter system stands.
    pub fn uplink(&self, view: &UplinkView, audience: Audience) {
        let to = To::from(audience);
        let set = |gauge: &Family<To, Gauge>, value: u64| {
            gauge.get_or_create(&to).set(i64::try_from(value).unwrap_or(i64::MAX));
        };
        set(&self.counts.uplink_up, u64::from(view.state == UplinkState::Up));
        set(&self.counts.uplink_sent, view.sent);
        set(&self.counts.uplink_acked, view.acked);
        set(&self.counts.uplink_waiting, view.waiting);
    }

    /// The journal can be written or not.
    pub fn journal(&self, ok: bool) {
        self.counts.journal_ok.set(i64::from(ok));
    }
}
