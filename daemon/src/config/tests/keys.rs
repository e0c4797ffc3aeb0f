//! The documentation names every key there is, and no key that is not.

use super::{CONTRACT, ENVIRONMENT};
use crate::config::load::parse;
use crate::config::page::{Findings, Page};
use crate::config::{Surroundings, regulations};
use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/configuration.md");

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
    for value in flagfall_rules::Regulations::default().values() {
        keys.insert(format!("regulations.{}", value.key));
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
fn the_documentation_gives_the_defaults_of_the_regulations() {
    for value in flagfall_rules::Regulations::default().values() {
        let row =
            PAGE.lines().find(|line| line.starts_with(&format!("| `regulations.{}`", value.key))).unwrap();
        for part in [value.article, value.meaning, value.default.as_str()] {
            assert!(row.contains(part), "{}: {part} is not in {row}", value.key);
        }
    }
    assert!(PAGE.contains(regulations::BUILT_IN));
}
