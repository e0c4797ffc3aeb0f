//! What the documents promise of the code: every article of the regulations stands in the table with a test that exists
//! or with the reason why it needs none, and every worked-out case has its test.

use flagfall_tests::hall::Hall;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The articles of the text, by its own numbers; 五 has no 2.
const ARTICLES: &[(&str, &[u32])] = &[
    ("二", &[1, 2, 3, 4, 5]),
    ("四", &[1, 2]),
    ("五", &[1, 3, 4, 5]),
    ("六", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    ("七", &[1, 2, 3, 4]),
    ("八", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
    ("九", &[1, 2]),
    ("十", &[1, 2, 3]),
    ("十一", &[1, 2]),
];

/// The worked-out cases that have a number.
const ROWS: &[u32] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 19, 20, 22, 23, 24, 25, 26, 27, 28, 30, 32, 33, 34,
    35, 36, 37, 39, 40, 41, 45, 46, 48,
];

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, all);
        } else if name.ends_with(".rs") {
            all.push(path);
        }
    }
}

/// The names of all functions of the workspace's sources that are marked as tests or stand in a test's place.
fn functions() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["daemon", "firmware", "protocol", "simulator", "tests"] {
        sources(&Hall::of_workspace(folder), &mut files);
    }
    let text: Vec<String> = files.iter().map(|file| fs::read_to_string(file).expect("a source")).collect();
    let lines = text.iter().flat_map(|text| text.lines());
    let named = lines.filter_map(|line| line.trim_start().split_once("fn "));
    named
        .filter(|(before, _)| before.is_empty() || before.starts_with("async") || before.starts_with("pub"))
        .filter_map(|(_, rest)| rest.split(['(', '<']).next())
        .map(str::to_owned)
        .collect()
}

/// Rows of the tables of the document, cell by cell.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("|---"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

#[test]
fn every_article_stands_in_the_table_with_its_test_or_its_reason() {
    let text = fs::read_to_string(Hall::of_workspace("docs/regulations.md")).expect("the document");
    let (known, table) = (functions(), rows(&text));
    let mut wanted: Vec<String> =
        vec!["一".into(), "日程".into(), "三(1)".into(), "三(2)".into(), "三(3)".into()];
    for (section, numbers) in ARTICLES {
        wanted.extend(numbers.iter().map(|number| format!("{section}.{number}")));
    }
    let mut wrong = Vec::new();
    for article in wanted {
        let row = table.iter().find(|row| row.first() == Some(&article.as_str()) && row.len() == 4);
        let Some(row) = row else {
            wrong.push(format!("{article} is not in the table"));
            continue;
        };
        let last = row[3];
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).filter(|name| name.contains('_')).collect();
        if tests.is_empty() && !last.starts_with("no code") {
            wrong.push(format!("{article} has neither a test nor a reason: {last}"));
        }
        let missing = tests.iter().filter(|name| !known.contains(**name));
        wrong.extend(missing.map(|name| format!("{article}: no test is called {name}")));
    }
    assert!(wrong.is_empty(), "docs/regulations.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_worked_out_case_has_a_test_that_holds_its_number() {
    let known = functions();
    let missing: Vec<u32> = ROWS
        .iter()
        .copied()
        .filter(|row| !known.iter().any(|name| name.contains(&format!("rule_{row:02}_"))))
        .collect();
    assert!(missing.is_empty(), "no test for the cases {missing:?}");
}
