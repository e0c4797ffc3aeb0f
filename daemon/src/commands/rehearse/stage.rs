//! Hall and world, face to face, in virtual time; and the hall gone while the house has no power.

use super::book::Book;
use crate::cli::{Exit, Failure};
use flagfall_arbiter::{Ask, Refused, Role, Wall};
use flagfall_clock::ClockId;
use flagfall_hall::{AskId, Hall, Heard, LineId, Out};
use flagfall_rules::{Setup, Venue, Who};
use flagfall_simulator::{Said, World};
use std::collections::BTreeMap;

/// Turns at one instant without time going on: more and somebody talks in circles.
const MOST_TURNS: u32 = 1_000_000;
/// What a disk has not taken yet when its power goes, in milliseconds. Nothing of it was told.
const UNWRITTEN_MS: u64 = 20;

pub(super) struct Stage {
    /// None while the house has no power.
    hall: Option<Hall>,
    setup: Setup,
    world: World,
    book: Book,
    out: Out,
    lines: BTreeMap<ClockId, LineId>,
    asked: BTreeMap<u64, u64>,
    next_ask: u64,
    /// When the power goes next; what is decided shortly before is never written.
    dark_at: Option<u64>,
}

impl Stage {
    /// A hall with a new journal, before anybody came in.
    pub(super) fn new(setup: Setup, world: World, book: Book) -> Result<Self, Failure> {
        let lines = world.clocks().enumerate().map(|(n, clock)| (clock.id(), LineId(n as u32 + 1))).collect();
        let mut stage = Self {
            hall: None,
            setup: setup.clone(),
            dark_at: world.next_blackout(),
            world,
            book,
            out: Out::default(),
            lines,
            asked: BTreeMap::new(),
            next_ask: 0,
        };
        let mut hall = Hall::new(setup.clone());
        hall.begin(Venue(0), setup, stage.wall(0), &mut stage.out);
        stage.hall = Some(hall);
        stage.follow(0)?;
        Ok(stage)
    }

    /// The wall's time so many milliseconds after the beginning.
    fn wall(&self, at: u64) -> Wall {
        self.world.scenario().begin.after(at)
    }

    /// Plays to the end.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let mut said = Vec::new();
        let (mut last, mut turns) = (0, 0);
        while let Some(next) = self.world.next() {
            let due = self.hall.as_ref().and_then(Hall::next_deadline).map(|at| at.0);
            let now = due.map_or(next, |due| due.min(next)).max(last);
            turns = if now == last { turns + 1 } else { 0 };
            if turns > MOST_TURNS {
                let message = format!("the rehearsal does not get past {now} ms");
                return Err(Failure::new(Exit::Failed, message));
            }
            last = now;
            if due.is_some_and(|due| due <= now) && next > now {
                self.hear(now, Heard::Time)?;
                continue;
            }
            self.world.advance(now, &mut said);
            for said in said.drain(..) {
                let at = said.at().max(last);
                match said {
                    Said::Dark { .. } => self.lose_power(at),
                    Said::Light { .. } => self.come_back(at)?,
                    said => {
                        if let Some(heard) = self.heard(said) {
                            self.hear(at, heard)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn hear(&mut self, at: u64, heard: Heard) -> Result<(), Failure> {
        if let Some(hall) = &mut self.hall {
            hall.handle(Venue(at), heard, &mut self.out);
        }
        self.follow(at)
    }

    fn line(&self, clock: ClockId) -> LineId {
        self.lines.get(&clock).copied().unwrap_or(LineId(0))
    }

    fn heard(&mut self, said: Said) -> Option<Heard> {
        Some(match said {
            Said::Report { clock, report, .. } => {
                Heard::Report { line: self.line(clock), report, sealed: false }
            }
            Said::Unplug { clock, cause, .. } => {
                Heard::LineDown { line: self.line(clock), cause: cause.into() }
            }
            Said::Plug { clock, .. } => Heard::LineUp { line: self.line(clock), name: clock.to_string() },
            Said::Ask { at, id, method, params } => {
                self.next_ask += 1;
                match Ask::parse(&method, Some(params)) {
                    Ok(ask) => {
                        self.asked.insert(self.next_ask, id);
                        let who = Who { name: "chief".into(), role: Role::Chief };
                        Heard::Ask { id: AskId(self.next_ask), who, ask }
                    }
                    Err(error) => {
                        self.world.answer(at, id, Err(Refused::new(Refused::PARAMS, error.to_string())));
                        return None;
                    }
                }
            }
            Said::Dark { .. } | Said::Light { .. } => return None,
        })
    }

    /// Records first; then what rests on them.
    fn follow(&mut self, at: u64) -> Result<(), Failure> {
        if self.dark_at.is_some_and(|dark| at + UNWRITTEN_MS > dark) {
            self.out = Out::default();
            return Ok(());
        }
        let out = &mut self.out;
        for record in out.records.drain(..) {
            self.book.write(record)?;
        }
        for event in out.tell.drain(..) {
            self.world.hear(at, &event);
        }
        for send in out.urgent.drain(..).chain(out.send.drain(..)) {
            self.world.command(at, send.command);
        }
        for (id, answer) in out.answers.drain(..) {
            if let Some(asked) = self.asked.remove(&id.0) {
                self.world.answer(at, asked, answer);
            }
        }
        Ok(())
    }

    /// The power goes: the hall is gone, and with it whatever was not written.
    fn lose_power(&mut self, at: u64) {
        self.hall = None;
        self.out = Out::default();
        self.asked.clear();
        self.dark_at = Some(at);
    }

    /// The power is back: the hall is what its journal says, as after any other end of the program.
    fn come_back(&mut self, at: u64) -> Result<(), Failure> {
        self.dark_at = self.world.next_blackout();
        let (mut hall, last) = self.book.as_left()?;
        let (venue, wall) = (Venue(at), self.wall(at));
        let unobserved_ms = u64::try_from(venue.since(last)).unwrap_or(0);
        hall.resume(venue, self.setup.clone(), wall, unobserved_ms, &mut self.out);
        self.hall = Some(hall);
        self.follow(at)?;
        for (clock, line) in self.lines.clone() {
            self.hear(at, Heard::LineUp { line, name: clock.to_string() })?;
        }
        Ok(())
    }

    /// The world as it was left, how many events were told, and how many records written.
    pub(super) fn end(mut self) -> Result<(World, u64, u64), Failure> {
        let head = match &self.hall {
            Some(hall) => hall.rules().head(),
            None => self.book.as_left()?.0.rules().head(),
        };
        let records = self.book.close()?;
        Ok((self.world, head, records))
    }
}
