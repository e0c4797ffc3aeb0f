//! The clock on an emulated board as a daemon hears it: reports out of bytes, commands into bytes, in lock step.

use super::{Contact, Happened, Options, Pico};
use flagfall_clock::{
    Accept, Action, Check, ClockCommand, ClockEvent, ClockId, ClockReport, Encoding, Identity, Key, Lexer,
    MAX_LINE, MAX_PROVISION, Message, Provision, ProvisionAnswer, Refusal, line_command, line_provision,
    read_provisioned,
};
use std::path::Path;

/// A byte on the line takes so long, in nanoseconds.
pub const BYTE_NS: u64 = 86_806;
/// How finely it is looked whether something was said, in microseconds.
const LOOK: u64 = 2_000;

/// A report, and when it came.
#[derive(Clone, Debug)]
pub struct Said {
    /// When its last byte was there, in microseconds of world time.
    pub us: u64,
    /// It itself.
    pub report: ClockReport,
}

/// The name that clocks of tests have.
///
/// # Panics
/// Never: it is a name.
#[must_use]
pub fn name() -> ClockId {
    "A01".parse().expect("a name")
}

/// Who a clock is that writes so and has this key.
#[must_use]
pub fn identity(encoding: Encoding, key: Option<Key>) -> Identity {
    Identity { clock: name(), key, encoding, trim_ppm: 0, sound: false }
}

/// A clock on an emulated board, and all it did.
#[derive(Debug)]
pub struct PicoClock {
    /// The board.
    pub pico: Pico,
    /// What it reported, in order.
    pub said: Vec<Said>,
    /// What it answered to a technician.
    pub answers: Vec<ProvisionAnswer>,
    /// Lights, buzzer and restarts, in order.
    pub outs: Vec<Happened>,
    /// Everything it ever sent.
    pub bytes: Vec<u8>,
    /// Lines that were none.
    pub broken: usize,
    /// Bytes to it that nobody took.
    pub lost: u64,
    /// The number of the last command to it.
    pub number: u32,
    /// How it is spoken to, and with which key.
    identity: Identity,
    lexer: Box<Lexer>,
    line: Vec<u8>,
}

impl PicoClock {
    /// Powers a board up that has no name.
    #[must_use]
    pub fn unnamed(elf: &Path, options: &Options) -> Self {
        Self {
            pico: Pico::start(elf, options),
            said: Vec::new(),
            answers: Vec::new(),
            outs: Vec::new(),
            bytes: Vec::new(),
            broken: 0,
            lost: 0,
            number: 0,
            identity: identity(Encoding::Json, None),
            lexer: Box::default(),
            line: Vec::new(),
        }
    }

    /// Powers a board up and makes it this clock.
    ///
    /// # Panics
    /// If it will not be it.
    #[must_use]
    pub fn named(elf: &Path, options: &Options, identity: &Identity) -> Self {
        let mut clock = Self::unnamed(elf, options);
        clock.pass(200_000);
        clock.provision(&Provision::Be(identity.clone())).expect("a clock out of its box takes a name");
        clock.heard("boot", |report| matches!(report.event, Some(ClockEvent::Boot(_))));
        clock
    }

