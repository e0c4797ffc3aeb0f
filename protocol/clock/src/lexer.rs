//! One decoder for a line that carries frames, JSON and noise, byte by byte.
//!
//! A frame ends in 00, JSON in a newline. A frame may hold newlines, so a newline inside what begins
//! like a frame only ends a line if that line is a message. It finds its place again after anything:
//! garbage costs at most the message it stands against, and mostly not even that one, because what
//! fails as a whole is searched for a message at its end whose check fits. A clock's own decoder
//! ([`Lexer::of_commands`]) leaves the search out: it is told again.

use crate::codec::read_json;
use crate::frame::{self, MAX_FRAME, looks_like_frame};
use crate::{Accept, Checked, ClockCommand, DecodeError, Encoding, FromLine, Message, Received};
use core::fmt;
use core::marker::PhantomData;

/// Why a chunk of a line gave no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Why.
    pub error: DecodeError,
    /// What it seems to have been, as far as that can be told.
    pub encoding: Option<Encoding>,
    /// How many bytes were dropped.
    pub bytes: usize,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.error, self.bytes)
    }
}

impl core::error::Error for LineError {}

/// What came over a line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Messages.
    pub messages: u64,
    /// Chunks that were neither frame nor JSON, also those in front of a message.
    pub garbage: u64,
    /// Chunks longer than any message.
    pub too_long: u64,
    /// Messages that do not have the form of one.
    pub malformed: u64,
    /// Frames of an unknown version or kind.
    pub unknown: u64,
    /// Lines without the CRC they need.
    pub unchecked: u64,
    /// CRCs that did not fit.
    pub crc: u64,
    /// Seals that were missing or did not fit.
    pub seal: u64,
}

impl Counters {
    /// Everything that was not a message.
    #[must_use]
    pub const fn errors(&self) -> u64 {
        self.garbage + self.too_long + self.malformed + self.unknown + self.unchecked + self.crc + self.seal
    }

    fn count(&mut self, error: &DecodeError) {
        let counter = match error {
            DecodeError::Garbage => &mut self.garbage,
            DecodeError::TooLong => &mut self.too_long,
            DecodeError::Version(_) | DecodeError::Kind(_) => &mut self.unknown,
            DecodeError::Unchecked => &mut self.unchecked,
            DecodeError::Crc => &mut self.crc,
            DecodeError::Unsealed(_) | DecodeError::Seal(_) => &mut self.seal,
            DecodeError::Json(_)
            | DecodeError::Cobs
            | DecodeError::Field(_)
            | DecodeError::Range(_)
            | DecodeError::NotReport
            | DecodeError::NotCommand => &mut self.malformed,
        };
        *counter += 1;
    }
}

// the lexer's assertion about the longest message covers the longest frame
const _: () = assert!(MAX_FRAME <= crate::MAX_LINE);

/// How often a failed chunk is searched for a message at its end; bounds what noise can cost.
const TRIES: usize = 32;

/// The decoder of one line. `N` bytes are the longest JSON it takes.
#[derive(Clone, Debug)]
pub struct Lexer<const N: usize = 1024, M = Message> {
    chunk: [u8; N],
    len: usize,
    /// Where the current line begins within what begins like a frame.
    line: usize,
    /// The chunk was too long for the frame it began like.
    no_frame: bool,
    /// Dropping up to the next delimiter.
    dropping: bool,
    counters: Counters,
    reads: PhantomData<fn() -> M>,
}

impl<const N: usize> Default for Lexer<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Lexer<N> {
    /// At the start of a line that carries messages of both directions.
    #[must_use]
    pub const fn new() -> Self {
        Self::at_start()
    }
}

impl<const N: usize> Lexer<N, ClockCommand> {
    /// At the start of a line at a clock, which only hears commands. One that stands against noise is lost, and repeated.
    #[must_use]
    pub const fn of_commands() -> Self {
        Self::at_start()
    }
}

