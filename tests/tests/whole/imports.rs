//! Which crate may use which, as the page on the architecture has it; and that pure crates stay pure.

use flagfall_tests::program::workspace;
use rstest::rstest;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// All that a crate is built from, itself included.
fn tree(package: &str, more: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "-p", package, "-e", "normal", "--prefix", "none", "--format", "{p}"])
        .args(more)
        .current_dir(workspace())
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let found: BTreeSet<String> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(found.contains(package), "{package} is in its own tree: {text}");
    found
}

#[rstest]
#[case("flagfall-clock", &["tokio", "jiff", "serde_json", "rusqlite", "flagfall-arbiter", "flagfall-rules"])]
#[case("flagfall-arbiter", &["tokio", "rusqlite", "flagfall-rules", "flagfall-hall", "flagfall-journal"])]
#[case("flagfall-firmware", &["tokio", "embedded-hal", "serde_json", "flagfall-arbiter", "flagfall-rules", "flagfall-hall"])]
#[case("flagfall-device", &["tokio", "serde_json", "rp2040-hal", "flagfall-arbiter", "flagfall-rules", "flagfall-hall"])]
#[case("flagfall-rules", &["tokio", "rusqlite", "tracing", "rumqttc", "axum", "flagfall-firmware", "flagfall-hall", "flagfall-journal"])]
#[case("flagfall-hall", &["tokio", "rusqlite", "tracing", "rumqttc", "axum", "flagfall-firmware", "flagfall-journal"])]
#[case("flagfall-journal", &["tokio", "flagfall-rules", "flagfall-hall", "flagfall-firmware"])]
#[case("flagfall-simulator", &["flagfall-rules", "flagfall-hall", "flagfall-journal", "flagfall", "rusqlite"])]
fn a_crate_is_not_built_from_what_it_may_not_use(#[case] package: &str, #[case] never: &[&str]) {
    let built = tree(package, &[]);
    let wrong: Vec<_> = never.iter().filter(|name| built.contains(**name)).collect();
    assert!(wrong.is_empty(), "{package} is built from {wrong:?}");
}

#[test]
fn the_daemon_simulates_only_under_its_feature() {
    let with = tree("flagfall", &[]);
    assert!(with.contains("flagfall-simulator"), "the feature is on unless turned off");
    let without = tree("flagfall", &["--no-default-features"]);
    for name in ["flagfall-simulator", "flagfall-firmware"] {
        assert!(!without.contains(name), "the daemon alone is built from {name}");
    }
    assert!(without.contains("flagfall-rules"));
}

/// The daemon's sources speak of the simulator in two commands only.
#[test]
fn only_demo_and_rehearse_start_the_simulator() {
    let mut users = Vec::new();
    let sources = workspace().join("daemon/src");
    each_source(&sources, &mut |file, text| {
        assert!(!code(text).contains("flagfall_firmware"), "{} uses the firmware", file.display());
        if code(text).contains("flagfall_simulator::") {
            let place = file.strip_prefix(&sources).expect("one of them");
            users.push(place.with_extension("").to_string_lossy().into_owned());
        }
    });
    let allowed = ["commands/demo", "commands/rehearse", "cli/simulated"];
    let is = |user: &String, place: &str| user == place || user.starts_with(&format!("{place}/"));
    let others: Vec<_> = users.iter().filter(|user| !allowed.iter().any(|place| is(user, place))).collect();
    assert!(!users.is_empty() && others.is_empty(), "{others:?}");
}

/// Time is an argument, and so is all else that comes from outside.
#[rstest]
#[case("protocol/clock/src")]
#[case("protocol/arbiter/src")]
#[case("firmware/core/src")]
#[case("firmware/device/src")]
#[case("daemon/rules/src")]
#[case("daemon/hall/src")]
fn a_pure_crate_asks_nobody_for_the_time_and_touches_nothing(#[case] folder: &str) {
    let never = [
        "Instant::now",
        "SystemTime::now",
        "Timestamp::now",
        "Zoned::now",
        "std::fs",
        "std::net",
        "std::env::var",
        "thread::sleep",
        "std::process",
        "tokio::",
        "println!",
        "eprintln!",
    ];
    let mut seen = 0;
    each_source(&workspace().join(folder), &mut |file, text| {
        seen += 1;
        for word in never {
            let line = code(text).lines().position(|line| line.contains(word));
            assert!(line.is_none(), "{}:{} has {word}", file.display(), line.unwrap_or(0) + 1);
        }
    });
    assert!(seen > 3, "{folder} has {seen} files");
}

/// The compiled part: comments away, tests at a file's end away.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn each_source(folder: &Path, look: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "tests" {
                each_source(&path, look);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            look(&path, &std::fs::read_to_string(&path).expect("a source"));
        }
    }
}

/// Hand-written words of ours only: no module is named for being put nowhere else.
#[test]
fn no_module_is_a_drawer() {
    let drawers = ["manager", "handler", "helper", "helpers", "util", "utils", "common", "misc", "data"];
    for folder in ["protocol", "firmware", "simulator/src", "daemon", "tests/src"] {
        each_source(&workspace().join(folder), &mut |file, _| {
            let stem = file.file_stem().expect("a stem").to_string_lossy().into_owned();
            assert!(!drawers.contains(&stem.as_str()), "{}", file.display());
        });
    }
}

/// The page's own table: a row for each crate, and what stands there is so.
#[test]
fn the_table_of_the_architecture_is_true() {
    let page = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("the page");
    let rows: Vec<[String; 3]> = page
        .lines()
        .skip_while(|line| !line.starts_with("| crate | may use | never |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
            std::array::from_fn(|_| cells.next().unwrap_or_default())
        })
        .collect();
    let folders: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let package = |folder: &str| {
        let text = std::fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        let needs =
            manifest["dependencies"].as_table().expect("a table").keys().cloned().collect::<BTreeSet<_>>();
        (name, needs)
    };
    let listed = |cell: &str| -> BTreeSet<String> {
        let name = |word: &str| if folders.contains(&word) { package(word).0 } else { word.to_owned() };
        cell.split(',').map(str::trim).filter(|word| !word.is_empty()).map(name).collect()
    };
    let mut checked = 0;
    for [folder, may, never] in &rows {
        if folder == "tests" {
            continue;
        }
        let (name, needs) = package(folder);
        // the daemon and the simulator name what matters; the others name all they use
        if !["daemon", "simulator"].contains(&folder.as_str()) {
            assert_eq!(needs, listed(may), "{folder}: what it uses, and what the page says");
        }
        let built = tree(&name, if folder == "daemon" { &["--no-default-features"] } else { &[] });
        let wrong: Vec<_> = listed(never).into_iter().filter(|never| built.contains(never)).collect();
        assert!(wrong.is_empty(), "{folder} is built from {wrong:?}");
        checked += 1;
    }
    let all = std::fs::read_to_string(workspace().join("Cargo.toml")).expect("the manifest");
    let all: toml::Table = all.parse().expect("TOML");
    let members = all["workspace"]["members"].as_array().expect("members").len();
    assert_eq!(checked + 1, members, "each crate has its row, and the tests theirs");
}
