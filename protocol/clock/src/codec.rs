//! Messages to bytes and back, in either encoding, with their check.
//!
//! A payload is one message without delimiters, as MQTT carries it; a line is the same with its
//! delimiters, as a serial line or TCP carries it. Nothing is taken that does not prove itself as
//! [`Accept`] asks.

use crate::json::{from_slice, read_command, to_slice, write_report};
use crate::seal::{SEAL, crc32, from_hex, to_hex};
use crate::{
    Accept, Channel, Check, Checked, ClockCommand, ClockId, ClockReport, DecodeError, EncodeError,
    RangeError, Topic, frame,
};

/// The longest message this crate writes, in either encoding and with any check, in bytes.
pub const MAX_MESSAGE: usize = 864;
/// The longest line this crate writes: a message and its delimiters.
pub const MAX_LINE: usize = MAX_MESSAGE + 2;

/// The longest line of a report, its delimiters included.
pub const MAX_REPORT: usize = 684;

/// The two equal ways to write a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// One JSON object; a line ends in `\n`.
    #[default]
    Json,
    /// One COBS frame; a line has 00 on both sides.
    Binary,
}

/// What goes over a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// From a clock.
    Report(ClockReport),
    /// To a clock.
    Command(ClockCommand),
}

impl Message {
    /// Whose it is.
    #[must_use]
    pub const fn clock(&self) -> ClockId {
        match self {
            Self::Report(report) => report.clock,
            Self::Command(command) => command.clock,
        }
    }

    /// Whether every value is within its range.
    pub fn check(&self) -> Result<(), RangeError> {
        match self {
            Self::Report(report) => report.check(),
            Self::Command(command) => command.check(),
        }
    }

    /// The topic it stands on in `encoding`; its seal covers that.
    #[must_use]
    pub const fn topic(&self, encoding: Encoding) -> Topic {
        Topic::new(
            self.clock(),
            match (self, encoding) {
                (Self::Report(_), Encoding::Json) => Channel::Report,
                (Self::Report(_), Encoding::Binary) => Channel::Frame,
                (Self::Command(_), Encoding::Json) => Channel::Command,
                (Self::Command(_), Encoding::Binary) => Channel::CommandFrame,
            },
        )
    }
}

/// A message that came in, with what it proved itself by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received<M = Message> {
    /// What was said.
    pub message: M,
    /// How it was written; the answer is written so.
    pub encoding: Encoding,
    /// What it proved itself by.
    pub checked: Checked,
}

const CRC_TAIL: usize = r#","crc":"01234567"}"#.len();
const SEAL_TAIL: usize = r#","seal":"0123456789abcdef0123456789abcdef"}"#.len();

