//! A serial server: clocks behind a TCP port.

use crate::clock::Clock;
use crate::lines::{Ear, Speech, written};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// A serial server with one clock; ends when dropped.
#[derive(Debug)]
pub struct SerialServer {
    /// Where it listens, on loopback.
    pub port: u16,
    hang_up: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Drop for SerialServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts one for this clock.
///
/// # Panics
/// If no port is free.
pub async fn serve(clock: &Clock, speech: Speech) -> SerialServer {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let hang_up = Arc::new(Notify::new());
    let task = {
        let (clock, hang_up) = (clock.clone(), Arc::clone(&hang_up));
        tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                let (mut read, mut write) = stream.into_split();
                let mut said = clock.line();
                clock.greet();
                let mut ear = Ear::new(speech);
                let mut bytes = [0; 512];
                loop {
                    tokio::select! {
                        count = read.read(&mut bytes) => match count {
                            Ok(0) | Err(_) => break,
                            Ok(count) => ear.hear(&bytes[..count], &clock),
                        },
                        Some(said) = said.recv() => {
                            if write.write_all(&written(&said, speech)).await.is_err() {
                                break;
                            }
                        }
                        () = hang_up.notified() => break,
                    }
                }
                clock.cut();
            }
        })
    };
    SerialServer { port, hang_up, task }
}

impl SerialServer {
    /// Closes the connection; another one is taken.
    pub fn hang_up(&self) {
        self.hang_up.notify_waiters();
    }
}
