//! The broker: clocks' reports and links in, commands out.
//!
//! MQTT 5. The client's own loop runs in one task and is never held up by a single message; commands have a task of
//! their own. An event is acknowledged to the broker only when all that followed from it is durable, so what we lose
//! the broker sends again. We say what we take: a larger packet never leaves the broker, and one that is merely larger
//! than any message is refused by name. `rumqttc` stays behind this file.

use super::backoff::Backoff;
use super::feed::{Ack, Faults, Feed, Named};
use super::wire::{Spoken, speaks, spoke};
use super::{Lines, Outbox};
use crate::config::Mqtt;
use flagfall_clock::{
    Channel, Check, Checked, ClockCommand, ClockId, DecodeError, Encoding, MAX_LINE, MAX_MESSAGE, Message,
    Topic, decode, encode_command,
};
use flagfall_hall::Heard;
use rumqttc::v5::mqttbytes::v5::{
    ConnectReturnCode, Filter, Publish, PublishProperties, SubscribeReasonCode,
};
use rumqttc::v5::mqttbytes::{self, QoS};
use rumqttc::v5::{AsyncClient, ConnectionError, Event, EventLoop, Incoming, MqttOptions, StateError};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The largest packet the broker may send us. Far more than any message, so that what is too large still has a name.
const MAX_PACKET: u32 = 4 << 20;
/// Events unacknowledged at a time, as far as the broker goes along (mosquitto: `max_inflight_messages`, 20).
const RECEIVE_MAXIMUM: u16 = 256;
/// How long the broker keeps events for us while we are away.
const SESSION: Duration = Duration::from_secs(600);
/// A command is not delivered later than that.
const COMMAND_EXPIRY: Duration = Duration::from_secs(3);
/// A command is open so long, from its first sending.
const COMMAND_LASTS: Duration = Duration::from_millis(flagfall_hall::COMMAND_LASTS_MS);
/// Commands and acknowledgements on their way to the client's loop.
const REQUESTS: usize = 4096;
/// Statuses are left out while the core has room for fewer inputs than that.
const ROOM_FOR_EVENTS: usize = 512;

/// Keeps the connection until `stop`.
pub(super) async fn keep(mqtt: Mqtt, client_id: String, feed: &Feed, stop: &CancellationToken) {
    let mut broker = Broker::new(&mqtt, &client_id, feed);
    let writer = post(broker.client.clone(), broker.outbox.clone(), feed.clone(), Arc::clone(&broker.spoken));
    tokio::select! {
        () = stop.cancelled() => {}
        () = writer => {}
        () = broker.run() => {}
    }
    // Taken leave of properly, so that no will of ours is looked for; the session stays for the next start.
    let _ = broker.client.try_disconnect();
    let leaving = async { while broker.events.poll().await.is_ok() {} };
    let _ = tokio::time::timeout(Duration::from_millis(500), leaving).await;
}

struct Broker<'a> {
    feed: &'a Feed,
    named: Named,
    outbox: Outbox,
    client: AsyncClient,
    events: EventLoop,
    spoken: Spoken,
    faults: Faults,
    /// Counts connections: an acknowledgement belongs to the one its event came by.
    connection: Arc<AtomicU64>,
    up: bool,
    said: String,
    backoff: Backoff,
    /// A retained message broke the connection: retained ones are not asked for again.
    no_retained: bool,
}

