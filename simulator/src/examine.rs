//! `flagfall-sim conformance`: a clock is examined, case by case.

use crate::cli::Conformance;
use crate::{FAILED, IO, Trouble, UNAVAILABLE, USAGE};
use flagfall_clock::{ClockId, Encoding, Key};
use flagfall_simulator::conformance::{
    Case, Core, Options, Port, PortOptions, Specimen, SpecimenError, Suite, Summary,
};
use std::path::Path;
use std::process::ExitCode;

impl From<SpecimenError> for Trouble {
    fn from(error: SpecimenError) -> Self {
        Self(UNAVAILABLE, error.to_string())
    }
}

/// Runs the cases that are asked for.
pub(crate) fn examine(asked: &Conformance) -> Result<ExitCode, Trouble> {
    let mut cases = Case::all().map_err(|why| Trouble(USAGE, why))?;
    if !asked.only.is_empty() {
        cases.retain(|case| asked.only.iter().any(|pattern| case.name.contains(pattern)));
    }
    if cases.is_empty() {
        return Err(Trouble(USAGE, format!("no case is called {}", asked.only.join(" or "))));
    }
    if asked.examined.list {
        for case in &cases {
            println!("{}", case.line(asked.json));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let key = asked.key_file.as_deref().map(key).transpose()?;
    let encoding = asked.encoding.map(Encoding::from);
    let mut specimen: Box<dyn Specimen> = match &asked.examined.port {
        Some(line) => Box::new(Port::open(PortOptions {
            line: line.clone(),
            baud: asked.baud,
            hands: asked.hands.clone(),
            without: asked.without.clone(),
            exact_ms: asked.exact,
            clock: asked.clock,
            key,
            memory: !asked.no_memory,
            both_encodings: asked.both_encodings,
        })?),
        None => Box::new(Core::new(name(asked.clock)?, encoding.unwrap_or_default(), key)),
    };
    let options = Options { writes: encoding, all: asked.all };
    let mut suite = Suite::open(&mut *specimen, options)?;
    if let Some(game) = suite.game().filter(|_| !asked.yes) {
        return Err(Trouble(
            UNAVAILABLE,
            format!("the clock has a game ({game}) that would be lost; --yes loses it"),
        ));
    }
    let mut summary = Summary::default();
    for case in &cases {
        let outcome = suite.run(case)?;
        summary.count(&outcome);
        println!("{}", outcome.line(asked.json));
    }
    println!("{}", summary.line(asked.json));
    if asked.examined.port.is_some() {
        eprintln!("switch the clock off and on before its next game: its commands have high numbers now");
    }
    Ok(if summary.is_well() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn name(said: Option<ClockId>) -> Result<ClockId, Trouble> {
    said.map_or_else(|| "A01".parse().map_err(|_| Trouble(USAGE, "no name".into())), Ok)
}

fn key(path: &Path) -> Result<Key, Trouble> {
    let text =
        std::fs::read_to_string(path).map_err(|why| Trouble(IO, format!("{}: {why}", path.display())))?;
    text.trim().parse().map_err(|why| Trouble(USAGE, format!("{}: {why}", path.display())))
}
