//! How a clock is given its name and key, over its own line and once.
//!
//! `{"provision":{...},"crc":"..."}` to it, `{"provisioned":{...},"crc":"..."}` from it, each a line of JSON with its
//! check. It is no message between a clock and the daemon: a technician's tool says it before the clock ever comes into
//! a hall. The key goes in and never comes out again.

use crate::codec::{close_json_crc, open_json_crc};
use crate::json::{Fault, FirstFault, Members, Named, Out, from_slice, members, to_slice};
use crate::seal::{KEY_HEX, to_hex};
use crate::{ClockId, DecodeError, EncodeError, Encoding, Key};
use core::fmt;
use heapless::String;
use serde::{Deserialize, Serialize, Serializer};

/// The longest line of provisioning, either way, its newline included, in bytes.
pub const MAX_PROVISION: usize = 320;
/// A crystal is trimmed by no more than this, either way, in millionths.
pub const MAX_TRIM_PPM: i16 = 500;

/// What a clock is given.
#[derive(Clone, Debug, Serialize)]
pub struct Identity {
    /// Its name.
    pub clock: ClockId,
    /// Its key; without one it cannot seal what it says.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_hex")]
    pub key: Option<Key>,
    /// How it writes.
    #[serde(with = "written")]
    pub encoding: Encoding,
    /// By how many millionths its crystal is fast, -500 to 500.
    pub trim_ppm: i16,
    /// Sounds for 2 s at a flag. Off in tournaments.
    pub sound: bool,
}

/// What a clock says of its own provisioning; nobody gets the key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Provisioned {
    /// Its name; none yet.
    #[serde(deserialize_with = "Option::deserialize")]
    pub clock: Option<ClockId>,
    /// It has a key.
    pub sealed: bool,
    /// How it writes.
    #[serde(with = "written")]
    pub encoding: Encoding,
    /// By how many millionths its crystal is taken to be fast.
    pub trim_ppm: i16,
    /// Sounds at a flag.
    pub sound: bool,
    /// Its untrimmed counter since power-up, in microseconds: two answers and a good clock measure the crystal.
    pub uptime_us: u64,
    /// Name and version of its firmware.
    pub firmware: String<24>,
}

/// Why a clock did not take what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProvisionError {
    /// It has a name already.
    Already,
    /// A value is out of range, or no such line is known.
    Range,
    /// Its memory did not keep it.
    Memory,
}

impl fmt::Display for ProvisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Already => "it has a name already",
            Self::Range => "it does not understand that, or a value is out of range",
            Self::Memory => "its memory did not keep it",
        })
    }
}

impl core::error::Error for ProvisionError {}

/// To a clock.
#[derive(Clone, Debug)]
pub enum Provision {
    /// Who are you?
    Ask,
    /// Be this one.
    Be(Identity),
}

/// From a clock.
pub type ProvisionAnswer = Result<Provisioned, ProvisionError>;

fn in_hex<S: Serializer>(key: &Option<Key>, to: S) -> Result<S::Ok, S::Error> {
    let Some(key) = key else { return to.serialize_none() };
    let mut text = [0; KEY_HEX];
    let text = &mut text[..key.bytes().len() * 2];
    to_hex(key.bytes(), text);
    // Hex digits are text in any case.
    to.serialize_str(core::str::from_utf8(text).unwrap_or_default())
}

mod written {
    use super::{Deserialize, Encoding, Serialize, Serializer};
    use serde::Deserializer;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub(super) enum Name {
        Json,
        Binary,
    }

    impl Name {
        pub(super) const fn encoding(self) -> Encoding {
            match self {
                Self::Json => Encoding::Json,
                Self::Binary => Encoding::Binary,
            }
        }
    }

