//! One case at one specimen: does its steps, and holds what comes against what is expected.
//!
//! Every event must be expected, in its order; statuses come by themselves and are judged by what always holds.

use super::case::Case;
use super::expect::{Again, Expect};
use super::expr::{Expr, Value};
use super::history::History;
use super::link::Link;
use super::member::{self, Marks};
use super::script::{Step, When};
use super::specimen::{Contact, Hands, SpecimenError};
use super::sums;
use super::tie::Tie;
use crate::chance::Chance;
use flagfall_clock::{ClockReport, TimeControl};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Why a case is over before its end.
#[derive(Debug)]
pub(crate) enum Over {
    Failed(String),
    Skipped(String),
    Gone(SpecimenError),
}

impl From<SpecimenError> for Over {
    fn from(error: SpecimenError) -> Self {
        Self::Gone(error)
    }
}

/// What brings an event about, in test time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// A contact that closes or opens then: it happens in that instant.
    Edge(u64),
    /// A command that goes out then: it happens later.
    Order(u64),
}

/// What is due next: an event, or one that comes again by its `seq`.
#[derive(Clone, Debug)]
pub(super) enum Due {
    Event { expect: Expect, cause: Option<Cause> },
    Again { seq: u32, maybe: bool },
}

impl Due {
    /// It may be missing.
    pub(super) const fn maybe(&self) -> bool {
        match self {
            Self::Event { expect: Expect::Event { maybe, .. }, .. } | Self::Again { maybe, .. } => *maybe,
            Self::Event { expect: Expect::Again(_), .. } => false,
        }
    }
}

/// A case under way.
pub(crate) struct Run<'a, 'l> {
    pub link: &'l mut Link<'a>,
    pub case: &'l Case,
    pub history: History,
    pub tie: Tie,
    pub chance: Chance,
    pub marks: Marks,
    /// What the clock left unsaid, and may.
    pub notes: BTreeSet<String>,
    pub said: Vec<ClockReport>,
    pub(super) due: VecDeque<Due>,
    /// Contacts that will move, in order.
    pub moves: VecDeque<(u64, Contact, bool)>,
    /// By when they were to move: between which instants they did.
    pub(super) moved: BTreeMap<u64, (u64, u64)>,
    /// When power went, and until it is back.
    pub cut_at: Option<u64>,
    /// The control that a command asks for, until it is made as new.
    pub next_control: Option<TimeControl>,
    /// When the step before was done.
    base: u64,
}

impl<'a, 'l> Run<'a, 'l> {
    /// At a clock that was just set: `last` is the last it said.
    pub(crate) fn new(link: &'l mut Link<'a>, case: &'l Case, seed: u64, last: ClockReport) -> Self {
        let means = link.specimen.means();
        let mut history = History::new(case.control, means.cadence_ms, means.key.is_some());
        history.begin(last);
        let (tie, base) = (Tie::new(means.drift_ppm), link.specimen.now());
        let chance = Chance::new(seed, &case.name, &[]);
        Self {
            link,
            case,
            history,
            tie,
            chance,
            marks: Marks::new(),
            notes: BTreeSet::new(),
            said: Vec::new(),
            due: VecDeque::new(),
            moves: VecDeque::new(),
            moved: BTreeMap::new(),
            cut_at: None,
            next_control: None,
            base,
        }
    }

    pub(crate) fn now(&self) -> u64 {
        self.link.specimen.now()
    }

    /// Does all steps, and sees that nothing comes after them.
    pub(crate) fn all(&mut self) -> Result<(), Over> {
        let case = self.case;
        for step in &case.steps {
            self.step(step).map_err(|over| match over {
                Over::Failed(why) => Over::Failed(format!("`{}`: {why}", step.text)),
                over => over,
            })?;
        }
        let last = self.moves.back().map_or(0, |(at, ..)| *at);
        self.pass_until(last.max(self.now() + 300_000)).map_err(|over| match over {
            Over::Failed(why) => Over::Failed(format!("after its end: {why}")),
            over => over,
        })
    }

    fn step(&mut self, step: &Step) -> Result<(), Over> {
        let at = self.when(step)?;
        let cause = self.cause(step, at);
        let aimed = matches!(step.when, When::At(_));
        if aimed {
            // What falls by itself shortly before belongs to it.
            self.expect(step, cause)?;
        }
        self.pass_until(at)?;
        if !aimed {
            self.expect(step, cause)?;
        }
        self.base = self.act(at, step)?;
        self.pass_until(self.base)?;
        let means = self.link.specimen.means();
        // Often enough that what a clock says too early, while a contact bounces, is said.
        let (limit, slice) = (self.base + means.patience_us, if means.virtual_time { 3_000 } else { 20_000 });
        let person = means.hands == Hands::Person;
        while let Some(due) = self.due.iter().find(|due| !due.maybe()) {
            if self.now() >= limit {
                return Err(Over::Failed(format!("{} was expected, and did not come", self.named(due))));
            }
            self.pass_until(self.now() + slice)?;
        }
        if person {
            self.base = self.now();
        }
        Ok(())
    }

    fn when(&mut self, step: &Step) -> Result<u64, Over> {
        let now = self.now();
        let at = match &step.when {
            When::Next => now,
            When::After(least, most) => {
                let us = self.chance.between(least * 1_000, most * 1_000);
                self.base.saturating_add_signed(us)
            }
            When::At(expr) => self.aimed(expr)?,
        };
        if at < now && self.link.specimen.means().hands == Hands::Exact {
            return Err(Over::Failed(format!("it is {} us too late for this step", now - at)));
        }
        Ok(at.max(now))
    }

