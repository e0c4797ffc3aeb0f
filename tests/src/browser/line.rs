//! The line between a browser and the daemon, to be cut, frozen and mended.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// Connections stay, nothing gets through: a sleeping tablet, a lost radio.
    Frozen,
    /// Connections end, and new ones end at once.
    Cut,
}

/// A line of real sockets. Whoever dials its port reaches the daemon.
#[derive(Debug)]
pub struct Line {
    /// Where it is dialled, on loopback.
    pub port: u16,
    state: watch::Sender<State>,
    dialled: Arc<AtomicUsize>,
    listener: JoinHandle<()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.listener.abort();
        let _ = self.state.send(State::Cut);
    }
}

impl Line {
    /// Lays a line to a port of this machine.
    ///
    /// # Panics
    /// If there is no port left.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = listener.local_addr().expect("its port").port();
        let (state, states) = watch::channel(State::Open);
        let dialled = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&dialled);
        let listener = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                if *states.borrow() != State::Cut {
                    tokio::spawn(carry(near, SocketAddr::from(([127, 0, 0, 1], port)), states.clone()));
                }
            }
        });
        Self { port: own, state, dialled, listener }
    }

    /// Cuts it: what is connected ends, and nobody gets through.
    pub fn cut(&self) {
        let _ = self.state.send(State::Cut);
    }

    /// Nothing gets through any more, and nobody is told.
    pub fn freeze(&self) {
        let _ = self.state.send(State::Frozen);
    }

    /// It carries again; what was frozen arrives now.
    pub fn mend(&self) {
        let _ = self.state.send(State::Open);
    }

    /// How often it was dialled.
    #[must_use]
    pub fn dialled(&self) -> usize {
        self.dialled.load(Ordering::Relaxed)
    }
}

async fn carry(near: TcpStream, to: SocketAddr, states: watch::Receiver<State>) {
    let Ok(far) = TcpStream::connect(to).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    tokio::join!(pass(near_in, far_out, states.clone()), pass(far_in, near_out, states));
}

/// One direction, until either end or the line is done.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut states: watch::Receiver<State>) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            () = cut(&mut states) => return,
            read = from.read(&mut bytes) => {
                let Ok(count @ 1..) = read else { return };
                // What was read waits here while the line is frozen, and so do those behind it.
                let open = states.wait_for(|state| *state != State::Frozen).await.is_ok_and(|state| *state == State::Open);
                if !open || to.write_all(&bytes[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn cut(states: &mut watch::Receiver<State>) {
    let _ = states.wait_for(|state| *state == State::Cut).await;
}
