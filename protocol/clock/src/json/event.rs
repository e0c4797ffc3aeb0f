//! `event` of a report as JSON: an object with its `type`.
//!
//! An event of a later version, whatever it holds, reads as [`ClockEvent::Unknown`]; a claim of a
//! later version as none, so that a person is asked.

use super::value::{Value, needs};
use crate::{About, By, Can, Claim, ClockEvent, Refusal, Side};
use heapless::String;
use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl ClockEvent {
    /// Its name on the wire (`event.type`).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Boot(_) => "boot",
            Self::About(_) => "about",
            Self::Ready { .. } => "ready",
            Self::Start { .. } => "start",
            Self::Press { .. } => "press",
            Self::IgnoredPress { .. } => "ignored_press",
            Self::Stop { .. } => "stop",
            Self::Resume { .. } => "resume",
            Self::Adjust { .. } => "adjust",
            Self::Reset { .. } => "reset",
            Self::IgnoredStop => "ignored_stop",
            Self::Over { .. } => "over",
            Self::Flag { .. } => "flag",
            Self::Period { .. } => "period",
            Self::BatteryLow => "battery_low",
            Self::Done { .. } => "done",
            Self::Unknown => "unknown",
        }
    }
}

impl Serialize for Can {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.names())
    }
}

impl Serialize for ClockEvent {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut event = to.serialize_struct("event", 5)?;
        event.serialize_field("type", self.name())?;
        match self {
            Self::Boot(about) | Self::About(about) => {
                event.serialize_field("firmware", about.firmware.as_str())?;
                event.serialize_field("restored", &about.restored)?;
                event.serialize_field("resolution_ms", &about.resolution_ms)?;
                if let Some(can) = &about.can {
                    event.serialize_field("can", can)?;
                }
            }
            Self::Start { side, by } => {
                event.serialize_field("side", side)?;
                event.serialize_field("by", by)?;
            }
            Self::Ready { side }
            | Self::Press { side }
            | Self::IgnoredPress { side }
            | Self::Flag { side }
            | Self::Period { side } => {
                event.serialize_field("side", side)?;
            }
            Self::Stop { by } | Self::Resume { by } | Self::Adjust { by } | Self::Reset { by } => {
                event.serialize_field("by", by)?;
            }
            Self::Over { claim, agreed } => {
                event.serialize_field("claim", claim)?;
                event.serialize_field("agreed", agreed)?;
            }
            Self::Done { command, ok, error } => {
                event.serialize_field("command", command)?;
                event.serialize_field("ok", ok)?;
                if let Some(error) = error {
                    event.serialize_field("error", error)?;
                }
            }
            Self::IgnoredStop | Self::BatteryLow | Self::Unknown => {}
        }
        event.end()
    }
}

/// Every member that a known event uses.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Members {
    r#type: Value,
    side: Value,
    by: Value,
    firmware: Value,
    restored: Value,
    resolution_ms: Value,
    can: Value,
    claim: Value,
    agreed: Value,
    command: Value,
    ok: Value,
    error: Value,
}

impl Members {
    fn side<E: Error>(&self) -> Result<Side, E> {
        needs("side", &self.side, self.side.name())
    }

    /// Left out, the clock does not know.
    fn by<E: Error>(&self) -> Result<By, E> {
        if self.by.is_unsaid() { Ok(By::Unknown) } else { needs("by", &self.by, self.by.name()) }
    }

    fn flag<E: Error>(field: &'static str, value: &Value) -> Result<bool, E> {
        if value.is_unsaid() { Ok(false) } else { needs(field, value, value.bool()) }
    }

    /// Hints, so what is left out has its default, and a long name is cut.
    fn about<E: Error>(&self) -> Result<About, E> {
        let mut firmware = String::new();
        for c in self.firmware.text().unwrap_or_default().chars() {
            if firmware.push(c).is_err() {
                break;
            }
        }
        let resolution_ms = if self.resolution_ms.is_unsaid() {
            0
        } else {
            needs("resolution_ms", &self.resolution_ms, self.resolution_ms.number())?
        };
        let can = match &self.can {
            Value::List(can) => Some(*can),
            value if value.is_unsaid() => None,
            value => return needs("can", value, None),
        };
        Ok(About { firmware, restored: Self::flag("restored", &self.restored)?, resolution_ms, can })
    }

    fn event<E: Error>(&self) -> Result<ClockEvent, E> {
        let name: &str = needs("type", &self.r#type, self.r#type.text())?;
        Ok(match name {
            "boot" => ClockEvent::Boot(self.about()?),
            "about" => ClockEvent::About(self.about()?),
            "ready" => ClockEvent::Ready { side: self.side()? },
            "start" => ClockEvent::Start { side: self.side()?, by: self.by()? },
            "press" => ClockEvent::Press { side: self.side()? },
            "ignored_press" => ClockEvent::IgnoredPress { side: self.side()? },
            "stop" => ClockEvent::Stop { by: self.by()? },
            "resume" => ClockEvent::Resume { by: self.by()? },
            "adjust" => ClockEvent::Adjust { by: self.by()? },
            "reset" => ClockEvent::Reset { by: self.by()? },
            "ignored_stop" => ClockEvent::IgnoredStop,
            "over" => ClockEvent::Over {
                claim: self.claim.name::<Claim>(),
                agreed: Self::flag("agreed", &self.agreed)?,
            },
            "flag" => ClockEvent::Flag { side: self.side()? },
            "period" => ClockEvent::Period { side: self.side()? },
            "battery_low" => ClockEvent::BatteryLow,
            "done" => ClockEvent::Done {
                command: needs("command", &self.command, self.command.number())?,
                ok: needs("ok", &self.ok, self.ok.bool())?,
                error: match &self.error {
                    value if value.is_unsaid() => None,
                    value => Some(needs("error", value, value.name::<Refusal>())?),
                },
            },
            _ => ClockEvent::Unknown,
        })
    }
}

impl<'de> Deserialize<'de> for ClockEvent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Members::deserialize(from)?.event()
    }
}
