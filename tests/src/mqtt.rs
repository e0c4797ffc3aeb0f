//! Clocks at the broker, and somebody who says there whatever a test wants.

use crate::clock::{Clock, Said};
use crate::lines::{Ear, Speech, written};
use crate::until::{SOON, until};
use rumqttc::{AsyncClient, Event, LastWill, MqttOptions, Packet, QoS};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// A clock's connection. Dropped, it breaks as if the cable were cut, and the broker speaks the will.
#[derive(Debug)]
pub struct AtBroker {
    clock: Clock,
    tasks: [JoinHandle<()>; 2],
    copies: Arc<AtomicU32>,
    /// Its client, for what else the test wants to publish in its name.
    pub client: AsyncClient,
}

impl Drop for AtBroker {
    fn drop(&mut self) {
        self.clock.cut();
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Connects a clock with the broker, and waits until its commands can reach it. The session is kept by the broker,
/// so that what waits for it there comes when it returns.
pub async fn connect(clock: &Clock, port: u16, speech: Speech) -> AtBroker {
    let name = clock.name();
    let mut options = MqttOptions::new(format!("clock-{name}"), "127.0.0.1", port);
    let link = format!("flagfall/1/{name}/link");
    options.set_clean_session(false);
    options.set_keep_alive(Duration::from_secs(5));
    options.set_last_will(LastWill::new(&link, "offline", QoS::AtLeastOnce, true));
    let (client, mut events) = AsyncClient::new(options, 512);
    let (up, down) = match speech {
        Speech::Json => ("report", "command"),
        Speech::Binary => ("frame", "command-frame"),
    };
    let there = Arc::new(AtomicBool::new(false));
    let ear = {
        let (client, clock, there) = (client.clone(), clock.clone(), Arc::clone(&there));
        let topic = format!("flagfall/1/{name}/{down}");
        tokio::spawn(async move {
            let mut ear = Ear::new(speech);
            loop {
                match events.poll().await {
                    Ok(Event::Incoming(Packet::ConnAck(_))) => {
                        let _ = client.subscribe(&topic, QoS::AtLeastOnce).await;
                        let _ = client.publish(&link, QoS::AtLeastOnce, true, "online").await;
                    }
                    Ok(Event::Incoming(Packet::SubAck(_))) => there.store(true, Ordering::Release),
                    Ok(Event::Incoming(Packet::Publish(publish))) => match speech {
                        Speech::Json => match serde_json::from_slice::<Value>(&publish.payload) {
                            Ok(command) => clock.tell(&command),
                            Err(error) => panic!("a command that is no json: {error}"),
                        },
                        // The payload is a frame without its delimiters.
                        Speech::Binary => {
                            let mut frame = vec![0];
                            frame.extend_from_slice(&publish.payload);
                            frame.push(0);
                            ear.hear(&frame, &clock);
                        }
                    },
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                }
            }
        })
    };
    let copies = Arc::new(AtomicU32::new(1));
    let mut said = clock.line();
    let mouth = {
        let (client, copies) = (client.clone(), Arc::clone(&copies));
        let topic = format!("flagfall/1/{name}/{up}");
        tokio::spawn(async move {
            while let Some(said) = said.recv().await {
                let payload = payload(&said, speech);
                let qos = if said.event { QoS::AtLeastOnce } else { QoS::AtMostOnce };
                for _ in 0..copies.load(Ordering::Acquire) {
                    let _ = client.publish(&topic, qos, false, payload.clone()).await;
                }
            }
        })
    };
    until("the broker takes the clock", SOON, || there.load(Ordering::Acquire).then_some(())).await;
    clock.greet();
    AtBroker { clock: clock.clone(), tasks: [ear, mouth], copies, client }
}

impl AtBroker {
    /// Every report goes out so many times from here on.
    pub fn copies(&self, copies: u32) {
        self.copies.store(copies, Ordering::Release);
    }
}

fn payload(said: &Said, speech: Speech) -> Vec<u8> {
    match speech {
        Speech::Json => said.json.clone().into_bytes(),
        Speech::Binary => {
            let line = written(said, speech);
            let inner: Vec<u8> = line.into_iter().skip_while(|byte| *byte == 0).collect();
            inner.strip_suffix(&[0]).expect("a frame ends with 00").to_vec()
        }
    }
}

/// MQTT 3.1.1 by hand: what no library lets one do.
#[derive(Debug)]
pub struct Raw {
    stream: TcpStream,
    packet: u16,
}

impl Raw {
    /// Says hello to the broker.
    ///
    /// # Panics
    /// If the broker does not take it.
    pub async fn connect(port: u16, name: &str) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the broker listens");
        let mut body = vec![0, 4, b'M', b'Q', b'T', b'T', 4, 2, 0, 60];
        body.extend(u16::try_from(name.len()).expect("short").to_be_bytes());
        body.extend(name.as_bytes());
        stream.write_all(&packet(0x10, &body)).await.expect("written");
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(answer, [0x20, 2, 0, 0], "the broker takes {name}");
        Self { stream, packet: 0 }
    }

    /// Publishes with QoS 1 and waits for the broker's word.
    ///
    /// # Panics
    /// If the broker does not acknowledge it.
    pub async fn publish(&mut self, topic: &str, payload: &[u8], dup: bool, retain: bool) {
        self.packet += 1;
        let mut body = u16::try_from(topic.len()).expect("short").to_be_bytes().to_vec();
        body.extend(topic.as_bytes());
        body.extend(self.packet.to_be_bytes());
        body.extend(payload);
        let kind = 0x32 | (u8::from(dup) << 3) | u8::from(retain);
        self.stream.write_all(&packet(kind, &body)).await.expect("written");
        let mut answer = [0; 4];
        self.stream.read_exact(&mut answer).await.expect("acknowledged");
        assert_eq!(answer[0], 0x40, "{topic}: acknowledged");
    }
}

fn packet(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    let mut rest = body.len();
    loop {
        let low = u8::try_from(rest % 128).expect("below 128");
        rest /= 128;
        bytes.push(if rest > 0 { low | 128 } else { low });
        if rest == 0 {
            break;
        }
    }
    bytes.extend(body);
    bytes
}
