//! A command as JSON, its action in `do` with a `type`.
//!
//! A command of a later version, or with a name in it that this version does not know, reads as
//! [`Action::Unknown`] beside its number, so that the clock can say that it is unable.

use super::members::{FirstFault, Member, Members, of_name};
use super::read::Fault;
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

type Of<'a> = Members<'a, 15>;

fn times(control: &Of<'_>, name: &'static str) -> Option<SideTimes> {
    if control.member(name).is_unsaid() {
        return None;
    }
    let own = control.within(name, &TIMES);
    Some(SideTimes { base_ms: own.short("base_ms"), increment_ms: own.short("increment_ms") })
}

/// `None` where this version cannot hold so many.
fn periods(control: &Of<'_>) -> Option<Periods> {
    let mut periods: Vec<Period, MAX_PERIODS> = Vec::new();
    let mut more = false;
    control.each_within("periods", "base_ms of a period", &PERIOD, &mut |own| {
        let number = |name, named, most| match own.member(name) {
            Member::Positive(number) if number <= most => number,
            member => {
                if !member.is_unsaid() || name == "base_ms" {
                    own.wrong_as(name, named);
                }
                0
            }
        };
        let period = Period {
            moves: number("moves", "moves of a period", u64::from(u16::MAX)) as u16,
            base_ms: number("base_ms", "base_ms of a period", u64::from(u32::MAX)) as u32,
            increment_ms: number("increment_ms", "increment_ms of a period", u64::from(u32::MAX)) as u32,
        };
        more |= periods.push(period).is_err();
    });
    (!more).then(|| periods.into())
}

/// `None` where this version has no such control.
#[inline(never)]
fn control(own: &Of<'_>) -> Option<TimeControl> {
    Some(TimeControl {
        kind: own.name("kind", Kind::default())?,
        base_ms: own.short("base_ms"),
        increment_ms: own.short("increment_ms"),
        increment_on_first_move: own.flag("increment_on_first_move", false),
        flag_at: own.name("flag_at", FlagAt::default())?,
        freeze_on_flag: own.flag("freeze_on_flag", true),
        first: times(own, "first"),
        second: times(own, "second"),
        cap_ms: own.said("cap_ms"),
        overtime_ms: own.said("overtime_ms").unwrap_or(0),
        overtime_count: own.said_small("overtime_count").unwrap_or(0),
        moves: own.said_small("moves").unwrap_or(0),
        periods: periods(own)?,
        periods_at: own.name("periods_at", PeriodsAt::default())?,
        repeat: own.flag("repeat", false),
    })
}

fn side(own: &Of<'_>, name: &'static str) -> Option<Side> {
    own.must(name, of_name)
}

#[inline(never)]
fn configure(own: &Of<'_>) -> Option<Action> {
    let control = control(&own.within("time_control", &CONTROL));
    let first_side = side(own, "first_side")?;
    let stop_button = own.name("stop_button", StopButton::default());
    Some(Action::Configure { time_control: control?, first_side, stop_button: stop_button? })
}

/// `None` where this version has no such action, or a fault was found.
#[inline(never)]
fn action(own: &Of<'_>) -> Option<Action> {
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
    let kind = own.text("type", |kind| TYPES.iter().position(|known| *known == kind))?;
    Some(match TYPES[kind] {
        "configure" => configure(own)?,
        "set_times" => Action::SetTimes(SetTimes {
            left_ms: own.signed("left_ms"),
            right_ms: own.signed("right_ms"),
            left_presses: own.said("left_presses"),
            right_presses: own.said("right_presses"),
        }),
        "adjust" => Action::Adjust {
            left_delta_ms: own.signed("left_delta_ms"),
            right_delta_ms: own.signed("right_delta_ms"),
        },
        "start" => Action::Start { side: side(own, "side")? },
        "stop" => Action::Stop,
        "resume" => Action::Resume,
        "identify" => Action::Identify,
        "show" => Action::Show { number: own.number("number", u64::from(u16::MAX)) as u16 },
        "describe" => Action::Describe,
        "replay" => Action::Replay { boot: own.short("boot"), from_seq: own.short("from_seq") },
        "ack" => Action::Ack { boot: own.short("boot"), seq: own.short("seq") },
        _ => return None,
    })
}

/// Reads a command that fills `text`. None where it has no `do`: then it is a report.
///
/// # Errors
/// Where it is no JSON, or not what a command holds.
#[inline(never)]
pub(crate) fn read_command(text: &[u8]) -> Result<Option<ClockCommand>, Fault> {
    let fault = FirstFault::default();
    let command = command(&Members::whole(text, &COMMAND, &fault));
    fault.or(command)
}

fn command(whole: &Members<'_, 5>) -> Option<ClockCommand> {
    if whole.member("do").is_unsaid() {
        return None;
    }
    let clock = whole.must("clock", |name| name.parse::<ClockId>().ok())?;
    let action = action(&whole.within("do", &ACTION)).unwrap_or(Action::Unknown);
    if matches!(action, Action::Ack { .. }) {
        return Some(ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action });
    }
    let (command, boot) = (whole.short("command"), whole.short("boot"));
    Some(ClockCommand { clock, command, boot, until_ms: whole.number("until_ms", u64::MAX), action })
}
