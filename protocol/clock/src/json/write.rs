//! What a clock writes as JSON: its reports, and who it is.
//!
//! Member by member into a buffer. The same comes out as by serde, which a test holds; but serde's way costs a small
//! controller a tenth of its flash, since it makes code of its own for each type of each member.

use super::members::Named;
use crate::{About, By, ClockEvent, ClockReport, Side};

/// JSON on its way into a buffer.
pub(crate) struct Out<'a> {
    bytes: &'a mut [u8],
    len: usize,
    full: bool,
}

impl<'a> Out<'a> {
    /// Into `bytes`, from their beginning.
    pub(crate) const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, len: 0, full: false }
    }

    /// How many bytes there are; `None` where they did not fit.
    pub(crate) fn len(self) -> Option<usize> {
        (!self.full).then_some(self.len)
    }

    #[inline(never)]
    fn byte(&mut self, byte: u8) {
        match self.bytes.get_mut(self.len) {
            Some(place) => *place = byte,
            None => self.full = true,
        }
        self.len += 1;
    }

    #[inline(never)]
    fn raw(&mut self, text: &str) {
        for byte in text.bytes() {
            self.byte(byte);
        }
    }

    pub(crate) fn open(&mut self) {
        self.byte(b'{');
    }

    pub(crate) fn close(&mut self) {
        self.byte(b'}');
    }

    /// A comma, but for the first one in an object or a list.
    fn next(&mut self) {
        let last = self.len.checked_sub(1).and_then(|last| self.bytes.get(last));
        if !matches!(last, None | Some(b'{' | b'[')) {
            self.byte(b',');
        }
    }

    /// The name of the member that follows.
    #[inline(never)]
    pub(crate) fn name(&mut self, name: &str) {
        self.next();
        self.byte(b'"');
        self.raw(name);
        self.byte(b'"');
        self.byte(b':');
    }

    #[inline(never)]
    fn value(&mut self, number: u64) {
        const DIGITS: usize = 20;
        let mut digits = [0; DIGITS];
        let (mut rest, mut from) = (number, DIGITS);
        loop {
            from -= 1;
            digits[from] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        for digit in &digits[from..] {
            self.byte(*digit);
        }
    }

    pub(crate) fn number(&mut self, name: &str, number: u64) {
        self.name(name);
        self.value(number);
    }

    pub(crate) fn signed(&mut self, name: &str, number: i64) {
        self.name(name);
        if number < 0 {
            self.byte(b'-');
        }
        self.value(number.unsigned_abs());
    }

    pub(crate) fn flag(&mut self, name: &str, yes: bool) {
        self.name(name);
        self.raw(if yes { "true" } else { "false" });
    }

    /// A text, or null.
    #[inline(never)]
    pub(crate) fn text(&mut self, name: &str, text: Option<&str>) {
        self.name(name);
        match text {
            Some(text) => self.quoted(text),
            None => self.raw("null"),
        }
    }

    fn quoted(&mut self, text: &str) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.byte(b'"');
        for byte in text.bytes() {
            let short = match byte {
                b'"' | b'\\' => Some(byte),
                0x08 => Some(b'b'),
                b'\t' => Some(b't'),
                b'\n' => Some(b'n'),
                0x0c => Some(b'f'),
                b'\r' => Some(b'r'),
                _ => None,
            };
            match short {
                Some(short) => {
                    self.byte(b'\\');
                    self.byte(short);
                }
                None if byte < b' ' => {
                    self.raw("\\u00");
                    self.byte(HEX[usize::from(byte >> 4)]);
                    self.byte(HEX[usize::from(byte & 15)]);
                }
                None => self.byte(byte),
            }
        }
        self.byte(b'"');
    }

    fn side(&mut self, side: Side) {
        self.text("side", Some(side.called()));
    }

    fn by(&mut self, by: By) {
        self.text("by", Some(by.called()));
    }

    fn about(&mut self, about: &About) {
        self.text("firmware", Some(&about.firmware));
        self.flag("restored", about.restored);
        self.number("resolution_ms", u64::from(about.resolution_ms));
        let Some(can) = about.can else { return };
        self.name("can");
        self.byte(b'[');
        for name in can.names() {
            self.next();
            self.quoted(name);
        }
        self.byte(b']');
    }

    #[inline(never)]
    fn event(&mut self, event: &ClockEvent) {
        self.name("event");
        self.open();
        self.text("type", Some(event.name()));
        match event {
            ClockEvent::Boot(about) | ClockEvent::About(about) => self.about(about),
            ClockEvent::Start { side, by } => {
                self.side(*side);
                self.by(*by);
            }
            ClockEvent::Ready { side }
            | ClockEvent::Press { side }
            | ClockEvent::IgnoredPress { side }
            | ClockEvent::Flag { side }
            | ClockEvent::Period { side } => self.side(*side),
            ClockEvent::Stop { by }
            | ClockEvent::Resume { by }
            | ClockEvent::Adjust { by }
            | ClockEvent::Reset { by } => self.by(*by),
            ClockEvent::Over { claim, agreed } => {
                self.text("claim", claim.map(Named::called));
                self.flag("agreed", *agreed);
            }
            ClockEvent::Done { command, ok, error } => {
                self.number("command", u64::from(*command));
                self.flag("ok", *ok);
                if let Some(error) = error {
                    self.text("error", Some(error.name()));
                }
            }
            ClockEvent::IgnoredStop | ClockEvent::BatteryLow | ClockEvent::Unknown => {}
        }
        self.close();
    }
}

/// Writes a report; says how many bytes, `None` where it does not fit.
#[inline(never)]
pub(crate) fn report(report: &ClockReport, out: &mut [u8]) -> Option<usize> {
    let mut out = Out::new(out);
    out.open();
    out.text("clock", Some(report.clock.as_str()));
    out.number("boot", u64::from(report.boot));
    out.number("seq", u64::from(report.seq));
    if let Some(events) = report.events {
        out.number("events", u64::from(events));
    }
    out.number("uptime_ms", report.uptime_ms);
    out.signed("left_ms", report.left_ms);
    out.signed("right_ms", report.right_ms);
    out.text("running", report.running.map(Named::called));
    out.number("left_presses", u64::from(report.left_presses));
    out.number("right_presses", u64::from(report.right_presses));
    if let Some(flag) = report.flag {
        out.text("flag", flag.map(Named::called));
    }
    if let Some(by) = report.stopped_by {
        out.text("stopped_by", Some(by.called()));
    }
    if let Some(percent) = report.battery_pct {
        out.number("battery_pct", u64::from(percent));
    }
    if let Some((left, right)) = report.periods {
        out.name("periods");
        out.byte(b'[');
        out.value(u64::from(left));
        out.byte(b',');
        out.value(u64::from(right));
        out.byte(b']');
    }
    if let Some(event) = &report.event {
        out.event(event);
    }
    out.close();
    out.len()
}