impl<'a> Broker<'a> {
    fn new(mqtt: &Mqtt, client_id: &str, feed: &'a Feed) -> Self {
        let mut options = MqttOptions::new(client_id, &mqtt.host, mqtt.port);
        options
            .set_keep_alive(Duration::from_secs(5))
            .set_clean_start(false)
            .set_session_expiry_interval(u32::try_from(SESSION.as_secs()).ok())
            .set_max_packet_size(Some(MAX_PACKET))
            .set_receive_maximum(Some(RECEIVE_MAXIMUM))
            .set_connection_timeout(5)
            .set_manual_acks(true)
            .set_outgoing_inflight_upper_limit(100);
        let mut network = options.network_options();
        network.set_tcp_nodelay(true);
        options.set_network_options(network);
        if let Some((user, password)) = &mqtt.login {
            options.set_credentials(user.clone(), password.reveal());
        }
        let (client, events) = AsyncClient::new(options, REQUESTS);
        let lines: &Lines = &feed.lines;
        let (id, outbox) = lines.add();
        Self {
            feed,
            named: Named { id, name: mqtt.url.clone() },
            outbox,
            client,
            events,
            spoken: Spoken::default(),
            faults: Faults::new(),
            connection: Arc::default(),
            up: false,
            said: String::new(),
            backoff: Backoff::new(Duration::from_millis(500), Duration::from_secs(10)),
            no_retained: false,
        }
    }

    async fn run(&mut self) {
        loop {
            match self.events.poll().await {
                Ok(Event::Incoming(Incoming::ConnAck(_))) => self.connected().await,
                Ok(Event::Incoming(Incoming::SubAck(answer))) => self.subscribed(&answer.return_codes).await,
                Ok(Event::Incoming(Incoming::Publish(publish))) => self.published(publish).await,
                Ok(_) => {}
                Err(error) => {
                    self.broken(&error).await;
                    tokio::time::sleep(self.backoff.pause()).await;
                }
            }
        }
    }

    /// With or without a session of old: a subscription costs nothing, a missing one everything.
    async fn connected(&mut self) {
        self.connection.fetch_add(1, Ordering::Relaxed);
        let filters = [Channel::Report, Channel::Frame, Channel::Link].map(|channel| {
            let mut filter = Filter::new(channel.of_every_clock(), QoS::AtLeastOnce);
            // A retained report is seen as one also by whoever listens already.
            filter.preserve_retain = true;
            if self.no_retained {
                filter.retain_forward_rule = mqttbytes::v5::RetainForwardRule::Never;
            }
            filter
        });
        if let Err(error) = self.client.try_subscribe_many(filters) {
            tracing::error!(broker = %self.named.name, %error, "cannot subscribe");
        }
    }

    async fn subscribed(&mut self, codes: &[SubscribeReasonCode]) {
        let refused = codes.iter().any(|code| !matches!(code, SubscribeReasonCode::Success(_)));
        if refused {
            let url = &self.named.name;
            let message =
                format!("broker {url} refuses a subscription to flagfall/1/+/...: look at its access list");
            return self.say(message).await;
        }
        self.said.clear();
        self.backoff.reset();
        if !std::mem::replace(&mut self.up, true) {
            tracing::info!(line = %self.named.name, "broker is there");
            self.outbox.open();
            self.feed.metrics.line(&self.named.name, true);
            self.feed.tell(Heard::LineUp { line: self.named.id, name: self.named.name.clone() }).await;
        }
    }

    async fn broken(&mut self, error: &ConnectionError) {
        // A command is for now, not for when the broker is back; the hall sends it again if it still counts.
        self.events.pending.clear();
        let cause = cause(error);
        if too_large(error) && !self.no_retained {
            // A broker that does not keep to what we take would send it for ever.
            self.no_retained = true;
            self.events.options.set_clean_start(true);
        }
        if std::mem::replace(&mut self.up, false) {
            tracing::warn!(line = %self.named.name, cause, "broker is gone");
            self.outbox.close();
            self.feed.metrics.line(&self.named.name, false);
            self.feed.tell(Heard::LineDown { line: self.named.id, cause: cause.clone() }).await;
            self.said = cause;
        } else if self.said != cause {
            self.said.clone_from(&cause);
            let message =
                format!("broker {} cannot be used: {cause}; tried again until it can", self.named.name);
            self.say(message).await;
        }
    }

