//! A client of a broker for each clock, as a clock with a radio would be.
//!
//! Birth and will on `/link`, statuses at QoS 0, events at QoS 1, commands at QoS 1; a retained command is refused.

use super::lines::{LineError, LineWord, ToWorld, Words};
use crate::chance::Chance;
use flagfall_clock::{
    Accept, Channel, Check, ClockId, ClockReport, Encoding, MAX_MESSAGE, Topic, decode_command, encode_report,
};
use rumqttc::{AsyncClient, Event, EventLoop, LastWill, MqttOptions, NetworkOptions, Packet, Publish, QoS};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

/// Requests that wait while the broker is away: events, not statuses.
const WAITING: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broker {
    host: String,
    port: u16,
    login: Option<(String, String)>,
}

impl Broker {
    pub(super) fn parse(url: &str) -> Result<Self, LineError> {
        let wrong = || LineError::Broker(url.to_owned());
        let rest = url.strip_prefix("mqtt://").ok_or_else(wrong)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (login, place) =
            rest.rsplit_once('@').map_or((None, rest), |(login, place)| (Some(login), place));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
            None => (place, 1883),
        };
        if host.is_empty() || host.contains('/') {
            return Err(wrong());
        }
        let login = login.map(|login| {
            let (user, password) = login.split_once(':').unwrap_or((login, ""));
            (user.to_owned(), password.to_owned())
        });
        Ok(Self { host: host.to_owned(), port, login })
    }

    fn connect(&self, clock: ClockId, seed: u64) -> (AsyncClient, EventLoop) {
        let mut options = MqttOptions::new(format!("flagfall-clock-{clock}-{seed:x}"), &self.host, self.port);
        options.set_keep_alive(Duration::from_secs(5));
        options.set_clean_session(true);
        options.set_max_packet_size(16 * 1024, 16 * 1024);
        let link = Topic::new(clock, Channel::Link).to_string();
        options.set_last_will(LastWill::new(link, "offline", QoS::AtLeastOnce, true));
        if let Some((user, password)) = &self.login {
            options.set_credentials(user, password);
        }
        let (client, mut events) = AsyncClient::new(options, WAITING);
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        events.set_network_options(network);
        (client, events)
    }
}

/// Carries one clock's messages until its queue is closed.
pub(super) async fn line(
    broker: Broker,
    clock: ClockId,
    encoding: Encoding,
    seed: u64,
    mut words: Words,
    to_world: ToWorld,
) {
    let chance = Chance::new(seed, "reconnect", &[clock.as_str().bytes().map(u64::from).sum()]);
    loop {
        let (client, events) = broker.connect(clock, seed);
        match session(client, events, clock, encoding, &mut words, &to_world, &chance).await {
            Ended::Closed => return,
            // Dropped without a farewell: the broker sends the will.
            Ended::Unplugged => loop {
                match words.recv().await {
                    None => return,
                    Some((_, LineWord::Plug)) => break,
                    Some(_) => {}
                }
            },
        }
    }
}

enum Ended {
    Closed,
    Unplugged,
}

/// What the connection brings.
enum Brought {
    Up,
    Message(Box<Publish>),
    Away,
}

/// Polls the connection, in a task of its own: a poll that is given up in its middle would lose messages.
async fn pump(mut events: EventLoop, clock: ClockId, mut chance: Chance, to: mpsc::Sender<Brought>) {
    loop {
        let brought = match events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => Brought::Up,
            Ok(Event::Incoming(Packet::Publish(publish))) => Brought::Message(Box::new(publish)),
            Ok(_) => continue,
            Err(error) => {
                tracing::debug!(%clock, %error, "the broker is away");
                Brought::Away
            }
        };
        let away = matches!(brought, Brought::Away);
        if to.send(brought).await.is_err() {
            return;
        }
        if away {
            // A whole hall must not come back in the same instant.
            tokio::time::sleep(Duration::from_millis(chance.between(300, 2_500).unsigned_abs())).await;
        }
    }
}

