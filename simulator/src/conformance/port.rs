//! A clock on a serial port, a pseudo terminal or TCP, in real time.

use super::hands::{Jig, PortHands, ask};
use super::specimen::{Contact, Hands, Heard, Means, Specimen, SpecimenError};
use super::wire::Wire;
use flagfall_clock::{ClockId, Key};
use std::time::{Duration, Instant};

/// How long a port may be away after power came back: a clock that is powered by it takes a while.
const AWAY: Duration = Duration::from_secs(15);

/// Where a clock is and what is known of it.
#[derive(Clone, Debug)]
pub struct PortOptions {
    /// `host:port`, or a path.
    pub line: String,
    /// Of a serial port.
    pub baud: u32,
    /// Nobody, `ask`, or the line of a jig.
    pub hands: Option<String>,
    /// Contacts that the clock does not have.
    pub without: Vec<Contact>,
    /// A jig is off by at most so many milliseconds.
    pub exact_ms: u32,
    /// The clock's name, where several are on the line.
    pub clock: Option<ClockId>,
    /// Its key, where it has one.
    pub key: Option<Key>,
    /// It keeps its game over a power cut.
    pub memory: bool,
    /// It reads commands in both encodings.
    pub both_encodings: bool,
}

/// A clock on a port.
pub struct Port {
    options: PortOptions,
    means: Means,
    wire: Wire,
    hands: PortHands,
    begun: Instant,
    dark: bool,
}

impl Port {
    /// Opens the clock's line, and that of its jig.
    ///
    /// # Errors
    /// One of them cannot be opened, or the jig does not answer.
    pub fn open(options: PortOptions) -> Result<Self, SpecimenError> {
        let wire = Wire::open(&options.line, options.baud)?;
        let hands = match options.hands.as_deref() {
            None => PortHands::None,
            Some("ask") => PortHands::Person,
            Some(line) => PortHands::Jig(Jig::open(line)?),
        };
        let (who, patience_us) = match hands {
            PortHands::None => (Hands::None, 2_500_000),
            PortHands::Person => (Hands::Person, 60_000_000),
            PortHands::Jig(_) => (Hands::Jig, 2_500_000),
        };
        let means = Means {
            virtual_time: false,
            hands: who,
            without: options.without.clone(),
            exact_us: u64::from(options.exact_ms) * 1_000,
            latency_us: 4_000_000,
            patience_us,
            drift_ppm: 300,
            cadence_ms: 150,
            power: matches!(&hands, PortHands::Jig(jig) if jig.power),
            memory: options.memory,
            both_encodings: options.both_encodings,
            key: options.key.clone(),
            clock: options.clock,
        };
        Ok(Self { options, means, wire, hands, begun: Instant::now(), dark: false })
    }

    fn micros(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.begun).as_micros()).unwrap_or(u64::MAX)
    }

    fn no_hands() -> SpecimenError {
        SpecimenError::Hands { hands: "none".into(), why: "there is nobody to press".into() }
    }
}

impl Specimen for Port {
    fn means(&self) -> &Means {
        &self.means
    }

    fn now(&self) -> u64 {
        self.micros(Instant::now())
    }

    fn run_until(&mut self, until: u64) -> Result<Vec<Heard>, SpecimenError> {
        let end = self.begun + Duration::from_micros(until);
        let mut heard = Vec::new();
        loop {
            match self.wire.read(end) {
                Some((at, bytes)) => heard.push(Heard { at: self.micros(at), bytes }),
                // A clock that is powered by its port takes the port with it.
                None if self.wire.is_gone() && !self.dark => return Err(self.wire.hung_up()),
                None if Instant::now() >= end => return Ok(heard),
                None => {}
            }
        }
    }

    fn hand(&mut self, contact: Contact, down: bool) -> Result<(), SpecimenError> {
        match &mut self.hands {
            PortHands::None => Err(Self::no_hands()),
            // Told by `ask`, in words.
            PortHands::Person => Ok(()),
            PortHands::Jig(jig) => jig.hand(contact, down),
        }
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), SpecimenError> {
        self.wire.write(bytes)
    }

    fn cut(&mut self, _seed: u64) -> Result<(), SpecimenError> {
        let PortHands::Jig(jig) = &mut self.hands else { return Err(Self::no_hands()) };
        self.dark = true;
        jig.say("power off")
    }

    fn power(&mut self) -> Result<(), SpecimenError> {
        let PortHands::Jig(jig) = &mut self.hands else { return Err(Self::no_hands()) };
        jig.say("power on")?;
        let end = Instant::now() + AWAY;
        while self.wire.is_gone() {
            match Wire::open(&self.options.line, self.options.baud) {
                Ok(wire) => self.wire = wire,
                Err(error) if Instant::now() >= end => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(200)),
            }
        }
        self.dark = false;
        Ok(())
    }

    fn ask(&mut self, what: &str, seen: bool) -> Result<(), SpecimenError> {
        ask(what, seen)
    }
}
