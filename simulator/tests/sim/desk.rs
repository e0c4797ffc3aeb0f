//! A desk that grants everything and rules on nothing: enough to play a scenario without the daemon. It knows no
//! regulations, so it proves nothing about them.

use flagfall_clock::{Action, ClockCommand, ClockId, ClockReport, Side};
use flagfall_simulator::{Said, Scenario, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The scenarios beside the crates.
pub fn scenarios() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "toml"));
    files.sort();
    files
}

/// One of them.
pub fn scenario(name: &str) -> Scenario {
    let path =
        scenarios().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name)).unwrap();
    Scenario::load(&path).unwrap()
}

/// A scenario from its text.
pub fn written(rest: &str) -> Scenario {
    let head = "name = \"written\"\nbegin = \"2012-06-14T08:25:00+08:00\"\nfirst_round = \"5m\"\n";
    Scenario::parse("written", &format!("{head}{rest}")).unwrap()
}

/// The desk.
pub struct Desk {
    latest: BTreeMap<ClockId, ClockReport>,
    command: u32,
    pub asked: Vec<(u64, String, Value)>,
}

impl Desk {
    pub fn new() -> Self {
        Self { latest: BTreeMap::new(), command: 0, asked: Vec::new() }
    }

    fn send(&mut self, world: &mut World, at: u64, clock: ClockId, action: Action) {
        let Some(report) = self.latest.get(&clock) else { return };
        self.command += 1;
        let (boot, until_ms) = (report.boot, report.uptime_ms + 60_000);
        world.command(at, ClockCommand { clock, command: self.command, boot, until_ms, action });
    }

    fn carry_out(&mut self, world: &mut World, at: u64, method: &str, params: &Value) {
        let board = |params: &Value| params["board"].as_str().and_then(|board| board.parse::<u32>().ok());
        let clock = board(params).and_then(|board| world.scenario().clock_at(board));
        let all: Vec<_> = self.latest.keys().copied().collect();
        match (method, clock) {
            ("board.start", Some(clock)) => self.send(world, at, clock, Action::Start { side: Side::Left }),
            ("board.stop", Some(clock)) => self.send(world, at, clock, Action::Stop),
            ("board.resume", Some(clock)) => self.send(world, at, clock, Action::Resume),
            ("round.pause", _) => all.into_iter().for_each(|clock| self.send(world, at, clock, Action::Stop)),
            ("round.resume", _) => {
                all.into_iter().for_each(|clock| self.send(world, at, clock, Action::Resume))
            }
            _ => {}
        }
    }

    /// Plays a scenario to its end; `see` sees everything that is said.
    pub fn play(&mut self, world: &mut World, mut see: impl FnMut(&World, &Said)) {
        let mut said = Vec::new();
        while let Some(at) = world.next() {
            world.advance(at, &mut said);
            for word in said.drain(..) {
                see(world, &word);
                match word {
                    Said::Report { clock, report, .. } => {
                        self.latest.insert(clock, report);
                    }
                    Said::Ask { at, id, method, params } => {
                        self.carry_out(world, at, &method, &params);
                        world.answer(at, id, Ok(json!({})));
                        self.asked.push((at, method, params));
                    }
                    Said::Unplug { .. } | Said::Plug { .. } | Said::Dark { .. } | Said::Light { .. } => {}
                }
            }
        }
    }
}
