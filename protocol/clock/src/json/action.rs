//! A command as JSON, its action in `do` with a `type`.
//!
//! A command of a later version, or with a name in it that this version does not know, reads as
//! [`Action::Unknown`] beside its number, so that the clock can say that it is unable.

use super::periods::List;
use super::value::{Object, Value, needs};
use crate::{
    Action, ClockCommand, ClockId, FlagAt, Kind, PeriodsAt, SetTimes, Side, SideTimes, StopButton,
    TimeControl,
};
use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut action = to.serialize_struct("do", 5)?;
        action.serialize_field("type", self.name())?;
        match self {
            Self::Configure { time_control, first_side, stop_button } => {
                action.serialize_field("time_control", time_control)?;
                action.serialize_field("first_side", first_side)?;
                action.serialize_field("stop_button", stop_button)?;
            }
            Self::SetTimes(set) => {
                action.serialize_field("left_ms", &set.left_ms)?;
                action.serialize_field("right_ms", &set.right_ms)?;
                if let Some(presses) = &set.left_presses {
                    action.serialize_field("left_presses", presses)?;
                }
                if let Some(presses) = &set.right_presses {
                    action.serialize_field("right_presses", presses)?;
                }
            }
            Self::Adjust { left_delta_ms, right_delta_ms } => {
                action.serialize_field("left_delta_ms", left_delta_ms)?;
                action.serialize_field("right_delta_ms", right_delta_ms)?;
            }
            Self::Start { side } => action.serialize_field("side", side)?,
            Self::Show { number } => action.serialize_field("number", number)?,
            Self::Replay { boot, from_seq } => {
                action.serialize_field("boot", boot)?;
                action.serialize_field("from_seq", from_seq)?;
            }
            Self::Ack { boot, seq } => {
                action.serialize_field("boot", boot)?;
                action.serialize_field("seq", seq)?;
            }
            Self::Stop | Self::Resume | Self::Identify | Self::Describe | Self::Unknown => {}
        }
        action.end()
    }
}

impl Serialize for ClockCommand {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut command = to.serialize_struct("command", 5)?;
        command.serialize_field("clock", &self.clock)?;
        if !matches!(self.action, Action::Ack { .. }) {
            command.serialize_field("command", &self.command)?;
            command.serialize_field("boot", &self.boot)?;
            command.serialize_field("until_ms", &self.until_ms)?;
        }
        command.serialize_field("do", &self.action)?;
        command.end()
    }
}

