//! Lines of every kind, from the other end.

use flagfall_clock::{
    Accept, Action, Check, ClockCommand, ClockEvent, ClockId, Encoding, Lexer, MAX_LINE, Message,
    line_command,
};
use flagfall_firmware::Setup;
use flagfall_simulator::live::{Encodings, LineWord, Lines, Transport, play_clocks, pty_path};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_serial::SerialPortBuilderExt;
use tokio_util::sync::CancellationToken;

fn clock(name: &str) -> ClockId {
    name.parse().unwrap()
}

fn report(name: &str, seq: u32) -> LineWord {
    use flagfall_simulator::Device;
    let mut device = Device::new(clock(name), Default::default(), 0, 0);
    device.switch_on(0, false);
    let mut report = device.next_report().unwrap();
    report.seq = seq;
    LineWord::Report(Box::new(report))
}

async fn next_message(lexer: &mut Lexer<1024>, reader: &mut (impl AsyncRead + Unpin)) -> Message {
    let mut byte = [0];
    let read = async {
        loop {
            reader.read_exact(&mut byte).await.unwrap();
            if let Some(item) = lexer.push(byte[0], &Accept::CHECKED) {
                return item.unwrap().message;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), read).await.expect("a message comes")
}

async fn next_seq(lexer: &mut Lexer<1024>, reader: &mut (impl AsyncRead + Unpin)) -> (ClockId, u32) {
    match next_message(lexer, reader).await {
        Message::Report(report) => (report.clock, report.seq),
        Message::Command(command) => panic!("a command: {command:?}"),
    }
}

async fn send_stop(writer: &mut (impl AsyncWrite + Unpin), name: &str, number: u32, encoding: Encoding) {
    let command =
        ClockCommand { clock: clock(name), command: number, boot: 1, until_ms: 9_000, action: Action::Stop };
    let mut bytes = [0; MAX_LINE];
    let len = line_command(&command, encoding, Check::Crc, &mut bytes).unwrap();
    writer.write_all(&bytes[..len]).await.unwrap();
    writer.flush().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pty_carries_both_ways_and_outlives_a_pulled_plug_and_a_reader_that_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let (name, transport) = ("A01", Transport::Pty(folder.path().into()));
    for encodings in [Encodings::Json, Encodings::Binary] {
        let (mut lines, mut commands) = Lines::lay(&transport, &[clock(name)], encodings, 1).await.unwrap();
        let path = pty_path(folder.path(), clock(name));
        let open = || tokio_serial::new(path.to_str().unwrap(), 115_200).open_native_async().unwrap();
        for round in 1..=2 {
            // The daemon opens the port for itself, closes it, and opens it again.
            let (mut port, mut lexer) = (open(), Lexer::new());
            lines.tell(clock(name), report(name, round));
            assert_eq!(next_seq(&mut lexer, &mut port).await, (clock(name), round));
            send_stop(&mut port, name, round, encodings.of(clock(name), 1)).await;
            let command =
                tokio::time::timeout(Duration::from_secs(10), commands.recv()).await.unwrap().unwrap();
            assert_eq!((command.command, command.action), (round, Action::Stop));
        }
        let mut port = open();
        lines.tell(clock(name), LineWord::Unplug);
        let mut byte = [0];
        let read =
            tokio::time::timeout(Duration::from_secs(10), port.read(&mut byte)).await.expect("it is hung up");
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
        assert!(!path.exists());
        drop(port);
        lines.tell(clock(name), LineWord::Plug);
        while !path.exists() {
            tokio::task::yield_now().await;
        }
        let (mut port, mut lexer) = (open(), Lexer::new());
        lines.tell(clock(name), report(name, 77));
        assert_eq!(next_seq(&mut lexer, &mut port).await.1, 77);
        lines.close().await;
        assert!(!path.exists(), "a hall that closes leaves no ports behind");
    }
}

#[tokio::test]
async fn one_tcp_server_carries_many_clocks_in_whole_frames() {
    let names = ["A01", "A02", "A03"];
    let clocks = names.map(clock);
    let transport = Transport::Tcp("127.0.0.1:0".into());
    let (mut lines, mut commands) = Lines::lay(&transport, &clocks, Encodings::Mixed, 3).await.unwrap();
    let mut client = tokio::net::TcpStream::connect(&lines.addresses()[0]).await.unwrap();
    let mut lexer = Lexer::new();
    // A client is served once it has been taken: its command shows that it was.
    send_stop(&mut client, "A02", 5, Encoding::Binary).await;
    assert_eq!(commands.recv().await.unwrap().clock, clocks[1]);
    for (place, name) in names.iter().enumerate() {
        lines.tell(clocks[place], report(name, 10 + place as u32));
    }
    let mut heard = Vec::new();
    for _ in names {
        heard.push(next_seq(&mut lexer, &mut client).await);
    }
    assert_eq!(heard, [(clocks[0], 10), (clocks[1], 11), (clocks[2], 12)]);
    lines.tell(clocks[1], LineWord::Unplug);
    lines.tell(clocks[1], report("A02", 20));
    lines.tell(clocks[2], report("A03", 21));
    assert_eq!(next_seq(&mut lexer, &mut client).await, (clocks[2], 21));
    lines.close().await;
}

#[tokio::test]
async fn each_clock_can_have_a_tcp_server_of_its_own() {
    let clocks = ["A01", "A02"].map(clock);
    let transport = Transport::TcpEach("127.0.0.1:0".into());
    let (mut lines, mut commands) = Lines::lay(&transport, &clocks, Encodings::Json, 3).await.unwrap();
    assert_eq!(lines.addresses().len(), 2);
    let mut client = tokio::net::TcpStream::connect(&lines.addresses()[1]).await.unwrap();
    send_stop(&mut client, "A02", 5, Encoding::Json).await;
    assert!(commands.recv().await.is_some());
    lines.tell(clocks[0], report("A01", 1));
    lines.tell(clocks[1], report("A02", 2));
    assert_eq!(next_seq(&mut Lexer::new(), &mut client).await, (clocks[1], 2));
    lines.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_plays_with_clocks_by_words() {
    let folder = tempfile::tempdir().unwrap();
    let transport = Transport::Pty(folder.path().into());
    let (mut hand, input) = tokio::io::duplex(1024);
    let (output, mut answers) = tokio::io::duplex(8192);
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let play = tokio::spawn(async move {
        play_clocks(2, Setup::default(), &transport, Encodings::Json, input, output, stopped).await
    });
    let mut lines = tokio::io::BufReader::new(&mut answers);
    let mut line = String::new();
    tokio::io::AsyncBufReadExt::read_line(&mut lines, &mut line).await.unwrap();
    assert!(line.starts_with("2 clocks"), "{line}");
    let path = pty_path(folder.path(), clock("A02"));
    let mut port = tokio_serial::new(path.to_str().unwrap(), 115_200).open_native_async().unwrap();
    let mut lexer = Lexer::new();
    hand.write_all(b"A02 start\nA09 left\n").await.unwrap();
    loop {
        if let Message::Report(report) = next_message(&mut lexer, &mut port).await
            && matches!(report.event, Some(ClockEvent::Start { .. }))
        {
            break;
        }
    }
    line.clear();
    tokio::io::AsyncBufReadExt::read_line(&mut lines, &mut line).await.unwrap();
    assert_eq!(line, "there is no clock A09\n");
    hand.write_all(b"quit\n").await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), play).await.unwrap().unwrap().unwrap();
}
