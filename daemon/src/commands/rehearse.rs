//! `flagfall rehearse`: a scenario in virtual time. Hall, rules and journal are the real ones, configured through
//! the real venue file; only the lines and the wall are left out, and the journal does not wait for the disk. In a
//! blackout the hall is gone, and comes back from its journal as `serve` does.

mod book;
mod stage;

use crate::cli::{Exit, Failure, RehearseArgs};
use crate::config::{Config, Surroundings};
use book::Book;
use flagfall_simulator::{ClockLinks, Links, Scenario, User, World};
use stage::Stage;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

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
        played.head,
        played.records,
    )?;
    Ok(if well { Exit::Well } else { Exit::Failed })
}

/// A scenario played to its end.
pub(crate) struct Played {
    pub world: World,
    /// Events told.
    pub head: u64,
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
    let mut stage = Stage::new(config.setup, world, Book::open(file)?)?;
    stage.run()?;
    let (world, head, records) = stage.end()?;
    Ok(Played { world, head, records })
}
