//! A command's fields in a frame.

use super::fields::{BadField, Fields, Out};
use super::numbers::Numbered;
use crate::{
    Action, ClockCommand, FlagAt, Kind, MAX_PERIODS, Period, Periods, PeriodsAt, SetTimes, Side, SideTimes,
    StopButton, TimeControl,
};

pub fn write(command: &ClockCommand, out: &mut Out<'_>) -> Option<()> {
    let acknowledges = matches!(command.action, Action::Ack { .. });
    let (number, boot, until_ms) =
        if acknowledges { (0, 0, 0) } else { (command.command, command.boot, command.until_ms) };
    out.put(command.clock.as_str())?;
    out.put(&number)?;
    out.put(&boot)?;
    out.put(&until_ms)?;
    out.block(|out| write_action(&command.action, out))
}

pub fn read(fields: &mut Fields<'_>) -> Result<ClockCommand, BadField> {
    let clock: &str = fields.take("clock")?;
    let clock = clock.parse().map_err(|_| BadField("clock"))?;
    let (command, boot, until_ms) = (fields.take("command")?, fields.take("boot")?, fields.take("until_ms")?);
    let action = read_action(&mut fields.block("do")?)?;
    Ok(match action {
        Action::Ack { .. } => ClockCommand { clock, command: 0, boot: 0, until_ms: 0, action },
        _ => ClockCommand { clock, command, boot, until_ms, action },
    })
}

fn odds(times: Option<SideTimes>) -> Option<(u32, u32)> {
    times.map(|own| (own.base_ms, own.increment_ms))
}

fn own((base_ms, increment_ms): (u32, u32)) -> SideTimes {
    SideTimes { base_ms, increment_ms }
}

fn write_control(control: &TimeControl, out: &mut Out<'_>) -> Option<()> {
    out.put(&(control.kind.number(), control.base_ms, control.increment_ms))?;
    out.put(&(control.increment_on_first_move, control.flag_at.number(), control.freeze_on_flag))?;
    out.put(&(odds(control.first), odds(control.second)))?;
    if is_plain(control) {
        return Some(());
    }
    out.put(&(control.cap_ms, control.overtime_ms, control.overtime_count, control.moves))?;
    out.put(&(control.periods.as_slice().len() as u32))?;
    for period in control.periods.as_slice() {
        out.put(&(period.moves, period.base_ms, period.increment_ms))?;
    }
    out.put(&(control.periods_at.number(), control.repeat))
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
fn read_periods(fields: &mut Fields<'_>) -> Result<Option<Periods>, BadField> {
    let count: u32 = fields.or("periods", 0)?;
    let mut periods: heapless::Vec<Period, MAX_PERIODS> = heapless::Vec::new();
    for _ in 0..count {
        let (moves, base_ms, increment_ms) = fields.take("periods")?;
        if periods.push(Period { moves, base_ms, increment_ms }).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(periods.into()))
}

/// `None` for a control this version does not know.
fn read_control(fields: &mut Fields<'_>) -> Result<Option<TimeControl>, BadField> {
    let Some(kind) = Kind::of(fields.take("kind")?) else { return Ok(None) };
    let (base_ms, increment_ms) = (fields.take("base_ms")?, fields.take("increment_ms")?);
    let increment_on_first_move = fields.or("increment_on_first_move", false)?;
    let Some(flag_at) = FlagAt::of(fields.or("flag_at", 0)?) else { return Ok(None) };
    let freeze_on_flag = fields.or("freeze_on_flag", true)?;
    let (first, second) = (fields.or("first", None)?.map(own), fields.or("second", None)?.map(own));
    let (cap_ms, overtime_ms) = (fields.or("cap_ms", None)?, fields.or("overtime_ms", 0)?);
    let (overtime_count, moves) = (fields.or("overtime_count", 0)?, fields.or("moves", 0)?);
    let Some(periods) = read_periods(fields)? else { return Ok(None) };
    let Some(periods_at) = PeriodsAt::of(fields.or("periods_at", 0)?) else { return Ok(None) };
    Ok(Some(TimeControl {
        kind,
        base_ms,
        increment_ms,
        increment_on_first_move,
        flag_at,
        freeze_on_flag,
        first,
        second,
        cap_ms,
        overtime_ms,
        overtime_count,
        moves,
        periods,
        periods_at,
        repeat: fields.or("repeat", false)?,
    }))
}

fn write_action(action: &Action, out: &mut Out<'_>) -> Option<()> {
    match action {
        Action::Unknown => out.put(&0_u32),
        Action::Configure { time_control, first_side, stop_button } => {
            out.put(&1_u32)?;
            out.block(|out| write_control(time_control, out))?;
            out.put(&(first_side.number(), stop_button.number()))
        }
        Action::SetTimes(set) => {
            out.put(&(2_u32, set.left_ms, set.right_ms, set.left_presses, set.right_presses))
        }
        Action::Adjust { left_delta_ms, right_delta_ms } => {
            out.put(&(3_u32, *left_delta_ms, *right_delta_ms))
        }
        Action::Start { side } => out.put(&(4_u32, side.number())),
        Action::Stop => out.put(&5_u32),
        Action::Resume => out.put(&6_u32),
        Action::Identify => out.put(&7_u32),
        Action::Show { number } => out.put(&(8_u32, *number)),
        Action::Describe => out.put(&9_u32),
        Action::Replay { boot, from_seq } => out.put(&(10_u32, *boot, *from_seq)),
        Action::Ack { boot, seq } => out.put(&(11_u32, *boot, *seq)),
    }
}

fn read_action(fields: &mut Fields<'_>) -> Result<Action, BadField> {
    let number: u32 = fields.take("do.type")?;
    Ok(match number {
        1 => {
            let control = read_control(&mut fields.block("time_control")?)?;
            let first_side = Side::of(fields.take("first_side")?).ok_or(BadField("first_side"))?;
            let stop_button = StopButton::of(fields.or("stop_button", 0)?);
            match (control, stop_button) {
                (Some(time_control), Some(stop_button)) => {
                    Action::Configure { time_control, first_side, stop_button }
                }
                _ => Action::Unknown,
            }
        }
        2 => Action::SetTimes(SetTimes {
            left_ms: fields.take("left_ms")?,
            right_ms: fields.take("right_ms")?,
            left_presses: fields.or("left_presses", None)?,
            right_presses: fields.or("right_presses", None)?,
        }),
        3 => Action::Adjust {
            left_delta_ms: fields.take("left_delta_ms")?,
            right_delta_ms: fields.take("right_delta_ms")?,
        },
        4 => Action::Start { side: Side::of(fields.take("side")?).ok_or(BadField("side"))? },
        5 => Action::Stop,
        6 => Action::Resume,
        7 => Action::Identify,
        8 => Action::Show { number: fields.take("number")? },
        9 => Action::Describe,
        10 => Action::Replay { boot: fields.take("boot")?, from_seq: fields.take("from_seq")? },
        11 => Action::Ack { boot: fields.take("boot")?, seq: fields.take("seq")? },
        _ => Action::Unknown,
    })
}