async fn session(
    client: AsyncClient,
    events: EventLoop,
    clock: ClockId,
    encoding: Encoding,
    words: &mut Words,
    to_world: &ToWorld,
    chance: &Chance,
) -> Ended {
    let (to, mut brought) = mpsc::channel(WAITING);
    // Dropped with the session, and the connection with it.
    let _pump = AbortOnDropHandle::new(tokio::spawn(pump(events, clock, chance.clone(), to)));
    let mut connected = false;
    loop {
        tokio::select! {
            word = words.recv() => match word {
                None => {
                    farewell(&client, &mut brought, clock, connected).await;
                    return Ended::Closed;
                }
                Some((_, LineWord::Report(report))) => say(&client, &report, encoding, connected),
                Some((_, LineWord::Unplug)) => return Ended::Unplugged,
                Some((_, LineWord::Plug)) => {}
            },
            news = brought.recv() => match news {
                None => return Ended::Closed,
                Some(Brought::Up) => {
                    connected = true;
                    greet(&client, clock);
                }
                Some(Brought::Away) => connected = false,
                Some(Brought::Message(publish)) => {
                    if let Some(command) = command_in(clock, &publish)
                        && to_world.send(command).await.is_err()
                    {
                        return Ended::Closed;
                    }
                }
            },
        }
    }
}

/// Subscribes and says the birth, at each connection: the broker may have forgotten both.
fn greet(client: &AsyncClient, clock: ClockId) {
    for channel in [Channel::Command, Channel::CommandFrame] {
        if let Err(error) = client.try_subscribe(Topic::new(clock, channel).to_string(), QoS::AtLeastOnce) {
            tracing::warn!(%clock, %error, "not subscribed");
        }
    }
    let link = Topic::new(clock, Channel::Link).to_string();
    if let Err(error) = client.try_publish(link, QoS::AtLeastOnce, true, "online") {
        tracing::warn!(%clock, %error, "no birth");
    }
}

fn say(client: &AsyncClient, report: &ClockReport, encoding: Encoding, connected: bool) {
    let event = report.event.is_some();
    if !connected && !event {
        return;
    }
    let mut payload = vec![0; MAX_MESSAGE];
    let Ok(len) = encode_report(report, encoding, Check::Crc, &mut payload) else { return };
    payload.truncate(len);
    let channel = match encoding {
        Encoding::Json => Channel::Report,
        Encoding::Binary => Channel::Frame,
    };
    let qos = if event { QoS::AtLeastOnce } else { QoS::AtMostOnce };
    if let Err(error) = client.try_publish(Topic::new(report.clock, channel).to_string(), qos, false, payload)
    {
        // It can be asked for again.
        tracing::debug!(clock = %report.clock, %error, "a message is lost");
    }
}

fn command_in(clock: ClockId, publish: &Publish) -> Option<flagfall_clock::ClockCommand> {
    let topic: Topic = publish.topic.parse().ok()?;
    let encoding = match topic.channel {
        Channel::Command => Encoding::Json,
        Channel::CommandFrame => Encoding::Binary,
        Channel::Report | Channel::Frame | Channel::Link => return None,
    };
    if publish.retain {
        tracing::warn!(%clock, topic = publish.topic, "a retained command is refused");
        return None;
    }
    // TCP has seen to damage; who may publish here is the broker's to decide.
    match decode_command(&publish.payload, encoding, &Accept::UNCHECKED) {
        Ok(command) if command.clock == clock => Some(command),
        Ok(command) => {
            tracing::warn!(%clock, of = %command.clock, "a command of another clock");
            None
        }
        Err(error) => {
            tracing::warn!(%clock, %error, "no command");
            None
        }
    }
}

/// Says that it goes, and goes.
async fn farewell(
    client: &AsyncClient,
    brought: &mut mpsc::Receiver<Brought>,
    clock: ClockId,
    connected: bool,
) {
    if !connected {
        return;
    }
    let link = Topic::new(clock, Channel::Link).to_string();
    if client.try_publish(link, QoS::AtLeastOnce, true, "offline").is_err()
        || client.try_disconnect().is_err()
    {
        return;
    }
    let gone = async { while !matches!(brought.recv().await, None | Some(Brought::Away)) {} };
    let _ = tokio::time::timeout(Duration::from_millis(800), gone).await;
}

#[cfg(test)]
mod tests {
    use super::Broker;

    #[test]
    fn a_broker_s_address_is_read_in_its_parts() {
        let broker = Broker::parse("mqtt://clock:secret@hall.local:1884").unwrap();
        assert_eq!((broker.host.as_str(), broker.port), ("hall.local", 1884));
        assert_eq!(broker.login, Some(("clock".into(), "secret".into())));
        assert_eq!(Broker::parse("mqtt://127.0.0.1").unwrap().port, 1883);
        for wrong in ["127.0.0.1:1883", "http://x", "mqtt://", "mqtt://x:y", "mqtt://a/b"] {
            assert!(Broker::parse(wrong).is_err(), "{wrong}");
        }
    }
}
