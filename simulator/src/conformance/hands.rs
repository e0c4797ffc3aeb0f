//! Who presses a clock on a port: a jig on a line of its own, or a person at the terminal.
//!
//! A jig is told one line at a time, `left down`, `power off`, and answers `ok` once it is done; what it is made of is
//! described in `docs/hardware/conformance.md`.

use super::specimen::{Contact, SpecimenError};
use super::wire::Wire;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// How long a jig may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// An Arduino starts anew when its port is opened: asked again so often.
const GREETINGS: u32 = 12;

/// Hands at a clock on a port.
pub(super) enum PortHands {
    None,
    Person,
    Jig(Jig),
}

/// A machine that presses.
pub(super) struct Jig {
    name: String,
    wire: Wire,
    read: Vec<u8>,
    /// It switches the clock's power.
    pub(super) power: bool,
}

impl Jig {
    pub(super) fn open(name: &str) -> Result<Self, SpecimenError> {
        let mut jig =
            Self { name: name.into(), wire: Wire::open(name, 115_200)?, read: Vec::new(), power: false };
        for _ in 0..GREETINGS {
            jig.wire.write(b"hello\n")?;
            if let Some(answer) = jig.line(Instant::now() + Duration::from_millis(500))
                && let Some(rest) = answer.strip_prefix("ok")
            {
                jig.power = rest.split_whitespace().any(|word| word == "power");
                // Answers to greetings that were too early.
                while jig.line(Instant::now() + Duration::from_millis(100)).is_some() {}
                return Ok(jig);
            }
        }
        Err(jig.no("it does not answer `hello` with `ok`"))
    }

    fn no(&self, why: &str) -> SpecimenError {
        SpecimenError::Hands { hands: self.name.clone(), why: why.into() }
    }

    /// A line of its own; what is none is passed over.
    fn line(&mut self, until: Instant) -> Option<String> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Some(String::from_utf8_lossy(&line).trim().to_owned());
            }
            self.read.extend(self.wire.read(until)?.1);
        }
    }

    pub(super) fn say(&mut self, words: &str) -> Result<(), SpecimenError> {
        self.wire.write(format!("{words}\n").as_bytes())?;
        match self.line(Instant::now() + PATIENCE) {
            Some(answer) if answer == "ok" => Ok(()),
            Some(answer) => Err(self.no(&format!("`{words}` was answered `{answer}`"))),
            None => Err(self.no(&format!("`{words}` was not answered"))),
        }
    }

    pub(super) fn hand(&mut self, contact: Contact, down: bool) -> Result<(), SpecimenError> {
        self.say(&format!("{} {}", contact.name(), if down { "down" } else { "up" }))
    }
}

/// Tells a person what to do. Where nothing is to come of it, he says that he has done it.
pub(super) fn ask(what: &str, seen: bool) -> Result<(), SpecimenError> {
    let no =
        |error: std::io::Error| SpecimenError::Hands { hands: "terminal".into(), why: error.to_string() };
    let mut terminal = std::io::stderr();
    let more = if seen { "" } else { ", then press Enter here" };
    writeln!(terminal, "  > {what}{more}").map_err(no)?;
    if !seen && std::io::stdin().lock().read_line(&mut String::new()).map_err(no)? == 0 {
        return Err(SpecimenError::Hands { hands: "terminal".into(), why: "nobody is there".into() });
    }
    Ok(())
}
