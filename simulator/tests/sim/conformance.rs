//! The suite of clock behaviour at the reference, and at clocks that are wrong on purpose.

mod bench;
mod falsified;
mod faults;
mod page;
mod program;

use flagfall_clock::{Encoding, Key};
use flagfall_simulator::conformance::{Case, Core, Options, Outcome, Specimen, Suite, Verdict};

fn core_key() -> Key {
    Key::new(&[7; 32]).unwrap()
}

fn core(encoding: Encoding, key: Option<Key>) -> Core {
    Core::new("A01".parse().unwrap(), encoding, key)
}

/// All cases at a specimen.
fn run(specimen: &mut dyn Specimen) -> Vec<Outcome> {
    let mut suite = Suite::open(specimen, Options::default()).unwrap();
    Case::all().unwrap().iter().map(|case| suite.run(case).unwrap()).collect()
}

fn told(outcomes: &[Outcome]) -> Vec<String> {
    let odd = outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Passed);
    odd.map(|outcome| format!("{}: {:?}", outcome.name, outcome.verdict)).collect()
}

/// Everything is tried but what is for clocks of another sort.
#[test]
fn the_reference_passes() {
    for (encoding, key) in [
        (Encoding::Json, None),
        (Encoding::Binary, None),
        (Encoding::Json, Some(core_key())),
        (Encoding::Binary, Some(core_key())),
    ] {
        let sealed = key.is_some();
        let odd = told(&run(&mut core(encoding, key)));
        let not_for_it = odd.iter().filter(|said| {
            !sealed && said.contains("it has no key")
                || encoding == Encoding::Binary && said.contains("it does not write JSON")
        });
        assert_eq!(not_for_it.count(), odd.len(), "{encoding:?}, sealed {sealed}:\n{}", odd.join("\n"));
    }
}

#[test]
fn what_is_said_in_either_encoding_is_the_same_and_so_is_a_second_run() {
    let said = |encoding| -> Vec<_> {
        run(&mut core(encoding, None))
            .into_iter()
            .filter(|o| o.name != "lines/unchecked")
            .map(|o| (o.name, o.said))
            .collect()
    };
    let json = said(Encoding::Json);
    assert_eq!(json, said(Encoding::Json));
    for (json, binary) in json.iter().zip(said(Encoding::Binary)) {
        assert_eq!(*json, binary);
    }
}