    async fn say(&mut self, message: String) {
        tracing::warn!(line = %self.named.name, "{message}");
        self.feed.metrics.fault("port");
        self.feed.tell(Heard::Fault { clock: None, kind: "port", message }).await;
    }

    async fn published(&mut self, publish: Publish) {
        let event = publish.qos != QoS::AtMostOnce;
        let heard = self.read(&publish);
        let ack = event.then(|| self.ack(publish));
        match (heard, ack) {
            (Some(heard), ack @ Some(_)) => {
                self.feed.tell_and(heard, ack).await;
            }
            // The next status makes up for one that is left out; events need the room.
            (Some(Heard::Report { .. }), None) if self.feed.inputs.capacity() < ROOM_FOR_EVENTS => {
                self.feed.metrics.status_left_out();
            }
            (Some(heard), None) => {
                self.feed.tell(heard).await;
            }
            (None, Some(ack)) => ack.durable(),
            (None, None) => {}
        }
    }

    fn ack(&self, publish: Publish) -> Ack {
        let came_by = self.connection.load(Ordering::Relaxed);
        let (connection, client) = (Arc::clone(&self.connection), self.client.clone());
        Ack::new(move || {
            // On another connection its number means another event.
            if connection.load(Ordering::Relaxed) == came_by
                && let Err(error) = client.try_ack(&publish)
            {
                tracing::warn!(%error, "an event could not be acknowledged; the broker will send it again");
            }
        })
    }

    fn read(&mut self, publish: &Publish) -> Option<Heard> {
        let shown = String::from_utf8_lossy(&publish.topic).chars().take(80).collect::<String>();
        let topic: Topic = match std::str::from_utf8(&publish.topic).ok().and_then(|text| text.parse().ok()) {
            Some(topic) => topic,
            None => {
                return self
                    .fault("foreign_topic", None, || format!("topic {shown:?} names no clock of ours"));
            }
        };
        let clock = topic.clock;
        let bytes = publish.payload.len();
        if bytes > MAX_MESSAGE {
            return self.fault("oversized", Some(clock), || {
                format!("topic {shown}: a message of {bytes} bytes, a clock's has at most {MAX_MESSAGE}")
            });
        }
        let encoding = match topic.channel {
            Channel::Report => Encoding::Json,
            Channel::Frame => Encoding::Binary,
            Channel::Link => return self.link(publish, clock, &shown),
            Channel::Command | Channel::CommandFrame => return None,
        };
        if publish.retain {
            return self.fault("retained", Some(clock), || {
                format!("topic {shown}: a retained report was refused: it says what was, not what is")
            });
        }
        let feed = self.feed;
        let decoded = feed.keys.reading(true, |accept| decode(&publish.payload, encoding, accept));
        match decoded.map(|received| (received.message, received.checked)) {
            Ok((Message::Report(report), _)) if report.clock != clock => {
                let says = report.clock;
                self.fault("foreign_topic", Some(clock), || {
                    format!("topic {shown} belongs to clock {clock}, but the report on it says clock {says}")
                })
            }
            Ok((Message::Report(report), checked)) => {
                self.feed.metrics.report();
                spoke(&self.spoken, clock, encoding);
                let sealed = checked == Checked::Seal;
                Some(Heard::Report { line: self.named.id, report, sealed })
            }
            Ok((Message::Command(_), _)) => self.fault("malformed", Some(clock), || {
                format!("topic {shown}: a command where a report is due")
            }),
            Err(error @ (DecodeError::Unsealed(_) | DecodeError::Seal(_))) => {
                self.fault("seal", Some(clock), || format!("topic {shown}: {error}"))
            }
            Err(error) => self.fault("malformed", Some(clock), || format!("topic {shown}: {error}")),
        }
    }

