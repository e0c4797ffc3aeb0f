//! The keyboard, through the browser's own input.

use super::session::Session;
use serde_json::{Value, json};

/// Keys that are no letter, by the private code points WebDriver gives them (17.4.2).
const NAMED: [(&str, char); 13] = [
    ("Backspace", '\u{e003}'),
    ("Tab", '\u{e004}'),
    ("Enter", '\u{e007}'),
    ("Shift", '\u{e008}'),
    ("Alt", '\u{e00a}'),
    ("Control", '\u{e009}'),
    ("Escape", '\u{e00c}'),
    ("Space", ' '),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowUp", '\u{e013}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowDown", '\u{e015}'),
    ("Delete", '\u{e017}'),
];

fn key(name: &str) -> char {
    let named = NAMED.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
    let mut letters = name.chars();
    named
        .or_else(|| letters.next().filter(|_| letters.next().is_none()))
        .unwrap_or_else(|| panic!("no key {name}"))
}

/// Presses of one key: down and up, with those before a `+` held meanwhile (`Shift+Tab`).
fn stroke(name: &str) -> Vec<Value> {
    let keys: Vec<char> = match name {
        "+" => vec!['+'],
        _ => name.split('+').map(key).collect(),
    };
    let down = keys.iter().map(|key| json!({"type": "keyDown", "value": key}));
    let up = keys.iter().rev().map(|key| json!({"type": "keyUp", "value": key}));
    down.chain(up).collect()
}

impl Session {
    /// Strikes these keys one after the other: `Tab`, `Shift+Tab`, `Enter`, `a`.
    ///
    /// # Panics
    /// If a key has no such name.
    pub async fn strike(&self, keys: &[&str]) {
        let strokes: Vec<Value> = keys.iter().flat_map(|name| stroke(name)).collect();
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]});
        self.post("actions", actions).await.unwrap_or_else(|refused| panic!("{keys:?}: {refused:?}"));
    }

    /// Types a text where the keyboard's input goes.
    ///
    /// # Panics
    /// If the browser takes no input.
    pub async fn type_text(&self, text: &str) {
        let keys: Vec<Value> = text
            .chars()
            .map(|key| if key == '\n' { '\u{e007}' } else { key })
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": keys}]});
        self.post("actions", actions).await.unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
    }
}