/// Puts the check as last member in place of the closing brace.
fn close_json(out: &mut [u8], len: usize, topic: &Topic, check: Check<'_>) -> Option<usize> {
    let open = len.checked_sub(1)?;
    let (covered, rest) = out.split_at_mut(open);
    let mut tail = [0; SEAL_TAIL];
    let tail = match check {
        Check::None => return Some(len),
        Check::Crc => {
            tail[..CRC_TAIL].copy_from_slice(&crc_tail(covered));
            &tail[..CRC_TAIL]
        }
        Check::Seal(key) => {
            tail[..9].copy_from_slice(br#","seal":""#);
            to_hex(&key.seal(topic, covered), &mut tail[9..9 + 2 * SEAL]);
            tail[9 + 2 * SEAL..].copy_from_slice(br#""}"#);
            &tail[..]
        }
    };
    rest.get_mut(..tail.len())?.copy_from_slice(tail);
    Some(open + tail.len())
}

/// Closes a text that is no message with a CRC-32; says how many bytes.
pub(crate) fn close_json_crc(out: &mut [u8], len: usize) -> Option<usize> {
    let open = len.checked_sub(1)?;
    let (covered, rest) = out.split_at_mut(open);
    let tail = crc_tail(covered);
    rest.get_mut(..CRC_TAIL)?.copy_from_slice(&tail);
    Some(open + CRC_TAIL)
}

/// A text whose CRC-32 fits.
pub(crate) fn open_json_crc(text: &[u8]) -> Result<&[u8], DecodeError> {
    match split_json(text) {
        (covered, Some(crc), _) if crc == crc32(covered) => Ok(text),
        (_, Some(_), _) => Err(DecodeError::Crc),
        _ => Err(DecodeError::Unchecked),
    }
}

/// The CRC-32 as last member.
fn crc_tail(covered: &[u8]) -> [u8; CRC_TAIL] {
    let mut tail = [0; CRC_TAIL];
    tail[..8].copy_from_slice(br#","crc":""#);
    to_hex(&crc32(covered).to_be_bytes(), &mut tail[8..16]);
    tail[16..].copy_from_slice(br#""}"#);
    tail
}

/// Writes a report as a payload; says how many bytes.
#[inline(never)]
pub fn encode_report(
    report: &ClockReport,
    encoding: Encoding,
    check: Check<'_>,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    report.check()?;
    let written = match encoding {
        Encoding::Json => write_report(report, out)
            .and_then(|len| close_json(out, len, &Topic::new(report.clock, Channel::Report), check)),
        Encoding::Binary => frame::write_report(report, check, out),
    };
    written.ok_or(EncodeError::Full)
}

/// Writes a command as a payload; says how many bytes.
pub fn encode_command(
    command: &ClockCommand,
    encoding: Encoding,
    check: Check<'_>,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    command.check()?;
    let written = match encoding {
        Encoding::Json => to_slice(command, out)
            .and_then(|len| close_json(out, len, &Topic::new(command.clock, Channel::Command), check)),
        Encoding::Binary => frame::write_command(command, check, out),
    };
    written.ok_or(EncodeError::Full)
}

/// Writes a message as a payload; says how many bytes.
pub fn encode(
    message: &Message,
    encoding: Encoding,
    check: Check<'_>,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    match message {
        Message::Report(report) => encode_report(report, encoding, check, out),
        Message::Command(command) => encode_command(command, encoding, check, out),
    }
}

/// With delimiters around what `write` writes: `\n` after JSON, 00 before and after a frame (the
/// one before ends whatever noise the line had).
fn line(
    encoding: Encoding,
    out: &mut [u8],
    write: impl FnOnce(&mut [u8]) -> Result<usize, EncodeError>,
) -> Result<usize, EncodeError> {
    let start = match encoding {
        Encoding::Json => 0,
        Encoding::Binary => 1,
    };
    let len = start + write(out.get_mut(start..).ok_or(EncodeError::Full)?)?;
    *out.get_mut(len).ok_or(EncodeError::Full)? = b'\n';
    if encoding == Encoding::Binary {
        out[0] = 0;
        out[len] = 0;
    }
    Ok(len + 1)
}

/// Writes a report as a line, delimiters included; says how many bytes.
#[inline(never)]
pub fn line_report(
    report: &ClockReport,
    encoding: Encoding,
    check: Check<'_>,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    line(encoding, out, |out| encode_report(report, encoding, check, out))
}

/// Writes a command as a line, delimiters included; says how many bytes.
pub fn line_command(
    command: &ClockCommand,
    encoding: Encoding,
    check: Check<'_>,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    line(encoding, out, |out| encode_command(command, encoding, check, out))
}

/// A JSON text split from its last member, if that is a check.
fn split_json(text: &[u8]) -> (&[u8], Option<u32>, Option<[u8; SEAL]>) {
    if let Some((covered, tail)) = text.split_last_chunk::<CRC_TAIL>()
        && let Some(hex) = tail.strip_prefix(br#","crc":""#).and_then(|t| t.strip_suffix(br#""}"#))
    {
        let mut crc = [0; 4];
        if from_hex(hex, &mut crc).is_some() {
            return (covered, Some(u32::from_be_bytes(crc)), None);
        }
    }
    if let Some((covered, tail)) = text.split_last_chunk::<SEAL_TAIL>()
        && let Some(hex) = tail.strip_prefix(br#","seal":""#).and_then(|t| t.strip_suffix(br#""}"#))
    {
        let mut seal = [0; SEAL];
        if from_hex(hex, &mut seal).is_some() {
            return (covered, None, Some(seal));
        }
    }
    (text, None, None)
}

/// What a line can be read as: a [`Message`] of either direction, or at a clock only a [`ClockCommand`], which needs a
/// fraction of the code.
pub trait FromLine: Sized {
    /// Whether what fails as a whole is searched for a message at its end. A daemon must not lose a report; a clock is told
    /// again what it did not answer, and the search would be a kilobyte of its flash.
    #[doc(hidden)]
    const SEARCHED: bool;

    /// From JSON that fills `text`.
    #[doc(hidden)]
    fn from_json(text: &[u8]) -> Result<Self, DecodeError>;

    /// From a frame's kind and its fields.
    #[doc(hidden)]
    fn from_frame(kind: u8, fields: &[u8]) -> Result<Self, DecodeError>;

    /// Its topic.
    #[doc(hidden)]
    fn on(&self, encoding: Encoding) -> Topic;

    /// Whether every value is within its range.
    #[doc(hidden)]
    fn in_range(&self) -> Result<(), RangeError>;
}

impl FromLine for Message {
    const SEARCHED: bool = true;

    fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
        // Only a command has a `do`.
        Ok(match read_command(text)? {
            Some(command) => Self::Command(command),
            None => Self::Report(from_slice(text)?),
        })
    }

    fn from_frame(kind: u8, fields: &[u8]) -> Result<Self, DecodeError> {
        match kind {
            frame::REPORT => frame::report(fields).map(Self::Report),
            _ => ClockCommand::from_frame(kind, fields).map(Self::Command),
        }
    }

    fn on(&self, encoding: Encoding) -> Topic {
        self.topic(encoding)
    }

    fn in_range(&self) -> Result<(), RangeError> {
        self.check()
    }
}

impl FromLine for ClockCommand {
    const SEARCHED: bool = false;

    fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
        read_command(text)?.ok_or(DecodeError::NotCommand)
    }

    fn from_frame(kind: u8, fields: &[u8]) -> Result<Self, DecodeError> {
        match kind {
            frame::COMMAND => frame::command(fields),
            frame::REPORT => Err(DecodeError::NotCommand),
            other => Err(DecodeError::Kind(other)),
        }
    }

    fn on(&self, encoding: Encoding) -> Topic {
        Topic::new(
            self.clock,
            match encoding {
                Encoding::Json => Channel::Command,
                Encoding::Binary => Channel::CommandFrame,
            },
        )
    }

    fn in_range(&self) -> Result<(), RangeError> {
        self.check()
    }
}

pub(crate) fn read_json<M: FromLine>(text: &[u8], accept: &Accept<'_>) -> Result<(M, Checked), DecodeError> {
    let text = text.trim_ascii();
    let (covered, crc, seal) = split_json(text);
    if crc.is_some_and(|crc| crc != crc32(covered)) {
        return Err(DecodeError::Crc);
    }
    let message = M::from_json(text)?;
    let topic = message.on(Encoding::Json);
    let clock = topic.clock;
    let checked = match (accept.key(&clock), seal) {
        (Some(_), None) => return Err(DecodeError::Unsealed(clock)),
        (Some(key), Some(seal)) => {
            if !key.fits(&topic, covered, &seal) {
                return Err(DecodeError::Seal(clock));
            }
            Checked::Seal
        }
        (None, _) if crc.is_some() => Checked::Crc,
        // without the key a seal proves nothing, not even that the line is undamaged
        (None, _) if accept.unchecked => Checked::Not,
        (None, _) => return Err(DecodeError::Unchecked),
    };
    message.in_range()?;
    Ok((message, checked))
}

/// Reads a payload of either direction.
pub fn decode(payload: &[u8], encoding: Encoding, accept: &Accept<'_>) -> Result<Received, DecodeError> {
    let (message, checked) = match encoding {
        Encoding::Json => read_json(payload, accept)?,
        Encoding::Binary => {
            // a sender may leave a delimiter at either end
            let frame = payload.strip_prefix(&[0]).unwrap_or(payload);
            frame::read(frame.strip_suffix(&[0]).unwrap_or(frame), accept)?
        }
    };
    Ok(Received { message, encoding, checked })
}

/// Reads the payload of a report.
pub fn decode_report(
    payload: &[u8],
    encoding: Encoding,
    accept: &Accept<'_>,
) -> Result<ClockReport, DecodeError> {
    match decode(payload, encoding, accept)?.message {
        Message::Report(report) => Ok(report),
        Message::Command(_) => Err(DecodeError::NotReport),
    }
}

/// Reads the payload of a command.
pub fn decode_command(
    payload: &[u8],
    encoding: Encoding,
    accept: &Accept<'_>,
) -> Result<ClockCommand, DecodeError> {
    match decode(payload, encoding, accept)?.message {
        Message::Command(command) => Ok(command),
        Message::Report(_) => Err(DecodeError::NotCommand),
    }
}