/// Every member that a known action uses.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Members {
    r#type: Value,
    time_control: Object<Control>,
    first_side: Value,
    stop_button: Value,
    left_ms: Value,
    right_ms: Value,
    left_presses: Value,
    right_presses: Value,
    left_delta_ms: Value,
    right_delta_ms: Value,
    side: Value,
    number: Value,
    boot: Value,
    from_seq: Value,
    seq: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Control {
    kind: Value,
    base_ms: Value,
    increment_ms: Value,
    increment_on_first_move: Value,
    flag_at: Value,
    freeze_on_flag: Value,
    first: Object<Times>,
    second: Object<Times>,
    cap_ms: Value,
    overtime_ms: Value,
    overtime_count: Value,
    moves: Value,
    periods: List,
    periods_at: Value,
    repeat: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Times {
    base_ms: Value,
    increment_ms: Value,
}

/// A name this version does not have: `Ok(None)`, the whole action is then unknown.
fn name<'a, T: Deserialize<'a>, E: Error>(
    field: &'static str,
    value: &'a Value,
    unsaid: T,
) -> Result<Option<T>, E> {
    match value {
        Value::Text(_) => Ok(value.name()),
        value if value.is_unsaid() => Ok(Some(unsaid)),
        value => needs(field, value, None),
    }
}

fn yes_or_no<E: Error>(field: &'static str, value: &Value, unsaid: bool) -> Result<bool, E> {
    if value.is_unsaid() { Ok(unsaid) } else { needs(field, value, value.bool()) }
}

/// A number that may be left out.
fn said<E: Error, N: TryFrom<u64> + TryFrom<i64>>(
    field: &'static str,
    value: &Value,
) -> Result<Option<N>, E> {
    if value.is_unsaid() { Ok(None) } else { needs(field, value, value.number()).map(Some) }
}

impl Times {
    fn times<E: Error>(field: &'static str, object: &Object<Self>) -> Result<Option<SideTimes>, E> {
        match object {
            Object::Absent | Object::Null => Ok(None),
            Object::Other => needs(field, &Value::Other, None),
            Object::Is(own) => Ok(Some(SideTimes {
                base_ms: needs("base_ms", &own.base_ms, own.base_ms.number())?,
                increment_ms: needs("increment_ms", &own.increment_ms, own.increment_ms.number())?,
            })),
        }
    }
}

impl Control {
    fn control<E: Error>(&self) -> Result<Option<TimeControl>, E> {
        let Some(kind) = name("kind", &self.kind, Kind::default())? else { return Ok(None) };
        let Some(flag_at) = name("flag_at", &self.flag_at, FlagAt::default())? else { return Ok(None) };
        let Some(periods_at) = name("periods_at", &self.periods_at, PeriodsAt::default())? else {
            return Ok(None);
        };
        let Some(periods) = self.periods.periods()? else { return Ok(None) };
        let first = "increment_on_first_move";
        Ok(Some(TimeControl {
            kind,
            base_ms: needs("base_ms", &self.base_ms, self.base_ms.number())?,
            increment_ms: needs("increment_ms", &self.increment_ms, self.increment_ms.number())?,
            increment_on_first_move: yes_or_no(first, &self.increment_on_first_move, false)?,
            flag_at,
            freeze_on_flag: yes_or_no("freeze_on_flag", &self.freeze_on_flag, true)?,
            first: Times::times("first", &self.first)?,
            second: Times::times("second", &self.second)?,
            cap_ms: said("cap_ms", &self.cap_ms)?,
            overtime_ms: said("overtime_ms", &self.overtime_ms)?.unwrap_or(0),
            overtime_count: said("overtime_count", &self.overtime_count)?.unwrap_or(0),
            moves: said("moves", &self.moves)?.unwrap_or(0),
            periods,
            periods_at,
            repeat: yes_or_no("repeat", &self.repeat, false)?,
        }))
    }
}

impl Members {
    fn configure<E: Error>(&self) -> Result<Action, E> {
        let control = match &self.time_control {
            Object::Is(control) => control.control()?,
            Object::Absent => return Err(E::missing_field("time_control")),
            Object::Null | Object::Other => return needs("time_control", &Value::Other, None),
        };
        let first_side: Side = needs("first_side", &self.first_side, self.first_side.name())?;
        let stop_button = name("stop_button", &self.stop_button, StopButton::default())?;
        Ok(match (control, stop_button) {
            (Some(time_control), Some(stop_button)) => {
                Action::Configure { time_control, first_side, stop_button }
            }
            _ => Action::Unknown,
        })
    }

    fn action<E: Error>(&self) -> Result<Action, E> {
        let kind: &str = needs("type", &self.r#type, self.r#type.text())?;
        let action = match kind {
            "configure" => self.configure()?,
            "set_times" => Action::SetTimes(SetTimes {
                left_ms: needs("left_ms", &self.left_ms, self.left_ms.number())?,
                right_ms: needs("right_ms", &self.right_ms, self.right_ms.number())?,
                left_presses: said("left_presses", &self.left_presses)?,
                right_presses: said("right_presses", &self.right_presses)?,
            }),
            "adjust" => Action::Adjust {
                left_delta_ms: needs("left_delta_ms", &self.left_delta_ms, self.left_delta_ms.number())?,
                right_delta_ms: needs("right_delta_ms", &self.right_delta_ms, self.right_delta_ms.number())?,
            },
            "start" => Action::Start { side: needs("side", &self.side, self.side.name())? },
            "stop" => Action::Stop,
            "resume" => Action::Resume,
            "identify" => Action::Identify,
            "show" => Action::Show { number: needs("number", &self.number, self.number.number())? },
            "describe" => Action::Describe,
            "replay" => Action::Replay {
                boot: needs("boot", &self.boot, self.boot.number())?,
                from_seq: needs("from_seq", &self.from_seq, self.from_seq.number())?,
            },
            "ack" => Action::Ack {
                boot: needs("boot", &self.boot, self.boot.number())?,
                seq: needs("seq", &self.seq, self.seq.number())?,
            },
            _ => Action::Unknown,
        };
        action.check().map_err(E::custom)?;
        Ok(action)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Members::deserialize(from)?.action()
    }
}

#[derive(Deserialize)]
struct Whole {
    clock: ClockId,
    command: Option<u32>,
    boot: Option<u32>,
    until_ms: Option<u64>,
    r#do: Action,
}

impl<'de> Deserialize<'de> for ClockCommand {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Whole { clock, command, boot, until_ms, r#do: action } = Whole::deserialize(from)?;
        if matches!(action, Action::Ack { .. }) {
            return Ok(Self { clock, command: 0, boot: 0, until_ms: 0, action });
        }
        Ok(Self {
            clock,
            command: command.ok_or_else(|| D::Error::missing_field("command"))?,
            boot: boot.ok_or_else(|| D::Error::missing_field("boot"))?,
            until_ms: until_ms.ok_or_else(|| D::Error::missing_field("until_ms"))?,
            action,
        })
    }
}
