//! The line to a specimen: reports out of bytes, commands into bytes, and time that passes.
//!
//! What goes over it is written and read by `flagfall-clock`; nothing is judged here but whether a line is one.

use super::specimen::{Specimen, SpecimenError};
use flagfall_clock::{
    Accept, Action, Check, ClockCommand, ClockEvent, ClockId, ClockReport, DecodeError, Encoding, Key, Lexer,
    MAX_LINE, Message, Refusal, line_command,
};

/// How long a command may wait, in milliseconds of the clock's uptime.
const VALID: u64 = 20_000;

/// What came over the line.
#[derive(Clone, Debug)]
pub(crate) struct Came {
    /// When it was there, in test time.
    pub at: u64,
    /// A report, or what is wrong with the line.
    pub what: Result<ClockReport, String>,
}

/// The line to a specimen.
pub(crate) struct Link<'a> {
    pub specimen: &'a mut dyn Specimen,
    lexer: Box<Lexer<1024>>,
    key: Option<Key>,
    /// Whose reports count.
    pub clock: Option<ClockId>,
    /// How it writes.
    pub encoding: Encoding,
    /// How commands are written, where not as the clock writes.
    pub writes: Option<Encoding>,
    pub boot: u32,
    /// The highest number of a command.
    pub number: u32,
    /// Uptime, and when it was that, as last heard.
    heard: (u64, u64),
    /// It has said something since it has power.
    awake: bool,
    /// The last command as it went out.
    pub sent: Vec<u8>,
}

impl<'a> Link<'a> {
    pub(crate) fn new(specimen: &'a mut dyn Specimen) -> Self {
        let means = specimen.means();
        Self {
            key: means.key.clone(),
            clock: means.clock,
            specimen,
            lexer: Box::default(),
            encoding: Encoding::Json,
            writes: None,
            boot: 0,
            number: 0,
            heard: (0, 0),
            awake: false,
            sent: Vec::new(),
        }
    }

    /// Lets time pass and gives what came.
    pub(crate) fn run_until(&mut self, until: u64) -> Result<Vec<Came>, SpecimenError> {
        let accept = self.key.as_ref().map_or(Accept::CHECKED, Accept::sealed);
        let mut came = Vec::new();
        for heard in self.specimen.run_until(until)? {
            let mut bytes = &heard.bytes[..];
            while let Some(item) = self.lexer.next(&mut bytes, &accept) {
                let what = match item {
                    Ok(received) => {
                        let Message::Report(report) = received.message else { continue };
                        if *self.clock.get_or_insert(report.clock) != report.clock {
                            continue; // Another clock's, on a shared line.
                        }
                        self.encoding = received.encoding;
                        (self.awake, self.boot) = (true, report.boot);
                        self.heard = (report.uptime_ms, heard.at);
                        Ok(report)
                    }
                    // What a program says while it starts, or the rest of a line.
                    Err(_) if !self.awake => continue,
                    Err(error)
                        if matches!(error.error, DecodeError::Unsealed(clock) | DecodeError::Seal(clock)
                        if self.clock.is_some_and(|own| own != clock)) =>
                    {
                        continue;
                    }
                    Err(error) => Err(format!("a line that is none: {error}")),
                };
                came.push(Came { at: heard.at, what });
            }
        }
        Ok(came)
    }

    /// The clock's uptime now, about, in milliseconds.
    fn uptime_ms(&self) -> u64 {
        self.heard.0 + self.specimen.now().saturating_sub(self.heard.1) / 1_000
    }

    /// Gives a command the next number, or one so far from the highest. Its end is so far from now.
    pub(crate) fn command(
        &mut self,
        action: Action,
        number: Option<i64>,
        boot: i64,
        until: Option<i64>,
    ) -> Result<ClockCommand, SpecimenError> {
        let clock = self.clock.ok_or_else(|| SpecimenError::Other("no clock was heard".into()))?;
        let number = match number {
            None => self.number.saturating_add(1),
            Some(off) => u32::try_from(i64::from(self.number) + off).unwrap_or(0),
        };
        // A number for another boot is not remembered by the clock either.
        if boot == 0 {
            self.number = self.number.max(number);
        }
        let uptime = self.uptime_ms();
        Ok(ClockCommand {
            clock,
            command: number,
            boot: u32::try_from(i64::from(self.boot) + boot).unwrap_or(u32::MAX),
            until_ms: until.map_or(uptime + VALID, |off| uptime.saturating_add_signed(off)),
            action,
        })
    }

    /// As it goes over the line, in this encoding and with this check.
    pub(crate) fn line(command: &ClockCommand, encoding: Encoding, check: Check<'_>) -> Vec<u8> {
        let mut bytes = vec![0; MAX_LINE];
        let len = line_command(command, encoding, check, &mut bytes).unwrap_or(0);
        bytes.truncate(len);
        bytes
    }

    /// As it goes over the line soundly.
    pub(crate) fn sound(&self, command: &ClockCommand, encoding: Encoding) -> Vec<u8> {
        Self::line(command, encoding, self.key.as_ref().map_or(Check::Crc, Check::Seal))
    }

    /// How commands are written.
    pub(crate) fn writes(&self) -> Encoding {
        self.writes.unwrap_or(self.encoding)
    }

    pub(crate) fn send(&mut self, bytes: Vec<u8>) -> Result<(), SpecimenError> {
        self.specimen.feed(&bytes)?;
        self.sent = bytes;
        Ok(())
    }

    /// Asks for something and waits for its answer. None where none comes in time. A number that the clock has no memory
    /// of is followed by a higher one.
    pub(crate) fn ask(
        &mut self,
        action: &Action,
        into: &mut Vec<Came>,
    ) -> Result<Option<Result<(), Refusal>>, SpecimenError> {
        for _ in 0..4 {
            let command = self.command(action.clone(), None, 0, None)?;
            let bytes = self.sound(&command, self.writes());
            self.send(bytes)?;
            let end = self.specimen.now() + self.specimen.means().patience_us.min(3_000_000) + 500_000;
            let mut answer = None;
            while answer.is_none() && self.specimen.now() < end {
                let from = into.len();
                let came = self.run_until(self.specimen.now() + 10_000)?;
                into.extend(came);
                answer = into[from..].iter().find_map(|came| match &came.what {
                    Ok(ClockReport {
                        event: Some(ClockEvent::Done { command: number, ok, error }), ..
                    }) if *number == command.command => {
                        Some(if *ok { Ok(()) } else { Err(error.unwrap_or(Refusal::Other)) })
                    }
                    _ => None,
                });
            }
            match answer {
                Some(Err(Refusal::Gone)) if !matches!(action, Action::Replay { .. }) => {
                    self.number = self.number.saturating_mul(8).saturating_add(1_000);
                }
                answer => return Ok(answer),
            }
        }
        Ok(Some(Err(Refusal::Gone)))
    }

    /// Power went: what was half read is nothing any more.
    pub(crate) fn dark(&mut self) {
        self.lexer.reset();
        (self.awake, self.heard) = (false, (0, self.specimen.now()));
    }
}
