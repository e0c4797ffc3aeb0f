//! The reference: `firmware/core` on the host in virtual time, as a board would drive it.
//!
//! Its counter of microseconds stands shortly before its wrap when power comes, its memory is written before each report
//! is sent, and what comes over its line goes through the same reader as on a board.

use super::specimen::{Contact, Heard, Means, Specimen, SpecimenError};
use flagfall_clock::{
    Accept, Check, ClockId, ClockReport, Encoding, Key, Lexer, MAX_LINE, Message, Side, line_report,
};
use flagfall_firmware::{Clock, Input, Saved, Settings, Uptime};

/// Where its counter stands at power-up: it wraps after 21 s.
const COUNTER: u32 = u32::MAX - 21_000_000;
/// Its first power-up, so that its milliseconds are not those of the test.
const FIRST_POWER: u64 = 7_300;

#[derive(Clone, Debug)]
struct On {
    clock: Clock,
    uptime: Uptime,
    since: u64,
    lexer: Lexer<1024>,
}

/// `firmware/core` as a specimen.
#[derive(Clone, Debug)]
pub struct Core {
    means: Means,
    id: ClockId,
    encoding: Encoding,
    now: u64,
    boot: u32,
    on: Option<On>,
    /// What outlives a cut.
    memory: Option<Vec<u8>>,
    contacts: [bool; 4],
    said: Vec<Heard>,
}

impl Core {
    /// A clock out of its box, that writes so and has this key.
    #[must_use]
    pub fn new(id: ClockId, encoding: Encoding, key: Option<Key>) -> Self {
        let mut core = Self {
            means: Means { key, ..Means::exact() },
            id,
            encoding,
            now: 0,
            boot: 0,
            on: None,
            memory: None,
            contacts: [false; 4],
            said: Vec::new(),
        };
        core.start();
        core
    }

    fn start(&mut self) {
        self.now += FIRST_POWER;
        self.on = Some(self.come_up());
        self.speak();
    }

    fn come_up(&mut self) -> On {
        self.boot += 1;
        let settings = Settings::new(self.id, self.boot);
        let saved = self.memory.as_deref().and_then(|bytes| Saved::from_bytes(bytes).ok());
        let mut clock = match saved {
            Some(saved) => Clock::restored(settings, saved, 0),
            None => Clock::new(settings, 0),
        };
        for (contact, down) in Contact::ALL.into_iter().zip(self.contacts) {
            if down {
                clock.input(0, input(contact, down));
            }
        }
        On { clock, uptime: Uptime::new(1_000_000, COUNTER), since: self.now, lexer: Lexer::new() }
    }

    /// Looks at the clock now, at its own time, and carries away what it says.
    fn look(&mut self, at: u64, act: impl FnOnce(&mut Clock, u64)) {
        self.now = self.now.max(at);
        if let Some(on) = &mut self.on {
            // As a counter of 32 bits gives it.
            let ticks = (self.now - on.since) & u64::from(u32::MAX);
            let uptime = on.uptime.now(COUNTER.wrapping_add(u32::try_from(ticks).unwrap_or(0)));
            act(&mut on.clock, uptime);
            on.clock.poll(uptime);
        }
        self.speak();
    }

    fn speak(&mut self) {
        while let Some(on) = &mut self.on {
            let Some(report) = on.clock.next_report() else { break };
            let ticks = (self.now - on.since) / 1_000;
            self.memory = Some(on.clock.saved(ticks).to_bytes().to_vec());
            let bytes = self.line(&report);
            self.said.push(Heard { at: self.now, bytes });
        }
    }

    fn line(&self, report: &ClockReport) -> Vec<u8> {
        let mut bytes = vec![0; MAX_LINE];
        let check = self.means.key.as_ref().map_or(Check::Crc, Check::Seal);
        // Cannot fail: the longest line fits, and a clock's times are in range.
        let len = line_report(report, self.encoding, check, &mut bytes).unwrap_or(0);
        bytes.truncate(len);
        bytes
    }

    /// When the clock must be looked at, in test time. Always later than now, whatever it asks for.
    fn due(&self) -> Option<u64> {
        let due = |on: &On| on.since.saturating_add(on.clock.next_deadline().saturating_mul(1_000));
        self.on.as_ref().map(|on| due(on).max(self.now + 1))
    }
}

const fn input(contact: Contact, down: bool) -> Input {
    match contact {
        Contact::Left => Input::Lever { side: Side::Left, down },
        Contact::Right => Input::Lever { side: Side::Right, down },
        Contact::Stop => Input::StopButton { down },
        Contact::Key => Input::ArbiterKey { down },
    }
}

impl Specimen for Core {
    fn means(&self) -> &Means {
        &self.means
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn run_until(&mut self, until: u64) -> Result<Vec<Heard>, SpecimenError> {
        while let Some(due) = self.due().filter(|due| *due <= until) {
            self.look(due, |_, _| {});
        }
        self.look(until, |_, _| {});
        Ok(std::mem::take(&mut self.said))
    }

    fn hand(&mut self, contact: Contact, down: bool) -> Result<(), SpecimenError> {
        self.contacts[contact as usize] = down;
        self.look(self.now, |clock, at| clock.input(at, input(contact, down)));
        Ok(())
    }

    fn feed(&mut self, mut bytes: &[u8]) -> Result<(), SpecimenError> {
        let key = self.means.key.clone();
        let accept = key.as_ref().map_or(Accept::CHECKED, Accept::sealed);
        while let Some(item) = self.on.as_mut().and_then(|on| on.lexer.next(&mut bytes, &accept)) {
            if let Ok(Message::Command(command)) = item.map(|received| received.message) {
                self.look(self.now, |clock, at| clock.input(at, Input::Command(command)));
            }
        }
        Ok(())
    }

    fn cut(&mut self, _seed: u64) -> Result<(), SpecimenError> {
        self.on = None;
        Ok(())
    }

    fn power(&mut self) -> Result<(), SpecimenError> {
        if self.on.is_none() {
            self.on = Some(self.come_up());
            self.speak();
        }
        Ok(())
    }

    fn fresh(&mut self) -> Result<bool, SpecimenError> {
        (self.on, self.memory, self.contacts, self.boot) = (None, None, [false; 4], 0);
        self.said.clear();
        self.start();
        Ok(true)
    }
}
