//! A command's fields in a frame.

use super::fields::{BadField, Fields, Out};
use super::numbers::Numbered;
use super::report::{clock, side};
use crate::{
    Action, ClockCommand, FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SetTimes, SideTimes,
    StopButton, TimeControl,
};

pub fn write(command: &ClockCommand, out: &mut Out<'_>) {
    let acknowledges = matches!(command.action, Action::Ack { .. });
    let (number, boot, until_ms) =
        if acknowledges { (0, 0, 0) } else { (command.command, command.boot, command.until_ms) };
    out.text(command.clock.as_str());
    out.number(number);
    out.number(boot);
    out.long(until_ms);
    out.block(|out| write_action(&command.action, out));
}

pub fn read(fields: &mut Fields<'_>) -> Result<ClockCommand, BadField> {
    let clock = clock(fields);
    let (command, boot, until_ms) =
        (fields.number("command"), fields.number("boot"), fields.long("until_ms"));
    // What this version does not know is not read to its end.
    let action = fields.block("do", read_action).unwrap_or(Action::Unknown);
    let command = match action {
        Action::Ack { .. } => ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action },
        _ => ClockCommand { clock, command, boot, until_ms, action },
    };
    fields.or_fault(command)
}

fn write_times(times: Option<SideTimes>, out: &mut Out<'_>) {
    out.flag(times.is_some());
    if let Some(own) = times {
        out.number(own.base_ms);
        out.number(own.increment_ms);
    }
}

fn read_times(fields: &mut Fields<'_>, field: &'static str) -> Option<SideTimes> {
    fields
        .flag_or(field, false)
        .then(|| SideTimes { base_ms: fields.number(field), increment_ms: fields.number(field) })
}

fn write_control(control: &TimeControl, out: &mut Out<'_>) {
    out.number(control.kind.number());
    out.number(control.base_ms);
    out.number(control.increment_ms);
    out.flag(control.increment_on_first_move);
    out.number(control.flag_at.number());
    out.flag(control.freeze_on_flag);
    write_times(control.first, out);
    write_times(control.second, out);
    if is_plain(control) {
        return;
    }
    out.maybe(control.cap_ms);
    out.number(control.overtime_ms);
    out.number(u32::from(control.overtime_count));
    out.number(u32::from(control.moves));
    out.number(control.periods.as_slice().len() as u32);
    for period in control.periods.as_slice() {
        out.number(u32::from(period.moves));
        out.number(period.base_ms);
        out.number(period.increment_ms);
    }
    out.number(control.periods_at.number());
    out.flag(control.repeat);
}

/// Whether all from `cap_ms` on is as where it is left out: then it is, and the frame is as short as before there was
/// such a thing.
fn is_plain(control: &TimeControl) -> bool {
    let TimeControl { cap_ms, overtime_ms, overtime_count, moves, periods, periods_at, repeat, .. } = control;
    cap_ms.is_none()
        && *overtime_ms == 0
        && *overtime_count == 0
        && *moves == 0
        && periods.is_empty()
        && *periods_at == PeriodsAt::Moves
        && !repeat
}

/// `None` for more of them than this version holds.
fn read_periods(fields: &mut Fields<'_>) -> Option<Periods> {
    let count = fields.number_or("periods", 0) as usize;
    let mut periods = [Period::default(); MAX_PERIODS];
    for place in 0..count {
        let period = Period {
            moves: fields.small("periods"),
            base_ms: fields.number("periods"),
            increment_ms: fields.number("periods"),
        };
        *periods.get_mut(place)? = period;
    }
    periods.get(..count).and_then(Periods::of)
}

/// `None` for a control this version does not know.
#[inline(never)]
fn read_control(fields: &mut Fields<'_>) -> Option<TimeControl> {
    let mut control = TimeControl::new(Kind::of(fields.number("kind"))?, 0, 0);
    control.base_ms = fields.number("base_ms");
    control.increment_ms = fields.number("increment_ms");
    control.increment_on_first_move = fields.flag_or("increment_on_first_move", false);
    control.flag_at = FlagAt::of(fields.number_or("flag_at", 0))?;
    control.freeze_on_flag = fields.flag_or("freeze_on_flag", true);
    control.first = read_times(fields, "first");
    control.second = read_times(fields, "second");
    control.cap_ms = fields.maybe("cap_ms");
    control.overtime_ms = fields.number_or("overtime_ms", 0);
    if fields.more() {
        control.overtime_count = fields.small("overtime_count");
    }
    if fields.more() {
        control.moves = fields.small("moves");
    }
    control.periods = read_periods(fields)?;
    control.periods_at = PeriodsAt::of(fields.number_or("periods_at", 0))?;
    control.repeat = fields.flag_or("repeat", false);
    Some(control)
}

/// An action's own number.
const fn number(action: &Action) -> u32 {
    match action {
        Action::Unknown => 0,
        Action::Configure { .. } => 1,
        Action::SetTimes(_) => 2,
        Action::Adjust { .. } => 3,
        Action::Start { .. } => 4,
        Action::Stop => 5,
        Action::Resume => 6,
        Action::Identify => 7,
        Action::Show { .. } => 8,
        Action::Describe => 9,
        Action::Replay { .. } => 10,
        Action::Ack { .. } => 11,
    }
}

fn write_action(action: &Action, out: &mut Out<'_>) {
    out.number(number(action));
    match action {
        Action::Configure { time_control, first_side, stop_button } => {
            out.block(|out| write_control(time_control, out));
            out.number(first_side.number());
            out.number(stop_button.number());
        }
        Action::SetTimes(set) => {
            out.signed(set.left_ms);
            out.signed(set.right_ms);
            out.maybe(set.left_presses);
            out.maybe(set.right_presses);
        }
        Action::Adjust { left_delta_ms, right_delta_ms } => {
            out.signed(*left_delta_ms);
            out.signed(*right_delta_ms);
        }
        Action::Start { side } => out.number(side.number()),
        Action::Show { number } => out.number(u32::from(*number)),
        Action::Replay { boot, from_seq: seq } | Action::Ack { boot, seq } => {
            out.number(*boot);
            out.number(*seq);
        }
        Action::Stop | Action::Resume | Action::Identify | Action::Describe | Action::Unknown => {}
    }
}

/// `None` for an action this version does not know, or a part of it.
#[inline(never)]
fn read_action(fields: &mut Fields<'_>) -> Option<Action> {
    Some(match fields.number("do.type") {
        1 => {
            let control = fields.block("time_control", read_control);
            let first_side = side(fields, "first_side");
            let stop_button = StopButton::of(fields.number_or("stop_button", 0));
            Action::Configure { time_control: control?, first_side, stop_button: stop_button? }
        }
        2 => Action::SetTimes(SetTimes {
            left_ms: fields.signed("left_ms"),
            right_ms: fields.signed("right_ms"),
            left_presses: fields.maybe("left_presses"),
            right_presses: fields.maybe("right_presses"),
        }),
        3 => Action::Adjust {
            left_delta_ms: fields.signed("left_delta_ms"),
            right_delta_ms: fields.signed("right_delta_ms"),
        },
        4 => Action::Start { side: side(fields, "side") },
        5 => Action::Stop,
        6 => Action::Resume,
        7 => Action::Identify,
        8 => Action::Show { number: fields.small("number") },
        9 => Action::Describe,
        10 => Action::Replay { boot: fields.number("boot"), from_seq: fields.number("from_seq") },
        11 => Action::Ack { boot: fields.number("boot"), seq: fields.number("seq") },
        _ => return None,
    })
}
