//! The emulated board as a clock under test of the suite of clock behaviour.

use flagfall_clock::{Identity, Key};
use flagfall_simulator::conformance::{Contact, Heard, Means, Specimen, SpecimenError};
use flagfall_tests::pico::clock::{BYTE_NS, PicoClock, name};
use flagfall_tests::pico::{self, Happened, Options, firmware};

/// A board with a name. It is never made as new: each case begins where the last one ended, as at a table.
pub struct Board {
    pub clock: PicoClock,
    means: Means,
}

impl Board {
    pub fn new(options: &Options, identity: &Identity) -> Self {
        let clock = PicoClock::named(&firmware(options.display), options, identity);
        let key: Option<Key> = identity.key.clone();
        let means = Means {
            key,
            clock: Some(name()),
            // All 64 events again are 1.7 s on the line; a sector is erased in between.
            latency_us: 4_000_000,
            patience_us: 4_000_000,
            ..Means::exact()
        };
        Self { clock, means }
    }
}

fn contact(contact: Contact) -> pico::Contact {
    match contact {
        Contact::Left => pico::Contact::Left,
        Contact::Right => pico::Contact::Right,
        Contact::Stop => pico::Contact::Stop,
        Contact::Key => pico::Contact::Key,
    }
}

impl Specimen for Board {
    fn means(&self) -> &Means {
        &self.means
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn run_until(&mut self, until: u64) -> Result<Vec<Heard>, SpecimenError> {
        if until <= self.now() {
            return Ok(Vec::new());
        }
        let mut heard = Vec::new();
        for happened in self.clock.pico.try_run(until).map_err(SpecimenError::Other)? {
            match happened {
                Happened::Sent { us, bytes } => {
                    let at = us + (bytes.len() as u64 - 1) * BYTE_NS / 1_000;
                    heard.push(Heard { at, bytes });
                }
                Happened::Lost(count) => self.clock.lost += count,
                Happened::Reset { us, cause } => {
                    return Err(SpecimenError::Other(format!("it began anew at {us} us by {cause}")));
                }
                out @ Happened::Out { .. } => self.clock.outs.push(out),
            }
        }
        Ok(heard)
    }

    fn hand(&mut self, which: Contact, down: bool) -> Result<(), SpecimenError> {
        self.clock.pico.press(contact(which), down);
        Ok(())
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), SpecimenError> {
        self.clock.pico.feed(bytes);
        Ok(())
    }

    fn cut(&mut self, seed: u64) -> Result<(), SpecimenError> {
        self.clock.pico.cut(u32::try_from(seed & 0xffff).unwrap_or(0));
        Ok(())
    }

    fn power(&mut self) -> Result<(), SpecimenError> {
        self.clock.pico.power();
        Ok(())
    }
}
