//! `flagfall clock`: one clock on one line is asked, named, measured.
//!
//! It writes only to the port it was given, never to one that it found: an unknown device may be a modem. A key goes
//! in and is never printed.

mod ask;
mod ear;
mod keys;
mod place;
mod provision;
mod talk;
mod trim;

use crate::cli::{ClockCommand, Exit, Failure, LineArgs};
use flagfall_clock::{ClockId, Encoding, Provisioned};
use serde_json::{Value, json};
use std::io::Write;

pub use place::Place;

pub(crate) fn clock(command: &ClockCommand, out: &mut dyn Write) -> Result<Exit, Failure> {
    match command {
        ClockCommand::Ask(args) => ask::ask(args, out),
        ClockCommand::Provision(args) => provision::provision(args, out),
        ClockCommand::Trim(args) => trim::trim(args, out),
    }
}

fn written(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Json => "json",
        Encoding::Binary => "binary",
    }
}

/// Who it is, in words.
fn described(clock: &Provisioned) -> String {
    let who = clock.clock.map_or_else(|| "a clock without a name".into(), |name| format!("clock {name}"));
    let (firmware, up) = (clean(&clock.firmware), span(clock.uptime_us / 1_000_000));
    if clock.clock.is_none() {
        return format!("{who}, {firmware}, on for {up}");
    }
    let sealed = if clock.sealed { "seals" } else { "does not seal" };
    let sound = if clock.sound { "sounds at a flag" } else { "silent" };
    let (encoding, trim) = (written(clock.encoding), clock.trim_ppm);
    format!("{who}, {sealed}, writes {encoding}, trim {trim} ppm, {sound}, {firmware}, on for {up}")
}

/// The same for programs.
fn object(line: &LineArgs, clock: &Provisioned) -> Value {
    json!({
        "port": line.port.to_string(),
        "clock": clock.clock.as_ref().map(ClockId::as_str),
        "sealed": clock.sealed,
        "encoding": written(clock.encoding),
        "trim_ppm": clock.trim_ppm,
        "sound": clock.sound,
        "uptime_us": clock.uptime_us,
        "firmware": clock.firmware.as_str(),
    })
}

/// A device may say anything: nothing of it may command a terminal.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// `0:12:05`.
fn span(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_described_by_what_it_has() {
        let nameless = Provisioned {
            clock: None,
            sealed: false,
            encoding: Encoding::Json,
            trim_ppm: 0,
            sound: false,
            uptime_us: 3_725_000_000,
            firmware: "flag\u{1b}fall 0.1.0".try_into().unwrap(),
        };
        assert_eq!(described(&nameless), "a clock without a name, flagfall 0.1.0, on for 1:02:05");
        let named = Provisioned { clock: "A01".parse().ok(), sealed: true, trim_ppm: -3, ..nameless };
        assert_eq!(
            described(&named),
            "clock A01, seals, writes json, trim -3 ppm, silent, flagfall 0.1.0, on for 1:02:05"
        );
    }
}
