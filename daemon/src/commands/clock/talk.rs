//! A question and its answer on a line on which other things may be said too.
//!
//! A named clock reports while it is asked, a cable makes noise, a wrong baud rate makes nothing else. So an answer is
//! looked for in all that comes, and where none is, what came instead says why.

use super::ear::Ear;
use super::place::{Place, Wire};
use crate::cli::{Exit, Failure, LineArgs};
use flagfall_clock::{Identity, MAX_PROVISION, Provision, ProvisionAnswer, Provisioned, line_provision};
use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

/// A clock is asked again after so long, so often: a board that the opened port restarted needs a moment.
const AGAIN: Duration = Duration::from_millis(800);
const TIMES: u32 = 5;
/// What is given takes two erased sectors, of 400 ms at worst each; it is never said twice.
const GIVING: Duration = Duration::from_secs(5);

/// An answer, and between which instants it was made.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub clock: Provisioned,
    pub asked: Instant,
    /// When its first byte was here.
    pub came: Instant,
}

/// One line, and what was heard on it.
pub(super) struct Talk {
    place: Place,
    baud: u32,
    wire: Box<dyn Wire>,
    ear: Ear,
}

impl Talk {
    /// Opens the line; says nothing yet.
    pub(super) fn open(line: &LineArgs) -> Result<Self, Failure> {
        let wire = line.port.open(line.baud)?;
        Ok(Self { place: line.port.clone(), baud: line.baud, wire, ear: Ear::new() })
    }

    /// Who are you? Asked a few times where nobody answers.
    pub(super) fn ask(&mut self) -> Result<Answer, Failure> {
        for _ in 0..TIMES {
            self.hush()?;
            let asked = Instant::now();
            self.say(&Provision::Ask)?;
            match self.listen(asked + AGAIN)? {
                Some((Ok(clock), came)) => return Ok(Answer { clock, asked, came }),
                Some((Err(error), _)) => {
                    let what = format!("the clock does not say who it is: {error}");
                    return Err(self.failure(Exit::Failed, what));
                }
                None => {}
            }
        }
        Err(self.failure(Exit::Unavailable, self.ear.why_none(&self.place, self.baud)))
    }

    /// Be this one: said once. None where no answer came; then only another question tells.
    pub(super) fn give(&mut self, identity: Identity) -> Result<Option<ProvisionAnswer>, Failure> {
        let name = identity.clock;
        self.hush()?;
        self.say(&Provision::Be(identity))?;
        let until = Instant::now() + GIVING;
        loop {
            match self.listen(until)? {
                // a late answer to the question before
                Some((Ok(clock), _)) if clock.clock != Some(name) => {}
                other => return Ok(other.map(|(answer, _)| answer)),
            }
        }
    }

    /// A failure that names the port.
    pub(super) fn failure(&self, exit: Exit, what: impl std::fmt::Display) -> Failure {
        Failure::new(exit, format!("port {}: {what}", self.place))
    }

    fn say(&mut self, said: &Provision) -> Result<(), Failure> {
        let mut line = [0; MAX_PROVISION + 1];
        // ends whatever noise the clock may have taken for the beginning of a line
        line[0] = b'\n';
        let length = line_provision(said, &mut line[1..])
            .map_err(|error| self.failure(Exit::Failed, format!("the line cannot be written: {error}")))?;
        let sent = self.wire.write_all(&line[..=length]).and_then(|()| self.wire.flush());
        sent.map_err(|error| self.failure(Exit::Io, format!("cannot be written to: {error}")))
    }

    /// Takes what lies there already, so that no old answer is taken for a new one.
    fn hush(&mut self) -> Result<(), Failure> {
        // a line that never falls silent is asked all the same
        for _ in 0..50 {
            if !self.hear()? {
                break;
            }
        }
        self.ear.answers.clear();
        Ok(())
    }

    /// The next answer, with the instant of its first byte.
    fn listen(&mut self, until: Instant) -> Result<Option<(ProvisionAnswer, Instant)>, Failure> {
        loop {
            if let Some(answer) = self.ear.answers.pop_front() {
                return Ok(Some(answer));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            self.hear()?;
        }
    }

    /// Takes in what came; false where nothing did.
    fn hear(&mut self) -> Result<bool, Failure> {
        let mut bytes = [0; 512];
        match self.wire.read(&mut bytes) {
            Ok(0) => Err(self.failure(Exit::Unavailable, "the line hung up; is the cable still in?")),
            Ok(length) => {
                self.ear.hear(&bytes[..length], Instant::now());
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(self.failure(Exit::Unavailable, format!("cannot be read: {error}"))),
        }
    }
}
