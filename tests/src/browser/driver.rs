//! chromedriver: started for one test, ended with it, and asked in JSON over HTTP.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long the browser may take for one request: on a machine that does other things too, a start takes some seconds.
const ANSWER: Duration = Duration::from_secs(60);

/// A running chromedriver. Browsers it started end with it, since they hang on its pipes.
#[derive(Debug)]
pub struct Driver {
    child: Child,
    /// Where it listens, on loopback.
    pub port: u16,
    /// Profiles of its browsers.
    pub(super) folder: tempfile::TempDir,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The browsers see their pipes close and go. Only then are their profiles not written to any more.
        let end = std::time::Instant::now() + Duration::from_secs(2);
        while std::fs::remove_dir_all(self.folder.path()).is_err() && std::time::Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Where a program of Debian's is.
///
/// # Panics
/// If it is not installed: says what to install.
pub(super) fn installed(program: &str, package: &str) -> String {
    let path = format!("/usr/bin/{program}");
    assert!(
        Path::new(&path).is_file(),
        "{path} is not there: install Debian's package `{package}` (apt-get install {package}), or run tests/run, which does"
    );
    path
}

impl Driver {
    /// Starts one on a port that is free.
    ///
    /// # Panics
    /// If it is not installed, or does not say its port.
    #[must_use]
    pub fn start() -> Self {
        let path = installed("chromedriver", "chromium-driver");
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(path)
            .arg("--port=0")
            // What it and its browsers lay down goes with the test.
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        let port = loop {
            line.clear();
            let read = said.read_line(&mut line).unwrap_or(0);
            assert!(read > 0, "chromedriver ended before it said its port");
            let told = line.trim_end().trim_end_matches('.').rsplit_once("on port ");
            if let Some(port) = told.and_then(|(_, port)| port.parse::<u16>().ok()).filter(|port| *port > 0) {
                break port;
            }
        };
        // What it says from here on must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, port, folder }
    }
}

/// What the browser would not do.
#[derive(Clone, Debug)]
pub struct Refused {
    /// As the W3C names it: `element click intercepted`, `stale element reference`, ...
    pub error: String,
    /// In chromedriver's words.
    pub message: String,
}

/// Asks chromedriver.
///
/// # Errors
/// What it would not do.
///
/// # Panics
/// If it does not answer, or not as WebDriver has it.
pub(super) async fn ask(port: u16, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Refused> {
    let answer = tokio::time::timeout(ANSWER, exchange(port, method, path, body)).await;
    let answer =
        answer.unwrap_or_else(|_| panic!("{method} {path}: chromedriver has not answered in {ANSWER:?}"));
    let mut answer = answer.unwrap_or_else(|error| panic!("{method} {path}: chromedriver: {error}"));
    let value = answer["value"].take();
    match value.get("error").and_then(Value::as_str) {
        Some(error) if value.get("message").is_some() => {
            let message = value["message"].as_str().unwrap_or_default();
            // The rest is chromedriver's own stack.
            let message = message.lines().next().unwrap_or_default();
            Err(Refused { error: error.into(), message: message.into() })
        }
        _ => Ok(value),
    }
}

async fn exchange(port: u16, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    // It keeps the connection open whatever it is told: the answer ends where it says.
    let mut stream = tokio::io::BufReader::new(stream);
    let (mut line, mut length) = (String::new(), None);
    while stream.read_line(&mut line).await? > 0 && !line.trim().is_empty() {
        let named = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        length = named.and_then(|(_, length)| length.trim().parse().ok()).or(length);
        line.clear();
    }
    let mut bytes = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut bytes).await?;
    serde_json::from_slice(&bytes).map_err(std::io::Error::other)
}
