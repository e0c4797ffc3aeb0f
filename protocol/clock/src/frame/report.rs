//! A report's fields in a frame.

use super::fields::{BadField, Fields, Out};
use super::numbers::{Numbered, can};
use crate::{About, By, ClockEvent, ClockId, ClockReport, Refusal, Side};
use heapless::String;

/// A side that must be there.
pub(super) fn side(fields: &mut Fields<'_>, field: &'static str) -> Side {
    let number = fields.number(field);
    known_side(fields, number, field)
}

fn known_side(fields: &mut Fields<'_>, number: u32, field: &'static str) -> Side {
    Side::of(number).unwrap_or_else(|| {
        fields.wrong(field);
        Side::Left
    })
}

/// Whose it is.
pub(super) fn clock(fields: &mut Fields<'_>) -> ClockId {
    fields.text("clock").parse().unwrap_or_else(|_| {
        fields.wrong("clock");
        ClockId::NAMELESS
    })
}

/// A number of a later version reads as unknown.
fn by(number: u32) -> By {
    By::of(number).unwrap_or(By::Unknown)
}

pub fn write(report: &ClockReport, out: &mut Out<'_>) {
    out.text(report.clock.as_str());
    out.number(report.boot);
    out.number(report.seq);
    out.maybe(report.events);
    out.long(report.uptime_ms);
    out.signed(report.left_ms);
    out.signed(report.right_ms);
    out.maybe(report.running.map(Numbered::number));
    out.number(report.left_presses);
    out.number(report.right_presses);
    out.flag(report.flag.is_some());
    if let Some(flag) = report.flag {
        out.maybe(flag.map(Numbered::number));
    }
    out.maybe(report.stopped_by.map(Numbered::number));
    out.flag(report.battery_pct.is_some());
    if let Some(percent) = report.battery_pct {
        out.byte(percent);
    }
    out.flag(report.periods.is_some());
    if let Some((left, right)) = report.periods {
        out.raw(&[left, right]);
    }
    out.block(|out| {
        if let Some(event) = &report.event {
            write_event(event, out);
        }
    });
}

pub fn read(fields: &mut Fields<'_>) -> Result<ClockReport, BadField> {
    let report = ClockReport {
        clock: clock(fields),
        boot: fields.number("boot"),
        seq: fields.number("seq"),
        events: fields.flag("events").then(|| fields.number("events")),
        uptime_ms: fields.long("uptime_ms"),
        left_ms: fields.signed("left_ms"),
        right_ms: fields.signed("right_ms"),
        running: fields.flag("running").then(|| side(fields, "running")),
        left_presses: fields.number("left_presses"),
        right_presses: fields.number("right_presses"),
        flag: fields.flag_or("flag", false).then(|| fields.flag("flag").then(|| side(fields, "flag"))),
        stopped_by: fields.maybe("stopped_by").map(by),
        battery_pct: fields.flag_or("battery_pct", false).then(|| fields.byte("battery_pct")),
        periods: fields.flag_or("periods", false).then(|| (fields.byte("periods"), fields.byte("periods"))),
        event: fields.block("event", |fields| fields.more().then(|| read_event(fields))),
    };
    fields.or_fault(report)
}

fn write_about(about: &About, out: &mut Out<'_>) {
    out.text(&about.firmware);
    out.flag(about.restored);
    out.number(about.resolution_ms);
    out.maybe(about.can.map(|can| u32::from(can.bits())));
}

fn read_about(fields: &mut Fields<'_>) -> About {
    let mut firmware = String::new();
    if fields.more() {
        for c in fields.text("firmware").chars() {
            if firmware.push(c).is_err() {
                break;
            }
        }
    }
    About {
        firmware,
        restored: fields.flag_or("restored", false),
        resolution_ms: fields.number_or("resolution_ms", 0),
        can: fields.maybe("can").map(can),
    }
}

/// An event's own number.
const fn number(event: &ClockEvent) -> u32 {
    match event {
        ClockEvent::Unknown => 0,
        ClockEvent::Boot(_) => 1,
        ClockEvent::About(_) => 2,
        ClockEvent::Ready { .. } => 3,
        ClockEvent::Start { .. } => 4,
        ClockEvent::Press { .. } => 5,
        ClockEvent::IgnoredPress { .. } => 6,
        ClockEvent::Stop { .. } => 7,
        ClockEvent::Resume { .. } => 8,
        ClockEvent::Adjust { .. } => 9,
        ClockEvent::Reset { .. } => 10,
        ClockEvent::IgnoredStop => 11,
        ClockEvent::Over { .. } => 12,
        ClockEvent::Flag { .. } => 13,
        ClockEvent::BatteryLow => 14,
        ClockEvent::Done { .. } => 15,
        ClockEvent::Period { .. } => 16,
    }
}

fn write_event(event: &ClockEvent, out: &mut Out<'_>) {
    out.number(number(event));
    match event {
        ClockEvent::Unknown | ClockEvent::IgnoredStop | ClockEvent::BatteryLow => {}
        ClockEvent::Boot(about) | ClockEvent::About(about) => write_about(about, out),
        ClockEvent::Start { side, by } => {
            out.number(side.number());
            out.number(by.number());
        }
        ClockEvent::Ready { side }
        | ClockEvent::Press { side }
        | ClockEvent::IgnoredPress { side }
        | ClockEvent::Flag { side }
        | ClockEvent::Period { side } => out.number(side.number()),
        ClockEvent::Stop { by }
        | ClockEvent::Resume { by }
        | ClockEvent::Adjust { by }
        | ClockEvent::Reset { by } => out.number(by.number()),
        ClockEvent::Over { claim, agreed } => {
            out.number(claim.number());
            out.flag(*agreed);
        }
        ClockEvent::Done { command, ok, error } => {
            out.number(*command);
            out.flag(*ok);
            out.maybe(error.map(Numbered::number));
        }
    }
}

fn read_event(fields: &mut Fields<'_>) -> ClockEvent {
    match fields.number("event.type") {
        1 => ClockEvent::Boot(read_about(fields)),
        2 => ClockEvent::About(read_about(fields)),
        3 => ClockEvent::Ready { side: side(fields, "side") },
        4 => ClockEvent::Start { side: side(fields, "side"), by: by(fields.number_or("by", 0)) },
        5 => ClockEvent::Press { side: side(fields, "side") },
        6 => ClockEvent::IgnoredPress { side: side(fields, "side") },
        7 => ClockEvent::Stop { by: by(fields.number_or("by", 0)) },
        8 => ClockEvent::Resume { by: by(fields.number_or("by", 0)) },
        9 => ClockEvent::Adjust { by: by(fields.number_or("by", 0)) },
        10 => ClockEvent::Reset { by: by(fields.number_or("by", 0)) },
        11 => ClockEvent::IgnoredStop,
        12 => ClockEvent::Over {
            claim: Numbered::of(fields.number_or("claim", 0)).flatten(),
            agreed: fields.flag_or("agreed", false),
        },
        13 => ClockEvent::Flag { side: side(fields, "side") },
        14 => ClockEvent::BatteryLow,
        15 => ClockEvent::Done {
            command: fields.number("command"),
            ok: fields.flag("ok"),
            error: fields.maybe("error").map(|number| Refusal::of(number).unwrap_or(Refusal::Other)),
        },
        16 => ClockEvent::Period { side: side(fields, "side") },
        _ => ClockEvent::Unknown,
    }
}
