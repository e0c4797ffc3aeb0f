//! The suite of clock behaviour at the reference, and at clocks that are wrong on purpose.

use flagfall_clock::{Encoding, Key};
use flagfall_simulator::conformance::{Case, Core, Options, Outcome, Specimen, Suite, Verdict};

fn core(encoding: Encoding, key: Option<&[u8]>) -> Core {
    Core::new("A01".parse().unwrap(), encoding, key.map(|key| Key::new(key).unwrap()))
}

/// All cases at a specimen.
fn run(specimen: &mut dyn Specimen) -> Vec<Outcome> {
    let mut suite = Suite::open(specimen, Options::default()).unwrap();
    Case::all().unwrap().iter().map(|case| suite.run(case).unwrap()).collect()
}

fn failures(outcomes: &[Outcome]) -> Vec<String> {
    let failed = |outcome: &Outcome| match &outcome.verdict {
        Verdict::Failed(why) => Some(format!("{}: {why}", outcome.name)),
        _ => None,
    };
    outcomes.iter().filter_map(failed).collect()
}

#[test]
fn the_reference_passes() {
    let outcomes = run(&mut core(Encoding::Json, None));
    let failed = failures(&outcomes);
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), outcomes.len(), failed.join("\n"));
}