impl<const N: usize, M: FromLine> Lexer<N, M> {
    #[inline(always)]
    const fn at_start() -> Self {
        const { assert!(N >= crate::MAX_LINE, "a lexer must hold the longest message") };
        Self {
            chunk: [0; N],
            len: 0,
            line: 0,
            no_frame: false,
            dropping: false,
            counters: Counters {
                messages: 0,
                garbage: 0,
                too_long: 0,
                malformed: 0,
                unknown: 0,
                unchecked: 0,
                crc: 0,
                seal: 0,
            },
            reads: PhantomData,
        }
    }

    /// What came so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Forgets what is half read, as after the line was opened anew; the counters stay.
    pub fn reset(&mut self) {
        self.clear();
        self.dropping = false;
    }

    /// Takes bytes from the front of `input` up to the end of the next message or error; `None` once
    /// all are taken. Called until then, it gives everything that came:
    ///
    /// ```
    /// # use flagfall_clock::{Accept, Lexer};
    /// # let (mut lexer, read) = (Lexer::<1024>::new(), b"noise\n");
    /// let mut input = &read[..];
    /// while let Some(item) = lexer.next(&mut input, &Accept::CHECKED) {
    ///     match item {
    ///         Ok(received) => println!("{:?}", received.message),
    ///         Err(error) => println!("{error}"),
    ///     }
    /// }
    /// ```
    pub fn next(&mut self, input: &mut &[u8], accept: &Accept<'_>) -> Option<Result<Received<M>, LineError>> {
        while let Some((byte, rest)) = input.split_first() {
            *input = rest;
            if let Some(item) = self.push(*byte, accept) {
                return Some(item);
            }
        }
        None
    }

    /// Takes one byte; gives what it completed.
    #[inline(never)]
    pub fn push(&mut self, byte: u8, accept: &Accept<'_>) -> Option<Result<Received<M>, LineError>> {
        match byte {
            0 | b'\n' if self.dropping => {
                self.dropping = false;
                None
            }
            _ if self.dropping => None,
            _ => {
                // a newline after a delimiter may be an empty line or the first byte of a frame
                if self.chunk[..self.len] == *b"\n" && !looks_like_frame(b'\n', byte) {
                    self.clear();
                }
                match byte {
                    0 => self.end_frame(accept),
                    b'\n' if self.len > 0 => self.end_line(accept),
                    _ => self.keep(byte),
                }
            }
        }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.line = 0;
        self.no_frame = false;
    }

    fn framed(&self) -> bool {
        !self.no_frame && self.len > 1 && looks_like_frame(self.chunk[0], self.chunk[1])
    }

    #[inline(never)]
    fn keep(&mut self, byte: u8) -> Option<Result<Received<M>, LineError>> {
        if self.len == N {
            let bytes = self.len;
            self.clear();
            self.dropping = true;
            return Some(self.failed(DecodeError::TooLong, None, bytes));
        }
        self.chunk[self.len] = byte;
        self.len += 1;
        if self.len > MAX_FRAME && self.framed() {
            // no frame is that long: what began like one was noise, but a later line may not be
            if self.line > 0 {
                let dropped = self.drop_lines();
                return Some(self.failed(DecodeError::Garbage, None, dropped));
            }
            self.no_frame = true;
        }
        None
    }

    /// Drops the first line, and those after it up to one that can begin a frame or is the last:
    /// as lines they have all failed already.
    #[inline(never)]
    fn drop_lines(&mut self) -> usize {
        let newline = |from: usize| self.chunk[from..self.len].iter().position(|b| *b == b'\n');
        let mut start = 0;
        while let Some(end) = newline(start) {
            start += end + 1;
            let rest = &self.chunk[start..self.len];
            if rest.len() > 1 && looks_like_frame(rest[0], rest[1]) {
                break;
            }
        }
        self.chunk.copy_within(start..self.len, 0);
        self.len -= start;
        self.line = self.chunk[..self.len].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        start
    }

    fn took(
        &mut self,
        message: M,
        encoding: Encoding,
        checked: Checked,
    ) -> Option<Result<Received<M>, LineError>> {
        self.clear();
        self.counters.messages += 1;
        Some(Ok(Received { message, encoding, checked }))
    }

