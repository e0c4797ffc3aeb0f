//! The regulations in force, layer upon layer: built in, what a file is based on, the file, `[regulations]` of the
//! venue file; and where each value comes from.

mod layers;
mod sets;
mod value;

use super::Surroundings;
use super::page::{Page, Section, Written};
use flagfall_rules::{BASE, BuiltIn, Regulations, Remark};
use layers::Layers;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

#[cfg(test)]
pub(super) use sets::BESIDE;
pub(crate) use sets::built_in;

/// Where a value of the regulations stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a set that is built in.
    BuiltIn(&'static str),
    /// In a file.
    File {
        /// Which.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => write!(f, "{name} (built in)"),
            Self::File { file, line } => write!(f, "{}:{line}", file.display()),
        }
    }
}

/// The regulations. What is wrong in a layer is left out and named.
pub(super) fn read(
    root: &Section<'_>,
    named: Option<&Written<String>>,
    around: Surroundings<'_>,
) -> (Regulations, BTreeMap<String, Origin>) {
    let faults = || root.page.findings.faults.borrow().len();
    let before = faults();
    let mut layers = Layers::default();
    let base = Written { value: BASE.to_owned(), line: root.line, key: "event.regulations".to_owned() };
    let named = named.unwrap_or(&base);
    layers.regulations.profile.name = sets::read(&mut layers, root.page, named, around);
    let set = layers.regulations.clone();
    if let Some(section) = root.section("regulations") {
        layers.begin();
        layers.take(&section, &[], None);
    }
    let all = set.values();
    let changed = all.iter().map(|value| value.key).filter(|key| set.get(key) != layers.regulations.get(key));
    layers.regulations.profile.changed = changed.map(ToOwned::to_owned).collect();
    // where values are missing, what is left contradicts itself for no reason of its author's
    if faults() == before {
        for remark in layers.regulations.contradictions() {
            let (page, line, key) = place(&layers, root.page, named, &remark);
            page.fault(line, &key, remark.text);
        }
    }
    for remark in layers.regulations.doubts() {
        let (page, line, key) = place(&layers, root.page, named, &remark);
        page.doubt(line, &key, remark.text);
    }
    (layers.regulations, layers.origins)
}

/// Where to look for what is wrong with several values: the uppermost of them, called by the first.
fn place<'p>(
    layers: &'p Layers,
    venue: Page<'p>,
    named: &Written<String>,
    remark: &Remark,
) -> (Page<'p>, usize, String) {
    let first = remark.keys.first().copied().unwrap_or_default();
    match layers.uppermost(&remark.keys) {
        Some(Origin::File { file, line }) if file == venue.file => {
            (venue, *line, format!("regulations.{first}"))
        }
        Some(Origin::File { file, line }) => (Page { file, ..venue }, *line, first.to_owned()),
        Some(Origin::BuiltIn(_)) | None => (venue, named.line, format!("regulations.{first}")),
    }
}

/// The names of all sets that are built in.
fn names() -> Vec<&'static str> {
    flagfall_rules::PROFILES.iter().map(|BuiltIn { name, .. }| *name).collect()
}
