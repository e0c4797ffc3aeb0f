//! One value of a regulations file: held against the shape its key has, and carried over.

use crate::config::page::{Page, kind, whole};
use crate::config::words::{listed, meant, nearest};
use flagfall_arbiter::Points;
use flagfall_rules::{Choice, Field, Shape};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value as it is written, and how it is called.
pub(super) struct Given<'a, 'p> {
    pub page: Page<'p>,
    /// Its name with the tables it stands in.
    pub name: String,
    pub found: &'a Spanned<DeValue<'a>>,
}

/// What was read: the value, and the lines of its parts by their keys. A value that is no table is one part without
/// a key.
pub(super) struct Taken {
    pub value: Value,
    pub lines: BTreeMap<String, usize>,
}

impl Given<'_, '_> {
    fn line(&self) -> usize {
        self.page.line(self.found.span().start)
    }

    fn fault(&self, message: impl std::fmt::Display) {
        self.page.fault(self.line(), &self.name, message);
    }

    fn wrong_type(&self, expected: &str) {
        self.fault(format!("{} where {expected} is expected", kind(self.found.get_ref())));
    }

    /// Reads it. `under` is what the lower layers say: a table may leave that out.
    pub fn read(&self, shape: &Shape, under: &Value) -> Option<Taken> {
        let value = match shape {
            Shape::Table(fields) => return self.table(fields, under),
            Shape::Maybe(of) => match self.found.get_ref() {
                DeValue::String(text) if text == "none" => Value::Null,
                DeValue::String(_) => {
                    let of = if let Shape::Table(_) = **of { "a table" } else { "a whole number" };
                    self.fault(format!("text where {of} or \"none\" is expected"));
                    return None;
                }
                _ => return self.read(of, under),
            },
            Shape::Whole { low, high, .. } => self.whole(*low, *high)?,
            Shape::Yes => match self.found.get_ref() {
                DeValue::Boolean(yes) => Value::Bool(*yes),
                _ => return self.refused("true or false"),
            },
            Shape::Word(choices) => self.word(choices)?,
            Shape::Words(choices) => self.words(choices)?,
            Shape::Points { low, high } => self.points(*low, *high)?,
            Shape::Tables { most, fields } => self.tables(*most, fields)?,
        };
        Some(Taken { value, lines: BTreeMap::from([(String::new(), self.line())]) })
    }

    fn refused<T>(&self, expected: &str) -> Option<T> {
        self.wrong_type(expected);
        None
    }

    fn whole(&self, low: i64, high: i64) -> Option<Value> {
        let DeValue::Integer(written) = self.found.get_ref() else { return self.refused("a whole number") };
        match whole(written) {
            Some(number) if (low..=high).contains(&number) => Some(number.into()),
            _ => {
                self.fault(format!("{written} is outside {low} to {high}"));
                None
            }
        }
    }

    fn word(&self, choices: &[Choice]) -> Option<Value> {
        let words: Vec<&str> = choices.iter().map(|choice| choice.word.as_str()).collect();
        let DeValue::String(text) = self.found.get_ref() else {
            return self.refused(&format!("one of {} in quotes", listed(&words)));
        };
        if words.contains(&text.as_ref()) {
            return Some(text.to_string().into());
        }
        self.fault(format!("`{text}` is none of {}{}", listed(&words), meant(text, words)));
        None
    }

    fn words(&self, choices: &[Choice]) -> Option<Value> {
        let DeValue::Array(array) = self.found.get_ref() else {
            return self.refused("a list such as [\"time_forfeit\"]");
        };
        let mut all = Vec::new();
        for found in array {
            let word = Given { page: self.page, name: self.name.clone(), found }.word(choices)?;
            if all.contains(&word) {
                self.fault(format!("has {word} twice"));
                return None;
            }
            all.push(word);
        }
        Some(Value::Array(all))
    }

    fn points(&self, low: Points, high: Points) -> Option<Value> {
        let (number, text) = match self.found.get_ref() {
            // as text: what is too long for a number is out of range all the same
            DeValue::Integer(written) => (whole(written).map(serde_json::Number::from), written.to_string()),
            DeValue::Float(written) => {
                let number: Option<f64> = written.as_str().replace('_', "").parse().ok();
                (number.and_then(serde_json::Number::from_f64), written.to_string())
            }
            _ => return self.refused("points such as 1 or 0.5"),
        };
        let points = number.clone().and_then(|number| serde_json::from_value::<Points>(number.into()).ok());
        match points {
            Some(points) if (low..=high).contains(&points) => serde_json::to_value(points).ok(),
            _ => {
                self.fault(format!("{text} is no whole or half number from {low} to {high}"));
                None
            }
        }
    }

    fn table(&self, fields: &[Field], under: &Value) -> Option<Taken> {
        let DeValue::Table(table) = self.found.get_ref() else {
            return self.refused(&format!("a table such as {}", example(fields)));
        };
        let mut lines = BTreeMap::new();
        let value = self.fields(table, fields, under, &mut lines)?;
        Some(Taken { value, lines })
    }

    fn tables(&self, most: usize, fields: &[Field]) -> Option<Value> {
        let DeValue::Array(array) = self.found.get_ref() else {
            return self.refused(&format!("a list such as [{}]", example(fields)));
        };
        if array.len() > most {
            self.fault(format!("has {} of them; at most {most} are possible", array.len()));
            return None;
        }
        let mut all = Vec::new();
        for found in array {
            // each is there for itself: nothing of a lower layer's list is left
            let one = Given { page: self.page, name: self.name.clone(), found }.table(fields, &Value::Null);
            all.push(one.map(|taken| taken.value));
        }
        all.into_iter().collect()
    }

    fn fields(
        &self,
        table: &DeTable<'_>,
        fields: &[Field],
        under: &Value,
        lines: &mut BTreeMap<String, usize>,
    ) -> Option<Value> {
        let mut whole = under.as_object().cloned().unwrap_or_else(Map::new);
        let mut right = true;
        for (key, found) in table {
            let key_name = key.get_ref().as_ref();
            let given = Given { page: self.page, name: format!("{}.{key_name}", self.name), found };
            let Some(field) = fields.iter().find(|field| field.name == key_name) else {
                let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                let message = match nearest(key_name, names.iter().copied()) {
                    Some(word) => format!("unknown key; did you mean `{word}`?"),
                    None => format!("unknown key; known here: {}", listed(&names)),
                };
                self.page.fault(self.page.line(key.span().start), &given.name, message);
                right = false;
                continue;
            };
            match given.whole(field.low, field.high) {
                Some(value) => {
                    whole.insert(key_name.to_owned(), value);
                    lines.insert(key_name.to_owned(), given.line());
                }
                None => right = false,
            }
        }
        for field in fields.iter().filter(|field| field.needed && !whole.contains_key(field.name)) {
            let unreadable = table.contains_key(field.name);
            if !unreadable {
                self.page.fault(
                    self.line(),
                    &format!("{}.{}", self.name, field.name),
                    format!("is missing; write for example `{}`", example(fields)),
                );
            }
            right = false;
        }
        right.then_some(Value::Object(whole))
    }
}

/// A table as one would write it.
fn example(fields: &[Field]) -> String {
    let value = |field: &Field| match field.name {
        "base_ms" => 1_800_000,
        "increment_ms" => 30_000,
        "moves" => 20,
        "loses_at" => 2,
        "foul" => 1,
        _ => 0,
    };
    let pairs: Vec<String> =
        fields.iter().map(|field| format!("{} = {}", field.name, value(field))).collect();
    format!("{{ {} }}", pairs.join(", "))
}
