//! A real mosquitto.

use super::{Rig, clock, command, report};
use crate::config::Mqtt;
use crate::links::mqtt;
use flagfall_clock::{Check, Encoding, MAX_MESSAGE, Message, decode, encode_report};
use flagfall_hall::Heard;
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::{AsyncClient, Event, Incoming, MqttOptions};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::sync::mpsc;

/// A broker of our own; ends with the test.
struct Mosquitto {
    folder: tempfile::TempDir,
    port: u16,
    child: Option<Child>,
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Mosquitto {
    fn start() -> Self {
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let folder = tempfile::tempdir().expect("a folder");
        let mut broker = Self { folder, port, child: None };
        broker.run();
        broker
    }

    fn run(&mut self) {
        let file = self.folder.path().join("mosquitto.conf");
        let text = format!("listener {} 127.0.0.1\nallow_anonymous true\npersistence false\n", self.port);
        std::fs::write(&file, text).expect("a configuration");
        let child = Command::new("/usr/sbin/mosquitto")
            .args(["-c".as_ref(), file.as_os_str()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("mosquitto is installed"));
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("gone");
        }
    }

    fn config(&self) -> Mqtt {
        let (host, port) = ("127.0.0.1".to_owned(), self.port);
        Mqtt { url: format!("mqtt://{host}:{port}"), host, port, tls: false, login: None }
    }

    /// Somebody else at the broker: his hand, and what he hears on these topics once he is there.
    async fn peer(
        &self,
        name: &str,
        topics: &[&str],
    ) -> (AsyncClient, mpsc::UnboundedReceiver<(String, Vec<u8>)>) {
        let mut options = MqttOptions::new(name, "127.0.0.1", self.port);
        options.set_max_packet_size(Some(4 << 20));
        let (client, mut events) = AsyncClient::new(options, 256);
        let (hear, heard) = mpsc::unbounded_channel();
        let (there, is_there) = tokio::sync::oneshot::channel();
        let mut there = Some(there);
        for topic in topics {
            client.subscribe(*topic, QoS::AtLeastOnce).await.expect("asked");
        }
        let wanted = topics.len();
        tokio::spawn(async move {
            let mut subscribed = 0;
            loop {
                match events.poll().await {
                    Ok(Event::Incoming(Incoming::ConnAck(_))) if wanted == 0 => {
                        there.take().map(|there| there.send(()));
                    }
                    Ok(Event::Incoming(Incoming::SubAck(_))) => {
                        subscribed += 1;
                        if subscribed == wanted {
                            there.take().map(|there| there.send(()));
                        }
                    }
                    Ok(Event::Incoming(Incoming::Publish(publish))) => {
                        let topic = String::from_utf8_lossy(&publish.topic).into_owned();
                        if hear.send((topic, publish.payload.to_vec())).is_err() {
                            return;
                        }
                    }
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        });
        is_there.await.expect("the broker takes him");
        (client, heard)
    }
}

fn keep(rig: &Rig, broker: &Mosquitto) {
    let (feed, stop, config) = (rig.feed.clone(), rig.stop.clone(), broker.config());
    tokio::spawn(async move { mqtt::keep(config, "flagfall-test".into(), &feed, &stop).await });
}

fn payload(name: &str, seq: u32, encoding: Encoding) -> Vec<u8> {
    let mut bytes = vec![0; MAX_MESSAGE];
    let count = encode_report(&report(name, seq), encoding, Check::None, &mut bytes).expect("a report");
    bytes.truncate(count);
    bytes
}

async fn say(client: &AsyncClient, topic: &str, retain: bool, payload: Vec<u8>) {
    client.publish(topic, QoS::AtLeastOnce, retain, payload).await.expect("handed over");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_come_in_and_commands_go_out_in_the_clocks_encoding() {
    let broker = Mosquitto::start();
    let mut rig = Rig::new();
    keep(&rig, &broker);
    let id = rig.up().await;
    let (client, mut heard) =
        broker.peer("clocks", &["flagfall/1/+/command", "flagfall/1/+/command-frame"]).await;
    say(&client, "flagfall/1/A01/report", false, payload("A01", 1, Encoding::Json)).await;
    assert_eq!(rig.report().await, report("A01", 1));
    say(&client, "flagfall/1/A02/frame", false, payload("A02", 1, Encoding::Binary)).await;
    assert_eq!(rig.report().await, report("A02", 1));
    for (name, encoding, channel) in
        [("A01", Encoding::Json, "command"), ("A02", Encoding::Binary, "command-frame")]
    {
        rig.command(id, name);
        let (topic, bytes) = heard.recv().await.expect("a command");
        assert_eq!(topic, format!("flagfall/1/{name}/{channel}"));
        let said = rig.feed.keys.reading(true, |accept| decode(&bytes, encoding, accept)).expect("a command");
        assert_eq!(said.message, Message::Command(command(name)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_not_acknowledged_comes_again_after_a_lost_connection() {
    let broker = Mosquitto::start();
    let mut rig = Rig::new();
    keep(&rig, &broker);
    rig.up().await;
    let (client, _heard) = broker.peer("clocks", &[]).await;
    for seq in 1..=2 {
        say(&client, "flagfall/1/A01/report", false, payload("A01", seq, Encoding::Json)).await;
    }
    let (first, second) = (rig.input().await, rig.input().await);
    // The first is durable, the second is not when the daemon goes.
    first.ack.expect("an event is acknowledged").durable();
    tokio::time::sleep(Duration::from_millis(300)).await;
    rig.stop.cancel();
    tokio::time::sleep(Duration::from_millis(800)).await;
    drop(second);
    let mut again = Rig::new();
    keep(&again, &broker);
    assert_eq!(again.report().await.seq, 2);
    assert!(tokio::time::timeout(Duration::from_millis(500), again.report()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_lost_everything_is_subscribed_to_again() {
    let mut broker = Mosquitto::start();
    let mut rig = Rig::new();
    keep(&rig, &broker);
    let id = rig.up().await;
    broker.kill();
    assert!(matches!(rig.heard().await, Heard::LineDown { line, .. } if line == id));
    broker.run();
    assert_eq!(rig.up().await, id);
    let (client, _heard) = broker.peer("clocks", &[]).await;
    say(&client, "flagfall/1/A01/report", false, payload("A01", 9, Encoding::Json)).await;
    assert_eq!(rig.report().await.seq, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_retained_messages_are_named_and_break_nothing() {
    let broker = Mosquitto::start();
    let (client, mut heard) = broker.peer("stranger", &["flagfall/1/+/report"]).await;
    for (name, bytes) in [("B11", 11 << 10), ("B02", 2 << 20)] {
        say(&client, &format!("flagfall/1/{name}/report"), true, vec![b'x'; bytes]).await;
        heard.recv().await.expect("the broker has it");
    }
    let mut rig = Rig::new();
    keep(&rig, &broker);
    let mut named = Vec::new();
    for _ in 0..2 {
        let (who, message) = rig.fault("oversized").await;
        assert!(message.contains("bytes"), "{message}");
        named.extend(who);
    }
    named.sort();
    assert_eq!(named, [clock("B02"), clock("B11")]);
    say(&client, "flagfall/1/A01/report", false, payload("A01", 1, Encoding::Json)).await;
    assert_eq!(rig.report().await.seq, 1);
    // Beyond what we take, the broker keeps it to itself.
    say(&client, "flagfall/1/B05/report", false, vec![b'x'; 5 << 20]).await;
    say(&client, "flagfall/1/A01/report", false, payload("A01", 2, Encoding::Json)).await;
    match rig.heard().await {
        Heard::Report { report, .. } => assert_eq!(report.seq, 2),
        other => panic!("the connection broke: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn retained_reports_and_foreign_topics_are_refused_by_name_and_links_are_heard() {
    let broker = Mosquitto::start();
    let (client, mut heard) = broker.peer("clocks", &["flagfall/1/#"]).await;
    say(&client, "flagfall/1/A01/report", true, payload("A01", 1, Encoding::Json)).await;
    say(&client, "flagfall/1/A01/link", true, b"offline".to_vec()).await;
    for _ in 0..2 {
        heard.recv().await.expect("the broker has it");
    }
    let mut rig = Rig::new();
    keep(&rig, &broker);
    let mut seen = (false, false);
    while seen != (true, true) {
        match rig.heard().await {
            Heard::Fault { clock: who, kind: "retained", message } => {
                assert_eq!(who, Some(clock("A01")));
                assert!(message.contains("flagfall/1/A01/report"), "{message}");
                seen.0 = true;
            }
            Heard::Will { clock: who, online: false, .. } if who == clock("A01") => seen.1 = true,
            Heard::LineUp { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    say(&client, "flagfall/1/A01/report", false, payload("A09", 1, Encoding::Json)).await;
    let (who, message) = rig.fault("foreign_topic").await;
    assert_eq!(who, Some(clock("A01")));
    assert!(message.contains("A01") && message.contains("A09"), "{message}");
    say(&client, "flagfall/1/A01/report", false, b"{\"clock\":".to_vec()).await;
    let (who, _) = rig.fault("malformed").await;
    assert_eq!(who, Some(clock("A01")));
    say(&client, "flagfall/1/A01/link", true, b"online".to_vec()).await;
    assert!(matches!(rig.heard().await, Heard::Will { online: true, .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_is_not_there_is_said_once() {
    let mut broker = Mosquitto::start();
    broker.kill();
    let mut rig = Rig::new();
    keep(&rig, &broker);
    let (_, message) = rig.fault("port").await;
    assert!(message.contains("refused"), "{message}");
    assert!(tokio::time::timeout(Duration::from_secs(2), rig.inputs.recv()).await.is_err());
    broker.run();
    rig.up().await;
}