    /// What a number in a step comes to: marks, and `zero`, the uptime at which the running side has no time left.
    pub(crate) fn reckon(&self, expr: &Expr) -> Result<i64, Over> {
        let last = self.history.last().ok_or_else(|| Over::Failed("nothing was said yet".into()))?;
        let named = |name: &str| match name.split_once('.') {
            Some((mark, name)) => {
                let report = self.marks.get(mark).ok_or_else(|| format!("nothing was marked `{mark}`"))?;
                member::member(report, name).ok_or_else(|| format!("`{name}`?"))
            }
            None if name == "zero" => sums::zero(&self.history.control, last, false)
                .and_then(|zero| i64::try_from(zero).ok())
                .map(Value::Number)
                .ok_or_else(|| "nothing runs to zero".into()),
            None => Err(format!("nothing is called `{name}` here")),
        };
        match expr.value(&named).map_err(Over::Failed)? {
            Value::Number(number) => Ok(number),
            value => Err(Over::Failed(format!("{value} is no number"))),
        }
    }

    /// A time of the clock's own as test time.
    fn aimed(&self, expr: &Expr) -> Result<u64, Over> {
        let uptime = self.reckon(expr)?;
        let (at, off) = self.tie.test_time(uptime);
        if self.link.specimen.means().hands == Hands::Exact && off >= 500 {
            return Err(Over::Failed(
                "the clock's time is not known well enough to aim: calibrate first".into(),
            ));
        }
        Ok(u64::try_from(at).unwrap_or(0))
    }

    /// Expects what a step expects.
    fn expect(&mut self, step: &Step, mut cause: Option<Cause>) -> Result<(), Over> {
        for expect in &step.expects {
            match expect {
                Expect::Event { .. } => {
                    // A flag and a period come by themselves.
                    let alone = expect.is("flag") || expect.is("period");
                    let cause = if alone { None } else { cause.take() };
                    self.due.push_back(Due::Event { expect: expect.clone(), cause });
                }
                Expect::Again(again) => {
                    let due = self.again(again)?;
                    self.due.extend(due);
                }
            }
        }
        Ok(())
    }

    /// The power went: what might have come before comes no more.
    pub(crate) fn gone(&mut self) {
        self.due.retain(|due| !due.maybe());
    }

    /// An event at a contact, expected beside what a step says.
    pub(crate) fn expect_at(&mut self, event: &str, edge: u64) {
        let expects = Expect::parse_all(event).unwrap_or_default();
        self.due
            .extend(expects.into_iter().map(|expect| Due::Event { expect, cause: Some(Cause::Edge(edge)) }));
    }

    fn again(&self, again: &Again) -> Result<Vec<Due>, Over> {
        let marked = |mark: &String| {
            let report = self.marks.get(mark);
            report
                .map(|report| report.seq)
                .ok_or_else(|| Over::Failed(format!("nothing was marked `{mark}`")))
        };
        let from = |seq| self.history.events_from(seq).map(|report| report.seq).collect::<Vec<_>>();
        // All from there on; of those, so many at the end must come.
        let (seqs, must) = match again {
            Again::Mark(mark) => (vec![marked(mark)?], 1),
            Again::From(mark) => (from(marked(mark)?), usize::MAX),
            Again::Last(count) => {
                let mut seqs = from(0);
                (seqs.split_off(seqs.len().saturating_sub(*count)), usize::MAX)
            }
            Again::AtLeast(count) => (from(0), *count),
        };
        let may = seqs.len().saturating_sub(must);
        Ok(seqs.into_iter().enumerate().map(|(place, seq)| Due::Again { seq, maybe: place < may }).collect())
    }

    /// A contact that moved late moves late from then on: caught up with, a press would be a spark.
    fn put_off(&mut self, contact: Contact, late: u64) {
        if late > 0 {
            for (at, other, _) in &mut self.moves {
                *at += if *other == contact { late } else { 0 };
            }
            self.moves.make_contiguous().sort_by_key(|(at, ..)| *at);
        }
    }

    /// Lets time pass, moves contacts when they are due, and judges what comes.
    pub(crate) fn pass_until(&mut self, until: u64) -> Result<(), Over> {
        loop {
            let next = self.moves.front().map(|(at, ..)| *at).filter(|at| *at <= until);
            // Not all at once, so that a fault is told when it happens.
            let to = next.unwrap_or(until).min(self.now() + 1_000_000);
            for came in self.link.run_until(to)? {
                self.heard(came)?;
            }
            if next.is_some_and(|at| at <= self.now())
                && let Some((at, contact, down)) = self.moves.pop_front()
            {
                let before = self.now();
                self.link.specimen.hand(contact, down)?;
                // A machine may be late; that is its own affair where it is known by how much.
                let (first, _) = *self.moved.entry(at).or_insert((before, before));
                self.moved.insert(at, (first, self.now()));
                self.put_off(contact, before.saturating_sub(at));
            } else if self.now() >= until {
                return Ok(());
            }
        }
    }
}

/// As on the wire, for people.
pub(crate) fn text(report: &ClockReport) -> String {
    serde_json::to_string(report).unwrap_or_else(|_| format!("{report:?}"))
}
