//! A command as JSON, its action in `do` with a `type`.
//!
//! A command of a later version, or with a name in it that this version does not know, reads as
//! [`Action::Unknown`] beside its number, so that the clock can say that it is unable.

use super::members::{FirstFault, Members, members};
use super::read::Fault;
use crate::{
    Action, Can, ClockCommand, ClockId, Kind, MAX_PERIODS, Period, Periods, SetTimes, Side, SideTimes,
    TimeControl,
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

mod command {
    super::members! { CLOCK = "clock", COMMAND = "command", BOOT = "boot", UNTIL_MS = "until_ms", DO = "do" }
}

/// Every member that a known action uses.
mod act {
    super::members! {
        TYPE = "type",
        TIME_CONTROL = "time_control",
        FIRST_SIDE = "first_side",
        STOP_BUTTON = "stop_button",
        LEFT_MS = "left_ms",
        RIGHT_MS = "right_ms",
        LEFT_PRESSES = "left_presses",
        RIGHT_PRESSES = "right_presses",
        LEFT_DELTA_MS = "left_delta_ms",
        RIGHT_DELTA_MS = "right_delta_ms",
        SIDE = "side",
        NUMBER = "number",
        BOOT = "boot",
        FROM_SEQ = "from_seq",
        SEQ = "seq",
    }
}

/// Of a control, a side's own times and a period.
mod control {
    super::members! {
        KIND = "kind",
        BASE_MS = "base_ms",
        INCREMENT_MS = "increment_ms",
        INCREMENT_ON_FIRST_MOVE = "increment_on_first_move",
        FLAG_AT = "flag_at",
        FREEZE_ON_FLAG = "freeze_on_flag",
        FIRST = "first",
        SECOND = "second",
        CAP_MS = "cap_ms",
        OVERTIME_MS = "overtime_ms",
        OVERTIME_COUNT = "overtime_count",
        MOVES = "moves",
        PERIODS = "periods",
        PERIODS_AT = "periods_at",
        REPEAT = "repeat",
    }
}

#[inline(never)]
fn read_times(control: &Members<'_>, place: usize) -> Option<SideTimes> {
    if control.is_unsaid(place) {
        return None;
    }
    let own = control.within(place, control::NAMES);
    Some(SideTimes { base_ms: own.short(control::BASE_MS), increment_ms: own.short(control::INCREMENT_MS) })
}

/// `None` where this version cannot hold so many.
fn read_periods(control: &Members<'_>) -> Option<Periods> {
    let mut periods: Vec<Period, MAX_PERIODS> = Vec::new();
    let mut more = false;
    control.each_within(control::PERIODS, "base_ms of a period", control::NAMES, &mut |own| {
        let said =
            |place, most, named| if own.is_unsaid(place) { 0 } else { own.number_as(place, most, named) };
        let moves = said(control::MOVES, u32::from(u16::MAX), "moves of a period");
        let base_ms = own.number_as(control::BASE_MS, u32::MAX, "base_ms of a period");
        let increment_ms = said(control::INCREMENT_MS, u32::MAX, "increment_ms of a period");
        more |= periods.push(Period { moves: moves as u16, base_ms, increment_ms }).is_err();
    });
    if more { None } else { Periods::of(&periods) }
}

/// `None` where this version has no such control.
#[inline(never)]
fn read_control(own: &Members<'_>) -> Option<TimeControl> {
    let mut control = TimeControl::new(Kind::default(), 0, 0);
    control.kind = own.name(control::KIND)?;
    control.base_ms = own.short(control::BASE_MS);
    control.increment_ms = own.short(control::INCREMENT_MS);
    control.increment_on_first_move = own.flag(control::INCREMENT_ON_FIRST_MOVE, false);
    control.flag_at = own.name(control::FLAG_AT)?;
    control.freeze_on_flag = own.flag(control::FREEZE_ON_FLAG, true);
    control.first = read_times(own, control::FIRST);
    control.second = read_times(own, control::SECOND);
    control.cap_ms = own.said(control::CAP_MS);
    control.overtime_ms = own.said(control::OVERTIME_MS).unwrap_or(0);
    control.overtime_count = own.small_or_0(control::OVERTIME_COUNT);
    control.moves = own.small_or_0(control::MOVES);
    control.periods = read_periods(own)?;
    control.periods_at = own.name(control::PERIODS_AT)?;
    control.repeat = own.flag(control::REPEAT, false);
    Some(control)
}

/// A side that must be there; a fault where it is none.
fn side(own: &Members<'_>, place: usize) -> Option<Side> {
    let side = own.named(place);
    if side.is_none() {
        own.wrong(place);
    }
    side
}

#[inline(never)]
fn configure(own: &Members<'_>) -> Option<Action> {
    let control = read_control(&own.within(act::TIME_CONTROL, control::NAMES));
    let first_side = side(own, act::FIRST_SIDE)?;
    let stop_button = own.name(act::STOP_BUTTON);
    Some(Action::Configure { time_control: control?, first_side, stop_button: stop_button? })
}

/// `None` where this version has no such action, or a fault was found.
#[inline(never)]
fn read_action(own: &Members<'_>) -> Option<Action> {
    // By its place among those we know, so that the text need not be kept. `ack` needs no ability.
    let known = |name: &str| {
        Can::NAMES
            .iter()
            .position(|known| *known == name)
            .or_else(|| (name == "ack").then_some(Can::NAMES.len()))
    };
    Some(match own.text(act::TYPE, known)? {
        0 => configure(own)?,
        1 => Action::SetTimes(SetTimes {
            left_ms: own.signed(act::LEFT_MS),
            right_ms: own.signed(act::RIGHT_MS),
            left_presses: own.said(act::LEFT_PRESSES),
            right_presses: own.said(act::RIGHT_PRESSES),
        }),
        2 => Action::Adjust {
            left_delta_ms: own.signed(act::LEFT_DELTA_MS),
            right_delta_ms: own.signed(act::RIGHT_DELTA_MS),
        },
        3 => Action::Start { side: side(own, act::SIDE)? },
        4 => Action::Stop,
        5 => Action::Resume,
        6 => Action::Identify,
        7 => Action::Show { number: own.small(act::NUMBER) },
        8 => Action::Describe,
        9 => Action::Replay { boot: own.short(act::BOOT), from_seq: own.short(act::FROM_SEQ) },
        10 => Action::Ack { boot: own.short(act::BOOT), seq: own.short(act::SEQ) },
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
    let command = command(&Members::whole(text, command::NAMES, &fault));
    fault.or(command)
}

fn command(whole: &Members<'_>) -> Option<ClockCommand> {
    if whole.is_unsaid(command::DO) {
        return None;
    }
    let clock = whole.must(command::CLOCK, |name| name.parse::<ClockId>().ok())?;
    let action = read_action(&whole.within(command::DO, act::NAMES)).unwrap_or(Action::Unknown);
    if matches!(action, Action::Ack { .. }) {
        return Some(ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action });
    }
    let (command, boot) = (whole.short(command::COMMAND), whole.short(command::BOOT));
    Some(ClockCommand { clock, command, boot, until_ms: whole.long(command::UNTIL_MS), action })
}
