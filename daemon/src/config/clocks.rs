//! `[[clock]]` and `keys_file`: clocks known by name, and the keys of those that must seal.
//!
//! A key itself never stands in what is said of it.

use super::Surroundings;
use super::links::variable;
use super::load::text_of;
use super::page::{Page, Section};
use flagfall_clock::{ClockId, Key};
use flagfall_rules::pairing::nearest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A clock's id under a key.
pub(super) fn id(section: &Section<'_>, key: &'static str) -> Option<ClockId> {
    let text = section.text(key)?.value;
    text.parse().inspect_err(|error| section.fault(key, format!("`{text}`: {error}"))).ok()
}

/// The clocks named by themselves, and all keys.
#[derive(Default)]
pub(super) struct Clocks {
    pub named: Vec<ClockId>,
    pub keys: BTreeMap<ClockId, Key>,
    /// The file of keys, with the line of each.
    file: PathBuf,
    lines: Vec<(ClockId, usize)>,
}

impl Clocks {
    /// Names each key of the file whose clock nothing else names: a spare clock, or a slip of the pen that
    /// would leave a clock without its key.
    pub(super) fn strays(&self, page: Page<'_>, placed: &BTreeSet<ClockId>) {
        let of_file = Page { file: &self.file, ..page };
        for (clock, line) in &self.lines {
            if placed.contains(clock) || self.named.contains(clock) {
                continue;
            }
            // a clock that has its key is not the one that was meant
            let bare = placed.iter().filter(|clock| !self.keys.contains_key(clock));
            let names: Vec<String> = bare.map(ToString::to_string).collect();
            let near = nearest(&clock.to_string(), names.iter().map(String::as_str))
                .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
            of_file.doubt(
                *line,
                &clock.to_string(),
                format!("no table, board or [[clock]] has this clock{near}"),
            );
        }
    }
}

/// The clocks named by themselves, and all keys.
pub(super) fn read(root: &Section<'_>, around: Surroundings<'_>) -> Clocks {
    let mut clocks = root.name("keys_file").map_or_else(Clocks::default, |file| {
        let path = root.page.beside(&file.value);
        match (around.read)(&path) {
            Ok(bytes) => match text_of(&bytes) {
                Ok(text) => keys_of(Page { file: &path, text, findings: root.page.findings }),
                Err(what) => {
                    root.fault("keys_file", format!("{} {what}", path.display()));
                    Clocks::default()
                }
            },
            Err(cause) => {
                root.fault("keys_file", format!("{} cannot be read: {cause}", path.display()));
                Clocks::default()
            }
        }
    });
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
                && clocks.keys.insert(clock, key).is_some()
            {
                section.fault("key_env", format!("clock {clock} has a key in `keys_file` already"));
            }
            clocks.named.push(clock);
        }
        section.end();
    }
    clocks
}

/// A file of keys: `A01 = "hex digits"` a line. A name that is there twice is no TOML, and told by its line.
fn keys_of(page: Page<'_>) -> Clocks {
    let mut clocks = Clocks { file: page.file.to_owned(), ..Clocks::default() };
    let Some(root) = page.root() else { return clocks };
    let root = Section::root(page, root.get_ref());
    for (name, value) in root.entries() {
        let clock = name.parse::<ClockId>();
        let key = value.get_ref().as_str().map(str::parse::<Key>);
        match (clock, key) {
            (Ok(clock), Some(Ok(key))) => {
                clocks.keys.insert(clock, key);
                clocks.lines.push((clock, page.line(value.span().start)));
            }
            (Err(error), _) => root.fault(name, format!("{error}; write one with a dot as `\"A.1\" = ...`")),
            (_, Some(Err(error))) => root.fault(name, error),
            (_, None) if value.get_ref().is_table() => {
                root.fault(name, "is a table; write a clock's name with a dot as `\"A.1\" = ...`");
            }
            (_, None) => root.fault(name, "a key is text in quotes: 32 to 128 hex digits"),
        }
    }
    clocks
}
