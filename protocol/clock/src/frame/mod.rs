//! Messages as binary frames: COBS(version, kind, fields, seal if sealed, CRC-32).
//!
//! Decides what is a whole frame of a version it knows; nothing about what is in it.

mod command;
mod fields;
mod numbers;
mod report;

use crate::seal::{SEAL, crc32};
use crate::{
    Accept, Channel, Check, Checked, ClockCommand, ClockReport, DecodeError, Encoding, FromLine, Topic,
};
pub(crate) use fields::BadField;
use fields::{Fields, Out};

/// The version this crate writes. 9, 10 and 13 are never used: a line beginning with `{` and white
/// space would look like a frame.
pub const VERSION: u8 = 1;
/// Longest frame taken, encoded; ours are less than half as long, the rest is for later versions.
pub const MAX_FRAME: usize = 512;
const OURS: usize = 256;
const CRC: usize = 4;
pub(crate) const REPORT: u8 = 1;
pub(crate) const COMMAND: u8 = 2;
const SEALED: u8 = 0x80;

/// Whether a chunk of a line that begins so can be a frame: in text, no control character but
/// white space ever follows the first.
pub(crate) fn looks_like_frame(first: u8, second: u8) -> bool {
    first > 2 && second < 0x20 && !matches!(second, b'\t' | b'\n' | b'\r')
}

#[inline(never)]
fn finish(topic: &Topic, check: Check<'_>, out: &mut Out<'_>, to: &mut [u8]) -> Option<usize> {
    if let Check::Seal(key) = check {
        let seal = key.seal(topic, out.written()?);
        out.raw(&seal);
    }
    let crc = crc32(out.written()?);
    out.raw(&crc.to_le_bytes());
    cobs::try_encode(out.written()?, to).ok()
}

const fn kind(kind: u8, check: Check<'_>) -> u8 {
    if matches!(check, Check::Seal(_)) { kind | SEALED } else { kind }
}

#[inline(never)]
pub(crate) fn write_report(report: &ClockReport, check: Check<'_>, to: &mut [u8]) -> Option<usize> {
    let mut scratch = [0; OURS];
    let mut out = Out::new(&mut scratch);
    out.raw(&[VERSION, kind(REPORT, check)]);
    report::write(report, &mut out);
    finish(&Topic::new(report.clock, Channel::Frame), check, &mut out, to)
}

pub(crate) fn write_command(command: &ClockCommand, check: Check<'_>, to: &mut [u8]) -> Option<usize> {
    let mut scratch = [0; OURS];
    let mut out = Out::new(&mut scratch);
    out.raw(&[VERSION, kind(COMMAND, check)]);
    command::write(command, &mut out);
    finish(&Topic::new(command.clock, Channel::CommandFrame), check, &mut out, to)
}

pub(crate) fn report(fields: &[u8]) -> Result<ClockReport, DecodeError> {
    Ok(report::read(&mut Fields::new(fields))?)
}

#[inline(never)]
pub(crate) fn command(fields: &[u8]) -> Result<ClockCommand, DecodeError> {
    Ok(command::read(&mut Fields::new(fields))?)
}

/// Reads one frame, without its delimiters.
pub(crate) fn read<M: FromLine>(frame: &[u8], accept: &Accept<'_>) -> Result<(M, Checked), DecodeError> {
    let mut content = [0; MAX_FRAME];
    if frame.len() > MAX_FRAME {
        return Err(DecodeError::TooLong);
    }
    if frame.contains(&0) {
        return Err(DecodeError::Cobs);
    }
    let len = cobs::decode(frame, &mut content).map_err(|_| DecodeError::Cobs)?;
    let content = &content[..len];
    let Some((whole, crc)) = content.split_last_chunk::<CRC>() else { return Err(DecodeError::Cobs) };
    if crc32(whole) != u32::from_le_bytes(*crc) {
        return Err(DecodeError::Crc);
    }
    let [version, kind, ..] = *whole else { return Err(DecodeError::Cobs) };
    if version != VERSION {
        return Err(DecodeError::Version(version));
    }
    let (covered, seal) = if kind & SEALED == 0 {
        (whole, None)
    } else {
        let (covered, seal) = whole.split_last_chunk::<SEAL>().ok_or(DecodeError::Field("seal"))?;
        (covered, Some(seal))
    };
    let message = M::from_frame(kind & !SEALED, covered.get(2..).ok_or(DecodeError::Field("seal"))?)?;
    let topic = message.on(Encoding::Binary);
    let clock = topic.clock;
    let checked = match (accept.key(&clock), seal) {
        (None, _) => Checked::Crc,
        (Some(_), None) => return Err(DecodeError::Unsealed(clock)),
        (Some(key), Some(seal)) if key.fits(&topic, covered, seal) => Checked::Seal,
        (Some(_), Some(_)) => return Err(DecodeError::Seal(clock)),
    };
    message.in_range()?;
    Ok((message, checked))
}
