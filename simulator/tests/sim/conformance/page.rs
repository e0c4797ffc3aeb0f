//! The page for those who build clocks: it lists the cases, and each case names a section that there is.

use flagfall_simulator::conformance::{Case, Hands};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/hardware").join(name)
}

fn list() -> String {
    let mut list = String::new();
    let mut file = "";
    for case in Case::all().unwrap() {
        if file != case.file {
            file = case.file;
            write!(list, "\n| {file} | hands | |\n|---|---|---|\n").unwrap();
        }
        let mut needs = vec![match case.hands {
            Hands::None => "",
            Hands::Person => "person",
            Hands::Jig => "jig",
            Hands::Exact => "exact",
        }];
        needs.extend(case.needs.iter().map(|need| need.name()));
        if case.long {
            needs.push("`--all`");
        }
        needs.retain(|need| !need.is_empty());
        let name = case.name.split_once('/').map_or(&*case.name, |(_, name)| name);
        writeln!(list, "| `{name}` | {} | {} |", needs.join(", "), case.about).unwrap();
    }
    list
}

#[test]
fn the_page_lists_the_cases() {
    let path = page("conformance.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, told) = text.split_once("renews it. -->\n").expect("the list has its mark");
    if std::env::var_os("CASES").is_some() {
        std::fs::write(&path, format!("{before}renews it. -->\n{}", list())).unwrap();
        return;
    }
    assert!(told == list(), "{}: the list is not that of the cases; CASES=write renews it", path.display());
}

#[test]
fn every_case_names_a_section_of_the_page_that_it_comes_from() {
    let behaviour = std::fs::read_to_string(page("clock-behaviour.md")).unwrap();
    let api = std::fs::read_to_string(page("../api/clocks.md")).unwrap();
    let headed = |text: &str, section: &str| text.lines().any(|line| line == format!("## {section}"));
    for case in Case::all().unwrap() {
        let known = match case.section.split_once(": ") {
            Some(("docs/api/clocks.md", section)) => headed(&api, section),
            _ => headed(&behaviour, &case.section),
        };
        assert!(known, "{}: there is no section `{}`", case.name, case.section);
    }
}

#[test]
fn names_are_unique_and_a_jig_is_done_in_half_an_hour() {
    let cases = Case::all().unwrap();
    let mut names: Vec<_> = cases.iter().map(|case| &case.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len());
    let by_default = cases.iter().filter(|case| !case.long && case.hands <= Hands::Jig);
    let ms: u64 = by_default.map(Case::lasts_ms).sum();
    assert!(ms < 30 * 60_000, "{} s", ms / 1_000);
}
