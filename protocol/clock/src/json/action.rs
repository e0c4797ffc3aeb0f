//! A command as JSON, its action in `do` with a `type`.
//!
//! A command of a later version, or with a name in it that this version does not know, reads as
//! [`Action::Unknown`] beside its number, so that the clock can say that it is unable.

use super::members::{Member, Members, of_name};
use super::read::JsonError;
use crate::{
    Action, ClockCommand, ClockId, FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SetTimes, Side,
    SideTimes, StopButton, TimeControl,
};
use heapless::Vec;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

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
const ACTION: [&str; 15] = [
    "type",
    "time_control",
    "first_side",
    "stop_button",
    "left_ms",
    "right_ms",
    "left_presses",
    "right_presses",
    "left_delta_ms",
    "right_delta_ms",
    "side",
    "number",
    "boot",
    "from_seq",
    "seq",
];

const CONTROL: [&str; 15] = [
    "kind",
    "base_ms",
    "increment_ms",
    "increment_on_first_move",
    "flag_at",
    "freeze_on_flag",
    "first",
    "second",
    "cap_ms",
    "overtime_ms",
    "overtime_count",
    "moves",
    "periods",
    "periods_at",
    "repeat",
];

const TIMES: [&str; 2] = ["base_ms", "increment_ms"];
const PERIOD: [&str; 3] = ["moves", "base_ms", "increment_ms"];
const COMMAND: [&str; 5] = ["clock", "command", "boot", "until_ms", "do"];

type Of<'de, const N: usize> = Members<'de, N>;

fn times(control: &Of<'_, 15>, name: &'static str) -> Result<Option<SideTimes>, JsonError> {
    if control.member(name).is_unsaid() {
        return Ok(None);
    }
    let own = control.within(name, &TIMES)?;
    Ok(Some(SideTimes { base_ms: own.number("base_ms")?, increment_ms: own.number("increment_ms")? }))
}

/// `None` where this version cannot hold so many.
fn periods(control: &Of<'_, 15>) -> Result<Option<Periods>, JsonError> {
    let at = match control.member("periods") {
        Member::List(at) => at,
        member if member.is_unsaid() => return Ok(Some(Periods::new())),
        _ => return Err(control.wrong("periods")),
    };
    let mut places: Vec<Member, MAX_PERIODS> = Vec::new();
    let mut more = false;
    control.elements(at, &mut |element| more |= places.push(element).is_err())?;
    if more {
        return Ok(None);
    }
    let mut periods: Vec<Period, MAX_PERIODS> = Vec::new();
    for place in places {
        let Member::Object(at) = place else {
            return Err(control.wrong("periods").named("base_ms of a period"));
        };
        let own = control.object(at, &PERIOD)?;
        let of_a_period = |name: &'static str| move |error: JsonError| error.named(name);
        let period = Period {
            moves: own.said("moves").map_err(of_a_period("moves of a period"))?.unwrap_or_default(),
            base_ms: own.number("base_ms").map_err(of_a_period("base_ms of a period"))?,
            increment_ms: own
                .said("increment_ms")
                .map_err(of_a_period("increment_ms of a period"))?
                .unwrap_or_default(),
        };
        more |= periods.push(period).is_err();
    }
    Ok((!more).then(|| periods.into()))
}

/// `None` where this version has no such control.
fn control(own: &Of<'_, 15>) -> Result<Option<TimeControl>, JsonError> {
    let Some(kind) = own.name("kind", Kind::default())? else { return Ok(None) };
    let Some(flag_at) = own.name("flag_at", FlagAt::default())? else { return Ok(None) };
    let Some(periods_at) = own.name("periods_at", PeriodsAt::default())? else { return Ok(None) };
    let Some(periods) = periods(own)? else { return Ok(None) };
    Ok(Some(TimeControl {
        kind,
        base_ms: own.number("base_ms")?,
        increment_ms: own.number("increment_ms")?,
        increment_on_first_move: own.flag("increment_on_first_move", false)?,
        flag_at,
        freeze_on_flag: own.flag("freeze_on_flag", true)?,
        first: times(own, "first")?,
        second: times(own, "second")?,
        cap_ms: own.said("cap_ms")?,
        overtime_ms: own.said("overtime_ms")?.unwrap_or(0),
        overtime_count: own.said("overtime_count")?.unwrap_or(0),
        moves: own.said("moves")?.unwrap_or(0),
        periods,
        periods_at,
        repeat: own.flag("repeat", false)?,
    }))
}

fn side(own: &Of<'_, 15>, name: &'static str) -> Result<Side, JsonError> {
    own.text(name, of_name)?.ok_or_else(|| own.wrong(name))
}

fn configure(own: &Of<'_, 15>) -> Result<Action, JsonError> {
    let control = control(&own.within("time_control", &CONTROL)?)?;
    let first_side = side(own, "first_side")?;
    let stop_button = own.name("stop_button", StopButton::default())?;
    Ok(match (control, stop_button) {
        (Some(time_control), Some(stop_button)) => {
            Action::Configure { time_control, first_side, stop_button }
        }
        _ => Action::Unknown,
    })
}

fn action(own: &Of<'_, 15>) -> Result<Action, JsonError> {
    // By its place among those we know, so that the text need not be kept.
    const TYPES: [&str; 11] = [
        "configure",
        "set_times",
        "adjust",
        "start",
        "stop",
        "resume",
        "identify",
        "show",
        "describe",
        "replay",
        "ack",
    ];
    let kind = own.text("type", |kind| TYPES.iter().find(|known| **known == kind).copied())?;
    Ok(match kind.unwrap_or_default() {
        "configure" => configure(own)?,
        "set_times" => Action::SetTimes(SetTimes {
            left_ms: own.number("left_ms")?,
            right_ms: own.number("right_ms")?,
            left_presses: own.said("left_presses")?,
            right_presses: own.said("right_presses")?,
        }),
        "adjust" => Action::Adjust {
            left_delta_ms: own.number("left_delta_ms")?,
            right_delta_ms: own.number("right_delta_ms")?,
        },
        "start" => Action::Start { side: side(own, "side")? },
        "stop" => Action::Stop,
        "resume" => Action::Resume,
        "identify" => Action::Identify,
        "show" => Action::Show { number: own.number("number")? },
        "describe" => Action::Describe,
        "replay" => Action::Replay { boot: own.number("boot")?, from_seq: own.number("from_seq")? },
        "ack" => Action::Ack { boot: own.number("boot")?, seq: own.number("seq")? },
        _ => Action::Unknown,
    })
}

/// Reads a command that fills `text`. None where it has no `do`: then it is a report.
///
/// # Errors
/// Where it is no JSON, or not what a command holds.
pub(crate) fn read_command(text: &[u8]) -> Result<Option<ClockCommand>, JsonError> {
    let whole = Members::whole(text, &COMMAND)?;
    if whole.member("do").is_unsaid() {
        return Ok(None);
    }
    let clock = whole.text("clock", |name| name.parse::<ClockId>())?.map_err(|_| whole.wrong("clock"))?;
    let action = action(&whole.within("do", &ACTION)?)?;
    if matches!(action, Action::Ack { .. }) {
        return Ok(Some(ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action }));
    }
    Ok(Some(ClockCommand {
        clock,
        command: whole.number("command")?,
        boot: whole.number("boot")?,
        until_ms: whole.number("until_ms")?,
        action,
    }))
}
