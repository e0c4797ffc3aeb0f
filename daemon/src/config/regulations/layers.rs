//! Values laid over values, each with its place.

use super::Origin;
use super::value::{Given, Taken};
use crate::config::page::Section;
use crate::config::words::{listed, nearest};
use flagfall_rules::{Regulations, Value};
use std::collections::BTreeMap;

/// The layers so far.
pub(super) struct Layers {
    pub regulations: Regulations,
    /// By key, or by key and key in it where the value is a table.
    pub origins: BTreeMap<String, Origin>,
    /// In which layer a key was said last.
    said: BTreeMap<&'static str, usize>,
    layer: usize,
    known: Vec<Value>,
}

impl Default for Layers {
    fn default() -> Self {
        let regulations = Regulations::default();
        let known = regulations.values();
        Self { regulations, origins: BTreeMap::new(), said: BTreeMap::new(), layer: 0, known }
    }
}

impl Layers {
    /// The next layer begins.
    pub fn begin(&mut self) {
        self.layer += 1;
    }

    /// Takes each value of a table that can be, and names those that cannot. `built_in` is the set's name where the
    /// table is one of ours.
    pub fn take(&mut self, section: &Section<'_>, beside: &[&str], built_in: Option<&'static str>) {
        for (key, found) in section.entries().filter(|(key, _)| !beside.contains(key)) {
            let Some(known) = self.known.iter().find(|known| known.key == key) else {
                let words: Vec<&str> =
                    self.known.iter().map(|known| known.key).chain(beside.iter().copied()).collect();
                let message = match nearest(key, words) {
                    Some(word) => format!("unknown key; did you mean `{word}`?"),
                    None => {
                        let known: Vec<&str> = self.known.iter().map(|known| known.key).collect();
                        format!("unknown key; the regulations know: {}", listed(&known))
                    }
                };
                section.fault(key, message);
                continue;
            };
            let under = self.regulations.get(known.key).unwrap_or_default();
            let given = Given { page: section.page, name: section.key(key), found };
            let Some(taken) = given.read(&known.shape, &under) else { continue };
            let key = known.key;
            match self.regulations.set(key, &taken.value) {
                Ok(()) => self.note(key, &under, taken, |line| match built_in {
                    Some(name) => Origin::BuiltIn(name),
                    None => Origin::File { file: section.page.file.to_owned(), line },
                }),
                Err(error) => section.fault(key, error),
            }
        }
    }

    fn note(
        &mut self,
        key: &'static str,
        under: &serde_json::Value,
        taken: Taken,
        origin: impl Fn(usize) -> Origin,
    ) {
        self.said.insert(key, self.layer);
        if !(under.is_object() && taken.value.is_object()) {
            // nothing of the lower layer's value is left
            self.origins.retain(|name, _| name.split('.').next() != Some(key));
        }
        for (part, line) in taken.lines {
            let name = if part.is_empty() { key.to_owned() } else { format!("{key}.{part}") };
            self.origins.insert(name, origin(line));
        }
    }

    /// Where the one of these values stands that was said last; of several, the first's.
    pub fn uppermost(&self, keys: &[&'static str]) -> Option<&Origin> {
        let layer = |key: &str| self.said.get(key).copied();
        let last = keys.iter().filter_map(|key| layer(key)).max()?;
        let key = keys.iter().find(|key| layer(key) == Some(last))?;
        let own = |name: &str| name.split('.').next() == Some(key);
        let places = self.origins.iter().filter(|(name, _)| own(name)).map(|(_, place)| place);
        // of a table, the part that a file says; what is built in says it of all parts
        places.max_by_key(|place| matches!(place, Origin::File { .. }))
    }
}
