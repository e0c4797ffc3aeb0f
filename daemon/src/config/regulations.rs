//! The regulations in force: built in, then a file, then `[regulations]`; and where each value comes from.

use super::Surroundings;
use super::load::text_of;
use super::page::{Page, Section, Written, listed, nearest};
use flagfall_rules::{Overrides, Regulations};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};

/// The regulations that need no file.
pub(super) const BUILT_IN: &str = "wugong-2012";

/// Where a value of the regulations stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// The regulations, layer upon layer. A layer's wrong values are left out and named.
pub(super) fn read(
    root: &Section<'_>,
    named: Option<&Written<String>>,
    around: Surroundings<'_>,
) -> (Regulations, BTreeMap<String, Origin>) {
    let mut layers = Layers { regulations: Regulations::default(), origins: BTreeMap::new() };
    if let Some(named) = named.filter(|named| named.value != BUILT_IN) {
        file(&mut layers, root.page, named, around);
    }
    if let Some(section) = root.section("regulations") {
        layers.take(&section, &[]);
    }
    for doubt in layers.regulations.doubts() {
        // each begins with the key that looks wrong
        let (key, rest) = doubt.split_once(' ').unwrap_or(("", &doubt));
        let place = layers.origins.get(key);
        let page = Page { file: place.map_or(root.page.file, |origin| &origin.file), ..root.page };
        page.doubt(place.map(|origin| origin.line), &format!("regulations.{key}"), rest);
    }
    (layers.regulations, layers.origins)
}

struct Layers {
    regulations: Regulations,
    origins: BTreeMap<String, Origin>,
}

impl Layers {
    /// Takes each value of a table that can be, and names those that cannot.
    fn take(&mut self, section: &Section<'_>, beside: &[&str]) {
        let known: Vec<&'static str> =
            Regulations::default().values().iter().map(|value| value.key).collect();
        for (key, value) in section.entries().filter(|(key, _)| !beside.contains(key)) {
            if !known.contains(&key) {
                let message = match nearest(key, known.iter().copied()) {
                    Some(word) => format!("unknown key; did you mean `{word}`?"),
                    None => format!("unknown key; the regulations know: {}", listed(&known)),
                };
                section.fault(key, message);
                continue;
            }
            if let DeValue::Table(times) = value.get_ref() {
                let keys = ["base_ms", "increment_ms"];
                let unknown = times.keys().find(|key| !keys.contains(&key.get_ref().as_ref()));
                if let Some(unknown) = unknown {
                    let message =
                        format!("unknown key `{}`; known here: {}", unknown.get_ref(), listed(&keys));
                    section.fault(key, message);
                    continue;
                }
            }
            // one key at a time, so that one wrong value hides no other
            let mut one = DeTable::new();
            one.insert(toml::Spanned::new(0..0, key.into()), value.clone());
            let over =
                serde::Deserialize::deserialize(toml::de::Deserializer::from(toml::Spanned::new(0..0, one)));
            match over.map(|over: Overrides| self.regulations.clone().with(over)) {
                Ok(Ok(next)) => {
                    self.regulations = next;
                    let line = section.page.line(value.span().start);
                    self.origins.insert(key.to_owned(), Origin { file: section.page.file.to_owned(), line });
                }
                Ok(Err(range)) => section.fault(key, range),
                Err(error) => section.fault(key, error.message()),
            }
        }
    }
}

/// The layer between: a file of its own, its keys at the top.
fn file(layers: &mut Layers, page: Page<'_>, named: &Written<String>, around: Surroundings<'_>) {
    let path = page.beside(&named.value);
    let bytes = match (around.read)(&path) {
        Ok(bytes) => bytes,
        Err(cause) => {
            let what = format!("`{}` is neither built in (`{BUILT_IN}`) nor a file", named.value);
            return page.fault(named.line, &named.key, format!("{what}: {}: {cause}", path.display()));
        }
    };
    let text = match text_of(&bytes) {
        Ok(text) => text,
        Err(what) => return page.fault(named.line, &named.key, format!("{} {what}", path.display())),
    };
    let own = Page { file: &path, text, findings: page.findings };
    if let Some(root) = own.root() {
        let root = Section::root(own, root.get_ref());
        if let Some(based_on) = root.choice("based_on", &[(BUILT_IN, BUILT_IN)]) {
            debug_assert_eq!(based_on, BUILT_IN);
        }
        let _title = root.name("name");
        layers.take(&root, &["name", "based_on"]);
    }
}
