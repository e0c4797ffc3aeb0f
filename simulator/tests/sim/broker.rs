//! Clocks at a real broker.

use flagfall_clock::{
    Accept, Action, Channel, Check, ClockCommand, ClockId, Encoding, MAX_MESSAGE, Topic, decode_report,
    encode_command,
};
use flagfall_simulator::Device;
use flagfall_simulator::live::{Encodings, LineWord, Lines, Transport};
use rumqttc::{AsyncClient, Event, MqttOptions, Packet, Publish, QoS};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::sync::mpsc;

struct Broker {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Broker {
    fn start() -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mosquitto.conf");
        std::fs::write(
            &file,
            format!("listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"),
        )
        .unwrap();
        let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"]
            .into_iter()
            .find(|path| std::path::Path::new(path).exists())
            .unwrap_or("mosquitto");
        let process = Command::new(program)
            .arg("-c")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("this test needs mosquitto (`apt install mosquitto`): {error}"));
        Self { process, port, _folder: folder }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The daemon's end.
fn subscriber(port: u16) -> (AsyncClient, mpsc::Receiver<Publish>) {
    let mut options = MqttOptions::new("daemon", "127.0.0.1", port);
    options.set_keep_alive(Duration::from_secs(5));
    let (client, mut events) = AsyncClient::new(options, 64);
    let (to, heard) = mpsc::channel(256);
    let asks = client.clone();
    tokio::spawn(async move {
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    for channel in [Channel::Report, Channel::Frame, Channel::Link] {
                        asks.try_subscribe(channel.of_every_clock(), QoS::AtLeastOnce).unwrap();
                    }
                }
                Ok(Event::Incoming(Packet::Publish(publish))) => {
                    if to.send(publish).await.is_err() {
                        return;
                    }
                }
                Ok(_) => {}
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    });
    (client, heard)
}

async fn until<T>(heard: &mut mpsc::Receiver<Publish>, mut wanted: impl FnMut(Publish) -> Option<T>) -> T {
    let search = async {
        loop {
            if let Some(found) = wanted(heard.recv().await.expect("the broker is there")) {
                return found;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), search).await.expect("it comes in time")
}

fn link(clock: ClockId, word: &'static str) -> impl FnMut(Publish) -> Option<()> {
    move |publish| {
        let topic = Topic::new(clock, Channel::Link).to_string();
        (publish.topic == topic && publish.payload.as_ref() == word.as_bytes()).then_some(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_at_a_broker_have_birth_and_will_and_refuse_what_was_retained() {
    let broker = Broker::start();
    let clock: ClockId = "A01".parse().unwrap();
    let (daemon, mut heard) = subscriber(broker.port);
    let command = |number| {
        let command = ClockCommand { clock, command: number, boot: 1, until_ms: 9_000, action: Action::Stop };
        let mut bytes = vec![0; MAX_MESSAGE];
        let len = encode_command(&command, Encoding::Binary, Check::Crc, &mut bytes).unwrap();
        bytes.truncate(len);
        bytes
    };
    let topic = Topic::new(clock, Channel::CommandFrame).to_string();
    daemon.publish(&topic, QoS::AtLeastOnce, true, command(1)).await.unwrap();

    let transport = Transport::Mqtt(format!("mqtt://127.0.0.1:{}", broker.port));
    let (mut lines, mut commands) = Lines::lay(&transport, &[clock], Encodings::Binary, 1).await.unwrap();
    until(&mut heard, link(clock, "online")).await;

    let mut device = Device::new(clock, Default::default(), 0, 0);
    device.switch_on(0, false);
    let boot = device.next_report().unwrap();
    lines.tell(clock, LineWord::Report(Box::new(boot.clone())));
    let (qos, report) = until(&mut heard, |publish| {
        let topic = Topic::new(clock, Channel::Frame).to_string();
        let fits = publish.topic == topic;
        fits.then(|| {
            (publish.qos, decode_report(&publish.payload, Encoding::Binary, &Accept::CHECKED).unwrap())
        })
    })
    .await;
    assert_eq!((qos, report), (QoS::AtLeastOnce, boot));

    daemon.publish(&topic, QoS::AtLeastOnce, false, command(2)).await.unwrap();
    let got = tokio::time::timeout(Duration::from_secs(10), commands.recv()).await.unwrap().unwrap();
    assert_eq!(got.command, 2, "the retained one was refused");

    lines.tell(clock, LineWord::Unplug);
    until(&mut heard, link(clock, "offline")).await;
    lines.tell(clock, LineWord::Plug);
    until(&mut heard, link(clock, "online")).await;
    lines.close().await;
    until(&mut heard, link(clock, "offline")).await;
}
