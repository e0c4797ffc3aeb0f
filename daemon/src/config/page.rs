//! A TOML file as a person wrote it: every value with its line, every fault collected.
//!
//! A [`Section`] knows which keys were asked of it; what it holds beside them is an unknown key. So what
//! the reader asks for is the list of keys there are, and no second list can disagree with it.

use super::fault::Fault;
use super::words::{listed, meant, nearest};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Written<T> {
    pub value: T,
    pub line: usize,
    pub key: String,
}

/// Faults and doubts of all files of a configuration, and the keys it asked for.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub faults: RefCell<Vec<Fault>>,
    pub doubts: RefCell<Vec<Fault>>,
    pub asked: RefCell<BTreeSet<String>>,
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    pub file: &'a Path,
    pub text: &'a str,
    pub findings: &'a Findings,
}

impl<'a> Page<'a> {
    /// Reads it as TOML; if it is none, says where and gives up.
    pub fn root(self) -> Option<Spanned<DeTable<'a>>> {
        let (root, wrong) = DeTable::parse_recoverable(self.text);
        for error in &wrong {
            let line = error.span().map(|span| self.line(span.start));
            self.fault(line, "", error.message().trim());
        }
        wrong.is_empty().then_some(root)
    }

    pub fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count()
    }

    pub fn fault(&self, line: impl Into<Option<usize>>, key: &str, message: impl Display) {
        self.findings.faults.borrow_mut().push(self.finding(line.into(), key, message));
    }

    pub fn doubt(&self, line: impl Into<Option<usize>>, key: &str, message: impl Display) {
        self.findings.doubts.borrow_mut().push(self.finding(line.into(), key, message));
    }

    fn finding(&self, line: Option<usize>, key: &str, message: impl Display) -> Fault {
        Fault { file: self.file.to_owned(), line, key: key.to_owned(), message: message.to_string() }
    }

    /// A path as it is meant in this file: from the folder the file is in.
    pub fn beside(&self, path: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }
}