    pub(super) fn serialize<S: Serializer>(encoding: &Encoding, to: S) -> Result<S::Ok, S::Error> {
        match encoding {
            Encoding::Json => Name::Json,
            Encoding::Binary => Name::Binary,
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Encoding, D::Error> {
        Name::deserialize(from).map(Name::encoding)
    }
}

#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize)]
struct Request<T> {
    provision: T,
}

#[derive(Deserialize)]
struct Answer<T> {
    provisioned: T,
}

#[derive(Deserialize)]
struct Said {
    error: Option<ProvisionError>,
}

mod request {
    super::members! { PROVISION = "provision" }
}

mod identity {
    super::members! {
        CLOCK = "clock",
        KEY = "key",
        ENCODING = "encoding",
        TRIM_PPM = "trim_ppm",
        SOUND = "sound",
    }
}

impl Named for Encoding {
    const ALL: &'static [Self] = &[Self::Json, Self::Binary];
    const NAMES: &'static [&'static str] = &["json", "binary"];
}

#[inline(never)]
fn line<T: Serialize>(value: &T, out: &mut [u8]) -> Result<usize, EncodeError> {
    let len = to_slice(value, out).ok_or(EncodeError::Full)?;
    closed(len, out)
}

/// With its check and the end of its line.
fn closed(len: usize, out: &mut [u8]) -> Result<usize, EncodeError> {
    let len = close_json_crc(out, len).ok_or(EncodeError::Full)?;
    *out.get_mut(len).ok_or(EncodeError::Full)? = b'\n';
    Ok(len + 1)
}

/// Writes a line to a clock; says how many bytes.
///
/// # Errors
/// Where `out` is too small; [`MAX_PROVISION`] is enough.
pub fn line_provision(said: &Provision, out: &mut [u8]) -> Result<usize, EncodeError> {
    match said {
        Provision::Ask => line(&Request { provision: Nothing {} }, out),
        Provision::Be(identity) => line(&Request { provision: identity }, out),
    }
}

/// Writes a clock's answer; says how many bytes.
///
/// # Errors
/// Where `out` is too small; [`MAX_PROVISION`] is enough.
#[inline(never)]
pub fn line_provisioned(said: &ProvisionAnswer, out: &mut [u8]) -> Result<usize, EncodeError> {
    let len = answer(said, out).ok_or(EncodeError::Full)?;
    closed(len, out)
}

fn answer(said: &ProvisionAnswer, out: &mut [u8]) -> Option<usize> {
    let mut out = Out::new(out);
    out.open();
    out.name("provisioned");
    out.open();
    match said {
        Ok(state) => {
            out.text("clock", state.clock.as_ref().map(ClockId::as_str));
            out.flag("sealed", state.sealed);
            out.text("encoding", Some(Encoding::NAMES[state.encoding as usize]));
            out.signed("trim_ppm", i64::from(state.trim_ppm));
            out.flag("sound", state.sound);
            out.number("uptime_us", state.uptime_us);
            out.text("firmware", Some(&state.firmware));
        }
        Err(error) => out.text(
            "error",
            Some(match error {
                ProvisionError::Already => "already",
                ProvisionError::Range => "range",
                ProvisionError::Memory => "memory",
            }),
        ),
    }
    out.close();
    out.close();
    out.len()
}

/// Reads a line to a clock. None where it speaks of something else.
///
/// # Errors
/// Where its check does not fit, or it is not what a clock can be given.
pub fn read_provision(text: &[u8]) -> Option<Result<Provision, DecodeError>> {
    opened(text, br#"{"provision":"#).map(|text| Ok(request(text?)?))
}

#[inline(never)]
fn request(text: &[u8]) -> Result<Provision, Fault> {
    let fault = FirstFault::default();
    let own = Members::whole(text, request::NAMES, &fault).within(request::PROVISION, identity::NAMES);
    let said =
        if own.is_unsaid(identity::CLOCK) { Some(Provision::Ask) } else { be(&own).map(Provision::Be) };
    fault.or(said.unwrap_or(Provision::Ask))
}

fn be(own: &Members<'_>) -> Option<Identity> {
    let clock = own.must(identity::CLOCK, |name| name.parse().ok())?;
    let key = if own.is_unsaid(identity::KEY) {
        None
    } else {
        Some(own.must(identity::KEY, |key| key.parse().ok())?)
    };
    let encoding = own.name(identity::ENCODING);
    if encoding.is_none() {
        own.wrong(identity::ENCODING);
    }
    let trim = if own.is_unsaid(identity::TRIM_PPM) { 0 } else { own.signed(identity::TRIM_PPM) };
    let trim_ppm = i16::try_from(trim).ok().filter(|trim| (-MAX_TRIM_PPM..=MAX_TRIM_PPM).contains(trim));
    if trim_ppm.is_none() {
        own.wrong(identity::TRIM_PPM);
    }
    let sound = own.flag(identity::SOUND, false);
    Some(Identity { clock, key, encoding: encoding?, trim_ppm: trim_ppm?, sound })
}

/// Reads a clock's answer. None where it speaks of something else.
///
/// # Errors
/// Where its check does not fit, or it is no answer.
pub fn read_provisioned(text: &[u8]) -> Option<Result<ProvisionAnswer, DecodeError>> {
    opened(text, br#"{"provisioned":"#).map(|text| {
        let text = text?;
        match from_slice::<Answer<Said>>(text)?.provisioned.error {
            Some(error) => Ok(Err(error)),
            None => Ok(Ok(from_slice::<Answer<Provisioned>>(text)?.provisioned)),
        }
    })
}

/// A line that begins so, with its check looked at.
fn opened<'a>(text: &'a [u8], begins: &[u8]) -> Option<Result<&'a [u8], DecodeError>> {
    let text = text.trim_ascii();
    text.starts_with(begins).then(|| open_json_crc(text))
}
