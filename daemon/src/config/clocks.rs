//! `[[clock]]` and `keys_file`: clocks known by name, and the keys of those that must seal.

use super::Surroundings;
use super::links::variable;
use super::load::text_of;
use super::page::{Page, Section};
use flagfall_clock::{ClockId, Key};
use std::collections::BTreeMap;

/// A clock's id under a key.
pub(super) fn id(section: &Section<'_>, key: &'static str) -> Option<ClockId> {
    let text = section.text(key)?.value;
    text.parse().inspect_err(|error| section.fault(key, format!("`{text}`: {error}"))).ok()
}

/// The clocks named by themselves, and all keys.
pub(super) fn read(root: &Section<'_>, around: Surroundings<'_>) -> (Vec<ClockId>, BTreeMap<ClockId, Key>) {
    let mut keys = root.name("keys_file").map_or_else(BTreeMap::new, |file| {
        let path = root.page.beside(&file.value);
        match (around.read)(&path) {
            Ok(bytes) => match text_of(&bytes) {
                Ok(text) => keys_of(Page { file: &path, text, findings: root.page.findings }),
                Err(what) => {
                    root.fault("keys_file", format!("{} {what}", path.display()));
                    BTreeMap::new()
                }
            },
            Err(cause) => {
                root.fault("keys_file", format!("{} cannot be read: {cause}", path.display()));
                BTreeMap::new()
            }
        }
    });
    let mut clocks = Vec::new();
    let mut lines = BTreeMap::new();
    for section in root.sections("clock") {
        let clock = section.needed("id", "\"A01\"", id(&section, "id"));
        let key = variable(&section, "key_env", around).and_then(|text| {
            let key = text.parse::<Key>();
            // the key itself is not for the screen
            key.inspect_err(|error| section.fault("key_env", format!("the variable holds no key: {error}")))
                .ok()
        });
        if let Some(clock) = clock {
            if let Some(first) = lines.insert(clock, section.line) {
                section.fault("id", format!("clock {clock} is there twice, first in line {first}"));
            }
            if let Some(key) = key
                && keys.insert(clock, key).is_some()
            {
                section.fault("key_env", format!("clock {clock} has a key in `keys_file` already"));
            }
            clocks.push(clock);
        }
        section.end();
    }
    (clocks, keys)
}

/// A file of keys: `A01 = "hex digits"` a line.
fn keys_of(page: Page<'_>) -> BTreeMap<ClockId, Key> {
    let mut keys = BTreeMap::new();
    let Some(root) = page.root() else { return keys };
    let root = Section::root(page, root.get_ref());
    for (name, value) in root.entries() {
        let clock = name.parse::<ClockId>();
        let key = value.get_ref().as_str().map(str::parse::<Key>);
        match (clock, key) {
            (Ok(clock), Some(Ok(key))) => drop(keys.insert(clock, key)),
            (Err(error), _) => root.fault(name, format!("{error}; write one with a dot as `\"A.1\" = ...`")),
            (_, Some(Err(error))) => root.fault(name, error),
            (_, None) => root.fault(name, "a key is text in quotes: 32 to 128 hex digits"),
        }
    }
    keys
}
