//! What a person wrote wrongly is said at once, by name, with exit code 64; what is missing on the host does not
//! keep the daemon from running.

use flagfall_tests::broker::free_port;
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::program::{Ended, flagfall, program};
use rstest::rstest;
use serde_json::json;
use std::time::{Duration, Instant};

fn check(text: &str) -> Ended {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("venue.toml");
    std::fs::write(&file, text).expect("a venue");
    flagfall(&["check", file.to_str().expect("a path")])
}

fn venue() -> String {
    Plan { boards: 2, broker: false, ..Plan::default() }.venue(8_470, None)
}

#[test]
fn a_right_file_is_right_and_says_what_is_in_force() {
    let ended = check(&venue());
    assert_eq!(ended.code, 0, "{ended:?}");
    for said in ["base_ms", "3000000", "default_ms", "Red 1", "A02"] {
        assert!(ended.stdout.contains(said), "{said} is not in\n{}", ended.stdout);
    }
}

#[rstest]
#[case::not_toml("[event", "[event\n", &["venue.toml"])]
#[case::unknown_key("name = \"a test\"", "name = \"a test\"\nnaem = \"x\"", &["naem"])]
#[case::unknown_table("[journal]", "[jurnal]\nx = 1\n[journal]", &["jurnal"])]
#[case::unknown_regulation("[regulations]", "[regulations]\nbase_m = 1", &["base_m"])]
#[case::out_of_range("[regulations]", "[regulations]\ndefault_ms = 1", &["default_ms"])]
#[case::wrong_type("[regulations]", "[regulations]\nbase_ms = \"much\"", &["base_ms"])]
#[case::unknown_mode("[regulations]", "mode = \"wild\"\n[regulations]", &["mode", "wild"])]
#[case::unknown_zone("Asia/Shanghai", "Asia/Atlantis", &["Asia/Atlantis"])]
#[case::two_boards_one_clock("clock = \"A02\"", "clock = \"A01\"", &["A01"])]
#[case::two_tables("number = 2\nclock", "number = 1\nclock", &["table", "1"])]
#[case::two_boards("board = \"2\"\ntable = 2", "board = \"1\"\ntable = 2", &["board", "1"])]
#[case::two_at_one_table("board = \"2\"\ntable = 2", "board = \"2\"\ntable = 1", &["table", "1"])]
#[case::a_player_twice("Red 2", "Red 1", &["Red 1"])]
#[case::no_such_table("board = \"2\"\ntable = 2", "board = \"2\"\ntable = 9", &["9"])]
#[case::bad_clock("clock = \"A02\"", "clock = \"A 02!\"", &["A 02!"])]
#[case::bad_token("token_sha256 = \"", "token_sha256 = \"zz", &["token_sha256"])]
#[case::bad_listen("127.0.0.1:8470", "everywhere", &["listen", "everywhere"])]
#[case::open_to_all("127.0.0.1:8470", "0.0.0.0:8470", &["listen", "insecure"])]
#[case::bad_role("role = \"viewer\"", "role = \"king\"", &["king"])]
fn what_is_wrong_is_named(#[case] old: &str, #[case] new: &str, #[case] names: &[&str]) {
    let right = venue();
    assert!(right.contains(old), "the test changes something");
    let ended = check(&right.replacen(old, new, 1));
    assert_eq!(ended.code, 64, "{ended:?}");
    for name in names {
        assert!(ended.stderr.contains(name), "{name} is not named:\n{}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

#[test]
fn a_timetable_that_runs_backwards_is_refused() {
    let mut text = venue();
    text.push_str("\n[[round]]\nnumber = 2\nstart = \"2012-06-14T08:00:00\"\n");
    let ended = check(&text);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(
        ended.stderr.contains("round 2") || ended.stderr.contains("2012-06-14T08:00:00"),
        "{}",
        ended.stderr
    );
}

#[test]
fn all_faults_are_said_at_once() {
    let text =
        venue().replace("clock = \"A02\"", "clock = \"A01\"").replace("role = \"viewer\"", "role = \"king\"");
    let ended = check(&text);
    assert_eq!(ended.code, 64);
    assert!(ended.stderr.contains("A01") && ended.stderr.contains("king"), "{}", ended.stderr);
}

#[test]
fn a_threshold_above_the_base_is_only_a_warning() {
    let text = venue().replacen("[regulations]", "[regulations]\nbase_ms = 60000", 1);
    let ended = check(&text);
    assert_eq!(ended.code, 0, "{ended:?}");
    let said = format!("{}{}", ended.stdout, ended.stderr);
    assert!(said.contains("recording_exempt_ms") && said.contains("base_ms"), "{said}");
}

#[rstest]
#[case::check(&["check", "/no/such/venue.toml"])]
#[case::serve(&["serve", "--config", "/no/such/venue.toml"])]
#[case::command(&["fly"])]
#[case::flag(&["serve", "--konfig", "x"])]
#[case::nothing(&[])]
fn wrong_use_is_64(#[case] arguments: &[&str]) {
    let ended = flagfall(arguments);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(!ended.stderr.is_empty());
}

#[test]
fn help_and_version_are_everywhere() {
    assert_eq!(flagfall(&["--version"]).code, 0);
    for command in
        ["demo", "serve", "check", "regulations", "ports", "journal", "token", "certificate", "rehearse"]
    {
        let ended = flagfall(&[command, "--help"]);
        assert_eq!(ended.code, 0, "{command} --help: {ended:?}");
    }
    // what is not there yet is not listed either
    assert_eq!(flagfall(&["schema", "--help"]).code, 64);
}

#[test]
fn serve_refuses_what_check_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("venue.toml");
    std::fs::write(&file, venue().replace("clock = \"A02\"", "clock = \"A01\"")).expect("a venue");
    let ended = flagfall(&["serve", "--config", file.to_str().expect("a path")]);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(ended.stderr.contains("A01"), "{}", ended.stderr);
    assert!(!folder.path().join("hall.journal").exists(), "nothing was begun");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_that_is_absent_is_said_once_and_waited_for() {
    let more = "[[serial]]\nport = \"/dev/serial/by-id/usb-nobody\"\n".to_owned();
    let mut hall = Plan { more, ..Plan::default() }.open().await;
    let desk = hall.desk("technician").await;
    let fault = desk.wait("it is said", |event| event["type"] == "clock_fault").await;
    assert!(fault["clock_fault"]["message"].as_str().expect("text").contains("usb-nobody"), "{fault}");
    let (clock, _line) = hall.clock(1, 60_000, 0).await;
    desk.wait("clocks elsewhere are heard", |event| event["type"] == "clock_online").await;
    desk.nothing(Duration::from_secs(5), 0, "something else", |event| event["type"] == "ruling").await;
    assert_eq!(desk.count(|event| event["type"] == "clock_fault"), 1, "said once");
    assert!(hall.runs());
    drop(clock);
}

/// As root every port may be opened: this one runs the daemon as nobody.
#[test]
fn a_port_that_may_not_be_opened_is_said_with_what_to_do() {
    let root = std::process::Command::new("id").arg("-u").output().expect("id").stdout == b"0\n";
    let setpriv = std::path::Path::new("/usr/bin/setpriv").exists();
    if !root || !setpriv {
        eprintln!(
            "not looked at: needs root and setpriv, to run the daemon as nobody beside a port that is root's"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let open = |path: &std::path::Path, mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("its permissions");
    };
    open(folder.path(), 0o777);
    // The program itself, where nobody may run it.
    let own = folder.path().join("flagfall");
    std::fs::copy(program("flagfall"), &own).expect("a copy");
    open(&own, 0o755);
    let (_master, slave) = serialport::TTYPort::pair().expect("a pseudo terminal");
    let port = serialport::SerialPort::name(&slave).expect("a name");
    drop(slave);
    open(std::path::Path::new(&port), 0o600);
    let desk = free_port();
    let plan = Plan { broker: false, more: format!("[[serial]]\nport = \"{port}\"\n"), ..Plan::default() };
    let venue = folder.path().join("venue.toml");
    std::fs::write(&venue, plan.venue(desk, None)).expect("a venue");
    open(&venue, 0o644);
    let log = folder.path().join("log");
    let mut daemon = std::process::Command::new("/usr/bin/setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&own)
        .args(["serve", "--config"])
        .arg(&venue)
        .current_dir(folder.path())
        .stderr(std::fs::File::create(&log).expect("a log"))
        .spawn()
        .expect("setpriv starts it");
    let end = Instant::now() + Duration::from_secs(10);
    let said = loop {
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        if said.contains(&port) || Instant::now() > end {
            break said;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let lives = daemon.try_wait().expect("its state").is_none();
    let _ = daemon.kill();
    let _ = daemon.wait();
    assert!(lives, "it runs all the same:\n{said}");
    let line =
        said.lines().find(|line| line.contains(&port)).unwrap_or_else(|| panic!("{port} is named:\n{said}"));
    let line = line.to_lowercase();
    assert!(line.contains("permission") || line.contains("may not") || line.contains("dialout"), "{line}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_daemon_on_the_same_journal_or_port_is_refused_as_unavailable() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let ended = hall.flagfall(&["serve", "--config", hall.venue.to_str().expect("a path")]);
    assert_eq!(ended.code, 69, "{ended:?}");
    assert!(
        ended.stderr.contains("hall.journal") || ended.stderr.contains(&hall.port.to_string()),
        "{ended:?}"
    );
    let desk = hall.desk("arbiter").await;
    desk.done("round.check", json!({"round": 1})).await;
}

#[test]
fn the_example_in_the_repository_is_right() {
    let example = Hall::of_workspace("venue.example.toml");
    let ended = flagfall(&["check", example.to_str().expect("a path")]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let ended = flagfall(&["check", example.to_str().expect("a path"), "--readings"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    for said in ["三(1)", "八.2", "foul"] {
        assert!(ended.stdout.contains(said), "the readings are in both languages, by article: {said}");
    }
}
