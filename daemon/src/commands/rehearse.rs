//! `flagfall rehearse`: a scenario in virtual time. Hall, rules and journal are the real ones, configured through
//! the real venue file; only the lines and the wall are left out, and the journal does not wait for the disk.

use crate::cli::{Exit, Failure, RehearseArgs};
use crate::config::{Config, Surroundings};
use flagfall_arbiter::{Ask, Refused, Role, Wall};
use flagfall_hall::{AskId, Hall, Heard, LineId, Out};
use flagfall_journal::{Broken, Durability, Journal, NewRecord, Options};
use flagfall_rules::{Venue, Who};
use flagfall_simulator::{ClockLinks, Links, Said, Scenario, User, World};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Records written in one transaction.
const BATCH: usize = 4_096;
/// Turns at one instant without time going on: more and somebody talks in circles.
const MOST_TURNS: u32 = 1_000_000;

pub(crate) fn rehearse(args: &RehearseArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let scenario = Scenario::load(&args.scenario).map_err(|error| Failure::new(Exit::Usage, error))?;
    let seed = args.seed.unwrap_or(scenario.seed);
    let begun = Instant::now();
    let played = play(&scenario, seed, args.journal.as_deref())?;
    for line in played.world.rulings() {
        writeln!(out, "{line}")?;
    }
    let findings = played.world.verdict();
    let mut well = true;
    for finding in &findings {
        writeln!(out, "{finding}")?;
        well &= finding.holds;
    }
    let virtual_s = played.world.now() / 1_000;
    writeln!(
        out,
        "{}: seed {seed}, {} boards, {} rounds, {}:{:02}:{:02} in {:.1} s; {} events, {} records",
        scenario.name,
        scenario.boards,
        scenario.rounds,
        virtual_s / 3_600,
        virtual_s / 60 % 60,
        virtual_s % 60,
        begun.elapsed().as_secs_f32(),
        played.hall.rules().head(),
        played.records,
    )?;
    Ok(if well { Exit::Well } else { Exit::Failed })
}

/// A scenario played to its end.
pub(crate) struct Played {
    pub world: World,
    pub hall: Hall,
    pub records: u64,
}

/// The configuration of a scenario's hall, read from its own venue file.
pub(crate) fn configured(scenario: &Scenario, links: &Links) -> Result<Config, Failure> {
    let text = scenario.venue_toml(links);
    let path = PathBuf::from(format!("{} (venue file)", scenario.name));
    let read = |file: &Path| if file == path { Ok(text.clone().into_bytes()) } else { std::fs::read(file) };
    Ok(Config::load_from(&path, Surroundings { env: &|_| None, read: &read })?)
}

fn play(scenario: &Scenario, seed: u64, file: Option<&Path>) -> Result<Played, Failure> {
    let links = Links {
        clocks: ClockLinks::None,
        journal: file.map_or_else(|| PathBuf::from("rehearsal.journal"), Path::to_owned),
        listen: "127.0.0.1:0".into(),
        users: vec![User { name: "chief".into(), role: "chief".into(), token_sha256: "0".repeat(64) }],
    };
    let config = configured(scenario, &links)?;
    let world = World::new(scenario, seed).map_err(|error| Failure::new(Exit::Usage, error))?;
    let wall = Wall(scenario.begin.after(0).0);
    let mut stage = Stage::new(Hall::new(config.setup.clone()), world, Book::open(file)?);
    stage.hall.begin(Venue(0), config.setup, wall, &mut stage.out);
    stage.follow(0)?;
    stage.run()?;
    let records = stage.book.close()?;
    Ok(Played { world: stage.world, hall: stage.hall, records })
}

/// Hall and world, face to face.
struct Stage {
    hall: Hall,
    world: World,
    book: Book,
    out: Out,
    lines: BTreeMap<flagfall_clock::ClockId, LineId>,
    asked: BTreeMap<u64, u64>,
    next_ask: u64,
}

impl Stage {
    fn new(hall: Hall, world: World, book: Book) -> Self {
        let lines = world.clocks().enumerate().map(|(n, clock)| (clock.id(), LineId(n as u32 + 1))).collect();
        Self { hall, world, book, out: Out::default(), lines, asked: BTreeMap::new(), next_ask: 0 }
    }

    fn run(&mut self) -> Result<(), Failure> {
        let mut said = Vec::new();
        let (mut last, mut turns) = (0, 0);
        while let Some(next) = self.world.next() {
            let due = self.hall.next_deadline().map(|at| at.0);
            let now = due.map_or(next, |due| due.min(next)).max(last);
            turns = if now == last { turns + 1 } else { 0 };
            if turns > MOST_TURNS {
                let message = format!("the rehearsal does not get past {now} ms");
                return Err(Failure::new(Exit::Failed, message));
            }
            last = now;
            if due.is_some_and(|due| due <= now) && next > now {
                self.hall.handle(Venue(now), Heard::Time, &mut self.out);
                self.follow(now)?;
                continue;
            }
            self.world.advance(now, &mut said);
            for said in said.drain(..) {
                let at = said.at().max(last);
                if let Some(heard) = self.heard(said) {
                    self.hall.handle(Venue(at), heard, &mut self.out);
                    self.follow(at)?;
                }
            }
        }
        Ok(())
    }

    fn line(&self, clock: flagfall_clock::ClockId) -> LineId {
        self.lines.get(&clock).copied().unwrap_or(LineId(0))
    }

    fn heard(&mut self, said: Said) -> Option<Heard> {
        Some(match said {
            Said::Report { clock, report, .. } => {
                Heard::Report { line: self.line(clock), report, sealed: false }
            }
            Said::Unplug { clock, .. } => {
                Heard::LineDown { line: self.line(clock), cause: "unplugged".into() }
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
        })
    }

    /// Records first; then what rests on them.
    fn follow(&mut self, at: u64) -> Result<(), Failure> {
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
}

/// The journal of a rehearsal: whole and verifiable, without waiting for the disk.
struct Book {
    journal: Journal,
    batch: Vec<NewRecord>,
    records: u64,
}

impl Book {
    fn open(file: Option<&Path>) -> Result<Self, Failure> {
        let begin =
            serde_json::json!({ "rehearsal": true, "version": env!("CARGO_PKG_VERSION") }).to_string();
        let journal = match file {
            Some(file) => {
                let options =
                    Options { durability: Durability::None, broken: Broken::Refuse, ..Options::default() };
                Journal::create(file, &begin, options).map(|(journal, _)| journal)
            }
            None => Journal::in_memory(&begin),
        };
        let journal = journal.map_err(|error| Failure::new(Exit::Io, error))?;
        Ok(Self { journal, batch: Vec::with_capacity(BATCH), records: 0 })
    }

    fn write(&mut self, record: flagfall_hall::Record) -> Result<(), Failure> {
        self.records += 1;
        let kind = record.kind.parse().map_err(|error| Failure::new(Exit::Failed, error))?;
        self.batch.push(NewRecord { at_ms: record.at.0, kind, seq: record.seq, body: record.body });
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.journal.append(&self.batch).map_err(|error| Failure::new(Exit::Io, error))?;
        self.batch.clear();
        Ok(())
    }

    fn close(&mut self) -> Result<u64, Failure> {
        self.flush()?;
        Ok(self.records)
    }
}
