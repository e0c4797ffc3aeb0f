//! A set of values by its name: built in, or a file; and what it is based on, down to the base.

use super::layers::Layers;
use super::names;
use crate::config::Surroundings;
use crate::config::load::text_of;
use crate::config::page::{Findings, Page, Section, Written};
use crate::config::words::{listed, nearest};
use flagfall_rules::{BASE, BuiltIn, Regulations};
use std::path::{Component, Path, PathBuf};

/// The keys of a file that are no values.
pub(in crate::config) const BESIDE: [&str; 3] = ["name", "based_on", "source"];

/// As many sets may rest on each other.
const DEPTH: usize = 8;

/// Lays a set and all it is based on over the layers; its name.
pub(super) fn read(
    layers: &mut Layers,
    page: Page<'_>,
    named: &Written<String>,
    around: Surroundings<'_>,
) -> String {
    let mut chain = Chain { layers, around, above: Vec::new() };
    chain.set(page, named)
}

/// A set that is built in, with what its `source` says.
pub(crate) fn built_in(set: BuiltIn) -> (Regulations, String) {
    let findings = Findings::default();
    let page = Page { file: Path::new(set.name), text: set.text, findings: &findings };
    let mut layers = Layers::default();
    let named = Written { value: set.name.to_owned(), line: 1, key: String::new() };
    // everything below it is built in too
    let nothing = Surroundings { env: &|_| None, read: &|_| Err(std::io::ErrorKind::NotFound.into()) };
    layers.regulations.profile.name = read(&mut layers, page, &named, nothing);
    let root = page.root();
    let source = root.as_ref().and_then(|root| Section::root(page, root.get_ref()).name("source"));
    (layers.regulations, source.map_or_else(String::new, |source| source.value))
}

struct Chain<'l, 's> {
    layers: &'l mut Layers,
    around: Surroundings<'s>,
    /// The sets that rest on the one being read, uppermost first.
    above: Vec<Place>,
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    BuiltIn(&'static str),
    File(PathBuf),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BuiltIn(name) => write!(f, "{name} (built in)"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Chain<'_, '_> {
    /// Reads the set that `named` on `page` means.
    fn set(&mut self, page: Page<'_>, named: &Written<String>) -> String {
        let built_in = BuiltIn::named(&named.value);
        let place = match built_in {
            Some(set) => Place::BuiltIn(set.name),
            None => Place::File(plain(&page.beside(&named.value))),
        };
        if let Err(message) = self.enter(&place) {
            page.fault(named.line, &named.key, message);
            return named.value.clone();
        }
        let name = match built_in {
            Some(set) => {
                let file = PathBuf::from(place.to_string());
                let own = Page { file: &file, text: set.text, findings: page.findings };
                self.text(own, Some(set.name), named)
            }
            None => self.file(page, named, &page.beside(&named.value)),
        };
        self.above.pop();
        name
    }

    fn enter(&mut self, place: &Place) -> Result<(), String> {
        let known = self.above.contains(place);
        self.above.push(place.clone());
        if !known && self.above.len() <= DEPTH {
            return Ok(());
        }
        let chain: Vec<String> = self.above.iter().map(ToString::to_string).collect();
        let chain = chain.join(", based on ");
        self.above.pop();
        Err(if known {
            format!("goes round in a circle: {chain}; let one of them be based on `{BASE}`")
        } else {
            format!("is more than {DEPTH} sets deep: {chain}; write one file instead")
        })
    }

    fn file(&mut self, page: Page<'_>, named: &Written<String>, path: &Path) -> String {
        let wrong = |message: String| page.fault(named.line, &named.key, message);
        match (self.around.read)(path) {
            Err(cause) => {
                let names = names();
                let near = nearest(&named.value, names.iter().copied()).map_or_else(
                    || format!("built in are {}", listed(&names)),
                    |near| format!("did you mean `{near}`?"),
                );
                let file = path.display();
                wrong(format!("`{}` is neither built in nor a file ({file}: {cause}); {near}", named.value));
            }
            Ok(bytes) => match text_of(&bytes) {
                Err(what) => wrong(format!("{} {what}", path.display())),
                Ok(text) => {
                    return self.text(Page { file: path, text, findings: page.findings }, None, named);
                }
            },
        }
        named.value.clone()
    }

    /// Reads a set's text: first what it is based on, then its own values.
    fn text(&mut self, page: Page<'_>, built_in: Option<&'static str>, named: &Written<String>) -> String {
        let Some(root) = page.root() else { return named.value.clone() };
        let root = Section::root(page, root.get_ref());
        let name = root.name("name");
        let _source = root.name("source");
        match root.name("based_on") {
            Some(base) => _ = self.set(page, &base),
            None if built_in == Some(BASE) => {}
            None => {
                let base = Written { value: BASE.to_owned(), line: 1, key: "based_on".to_owned() };
                _ = self.set(page, &base);
            }
        }
        self.layers.begin();
        self.layers.take(&root, &BESIDE, built_in);
        if let (Some(name), None) = (&name, built_in)
            && let Some(set) = BuiltIn::named(&name.value)
        {
            let (own, _) = self::built_in(set);
            let differs =
                own.values().iter().any(|value| self.layers.regulations.get(value.key) != own.get(value.key));
            if differs {
                let message =
                    format!("`{}` is built in and says something else; name this one otherwise", set.name);
                page.doubt(name.line, &name.key, message);
            }
        }
        name.map_or_else(|| named.value.clone(), |name| name.value)
    }
}

/// A path without `.` and `a/..`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