    fn link(&mut self, publish: &Publish, clock: ClockId, shown: &str) -> Option<Heard> {
        let online = match &publish.payload[..] {
            b"online" => true,
            b"offline" => false,
            // A retained word that was taken back.
            b"" => return None,
            _ => {
                return self.fault("malformed", Some(clock), || {
                    format!("topic {shown}: neither `online` nor `offline`")
                });
            }
        };
        Some(Heard::Will { line: self.named.id, clock, online })
    }

    fn fault(
        &mut self,
        kind: &'static str,
        clock: Option<ClockId>,
        message: impl FnOnce() -> String,
    ) -> Option<Heard> {
        self.feed.metrics.fault(kind);
        self.faults.note(Instant::now(), kind, clock, message)
    }
}

/// Publishes commands in the encoding their clock used last.
async fn post(client: AsyncClient, outbox: Outbox, feed: Feed, spoken: Spoken) {
    let mut first: HashMap<ClockId, (u32, Instant)> = HashMap::new();
    loop {
        let command = outbox.next().await;
        let since = first.entry(command.clock).or_insert((command.command, Instant::now()));
        if since.0 != command.command {
            *since = (command.command, Instant::now());
        }
        // A repeat must not outlive its command at the broker: a clock that comes back finds nothing old.
        let left = if command.command == 0 {
            COMMAND_EXPIRY
        } else {
            COMMAND_LASTS.saturating_sub(since.1.elapsed())
        };
        let expiry = left.min(COMMAND_EXPIRY).as_secs();
        if expiry == 0 {
            continue;
        }
        if let Some((topic, payload)) = write(&command, &feed, &spoken) {
            let properties = PublishProperties {
                message_expiry_interval: u32::try_from(expiry).ok(),
                ..PublishProperties::default()
            };
            let published =
                client.publish_with_properties(topic, QoS::AtLeastOnce, false, payload, properties).await;
            if let Err(error) = published {
                tracing::warn!(clock = %command.clock, %error, "command not published");
            }
        }
    }
}

fn write(command: &ClockCommand, feed: &Feed, spoken: &Spoken) -> Option<(String, Vec<u8>)> {
    let encoding = speaks(spoken, &command.clock);
    let channel = match encoding {
        Encoding::Json => Channel::Command,
        Encoding::Binary => Channel::CommandFrame,
    };
    let check = feed.keys.of(&command.clock).map_or(Check::None, Check::Seal);
    let mut payload = vec![0; MAX_LINE];
    match encode_command(command, encoding, check, &mut payload) {
        Ok(count) => {
            payload.truncate(count);
            Some((Topic::new(command.clock, channel).to_string(), payload))
        }
        Err(error) => {
            tracing::error!(clock = %command.clock, number = command.command, %error, "command cannot be written");
            None
        }
    }
}

fn too_large(error: &ConnectionError) -> bool {
    matches!(
        error,
        ConnectionError::MqttState(
            StateError::IncomingPacketTooLarge { .. }
                | StateError::Deserialization(mqttbytes::Error::PayloadSizeLimitExceeded { .. })
        )
    )
}

/// What a person needs to know.
fn cause(error: &ConnectionError) -> String {
    match error {
        ConnectionError::ConnectionRefused(ConnectReturnCode::UnsupportedProtocolVersion) => {
            "it does not speak MQTT 5".into()
        }
        ConnectionError::ConnectionRefused(
            ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized,
        ) => "it refuses our user and password".into(),
        ConnectionError::ConnectionRefused(code) => format!("it refuses us: {code:?}"),
        ConnectionError::Timeout(_) => "no answer for 5 s".into(),
        ConnectionError::MqttState(StateError::AwaitPingResp) => "no answer to pings".into(),
        ConnectionError::MqttState(StateError::ConnectionAborted) => "the connection was closed".into(),
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => {
            format!("it sent us away: {reason_code:?}")
        }
        _ if too_large(error) => {
            format!("it sent a packet over {MAX_PACKET} bytes although we said our limit")
        }
        ConnectionError::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}
