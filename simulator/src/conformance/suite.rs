//! The suite at one specimen: gets to know it, sets it for each case, says what came of it.

use super::case::{Case, Need, REAL_TIMES};
use super::link::{Came, Link};
use super::run::{Over, Run};
use super::specimen::{Contact, Hands, Specimen, SpecimenError};
use flagfall_clock::{Action, Can, ClockEvent, ClockReport, Encoding, Refusal};
use std::collections::BTreeSet;

/// How long a clock is listened to until it says something, in microseconds: a status comes each 5 s.
const LISTEN: u64 = 13_000_000;

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All was as expected.
    Passed,
    /// What was expected, and what came.
    Failed(String),
    /// It could not be tried, and why.
    Skipped(String),
}

/// A case and what came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What the clock leaves unsaid, and may.
    pub notes: BTreeSet<String>,
    /// Microseconds of test time.
    pub took_us: u64,
    /// All it said.
    pub said: Vec<ClockReport>,
}

/// How the suite is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How commands are written; none: as the clock writes.
    pub writes: Option<Encoding>,
    /// The long cases in real time too.
    pub all: bool,
}

/// The suite at one specimen.
pub struct Suite<'a> {
    link: Link<'a>,
    options: Options,
    can: Option<Can>,
    known: bool,
    last: Option<ClockReport>,
}

impl<'a> Suite<'a> {
    /// Listens until the clock says something.
    ///
    /// # Errors
    /// It says nothing, or is gone.
    pub fn open(specimen: &'a mut dyn Specimen, options: Options) -> Result<Self, SpecimenError> {
        let mut link = Link::new(specimen);
        link.writes = options.writes;
        let mut suite = Self { link, options, can: None, known: false, last: None };
        suite.listen()?;
        Ok(suite)
    }

    /// What the clock said last.
    #[must_use]
    pub const fn last(&self) -> Option<&ClockReport> {
        self.last.as_ref()
    }

    /// The game that stands on the clock, in words; none where nothing would be lost.
    #[must_use]
    pub fn game(&self) -> Option<String> {
        let last = self.last.as_ref()?;
        let (left, right) = (last.left_presses, last.right_presses);
        match last.running {
            Some(side) => Some(format!("{side:?} runs, {left} and {right} moves are made").to_lowercase()),
            None if left + right > 0 => Some(format!("{left} and {right} moves are made")),
            None => None,
        }
    }

    fn listen(&mut self) -> Result<(), SpecimenError> {
        let end = self.link.specimen.now() + LISTEN;
        let from = self.last.as_ref().map(|last| (last.boot, last.seq));
        while self.last.as_ref().map(|last| (last.boot, last.seq)) == from {
            let now = self.link.specimen.now();
            if now >= end {
                return Err(SpecimenError::Other(format!("no clock is heard in {} s", LISTEN / 1_000_000)));
            }
            let came = self.link.run_until(now + 10_000)?;
            self.learn(&came);
        }
        Ok(())
    }

    fn learn(&mut self, came: &[Came]) {
        for report in came.iter().filter_map(|came| came.what.as_ref().ok()) {
            if let Some(ClockEvent::Boot(about) | ClockEvent::About(about)) = &report.event {
                (self.can, self.known) = (about.can, true);
            }
            self.last = Some(report.clone());
        }
    }

    fn ask(&mut self, action: &Action) -> Result<Option<Result<(), Refusal>>, SpecimenError> {
        let mut came = Vec::new();
        let answer = self.link.ask(action, &mut came)?;
        self.learn(&came);
        Ok(answer)
    }

    /// Runs one case.
    ///
    /// # Errors
    /// The specimen is gone.
    pub fn run(&mut self, case: &Case) -> Result<Outcome, SpecimenError> {
        let begun = self.link.specimen.now();
        let mut outcome = Outcome {
            name: case.name.clone(),
            verdict: Verdict::Passed,
            notes: BTreeSet::new(),
            took_us: 0,
            said: Vec::new(),
        };
        let times =
            if self.link.specimen.means().virtual_time { case.times } else { case.times.min(REAL_TIMES) };
        for time in 0..times {
            let over = match self.skips(case) {
                Some(why) => Err(Over::Skipped(why)),
                None => self.once(case, u64::from(time), &mut outcome),
            };
            outcome.verdict = match over {
                Ok(()) => continue,
                Err(Over::Failed(why)) if case.times > 1 => {
                    Verdict::Failed(format!("time {}: {why}", time + 1))
                }
                Err(Over::Failed(why)) => Verdict::Failed(why),
                Err(Over::Skipped(why)) => Verdict::Skipped(why),
                Err(Over::Gone(error)) => return Err(error),
            };
            break;
        }
        outcome.took_us = self.link.specimen.now() - begun;
        Ok(outcome)
    }