/// A table of a file.
pub(super) struct Section<'a> {
    pub page: Page<'a>,
    /// Its own line.
    pub line: usize,
    name: String,
    table: &'a DeTable<'a>,
    known: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub fn root(page: Page<'a>, table: &'a DeTable<'a>) -> Self {
        Self::new(page, String::new(), table, 0..0)
    }

    fn new(page: Page<'a>, name: String, table: &'a DeTable<'a>, span: Range<usize>) -> Self {
        let line = page.line(span.start);
        Self { page, line, name, table, known: RefCell::default() }
    }

    /// A key's full name.
    pub fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// Something is wrong with a value of this table.
    pub fn fault(&self, key: &str, message: impl Display) {
        let line = self.table.get(key).map_or(self.line, |value| self.page.line(value.span().start));
        self.page.fault(line, &self.key(key), message);
    }

    /// Something looks wrong with a value of this table.
    pub fn doubt(&self, key: &str, message: impl Display) {
        let line = self.table.get(key).map_or(self.line, |value| self.page.line(value.span().start));
        self.page.doubt(line, &self.key(key), message);
    }

    /// Whether a key is there; that alone makes it no known key.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The value as it stands.
    pub fn raw(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.borrow_mut().insert(key);
        self.page.findings.asked.borrow_mut().insert(self.key(key));
        self.table.get(key)
    }

    /// All keys and values as they stand.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Spanned<DeValue<'a>>)> {
        let table = self.table;
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), value))
    }

    fn written<T>(&self, key: &'static str, found: &Spanned<DeValue<'a>>, value: T) -> Written<T> {
        Written { value, line: self.page.line(found.span().start), key: self.key(key) }
    }

    /// Says that a value has the wrong type.
    pub fn wrong_type(&self, key: &str, found: &DeValue<'_>, expected: &str) {
        self.fault(key, format!("{} where {expected} is expected", kind(found)));
    }

    /// Says that a key is missing where `value` is none and the key is not there at all. The example is its
    /// value; of a whole table, a line of it.
    pub fn needed<T>(&self, key: &'static str, example: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && !self.has(key) {
            self.fault(
                key,
                match self.name.as_str() {
                    "" => format!("is missing; write a table [{key}] with at least `{example}`"),
                    _ => format!("is missing; write for example `{key} = {example}`"),
                },
            );
        }
        value
    }

    pub fn text(&self, key: &'static str) -> Option<Written<String>> {
        let found = self.raw(key)?;
        match found.get_ref() {
            DeValue::String(text) => Some(self.written(key, found, text.to_string())),
            DeValue::Integer(number) => {
                self.fault(key, format!("a number where text is expected; write `{key} = \"{number}\"`"));
                None
            }
            other => {
                self.wrong_type(key, other, "text in quotes");
                None
            }
        }
    }

    /// Text with something in it.
    pub fn name(&self, key: &'static str) -> Option<Written<String>> {
        let text = self.text(key)?;
        if text.value.trim().is_empty() {
            self.fault(key, "is empty");
            return None;
        }
        Some(text)
    }

    pub fn texts(&self, key: &'static str) -> Option<Written<Vec<String>>> {
        let found = self.raw(key)?;
        let DeValue::Array(array) = found.get_ref() else {
            self.wrong_type(key, found.get_ref(), "a list of texts");
            return None;
        };
        let texts: Option<Vec<String>> =
            array.iter().map(|value| value.get_ref().as_str().map(ToOwned::to_owned)).collect();
        if texts.is_none() {
            self.fault(key, "everything in this list is text in quotes");
        }
        Some(self.written(key, found, texts?))
    }

    pub fn number(&self, key: &'static str, range: RangeInclusive<u32>) -> Option<Written<u32>> {
        let found = self.raw(key)?;
        let DeValue::Integer(written) = found.get_ref() else {
            self.wrong_type(key, found.get_ref(), "a whole number");
            return None;
        };
        match whole(written).and_then(|number| u32::try_from(number).ok()) {
            Some(number) if range.contains(&number) => Some(self.written(key, found, number)),
            _ => {
                self.fault(key, format!("{written} is outside {} to {}", range.start(), range.end()));
                None
            }
        }
    }

    pub fn yes(&self, key: &'static str) -> Option<bool> {
        let found = self.raw(key)?;
        if let DeValue::Boolean(yes) = found.get_ref() {
            return Some(*yes);
        }
        self.wrong_type(key, found.get_ref(), "true or false");
        None
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?.value;
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(*choice);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        self.fault(key, format!("`{text}` is none of {}{}", listed(&words), meant(&text, words)));
        None
    }

    /// A table in this one.
    pub fn section(&self, key: &'static str) -> Option<Self> {
        let found = self.raw(key)?;
        let DeValue::Table(table) = found.get_ref() else {
            self.wrong_type(key, found.get_ref(), &format!("a table [{}]", self.key(key)));
            return None;
        };
        Some(Self::new(self.page, self.key(key), table, found.span()))
    }

    /// Tables in this one.
    pub fn sections(&self, key: &'static str) -> Vec<Self> {
        let Some(found) = self.raw(key) else { return Vec::new() };
        let name = self.key(key);
        let DeValue::Array(array) = found.get_ref() else {
            self.fault(key, format!("is written with two brackets on each side: [[{name}]]"));
            return Vec::new();
        };
        let mut sections = Vec::new();
        for value in array {
            match value.get_ref() {
                DeValue::Table(table) => {
                    sections.push(Self::new(self.page, name.clone(), table, value.span()));
                }
                other => self.wrong_type(key, other, &format!("tables [[{name}]]")),
            }
        }
        sections
    }

    /// All keys have been asked for: names those nobody wanted.
    pub fn end(self) {
        let known = self.known.borrow();
        for (key, _) in self.table.iter().filter(|(key, _)| !known.contains(key.get_ref().as_ref())) {
            let line = self.page.line(key.span().start);
            let nearest = nearest(key.get_ref(), known.iter().copied());
            let words: Vec<&str> = known.iter().copied().collect();
            let message = match nearest {
                Some(word) => format!("unknown key; did you mean `{word}`?"),
                None => format!("unknown key; known here: {}", listed(&words)),
            };
            self.page.fault(line, &self.key(key.get_ref()), message);
        }
    }
}

/// A whole number, if it is not monstrous.
pub(super) fn whole(written: &toml::de::DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(&written.as_str().replace('_', ""), written.radix()).ok()
}

pub(super) fn kind(found: &DeValue<'_>) -> &'static str {
    match found {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
