//! Serial servers, played by a TCP listener.

use super::{Rig, clock, line, report};
use crate::links::{Keyring, tcp};
use flagfall_clock::{Check, Encoding, Key, MAX_LINE, line_report};
use flagfall_hall::Heard;
use std::collections::BTreeMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn server() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    (listener, address)
}

fn keep(rig: &Rig, address: String) {
    let (feed, stop) = (rig.feed.clone(), rig.stop.clone());
    tokio::spawn(async move { tcp::keep(address, false, &feed, &stop).await });
}

async fn accept(listener: &TcpListener) -> TcpStream {
    listener.accept().await.expect("the daemon dials").0
}

#[tokio::test]
async fn every_frame_gets_through_however_the_stream_is_cut_and_joined() {
    let (listener, address) = server().await;
    let mut rig = Rig::new();
    keep(&rig, address);
    let mut stream = accept(&listener).await;
    rig.up().await;
    let mut joined = Vec::new();
    for seq in 1..=5 {
        joined.extend(line("A01", seq, if seq % 2 == 0 { Encoding::Binary } else { Encoding::Json }));
    }
    stream.write_all(&joined).await.expect("written");
    for byte in &joined {
        stream.write_all(&[*byte]).await.expect("written");
        stream.flush().await.expect("written");
    }
    for seq in (1..=5).chain(1..=5) {
        assert_eq!(rig.report().await, report("A01", seq));
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_is_dialled_again_and_commands_reach_it() {
    let (listener, address) = server().await;
    let mut rig = Rig::new();
    keep(&rig, address.clone());
    drop(accept(&listener).await);
    let id = rig.up().await;
    assert!(matches!(rig.heard().await, Heard::LineDown { line, .. } if line == id));
    let mut stream = accept(&listener).await;
    assert_eq!(rig.up().await, id);
    stream.write_all(&line("A01", 1, Encoding::Json)).await.expect("written");
    rig.report().await;
    rig.command(id, "A01");
    let mut said = vec![0; 1024];
    let count = stream.read(&mut said).await.expect("a command");
    assert!(String::from_utf8_lossy(&said[..count]).contains(r#""do":{"type":"stop"}"#));
    drop((stream, listener));
    assert!(matches!(rig.heard().await, Heard::LineDown { .. }));
    let (_, message) = rig.fault("port").await;
    assert!(message.contains(&address) && message.contains("refused"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_vanished_without_a_word_is_noticed_by_its_silence() {
    let (listener, address) = server().await;
    let mut rig = Rig::new();
    keep(&rig, address);
    let mut stream = accept(&listener).await;
    rig.up().await;
    stream.write_all(&line("A01", 1, Encoding::Json)).await.expect("written");
    rig.report().await;
    let down = tokio::time::timeout(std::time::Duration::from_secs(30), rig.inputs.recv()).await;
    let heard = down.expect("noticed").expect("the line lives").heard;
    assert!(matches!(&heard, Heard::LineDown { cause, .. } if cause.contains("nothing heard")), "{heard:?}");
}

#[tokio::test]
async fn a_clock_with_a_key_must_seal() {
    let (listener, address) = server().await;
    let key = Key::new(b"0123456789abcdef").expect("a key");
    let keys = BTreeMap::from([(clock("A01"), key.clone())]);
    let mut rig = Rig::with_keys(Keyring::new(keys));
    keep(&rig, address);
    let mut stream = accept(&listener).await;
    rig.up().await;
    stream.write_all(&line("A01", 1, Encoding::Json)).await.expect("written");
    let (who, message) = rig.fault("seal").await;
    assert_eq!(who, Some(clock("A01")));
    assert!(message.contains("no seal"), "{message}");
    let mut bytes = vec![0; MAX_LINE];
    let count =
        line_report(&report("A01", 2), Encoding::Binary, Check::Seal(&key), &mut bytes).expect("written");
    stream.write_all(&bytes[..count]).await.expect("written");
    match rig.heard().await {
        Heard::Report { report, sealed, .. } => assert!(sealed && report.seq == 2),
        other => panic!("{other:?}"),
    }
}
