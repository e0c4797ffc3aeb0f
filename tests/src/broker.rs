//! A real mosquitto of one test's own.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A port that was free a moment ago.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port()
}

/// A broker; ends with its test.
#[derive(Debug)]
pub struct Broker {
    folder: tempfile::TempDir,
    /// Where it listens, on loopback.
    pub port: u16,
    child: Option<Child>,
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Broker {
    /// Starts one and waits until it takes connections.
    ///
    /// # Panics
    /// If mosquitto is not installed or does not come up.
    #[must_use]
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut broker = Self { folder, port: free_port(), child: None };
        broker.run();
        broker
    }

    /// Starts it again on the same port.
    ///
    /// # Panics
    /// As [`Broker::start`].
    pub fn run(&mut self) {
        let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"];
        let path = path.into_iter().find(|path| std::path::Path::new(path).exists());
        let path = path.expect("mosquitto is not installed: tests/run installs it");
        let file = self.folder.path().join("mosquitto.conf");
        // In a test for root mosquitto would become a user who cannot read the test's own folder.
        let text = format!(
            "listener {} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\nmax_inflight_messages 256\n",
            self.port
        );
        std::fs::write(&file, text).expect("a configuration");
        let log = std::fs::File::create(self.folder.path().join("mosquitto.log")).expect("a log");
        let child = Command::new(path)
            .args(["-c".as_ref(), file.as_os_str()])
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        self.child = Some(child.expect("mosquitto starts"));
        let end = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < end, "mosquitto does not take connections on port {}", self.port);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it as a power cut would.
    ///
    /// # Panics
    /// If it cannot be ended.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("gone");
        }
    }
}
