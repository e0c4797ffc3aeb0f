//! The table at which the clock stands: a board, a daemon, an arbiter's desk, and the test's own account of the times.

use flagfall_tests::desk::{Desk, holds, is};
use flagfall_tests::hall::{Hall, Plan};
use flagfall_tests::pico::live::Live;
use flagfall_tests::pico::{Contact, Happened, Options};
use flagfall_tests::program::{flagfall, workspace};
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const BASE: i64 = 600_000;
const INCREMENT: i64 = 5_000;
/// By how much a time may be off what the test measured by its own hands, on a machine that does other things too.
pub(super) const NEAR: i64 = 400;

fn firmware() -> PathBuf {
    let elf = workspace().join("firmware/boards/pico/out/flagfall-pico.elf");
    assert!(elf.is_file(), "{} is not there: run firmware/boards/pico/build", elf.display());
    elf
}

/// Names the clock A01 with a new key, as a technician does; the key.
fn name(port: &Path, keys: &Path) -> String {
    let (port, keys_file) = (port.to_str().expect("a path"), keys.to_str().expect("a path"));
    let asked = flagfall(&["clock", "ask", "--port", port]);
    assert!(asked.code == 0 && asked.stdout.contains("a clock without a name, flagfall"), "{asked:?}");
    let named = flagfall(&["clock", "provision", "--port", port, "--name", "A01", "--new-key", keys_file]);
    assert_eq!(named.code, 0, "{named:?}");
    assert!(named.stdout.contains("clock A01, seals, writes json, trim 0 ppm, silent"), "{named:?}");
    let again = flagfall(&["clock", "provision", "--port", port, "--name", "A02", "--no-key"]);
    assert!(again.code == 1 && again.stderr.contains("has a name already, A01"), "{again:?}");
    let table: toml::Table = std::fs::read_to_string(keys).expect("keys").parse().expect("TOML");
    table["A01"].as_str().expect("a key").to_owned()
}

pub(super) struct Table {
    pub(super) clock: Live,
    pub(super) hall: Hall,
    pub(super) chief: Desk,
    /// When the side that runs began to run, by the test's own hands, and with what.
    pub(super) since: Instant,
    pub(super) ms: [i64; 2],
    running: usize,
}

impl Table {
    /// Presses a contact as long as a finger does; when it went down.
    pub(super) async fn push(&mut self, contact: Contact) -> Instant {
        let at = Instant::now();
        self.clock.press(contact, true);
        tokio::time::sleep(Duration::from_millis(70)).await;
        self.clock.press(contact, false);
        tokio::time::sleep(Duration::from_millis(40)).await;
        at
    }

    fn spent(&self, at: Instant) -> i64 {
        i64::try_from(at.saturating_duration_since(self.since).as_millis()).expect("a game is short")
    }

    /// He whose time runs presses after so long.
    pub(super) async fn moves(&mut self, thinks: u64) {
        tokio::time::sleep(Duration::from_millis(thinks)).await;
        let at = self.push([Contact::Left, Contact::Right][self.running]).await;
        self.ms[self.running] += INCREMENT - self.spent(at);
        (self.since, self.running) = (at, 1 - self.running);
    }

    /// It stands from then on.
    pub(super) fn stands(&mut self, at: Instant) {
        self.ms[self.running] -= self.spent(at);
    }

    /// The event's times are those the test has, nearly; they are the clock's own word from here on.
    pub(super) fn agree(&mut self, of: &Value, what: &Value) {
        for (player, member) in ["first_ms", "second_ms"].into_iter().enumerate() {
            let told = of[member].as_i64().unwrap_or_else(|| panic!("{member} in {what}"));
            let off = told - self.ms[player];
            assert!(off.abs() <= NEAR, "{member} is off by {off} ms in {what}");
            self.ms[player] = told;
        }
    }

    pub(super) async fn pressed(&mut self, mark: usize, player: &str, moves: u64) -> Value {
        let wanted = json!({"player": player, "moves": moves});
        self.chief.since(mark, "the press", |event| is(event, "press", &wanted)).await
    }

    /// An arbiter lets it go on.
    pub(super) async fn resume(&mut self) {
        let mark = self.chief.mark();
        self.chief.done_soon("board.resume", json!({"board": "1"})).await;
        self.since = Instant::now();
        self.chief.since(mark, "it runs on", |event| event["type"] == "resumed").await;
    }
}

/// Named, in a hall whose daemon has its key, set by the daemon and started by it.
pub(super) async fn game(folder: &Path) -> Table {
    let (port, keys) = (folder.join("clock"), folder.join("keys.toml"));
    let mut clock = Live::start(&firmware(), &Options::default(), &port);
    let key = name(&port, &keys);
    let plan = Plan {
        broker: false,
        top: format!("keys_file = \"{}\"\n", keys.display()),
        event: "start_by = \"daemon\"".into(),
        regulations: format!("base_ms = {BASE}\nincrement_ms = {INCREMENT}"),
        more: format!("[[serial]]\nport = \"{}\"\n", port.display()),
        ..Plan::default()
    };
    let hall = plan.open().await;
    let chief = hall.desk("chief").await;
    chief.wait("it is heard", |event| event["type"] == "clock_online").await;
    let prepared = chief.done("round.prepare", json!({"round": 1})).await;
    let row = &prepared["tables"][0];
    let set = json!({"state": "ready", "first_ms": BASE, "second_ms": BASE, "clock": "A01"});
    assert!(holds(row, &set), "{prepared}");
    clock.happened();
    chief.done("round.start", json!({"round": 1})).await;
    let since = Instant::now();
    chief.wait("the start", |event| is(event, "game_started", &json!({"by": "command"}))).await;
    until("the left light", SOON, || {
        let lit = |it: &Happened| matches!(it, Happened::Out { name, on: true, .. } if name == "light_left");
        clock.happened().iter().any(lit).then_some(())
    })
    .await;
    assert!(!hall.log().contains(&key), "the key is in no log");
    Table { clock, hall, chief, since, ms: [BASE; 2], running: 0 }
}
