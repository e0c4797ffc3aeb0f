//! A clock that is wrong on purpose: the reference, with one fault between it and whoever looks at it.

use flagfall_clock::{
    Accept, Action, Check, ClockCommand, ClockReport, Encoding, Key, Lexer, MAX_LINE, Message, line_command,
    line_report,
};
use flagfall_firmware::Setup;
use flagfall_simulator::conformance::{Contact, Core, Heard, Means, Specimen, SpecimenError};

/// What of a report is falsified, with a memory of its own; false: it is not said at all.
pub type OfReport = fn(&mut ClockReport, &mut Memory) -> bool;
/// What of a command is falsified before the clock hears it.
pub type OfCommand = fn(&mut ClockCommand, &mut Memory);
/// A contact's edge at a time, and what becomes of it among the edges to come.
pub type OfHand = fn((u64, Contact, bool), &mut Vec<(u64, Contact, bool)>, &mut Memory);

/// What a fault remembers.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub count: u32,
    pub flag: bool,
    pub at: u64,
    pub boot: u32,
}

/// One fault.
#[derive(Clone, Copy)]
pub enum Fault {
    Report(OfReport),
    Command(OfCommand),
    Hand(OfHand),
    /// Takes what it is set to for something else.
    Set(fn(&mut Setup)),
    /// Takes commands however they are checked.
    TakesAll,
    /// Forgets its game when its power goes.
    Forgets,
}

pub struct Falsified {
    clock: Core,
    fault: Fault,
    memory: Memory,
    encoding: Encoding,
    key: Option<Key>,
    from_clock: Lexer<1024>,
    to_clock: Lexer<1024>,
    moves: Vec<(u64, Contact, bool)>,
}

impl Falsified {
    pub fn new(encoding: Encoding, key: Option<Key>, fault: Fault) -> Self {
        Self {
            clock: Core::new("A01".parse().unwrap(), encoding, key.clone()),
            fault,
            memory: Memory::default(),
            encoding,
            key,
            from_clock: Lexer::new(),
            to_clock: Lexer::new(),
            moves: Vec::new(),
        }
    }

    fn check(key: &Option<Key>) -> Check<'_> {
        key.as_ref().map_or(Check::Crc, Check::Seal)
    }

    fn falsify(&mut self, heard: Heard) -> Heard {
        let Fault::Report(falsify) = self.fault else { return heard };
        let key = self.key.clone();
        let accept = key.as_ref().map_or(Accept::CHECKED, Accept::sealed);
        let (mut input, mut bytes) = (&heard.bytes[..], Vec::new());
        while let Some(item) = self.from_clock.next(&mut input, &accept) {
            let Message::Report(mut report) = item.unwrap().message else { panic!("a clock says reports") };
            if falsify(&mut report, &mut self.memory) {
                let mut line = [0; MAX_LINE];
                let len = line_report(&report, self.encoding, Self::check(&key), &mut line).unwrap();
                bytes.extend(&line[..len]);
            }
        }
        Heard { bytes, ..heard }
    }
}

impl Specimen for Falsified {
    fn means(&self) -> &Means {
        self.clock.means()
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn run_until(&mut self, until: u64) -> Result<Vec<Heard>, SpecimenError> {
        let mut all = Vec::new();
        loop {
            self.moves.sort_by_key(|(at, ..)| *at);
            let next = self.moves.first().copied().filter(|(at, ..)| *at <= until);
            all.extend(self.clock.run_until(next.map_or(until, |(at, ..)| at))?);
            match next {
                Some((_, contact, down)) => {
                    self.moves.remove(0);
                    self.clock.hand(contact, down)?;
                }
                None => break,
            }
        }
        Ok(all.into_iter().map(|heard| self.falsify(heard)).filter(|heard| !heard.bytes.is_empty()).collect())
    }

    fn hand(&mut self, contact: Contact, down: bool) -> Result<(), SpecimenError> {
        let Fault::Hand(falsify) = self.fault else { return self.clock.hand(contact, down) };
        falsify((self.clock.now(), contact, down), &mut self.moves, &mut self.memory);
        Ok(())
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), SpecimenError> {
        let key = self.key.clone();
        let (falsify, accept): (Option<OfCommand>, _) = match self.fault {
            Fault::Command(falsify) => (Some(falsify), key.as_ref().map_or(Accept::CHECKED, Accept::sealed)),
            Fault::TakesAll | Fault::Set(_) => (None, Accept::UNCHECKED),
            _ => return self.clock.feed(bytes),
        };
        let mut input = bytes;
        while let Some(item) = self.to_clock.next(&mut input, &accept) {
            let Ok(Message::Command(mut command)) = item.map(|received| received.message) else { continue };
            if let Some(falsify) = falsify {
                falsify(&mut command, &mut self.memory);
            }
            if let (
                Fault::Set(falsify),
                Action::Configure { time_control: control, first_side, stop_button },
            ) = (self.fault, &mut command.action)
            {
                let mut setup =
                    Setup { control: *control, first_side: *first_side, stop_button: *stop_button };
                falsify(&mut setup);
                (*control, *first_side, *stop_button) = (setup.control, setup.first_side, setup.stop_button);
            }
            let mut line = [0; MAX_LINE];
            let len = line_command(&command, self.encoding, Self::check(&key), &mut line).unwrap();
            self.clock.feed(&line[..len])?;
        }
        Ok(())
    }

    fn cut(&mut self, seed: u64) -> Result<(), SpecimenError> {
        self.from_clock.reset();
        self.clock.cut(seed)
    }

    fn power(&mut self) -> Result<(), SpecimenError> {
        if matches!(self.fault, Fault::Forgets) {
            return self.clock.fresh().map(drop);
        }
        self.clock.power()
    }

    fn fresh(&mut self) -> Result<bool, SpecimenError> {
        self.memory = Memory::default();
        self.moves.clear();
        self.from_clock.reset();
        self.clock.fresh()
    }
}
