//! A recorded capture of bytes, played through a pseudo terminal with its times.
//!
//! A capture is text, one chunk a line: milliseconds since its beginning, then the bytes in hexadecimal or, after `"`,
//! as they stand (with `\n`, `\r`, `\t`, `\\`, `\xNN`). What follows `#` at a line's beginning is remark.

use flagfall_clock::ClockId;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Why a capture cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// A line is no chunk.
    #[error("{}:{line}: {what}", path.display())]
    Chunk {
        /// Which file.
        path: PathBuf,
        /// In which line.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No pseudo terminal.
    #[error(transparent)]
    Line(#[from] super::lines::LineError),
    /// It cannot be written to.
    #[error("{}: {why}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
}

type Chunk = (u64, Vec<u8>);

fn chunks(path: &Path, text: &str) -> Result<Vec<Chunk>, ReplayError> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what| ReplayError::Chunk { path: path.to_owned(), line: number + 1, what };
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (at, bytes) = line.split_once(' ').ok_or_else(|| wrong("a time and bytes are wanted"))?;
        let at: u64 = at.parse().map_err(|_| wrong("it begins with milliseconds"))?;
        if chunks.last().is_some_and(|(before, _)| at < *before) {
            return Err(wrong("its time lies before the line above"));
        }
        let bytes = match bytes.strip_prefix('"') {
            Some(text) => plain(text).ok_or_else(|| wrong("after \\ comes n, r, t, \\ or xNN"))?,
            None => hex(bytes).ok_or_else(|| wrong("the bytes are pairs of hexadecimal digits"))?,
        };
        chunks.push((at, bytes));
    }
    Ok(chunks)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn plain(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'\\' => b'\\',
                b'x' => {
                    let pair = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

/// Plays the capture at `capture` through a pseudo terminal called `path`, once a reader has opened it or `wait` has
/// passed. What the reader writes is thrown away.
///
/// # Errors
/// The capture cannot be read, or there is no terminal.
pub async fn replay(
    capture: &Path,
    path: &Path,
    wait: Duration,
    stop: CancellationToken,
) -> Result<u64, ReplayError> {
    let text = std::fs::read(capture)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|why| ReplayError::Read { path: capture.to_owned(), why })?;
    let chunks = chunks(capture, &text)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let no_name = || ReplayError::Read {
        path: path.to_owned(),
        why: std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "its last part is 1 to 16 of A-Z a-z 0-9 . _ -",
        ),
    };
    let clock: ClockId = name.parse().map_err(|_| no_name())?;
    let mut port = super::pty::Port::open(folder, clock)?;
    tokio::select! {
        () = stop.cancelled() => return Ok(0),
        () = tokio::time::sleep(wait) => {}
    }
    let begin = Instant::now();
    let mut written = 0;
    let mut thrown = [0; 1024];
    for (at, bytes) in chunks {
        let due = tokio::time::sleep_until(begin + Duration::from_millis(at));
        tokio::pin!(due);
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(written),
                () = &mut due => break,
                read = port.master().read(&mut thrown) => if !read.is_ok_and(|len| len > 0) {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                },
            }
        }
        let wrong = |why| ReplayError::Write { path: path.to_owned(), why };
        port.master().write_all(&bytes).await.map_err(wrong)?;
        written += bytes.len() as u64;
    }
    // What was written last is still to be read.
    tokio::time::sleep(Duration::from_millis(500)).await;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_read_in_either_writing_and_refused_with_its_line() {
        let path = Path::new("x.capture");
        let read = chunks(path, "# a clock\n0 7b 7D0a\n15 \"a\\\\b\\x00\\n\n").unwrap();
        assert_eq!(read, [(0, vec![0x7b, 0x7d, 0x0a]), (15, b"a\\b\0\n".to_vec())]);
        for (text, line) in [("5 00\n4 00\n", 2), ("x 00\n", 1), ("5\n", 1), ("5 0\n", 1), ("5 \"\\q\n", 1)] {
            let said = chunks(path, text).unwrap_err().to_string();
            assert!(said.starts_with(&format!("x.capture:{line}: ")), "{said}");
        }
    }
}
