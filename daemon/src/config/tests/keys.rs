//! The documentation names every key there is, and no key that is not.

use super::{CONTRACT, ENVIRONMENT};
use crate::config::load::parse;
use crate::config::page::{Findings, Page};
use crate::config::{Surroundings, regulations};
use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/configuration.md");
const REGULATIONS: &str = include_str!("../../../../docs/regulations-files.md");

/// Every key the reader asks for, with the tables it stands in. It asks for all keys of a table as soon as
/// there is one, so a file with one table of each kind brings all of them.
fn asked() -> BTreeSet<String> {
    let venue = CONTRACT.replacen("[[desk.user]]", "[desk.tls]\n[[desk.user]]", 1);
    let findings = Findings::default();
    let env =
        |name: &str| ENVIRONMENT.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
    let read = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    parse(
        Page { file: Path::new("venue.toml"), text: &venue, findings: &findings },
        Surroundings { env: &env, read: &read },
    );
    let mut keys = findings.asked.into_inner();
    for own in regulations::BESIDE {
        assert!(keys.remove(own), "{own} is asked of a file of regulations");
        assert!(REGULATIONS.contains(&format!("\n{own} = ")), "{own} is not documented");
    }
    keys
}

#[test]
fn the_documentation_names_every_key_and_no_other() {
    let documented: BTreeSet<String> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(key, _)| key.to_owned())
        .collect();
    let asked = asked();
    let missing: Vec<_> = asked.difference(&documented).collect();
    let invented: Vec<_> = documented.difference(&asked).collect();
    assert!(missing.is_empty() && invented.is_empty(), "missing: {missing:?}, invented: {invented:?}");
}

#[test]
fn the_documentation_names_every_set_that_is_built_in() {
    for set in flagfall_rules::PROFILES {
        assert!(REGULATIONS.contains(&format!("`{}`", set.name)), "{} is not documented", set.name);
    }
}
