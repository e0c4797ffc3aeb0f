//! From a path to a [`Config`], or to all that is wrong with it.

use super::fault::{ConfigError, Fault};
use super::page::{Findings, Page, Section};
use super::{Config, clocks, desk, event, hall, links, regulations, rounds};
use flagfall_rules::Setup;
use std::io;
use std::path::{Path, PathBuf};

/// What a configuration refers to outside its own text.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// A variable of the environment.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// A file's bytes.
    pub read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
}

impl std::fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Surroundings")
    }
}

impl Surroundings<'static> {
    /// This process's environment and files.
    #[must_use]
    pub fn host() -> Self {
        Self { env: &|name| std::env::var(name).ok(), read: &|path| std::fs::read(path) }
    }
}

impl Config {
    /// Reads a file and all that it refers to.
    ///
    /// # Errors
    /// There is no such file, or everything that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::load_from(path, Surroundings::host())
    }

    /// As [`Config::load`], with other surroundings.
    ///
    /// # Errors
    /// As there.
    pub fn load_from(path: &Path, around: Surroundings<'_>) -> Result<Self, ConfigError> {
        let bytes = (around.read)(path).map_err(|cause| ConfigError::opening(path, cause))?;
        let findings = Findings::default();
        let config = match text_of(&bytes) {
            Ok(text) => parse(Page { file: path, text, findings: &findings }, around),
            Err(message) => {
                Page { file: path, text: "", findings: &findings }.fault(None, "", message);
                None
            }
        };
        let doubts = in_order(findings.doubts.into_inner(), path);
        match (config, in_order(findings.faults.into_inner(), path)) {
            (Some(config), faults) if faults.is_empty() => Ok(Self { doubts, ..config }),
            (_, faults) => Err(ConfigError::Faults(faults)),
        }
    }
}

/// Everything there is in a file; `None` only where something was found wrong.
pub(super) fn parse(page: Page<'_>, around: Surroundings<'_>) -> Option<Config> {
    let root = page.root()?;
    let root = Section::root(page, root.get_ref());

    let event = event::read(&root);
    let (regulations, origins) = regulations::read(&root, event.regulations.as_ref(), around);
    let journal = root.needed("journal", "path = \"event.journal\"", root.section("journal"));
    let journal = journal.and_then(|section| {
        let path = section.needed("path", "\"event.journal\"", section.name("path"));
        section.end();
        path.map(|path| page.beside(&path.value))
    });
    let desk = desk::read(&root, around);
    let uplink = links::uplink(&root, around);
    let serial = links::serial(&root);
    let mqtt = links::mqtt(&root, around);
    let known = clocks::read(&root, around);
    let tables = hall::tables(&root);
    let teams = hall::teams(&root);
    let rounds = rounds::read(&root, event.timezone.as_ref(), &tables, &teams, around);
    let boards = rounds.iter().flat_map(|round| &round.boards).filter_map(|board| board.clock);
    known.strays(page, &tables.iter().filter_map(|table| table.value.clock).chain(boards).collect());
    links::whether_any(page, &serial, mqtt.as_ref());
    root.end();

    Some(Config {
        path: page.file.to_owned(),
        setup: Setup {
            event: event.name?,
            timezone: event.timezone.as_ref().and_then(|zone| zone.iana_name()).map(str::to_owned),
            variant: event.variant,
            regulations,
            start_by: event.start_by,
            mode: event.mode,
            clocks: known.named,
            tables: tables.into_iter().map(|table| table.value).collect(),
            teams: teams.into_iter().map(|team| team.value).collect(),
            rounds,
        },
        timezone: event.timezone.unwrap_or(jiff::tz::TimeZone::UTC),
        journal: journal?,
        desk: desk?,
        uplink,
        serial,
        mqtt,
        keys: known.keys,
        origins,
        doubts: Vec::new(),
    })
}

/// A file's text, or what it is instead of UTF-8.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, &'static str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("is UTF-16; save it as UTF-8");
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|_| "is not UTF-8, perhaps GB18030 or GBK; save it as UTF-8")
}

/// The venue file first, each file by line; nothing twice.
fn in_order(mut findings: Vec<Fault>, first: &Path) -> Vec<Fault> {
    findings.sort_by_key(|fault| (fault.file != first, PathBuf::clone(&fault.file), fault.line));
    findings.dedup();
    findings
}