    fn failed(
        &mut self,
        error: DecodeError,
        encoding: Option<Encoding>,
        bytes: usize,
    ) -> Result<Received<M>, LineError> {
        self.counters.count(&error);
        Err(LineError { error, encoding, bytes })
    }

    /// At a newline.
    #[inline(never)]
    fn end_line(&mut self, accept: &Accept<'_>) -> Option<Result<Received<M>, LineError>> {
        let framed = self.framed();
        let line = &self.chunk[if framed { self.line } else { 0 }..self.len];
        let text = line.trim_ascii();
        if text.is_empty() && !framed {
            self.clear();
            return None;
        }
        let read = if text.starts_with(b"{") && text.ends_with(b"}") {
            read_json(text, accept)
        } else if text.starts_with(b"{") {
            // cut off; the reader says where
            Err(read_json::<M>(text, &Accept::UNCHECKED).err().unwrap_or(DecodeError::Garbage))
        } else {
            Err(DecodeError::Garbage)
        };
        let error = match read {
            Ok((message, checked)) => {
                if framed && self.line > 0 {
                    self.counters.garbage += 1;
                }
                return self.took(message, Encoding::Json, checked);
            }
            Err(error) => error,
        };
        if M::SEARCHED
            && let Some((message, checked)) = json_at_end(text, accept)
        {
            self.counters.garbage += 1;
            return self.took(message, Encoding::Json, checked);
        }
        if framed {
            let item = self.keep(b'\n');
            self.line = self.len;
            return item;
        }
        let bytes = self.len;
        let encoding = (error != DecodeError::Garbage).then_some(Encoding::Json);
        self.clear();
        Some(self.failed(error, encoding, bytes))
    }

    /// At a 00.
    #[inline(never)]
    fn end_frame(&mut self, accept: &Accept<'_>) -> Option<Result<Received<M>, LineError>> {
        let chunk = &self.chunk[..self.len];
        if chunk.trim_ascii().is_empty() {
            self.clear();
            return None;
        }
        let error = match frame::read(chunk, accept) {
            Ok((message, checked)) => return self.took(message, Encoding::Binary, checked),
            Err(error) => error,
        };
        // noise that fails as a whole may stand before a frame that does not
        if M::SEARCHED
            && matches!(error, DecodeError::Cobs | DecodeError::Crc | DecodeError::TooLong)
            && let Some((message, checked)) = frame_at_end(chunk, accept)
        {
            self.counters.garbage += 1;
            return self.took(message, Encoding::Binary, checked);
        }
        let (error, encoding) =
            if self.framed() { (error, Some(Encoding::Binary)) } else { (DecodeError::Garbage, None) };
        let bytes = self.len;
        self.clear();
        Some(self.failed(error, encoding, bytes))
    }
}

/// A message at the end of a line whose beginning is noise. Only one that proves itself counts.
fn json_at_end<M: FromLine>(text: &[u8], accept: &Accept<'_>) -> Option<(M, Checked)> {
    let proven = Accept { unchecked: false, ..*accept };
    if !text.ends_with(br#""}"#) {
        return None;
    }
    (1..text.len())
        .filter(|at| text[*at] == b'{')
        .take(TRIES)
        .find_map(|at| read_json(&text[at..], &proven).ok())
}

/// A frame at the end of a chunk whose beginning is noise. After a newline it is tried in any case,
/// since the noise may have been a whole line.
fn frame_at_end<M: FromLine>(chunk: &[u8], accept: &Accept<'_>) -> Option<(M, Checked)> {
    let begins = |at: &usize| match &chunk[*at..] {
        [first, second, rest @ ..] => *first > 2 && *second == frame::VERSION && rest.len() < MAX_FRAME - 1,
        _ => false,
    };
    let after_newline = |at: &usize| chunk[at - 1] == b'\n';
    let starts = || (1..chunk.len()).filter(begins);
    starts()
        .filter(after_newline)
        .chain(starts().filter(|at| !after_newline(at)).take(TRIES))
        .find_map(|at| frame::read(&chunk[at..], accept).ok())
}
