//! Plain HTTP, as little as it takes.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// All after the empty line.
    pub body: String,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Asks for a path. `None` where nobody answers.
pub async fn get(port: u16, path: &str, token: Option<&str>) -> Option<Answer> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    // Version 1.0: an answer without chunks that ends with the connection.
    let ask = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n{bearer}Connection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, body: body.to_owned() })
}