    /// Why a case is not for this specimen.
    fn skips(&self, case: &Case) -> Option<String> {
        let means = self.link.specimen.means();
        if means.hands < case.hands {
            return Some(format!("needs {}, there are {}", case.hands.name(), means.hands.name()));
        }
        if let Some(contact) = case.contacts().find(|contact| means.without.contains(contact)) {
            return Some(format!("it has no {}", contact.words()));
        }
        if case.long && !means.virtual_time && !self.options.all {
            return Some(format!("takes {} min; --all runs it", case.lasts_ms().div_ceil(60_000)));
        }
        let lacks = |need: &Need| match need {
            Need::Power if !means.power => Some("power is not under control"),
            Need::Power if !means.memory => Some("it keeps no game over a power cut"),
            Need::Seal if means.key.is_none() => Some("it has no key"),
            Need::BothEncodings if !means.both_encodings => Some("it is not said to read both encodings"),
            Need::Json if self.link.writes() != Encoding::Json => Some("it does not write JSON"),
            _ => None,
        };
        if let Some(why) = case.needs.iter().find_map(lacks) {
            return Some(why.into());
        }
        let can = self.can?;
        let lacks = |name: &&str| *name != "unknown" && !can.has(name);
        std::iter::once("configure")
            .chain(case.commands())
            .find(lacks)
            .map(|name| format!("its `can` lacks {name}"))
    }

    fn once(&mut self, case: &Case, seed: u64, outcome: &mut Outcome) -> Result<(), Over> {
        self.set(case)?;
        let last = self.last.clone().ok_or_else(|| Over::Failed("it says nothing".into()))?;
        let mut run = Run::new(&mut self.link, case, seed, last);
        let over = run.all();
        outcome.notes.append(&mut run.notes);
        outcome.said.append(&mut run.said);
        let cut = run.cut_at.is_some();
        self.last = run.history.last().cloned();
        self.leave(cut)?;
        over
    }

    /// Leaves a clock as the next case can find it: on, nothing pressed.
    fn leave(&mut self, cut: bool) -> Result<(), Over> {
        if cut {
            self.link.dark();
            self.link.specimen.power()?;
        }
        if self.link.specimen.means().hands >= Hands::Jig {
            let without = self.link.specimen.means().without.clone();
            for contact in Contact::ALL.into_iter().filter(|contact| !without.contains(contact)) {
                self.link.specimen.hand(contact, false)?;
            }
        }
        let came = self.link.run_until(self.link.specimen.now() + 50_000)?;
        self.learn(&came);
        Ok(())
    }

    /// Sets it as the case says, all as new.
    fn set(&mut self, case: &Case) -> Result<(), Over> {
        if self.link.specimen.fresh()? {
            self.link.dark();
            (self.link.number, self.last) = (0, None);
        }
        self.listen_once()?;
        if !self.known {
            // Where it does not answer, it is taken to be able to do everything.
            self.ask(&Action::Describe)?;
            self.known = true;
            if let Some(why) = self.skips(case) {
                return Err(Over::Skipped(why));
            }
        }
        if self.last.as_ref().is_some_and(|last| last.running.is_some()) {
            self.ask(&Action::Stop)?;
        }
        let configure = Action::Configure {
            time_control: case.control,
            first_side: case.first_side,
            stop_button: case.stop_button,
        };
        match self.ask(&configure)? {
            Some(Ok(())) => Ok(()),
            Some(Err(Refusal::Unable)) => Err(Over::Skipped("it cannot play this control".into())),
            Some(Err(why)) => Err(Over::Failed(format!("it cannot be set for the case: {why:?}"))),
            None => Err(Over::Failed("it does not answer when it is set for the case".into())),
        }
    }

    fn listen_once(&mut self) -> Result<(), SpecimenError> {
        if self.last.is_none() { self.listen() } else { Ok(()) }
    }
}