    /// World time, in microseconds.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.pico.now()
    }

    /// Lets so much time pass, in microseconds.
    pub fn pass(&mut self, us: u64) {
        self.pass_until(self.now() + us);
    }

    /// Lets time pass until then, in microseconds of world time. Nothing where that has passed.
    pub fn pass_until(&mut self, us: u64) {
        for happened in self.pico.run(us.max(self.now())) {
            match happened {
                Happened::Sent { us, bytes } => self.hear(us, &bytes),
                Happened::Lost(count) => self.lost += count,
                out => self.outs.push(out),
            }
        }
    }

    fn hear(&mut self, us: u64, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let accept = self.identity.key.as_ref().map_or(Accept::CHECKED, Accept::sealed);
        for (place, byte) in (0_u64..).zip(bytes) {
            self.line.push(*byte);
            let us = us + place * BYTE_NS / 1_000;
            if *byte == b'\n'
                && let Some(answer) = read_provisioned(&std::mem::take(&mut self.line))
            {
                self.answers.push(answer.expect("it is written soundly"));
                self.lexer.reset();
                continue;
            }
            match self.lexer.push(*byte, &accept) {
                Some(Ok(received)) => {
                    let Message::Report(report) = received.message else { panic!("a clock says reports") };
                    self.said.push(Said { us, report });
                }
                Some(Err(_)) => self.broken += 1,
                None => {}
            }
            if *byte == 0 {
                self.line.clear();
            }
        }
    }

    /// Lets time pass until a report came that is not known yet and fits.
    ///
    /// # Panics
    /// If none comes within 15 s.
    pub fn heard(&mut self, what: &str, fits: impl Fn(&ClockReport) -> bool) -> ClockReport {
        self.heard_from(self.said.len(), what, fits)
    }

    /// As [`PicoClock::heard`], among the reports from this place in `said` on.
    ///
    /// # Panics
    /// If none comes within 15 s.
    pub fn heard_from(
        &mut self,
        from: usize,
        what: &str,
        fits: impl Fn(&ClockReport) -> bool,
    ) -> ClockReport {
        let end = self.now() + 15_000_000;
        loop {
            if let Some(said) = self.said[from..].iter().find(|said| fits(&said.report)) {
                return said.report.clone();
            }
            assert!(self.now() < end, "{what} was not heard in 15 s; the last was {:?}", self.said.last());
            self.pass(LOOK);
        }
    }

    /// The last report.
    ///
    /// # Panics
    /// If there was none.
    #[must_use]
    pub fn last(&self) -> &ClockReport {
        &self.said.last().expect("it has said something").report
    }

    /// A command as it goes over the line, with the next number.
    #[must_use]
    pub fn line_of(&mut self, action: Action) -> Vec<u8> {
        self.number += 1;
        let last = self.last();
        let command = ClockCommand {
            clock: self.identity.clock,
            command: self.number,
            boot: last.boot,
            until_ms: last.uptime_ms + 60_000,
            action,
        };
        let check = self.identity.key.as_ref().map_or(Check::Crc, Check::Seal);
        let mut bytes = vec![0; MAX_LINE];
        let len = line_command(&command, self.identity.encoding, check, &mut bytes).expect("it fits");
        bytes.truncate(len);
        bytes
    }

    /// Commands something and waits for the answer.
    ///
    /// # Errors
    /// As the clock refuses it.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn order(&mut self, action: Action) -> Result<(), Refusal> {
        let line = self.line_of(action);
        self.pico.feed(&line);
        let number = self.number;
        let done = self.heard(
            "an answer",
            |report| matches!(report.event, Some(ClockEvent::Done { command, .. }) if command == number),
        );
        match done.event {
            Some(ClockEvent::Done { ok: true, .. }) => Ok(()),
            Some(ClockEvent::Done { error, .. }) => Err(error.unwrap_or(Refusal::Other)),
            _ => unreachable!("that was looked for"),
        }
    }

    /// Says something as a technician's tool does, and waits for the answer.
    ///
    /// # Errors
    /// As the clock refuses it.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn provision(&mut self, said: &Provision) -> ProvisionAnswer {
        let mut line = [0; MAX_PROVISION];
        let len = line_provision(said, &mut line).expect("it fits");
        let (from, end) = (self.answers.len(), self.now() + 3_000_000);
        self.pico.feed(&line[..len]);
        while self.answers.len() == from {
            assert!(self.now() < end, "no answer to a technician");
            self.pass(LOOK);
        }
        if let (Provision::Be(identity), Ok(_)) = (said, &self.answers[from]) {
            self.identity = identity.clone();
        }
        self.answers[from].clone()
    }

    /// Closes a contact for 60 ms, or opens it after that; nothing bounces.
    pub fn push(&mut self, contact: Contact) {
        self.pico.press(contact, true);
        self.pass(60_000);
        self.pico.press(contact, false);
    }

    /// Cuts the power; what was half said is nothing any more. What was said to the last byte is in `said`.
    pub fn cut(&mut self, seed: u32) {
        self.pico.cut(seed);
        self.pass(0);
        self.lexer.reset();
        self.line.clear();
    }
}
