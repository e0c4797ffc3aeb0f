//! A report's fields in a frame.

use super::fields::{BadField, Fields, Out};
use super::numbers::{Numbered, can};
use crate::{About, By, Claim, ClockEvent, ClockReport, Refusal, Side};
use heapless::String;

fn side(fields: &mut Fields<'_>, field: &'static str) -> Result<Side, BadField> {
    Side::of(fields.take(field)?).ok_or(BadField(field))
}

fn known_side(number: Option<u32>, field: &'static str) -> Result<Option<Side>, BadField> {
    number.map(|n| Side::of(n).ok_or(BadField(field))).transpose()
}

/// A number of a later version reads as unknown.
fn by(number: u32) -> By {
    By::of(number).unwrap_or(By::Unknown)
}

pub fn write(report: &ClockReport, out: &mut Out<'_>) -> Option<()> {
    out.put(report.clock.as_str())?;
    out.put(&report.boot)?;
    out.put(&report.seq)?;
    out.put(&report.events)?;
    out.put(&report.uptime_ms)?;
    out.put(&report.left_ms)?;
    out.put(&report.right_ms)?;
    out.put(&report.running.map(Numbered::number))?;
    out.put(&report.left_presses)?;
    out.put(&report.right_presses)?;
    out.put(&report.flag.map(|fallen| fallen.map(Numbered::number)))?;
    out.put(&report.stopped_by.map(Numbered::number))?;
    out.put(&report.battery_pct)?;
    out.put(&report.periods)?;
    out.block(|out| report.event.as_ref().map_or(Some(()), |event| write_event(event, out)))
}

pub fn read(fields: &mut Fields<'_>) -> Result<ClockReport, BadField> {
    let clock: &str = fields.take("clock")?;
    Ok(ClockReport {
        clock: clock.parse().map_err(|_| BadField("clock"))?,
        boot: fields.take("boot")?,
        seq: fields.take("seq")?,
        events: fields.take("events")?,
        uptime_ms: fields.take("uptime_ms")?,
        left_ms: fields.take("left_ms")?,
        right_ms: fields.take("right_ms")?,
        running: known_side(fields.take("running")?, "running")?,
        left_presses: fields.take("left_presses")?,
        right_presses: fields.take("right_presses")?,
        flag: fields
            .or::<Option<Option<u32>>>("flag", None)?
            .map(|fallen| known_side(fallen, "flag"))
            .transpose()?,
        stopped_by: fields.or::<Option<u32>>("stopped_by", None)?.map(by),
        battery_pct: fields.or("battery_pct", None)?,
        periods: fields.or("periods", None)?,
        event: read_event(&mut fields.block("event")?)?,
    })
}

fn write_about(number: u32, about: &About, out: &mut Out<'_>) -> Option<()> {
    out.put(&number)?;
    out.put(about.firmware.as_str())?;
    out.put(&about.restored)?;
    out.put(&about.resolution_ms)?;
    out.put(&about.can.map(|can| u32::from(can.bits())))
}

fn read_about(fields: &mut Fields<'_>) -> Result<About, BadField> {
    let mut firmware = String::new();
    for c in fields.or("firmware", "")?.chars() {
        if firmware.push(c).is_err() {
            break;
        }
    }
    Ok(About {
        firmware,
        restored: fields.or("restored", false)?,
        resolution_ms: fields.or("resolution_ms", 0)?,
        can: fields.or::<Option<u32>>("can", None)?.map(can),
    })
}

fn write_event(event: &ClockEvent, out: &mut Out<'_>) -> Option<()> {
    match event {
        ClockEvent::Unknown => out.put(&0_u32),
        ClockEvent::Boot(about) => write_about(1, about, out),
        ClockEvent::About(about) => write_about(2, about, out),
        ClockEvent::Ready { side } => out.put(&(3_u32, side.number())),
        ClockEvent::Start { side, by } => out.put(&(4_u32, side.number(), by.number())),
        ClockEvent::Press { side } => out.put(&(5_u32, side.number())),
        ClockEvent::IgnoredPress { side } => out.put(&(6_u32, side.number())),
        ClockEvent::Stop { by } => out.put(&(7_u32, by.number())),
        ClockEvent::Resume { by } => out.put(&(8_u32, by.number())),
        ClockEvent::Adjust { by } => out.put(&(9_u32, by.number())),
        ClockEvent::Reset { by } => out.put(&(10_u32, by.number())),
        ClockEvent::IgnoredStop => out.put(&11_u32),
        ClockEvent::Over { claim, agreed } => out.put(&(12_u32, claim.map_or(0, Numbered::number), *agreed)),
        ClockEvent::Flag { side } => out.put(&(13_u32, side.number())),
        ClockEvent::BatteryLow => out.put(&14_u32),
        ClockEvent::Done { command, ok, error } => {
            out.put(&(15_u32, *command, *ok, error.map(Numbered::number)))
        }
        ClockEvent::Period { side } => out.put(&(16_u32, side.number())),
    }
}

fn read_event(fields: &mut Fields<'_>) -> Result<Option<ClockEvent>, BadField> {
    if fields.0.is_empty() {
        return Ok(None);
    }
    let number: u32 = fields.take("event.type")?;
    Ok(Some(match number {
        1 => ClockEvent::Boot(read_about(fields)?),
        2 => ClockEvent::About(read_about(fields)?),
        3 => ClockEvent::Ready { side: side(fields, "side")? },
        4 => ClockEvent::Start { side: side(fields, "side")?, by: by(fields.or("by", 0)?) },
        5 => ClockEvent::Press { side: side(fields, "side")? },
        6 => ClockEvent::IgnoredPress { side: side(fields, "side")? },
        7 => ClockEvent::Stop { by: by(fields.or("by", 0)?) },
        8 => ClockEvent::Resume { by: by(fields.or("by", 0)?) },
        9 => ClockEvent::Adjust { by: by(fields.or("by", 0)?) },
        10 => ClockEvent::Reset { by: by(fields.or("by", 0)?) },
        11 => ClockEvent::IgnoredStop,
        12 => {
            ClockEvent::Over { claim: Claim::of(fields.or("claim", 0)?), agreed: fields.or("agreed", false)? }
        }
        13 => ClockEvent::Flag { side: side(fields, "side")? },
        14 => ClockEvent::BatteryLow,
        15 => ClockEvent::Done {
            command: fields.take("command")?,
            ok: fields.take("ok")?,
            error: fields
                .or::<Option<u32>>("error", None)?
                .map(|number| Refusal::of(number).unwrap_or(Refusal::Other)),
        },
        16 => ClockEvent::Period { side: side(fields, "side")? },
        _ => ClockEvent::Unknown,
    }))
}
