//! `flagfall clock`, the technician's tool, at clocks that do as they should, and at what is no clock.

mod fake;

use fake::{Manner, plug};
use flagfall_tests::program::flagfall;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn keys(path: &Path) -> toml::Table {
    std::fs::read_to_string(path).expect("a keys file").parse().expect("TOML")
}

#[test]
fn a_clock_is_asked_named_with_a_key_nobody_sees_and_asked_again() {
    let plugged = plug(Manner::Well, false);
    let asked = plugged.tool(&["ask"]);
    assert_eq!(asked.code, 0, "{asked:?}");
    assert!(asked.stdout.contains("a clock without a name, model 1"), "{asked:?}");
    let file = plugged.file("keys.toml");
    let name = ["--name", "A.01", "--trim-ppm", "-7", "--encoding", "binary"];
    let path = file.to_str().expect("a path");
    let named = plugged.tool(&[&["provision"], &name[..], &["--new-key", path]].concat());
    assert_eq!(named.code, 0, "{named:?}");
    assert!(named.stdout.contains("clock A.01, seals, writes binary, trim -7 ppm, silent"), "{named:?}");

    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let key = keys(&file)["A.01"].as_str().expect("a key").to_owned();
    assert_eq!(key.len(), 64);
    assert!(!named.stdout.contains(&key) && !named.stderr.contains(&key));
    let given = plugged.identity();
    let wanted = json!({"clock": "A.01", "key": key, "encoding": "binary", "trim_ppm": -7, "sound": false});
    assert_eq!(given, wanted);
    let told: Vec<String> = plugged.lines().into_iter().filter(|line| line.contains("A.01")).collect();
    assert_eq!(told.len(), 1, "said once");
    assert!(plugged.lines().last().expect("lines").starts_with(r#"{"provision":{}"#), "and asked after it");

    let asked = plugged.tool(&["ask", "--json"]);
    let object: Value = serde_json::from_str(&asked.stdout).expect("one object");
    assert_eq!(
        (&object["clock"], &object["sealed"], &object["trim_ppm"]),
        (&json!("A.01"), &json!(true), &json!(-7))
    );
    let again = plugged.tool(&["provision", "--name", "A02", "--no-key"]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(
        again.stderr.contains("has a name already, A.01") && again.stderr.contains("left lever"),
        "{again:?}"
    );
    assert_eq!(plugged.lines().iter().filter(|line| line.contains("A02")).count(), 0, "not even tried");
}

#[test]
fn a_key_stays_in_the_file_only_where_the_clock_may_have_it() {
    for (manner, code, stays) in
        [(Manner::Forgetful, 1, false), (Manner::HardOfHearing, 1, false), (Manner::Mumbling, 0, true)]
    {
        let plugged = plug(manner, false);
        let file = plugged.file("keys.toml");
        let before = "A07 = \"00112233445566778899aabbccddeeff\"\n";
        std::fs::write(&file, before).expect("a file");
        let path = file.to_str().expect("a path");
        let ended = plugged.tool(&["provision", "--name", "A01", "--new-key", path]);
        assert_eq!(ended.code, code, "{manner:?}: {ended:?}");
        assert_eq!(keys(&file).contains_key("A01"), stays, "{manner:?}: {ended:?}");
        assert!(std::fs::read_to_string(&file).expect("a file").starts_with(before));
        if stays {
            assert!(ended.stdout.contains("others may read it"), "{ended:?}");
        } else {
            assert!(ended.stderr.contains(&plugged.port), "{ended:?}");
        }
    }
}

#[test]
fn a_key_file_serves_and_slips_of_the_pen_cost_nothing() {
    let plugged = plug(Manner::Well, true);
    let file = plugged.file("keys.toml");
    let key = "00112233445566778899aabbccddeeff";
    std::fs::write(&file, format!("A01 = \"{key}\"\n")).expect("a file");
    let path = file.to_str().expect("a path");
    for (arguments, code, why) in [
        (["--name", "A02", "--key-file", path], 64, "has no key of A02"),
        (["--name", "A01", "--new-key", path], 1, "has a key of A01 already"),
        (["--name", "A 1", "--key-file", path], 64, "A-Z a-z 0-9"),
    ] {
        let ended = plugged.tool(&[&["provision"], &arguments[..]].concat());
        assert_eq!(ended.code, code, "{ended:?}");
        assert!(ended.stderr.contains(why) && !ended.stderr.contains(key), "{ended:?}");
    }
    assert!(plugged.lines().is_empty(), "nothing was said on the line");
    // The serial server has one caller at a time, and this is it.
    let named = plugged.tool(&["provision", "--name", "A01", "--key-file", path, "--sound", "--json"]);
    assert_eq!(named.code, 0, "{named:?}");
    let object: Value = serde_json::from_str(&named.stdout).expect("one object");
    assert_eq!(
        (&object["clock"], &object["sound"], &object["keys_file"]),
        (&json!("A01"), &json!(true), &json!(null))
    );
    assert_eq!(plugged.identity()["key"], key);
}

#[test]
fn where_nobody_answers_it_says_what_may_be_in_the_way() {
    let says = |manner: Manner, what: &str| {
        let plugged = plug(manner, false);
        let ended = plugged.tool(&["ask"]);
        assert_eq!(ended.code, 69, "{ended:?}");
        assert!(ended.stderr.contains(&format!("port {}: ", plugged.port)), "{ended:?}");
        assert!(ended.stderr.contains(what), "{manner:?}: {ended:?}");
    };
    std::thread::scope(|all| {
        all.spawn(|| says(Manner::Silent, "nothing answers at 115200 baud"));
        all.spawn(|| says(Manner::Modem, "another device, or another speed (--baud)"));
        all.spawn(|| says(Manner::Joined, "TX and RX are joined"));
    });
    let gone = flagfall(&["clock", "ask", "--port", "/dev/ttyNOSUCH"]);
    assert_eq!((gone.code, gone.stderr.contains("`flagfall ports` lists")), (69, true), "{gone:?}");

    let plugged = plug(Manner::Well, false);
    let _held = serialport::new(&plugged.port, 115_200).open_native().expect("a port");
    let held = plugged.tool(&["ask"]);
    let us = format!("(pid {})", std::process::id());
    assert_eq!(held.code, 69, "{held:?}");
    assert!(held.stderr.contains("is held by") && held.stderr.contains(&us), "{held:?}");
}

#[test]
fn a_crystal_is_measured_within_what_is_told() {
    let plugged = plug(Manner::Fast, false);
    let measured = plugged.tool(&["trim", "--minutes", "0.06", "--json"]);
    assert_eq!(measured.code, 0, "{measured:?}");
    let object: Value = serde_json::from_str(&measured.stdout).expect("one object");
    let number = |name: &str| object[name].as_f64().expect("a number");
    assert!((number("ppm") - 400.0).abs() <= number("answers_ppm"), "{object}");
    assert!(number("seconds") > 2.0 && number("answers") >= 4.0, "{object}");
    println!(
        "400 ppm measured in {} s: {} give or take {}",
        object["seconds"], object["ppm"], object["answers_ppm"]
    );
}
